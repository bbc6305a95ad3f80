//! An annotated game as a game file: the game as it was, with scores, comments and better lines added.

use super::Review;
use super::judge::{JudgedMove, Quality};
use crate::record::tree::Step;
use crate::record::{Game, NodeId, Note, Tree};
use kagetsu::game::{Color, Move};

/// Moves of a better line that are written.
const LONGEST: usize = 15;

impl Review {
    /// Returns the game with a comment and the value for Black at each judged move, and a variation where there was a
    /// better line.
    pub fn record(&self) -> Game {
        record(self)
    }
}

fn record(review: &Review) -> Game {
    let Review { game, nodes, steps, moves, rule, .. } = review;
    let judged = |id: NodeId| steps.iter().position(|step| step.id == id).and_then(|i| moves.get(i));
    let mut tree = Tree::with_capacity(game.tree.len());
    let mut copies = vec![NodeId::ROOT; game.tree.len()];
    for step in game.tree.walk() {
        let Step::Enter(id) = step else { continue };
        if let Some(parent) = game.tree.parent(id) {
            copies[id.index()] = tree.add(copies[parent.index()], game.tree.turn(id));
        }
        let said = game.tree.comment(id).unwrap_or_default();
        let m = judged(id);
        let text = m.map(|m| if said.is_empty() { comment(m) } else { format!("{said}\n\n{}", comment(m)) });
        let text = text.as_deref().unwrap_or(said);
        let value = m.map(|m| if m.side == Color::Black { m.score.0 } else { -m.score.0 }.to_string());
        let kept = game.tree.notes(id).filter(|note| match note {
            Note::Comment(_) => false,
            Note::Property("V", _) => value.is_none(),
            _ => true,
        });
        let comment = (!text.is_empty()).then_some(Note::Comment(text));
        let value = value.as_deref().map(|value| Note::Property("V", value));
        let sign = m.and_then(|m| sign(m.quality)).map(|(key, value)| Note::Property(key, value));
        tree.annotate(copies[id.index()], kept.chain(comment).chain(value).chain(sign));
    }
    for (step, m) in steps.iter().zip(moves).filter(|(_, m)| m.quality.is_grave()) {
        add_line(&mut tree, copies[nodes[step.before].id.index()], m);
    }
    Game { tree, rule: Some(*rule), ..game.clone() }
}

/// The better line as a variation; it ends where the opponent may play anything.
fn add_line(tree: &mut Tree, mut node: NodeId, m: &JudgedMove) {
    if m.best.first() == m.point {
        return;
    }
    let mut side = m.side;
    for p in m.best.moves.iter().take(LONGEST).map_while(|p| *p) {
        node = tree.add(node, Some((side, Move::Place(p))));
        side = !side;
    }
}

/// The comment on a move.
fn comment(m: &JudgedMove) -> String {
    let mut text = format!("Score {} ({:.0} % for Black).", m.score, 100.0 * m.black());
    if m.quality != Quality::Good {
        text += &format!(" This is {}.", with_article(&m.remark()));
        if let Some(p) = m.best.first().filter(|&p| Some(p) != m.point) {
            text += &format!(" Best was {p} ({}): {}", m.best.score, m.best.names().join(" "));
        }
    }
    text
}

/// A remark as a part of a sentence.
fn with_article(remark: &str) -> String {
    match remark.chars().next() {
        Some('i') => format!("an {remark}"),
        Some('f') | None => remark.to_string(),
        Some(_) => format!("a {remark}"),
    }
}

/// SGF's property for a move like this.
fn sign(quality: Quality) -> Option<(&'static str, &'static str)> {
    match quality {
        Quality::Good => None,
        Quality::Inaccuracy => Some(("DO", "")),
        Quality::Mistake => Some(("BM", "1")),
        Quality::Blunder | Quality::MissedWin | Quality::Forbidden(_) => Some(("BM", "2")),
    }
}
