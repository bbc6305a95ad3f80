//! Searches fixed positions, to measure the speed and a signature of the search.
//!
//! Positions, depth, memory and the single thread are fixed, so the number of nodes and the signature are the same on
//! every machine. They change exactly when the search changes. The gain from several threads is measured too.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use kagetsu::clock::SystemClock;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{Point, RuleKind, Size, notation};
use kagetsu::search::{Context, Limits, Report, nodes_per_second};

/// The depth whose signature commits name.
pub const DEPTH: u32 = 9;
const HASH: u64 = 16 << 20;
/// Shortest search that counts in the comparison of threads: shorter ones measure mostly their start.
pub const SHORTEST: Duration = Duration::from_millis(5);

/// Quiet and sharp positions for both tournament sizes; all rules search all of them.
const POSITIONS: [(Size, &str); 6] = [
    (Size::S15, "h8h9i8"),
    (Size::S15, "h8i9j10i8i10h10j9j11g11g12e11f10k8l7f11d11"),
    (Size::S15, "15/15/15/15/8o6/7xox5/7oxox4/7xox1o3/6oxx1o4/7ooxx4/7x2o4/15/15/15/15 x"),
    (Size::S20, "i19j19l19k17k16"),
    (Size::S20, "k10l11m10n10l9m8k8n11k11k9n9i6"),
    (Size::S20, "20/20/20/20/20/20/20/20/20/8x1x9/8ooox8/8xxox8/9ooox7/20/10x9/20/20/20/20/20 o"),
];

/// Number of searches by one thread: every rule searches every position.
pub const SEARCHES: usize = RuleKind::ALL.len() * POSITIONS.len();

/// Reason why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BenchError {
    /// A position of the bench is wrong.
    #[error("a bench position has no move")]
    Position,
    /// A search has given nothing.
    #[error("the search gave no line")]
    NoLine,
}

/// The result of all searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Nodes of one thread.
    pub nodes: u64,
    /// Time of one thread.
    pub elapsed: Duration,
    /// Hash of nodes, moves and scores: the same on every machine as long as the search is.
    pub signature: u32,
    /// Gain from several threads, if asked for and if some search was long enough to measure it.
    pub several: Option<Several>,
}

impl Measured {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.elapsed)
    }
}

/// The gain of several threads over one: geometric means over the searches that take one thread at least [`SHORTEST`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Several {
    /// Threads.
    pub threads: u16,
    /// Searches compared.
    pub compared: usize,
    /// Time to the same depth with one thread, divided by the time with [`Several::threads`].
    pub speedup: f64,
    /// Nodes a second with [`Several::threads`], divided by those with one thread.
    pub nps_ratio: f64,
}

impl Several {
    /// Compares reports on the same searches by one thread and by several; `None` if all are shorter than [`SHORTEST`].
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

/// Hash of the results of all searches, in order (FNV-1a over 64-bit words).
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

/// Searches a position to a depth, with cleared tables.
fn search(
    engine: &mut Engine,
    (size, text): (Size, &str),
    depth: u32,
    threads: u16,
) -> Result<(Point, Report), BenchError> {
    engine.set_position(notation::parse(text, Some(size)).map_err(|_| BenchError::Position)?);
    engine.clear();
    let limits = Limits { depth: Some(depth), threads: usize::from(threads), ..Limits::default() };
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let context = Context { clock: &clock, start: Duration::ZERO, stop: &stop };
    engine.go(&limits, &context, &mut |_| {}).ok_or(BenchError::Position)
}

/// Searches everything to a depth, and once more with several threads if that is asked for. `watch` is called after each
/// of the [`SEARCHES`].
///
/// # Errors
/// If a search gives nothing, which is a fault of the engine.
pub fn run(depth: u32, threads: Option<u16>, watch: &mut dyn FnMut()) -> Result<Measured, BenchError> {
    let mut signature = Signature::new();
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    let mut pairs = Vec::new();
    for rule in RuleKind::ALL {
        let mut engine = Engine::new();
        engine.set_options(Options { rule, hash: Some(HASH), ..Options::default() });
        for position in POSITIONS {
            let (best, report) = search(&mut engine, position, depth, 1)?;
            let score = report.lines.first().ok_or(BenchError::NoLine)?.score;
            log::info!("{rule} {}: {best} {score}, {} nodes", position.1, report.nodes);
            elapsed += report.elapsed;
            nodes += report.nodes;
            for value in [report.nodes, best.index() as u64, score.0 as u64] {
                signature.add(value);
            }
            if let Some(threads) = threads {
                let (_, several) = search(&mut engine, position, depth, threads)?;
                log::info!("{rule} {}: {:?}, then {:?}", position.1, report.elapsed, several.elapsed);
                pairs.push((report, several));
            }
            watch();
        }
    }
    let several = threads.and_then(|threads| Several::of(threads, &pairs));
    Ok(Measured { nodes, elapsed, signature: signature.short(), several })
}
