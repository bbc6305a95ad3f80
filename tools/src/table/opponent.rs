//! The engine as an opponent of a certain level, and as a helper that gives hints.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::adviser::decide;
use super::session::Session;
use crate::study::{self, Question, Study, StudyError};
use crate::timing::Reading;
use kagetsu::book::Shelf;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::decide::Decision;
use kagetsu::engine::agreement::{self, Expectations};
use kagetsu::engine::{Engine, Options};
use kagetsu::game::regulation::{Action, Opening};
use kagetsu::search::{Context, Limits, Report, Source};

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
    /// Expected scores of the game so far.
    pub expectations: Expectations,
}

impl Opponent {
    /// An opponent of a level, up to [`FULL`](kagetsu::engine::skill::FULL).
    pub fn new(level: u8, seed: u64, threads: usize, hash: u64) -> Opponent {
        Opponent { engine: Engine::new(), level, seed, threads, hash, expectations: Expectations::default() }
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

    /// Returns the engine's limits for a move with these clocks. A period of byo-yomi returns after each move, like an
    /// increment.
    fn limits(&self, session: &Session, clock: Option<[Reading; 2]>) -> Limits {
        let limits = Limits { threads: self.threads, ..Limits::default() };
        let Some((clock, timing)) = clock.zip(session.timing()) else {
            return Limits { turn: Some(MOVE_TIME), ..limits };
        };
        let reading = clock[session.actor().index()];
        let period = timing.byoyomi.map_or(Duration::ZERO, |byoyomi| byoyomi.time);
        Limits {
            turn: reading.is_byoyomi().then_some(reading.in_hand),
            left: Some(reading.in_hand),
            increment: timing.increment + period,
            ..limits
        }
    }

    /// Returns the engine's action; `stop` makes it finish soon.
    pub fn reply(
        &mut self,
        session: &Session,
        clock: Option<[Reading; 2]>,
        stop: &AtomicBool,
    ) -> Option<Action> {
        let limits = self.limits(session, clock);
        match session.opening() {
            Some(opening) => self.decide(opening, session, &limits, stop).map(|decision| decision.action),
            None => self.play(session, &limits, stop),
        }
    }

    fn set_options(&mut self, session: &Session) {
        self.engine.set_options(Options {
            rule: session.rule(),
            hash: Some(self.hash),
            level: self.level,
            seed: self.seed,
            ..*self.engine.options()
        });
    }

    /// A step of the opening.
    fn decide(
        &mut self,
        opening: &Opening,
        session: &Session,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Option<Decision> {
        self.set_options(session);
        decide(&mut self.engine, limits, opening, stop)
    }

    /// A move after the opening.
    fn play(&mut self, session: &Session, limits: &Limits, stop: &AtomicBool) -> Option<Action> {
        let may_pass = session.may_pass();
        if may_pass && session.has_only_fouls() {
            return Some(Action::Pass);
        }
        self.set_options(session);
        self.engine.set_position(session.position().clone());
        let clock = SystemClock::new();
        let context = Context { clock: &clock, start: clock.now(), stop };
        let (p, report) = self.engine.go(limits, &context, &mut |_| {})?;
        self.remember(session, &report);
        let passes = may_pass && agreement::passes_for_draw(session.position(), session.endings(), &report);
        Some(if passes { Action::Pass } else { Action::place([p]) })
    }

    fn remember(&mut self, session: &Session, report: &Report) {
        if let Some(line) = report.lines.first().filter(|_| report.source == Source::Search) {
            self.expectations.add(line.score.win_rate(session.rule()));
        }
    }

    /// Returns the engine's advice, at full strength, at a step of an opening.
    pub fn advice(&mut self, session: &Session, opening: &Opening, stop: &AtomicBool) -> Option<Decision> {
        let limits = Limits { turn: Some(HINT_TIME), threads: self.threads, ..Limits::default() };
        let mut engine = Engine::new();
        let options = Options { rule: session.rule(), hash: Some(self.hash), ..*engine.options() };
        engine.set_options(options);
        decide(&mut engine, &limits, opening, stop)
    }

    /// Returns the engine's move, at full strength, for the side to move.
    ///
    /// # Errors
    /// If no point is left.
    pub fn hint(&mut self, session: &Session, stop: &AtomicBool) -> Result<Study, StudyError> {
        let limits = Limits { turn: Some(HINT_TIME), threads: self.threads, ..Limits::default() };
        let position = session.position().clone();
        let question = Question { position, rule: session.rule(), limits, hash: self.hash };
        // An engine of its own for hints: the opponent must not learn from them.
        study::study(&mut Engine::new(), &question, stop, &mut |_| {})
    }
}

#[cfg(test)]
mod tests {
    use super::super::session::Terms;
    use super::*;
    use crate::timing::Timing;
    use kagetsu::game::{Color, Position, RuleKind, Size};

    #[test]
    fn clocks_limit_time() {
        let s = Duration::from_secs;
        let opponent = Opponent::new(50, 0, 1, 1 << 20);
        let limits = |timing: Option<Timing>, used: u64| {
            let terms = Terms { timing, ..Terms::of(RuleKind::Renju) };
            let session = Session::new(terms, Position::new(Size::S15), Color::White, s(0));
            let limits = opponent.limits(&session, session.clock(s(used)));
            (limits.turn, limits.left, limits.increment)
        };
        assert_eq!(limits(None, 1), (Some(MOVE_TIME), None, s(0)));
        let timing = Timing { main: s(9), increment: s(1), ..Timing::default() };
        assert_eq!(limits(Some(timing), 2), (None, Some(s(7)), s(1)));
        let byoyomi = Timing { byoyomi: "2x5s".parse().ok(), ..timing };
        assert_eq!(limits(Some(byoyomi), 2), (None, Some(s(12)), s(6)));
        assert_eq!(limits(Some(byoyomi), 10), (Some(s(4)), Some(s(4)), s(6)));
    }

    #[test]
    fn the_engine_answers_at_every_level() {
        let session =
            Session::new(Terms::of(RuleKind::Renju), Position::new(Size::S15), Color::White, Duration::ZERO);
        for level in [0, 30] {
            let mut opponent = Opponent::new(level, 0, 1, 4 << 20);
            let reply = opponent.reply(&session, None, &AtomicBool::new(false)).unwrap();
            let mut session = Session::new(
                Terms::of(RuleKind::Renju),
                Position::new(Size::S15),
                Color::White,
                Duration::ZERO,
            );
            session.act(&reply, Duration::ZERO).unwrap();
        }
    }
}
