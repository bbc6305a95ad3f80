//! The clocks of both colours. The client may set them with `time_left`. In between, and if it never does,
//! the session subtracts its own thinking time.

use std::time::Duration;

use kagetsu::game::Color;

/// Number of moves among which the rest of the main time is divided.
const MOVES_TO_GO: u32 = 30;

/// The clock of one colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Left {
    pub time: Duration,
    /// Stones to play in that time; 0 means the rest of the game, or until byo-yomi.
    pub stones: u32,
}

/// The settings of a game, and the time that is left.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    /// The clock of each side at the start of a game; `None` without a limit.
    start: Option<Left>,
    /// Byo-yomi: a time for a number of stones, again and again, once the main time is used up.
    period: Option<Left>,
    /// The clocks of Black and White now; `None` without a limit.
    left: Option<[Left; 2]>,
}

impl Clocks {
    /// Sets the main time and byo-yomi. Zero for both, or byo-yomi for zero stones, means no limit.
    pub fn set(&mut self, main: Duration, period: Left) {
        let is_unlimited = !period.time.is_zero() && period.stones == 0;
        self.period = Some(period).filter(|period| !period.time.is_zero() && period.stones > 0);
        let first = Some(Left { time: main, stones: 0 }).filter(|main| !main.time.is_zero());
        self.start = first.or(self.period).filter(|_| !is_unlimited);
        self.begin();
    }

    /// Begins a game with the same settings.
    pub fn begin(&mut self) {
        self.left = self.start.map(|start| [start; 2]);
    }

    /// Takes over the time that the client says is left.
    pub fn tell(&mut self, color: Color, left: Left) {
        self.left.get_or_insert([left; 2])[color.index()] = left;
    }

    /// Returns the time for a move; `None` without a clock.
    pub fn share(&self, color: Color) -> Option<Duration> {
        let left = self.left?[color.index()];
        Some(match left.stones {
            0 => left.time / MOVES_TO_GO,
            stones => left.time / stones.saturating_add(1),
        })
    }

    /// Takes the time of a move off the clock of its side.
    pub fn spend(&mut self, color: Color, used: Duration) {
        let Some(left) = self.left.as_mut().map(|left| &mut left[color.index()]) else { return };
        let is_main = left.stones == 0;
        left.time = left.time.saturating_sub(used);
        left.stones = left.stones.saturating_sub(1);
        let is_used_up = if is_main { left.time.is_zero() } else { left.stones == 0 };
        if let Some(period) = self.period.filter(|_| is_used_up) {
            *left = period;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clocks(main: u32, time: u32, stones: u32) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.set(SECOND * main, Left { time: SECOND * time, stones });
        clocks
    }

    #[test]
    fn the_main_time_lasts_for_any_number_of_moves() {
        let mut clocks = clocks(600, 0, 0);
        let mut used = Duration::ZERO;
        for _ in 0..200 {
            let share = clocks.share(Color::Black).unwrap();
            used += share;
            clocks.spend(Color::Black, share);
        }
        assert!(used < SECOND * 600 && used > SECOND * 590, "{used:?}");
        assert_eq!(clocks.share(Color::White), Some(SECOND * 20));
        clocks.begin();
        assert_eq!(clocks.share(Color::Black), Some(SECOND * 20));
    }

    #[test]
    fn byo_yomi_follows_the_main_time_and_itself() {
        let mut clocks = clocks(10, 30, 2);
        clocks.spend(Color::White, SECOND * 11);
        for _ in 0..3 {
            assert_eq!(clocks.share(Color::White), Some(SECOND * 10));
            clocks.spend(Color::White, SECOND * 6);
            assert_eq!(clocks.share(Color::White), Some(SECOND * 12));
            clocks.spend(Color::White, SECOND * 6);
        }
        assert_eq!(clocks.share(Color::Black), Some(SECOND * 10 / MOVES_TO_GO));
    }

    #[test]
    fn the_clocks_of_the_client_count() {
        let mut clocks = clocks(0, 0, 0);
        assert_eq!(clocks.share(Color::Black), None);
        clocks.spend(Color::Black, SECOND);
        clocks.tell(Color::Black, Left { time: SECOND * 30, stones: 0 });
        assert_eq!(clocks.share(Color::Black), Some(SECOND));
        assert_eq!(self::clocks(5, 5, 0).share(Color::Black), None, "byo-yomi for no stones");
        assert_eq!(self::clocks(0, 20, 1).share(Color::Black), Some(SECOND * 10));
    }
}
