//! Time management: how long to think about a move.

use std::time::Duration;

use super::limits::Limits;

/// Kept back for reading the command, finishing a node and writing the answer.
const OVERHEAD: Duration = Duration::from_millis(12);
/// Of long times no more is kept back than this besides.
const MOST_RESERVED: Duration = Duration::from_millis(100);
/// Moves for which the rest of a game's time is shared out.
const HORIZON: u32 = 22;
/// A move may use this part of the game's remaining time at most.
const LARGEST_PART: u32 = 6;
/// Where the rest of a game's time lasts for so many moves that all use their limit, none needs to save any.
const AMPLE: u32 = 40;

/// The two times of one move, counted from its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration begins after this, scaled by how settled the best move is.
    pub target: Duration,
    /// The search is cut off here.
    pub limit: Duration,
    /// Whether what a move leaves can be used by a later one: with a limit for each move alone, or one that the game's time
    /// will hardly come short of, it cannot.
    saves: bool,
}

impl Budget {
    /// The budget for these limits; `None` when time is not limited.
    pub fn new(limits: &Limits) -> Option<Budget> {
        let increment = limits.increment.saturating_mul(3) / 4;
        // What comes after a move does not help during it.
        let share = |left: Duration| (left / LARGEST_PART).saturating_add(increment).min(left / 2);
        let cap = match (limits.turn, limits.left) {
            (None, None) => return None,
            (Some(turn), None) => turn,
            (None, Some(left)) => share(left),
            (Some(turn), Some(left)) => turn.min(share(left)),
        };
        let limit = less_overhead(cap);
        let target = match limits.left {
            Some(left) => {
                let even = (left / HORIZON).saturating_add(increment);
                less_overhead(even).min(limit)
            }
            None => limit,
        };
        let ample = limits
            .turn
            .zip(limits.left)
            .is_some_and(|(turn, left)| turn.saturating_sub(limits.increment).saturating_mul(AMPLE) <= left);
        Some(Budget { target, limit, saves: limits.left.is_some() && !ample })
    }

    /// When to begin no further iteration: an iteration takes longer than all before it, so one that cannot end is
    /// better not begun, unless the best move has just changed or the time is lost if it is not used.
    pub fn soft_limit(&self, stable_iterations: u32, score_drop: i32) -> Duration {
        if !self.saves {
            return self.limit;
        }
        let settled = match stable_iterations {
            0 => 130,
            1 => 100,
            2..=3 => 80,
            _ => 65,
        };
        let worry = 100 + score_drop.clamp(0, 100) as u32 / 2;
        self.target.mul_f64(f64::from(settled * worry) / 10_000.0).min(self.limit.mul_f64(0.75))
    }
}

/// Short times keep back proportionally more: a delay of the machine does not shrink with the limit, nor grow with it.
fn less_overhead(time: Duration) -> Duration {
    let reserve = OVERHEAD + (time / 50).min(MOST_RESERVED);
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
                assert!(b.limit.as_millis() <= u128::from(turn.min(left)));
                assert!(b.target <= b.limit);
                assert!(b.soft_limit(0, 1000) <= b.limit);
            }
        }
    }

    /// Reading the command and writing the answer take time too: 12 ms and a fiftieth, the fiftieth no more than 100 ms,
    /// and of the shortest times half.
    #[test]
    fn something_is_kept_back_for_the_way() {
        let ms = Duration::from_millis;
        for (turn, kept) in [(0, 0), (10, 5), (100, 14), (1000, 32), (5000, 112), (300_000, 112)] {
            let b = budget(Some(turn), None).unwrap();
            assert_eq!((b.limit, b.target), (ms(turn - kept), ms(turn - kept)), "{turn}");
        }
        // Of the rest of a game: a sixth at most, and a twenty-second as the target.
        let b = budget(None, Some(66_000)).unwrap();
        assert_eq!((b.limit, b.target), (ms(11_000 - 112), ms(3_000 - 72)));
        let b = budget(Some(1000), Some(66_000)).unwrap();
        assert_eq!((b.limit, b.target), (ms(968), ms(968)));
    }

    #[test]
    fn time_that_cannot_be_saved_is_used() {
        let turn = budget(Some(1000), None).unwrap();
        assert_eq!(turn.soft_limit(10, 0), turn.limit);
        let ample = budget(Some(1000), Some(100_000)).unwrap();
        assert_eq!(ample.soft_limit(10, 0), ample.limit);
        let game = budget(Some(1000), Some(30_000)).unwrap();
        assert!(game.soft_limit(10, 0) < game.limit);
    }

    #[test]
    fn an_increment_is_not_spent_before_it_comes() {
        let ms = Duration::from_millis;
        for left in [50, 200, 1000] {
            let limits = Limits { left: Some(ms(left)), increment: ms(1000), ..Limits::default() };
            assert!(Budget::new(&limits).unwrap().limit <= ms(left / 2), "{left}");
        }
    }

    #[test]
    fn a_whole_game_fits() {
        // 200 moves, each using its limit to the full, never use up the game's time.
        let mut left = Duration::from_secs(180);
        for _ in 0..200 {
            let b = Budget::new(&Limits {
                turn: Some(Duration::from_secs(30)),
                left: Some(left),
                ..Limits::default()
            });
            left = left.checked_sub(b.unwrap().limit).unwrap();
        }
    }
}
