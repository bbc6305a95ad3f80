//! Time limits set by the manager, and the engine's own account of the time used.
//!
//! The search decides how much of the time a move gets. A manager need not send `time_left`: without it, the time left is
//! `timeout_match` less the moves so far.

use std::time::Duration;

/// Times from this many milliseconds on (27 hours) mean no limit, as managers write it.
const UNLIMITED: i64 = 100_000_000;
/// [`UNLIMITED`] as a limit for one move.
const UNLIMITED_MOVE: Duration = Duration::from_millis(UNLIMITED as u64);
/// Yixin-Board's value for an unlimited `timeout_turn`.
const UNLIMITED_TURN: Duration = Duration::from_secs(2000);
/// Time for a move if no limit was ever set.
const DEFAULT_TURN: Duration = Duration::from_secs(5);

/// Limits, and the time that is left.
#[derive(Clone, Default, Debug)]
pub struct TimeControl {
    turn: Option<Duration>,
    total: Option<Duration>,
    /// Whether `timeout_match` said that there is no limit.
    endless: bool,
    left: Option<Duration>,
    increment: Duration,
    /// Time used since the game began.
    used: Duration,
    /// The last `time_left` in milliseconds, as long as it decides `left`; `None` where the engine's own account does.
    told: Option<i64>,
    /// Whether `time_left` was sent and no move has used time since.
    fresh: bool,
}

impl TimeControl {
    /// Sets `timeout_turn`, the limit for each move.
    pub fn set_turn(&mut self, ms: i64) {
        self.turn = Some(milliseconds(ms));
    }

    /// Sets `timeout_match`, the limit for the game. A `time_left` that came before it is read anew, because settings may
    /// come in any order.
    pub fn set_match(&mut self, ms: i64) {
        self.endless = ms >= UNLIMITED;
        self.total = Some(ms).filter(|ms| (1..UNLIMITED).contains(ms)).map(milliseconds);
        match self.told {
            None => self.left = self.total.map(|total| total.saturating_sub(self.used)),
            Some(left) if self.fresh => self.set_left(left),
            Some(_) => {}
        }
    }

    /// Sets `time_left`. In a game without a limit Yixin-Board sends its number for no limit less the time
    /// used, so there only a negative time is a limit.
    pub fn set_left(&mut self, ms: i64) {
        let limited = ms < UNLIMITED && !(self.endless && ms >= 0);
        self.left = limited.then(|| milliseconds(ms));
        self.told = Some(ms);
        self.fresh = true;
    }

    /// Sets `time_increment`.
    pub fn set_increment(&mut self, ms: i64) {
        self.increment = milliseconds(ms.min(UNLIMITED));
    }

    /// Starts a new game. A `time_left` received before it counts only if no move has used time since.
    pub fn new_game(&mut self) {
        if !self.fresh {
            self.told = None;
            self.left = self.total;
        }
        self.used = Duration::ZERO;
    }

    /// Counts the time that a move has used.
    pub fn spend(&mut self, time: Duration) {
        self.fresh = false;
        self.used += time;
        self.left = self.left.map(|left| left.saturating_sub(time) + self.increment);
    }

    /// Returns the limit for one move. If none was set, there is a default, unless the game's time or another limit
    /// bounds the search. In the Yixin dialect a long time means no limit: its boards have a button that stops a search. Other
    /// managers wait for the move, so there a time that means no limit is taken as not set.
    pub fn turn(&self, otherwise_bounded: bool, yixin: bool) -> Option<Duration> {
        match self.turn {
            Some(turn) if yixin && turn >= UNLIMITED_TURN => None,
            Some(turn) if turn < UNLIMITED_MOVE => Some(turn),
            _ if otherwise_bounded || self.left.is_some() => None,
            _ => Some(DEFAULT_TURN),
        }
    }

    /// Time for the rest of the game; `None` for no limit.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// Time won by each move.
    pub fn increment(&self) -> Duration {
        self.increment
    }
}

/// Converts milliseconds; a negative number counts as zero.
pub fn milliseconds(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn keeps_its_own_account() {
        let mut time = TimeControl::default();
        assert_eq!(time.turn(false, false), Some(DEFAULT_TURN));
        time.set_match(10_000);
        assert_eq!((time.turn(false, false), time.left()), (None, Some(10 * SECOND)));
        time.spend(4 * SECOND);
        assert_eq!(time.left(), Some(6 * SECOND));
        time.set_increment(1000);
        time.spend(7 * SECOND);
        assert_eq!(time.left(), Some(SECOND));
        time.new_game();
        assert_eq!(time.left(), Some(10 * SECOND));
    }

    #[test]
    fn the_time_left_of_the_manager_takes_precedence() {
        let mut time = TimeControl::default();
        time.set_left(3_000);
        time.set_match(10_000);
        time.new_game();
        assert_eq!(time.left(), Some(3 * SECOND), "set before START, for the game that begins");
        time.spend(SECOND);
        assert_eq!(time.left(), Some(2 * SECOND));
        time.set_left(-500);
        assert_eq!(time.left(), Some(Duration::ZERO));
        time.new_game();
        assert_eq!(
            time.left(),
            Some(Duration::ZERO),
            "as Yixin-Board says it, before the START of a game that goes on"
        );
        time.spend(Duration::ZERO);
        time.new_game();
        assert_eq!(time.left(), Some(10 * SECOND), "the next game");
        time.set_left(i64::from(i32::MAX));
        assert_eq!(time.left(), None);
    }

    /// Yixin-Board subtracts the time used from its number for no limit.
    #[test]
    fn a_game_without_a_limit_has_none_after_a_move() {
        let mut time = TimeControl::default();
        time.set_match(UNLIMITED);
        for ms in [UNLIMITED, UNLIMITED - 1000, 1000, 0] {
            time.set_left(ms);
            assert_eq!(time.left(), None, "{ms}");
        }
        time.set_left(-1);
        assert_eq!(time.left(), Some(Duration::ZERO));
        time.set_match(10_000);
        time.set_left(9_000);
        assert_eq!(time.left(), Some(9 * SECOND), "the next game has a limit");
    }

    /// Whether a time left is a limit depends on the time of the game, which may come after it.
    #[test]
    fn the_times_of_a_game_may_come_in_any_order() {
        type Set = fn(&mut TimeControl);
        let left = |before: i64, settings: [Set; 2]| {
            let mut time = TimeControl::default();
            time.set_match(before);
            settings.into_iter().for_each(|set| set(&mut time));
            time.left()
        };
        let limited: [Set; 2] = [|time| time.set_left(9_000), |time| time.set_match(10_000)];
        let endless: [Set; 2] = [|time| time.set_left(9_000), |time| time.set_match(UNLIMITED)];
        for before in [0, 5_000, UNLIMITED] {
            for settings in [limited, [limited[1], limited[0]]] {
                assert_eq!(left(before, settings), Some(9 * SECOND), "{before}");
            }
            for settings in [endless, [endless[1], endless[0]]] {
                assert_eq!(left(before, settings), None, "{before}");
            }
        }
        // Time that a move has used is not given back by a later `timeout_match`.
        let mut time = TimeControl::default();
        time.set_left(9_000);
        time.spend(4 * SECOND);
        time.set_match(20_000);
        assert_eq!(time.left(), Some(5 * SECOND));
    }

    #[test]
    fn limits_of_one_move() {
        let mut time = TimeControl::default();
        time.set_turn(0);
        assert_eq!(time.turn(true, true), Some(Duration::ZERO));
        time.set_turn(-1);
        assert_eq!(time.turn(false, false), Some(Duration::ZERO));
        time.set_turn(2_000_000);
        assert_eq!(time.turn(false, true), None);
        assert_eq!(time.turn(false, false), Some(2000 * SECOND));
        // The largest number that a manager can send is no reason to think for 24 days.
        for ms in [UNLIMITED, i64::from(i32::MAX), i64::MAX] {
            time.set_turn(ms);
            assert_eq!(time.turn(false, false), Some(DEFAULT_TURN), "{ms}");
            assert_eq!((time.turn(true, false), time.turn(false, true)), (None, None), "{ms}");
        }
        time.set_match(10_000);
        assert_eq!(time.turn(false, false), None, "the game's time bounds a move");
    }
}
