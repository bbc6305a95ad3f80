//! `kagetsu bench`: fixed searches, which measure the speed and give a signature of the search, and suites of hard
//! positions.

mod find;
mod suite;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::Serialize;

use kagetsu::game::RuleKind;
use kagetsu_console::Status;
use kagetsu_console::args::{bytes, rules};
use kagetsu_console::batch::write_line;
use kagetsu_console::progress::Progress;
use kagetsu_tools::bench::{self, DEPTH, SEARCHES, SHORTEST, Several};

const HELP: &str = "\
With --suite, searches hard positions, whose right verdict is known: a proven win or loss, or
one move that is much better than all others. For each rule it prints how many verdicts hold
at the end of a search, and after how many nodes they begin to hold; a miss counts as the whole
search. The figures are the same on every machine. The positions were chosen because the
search of that time found them hard. So every other search looks better there, even the same one
on turned boards: compare two searches on turned boards (--symmetry, docs/search.md).
A line of FILE has rule, size, verdict and position, such as 'renju 15 win h8h9i8' or
'freestyle 20 best k11 j10k10k9'; what follows a # is a comment.

Examples:
  kagetsu bench
  kagetsu bench --threads 2 --depth 16
  kagetsu bench --suite --rule renju
  kagetsu bench --suite --symmetry 4
  kagetsu bench --suite my.txt --nodes 500000 --jobs 2 --json
  kagetsu bench find 100 --rule renju --openings book/openings/renju-15.txt --out hard";

/// The flags of the fixed positions. Those of the suite conflict with each of them: by a conflict with `suite`
/// alone clap would drop the requirement of `suite`, and the flags would do nothing.
const OF_FIXED_POSITIONS: [&str; 2] = ["depth", "threads"];

/// Search fixed positions and print nodes, speed and a signature, or measure a suite of hard positions
#[derive(clap::Args)]
#[command(after_help = HELP, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Search each position to depth D; every depth has its own signature
    #[arg(long, value_name = "D", default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Repeat every search with T threads, and compare the time to the same depth
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(2..=1024))]
    threads: Option<u16>,
    /// Search the hard positions of FILE, or the built-in ones
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = OF_FIXED_POSITIONS)]
    suite: Option<Option<PathBuf>>,
    /// Search each hard position to N nodes
    #[arg(long, value_name = "N", requires = "suite", conflicts_with_all = OF_FIXED_POSITIONS,
          default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Turn or mirror the hard positions by symmetry S, 0 to 7; 0 leaves them as they are
    #[arg(long, value_name = "S", requires = "suite", conflicts_with_all = OF_FIXED_POSITIONS,
          default_value_t = 0, value_parser = clap::value_parser!(u8).range(..8))]
    symmetry: u8,
    /// Set the memory of each search's tables; a search uses at most 64G
    #[arg(long, value_name = "SIZE", requires = "suite", conflicts_with_all = OF_FIXED_POSITIONS,
          default_value = "64M", value_parser = bytes)]
    hash: u64,
    /// Take only the hard positions of one rule
    #[arg(long, requires = "suite", conflicts_with_all = OF_FIXED_POSITIONS, ignore_case = true,
          value_parser = rules())]
    rule: Option<RuleKind>,
    /// Search J hard positions side by side; the figures do not depend on it
    #[arg(long, value_name = "J", requires = "suite", conflicts_with_all = OF_FIXED_POSITIONS,
          default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    Find(find::Args),
}

#[derive(Serialize)]
struct Answer {
    nodes: u64,
    nps: u64,
    ms: u128,
    signature: u32,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    several: Option<Several>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    match (&args.command, &args.suite) {
        (Some(Command::Find(args)), _) => find::run(args, out),
        (None, Some(file)) => suite::run(args, file.as_deref(), out),
        (None, None) => searches(args, out),
    }
}

/// Searches the fixed positions.
fn searches(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let mut progress = Progress::of(SEARCHES as u64);
    let measured = bench::run(args.depth, args.threads, &mut || progress.step())?;
    drop(progress);
    let (nodes, nps, signature) = (measured.nodes, measured.nps(), measured.signature);
    let (elapsed, several) = (measured.elapsed, measured.several);
    if args.json {
        write_line(out, &Answer { nodes, nps, ms: elapsed.as_millis(), signature, several })?;
    } else {
        writeln!(
            out,
            "nodes      {nodes}\ntime       {:.2} s\nnps        {nps}\nsignature  {signature}",
            elapsed.as_secs_f64()
        )?;
        if let Some(Several { threads, compared, speedup, nps_ratio }) = several {
            writeln!(
                out,
                "{threads} threads  {speedup:.2} times faster to the depth, {nps_ratio:.2} times as many nodes a second \
                 (geometric means of {compared} searches)"
            )?;
        }
    }
    if args.threads.is_some() && several.is_none() {
        bail!(
            "no search took one thread {} ms or more: expected a greater --depth for the comparison",
            SHORTEST.as_millis()
        );
    }
    Ok(Status::Done)
}
