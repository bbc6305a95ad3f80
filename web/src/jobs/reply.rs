//! The engine as a player: its moves.

use anyhow::{Context as _, Result};

use super::{limits, ms_since};
use crate::desk::{Job, Progress, Turn};
use crate::resources::Resources;
use crate::schema::{Tell, board};
use kagetsu::clock::Clock;
use kagetsu::engine::{Options, agreement};
use kagetsu::game::{Board, Endings, Position, RuleKind};
use kagetsu::search::{Context, Score, Source};
use kagetsu::with_rule;

/// A move to find.
pub struct MoveJob {
    /// The position; the game must not be over.
    pub position: Position,
    /// The rule.
    pub rule: RuleKind,
    /// Ends of a game besides a row, a foul and a full board.
    pub endings: Endings,
    /// Strength, 0 to 100.
    pub level: u8,
    /// The engine's time.
    pub clock: board::Clock,
    /// Seed of the random choices among moves.
    pub seed: u64,
}

impl Job for MoveJob {
    fn run(&mut self, resources: &mut Resources, turn: &Turn<'_>) -> Result<Progress> {
        let began = resources.clock.now();
        let (may_pass, only_fouls) = with_rule!(self.rule, R => {
            let board = Board::<R>::from_position(&self.position)?;
            (board.may_pass(&self.endings), board.has_only_fouls())
        });
        let moved = |turn: String, ms| Tell::Moved { turn, win_rate: None, mate: None, book: false, ms };
        if may_pass && only_fouls {
            turn.outlet.tell(moved("pass".into(), ms_since(resources, began)));
            return Ok(Progress::Ended);
        }
        let limits = limits(resources, self.clock);
        let options = Options { rule: self.rule, level: self.level, seed: self.seed, ..Options::default() };
        let (engine, clock) = resources.player(self.level, options);
        engine.set_position(self.position.clone());
        let context = Context { clock, start: began, stop: turn.stop };
        let found = engine.go(&limits, &context, &mut |_| {});
        let (p, report) = found.context("there is no point left to play")?;
        let score =
            report.lines.first().map(|line| line.score).filter(|_| report.source != Source::Evaluation);
        let ms = ms_since(resources, began);
        let passes = may_pass && agreement::passes_for_draw(&self.position, &self.endings, &report);
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::desk::Desk;
    use crate::outlet::{Outlet, Queue};
    use kagetsu::game::{EndSet, Size, notation};

    const GAMES: [&str; 6] = ["h8", "h8h9", "h8h9i9", "h8i9g9", "h8g7i7i9", "h8h9j9g7i7"];

    #[test]
    fn a_level_below_full_strength_learns_nothing_from_other_jobs() {
        let desk = Desk::new(1, 16 << 20).unwrap();
        let (client, (out, mut answers)) = (desk.client(), Queue::of_length(64));
        let mut id = 0;
        let mut moved = |moves: &str, level: u8, ms: u32| {
            id += 1;
            let rule = RuleKind::Freestyle;
            let position = notation::parse(moves, Some(Size::S15)).unwrap();
            let endings = EndSet::Plain.endings(rule);
            let clock = board::Clock::Move { ms };
            let job = MoveJob { position, rule, endings, level, clock, seed: 7 };
            desk.submit(&client, Box::new(job), Outlet::new(id, out.clone())).unwrap();
            loop {
                match answers.blocking_recv().unwrap().tell {
                    Tell::Moved { turn, .. } => return turn,
                    Tell::Queued { .. } => {}
                    other => unreachable!("{other:?}"),
                }
            }
        };
        let weak = |moved: &mut dyn FnMut(&str, u8, u32) -> String| GAMES.map(|game| moved(game, 30, 60_000));
        let first = weak(&mut moved);
        for game in GAMES {
            moved(game, 100, 300);
        }
        assert_eq!(weak(&mut moved), first);
    }
}
