//! `kagetsu bench`: fixed searches, for the speed and for a signature of what the search does.
//!
//! Positions, depth, memory and the single thread are fixed, so the number of nodes and the signature are the same on
//! every machine; they change exactly when the search changes. What several threads gain is measured beside it.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;

use super::Status;
use super::batch::write_line;
use super::progress::Progress;
use kagetsu::clock::SystemClock;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{Point, RuleKind, Size, notation};
use kagetsu::search::{Context, Limits, Report};

const DEPTH: u32 = 9;
const HASH: u64 = 16 << 20;
/// Searches that take less say nothing about threads.
const SHORTEST: Duration = Duration::from_millis(5);

/// Quiet and sharp positions for both tournament sizes; all rules search all of them.
const POSITIONS: [(Size, &str); 6] = [
    (Size::S15, "h8h9i8"),
    (Size::S15, "h8i9j10i8i10h10j9j11g11g12e11f10k8l7f11d11"),
    (Size::S15, "15/15/15/15/8o6/7xox5/7oxox4/7xox1o3/6oxx1o4/7ooxx4/7x2o4/15/15/15/15 x"),
    (Size::S20, "i19j19l19k17k16"),
    (Size::S20, "k10l11m10n10l9m8k8n11k11k9n9i6"),
    (Size::S20, "20/20/20/20/20/20/20/20/20/8x1x9/8ooox8/8xxox8/9ooox7/20/10x9/20/20/20/20/20 o"),
];

/// Search fixed positions and print nodes, speed and a signature
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  kagetsu bench\n  kagetsu bench --threads 2 --depth 16")]
pub struct Args {
    /// Depth of each search; the signature of another depth is another one
    #[arg(long, value_name = "D", default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Search everything with T threads too, and compare the time to the same depth
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(2..=1024))]
    threads: Option<u16>,
    /// One JSON object
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

/// What several threads gain over one: geometric means over the searches that take one thread long enough to tell.
#[derive(Serialize)]
struct Several {
    threads: u16,
    compared: usize,
    /// How many times sooner the depth is reached.
    speedup: f64,
    /// How many times as many nodes a second.
    nps_ratio: f64,
}

impl Several {
    /// Of the reports on the same searches by one thread and by several; `None` if all of them are too short to tell.
    fn of(threads: u16, pairs: &[(Report, Report)]) -> Option<Several> {
        let pairs: Vec<_> = pairs.iter().filter(|(one, _)| one.elapsed >= SHORTEST).collect();
        if pairs.is_empty() {
            return None;
        }
        let mean = |ratio: fn(&(Report, Report)) -> f64| {
            (pairs.iter().map(|pair| ratio(pair).ln()).sum::<f64>() / pairs.len() as f64).exp()
        };
        Some(Several {
            threads,
            compared: pairs.len(),
            speedup: mean(|(one, more)| one.elapsed.as_secs_f64() / more.elapsed.as_secs_f64().max(1e-6)),
            nps_ratio: mean(|(one, more)| more.nps() as f64 / one.nps() as f64),
        })
    }
}

/// The hash of everything that came out, in order (FNV-1a over 64-bit words).
///
/// CITE: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm" (IETF draft).
struct Signature(u64);

impl Signature {
    fn new() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Both halves folded into a number that every JSON reader holds exactly.
    fn short(&self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}

/// Searches a position to a depth, with nothing known.
fn search(
    engine: &mut Engine,
    (size, text): (Size, &str),
    depth: u32,
    threads: u16,
) -> Result<(Point, Report)> {
    engine.set_position(notation::parse(text, Some(size))?);
    engine.clear();
    let limits = Limits { depth: Some(depth), threads: usize::from(threads), ..Limits::default() };
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let context = Context { clock: &clock, start: Duration::ZERO, stop: &stop };
    engine.go(&limits, &context, &mut |_| {}).context("a bench position has no move")
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let mut signature = Signature::new();
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    let mut pairs = Vec::new();
    let mut progress = Progress::of((RuleKind::ALL.len() * POSITIONS.len()) as u64);
    for rule in RuleKind::ALL {
        let mut engine = Engine::new();
        engine.set_options(Options { rule, hash: Some(HASH), ..Options::default() });
        for position in POSITIONS {
            let (best, report) = search(&mut engine, position, args.depth, 1)?;
            let score = report.lines.first().context("the search gave no line")?.score;
            log::info!("{rule} {}: {best} {score}, {} nodes", position.1, report.nodes);
            elapsed += report.elapsed;
            nodes += report.nodes;
            for value in [report.nodes, best.index() as u64, score.0 as u64] {
                signature.add(value);
            }
            if let Some(threads) = args.threads {
                let (_, several) = search(&mut engine, position, args.depth, threads)?;
                log::info!("{rule} {}: {:?}, then {:?}", position.1, report.elapsed, several.elapsed);
                pairs.push((report, several));
            }
            progress.step();
        }
    }
    drop(progress);
    let nps = (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    let signature = signature.short();
    let several = args.threads.and_then(|threads| Several::of(threads, &pairs));
    let too_short = args.threads.is_some() && several.is_none();
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
    if too_short {
        bail!("no search takes a thread {} ms: a greater --depth is needed to compare", SHORTEST.as_millis());
    }
    Ok(Status::Done)
}
