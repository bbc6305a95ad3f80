//! Time management: how long to think about a move.

use std::time::Duration;

use super::limits::Limits;
use super::params as P;

/// The longest time for a move, 136 years: sums and products of it cannot overflow.
const LONGEST: Duration = Duration::from_secs(u32::MAX as u64);

/// Time limits of one move, counted from its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Soft limit: no new iteration begins after this, scaled by how stable the best move is.
    pub soft: Duration,
    /// Hard limit: the search is aborted here.
    pub hard: Duration,
    /// Whether time saved now can be used by a later move. It cannot with a limit for each move alone, nor where the time of
    /// the game lasts for all its moves anyway.
    saves: bool,
}

impl Budget {
    /// Returns the budget for these limits; `None` when time is not limited.
    pub fn new(limits: &Limits) -> Option<Budget> {
        // A quarter of each increment is saved, so that a reserve builds up.
        let increment = limits.increment.saturating_mul(3) / 4;
        // The increment comes after the move: during it, no more than half of the remaining time may be used.
        let share = |left: Duration| (left / P::time_share() as u32).saturating_add(increment).min(left / 2);
        let cap = match (limits.turn, limits.left) {
            (None, None) => return None,
            // Byo-yomi: the next move has the same time again, so time cannot be saved.
            (Some(turn), Some(left)) if turn <= limits.increment.min(left) => turn,
            (Some(turn), None) => turn,
            (None, Some(left)) => share(left),
            (Some(turn), Some(left)) => turn.min(share(left)),
        };
        let hard = less_overhead(cap.min(LONGEST));
        let soft = match limits.left {
            Some(left) => {
                let even = (left / P::time_horizon() as u32).saturating_add(increment);
                less_overhead(even).min(hard)
            }
            None => hard,
        };
        let ample = limits.turn.zip(limits.left).is_some_and(|(turn, left)| {
            turn.saturating_sub(limits.increment).saturating_mul(P::time_ample() as u32) <= left
        });
        Some(Budget { soft, hard, saves: limits.left.is_some() && !ample })
    }

    /// Returns the time from which no further iteration begins, after `stable_iterations` with the same best move and a
    /// drop of the score by `score_drop` in the last one.
    ///
    /// An iteration takes longer than all earlier ones together. An iteration that cannot finish should not begin,
    /// unless unused time is lost anyway. An unstable move or a falling score is worth more time.
    pub fn stop_after(&self, stable_iterations: u32, score_drop: i32) -> Duration {
        if !self.saves {
            return self.hard;
        }
        let stability = match stable_iterations {
            0 => P::time_changed(),
            1 => P::time_stable_1(),
            2..=3 => P::time_stable_2(),
            _ => P::time_stable_4(),
        };
        let drop = 100 + score_drop.clamp(0, 100) * P::time_drop() / 100;
        let last_start = self.hard.mul_f64(f64::from(P::time_last_start()) / 100.0);
        self.soft.mul_f64(f64::from(stability * drop) / 10_000.0).min(last_start)
    }
}

/// Returns `time` less what is kept back. Short times keep back proportionally more: a delay of the machine does not shrink
/// with the limit, nor grow with it. At most half of the time is kept back.
fn less_overhead(time: Duration) -> Duration {
    let ms = |n: i32| Duration::from_millis(n as u64);
    let reserve = ms(P::time_overhead()) + (time / 50).min(ms(P::time_reserve()));
    time.saturating_sub(reserve.min(time / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(turn: Option<u64>, left: Option<u64>) -> Option<Budget> {
        let ms = |t: Option<u64>| t.map(Duration::from_millis);
        Budget::new(&Limits { turn: ms(turn), left: ms(left), ..Limits::default() })
    }

    #[test]
    fn never_above_any_limit() {
        assert_eq!(budget(None, None), None);
        for turn in [0, 1, 10, 100, 1000, 30_000, 300_000] {
            for left in [0, 1, 10, 100, 1000, 30_000, 1_000_000] {
                let b = budget(Some(turn), Some(left)).unwrap();
                assert!(b.hard.as_millis() <= u128::from(turn.min(left)));
                assert!(b.soft <= b.hard);
                assert!(b.stop_after(0, 1000) <= b.hard);
            }
        }
    }

    /// Time kept back for reading the command and writing the answer: 12 ms and a fiftieth of the limit (at most 100
    /// ms), but no more than half of a short limit.
    #[test]
    fn overhead_is_kept_back() {
        let ms = Duration::from_millis;
        for (turn, kept) in [(0, 0), (10, 5), (100, 14), (1000, 32), (5000, 112), (300_000, 112)] {
            let b = budget(Some(turn), None).unwrap();
            assert_eq!((b.hard, b.soft), (ms(turn - kept), ms(turn - kept)), "{turn}");
        }
        // For the rest of a game: the hard limit is a sixth, the soft limit a twenty-second.
        let b = budget(None, Some(66_000)).unwrap();
        assert_eq!((b.hard, b.soft), (ms(11_000 - 112), ms(3_000 - 72)));
        let b = budget(Some(1000), Some(66_000)).unwrap();
        assert_eq!((b.hard, b.soft), (ms(968), ms(968)));
    }

    #[test]
    fn time_that_cannot_be_saved_is_used() {
        let turn = budget(Some(1000), None).unwrap();
        assert_eq!(turn.stop_after(10, 0), turn.hard);
        let ample = budget(Some(1000), Some(100_000)).unwrap();
        assert_eq!(ample.stop_after(10, 0), ample.hard);
        let game = budget(Some(1000), Some(30_000)).unwrap();
        assert!(game.stop_after(10, 0) < game.hard);
    }

    #[test]
    fn an_unstable_move_or_a_falling_score_is_worth_more_time() {
        let game = budget(None, Some(30_000)).unwrap();
        let stable = [0, 1, 2, 4].map(|iterations| game.stop_after(iterations, 0));
        assert!(stable.is_sorted_by(|a, b| a > b), "{stable:?}");
        let falling = [0, 50, 100].map(|drop| game.stop_after(4, drop));
        assert!(falling.is_sorted_by(|a, b| a < b), "{falling:?}");
        assert_eq!(game.stop_after(4, -50), falling[0], "a rising score");
        assert_eq!(game.stop_after(4, 5000), falling[2], "no more than that");
        // An iteration takes longer than all before it, so that one which begins near the hard limit is lost.
        let short = budget(Some(1000), Some(30_000)).unwrap();
        assert!(short.stop_after(0, 1000) < short.hard);
    }

    #[test]
    fn an_increment_is_not_spent_before_it_comes() {
        let ms = Duration::from_millis;
        for left in [50, 200, 1000] {
            let limits = Limits { left: Some(ms(left)), increment: ms(1000), ..Limits::default() };
            assert!(Budget::new(&limits).unwrap().hard <= ms(left / 2), "{left}");
        }
    }

    #[test]
    fn a_period_of_byoyomi_is_used() {
        let ms = Duration::from_millis;
        let limits = |left: u64, increment: u64| {
            let (turn, left) = (Some(ms(5000)), Some(ms(left)));
            Limits { turn, left, increment: ms(increment), ..Limits::default() }
        };
        let byoyomi = Budget::new(&limits(5000, 5000)).unwrap();
        assert_eq!((byoyomi.hard, byoyomi.stop_after(10, 0)), (ms(4888), ms(4888)));
        // A time shorter than a period is not byo-yomi, and neither is an increment that does not replace the time
        // used.
        assert!(Budget::new(&limits(4000, 5000)).unwrap().hard <= ms(2000));
        assert!(Budget::new(&limits(5000, 4000)).unwrap().hard <= ms(2500));
    }

    #[test]
    fn the_longest_times_do_not_overflow() {
        let longest = Some(Duration::MAX);
        for (turn, left) in [(longest, None), (None, longest), (longest, longest)] {
            for increment in [Duration::ZERO, Duration::MAX] {
                let b = Budget::new(&Limits { turn, left, increment, ..Limits::default() }).unwrap();
                let day = Duration::from_secs(24 * 60 * 60);
                assert!(day < b.soft && b.soft <= b.hard && b.hard < Duration::MAX / 2, "{b:?}");
                assert!(day < b.stop_after(10, 0) && b.stop_after(0, 1000) <= b.hard, "{b:?}");
            }
        }
    }

    #[test]
    fn the_moves_of_a_whole_game_fit_into_its_time() {
        // 200 moves, each using its limit to the full, never use up the game's time.
        let mut left = Duration::from_secs(180);
        for _ in 0..200 {
            let b = Budget::new(&Limits {
                turn: Some(Duration::from_secs(30)),
                left: Some(left),
                ..Limits::default()
            });
            left = left.checked_sub(b.unwrap().hard).unwrap();
        }
    }
}
