//! `kagetsu bench`: fixed searches, which measure the speed and give a signature of the search.

use std::io::Write;

use anyhow::{Result, bail};
use serde::Serialize;

use kagetsu_console::Status;
use kagetsu_console::batch::write_line;
use kagetsu_console::progress::Progress;
use kagetsu_tools::bench::{self, DEPTH, SEARCHES, SHORTEST, Several};

/// Search fixed positions and print nodes, speed and a signature
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  kagetsu bench\n  kagetsu bench --threads 2 --depth 16")]
pub struct Args {
    /// Search each position to depth D; every depth has its own signature
    #[arg(long, value_name = "D", default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Repeat every search with T threads, and compare the time to the same depth
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(2..=1024))]
    threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
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
        bail!("no search takes a thread {} ms: a greater --depth is needed to compare", SHORTEST.as_millis());
    }
    Ok(Status::Done)
}
