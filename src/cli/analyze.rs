//! `kagetsu analyze`: what the engine thinks of a position.

mod answer;
mod text;

use std::io::Write;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};

use self::answer::Answer;
use self::text::Subject;
use super::Status;
use super::args::{LimitArgs, QueryArgs, colors};
use super::batch::{self, Query};
use super::progress::Progress;
use super::study::{self, Question, Study};
use crate::engine::Engine;
use crate::game::{Board, Color, Endings, Outcome, Position, Reading, RuleKind};
use crate::with_rule;

/// Search a position and show the best lines
#[derive(clap::Args)]
#[command(after_help = "Example:\n  kagetsu analyze 'D4 g9' --time 2s --multipv 3\n\n\
    Scores and win rates are the side to move's. +M7 is a proven win in 7 plies, -M6 a proven loss in 6.\n\
    What is called proven was found by the solver of wins by fours (vcf) or by threats (vct) and\n\
    confirmed by a verifier, or comes out of the search.\n\
    In the drawing 1, 2, ... are the best moves and ! is a foul for Black.")]
pub struct Args {
    #[command(flatten)]
    query: QueryArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Number of best lines
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    multipv: u16,
    /// The side that moves first, as after a pass if it is not its turn [default: the side to move]
    #[arg(long, value_parser = colors())]
    side: Option<Color>,
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let mut engine = Engine::new();
    if args.query.json || args.query.batch.is_some() {
        return batch::answer(&args.query, Reading::Literal, out, |query| {
            let id = query.id.clone();
            let question = question(args, query)?;
            // An answer depends on its question alone, not on those before it.
            engine.clear();
            Answer::new(id, &study::study(&mut engine, &question, &AtomicBool::new(false), &mut |_| {})?)
        });
    }
    let question = question(args, batch::single(&args.query, Reading::Literal)?)?;
    let subject = Subject::new(question.position.clone(), question.rule)?;
    let mut progress = Progress::open_ended();
    let mut watch = |study: &Study| progress.say(|| text::effort(study));
    let study = study::study(&mut engine, &question, &AtomicBool::new(false), &mut watch)?;
    drop(progress);
    text::print(out, &subject, &study)?;
    Ok(Status::Done)
}

/// The question, with the wanted side to move.
fn question(args: &Args, query: Query) -> Result<Question> {
    let Query { mut position, rule, side: named, .. } = query;
    if let Some(side) = named.or(args.side) {
        position.set_side(side);
    }
    if let Some(outcome) = outcome(rule, &position)? {
        bail!("the game is over: {outcome}");
    }
    let limits = args.limits.limits(usize::from(args.multipv));
    Ok(Question { position, rule, limits, hash: args.limits.hash })
}

fn outcome(rule: RuleKind, position: &Position) -> Result<Option<Outcome>> {
    with_rule!(rule, R => Ok(Board::<R>::from_position(position)?.outcome(&Endings::default())))
}
