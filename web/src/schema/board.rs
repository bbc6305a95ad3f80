//! Positions, as both sides name them.

use serde::{Deserialize, Serialize};

/// A colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// Black.
    Black,
    /// White.
    White,
}

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Five or more wins.
    Freestyle,
    /// Exactly five wins.
    Standard,
    /// Exactly five for Black, who has fouls; five or more for White.
    Renju,
    /// Exactly five, not closed at both ends.
    Caro,
    /// As Caro, and six or more always wins.
    Caro6,
}

/// The ends of a game besides a row, a foul and a full board: the names of `kagetsu::game::EndSet`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Ends {
    /// Draws by two passes, when no row is possible, and when Black has fouls only.
    #[default]
    Plain,
    /// The rules of the Renju International Federation.
    Rif,
    /// Gomocup: nobody passes.
    Gomocup,
}

/// A setup stone, placed before the first move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Stone {
    /// The point.
    pub point: String,
    /// The colour of the stone.
    pub color: Color,
}

/// A position: setup stones, and the moves after them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Position {
    /// Side length of the board, 5 to 22.
    pub size: u8,
    /// The rule.
    pub rule: Rule,
    /// Setup stones, placed before the first move.
    pub setup: Vec<Stone>,
    /// Side that makes the first of the moves.
    pub first: Color,
    /// The moves: points, or `pass`.
    pub moves: Vec<String>,
}

/// The engine's time for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Clock {
    /// A fixed time for this move.
    Move {
        /// Milliseconds.
        ms: u32,
    },
    /// The remaining time of the game and the increment after each move.
    Game {
        /// Milliseconds left.
        left: u32,
        /// Milliseconds added after each move.
        increment: u32,
    },
}
