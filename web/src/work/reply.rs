//! The engine as a player: its moves.

use anyhow::{Context as _, Result};

use super::{limits, ms_since};
use crate::desk::{Bench, Progress, Turn, Work};
use crate::schema::{Tell, board};
use kagetsu::clock::Clock;
use kagetsu::engine::Options;
use kagetsu::game::{Board, Endings, Move, Position, RuleKind};
use kagetsu::search::{Context, Score, Source};
use kagetsu::with_rule;

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

/// Sets the engine's options. The hash size is the same as for an analysis, because a change of size would clear the
/// tables.
pub fn prepare(bench: &mut Bench, options: Options) {
    bench.engine.set_options(Options { hash: Some(bench.hash / 4 * 3), ..options });
}
