//! Questions about a position, and their answers.

use serde::{Deserialize, Serialize};

use kagetsu::game::Point;
use kagetsu::solve::proof::Proof;

/// A question about a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Whether the attacker wins by threats: at a turn, or at a defence after a pass. The number is the index
    /// of the node limit in [`NODES`](super::effort::NODES).
    Win(usize),
    /// The best moves by a search.
    Moves,
}

/// An answer. Its points are in the orientation of the position's key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The attacker wins; at a defence, after a pass.
    Won {
        /// At a defence, the legal replies that disturb the proof.
        replies: Vec<Point>,
    },
    /// No win was found.
    Open {
        /// Whether more nodes would find none either.
        exhausted: bool,
        /// At a defence, all legal replies.
        replies: Vec<Point>,
    },
    /// The defender wins by fours.
    Refuted,
    /// Moves of the side to move.
    Moves {
        /// The moves that the search named, with scores from the attacker's view, best for the side to move first.
        named: Vec<(Point, i32)>,
        /// The other legal moves.
        others: Vec<Point>,
    },
}

/// An answer, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The answer.
    pub answer: Answer,
    /// The proof of a win.
    pub proof: Option<Proof>,
    /// Stones put on the board by solver and search.
    pub nodes: u64,
}
