//! The forced-win puzzles of `tests/data/puzzles.jsonl`.

use kagetsu::game::{Color, Position, RuleKind, Size};
use serde::Deserialize;

use super::data::point;

/// A position with its known result.
#[derive(Deserialize)]
pub struct Puzzle {
    pub id: String,
    rule: String,
    size: usize,
    black: Vec<String>,
    white: Vec<String>,
    side: String,
    /// `vcf`, `vct` (a win, but none by fours) or `none` (no win by fours).
    pub kind: String,
    /// Plies up to and including the five of a shortest win by fours.
    pub win_len: Option<usize>,
}

impl Puzzle {
    pub fn rule(&self) -> RuleKind {
        self.rule.parse().unwrap()
    }

    /// The attacker, who is to move.
    pub fn side(&self) -> Color {
        self.side.parse().unwrap()
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn position(&self) -> Position {
        let of = |names: &[String], c| names.iter().map(move |p| (point(p), c)).collect::<Vec<_>>();
        let stones = [of(&self.black, Color::Black), of(&self.white, Color::White)].concat();
        Position::from_stones(Size::new(self.size).unwrap(), stones, self.side()).unwrap()
    }
}

pub fn puzzles() -> Vec<Puzzle> {
    let text = include_str!("../data/puzzles.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
