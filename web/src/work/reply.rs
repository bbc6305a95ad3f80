//! The engine as a player: its moves, and whether it takes a draw.

use std::time::Duration;

use anyhow::{Context as _, Result};

use super::{limits, ms_since};
use crate::desk::{Bench, Progress, Turn, Work};
use crate::schema::{Tell, board};
use kagetsu::clock::Clock;
use kagetsu::engine::Options;
use kagetsu::game::{Board, Color, Endings, Move, Position, RuleKind};
use kagetsu::search::{Context, Limits, Score, Source};
use kagetsu::with_rule;

/// The engine takes a draw when its expected share of the points is no more than this.
const DRAWISH: f64 = 0.5;
/// Time to think about a draw.
const DRAW_TIME: Duration = Duration::from_secs(1);

/// A move to find.
pub struct MoveWork {
    /// The position; the game must not be over.
    pub position: Position,
    /// The rule.
    pub rule: RuleKind,
    /// How games end.
    pub endings: Endings,
    /// Strength, 0 to 100.
    pub level: u8,
    /// The engine's time.
    pub clock: board::Clock,
    /// Seed of the random choices among moves.
    pub seed: u64,
}

impl Work for MoveWork {
    fn run(&mut self, bench: &mut Bench, turn: &Turn<'_>) -> Result<Progress> {
        let began = bench.clock.now();
        let (may_pass, only_fouls) = with_rule!(self.rule, R => {
            let board = Board::<R>::from_position(&self.position)?;
            (board.may_pass(&self.endings), board.has_only_fouls())
        });
        let moved = |turn: String, ms| Tell::Moved { turn, win_rate: None, mate: None, book: false, ms };
        if may_pass && only_fouls {
            turn.outlet.tell(moved("pass".into(), ms_since(bench, began)));
            return Ok(Progress::Ended);
        }
        let limits = limits(bench, self.clock);
        prepare(bench, Options { rule: self.rule, level: self.level, seed: self.seed, ..Options::default() });
        bench.engine.set_position(self.position.clone());
        let context = Context { clock: &bench.clock, start: began, stop: turn.stop };
        let found = bench.engine.go(&limits, &context, &mut |_| {});
        let (p, report) = found.context("there is no point left to play")?;
        let score =
            report.lines.first().map(|line| line.score).filter(|_| report.source != Source::Evaluation);
        let ms = ms_since(bench, began);
        // A second pass ends the game as a draw, which is better than losing.
        let was_passed = self.position.moves().last() == Some(&Move::Pass);
        let passes =
            may_pass && self.endings.two_passes && was_passed && score.is_some_and(|score| score < Score(0));
        turn.outlet.tell(if passes {
            moved("pass".into(), ms)
        } else {
            Tell::Moved {
                turn: p.to_string(),
                win_rate: score.map(|score| score.win_rate(self.rule)),
                mate: score.and_then(Score::mate),
                book: report.source == Source::Book,
                ms,
            }
        });
        Ok(Progress::Ended)
    }
}

/// A draw offered to the engine.
pub struct DrawWork {
    /// The position.
    pub position: Position,
    /// The rule.
    pub rule: RuleKind,
    /// The engine's colour.
    pub engine: Color,
}

impl Work for DrawWork {
    fn run(&mut self, bench: &mut Bench, turn: &Turn<'_>) -> Result<Progress> {
        let limits = Limits { turn: Some(DRAW_TIME), threads: bench.threads, ..Limits::default() };
        prepare(bench, Options { rule: self.rule, book: false, ..Options::default() });
        bench.engine.set_position(self.position.clone());
        let context = Context { clock: &bench.clock, start: bench.clock.now(), stop: turn.stop };
        let (_, report) =
            bench.engine.go(&limits, &context, &mut |_| {}).context("there is no point left to play")?;
        let rate = report.lines.first().map_or(0.5, |line| line.score.win_rate(self.rule));
        let own = if self.position.side() == self.engine { rate } else { 1.0 - rate };
        turn.outlet.tell(Tell::Draw { accepted: own <= DRAWISH });
        Ok(Progress::Ended)
    }
}

/// Sets the engine's options. The hash size is the same as for an analysis, because a change of size would clear the
/// tables.
pub fn prepare(bench: &mut Bench, options: Options) {
    bench.engine.set_options(Options { hash: Some(bench.hash / 4 * 3), ..options });
}
