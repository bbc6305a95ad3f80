//! Games with their variations and notes, as both sides name them. Everything that the readers of game files keep
//! survives the way to the page and back.

use serde::{Deserialize, Serialize};

use super::board::{Color, Rule, Stone};

/// The shape of a mark on a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A circle.
    Circle,
    /// A cross.
    Cross,
    /// A selected point.
    Selected,
}

/// One thing written at a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Note {
    /// A stone placed on a point or removed from it without a move.
    Setup {
        /// The point.
        point: String,
        /// The stone; `null` for none.
        color: Option<Color>,
    },
    /// The side that moves next.
    Side {
        /// The colour.
        color: Color,
    },
    /// Text about the position.
    Comment {
        /// The text, its lines ended by `\n`.
        text: String,
    },
    /// A short text on the board, at the node's own stone.
    BoardText {
        /// The text.
        text: String,
    },
    /// A short text at another point.
    Label {
        /// The point.
        point: String,
        /// The text.
        text: String,
    },
    /// A sign on a point.
    Mark {
        /// The point.
        point: String,
        /// The sign.
        mark: Mark,
    },
    /// RenLib's mark of a node.
    Marked,
    /// RenLib's mark of the node that the library opens at.
    Start,
    /// Time used for the move, in milliseconds.
    Time {
        /// Milliseconds.
        ms: u32,
    },
    /// Anything else, by its SGF identifier.
    Property {
        /// The identifier.
        key: String,
        /// The value.
        value: String,
    },
}

/// Entry of a judged move: its comment, marks and better line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Entry {
    /// The comment on the move.
    pub comment: String,
    /// The value for Black and the sign of the move, by their SGF identifiers.
    pub properties: Vec<(String, String)>,
    /// The better line, which becomes a variation; empty if there was none.
    pub line: Vec<String>,
}

/// A node of a game's tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Node {
    /// The index of the parent among the nodes; `null` for the root alone, which comes first. Parents come before their
    /// children, and children in their order.
    pub parent: Option<u32>,
    /// Side that moved; `null` where the node has no move.
    pub color: Option<Color>,
    /// A point or `pass`; `null` where the node has no move.
    #[serde(rename = "move")]
    pub turn: Option<String>,
    /// The text written there.
    pub notes: Vec<Note>,
}

/// A game, a study or a library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Game {
    /// Side length of the board.
    pub size: u8,
    /// The rule, if the file says it.
    pub rule: Option<Rule>,
    /// The result, if the file says it: `black`, `white` or `draw`.
    pub result: Option<String>,
    /// Setup stones, placed before the first move.
    pub setup: Vec<Stone>,
    /// Side that moves first.
    pub first: Color,
    /// Facts about the game, by their SGF identifiers: `PB` and `PW` the players, `EV` the event, …
    pub properties: Vec<(String, String)>,
    /// The tree; the root first.
    pub nodes: Vec<Node>,
}
