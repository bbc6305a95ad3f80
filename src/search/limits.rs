//! What a search may use.

use std::time::Duration;

use crate::game::PointSet;

/// Limits of one search; every `None` is "no limit". With no limit at all a search runs until it is stopped, has
/// proven the result or has reached its greatest depth.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time for this move, counted from the moment its command was read.
    pub turn: Option<Duration>,
    /// Time for this and all later moves of the game.
    pub left: Option<Duration>,
    /// Time added to `left` after each move.
    pub increment: Duration,
    /// Nodes: moves made on the board.
    pub nodes: Option<u64>,
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Number of best lines wanted; 0 means 1.
    pub multipv: usize,
    /// Threads that search together; 0 means 1. Only one thread with a node limit is repeatable.
    pub threads: usize,
    /// Points that the first move must not be on.
    pub excluded: PointSet,
}
