//! What `kagetsu solve` says: JSON objects and text.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::{Args, Found, TreeFormat, Used};
use crate::cli::batch::Id;
use crate::cli::draw;
use crate::game::{Color, Diagram, Point, Position};
use crate::solve::Verdict;
use crate::solve::defend::Defences;
use crate::solve::proof::Turn;
use crate::solve::proof_io::{Flat, to_sgf};

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

fn result(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "win",
        Verdict::NoWin => "no_win",
        Verdict::Unknown => "unknown",
    }
}

fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(Point::to_string).collect()
}

fn line_names(proof: &Turn) -> Vec<String> {
    proof.line().iter().map(|p| p.map_or("-".into(), |p| p.to_string())).collect()
}

/// Milliseconds, to the microsecond.
fn ms(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

impl Answer {
    pub fn new(id: Id, args: &Args, found: &Found, used: &Used) -> Answer {
        let proof = found.proof.as_ref();
        Answer {
            id,
            kind: args.kind.name(),
            result: result(found.verdict),
            by: proof.map(|_| found.by.name()),
            attacker: found.attacker.to_string(),
            length: proof.map(|(turn, _)| turn.length()),
            shortest: proof.is_some_and(|&(_, shortest)| shortest),
            end: found.end,
            line: proof.map_or(Vec::new(), |(turn, _)| line_names(turn)),
            nodes: used.nodes,
            ms: ms(used.time),
            tree: proof.filter(|_| args.tree.is_some()).map(|(turn, _)| Flat::of(turn)),
        }
    }
}

impl Defence {
    pub fn new(id: Id, args: &Args, attacker: Color, found: &Defences, used: &Used) -> Defence {
        Defence {
            id,
            kind: args.kind.name(),
            result: result(found.threat),
            attacker: attacker.to_string(),
            defences: names(&found.stops),
            undecided: names(&found.undecided),
            nodes: used.nodes,
            ms: ms(used.time),
        }
    }
}

/// Shows a win, or its tree alone.
pub fn print_win(
    out: &mut dyn Write,
    args: &Args,
    position: &Position,
    found: &Found,
    used: &Used,
) -> Result<()> {
    let attacker = found.attacker;
    let proof = found.proof.as_ref();
    if let (Some(format), Some((turn, _))) = (args.tree, proof) {
        // The tree alone, ready for a file.
        match format {
            TreeFormat::Sgf => write!(out, "{}", to_sgf(turn, position, attacker))?,
            TreeFormat::Json => writeln!(out, "{}", serde_json::to_string(&Flat::of(turn))?)?,
        }
        return Ok(());
    }
    let mut diagram = Diagram::of(position);
    if let Some((turn, _)) = proof {
        diagram.mark(turn.point, '1');
    }
    draw::board(out, &diagram)?;
    writeln!(out)?;
    match (found.verdict, proof) {
        (Verdict::Win, Some((turn, shortest))) => {
            let how = if *shortest { ", the shortest" } else { "" };
            let mut end = found.end.unwrap_or_default().replace('_', " ");
            if let Some((block, kinds)) = found.foul {
                end = format!("{end}: {block} is forbidden ({kinds})");
            }
            let (by, length) = (found.by.name(), turn.length());
            writeln!(out, "{attacker} wins by {by} in {length} plies{how}, ending with a {end}")?;
            writeln!(out, "{}", line_names(turn).join(" "))?;
            writeln!(out, "proof of {} moves, verified", turn.size())?;
        }
        (Verdict::NoWin, _) => {
            writeln!(out, "{attacker} has no {}: everything was searched", args.kind.name())?
        }
        _ => writeln!(out, "unknown: the limit was reached")?,
    }
    writeln!(out, "{} nodes, {:.3} s", used.nodes, used.time.as_secs_f64())?;
    Ok(())
}

/// Shows the list of defences.
pub fn print_defences(out: &mut dyn Write, args: &Args, position: &Position, answer: Defence) -> Result<()> {
    draw::board(out, &Diagram::of(position))?;
    writeln!(out)?;
    let Defence { attacker, defences, undecided, nodes, ms, .. } = answer;
    match answer.result {
        "no_win" => writeln!(out, "{attacker} threatens no {}", args.kind.name())?,
        _ if defences.is_empty() && undecided.is_empty() => writeln!(out, "nothing stops {attacker}")?,
        _ => writeln!(out, "moves that stop {attacker}: {}", defences.join(" "))?,
    }
    if !undecided.is_empty() {
        writeln!(out, "undecided within the limit: {}", undecided.join(" "))?;
    }
    writeln!(out, "{nodes} nodes, {:.3} s", ms / 1e3)?;
    Ok(())
}
