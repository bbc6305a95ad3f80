//! `kagetsu games solve`: exact results of Reversi.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::ValueEnum;

use super::batch;
use super::output::Solution;
use crate::args::PositionArgs;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu_console::Status;
use kagetsu_console::args::{ThreadArgs, bytes};
use kagetsu_console::batch::{Id, write_line};
use kagetsu_console::usage::WrongUsage;
use kagetsu_games::game::{Effort, Solved};
use kagetsu_games::{Game, Kind, diagram};
use kagetsu_tools::timing::span;
use kagetsu_tools::words;

/// The error where another game or a larger board is to be solved.
const NOT_SOLVED: &str =
    "only reversi on boards up to 8x8 is solved; `kagetsu games analyze` searches the others";

/// Way of counting empty squares in the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Empties {
    /// They are not counted
    None,
    /// They count for the winner, as in tournaments and test sets
    Winner,
}

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Choose how empty squares count in the result
    #[arg(long, default_value = "none")]
    empties: Empties,
    /// Limit the time for each position, e.g. 10m [default: no limit]
    #[arg(long, value_parser = span)]
    time: Option<Duration>,
    /// Limit the nodes (positions visited) for each position [default: no limit]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Set the memory of the table, e.g. 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = bytes)]
    hash: u64,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// Solve every line of FILE (- for stdin): a position, or an object with position and perhaps id, game, size; implies --json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "number", "move"])]
    batch: Option<String>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    if let Some(name) = &args.batch {
        return batch::answer(name, &args.position.game, out, |id, game| {
            let (solved, ms) = solve_one(args, &*game, &clock)?;
            Ok(Solution::of(id, &*game, &solved, ms))
        });
    }
    // The arguments may name a game without a solver, whatever the position is.
    let options = args.position.game.options()?;
    ensure!(is_solved(options.kind(), options.size()), WrongUsage::new(NOT_SOLVED));
    let game = args.position.read()?;
    let (solved, ms) = solve_one(args, &*game, &clock)?;
    if args.json {
        write_line(out, &Solution::of(Id::line(1), &*game, &solved, ms))?;
        return Ok(Status::Done);
    }
    writeln!(out, "{}", diagram::draw(&*game, &[]))?;
    let result = match solved.value {
        0 => "draw".to_owned(),
        value @ 1.. => format!("{} wins by {}", game.side(), words::count(value as u32, "disc")),
        value => format!("{} wins by {}", !game.side(), words::count(value.unsigned_abs(), "disc")),
    };
    let line: Vec<String> = solved.line.iter().map(ToString::to_string).collect();
    writeln!(
        out,
        "{result}\n{}\n\n{}, {:.3} s",
        line.join(" "),
        words::count(solved.nodes, "node"),
        ms as f64 / 1000.0
    )?;
    Ok(Status::Done)
}

/// Whether there is a solver for a game on boards of this side length.
fn is_solved(kind: Kind, size: usize) -> bool {
    kind == Kind::Reversi && size <= 8
}

/// The result of a position, with the milliseconds that it took.
fn solve_one(args: &Args, game: &dyn Game, clock: &SystemClock) -> Result<(Solved, u128)> {
    ensure!(is_solved(game.kind(), game.size()), NOT_SOLVED);
    let start = clock.now();
    let elapsed = || clock.now().saturating_sub(start);
    let is_late = || args.time.is_some_and(|time| elapsed() >= time);
    let effort = Effort {
        hash: usize::try_from(args.hash)?,
        threads: args.threads.count(),
        nodes: args.nodes.unwrap_or(u64::MAX),
        most_empty: u32::MAX,
        empties_to_winner: args.empties == Empties::Winner,
        stop: &is_late,
        on_bound: &|lower, upper, nodes| log::info!("between {lower} and {upper} after {nodes} nodes"),
    };
    let solved = game.solve(&effort)?;
    Ok((solved, elapsed().as_millis()))
}
