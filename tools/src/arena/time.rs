//! Time controls, and the clock of one side in one game. Pure: readings come from outside.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Milliseconds that stand for "no limit" in `INFO time_left`, as Piskvork sends them.
const UNLIMITED_LEFT_MS: i64 = 2_147_483_647;

/// What an engine may use in a game. `None` is "no limit".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time for each move.
    pub turn: Option<Duration>,
    /// Time for all moves of a game.
    pub game: Option<Duration>,
    /// Added to the game's time after each move.
    pub increment: Duration,
    /// Nodes for each move, by the extension key `max_node`.
    pub nodes: Option<u64>,
    /// Depth of each search, by the extension key `max_depth`.
    pub depth: Option<u32>,
    /// Lateness that is forgiven, on every move.
    pub tolerance: Duration,
    /// Without any time limit, an engine that gives no move for so long has hung.
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
            nodes: None,
            depth: None,
            tolerance: Duration::from_secs(1),
            patience: Duration::from_secs(120),
            startup: Duration::from_secs(10),
        }
    }
}

impl TimeControl {
    /// The value of `INFO timeout_turn`; `None` if it is better not sent: no value means "no limit" to all engines, zero
    /// means "at once" to most.
    pub fn turn_ms(&self) -> Option<u64> {
        self.turn.or(self.game).map(|t| t.as_millis() as u64)
    }

    /// Whether anything limits a move.
    pub fn is_limited(&self) -> bool {
        self.turn.is_some() || self.game.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The value of `INFO timeout_match`; 0 is "no limit" there.
    pub fn game_ms(&self) -> u64 {
        self.game.map_or(0, |t| t.as_millis() as u64)
    }
}

/// The time one side has left.
#[derive(Clone, Copy, Debug)]
pub struct GameClock {
    control: TimeControl,
    used: Duration,
    gained: Duration,
}

impl GameClock {
    /// A full clock.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock { control, used: Duration::ZERO, gained: Duration::ZERO }
    }

    /// The value of `INFO time_left`. Tolerance may have been used up to below zero; engines are told zero then.
    pub fn left_ms(&self) -> i64 {
        self.control.game.map_or(UNLIMITED_LEFT_MS, |game| {
            (game + self.gained).saturating_sub(self.used).as_millis() as i64
        })
    }

    /// Time after which a move is late, tolerance included: the smaller of the turn's limit and what is left of the
    /// game, as the Gomocup judge counts. Tolerance that was used is missing from the game's time later on.
    pub fn allowed(&self) -> Duration {
        let tolerance = self.control.tolerance;
        let turn = self.control.turn.map(|turn| turn + tolerance);
        let game = self.control.game.map(|game| (game + self.gained + tolerance).saturating_sub(self.used));
        match (turn, game) {
            (Some(turn), Some(game)) => turn.min(game),
            (Some(limit), None) | (None, Some(limit)) => limit,
            (None, None) => self.control.patience,
        }
    }

    /// Charges the time of a move that was made.
    pub fn charge(&mut self, elapsed: Duration) {
        self.used += elapsed;
        self.gained += self.control.increment;
    }
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
        assert_eq!((control.turn_ms(), control.game_ms()), (None, 0));
        let clock = GameClock::new(control);
        assert_eq!((clock.left_ms(), clock.allowed()), (UNLIMITED_LEFT_MS, ms(7)));
        let control = TimeControl { game: Some(ms(60_000)), ..control };
        assert_eq!((control.turn_ms(), control.game_ms()), (Some(60_000), 60_000));
    }
}
