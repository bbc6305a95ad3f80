//! `kagetsu analyze`: what the engine thinks of a position.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;

use super::args::{LimitArgs, QueryArgs, colors};
use super::batch::{self, Id, Query};
use super::progress::Progress;
use super::{Status, draw};
use crate::clock::{Clock, SystemClock};
use crate::engine::{Engine, Options};
use crate::game::{Board, Color, Diagram, Endings, Outcome, Point, Position, Reading, RuleKind};
use crate::search::{Context, Line, Report, Score};
use crate::with_rule;

/// Search a position and show the best lines
#[derive(clap::Args)]
#[command(after_help = "Example:\n  kagetsu analyze 'D4 g9' --time 2s --multipv 3\n\n\
    Scores and win rates are the side to move's. +M7 is a proven win in 7 plies, -M6 a proven loss in 6.")]
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

#[derive(Serialize)]
struct Answer {
    id: Id,
    best: String,
    score: i32,
    win_rate: f64,
    mate: Option<i32>,
    /// What proved the result.
    proven: Option<&'static str>,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    nps: u64,
    ms: u128,
    pv: Vec<String>,
    lines: Vec<AnswerLine>,
}

#[derive(Serialize)]
struct AnswerLine {
    multipv: usize,
    score: i32,
    win_rate: f64,
    mate: Option<i32>,
    pv: Vec<String>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let mut engine = Engine::new();
    if args.query.json || args.query.batch.is_some() {
        return batch::answer(&args.query, Reading::Literal, out, |query| {
            let (id, rule) = (query.id.clone(), query.rule);
            let position = to_search(query, args.side)?;
            let (_, report) = search(&mut engine, rule, position, args)?;
            Answer::new(id, &report)
        });
    }
    let query = batch::single(&args.query, Reading::Literal)?;
    let rule = query.rule;
    let position = to_search(query, args.side)?;
    let (best, report) = search(&mut engine, rule, position.clone(), args)?;
    print(out, rule, &position, best, &report)?;
    Ok(Status::Done)
}

/// The position to search, with the wanted side to move.
fn to_search(query: Query, side: Option<Color>) -> Result<Position> {
    let Query { mut position, rule, side: named, .. } = query;
    if let Some(side) = named.or(side) {
        position.set_side(side);
    }
    if let Some(outcome) = outcome(rule, &position)? {
        bail!("the game is over: {outcome}");
    }
    Ok(position)
}

fn outcome(rule: RuleKind, position: &Position) -> Result<Option<Outcome>> {
    with_rule!(rule, R => Ok(Board::<R>::from_position(position)?.outcome(&Endings::default())))
}

fn search(engine: &mut Engine, rule: RuleKind, position: Position, args: &Args) -> Result<(Point, Report)> {
    engine.set_options(Options { rule, hash: Some(args.limits.hash), ..*engine.options() });
    engine.set_position(position);
    // An answer depends on its question alone, not on those before it.
    engine.clear();
    let clock = SystemClock::new();
    let mut progress = Progress::open_ended();
    let mut on_report = |report: &Report| {
        progress.say(|| {
            let line = report.lines.first();
            let line = line.map(|l| format!("{} {}", l.score, pv(l).join(" "))).unwrap_or_default();
            format!("depth {}/{} {line}", report.depth, report.seldepth)
        });
    };
    let limits = args.limits.limits(usize::from(args.multipv));
    let stop = AtomicBool::new(false);
    let context = Context { clock: &clock, start: Duration::ZERO, stop: &stop };
    let (best, mut report) =
        engine.go(&limits, &context, &mut on_report).context("there is no point left to play")?;
    report.elapsed = clock.now();
    Ok((best, report))
}

fn pv(line: &Line) -> Vec<String> {
    line.moves.iter().map(|p| p.to_string()).collect()
}

/// Four decimals are all that a win rate is worth.
fn rounded(win_rate: f64) -> f64 {
    (win_rate * 1e4).round() / 1e4
}

impl Answer {
    fn new(id: Id, report: &Report) -> Result<Answer> {
        let first = report.lines.first().context("the search gave no line")?;
        let line = |(i, line): (usize, &Line)| AnswerLine {
            multipv: i + 1,
            score: line.score.0,
            win_rate: rounded(line.score.win_rate()),
            mate: line.score.mate(),
            pv: pv(line),
        };
        Ok(Answer {
            id,
            best: first.moves.first().context("the search gave an empty line")?.to_string(),
            score: first.score.0,
            win_rate: rounded(first.score.win_rate()),
            mate: first.score.mate(),
            proven: first.score.mate().map(|_| "search"),
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            nps: report.nps(),
            ms: report.elapsed.as_millis(),
            pv: pv(first),
            lines: report.lines.iter().enumerate().map(line).collect(),
        })
    }
}

fn print(
    out: &mut dyn Write,
    rule: RuleKind,
    position: &Position,
    best: Point,
    report: &Report,
) -> Result<()> {
    let mut diagram = Diagram::of(position);
    for (line, sign) in report.lines.iter().zip('1'..='9') {
        if let Some(&p) = line.moves.first() {
            diagram.mark(p, sign);
        }
    }
    draw::board(out, &diagram)?;
    writeln!(out)?;
    writeln!(out, "{rule}, {}, {} to move", position.size(), position.side())?;
    writeln!(
        out,
        "best {best}, depth {}/{}, {} nodes, {} nodes/s, {:.2} s",
        report.depth,
        report.seldepth,
        report.nodes,
        report.nps(),
        report.elapsed.as_secs_f64()
    )?;
    if with_rule!(rule, R => Board::<R>::from_position(position)?.is_foul(best, position.side())) {
        writeln!(out, "every point left is a foul")?;
    }
    for (i, line) in report.lines.iter().enumerate() {
        writeln!(
            out,
            "{}. {:>6}  {}  {}",
            i + 1,
            line.score,
            verdict(line.score, position.side()),
            pv(line).join(" ")
        )?;
    }
    Ok(())
}

/// A score in words.
fn verdict(score: Score, side: Color) -> String {
    match score.mate() {
        Some(n) if n > 0 => format!("proven: {side} wins in {n} plies"),
        Some(n) => format!("proven: {} wins in {} plies", !side, -n),
        None => format!("{:.1} %", 100.0 * score.win_rate()),
    }
}
