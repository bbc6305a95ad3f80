//! Answers by the rules: what a position is, and why a stone is a foul.

use serde::{Deserialize, Serialize};

use super::board::Color;

/// End of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ended {
    /// In words.
    pub text: String,
    /// The winner; `null` for a draw.
    pub winner: Option<Color>,
    /// The winning row.
    pub row: Vec<String>,
}

/// A point that is forbidden to Black.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Foul {
    /// The point.
    pub point: String,
    /// The kinds: `6`, `44`, `33`.
    pub kinds: Vec<String>,
}

/// Judgement of a position by the rules.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Facts {
    /// Side to move.
    pub side: Color,
    /// Points forbidden to Black, whoever is to move.
    pub fouls: Vec<Foul>,
    /// Points that only look like double threes.
    pub false_fouls: Vec<String>,
    /// End of the game, if it has ended.
    pub ended: Option<Ended>,
    /// Whether the side to move may pass.
    pub may_pass: bool,
    /// Whether the players may agree on a draw.
    pub may_agree: bool,
    /// The code and name of the Renju opening.
    pub opening: Option<(String, String)>,
    /// The position as text: moves, or rows of stones.
    pub text: String,
}

/// Contiguous stones in a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Row {
    /// The line's direction in words.
    pub direction: String,
    /// The stones.
    pub stones: Vec<String>,
}

/// A four: one more stone makes it a five.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Four {
    /// The line's direction in words.
    pub direction: String,
    /// The stones.
    pub stones: Vec<String>,
    /// Points that complete the five.
    pub completions: Vec<String>,
}

/// A three: one more stone makes it a straight four.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Three {
    /// The line's direction in words.
    pub direction: String,
    /// The stones.
    pub stones: Vec<String>,
    /// The points of the straight four.
    pub extensions: Vec<Extension>,
    /// Whether the three is real; `null` if it was not checked.
    pub real: Option<bool>,
}

/// A point that makes a straight four of a three.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Extension {
    /// The point.
    pub point: String,
    /// Whether it makes the three real.
    pub extends: bool,
    /// Judgement of a stone there by the rule; `null` if it was not asked for.
    pub reason: Option<Explanation>,
}

/// Explanation of a black stone under Renju, whether legal or a foul, with all grounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Explanation {
    /// The point.
    pub point: String,
    /// `five`, `legal`, or `foul` with its kinds.
    pub verdict: String,
    /// Exact fives; if there are any, nothing else is listed.
    pub fives: Vec<Row>,
    /// Rows of six and more.
    pub overlines: Vec<Row>,
    /// Fours.
    pub fours: Vec<Four>,
    /// Threes, real or false.
    pub threes: Vec<Three>,
    /// Whether the threes were not examined, because an explanation examines 500 points at most.
    pub cut: bool,
}
