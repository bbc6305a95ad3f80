//! Writes games: a line of the text for each move, a pair of parentheses for each variation.

use std::fmt::Write as _;

use super::properties::{Properties, escape};
use super::{MARKS, TIME, letters, result, rule};
use crate::record::Game;
use crate::record::notes::Note;
use crate::record::tree::{NodeId, Step};
use kagetsu::game::{Color, Move, Point, Size};

/// Writes games one after another, in UTF-8. RenLib's marks of nodes are left out. All points have to be on the board;
/// [`Format::write`](crate::record::Format::write) checks that first.
pub fn write(games: &[Game]) -> String {
    let mut text = String::new();
    for game in games {
        one(&mut text, game);
    }
    text
}

fn one(text: &mut String, game: &Game) {
    root(text, game);
    let tree = &game.tree;
    for step in tree.walk().skip(1) {
        match step {
            Step::Enter(id) => {
                if is_variation(game, id) {
                    text.push_str("\n(");
                }
                text.push_str(if text.ends_with('(') { ";" } else { "\n;" });
                node(text, game, id);
            }
            Step::Leave(id) if id == NodeId::ROOT || is_variation(game, id) => text.push(')'),
            Step::Leave(_) => {}
        }
    }
    text.push('\n');
}

/// Returns whether a node stands in parentheses: it has siblings.
fn is_variation(game: &Game, id: NodeId) -> bool {
    let Some(parent) = game.tree.parent(id) else { return false };
    game.tree.next_sibling(id).is_some() || game.tree.first_child(parent) != Some(id)
}

fn root(text: &mut String, game: &Game) {
    let _ = write!(text, "(;FF[4]GM[4]CA[UTF-8]SZ[{}]", game.size.side());
    facts(game).write(text);
    for color in Color::BOTH {
        let stones = game.setup.iter().filter(|s| s.1 == color).map(|s| s.0);
        points(text, if color == Color::Black { "AB" } else { "AW" }, stones, game.size);
    }
    let moved = game.tree.main_line().find_map(|id| game.tree.turn(id)).map(|(color, _)| color);
    // If there are stones and no moves, programs disagree on who is to move.
    let implied = moved.or(game.setup.is_empty().then_some(Color::Black));
    if implied != Some(game.first) {
        let _ = write!(text, "PL[{}]", letter(game.first));
    }
    notes(text, game, NodeId::ROOT);
}

/// Writes the facts about a game. The rule's number and the result come before the texts of the same name.
fn facts(game: &Game) -> Properties<'_> {
    let mut facts = Properties::default();
    let (mut rule, mut result) = (rule_number(game), plain_result(game));
    for (key, value) in [("RU", &mut rule), ("RE", &mut result)] {
        if let Some(value) = value.take_if(|_| game.property(key).is_none()) {
            facts.add(key, value);
        }
    }
    for (key, text) in &game.properties {
        let value = match key.as_str() {
            "RU" => rule.take(),
            "RE" => result.take(),
            _ => None,
        };
        if let Some(value) = value {
            facts.add(key, value);
        }
        facts.add(key, text.as_str());
    }
    facts
}

/// The number of the rule, unless the name of an opening rule says the rule.
fn rule_number(game: &Game) -> Option<String> {
    let named = game.property("RU").and_then(rule::by_name);
    game.rule.filter(|&rule| named != Some(rule)).map(|rule| rule.gomocup().to_string())
}

/// Returns the plain result. `None` if the game has an `RE` text with the same result and more detail, which is written
/// instead.
fn plain_result(game: &Game) -> Option<String> {
    let mut texts = game.properties.iter().filter(|(key, _)| key == "RE").map(|(_, text)| text.as_str());
    let said = texts.find(|text| result::parse(text).is_some()).filter(|text| !result::is_plain(text));
    let said = said.and_then(result::parse);
    game.result.filter(|&own| said != Some(own)).map(|own| result::print(own).to_owned())
}

fn node(text: &mut String, game: &Game, id: NodeId) {
    if let Some((color, m)) = game.tree.turn(id) {
        text.push(letter(color));
        text.push('[');
        if let Move::Place(p) = m {
            text.push_str(&letters(p, game.size));
        }
        text.push(']');
    }
    notes(text, game, id);
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

fn notes(text: &mut String, game: &Game, id: NodeId) {
    let tree = &game.tree;
    for (key, stone) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)] {
        let set = tree.notes(id).filter_map(|n| if let Note::Setup(p, s) = n { Some((p, s)) } else { None });
        points(text, key, set.filter(|s| s.1 == stone).map(|s| s.0), game.size);
    }
    for (key, mark) in MARKS {
        let marked =
            tree.notes(id).filter_map(|n| if let Note::Mark(p, m) = n { Some((p, m)) } else { None });
        points(text, key, marked.filter(|m| m.1 == mark).map(|m| m.0), game.size);
    }
    labels(text, game, id);
    let mut properties = Properties::default();
    // A node has one comment.
    let comments: Vec<&str> = tree.comments(id).filter(|comment| !comment.is_empty()).collect();
    if !comments.is_empty() {
        properties.add("C", comments.join("\n"));
    }
    for note in tree.notes(id) {
        match note {
            Note::BoardText(name) if tree.point(id).is_none() => properties.add("N", name),
            Note::Side(color) => properties.add("PL", letter(color).to_string()),
            Note::Time(ms) => properties.add(TIME, ms.to_string()),
            Note::Property(key, value) => properties.add(key, value),
            _ => {}
        }
    }
    properties.write(text);
}

/// The texts on the board: that at the node's own stone and the others.
fn labels(text: &mut String, game: &Game, id: NodeId) {
    let own = game.tree.point(id);
    let labels = game.tree.notes(id).filter_map(|note| match note {
        Note::BoardText(label) => own.map(|p| (p, label)),
        Note::Label(p, label) => Some((p, label)),
        _ => None,
    });
    for (i, (p, label)) in labels.enumerate() {
        text.push_str(if i == 0 { "LB" } else { "" });
        let _ = write!(text, "[{}:{}]", letters(p, game.size), escape(label).replace(':', "\\:"));
    }
}

fn points(text: &mut String, key: &str, points: impl Iterator<Item = Point>, size: Size) {
    for (i, p) in points.enumerate() {
        text.push_str(if i == 0 { key } else { "" });
        text.push('[');
        text.push_str(&letters(p, size));
        text.push(']');
    }
}
