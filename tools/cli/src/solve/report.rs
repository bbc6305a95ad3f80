//! Output of `kagetsu solve`: JSON objects and text.

use kagetsu_tools::words;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;

use super::{Args, Question, TreeFormat};
use kagetsu::game::{Diagram, Point, Position};
use kagetsu::solve::Verdict;
use kagetsu::solve::defend::Defences;
use kagetsu::solve::proof::Proof;
use kagetsu::solve::proof_io::{Flat, to_sgf};
use kagetsu_console::batch::Id;
use kagetsu_console::draw;
use kagetsu_tools::study::Used;
use kagetsu_tools::study::wins::{End, Found, VerifiedWin};

/// The answer to the question for a win.
#[derive(Serialize)]
pub struct Answer {
    id: Id,
    kind: &'static str,
    result: &'static str,
    by: Option<&'static str>,
    attacker: String,
    length: Option<usize>,
    shortest: bool,
    end: Option<&'static str>,
    /// For a win that ends by a foul: its point and kinds.
    foul: Option<BTreeMap<String, String>>,
    line: Vec<String>,
    nodes: u64,
    ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<Flat>,
}

/// The answer to the question for defences.
#[derive(Serialize)]
pub struct Defence {
    id: Id,
    kind: &'static str,
    /// Whether the opponent threatens a win.
    result: &'static str,
    attacker: String,
    defences: Vec<String>,
    undecided: Vec<String>,
    nodes: u64,
    ms: f64,
}

fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(Point::to_string).collect()
}

fn line_names(proof: &Proof) -> Vec<String> {
    proof.line().iter().map(|p| p.map_or("-".into(), |p| p.to_string())).collect()
}

/// Milliseconds, to the microsecond.
fn ms(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

impl Answer {
    pub fn new(args: &Args, id: Id, found: &Found, used: &Used) -> Answer {
        let win = found.win.as_ref();
        let foul = win.and_then(|win| match win.end {
            End::Foul(block, kinds) => Some(BTreeMap::from([(block.to_string(), kinds.to_string())])),
            _ => None,
        });
        Answer {
            id,
            kind: args.kind.name(),
            result: found.verdict.name(),
            by: win.map(|win| win.by.name()),
            attacker: found.attacker.to_string(),
            length: win.map(|win| win.proof.length()),
            shortest: win.is_some_and(|win| win.shortest),
            end: win.map(|win| win.end.name()),
            foul,
            line: win.map_or(Vec::new(), |win| line_names(&win.proof)),
            nodes: used.nodes,
            ms: ms(used.time),
            tree: win.filter(|_| args.tree.is_some()).map(|win| Flat::of(&win.proof)),
        }
    }
}

impl Defence {
    pub fn new(args: &Args, question: Question, found: &Defences, used: &Used) -> Defence {
        Defence {
            id: question.id,
            kind: args.kind.name(),
            result: found.threat.name(),
            attacker: question.attacker.to_string(),
            defences: names(&found.stops),
            undecided: names(&found.undecided),
            nodes: used.nodes,
            ms: ms(used.time),
        }
    }
}

/// Returns the reason why a search has not come to its end.
fn cause(is_interrupted: bool) -> &'static str {
    if is_interrupted { "the search was interrupted" } else { "the limit was reached" }
}

/// Shows a win, or its tree alone.
pub fn print_win(
    out: &mut dyn Write,
    args: &Args,
    position: &Position,
    (found, used): (&Found, &Used),
    is_interrupted: bool,
) -> Result<()> {
    let attacker = found.attacker;
    if let Some(format) = args.tree {
        // The tree alone, ready for a file.
        let win = found.win.as_ref().with_context(|| match found.verdict {
            Verdict::NoWin => format!("{attacker} has no win, so that there is no tree to print"),
            _ => {
                format!("no win of {attacker} was found within the limits, so that there is no tree to print")
            }
        })?;
        match format {
            TreeFormat::Sgf => write!(out, "{}", to_sgf(&win.proof, position, attacker))?,
            TreeFormat::Json => writeln!(out, "{}", serde_json::to_string(&Flat::of(&win.proof))?)?,
        }
        return Ok(());
    }
    let mut diagram = Diagram::of(position);
    if let Some(win) = &found.win {
        diagram.mark(win.proof.first().point, '1');
    }
    draw::board(out, &diagram)?;
    writeln!(out)?;
    match (&found.win, found.verdict) {
        (Some(win), _) => {
            let how = match (win.shortest, args.shortest) {
                (true, _) => ", the shortest",
                (false, true) if is_interrupted => ", the shortest found so far",
                (false, true) => ", the shortest found within the limit",
                (false, false) => "",
            };
            let (by, length) = (win.by.name(), words::count(win.proof.length(), "ply"));
            writeln!(out, "{attacker} wins by {by} in {length}{how}, ending with a {}", ending(win))?;
            writeln!(out, "{}", line_names(&win.proof).join(" "))?;
            writeln!(out, "proof of {}, verified", words::count(win.proof.size(), "move"))?;
        }
        (None, Verdict::NoWin) => {
            writeln!(out, "{attacker} has no {}: everything was searched", args.kind.name())?
        }
        (None, _) if found.unproven => writeln!(
            out,
            "unknown: a win was found, but {} before its proof was complete",
            cause(is_interrupted)
        )?,
        (None, _) => writeln!(out, "unknown: {}", cause(is_interrupted))?,
    }
    writeln!(out, "{}, {:.3} s", words::count(used.nodes, "node"), used.time.as_secs_f64())?;
    Ok(())
}

fn ending(win: &VerifiedWin) -> String {
    let name = win.end.name().replace('_', " ");
    match win.end {
        End::Foul(block, kinds) => format!("{name}: {block} is forbidden ({kinds})"),
        _ => name,
    }
}

/// Shows the list of defences.
pub fn print_defences(
    out: &mut dyn Write,
    args: &Args,
    question: &Question,
    (found, used): (&Defences, &Used),
    is_interrupted: bool,
) -> Result<()> {
    draw::board(out, &Diagram::of(&question.position))?;
    writeln!(out)?;
    let attacker = question.attacker;
    let Defences { threat, stops, undecided } = found;
    match threat {
        Verdict::NoWin => writeln!(out, "{attacker} threatens no {}", args.kind.name())?,
        Verdict::Unknown => writeln!(out, "unknown: {}", cause(is_interrupted))?,
        Verdict::Win if !stops.is_empty() => {
            writeln!(out, "moves that stop {attacker}: {}", names(stops).join(" "))?
        }
        Verdict::Win if undecided.is_empty() => writeln!(out, "nothing stops {attacker}")?,
        Verdict::Win => {}
    }
    if !undecided.is_empty() {
        let within = if is_interrupted { "" } else { " within the limit" };
        writeln!(out, "undecided{within}: {}", names(undecided).join(" "))?;
    }
    writeln!(out, "{}, {:.3} s", words::count(used.nodes, "node"), used.time.as_secs_f64())?;
    Ok(())
}
