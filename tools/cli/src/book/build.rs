//! `kagetsu book build` and `kagetsu book import`: the flags of a build, and its line of progress.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, bail};

use kagetsu::engine::max_threads;
use kagetsu_console::args::{GameLimits, NewBoardArgs};
use kagetsu_console::output::file_names;
use kagetsu_console::progress::Progress;
use kagetsu_tools::bookgen::build::{BuildSettings, Done, Event, Extent, PartBuild};
use kagetsu_tools::bookgen::roots::{self, Roots};
use kagetsu_tools::selfplay::run::Shard;
use kagetsu_tools::timing::span;
use kagetsu_tools::words;

/// The arguments of `build`.
#[derive(clap::Args)]
#[command(after_help = "\
One limit at least is needed: --positions, --time or --loss. After an interruption the same
command continues. Several machines build with the same --loss and a --shard each, and merge
joins their parts.

Example:
  kagetsu book build renju.part --rule renju --positions 2000 --roots my-openings.txt")]
#[command(group(clap::ArgGroup::new("budget").args(["positions", "time", "loss"]).required(true).multiple(true)))]
pub struct Build {
    #[command(flatten)]
    common: Common,
    /// Stop after N positions
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Limit the time of the whole build, e.g. 90m
    #[arg(long, value_parser = span)]
    time: Option<Duration>,
    /// Stop after all positions whose expected loss is at most UNITS: 15 for each move that leads there, and the score that
    /// these moves lose against the best ones
    #[arg(long, value_name = "UNITS", value_parser = clap::value_parser!(i32).range(0..))]
    loss: Option<i32>,
    /// Also begin with the last positions of the games of FILE, in any format that convert reads
    #[arg(long, value_name = "FILE")]
    roots: Vec<PathBuf>,
    /// Begin only at the roots I, I+N, I+2N, ... of all
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
}

/// The arguments of `import`.
#[derive(clap::Args)]
#[command(after_help = "\
The assessments in the files are not used. Every position from which a move leads to
another position of the files is judged as in a build; these moves are judged beside
those that the search finds.

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
    /// Part to make or to continue
    #[arg(value_name = "PART", value_parser = file_names())]
    out: PathBuf,
    #[command(flatten)]
    board: NewBoardArgs,
    /// Set the nodes of the first search of a position; searches with four times as many confirm its moves, and searches
    /// with twenty times as many review them
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    nodes: u64,
    /// Judge T positions side by side [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    limits: GameLimits,
}

impl Common {
    /// Builds from these roots, with a line of progress.
    fn build(&self, roots: &Roots, extent: &Extent, stop: &Arc<AtomicBool>) -> Result<Done> {
        let threads = self.threads.map_or_else(max_threads, usize::from);
        let NewBoardArgs { rule, size } = self.board;
        let settings = BuildSettings { rule, size, nodes: self.nodes, threads };
        let build = PartBuild::open(&self.out, &settings, stop)?;
        let known = u64::try_from(extent.positions).ok().filter(|_| extent.positions < usize::MAX);
        let mut progress = known.map_or_else(Progress::open_ended, Progress::of);
        build.build(roots, extent, &mut |event| match event {
            Event::Known => progress.step(),
            Event::Round(positions) => progress.say(|| words::count(positions, "position")),
        })
    }
}

impl Build {
    /// Returns the positions to begin with.
    pub fn roots(&self) -> Result<Roots> {
        let NewBoardArgs { rule, size } = self.common.board;
        let mut roots = roots::natural(size);
        for path in &self.roots {
            roots::ends(path, rule, size, self.common.limits.limits(), &mut roots)?;
        }
        Ok((0..).zip(roots).filter(|&(n, _)| self.shard.has(n)).map(|(_, root)| root).collect())
    }

    /// Builds from these roots until the budget is used or `stop` is set.
    pub fn run(&self, roots: &Roots, stop: &Arc<AtomicBool>) -> Result<Done> {
        let (loss, positions) = (self.loss.unwrap_or(i32::MAX), self.positions.unwrap_or(usize::MAX));
        self.common.build(roots, &Extent { loss, positions, time: self.time }, stop)
    }
}

impl Import {
    /// Returns the positions of the files that have a move.
    pub fn roots(&self) -> Result<Roots> {
        let NewBoardArgs { rule, size } = self.common.board;
        let roots = roots::libraries(&self.files, rule, size, self.common.limits.limits())?;
        if roots.is_empty() {
            bail!("no move leads on from any position of the files");
        }
        Ok(roots)
    }

    /// Judges these positions until all are judged or `stop` is set.
    pub fn run(&self, roots: &Roots, stop: &Arc<AtomicBool>) -> Result<Done> {
        self.common.build(roots, &Extent { loss: 0, positions: usize::MAX, time: None }, stop)
    }
}
