//! `kagetsu bench`: fixed searches, for the speed and for a signature of what the search does.
//!
//! Positions, depth, memory and the single thread are fixed, so the number of nodes and the signature are the same on
//! every machine; they change exactly when the search changes.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::Status;
use super::batch::write_line;
use super::progress::Progress;
use crate::clock::{Clock, SystemClock};
use crate::engine::{Engine, Options};
use crate::game::{RuleKind, Size, notation};
use crate::search::{Context, Limits};

const DEPTH: u32 = 9;
const HASH: u64 = 16 << 20;

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
#[command(after_help = "Example:\n  kagetsu bench")]
pub struct Args {
    /// Depth of each search; the signature of another depth is another one
    #[arg(long, value_name = "D", default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
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

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let mut signature = Signature::new();
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    let mut progress = Progress::of((RuleKind::ALL.len() * POSITIONS.len()) as u64);
    for rule in RuleKind::ALL {
        let mut engine = Engine::new();
        engine.set_options(Options { rule, hash: Some(HASH), ..Options::default() });
        for (size, text) in POSITIONS {
            engine.set_position(notation::parse(text, Some(size))?);
            engine.clear();
            let limits = Limits { depth: Some(args.depth), threads: 1, ..Limits::default() };
            let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
            let context = Context { clock: &clock, start: Duration::ZERO, stop: &stop };
            let (best, report) =
                engine.go(&limits, &context, &mut |_| {}).context("a bench position has no move")?;
            let score = report.lines.first().context("the search gave no line")?.score;
            log::info!("{rule} {text}: {best} {score}, {} nodes", report.nodes);
            elapsed += clock.now();
            nodes += report.nodes;
            for value in [report.nodes, best.index() as u64, score.0 as u64] {
                signature.add(value);
            }
            progress.step();
        }
    }
    drop(progress);
    let nps = (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    let signature = signature.short();
    if args.json {
        write_line(out, &Answer { nodes, nps, ms: elapsed.as_millis(), signature })?;
    } else {
        writeln!(
            out,
            "nodes      {nodes}\ntime       {:.2} s\nnps        {nps}\nsignature  {signature}",
            elapsed.as_secs_f64()
        )?;
    }
    Ok(Status::Done)
}
