//! An annotated game as a game file: the game as it was, with scores, comments and better lines added.

use super::Review;
use super::judge::{JudgedMove, Quality};
use crate::record::tree::Step;
use crate::record::{Game, NodeId, Note, Tree};
use kagetsu::game::{Color, Move, Point};

/// Moves of a better line that are written.
const LONGEST: usize = 15;

/// SGF's value of a position and its signs for a move. A node may have one value and one sign, so that those of an earlier
/// annotation do not stay beside the new ones.
const JUDGEMENTS: [&str; 5] = ["V", "BM", "DO", "IT", "TE"];

/// The judgement of a move as a game file has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The comment on the move.
    pub comment: String,
    /// The value for Black and the sign of the move, by their SGF identifiers.
    pub properties: Vec<(String, String)>,
    /// The better line, as far as it is written; empty if there was none.
    pub line: Vec<Point>,
}

impl Review {
    /// Returns the game with a comment and the value for Black at each judged move, and a variation where there was a
    /// better line.
    pub fn record(&self) -> Game {
        let judged = self.steps.iter().zip(&self.moves);
        let entries: Vec<_> = judged.map(|(step, m)| (step.id, m.entry())).collect();
        Game { rule: Some(self.rule), ..write(&self.game, &entries) }
    }
}

impl JudgedMove {
    /// Returns what is written at the move.
    pub fn entry(&self) -> Entry {
        let value = if self.side == Color::Black { self.score.0 } else { -self.score.0 };
        let properties = [("V", value.to_string())].into_iter().chain(sign(self.quality));
        let has_better = self.quality.is_grave() && self.best.first() != self.point;
        // The line ends where the opponent may play anything.
        let better = self.best.moves.iter().take(LONGEST).map_while(|p| *p);
        Entry {
            comment: comment(self),
            properties: properties.map(|(key, value)| (key.to_owned(), value)).collect(),
            line: better.filter(|_| has_better).collect(),
        }
    }
}

/// Returns a game with the judgements of these moves. They take the place of those that an earlier annotation wrote there;
/// whatever else the game has stays.
pub fn write(game: &Game, entries: &[(NodeId, Entry)]) -> Game {
    let mut judged = vec![None; game.tree.len()];
    for (id, entry) in entries {
        judged[id.index()] = Some(entry);
    }
    let mut tree = Tree::with_capacity(game.tree.len());
    let mut copies = vec![NodeId::ROOT; game.tree.len()];
    for step in game.tree.walk() {
        let Step::Enter(id) = step else { continue };
        if let Some(parent) = game.tree.parent(id) {
            copies[id.index()] = tree.add(copies[parent.index()], game.tree.turn(id));
        }
        // A node of a game file has one comment.
        let said = game.tree.comments(id).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        let entry = judged[id.index()];
        let text = match entry {
            None => said,
            Some(entry) => match without_score(&said) {
                "" => entry.comment.clone(),
                said => format!("{said}\n\n{}", entry.comment),
            },
        };
        let kept = game.tree.notes(id).filter(|note| match note {
            Note::Comment(_) => false,
            Note::Property(key, _) => entry.is_none() || !JUDGEMENTS.contains(key),
            _ => true,
        });
        let comment = (!text.is_empty()).then_some(Note::Comment(&text));
        let properties = entry.into_iter().flat_map(|entry| &entry.properties);
        let properties = properties.map(|(key, value)| Note::Property(key, value));
        tree.annotate(copies[id.index()], kept.chain(comment).chain(properties));
    }
    for (id, entry) in entries {
        add_line(&mut tree, copies[id.index()], &entry.line);
    }
    Game { tree, ..game.clone() }
}

/// Adds a line in place of a move as a variation, as far as the game has none with these moves.
fn add_line(tree: &mut Tree, replaced: NodeId, line: &[Point]) {
    let (Some(mut node), Some((mut side, _))) = (tree.parent(replaced), tree.turn(replaced)) else { return };
    for &p in line {
        let turn = Some((side, Move::Place(p)));
        let there = tree.children(node).find(|&child| tree.turn(child) == turn);
        node = there.unwrap_or_else(|| tree.add(node, turn));
        side = !side;
    }
}

/// Returns the comments of a move without the one that [`comment`] made for an earlier annotation: the last paragraph.
fn without_score(said: &str) -> &str {
    let (before, last) = said.rsplit_once("\n\n").unwrap_or(("", said));
    let rest = last.strip_prefix("Score ").and_then(|rest| rest.split_once(" % for Black)."));
    let is_score = rest.is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with(" This is "));
    if is_score && !last.contains('\n') { before } else { said }
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

/// Returns SGF's property for a move of this quality.
fn sign(quality: Quality) -> Option<(&'static str, String)> {
    let (key, value) = match quality {
        Quality::Good => return None,
        Quality::Inaccuracy => ("DO", ""),
        Quality::Mistake => ("BM", "1"),
        Quality::Blunder | Quality::MissedWin | Quality::Forbidden(_) => ("BM", "2"),
    };
    Some((key, value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sgf;
    use crate::review::Node;
    use crate::review::course::{Course, PlayedMove};
    use crate::study::Line;
    use kagetsu::game::{Endings, Position, RuleKind};
    use kagetsu::search::Score;

    fn read(text: &str) -> Game {
        sgf::read(text.as_bytes(), Default::default()).unwrap().remove(0)
    }

    /// A game annotated as if each move were of this quality, and a1 and b1 better.
    fn annotated(game: Game, quality: Quality) -> Game {
        let rule = RuleKind::Freestyle;
        let Course { positions, steps, .. } = Course::of(&game, rule, &Endings::default()).unwrap();
        let best = || Line { score: Score(300), moves: [0, 1].map(|x| Some(Point::new(x, 0))).to_vec() };
        let node = |(id, position): &(NodeId, Position)| Node {
            id: *id,
            side: position.side(),
            score: Score(300),
            by: None,
            line: best(),
            end: None,
        };
        let nodes = positions.iter().map(node).collect();
        let judge = |step: &PlayedMove| JudgedMove {
            rule,
            side: step.side,
            point: step.turn.point(),
            best: best(),
            by: None,
            score: Score(10),
            quality,
        };
        let moves = steps.iter().map(judge).collect();
        let (_, last) = positions.last().unwrap().clone();
        Review { game, rule, nodes, steps, moves, unjudged: 0, left_out: 0, last }.record()
    }

    #[test]
    fn all_comments_stay() {
        let game = annotated(read("(;SZ[15]C[a]XX[1]C[b];B[hh]C[one]XX[1]C[two]C[])"), Quality::Good);
        let first = game.tree.first_child(NodeId::ROOT).unwrap();
        assert_eq!(game.tree.comments(NodeId::ROOT).collect::<Vec<_>>(), ["a\nb"]);
        assert!(game.tree.comment(first).unwrap().starts_with("one\ntwo\n\nScore 10 ("), "{game:?}");
    }

    /// SGF's values are Black's, and scores those of the side that moved.
    #[test]
    fn values_are_those_of_black() {
        let game = annotated(read("(;SZ[15];B[hh];W[hg])"), Quality::Good);
        let notes = game.tree.main_line().flat_map(|id| game.tree.notes(id));
        let values = notes.filter_map(|note| match note {
            Note::Property("V", value) => Some(value),
            _ => None,
        });
        assert_eq!(values.collect::<Vec<_>>(), ["10", "-10"]);
    }

    /// A new annotation takes the place of an old one, and lines of the file are not written a second time.
    #[test]
    fn games_are_annotated_again() {
        let game = read("(;SZ[15];B[hh]C[said\n\nbefore]TE[1];W[hg]DO[]IT[]V[3])");
        let mistakes = annotated(game.clone(), Quality::Mistake);
        assert_eq!(annotated(mistakes.clone(), Quality::Mistake), mistakes);
        let text = sgf::write(std::slice::from_ref(&mistakes));
        assert_eq!((text.matches("BM[1]").count(), text.matches("Score 10 (").count()), (2, 2), "{text}");
        assert!(text.contains("C[said\n\nbefore\n\nScore 10 ("), "{text}");
        assert!(["TE[", "DO[", "IT[", "V[3]"].iter().all(|old| !text.contains(old)), "{text}");
        assert_eq!(mistakes.tree.children(NodeId::ROOT).count(), 2);
        let good = annotated(mistakes, Quality::Good);
        assert!(!sgf::write(&[good]).contains("BM["));
        let inaccuracies = annotated(game, Quality::Inaccuracy);
        let text = sgf::write(&[annotated(inaccuracies, Quality::Mistake)]);
        assert_eq!((text.matches("BM[1]").count(), text.matches("DO[").count()), (2, 0), "{text}");
    }

    /// A node without a move may stand between two moves: the better line begins beside the move that it replaces.
    #[test]
    fn the_better_line_is_a_variation_of_the_move() {
        let game = annotated(read("(;SZ[15];B[hh];C[a remark];W[hg])"), Quality::Mistake);
        let last = game.tree.main_line().last().unwrap();
        let beside: Vec<_> = game.tree.children(game.tree.parent(last).unwrap()).collect();
        assert_eq!(beside.len(), 2, "{game:?}");
        assert_eq!(game.tree.turn(beside[1]), Some((Color::White, Move::Place(Point::new(0, 0)))));
    }

    /// The moves that were judged before a review was stopped can be written alone.
    #[test]
    fn a_part_of_the_moves_is_written() {
        let game = read("(;SZ[15];B[hh];W[hg];B[ih])");
        let last = game.tree.main_line().last().unwrap();
        let entry = Entry {
            comment: "Score 3 (52 % for Black).".into(),
            properties: vec![("V".into(), "3".into())],
            line: vec![Point::new(0, 0)],
        };
        let written = write(&game, &[(last, entry.clone())]);
        let text = sgf::write(std::slice::from_ref(&written));
        assert_eq!((text.matches("C[Score 3 ").count(), text.matches("V[3]").count()), (1, 1), "{text}");
        assert_eq!(written.tree.len(), game.tree.len() + 1);
        let last = written.tree.main_line().last().unwrap();
        assert_eq!(write(&written, &[(last, entry)]), written, "a second time changes nothing");
    }

    #[test]
    fn words_of_others_are_no_scores() {
        let own = "Score +M2 (100 % for Black). This is a mistake.";
        assert_eq!(without_score(own), "");
        assert_eq!(without_score(&format!("said\n\n{own}")), "said");
        for said in
            ["Score 3 : 1", "a (5 % for Black).", "Score 1 (5 % for Black). No!", &format!("{own}\nNo!")]
        {
            assert_eq!(without_score(said), said);
        }
    }
}
