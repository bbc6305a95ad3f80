//! `kagetsu book build` and `kagetsu book import`: positions are judged on all cores and written to a part.
//!
//! What an interrupted build has found is not searched again, and nothing else: a build that is continued goes through the
//! same rounds and comes to the same content.

use crate::words;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::frontier::{Frontier, ROUND};
use super::judge::{Judge, Known};
use super::roots::{self, Roots};
use crate::args::BoardArgs;
use crate::progress::Progress;
use kagetsu::book::{Entry, Journal, Key, Recipe, Section};
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::engine::max_threads;
use kagetsu::eval::nets;
use kagetsu::game::{Point, RuleKind, Size};
use kagetsu_tools::selfplay::run::Shard;

/// The arguments of `build`.
#[derive(clap::Args)]
#[command(after_help = "\
Needs a budget: --positions, --time or --loss. Give the same command again after an interruption. The parts of several
machines, made with the same --loss and a --shard each, are joined by merge.

Example:
  kagetsu book build renju.part --rule renju --positions 2000 --roots my-openings.txt")]
pub struct Build {
    #[command(flatten)]
    common: Common,
    /// So many positions
    #[arg(long, value_name = "N", required_unless_present_any = ["time", "loss"])]
    positions: Option<usize>,
    /// Time for the whole build, as 90m
    #[arg(long, value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// All positions up to this expected loss: 15 for each move, and what the opponent's moves lose
    #[arg(long, value_name = "UNITS", value_parser = clap::value_parser!(i32).range(0..))]
    loss: Option<i32>,
    /// Also begin with the last positions of the games of FILE, in any format that convert reads
    #[arg(long, value_name = "FILE")]
    roots: Vec<PathBuf>,
    /// Only the beginnings I, I+N, I+2N, ... of them all
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
}

/// The arguments of `import`.
#[derive(clap::Args)]
#[command(after_help = "\
What the file says of its moves is not taken on trust: every position from which a move leads to another
of the file is judged as in a build, these moves beside those that the search finds.

Example:
  kagetsu book import my.part library.lib --rule renju")]
pub struct Import {
    #[command(flatten)]
    common: Common,
    /// The files: RenLib libraries, SGF, Yixin's databases, or any other format that convert reads
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(clap::Args)]
struct Common {
    /// The part to make, or to go on with
    #[arg(value_name = "PART")]
    out: PathBuf,
    #[command(flatten)]
    board: BoardArgs,
    /// Nodes of the first search of a position; the moves it finds are agreed to by searches with four times as many,
    /// and reviewed by some with twenty times as many
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    nodes: u64,
    /// Positions side by side [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Common {
    fn size(&self) -> Size {
        self.board.size.unwrap_or(Size::S15)
    }
}

/// What became of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Positions that the part had.
    pub found: usize,
    /// Positions judged now.
    pub made: usize,
    /// Whether it came to its end.
    pub whole: bool,
}

impl Build {
    /// Builds until the budget is used or `stop` is set.
    pub fn run(&self, stop: &Arc<AtomicBool>) -> Result<Done> {
        let (rule, size) = (self.common.board.rule(), self.common.size());
        let mut roots = roots::natural(size);
        for path in &self.roots {
            roots::ends(path, rule, size, &mut roots)?;
        }
        let in_shard = |n: &usize| *n as u64 % self.shard.of == self.shard.index;
        let roots = (0..).zip(roots).filter(|(n, _)| in_shard(n)).map(|(_, root)| root).collect();
        let (loss, positions) = (self.loss.unwrap_or(i32::MAX), self.positions.unwrap_or(usize::MAX));
        Site::open(&self.common, stop)?.build(&roots, loss, positions, self.time)
    }
}

impl Import {
    /// Judges the positions of the files until all are judged or `stop` is set.
    pub fn run(&self, stop: &Arc<AtomicBool>) -> Result<Done> {
        let (rule, size) = (self.common.board.rule(), self.common.size());
        let roots = roots::libraries(&self.files, rule, size)?;
        if roots.is_empty() {
            bail!("no move leads on from any position of the files");
        }
        Site::open(&self.common, stop)?.build(&roots, 0, usize::MAX, None)
    }
}

/// How entries of this rule and size are made with the nets in use.
pub fn recipe(rule: RuleKind, size: Size) -> Recipe {
    Recipe::new(rule, size, &nets::net(rule).name())
}

/// A part in work.
struct Site<'a> {
    journal: Journal,
    /// What the part had.
    found: Section,
    judges: Vec<Judge>,
    nodes: u64,
    stop: &'a AtomicBool,
    clock: SystemClock,
}

impl Site<'_> {
    fn open<'a>(common: &Common, stop: &'a Arc<AtomicBool>) -> Result<Site<'a>> {
        let (rule, size) = (common.board.rule(), common.size());
        let (journal, found) = Journal::open(&common.out, &recipe(rule, size))
            .with_context(|| common.out.display().to_string())?;
        let known = Arc::new(Known::default());
        let judge = |_| Judge::new(rule, size, common.nodes, Arc::clone(&known), Arc::clone(stop));
        let judges = (0..common.threads.map_or_else(max_threads, usize::from)).map(judge).collect();
        Ok(Site { journal, found, judges, nodes: common.nodes, stop, clock: SystemClock::new() })
    }

    fn build(mut self, roots: &Roots, loss: i32, positions: usize, time: Option<Duration>) -> Result<Done> {
        let mut frontier = Frontier::new(self.found.size, loss, roots.keys().cloned());
        let known = u64::try_from(positions).ok().filter(|_| positions < usize::MAX);
        let mut progress = known.map_or_else(Progress::open_ended, Progress::of);
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
                match self.found.entries.get(&key).filter(|entry| self.suffices(&key, entry, roots)) {
                    Some(entry) => {
                        done.found += 1;
                        progress.step();
                        learned.push((key, entry.clone()));
                    }
                    None => missing.push(key),
                }
            }
            learned.extend(self.judge(&missing, roots, time, &mut || progress.step())?);
            done.made += learned.len() + missing.len() - count;
            if learned.len() < count {
                return Ok(done);
            }
            for (key, entry) in learned {
                frontier.learn(key, entry);
            }
            progress.say(|| words::count(frontier.entries().len(), "position"));
        }
    }

    /// Whether what the part had of a position stands: it is from longer searches, or as much as would be found now.
    fn suffices(&self, key: &Key, entry: &Entry, roots: &Roots) -> bool {
        let hints = roots.get(key).map_or(&[][..], Vec::as_slice);
        let knows = || self.judges.first().is_none_or(|judge| judge.has_judged(key, entry, hints));
        entry.nodes > self.nodes || entry.nodes == self.nodes && knows()
    }

    /// Judges positions side by side and writes down what is found; fewer than asked for if time is over.
    fn judge(
        &mut self,
        keys: &[Key],
        roots: &Roots,
        time: Option<Duration>,
        step: &mut dyn FnMut(),
    ) -> Result<Vec<(Key, Entry)>> {
        let next = AtomicUsize::new(0);
        let (stop, clock, journal) = (self.stop, &self.clock, &mut self.journal);
        let is_over = || stop.load(Ordering::Relaxed) || time.is_some_and(|time| clock.now() >= time);
        std::thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for judge in &mut self.judges {
                let (sender, next, is_over) = (sender.clone(), &next, &is_over);
                scope.spawn(move || {
                    while !is_over()
                        && let Some(key) = keys.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let hints: &[Point] = roots.get(key).map_or(&[], Vec::as_slice);
                        let Some(entry) = judge.entry(key, hints) else { break };
                        if sender.send((key.clone(), entry)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut learned = Vec::with_capacity(keys.len());
            for (key, entry) in results {
                journal.append(&key, &entry)?;
                step();
                learned.push((key, entry));
            }
            Ok(learned)
        })
    }
}
