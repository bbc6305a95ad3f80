//! Answers to requests: at once, or as a job for the engine.

mod agreement;
pub mod convert;
mod explanation;
mod facts;
pub mod files;
pub mod judgements;
mod library;
mod opening;
mod picture;
mod puzzles;

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::desk::Job;
use crate::jobs::analysis::Analysis;
use crate::jobs::annotation::AnnotationJob;
use crate::jobs::decision::DecisionJob;
use crate::jobs::reply::MoveJob;
use crate::jobs::solution::SolveJob;
use crate::jobs::trial::TrialJob;
use crate::limits;
use crate::schema::tell::{Loaded, Welcome};
use crate::schema::{Ask, Tell, VERSION, board};
use crate::shared::Options;
use kagetsu::engine::skill::FULL;
use kagetsu::game::{Board, Endings, Position, RuleKind};
use kagetsu::search::Limits;
use kagetsu::with_rule;
use kagetsu_tools::record::Format;
use kagetsu_tools::review::Request;
use kagetsu_tools::study::wins::WinQuestion;

/// Largest number of lines of an analysis.
const LINES: u8 = 20;

/// Outcome of a request.
pub enum Answer {
    /// It is answered.
    Now(Box<Tell>),
    /// The engine is needed.
    Job(Box<dyn Job>),
}

/// The first message to a page.
pub fn welcome(options: &Options, start: String) -> Welcome {
    let opened = options.game.as_ref().map(|(name, game)| Loaded {
        name: name.clone(),
        format: String::new(),
        games: Vec::new(),
        more: false,
        left_out: Vec::new(),
        number: 0,
        game: convert::game(game),
    });
    Welcome {
        version: VERSION,
        program: env!("CARGO_PKG_VERSION").into(),
        threads: u32::try_from(options.threads).unwrap_or(u32::MAX),
        formats: Format::NAMES.map(String::from).into(),
        regulations: opening::catalogue(),
        longest: limits::MESSAGE as u32,
        opened,
        start,
    }
}

/// Answers a request.
///
/// # Errors
/// If the request cannot be answered; the error says why, for the user.
pub fn answer(ask: Ask) -> Result<Answer> {
    let now = |tell: Tell| Ok(Answer::Now(Box::new(tell)));
    match ask {
        Ask::Facts { position, ends } => now(facts::facts(&position, ends)?),
        Ask::Explain { position, point } => now(explanation::explain(&position, &point)?),
        Ask::OfferDraw { position, ends, win_rate } => now(agreement::answer(&position, ends, win_rate)?),
        Ask::Opening { regulation, size, actions } => now(opening::state(&regulation, size, &actions)?),
        Ask::Load { name, data, number } => now(files::load(&name, &data, number)?),
        Ask::Write { game, entries } => now(judgements::write(&game, entries)?),
        Ask::Save { game, format, lossy } => now(files::save(&game, &format, lossy)?),
        Ask::Picture { position, format, numbers, figures } => {
            now(picture::draw(&position, format, numbers, &figures)?)
        }
        Ask::Parse { text, size, rule } => now(files::parse(&text, size, rule)?),
        Ask::Openings => now(library::openings()),
        Ask::Book { position } => now(library::book(&position)?),
        Ask::Puzzles => now(puzzles::sets()),
        Ask::ReadPuzzles { name, data, rule } => now(puzzles::read(&name, &data, rule)?),
        Ask::Stop { .. } => now(Tell::Done),
        ask => Ok(Answer::Job(job(ask)?)),
    }
}

/// A request that needs the engine.
fn job(ask: Ask) -> Result<Box<dyn Job>> {
    Ok(match ask {
        Ask::Analyze { position, lines, ms } => {
            let (position, rule) = going_on(&position, Endings::default())?;
            let time = ms.map(|ms| Duration::from_millis(ms.into()));
            let lines = lines.clamp(1, LINES).into();
            Box::new(Analysis { position, rule, lines, time, past: Default::default() })
        }
        Ask::Solve { position, attacker, kind } => {
            let (mut position, rule) = going_on(&position, Endings::default())?;
            let (attacker, kind) = (attacker.into(), kind.into());
            position.set_side(attacker);
            Box::new(SolveJob(WinQuestion { position, rule, attacker, kind, shortest: false }))
        }
        Ask::Move { position, ends, level, clock, seed } => {
            let endings = convert::endings(ends, position.rule);
            let (position, rule) = going_on(&position, endings)?;
            check_level(level)?;
            Box::new(MoveJob { position, rule, endings, level, clock, seed: seed.into() })
        }
        Ask::Annotate { game, rule, ends, ms } => {
            let endings = convert::endings(ends, rule);
            let (game, nodes) = convert::of_game(&game)?;
            // The limits are set later, when the engine is available.
            let request = Request { game, rule: rule.into(), endings, limits: Limits::default(), hash: 0 };
            Box::new(AnnotationJob::new(request, nodes, Duration::from_millis(ms.into())))
        }
        Ask::Decide { regulation, size, rule, actions, level, clock, seed } => {
            let opening = opening::read(&regulation, size, &actions)?;
            ensure!(!opening.is_over(), "the opening is over");
            check_level(level)?;
            Box::new(DecisionJob { opening, rule: rule.into(), level, clock, seed: seed.into() })
        }
        Ask::Try { position, kind } => {
            if let Some(over) = puzzles::over(&position)? {
                return Ok(Box::new(over));
            }
            let (position, rule) = going_on(&position, Endings::default())?;
            Box::new(TrialJob { position, rule, kind: kind.into() })
        }
        other => anyhow::bail!("{other:?} is not a job for the engine"),
    })
}

/// Checks that a level is in range.
fn check_level(level: u8) -> Result<()> {
    ensure!(level <= FULL, "the level is {level}: expected 0 to {FULL}");
    Ok(())
}

/// A position in which the game is not over, and its rule.
fn going_on(position: &board::Position, endings: Endings) -> Result<(Position, RuleKind)> {
    let (position, rule) = convert::position(position)?;
    let outcome = with_rule!(rule, R => Board::<R>::from_position(&position)?.outcome(&endings));
    if let Some(outcome) = outcome {
        anyhow::bail!("the game is over: {outcome}");
    }
    Ok((position, rule))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::schema::board::{Clock, Color, Ends, Rule};

    #[test]
    fn a_level_above_full_strength_is_refused() {
        let clock = Clock::Move { ms: 10 };
        let of = |level| {
            let position = board::Position {
                size: 15,
                rule: Rule::Renju,
                setup: Vec::new(),
                first: Color::Black,
                moves: Vec::new(),
            };
            let (regulation, rule, actions) = ("rif".into(), Rule::Renju, Vec::new());
            [
                Ask::Move { position, ends: Ends::Plain, level, clock, seed: 1 },
                Ask::Decide { regulation, size: 15, rule, actions, level, clock, seed: 1 },
            ]
        };
        for ask in of(FULL) {
            assert!(matches!(answer(ask), Ok(Answer::Job(_))));
        }
        for ask in of(FULL + 1) {
            let error = answer(ask).err().unwrap().to_string();
            assert_eq!(error, "the level is 101: expected 0 to 100");
        }
    }
}
