//! `kagetsu games analyze`: the best moves of a position.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;

use super::output::{Analysis, names};
use super::{batch, refuse_finished};
use crate::args::{LimitArgs, PositionArgs};
use kagetsu::clock::SystemClock;
use kagetsu_console::Status;
use kagetsu_console::batch::{Id, write_line};
use kagetsu_console::progress::Progress;
use kagetsu_games::diagram;
use kagetsu_games::players::{Searcher, engine_rule};
use kagetsu_games::search::{Line, Report, mate};
use kagetsu_tools::words;

/// Time for a position where no limit is given.
const POSITION: Duration = Duration::from_secs(5);

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Show the K best lines
    #[arg(long, value_name = "K", default_value_t = 1)]
    multipv: usize,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// Answer every line of FILE (- for stdin): a position, or an object with position and perhaps id, game, size; implies --json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "number", "move"])]
    batch: Option<String>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let limits = args.limits.limits(args.multipv, POSITION);
    let mut player = Searcher::new(limits, args.limits.hash, &clock, &stop);
    if let Some(name) = &args.batch {
        let mut is_warned = false;
        return batch::answer(name, &args.position.game, out, |id, game| {
            refuse_finished(&*game)?;
            // A line may name another game than the flags.
            if !is_warned && engine_rule(game.kind()).is_some() {
                is_warned = true;
                args.limits.warn_of_hash(game.kind());
            }
            // Clear the table, so that an answer depends on its question alone: its keys are equal for the
            // same stones in two games.
            player.clear();
            let report = player.report(&*game, &mut |_| {});
            Ok(Analysis::of(id, &*game, &report))
        });
    }
    let game = args.position.read()?;
    refuse_finished(&*game)?;
    args.limits.warn_of_hash(game.kind());
    let mut progress = Progress::open_ended();
    let report = player.report(&*game, &mut |report| progress.say(|| format!("depth {}", report.depth)));
    drop(progress);
    if args.json {
        write_line(out, &Analysis::of(Id::line(1), &*game, &report))?;
        return Ok(Status::Done);
    }
    writeln!(out, "{}", diagram::draw(&*game, &[]))?;
    print_report(out, &report)?;
    Ok(Status::Done)
}

fn print_report(out: &mut dyn Write, report: &Report) -> Result<()> {
    for line in &report.lines {
        writeln!(out, "{:>7}  {}", score(line, report.solved), names(line).join(" "))?;
    }
    let depth = if report.solved {
        "solved".to_owned()
    } else {
        format!("depth {}/{}", report.depth, report.seldepth)
    };
    let seconds = report.elapsed.as_secs_f64();
    writeln!(out, "\n{depth}, {}, {seconds:.1} s", words::count(report.nodes, "node"))?;
    Ok(())
}

/// A score as text: in stones or discs, or the plies to a proven result.
fn score(line: &Line, is_exact: bool) -> String {
    match mate(line.score) {
        Some(plies) if plies > 0 => format!("+M{plies}"),
        Some(plies) => format!("-M{}", -plies),
        None if is_exact => format!("{:+}", line.score / 100),
        None => format!("{:+.2}", f64::from(line.score) / 100.0),
    }
}
