//! Time controls of engines, and the clock of one side in one game. Pure: readings come from outside.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::timing::{Byoyomi, Control, LONGEST, SideClock, Timing};
use kagetsu::invalid::Invalid;

/// Milliseconds that stand for "no limit" in `INFO time_left`, as Piskvork sends them.
const UNLIMITED_LEFT_MS: i64 = 2_147_483_647;

/// Time limits of an engine in a game; `None` for no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time for each move.
    pub turn: Option<Duration>,
    /// Time for all moves of a game, or for those before the first control or byo-yomi.
    pub game: Option<Duration>,
    /// Added to the game's time after each move.
    pub increment: Duration,
    /// Added to the game's time after a number of moves, again and again.
    #[serde(default)]
    pub control: Option<Control>,
    /// Time for each move once the game's is used up.
    #[serde(default)]
    pub byoyomi: Option<Byoyomi>,
    /// Nodes for each move, by the extension key `max_node`.
    pub nodes: Option<u64>,
    /// Depth of each search, by the extension key `max_depth`.
    pub depth: Option<u32>,
    /// Time by which a move may exceed its limit. It is granted anew on every move against the limit of a turn. Against the
    /// time of a game it is granted once: what was used is missing from later moves.
    pub tolerance: Duration,
    /// Time after which an engine without a time limit counts as hung if it gives no move.
    pub patience: Duration,
    /// Time to answer START; there may be a network to load.
    pub startup: Duration,
}

impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl {
            turn: None,
            game: None,
            increment: Duration::ZERO,
            control: None,
            byoyomi: None,
            nodes: None,
            depth: None,
            tolerance: Duration::from_secs(1),
            patience: Duration::from_secs(120),
            startup: Duration::from_secs(10),
        }
    }
}

impl TimeControl {
    /// Returns the time of a game, unless only single moves are timed.
    pub fn timing(&self) -> Option<Timing> {
        Timing::of(self.game, self.increment, self.control, self.byoyomi)
    }

    /// Checks times that were read from a file.
    ///
    /// # Errors
    /// If flags could not have given them.
    pub fn check(&self) -> Result<(), Invalid> {
        let times = [self.turn.unwrap_or_default(), self.tolerance, self.patience, self.startup];
        let game = Timing {
            main: self.game.unwrap_or_default(),
            increment: self.increment,
            control: self.control,
            byoyomi: self.byoyomi,
        };
        if times.iter().any(|&time| time > LONGEST) || !game.is_possible() {
            return Err("a time of an engine: expected at most a day, and more than nothing for controls and byo-yomi".into());
        }
        Ok(())
    }

    /// Returns whether anything limits a move.
    pub fn is_limited(&self) -> bool {
        self.turn.is_some() || self.timing().is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The value of `INFO timeout_match`, the `time_left` of the first move; 0 is "no limit" there.
    pub fn game_ms(&self) -> u64 {
        self.timing().map_or(0, |timing| ms(SideClock::new(timing).read(Duration::ZERO).in_hand))
    }

    /// Returns the value of the extension key `time_increment`. A period of byo-yomi counts too: like an increment it
    /// returns for each move, although it cannot be saved.
    pub fn increment_ms(&self) -> u64 {
        ms(self.increment + self.byoyomi.map_or(Duration::ZERO, |byoyomi| byoyomi.time))
    }

    /// Returns all limits of a move in words; empty for no time limit.
    pub fn overtime(&self) -> String {
        let turn = self.turn.map(|turn| format!("{} s for each move", turn.as_secs_f64()));
        let rest = self.timing().map(|timing| timing.overtime()).filter(|text| !text.is_empty());
        turn.into_iter().chain(rest).collect::<Vec<_>>().join(", ")
    }
}

/// The time one side has left.
#[derive(Clone, Copy, Debug)]
pub struct GameClock {
    control: TimeControl,
    game: Option<SideClock>,
}

impl GameClock {
    /// A full clock.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock { control, game: control.timing().map(SideClock::new) }
    }

    /// Returns the value of `INFO time_left`: the time left until a period of byo-yomi or the game is lost, or until
    /// the next control point. With tolerance a side may have used more than its time; engines are then told zero.
    pub fn left_ms(&self) -> i64 {
        self.game.map_or(UNLIMITED_LEFT_MS, |game| ms(game.read(Duration::ZERO).in_hand) as i64)
    }

    /// Returns the value of `INFO timeout_turn`, in byo-yomi no more than a period. `None` if it should not be sent:
    /// without it all engines assume no limit, and zero means "at once" to most.
    pub fn turn_ms(&self) -> Option<u64> {
        let turn = self.control.turn;
        let Some(game) = &self.game else { return turn.map(ms) };
        let reading = game.read(Duration::ZERO);
        if reading.is_byoyomi() {
            return Some(ms(turn.unwrap_or(Duration::MAX).min(reading.in_hand)));
        }
        turn.map(ms).or(Some(self.control.game_ms()))
    }

    /// Time after which a move is late, tolerance included: the smaller of the turn's limit and what is left of the
    /// game, as the Gomocup judge counts. Tolerance that was used is missing from the game's time later on.
    pub fn allowed(&self) -> Duration {
        let tolerance = self.control.tolerance;
        let turn = self.control.turn.map(|turn| turn + tolerance);
        let game = self.game.map(|game| game.allowed(tolerance));
        match (turn, game) {
            (Some(turn), Some(game)) => turn.min(game),
            (Some(limit), None) | (None, Some(limit)) => limit,
            (None, None) => self.control.patience,
        }
    }

    /// Charges the time of a move that was made.
    pub fn charge(&mut self, elapsed: Duration) {
        if let Some(game) = &mut self.game {
            game.charge(elapsed);
            game.count_move();
        }
    }
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn the_smaller_limit_holds() {
        let control = TimeControl {
            turn: Some(ms(5000)),
            game: Some(ms(8000)),
            increment: ms(100),
            ..TimeControl::default()
        };
        let mut clock = GameClock::new(control);
        assert_eq!((clock.left_ms(), clock.allowed()), (8000, ms(6000)));
        clock.charge(ms(5500));
        assert_eq!((clock.left_ms(), clock.allowed()), (2600, ms(3600)));
        // Tolerance can be used once, not on every move.
        clock.charge(ms(3500));
        assert_eq!((clock.left_ms(), clock.allowed()), (0, ms(200)));
    }

    #[test]
    fn no_limit_is_said_in_the_managers_way() {
        let control = TimeControl { nodes: Some(1000), patience: ms(7), ..TimeControl::default() };
        let clock = GameClock::new(control);
        assert_eq!((clock.turn_ms(), control.game_ms()), (None, 0));
        assert_eq!((clock.left_ms(), clock.allowed()), (UNLIMITED_LEFT_MS, ms(7)));
        let control = TimeControl { game: Some(ms(60_000)), ..control };
        assert_eq!((GameClock::new(control).turn_ms(), control.game_ms()), (Some(60_000), 60_000));
    }

    /// Returns the times that a clock reports to engines.
    fn told(clock: &GameClock) -> (Option<u64>, i64, Duration) {
        (clock.turn_ms(), clock.left_ms(), clock.allowed())
    }

    #[test]
    fn byoyomi_is_told_as_a_limit_of_each_move() {
        let byoyomi = "2x3s".parse().ok();
        let control = TimeControl { game: Some(ms(10_000)), byoyomi, ..TimeControl::default() };
        assert_eq!((control.game_ms(), control.increment_ms()), (13_000, 3000));
        let mut clock = GameClock::new(control);
        assert_eq!(told(&clock), (Some(13_000), 13_000, ms(17_000)));
        clock.charge(ms(8000));
        assert_eq!(told(&clock), (Some(13_000), 5000, ms(9000)));
        clock.charge(ms(4000));
        assert_eq!(told(&clock), (Some(3000), 3000, ms(7000)), "byo-yomi, both periods left");
        clock.charge(ms(3500));
        assert_eq!(told(&clock), (Some(3000), 3000, ms(4000)), "the last period");
        let shorter = GameClock::new(TimeControl { game: None, turn: Some(ms(1000)), ..control });
        assert_eq!(told(&shorter), (Some(1000), 3000, ms(2000)), "byo-yomi from the start");
    }

    #[test]
    fn controls_give_the_time_to_the_next_one() {
        let control = TimeControl { control: "2/10s".parse().ok(), ..TimeControl::default() };
        assert_eq!((control.game_ms(), control.is_limited()), (10_000, true));
        let mut clock = GameClock::new(control);
        clock.charge(ms(4000));
        assert_eq!(told(&clock), (Some(10_000), 6000, ms(7000)));
        clock.charge(ms(5000));
        assert_eq!(clock.left_ms(), 11_000);
    }

    #[test]
    fn times_are_told_in_words() {
        let control = TimeControl { turn: Some(ms(500)), game: Some(ms(60_000)), ..TimeControl::default() };
        assert_eq!(control.overtime(), "0.5 s for each move");
        let byoyomi = TimeControl { byoyomi: "3x30s".parse().ok(), ..control };
        assert_eq!(byoyomi.overtime(), "0.5 s for each move, 3x30 s byo-yomi");
        assert_eq!(TimeControl::default().overtime(), "");
    }
}
