//! Writes games: a line of the text for each move, a pair of parentheses for each variation.

use std::fmt::Write as _;

use super::read::rule_name;
use super::{MARKS, TIME, letters};
use crate::game::notation::gomocup;
use crate::game::{Color, Move, Point, Size};
use crate::record::notes::Note;
use crate::record::tree::{NodeId, Step};
use crate::record::{Game, GameResult};

/// Writes games one after another, in UTF-8. RenLib's marks of nodes are left out.
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

/// Whether a node stands in parentheses: it has siblings.
fn is_variation(game: &Game, id: NodeId) -> bool {
    let Some(parent) = game.tree.parent(id) else { return false };
    game.tree.next_sibling(id).is_some() || game.tree.first_child(parent) != Some(id)
}

fn root(text: &mut String, game: &Game) {
    let _ = write!(text, "(;FF[4]GM[4]CA[UTF-8]SZ[{}]", game.size.side());
    // The name of an opening rule says the rule too, if it is known here.
    let named = game.property("RU").and_then(rule_name);
    if let Some(rule) = game.rule.filter(|&rule| named != Some(rule)) {
        let _ = write!(text, "RU[{}]", rule.gomocup());
    }
    match game.result {
        None => {}
        Some(GameResult::Draw) => text.push_str("RE[0]"),
        Some(GameResult::Win(Color::Black)) => text.push_str("RE[B+1]"),
        Some(GameResult::Win(Color::White)) => text.push_str("RE[W+1]"),
    }
    for (key, value) in &game.properties {
        text.push_str(key);
        bracket(text, value);
    }
    for color in Color::BOTH {
        let stones = game.setup.iter().filter(|s| s.1 == color).map(|s| s.0);
        points(text, if color == Color::Black { "AB" } else { "AW" }, stones, game.size);
    }
    let first =
        game.tree.main_line().find_map(|id| game.tree.turn(id)).map_or(Color::Black, |(color, _)| color);
    if first != game.first {
        let _ = write!(text, "PL[{}]", letter(game.first));
    }
    notes(text, game, NodeId::ROOT);
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
    let mut labels = false;
    for note in tree.notes(id) {
        let mut label = |text: &mut String, p: Point, label: &str| {
            text.push_str(if std::mem::replace(&mut labels, true) { "" } else { "LB" });
            let (x, y) = gomocup::coordinates(p, game.size);
            let _ = write!(
                text,
                "[{}{}:{}]",
                char::from(b'a' + x as u8),
                char::from(b'a' + y as u8),
                escape(label).replace(':', "\\:")
            );
        };
        match note {
            Note::BoardText(value) => match tree.point(id) {
                Some(p) => label(text, p, value),
                None => named(text, "N", value),
            },
            Note::Label(p, value) => label(text, p, value),
            Note::Side(color) => {
                let _ = write!(text, "PL[{}]", letter(color));
            }
            Note::Comment("") => {}
            Note::Comment(value) => named(text, "C", value),
            Note::Time(ms) => {
                let _ = write!(text, "{TIME}[{ms}]");
            }
            Note::Property(key, value) => named(text, key, value),
            Note::Setup(..) | Note::Mark(..) | Note::Marked | Note::Start => {}
        }
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

fn named(text: &mut String, key: &str, value: &str) {
    text.push_str(key);
    bracket(text, value);
}

fn bracket(text: &mut String, value: &str) {
    text.push('[');
    text.push_str(&escape(value));
    text.push(']');
}

/// A text as a value: line ends as one character, structure escaped.
fn escape(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\\', "\\\\").replace(']', "\\]")
}
