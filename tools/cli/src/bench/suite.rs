//! `kagetsu bench --suite`: hard positions, and the nodes to their verdicts.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;

use kagetsu::game::notation;
use kagetsu::game::symmetry::Symmetry;
use kagetsu_console::Status;
use kagetsu_console::args::warn_of_hash;
use kagetsu_console::batch::write_line;
use kagetsu_console::progress::Progress;
use kagetsu_tools::suite::entry::Entry;
use kagetsu_tools::suite::list;
use kagetsu_tools::suite::measure::{Conditions, Figures, by_rule, measure};

#[derive(Serialize)]
struct Answer {
    nodes: u64,
    hash: u64,
    symmetry: u8,
    rules: Vec<RuleFigures>,
    all: Figures,
    positions: Vec<Position>,
}

#[derive(Serialize)]
struct RuleFigures {
    rule: String,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Serialize)]
struct Position {
    rule: String,
    size: usize,
    position: String,
    verdict: String,
    nodes: Option<u64>,
}

pub fn run(args: &super::Args, file: Option<&Path>, out: &mut dyn Write) -> Result<Status> {
    let mut entries = match file {
        Some(file) => list::read_file(file)?,
        None => list::built_in()?,
    };
    entries.retain(|entry| args.rule.is_none_or(|rule| rule == entry.rule));
    warn_of_hash(args.hash);
    let conditions = Conditions { nodes: args.nodes, hash: args.hash };
    let mut progress = Progress::of(entries.len() as u64);
    let symmetry = Symmetry::ALL[usize::from(args.symmetry)];
    let images: Vec<Entry> = entries.iter().map(|entry| entry.image(symmetry)).collect();
    let results = measure(&images, conditions, args.jobs.into(), &mut || progress.step())?;
    drop(progress);
    let Some(all) = Figures::of(&results, args.nodes) else {
        bail!("--rule: the suite has no position of this rule; expected one of the rules in the suite");
    };
    let rules = by_rule(&entries, &results, args.nodes);
    if args.json {
        let position = |(entry, &nodes): (&Entry, &Option<u64>)| Position {
            rule: entry.rule.to_string(),
            size: entry.position.size().side(),
            position: notation::print(&entry.position),
            verdict: entry.verdict.to_string(),
            nodes,
        };
        let positions = entries.iter().zip(&results).map(position).collect();
        let named = |(rule, figures): (_, Figures)| RuleFigures { rule: format!("{rule}"), figures };
        let rules = rules.into_iter().map(named).collect();
        write_line(
            out,
            &Answer { nodes: args.nodes, hash: args.hash, symmetry: args.symmetry, rules, all, positions },
        )?;
        return Ok(Status::Done);
    }
    writeln!(
        out,
        "{:<10} {:>9} {:>7} {:>13} {:>13}",
        "rule", "positions", "solved", "median nodes", "mean nodes"
    )?;
    let mut row = |name: &str, figures: &Figures| {
        let Figures { positions, solved, median, mean } = figures;
        writeln!(out, "{name:<10} {positions:>9} {solved:>7} {median:>13} {mean:>13}")
    };
    rules.iter().try_for_each(|(rule, figures)| row(rule.name(), figures))?;
    if rules.len() > 1 {
        row("all", &all)?;
    }
    Ok(Status::Done)
}
