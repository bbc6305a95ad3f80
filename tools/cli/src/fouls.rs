//! `kagetsu fouls`: the points forbidden to Black.

mod tree;

use std::io::Write;

use anyhow::{Context, Result, ensure};
use serde::ser::{Serialize, SerializeMap, Serializer};

use kagetsu::game::explain::FoulVerdict;
use kagetsu::game::quote::quoted;
use kagetsu::game::{Board, Diagram, FoulKinds, Point, Position, Reading, Renju, RuleKind, notation};
use kagetsu_console::args::{QueryArgs, readings};
use kagetsu_console::batch::{self, Id};
use kagetsu_console::{Status, draw};
use kagetsu_tools::study::fouls::{self, Findings};

/// List the points forbidden to Black, whoever is to move
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  kagetsu fouls f8a1g8a3h9a5h10a7\n  \
    kagetsu fouls f8a1g8a3h9a5h10a7 --point h8\n  kagetsu fouls --batch positions.txt\n  \
    kagetsu fouls f8a1g8a3h9a5h10a7 --point h8 --json\n\n\
    In the drawing ! is a foul, ? only looks like a double three, * makes a five.\n\
    The kinds are 6 (overline), 44 (double four) and 33 (double three).")]
pub struct Args {
    #[command(flatten)]
    query: QueryArgs,
    /// Choose whether an extension of a three counts if it also makes a five: it does (five-extends), or does not (literal, as
    /// for the Gomocup referee)
    #[arg(long, default_value = "literal", ignore_case = true, value_parser = readings())]
    reading: Reading,
    /// Explain one point step by step; in a batch, this point of every position without its own key "point"
    #[arg(long, value_name = "POINT")]
    point: Option<String>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    if args.query.json || args.query.batch.is_some() {
        return batch::answer(&args.query, args.reading, out, |query| {
            if let Some(name) = query.point()?.or(args.point.as_deref()) {
                let (board, p) = subject(name, query.rule, &query.position)?;
                return Ok(Answer::Point(tree::Answer::new(query.id, board, p, args.reading)));
            }
            let findings = fouls::find(&query.position, query.rule, args.reading)?;
            Ok(Answer::All(All { id: query.id, findings }))
        });
    }
    let query = batch::single(&args.query, args.reading)?;
    if let Some(name) = &args.point {
        explain(out, name, query.rule, &query.position, args.reading)?;
        return Ok(Status::Done);
    }
    let findings = fouls::find(&query.position, query.rule, args.reading)?;
    print(out, &query.position, &findings)?;
    Ok(Status::Done)
}

fn print(out: &mut dyn Write, position: &Position, findings: &Findings) -> Result<()> {
    let mut diagram = Diagram::of(position);
    findings.fouls.iter().for_each(|&(p, _)| diagram.mark(p, draw::FOUL));
    findings.false_fouls.iter().for_each(|&p| diagram.mark(p, draw::FALSE_FOUL));
    findings.fives.iter().for_each(|&p| diagram.mark(p, draw::FIVE));
    draw::board(out, &diagram)?;
    writeln!(out)?;
    let fouls: Vec<String> = findings.fouls.iter().map(|(p, kinds)| format!("{p} ({kinds})")).collect();
    let list = |points: &[Point]| points.iter().map(|p| p.to_string()).collect::<Vec<_>>();
    let mut line = |name: &str, items: Vec<String>| {
        let items = if items.is_empty() { "none".to_string() } else { items.join(", ") };
        writeln!(out, "{name:<32}{items}")
    };
    if let Some(end) = findings.end {
        line("game over:", vec![end.to_string()])?;
    }
    line("fouls for black:", fouls)?;
    line("only look like double threes:", list(&findings.false_fouls))?;
    line("make a five:", list(&findings.fives))?;
    line("depends on the interpretation:", list(&findings.readings_differ))?;
    Ok(())
}

fn explain(
    out: &mut dyn Write,
    name: &str,
    rule: RuleKind,
    position: &Position,
    reading: Reading,
) -> Result<()> {
    let (mut board, p) = subject(name, rule, position)?;
    board.set_reading(reading);
    let explanation = board.explain(p);
    let mut diagram = Diagram::of(position);
    diagram.mark(
        p,
        match explanation.verdict {
            FoulVerdict::Five => draw::FIVE,
            FoulVerdict::Foul(_) => draw::FOUL,
            FoulVerdict::Legal if board.is_false_foul(p) => draw::FALSE_FOUL,
            FoulVerdict::Legal => draw::POINT,
        },
    );
    draw::board(out, &diagram)?;
    writeln!(out, "\n{explanation}")?;
    Ok(())
}

/// The board and the empty point that is to be explained.
fn subject(name: &str, rule: RuleKind, position: &Position) -> Result<(Board<Renju>, Point)> {
    ensure!(rule == RuleKind::Renju, "there are no fouls to explain under the rule {rule}");
    let p = notation::parse_point(name, position.size());
    let p = p.with_context(|| format!("point {}", quoted(name)))?;
    let board = Board::<Renju>::from_position(position)?;
    board.check_free(p).context("expected an empty point")?;
    Ok((board, p))
}

/// An answer in JSON.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum Answer {
    All(All),
    Point(tree::Answer),
}

/// All points, in board order.
struct All {
    id: Id,
    findings: Findings,
}

impl Serialize for All {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Findings { fouls, false_fouls, fives, readings_differ, .. } = &self.findings;
        let names = |points: &[Point]| points.iter().map(|p| p.to_string()).collect::<Vec<_>>();
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("fouls", &ByPoint(fouls))?;
        map.serialize_entry("false_fouls", &names(false_fouls))?;
        map.serialize_entry("fives", &names(fives))?;
        map.serialize_entry("readings_differ", &names(readings_differ))?;
        map.end()
    }
}

struct ByPoint<'a>(&'a [(Point, FoulKinds)]);

impl Serialize for ByPoint<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(p, kinds)| (p.to_string(), kinds.to_string())))
    }
}
