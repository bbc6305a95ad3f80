//! The engine as an opponent of a certain level, and as a helper that gives hints.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;

use super::session::{GameClock, Session};
use crate::book::Shelf;
use crate::cli::study::{self, Question, Study};
use crate::clock::{Clock, SystemClock};
use crate::engine::{Engine, Options};
use crate::game::{Color, Point};
use crate::search::{Context, Limits};

/// Time for a move in a game without clocks.
const MOVE_TIME: Duration = Duration::from_secs(5);
/// Time for a hint.
const HINT_TIME: Duration = Duration::from_secs(2);

/// The engine at play.
pub struct Opponent {
    engine: Engine,
    level: u8,
    seed: u64,
    threads: usize,
    hash: u64,
}

impl Opponent {
    /// An opponent of a level of [`super::command::LEVELS`].
    pub fn new(level: u8, seed: u64, threads: usize, hash: u64) -> Opponent {
        Opponent { engine: Engine::new(), level, seed, threads, hash }
    }

    /// The same with an opening book.
    pub fn with_book(mut self, shelf: Shelf) -> Opponent {
        self.engine.set_shelf(shelf);
        self
    }

    /// The level.
    pub fn level(&self) -> u8 {
        self.level
    }

    /// Changes the level.
    pub fn set_level(&mut self, level: u8) {
        self.level = level;
    }

    /// What the engine may use for a move with these clocks.
    fn limits(&self, side: Color, clock: Option<GameClock>) -> Limits {
        let limits = Limits { threads: self.threads, ..Limits::default() };
        match clock {
            None => Limits { turn: Some(MOVE_TIME), ..limits },
            Some(clock) => {
                Limits { left: Some(clock.left[side.index()]), increment: clock.increment, ..limits }
            }
        }
    }

    /// The engine's move; `stop` makes it move soon.
    pub fn reply(&mut self, session: &Session, clock: Option<GameClock>, stop: &AtomicBool) -> Option<Point> {
        let position = session.position().clone();
        let limits = self.limits(position.side(), clock);
        self.engine.set_options(Options {
            rule: session.rule(),
            hash: Some(self.hash),
            level: self.level,
            seed: self.seed,
            ..*self.engine.options()
        });
        self.engine.set_position(position);
        let clock = SystemClock::new();
        let context = Context { clock: &clock, start: clock.now(), stop };
        self.engine.go(&limits, &context, &mut |_| {}).map(|(p, _)| p)
    }

    /// What the engine at its full strength would play for the side to move.
    ///
    /// # Errors
    /// If there is no point left.
    pub fn hint(&mut self, session: &Session, stop: &AtomicBool) -> Result<Study> {
        let limits = Limits { turn: Some(HINT_TIME), threads: self.threads, ..Limits::default() };
        let position = session.position().clone();
        let question = Question { position, rule: session.rule(), limits, hash: self.hash };
        // An engine of its own: the opponent does not learn from what it tells.
        study::study(&mut Engine::new(), &question, stop, &mut |_| {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, RuleKind, Size};

    #[test]
    fn clocks_limit_time() {
        let clock =
            GameClock { left: [Duration::from_secs(9), Duration::from_secs(7)], increment: Duration::ZERO };
        let opponent = Opponent::new(50, 0, 1, 1 << 20);
        let limits = opponent.limits(Color::White, Some(clock));
        assert_eq!((limits.turn, limits.left), (None, Some(Duration::from_secs(7))));
        assert_eq!(opponent.limits(Color::White, None).turn, Some(MOVE_TIME));
    }

    #[test]
    fn the_engine_answers_at_every_level() {
        let session =
            Session::new(RuleKind::Renju, Position::new(Size::S15), Color::White, None, Duration::ZERO);
        for level in [0, 30] {
            let mut opponent = Opponent::new(level, 0, 1, 4 << 20);
            let p = opponent.reply(&session, None, &AtomicBool::new(false)).unwrap();
            assert!(session.position().is_free(p));
        }
    }
}
