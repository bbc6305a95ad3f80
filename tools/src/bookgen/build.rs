//! Builds a part of a book: judges positions on all cores and appends each to the part at once.
//!
//! An interruption loses only the searches in progress. A continued build goes through the same rounds and reaches the
//! same content.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;

use super::frontier::{Frontier, ROUND};
use super::judge::{Judge, Known};
use super::recipe;
use super::roots::Roots;
use crate::jobs;
use kagetsu::book::{self, Entry, Journal, Key, Section};
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Point, RuleKind, Size};

/// Settings of a build: rule and board, the searches of a position, and the number of threads.
#[derive(Clone, Copy, Debug)]
pub struct BuildSettings {
    /// The rule.
    pub rule: RuleKind,
    /// The board.
    pub size: Size,
    /// Nodes of the first search of a position.
    pub nodes: u64,
    /// Positions side by side.
    pub threads: usize,
}

/// Limits of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// No position is judged whose expected loss is larger.
    pub loss: i32,
    /// Positions at most, those that the part had included.
    pub positions: usize,
    /// Time at most.
    pub time: Option<Duration>,
}

/// News of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// One more position is known: judged now, or before.
    Known,
    /// A round has ended, with this number of positions in all.
    Round(usize),
}

/// The outcome of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Positions that the part had.
    pub found: usize,
    /// Positions judged now.
    pub made: usize,
    /// Whether it came to its end.
    pub whole: bool,
}

/// A part of a book that is being built.
pub struct PartBuild<'a> {
    journal: Journal,
    /// The entries that the part had, those that the build has not come to yet.
    found: Section,
    judges: Vec<Judge>,
    nodes: u64,
    stop: &'a AtomicBool,
    clock: SystemClock,
}

impl PartBuild<'_> {
    /// Opens the part at `path`, or makes it. Once `stop` is set, the build ends soon.
    ///
    /// # Errors
    /// If the file cannot be read or written, or belongs to another rule, size or evaluation.
    pub fn open<'a>(
        path: &Path,
        settings: &BuildSettings,
        stop: &'a Arc<AtomicBool>,
    ) -> Result<PartBuild<'a>> {
        let &BuildSettings { rule, size, nodes, threads } = settings;
        let (journal, found) = Journal::open(path, &recipe(rule, size)).map_err(|error| {
            // Errors of reading and writing name the file already.
            let is_named = matches!(error, book::Error::Io(..));
            let error = anyhow::Error::from(error);
            if is_named { error } else { error.context(path.display().to_string()) }
        })?;
        let known = Arc::new(Known::default());
        let judge = |_| Judge::new(rule, size, nodes, Arc::clone(&known), Arc::clone(stop));
        let judges = (0..threads.max(1)).map(judge).collect();
        Ok(PartBuild { journal, found, judges, nodes, stop, clock: SystemClock::new() })
    }

    /// Judges positions from these roots on until a limit is reached.
    ///
    /// # Errors
    /// If the part cannot be written.
    pub fn build(mut self, roots: &Roots, extent: &Extent, watch: &mut dyn FnMut(Event)) -> Result<Done> {
        let &Extent { loss, positions, time } = extent;
        let mut frontier = Frontier::new(self.found.size, loss, roots.keys().cloned());
        let mut done = Done::default();
        loop {
            let round = frontier.round(ROUND.min(positions - frontier.entries().len()));
            if round.is_empty() {
                return Ok(Done { whole: true, ..done });
            }
            let mut missing = Vec::new();
            let count = round.len();
            let mut learned = Vec::with_capacity(count);
            for key in round {
                // Taken out: the frontier keeps what is learned, and no position comes twice.
                match self.found.entries.remove(&key).filter(|entry| self.suffices(&key, entry, roots)) {
                    Some(entry) => {
                        done.found += 1;
                        watch(Event::Known);
                        learned.push((key, entry));
                    }
                    None => missing.push(key),
                }
            }
            learned.extend(self.judge(&missing, roots, time, watch)?);
            done.made += learned.len() + missing.len() - count;
            if learned.len() < count {
                return Ok(done);
            }
            for (key, entry) in learned {
                frontier.learn(key, entry);
            }
            watch(Event::Round(frontier.entries().len()));
        }
    }

    /// Returns whether an entry of the part need not be judged again: its searches were longer, or they were as long and
    /// every hint was judged.
    fn suffices(&self, key: &Key, entry: &Entry, roots: &Roots) -> bool {
        let hints = roots.get(key).map_or(&[][..], Vec::as_slice);
        let knows = || self.judges.first().is_none_or(|judge| judge.has_judged(key, entry, hints));
        entry.nodes > self.nodes || entry.nodes == self.nodes && knows()
    }

    /// Judges positions side by side and writes the entries; fewer than asked for if time is over.
    fn judge(
        &mut self,
        keys: &[Key],
        roots: &Roots,
        time: Option<Duration>,
        watch: &mut dyn FnMut(Event),
    ) -> Result<Vec<(Key, Entry)>> {
        let (stop, clock, journal) = (self.stop, &self.clock, &mut self.journal);
        let is_over = || stop.load(Ordering::Relaxed) || time.is_some_and(|time| clock.now() >= time);
        let threads = self.judges.len();
        let judges = Mutex::new(self.judges.iter_mut());
        // Each thread takes one of the judges and keeps it.
        let judge = || judges.lock().ok().and_then(|mut judges| judges.next());
        let work = |judge: &mut Option<&mut Judge>, key: &Key| {
            let hints: &[Point] = roots.get(key).map_or(&[], Vec::as_slice);
            let judge = judge.as_mut().filter(|_| !is_over())?;
            Some((key.clone(), judge.entry(key, hints)?))
        };
        jobs::side_by_side(threads, keys.iter(), judge, work, |results| {
            let mut learned = Vec::with_capacity(keys.len());
            for (key, entry) in results {
                journal.append(&key, &entry)?;
                watch(Event::Known);
                learned.push((key, entry));
            }
            Ok(learned)
        })?
    }
}
