//! The engine and what it may use, shared by all jobs.

use std::sync::atomic::AtomicBool;

use kagetsu::book::Shelf;
use kagetsu::clock::SystemClock;
use kagetsu::engine::skill::FULL;
use kagetsu::engine::{Engine, Options};
use kagetsu_tools::study::{Means, engine_hash};

/// Most bytes for the tables of the weak engine: enough for the nodes of the highest level below full strength.
const WEAK_HASH: u64 = 16 << 20;

/// The engine and the resources that a job may use.
pub struct Resources {
    /// The engine with its transposition table and histories.
    pub engine: Engine,
    /// The engine of levels below full strength.
    weak: Engine,
    /// Threads of a search.
    pub threads: usize,
    /// Bytes for the tables.
    pub hash: u64,
    /// Clock that measures the time of a job.
    pub clock: SystemClock,
}

impl Resources {
    /// Creates an engine with these numbers of threads and of bytes for tables.
    pub fn new(threads: usize, hash: u64) -> Resources {
        let mut engine = Engine::new();
        engine.set_shelf(Shelf::BuiltIn);
        Resources { engine, weak: Engine::new(), threads, hash, clock: SystemClock::new() }
    }

    /// Sets the engine's options. The hash size is the same for all jobs, because a change of size would clear the tables.
    pub fn prepare(&mut self, options: Options) {
        self.engine.set_options(Options { hash: Some(engine_hash(self.hash)), ..options });
    }

    fn weak_hash(&self) -> u64 {
        (self.hash / 16).min(WEAK_HASH)
    }

    /// Returns the engine that plays at a level, with these options, and the clock. Below full strength it has learned
    /// nothing from analyses, hints and earlier moves: the same seed, level and position give the same move.
    pub fn player(&mut self, level: u8, options: Options) -> (&mut Engine, &SystemClock) {
        if level >= FULL {
            self.prepare(options);
            return (&mut self.engine, &self.clock);
        }
        let hash = Some(self.weak_hash());
        self.weak.set_options(Options { hash, ..options });
        self.weak.clear();
        (&mut self.weak, &self.clock)
    }

    /// Returns the limits of solvers: a part of the memory, no limit of time. Setting `stop` ends them.
    pub fn means<'a>(&self, stop: &'a AtomicBool) -> Means<'a> {
        let hash =
            usize::try_from(self.hash - engine_hash(self.hash) - self.weak_hash()).unwrap_or(usize::MAX / 2);
        Means { threads: self.threads, hash, nodes: None, time: None, stop, watch: &|_| {} }
    }
}
