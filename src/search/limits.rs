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

/// A search may be long with this much time for the move.
const LONG_TIME: Duration = Duration::from_secs(2);
/// And with this many nodes.
const LONG_NODES: u64 = 2_000_000;

impl Limits {
    /// Whether the search may take seconds, so that preparations that pay off only then are worth their time.
    pub fn are_long(&self) -> bool {
        let time = self.turn.into_iter().chain(self.left.map(|left| left / 16)).min();
        time.is_none_or(|t| t >= LONG_TIME)
            && self.nodes.is_none_or(|n| n >= LONG_NODES)
            && self.depth.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_is_seconds() {
        let long = |turn: Option<u64>, left: Option<u64>| {
            let ms = |t: Option<u64>| t.map(Duration::from_millis);
            Limits { turn: ms(turn), left: ms(left), ..Limits::default() }.are_long()
        };
        assert!(long(None, None) && long(Some(5_000), None) && long(Some(300_000), Some(1_000_000)));
        assert!(!long(Some(100), None) && !long(Some(5_000), Some(10_000)) && !long(None, Some(0)));
        assert!(!Limits { nodes: Some(5_000), ..Limits::default() }.are_long());
        assert!(!Limits { depth: Some(9), ..Limits::default() }.are_long());
    }
}
