//! Limits of a search: time, nodes, depth, and what it is asked for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::leaves::Leaves;
use super::pulse::Pulse;
use super::report::Score;
use crate::game::PointSet;

/// Limits of one search; every `None` is "no limit". With no limit at all a search runs until it is stopped, has
/// proven the result or has reached its greatest depth.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time for this move, counted from [`Context::start`](super::Context::start). The search ends some
    /// milliseconds before that, so that the answer is in time.
    pub turn: Option<Duration>,
    /// Time for this and all later moves of the game.
    pub left: Option<Duration>,
    /// Time added to `left` after each move.
    pub increment: Duration,
    /// Nodes: moves made on the board.
    pub nodes: Option<u64>,
    /// Nodes of a thread after which it begins no further iteration.
    pub soft_nodes: Option<u64>,
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Ends the search at a proven win of at most this many plies, like `go mate` of UCI; after a longer win it goes on for
    /// a shorter one. `None` ends it at the first win, whatever its length.
    pub mate: Option<u32>,
    /// Whether the score is wanted, not only a move. A game plays the only reply to a five at once; an analysis searches on.
    pub analysis: bool,
    /// Number of best lines wanted; 0 means 1.
    pub multipv: usize,
    /// Threads that search together; 0 means 1. Only one thread with a node limit is repeatable. An engine
    /// uses fewer if its memory limit has no room for all.
    pub threads: usize,
    /// Points that the root move must not be on.
    pub excluded: PointSet,
    /// The last of several threads joins the search only once this is set; until then something else uses its core.
    pub last_thread: Option<Arc<AtomicBool>>,
    /// Receives the progress of the search between two reports.
    pub pulse: Option<Arc<Pulse>>,
    /// Draws positions that the search evaluates.
    pub leaves: Option<Arc<Leaves>>,
}

/// Nodes from which on a search prepares its memory beforehand: with a lower limit that would take longer than it saves.
const LONG_NODES: u64 = 2_000_000;
/// Depth, in plies, from which on a search prepares its memory.
const LONG_DEPTH: u32 = 12;
/// Time from which on a search prepares its memory.
const LONG_TIME: Duration = Duration::from_millis(100);
/// Number of moves that preparations divide the remaining time of a game by, roughly as time management does.
const MOVES_LEFT: u32 = 16;
/// Most time for preparations, which also take at most a quarter of the move's time.
const LONGEST_PREPARATION: Duration = Duration::from_secs(1);

impl Limits {
    /// Returns whether a proven win is short enough to end the search.
    pub fn is_met_by(&self, win: Score) -> bool {
        win.mate().is_some_and(|n| n > 0 && self.mate.is_none_or(|most| n as u32 <= most))
    }

    /// Returns the time that may go into preparing memory, which speeds up this search and later ones.
    pub fn preparation(&self) -> Duration {
        let of_game = self.left.map(|left| left / MOVES_LEFT);
        let time = self.turn.into_iter().chain(of_game).min().unwrap_or(Duration::MAX);
        let long = time >= LONG_TIME
            && self.nodes.is_none_or(|n| n >= LONG_NODES)
            && self.depth.is_none_or(|depth| depth >= LONG_DEPTH);
        if long { LONGEST_PREPARATION.min(time / 4) } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_meets_a_limit_that_is_not_shorter() {
        let met = |mate: Option<u32>| {
            let limits = Limits { mate, ..Limits::default() };
            [3, 5, 7].map(|plies| limits.is_met_by(Score(Score::MATE - plies)))
        };
        assert_eq!(met(None), [true; 3]);
        assert_eq!(met(Some(5)), [true, true, false]);
        for no_win in [Score(500), Score(4 - Score::MATE), Score(-Score::MATE)] {
            assert!(!Limits::default().is_met_by(no_win), "{no_win}");
        }
    }

    #[test]
    fn preparations_take_a_small_part() {
        let ms = Duration::from_millis;
        let with = |turn: Option<u64>, left: Option<u64>| {
            Limits { turn: turn.map(ms), left: left.map(ms), ..Limits::default() }.preparation()
        };
        assert_eq!(with(None, None), LONGEST_PREPARATION);
        assert_eq!(with(Some(300_000), Some(1_000_000)), LONGEST_PREPARATION);
        assert_eq!(with(Some(500), None), ms(125));
        assert_eq!(with(Some(5_000), Some(8_000)), ms(125), "of the game's time a move gets a part");
        assert_eq!(with(Some(50), None), Duration::ZERO);
        assert_eq!(with(Some(5_000), Some(100)), Duration::ZERO);
        for bounded in [
            Limits { nodes: Some(5_000), ..Limits::default() },
            Limits { depth: Some(LONG_DEPTH - 1), ..Limits::default() },
        ] {
            assert_eq!(bounded.preparation(), Duration::ZERO);
        }
    }
}
