//! `kagetsu selfplay`: games of the engine against itself, for training.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use kagetsu_console::args::NewBoardArgs;
use kagetsu_console::output::{OutArgs, file_names};
use kagetsu_console::progress::Progress;
use kagetsu_console::{Status, interrupt};
use kagetsu_tools::selfplay::finished::checked;
use kagetsu_tools::selfplay::game::Ending;
use kagetsu_tools::selfplay::join;
use kagetsu_tools::selfplay::play::Recipe;
use kagetsu_tools::selfplay::run::{Collection, Order, Shard};
use kagetsu_tools::selfplay::stats::Stats;
use kagetsu_tools::selfplay::store::{self, Reader};
use kagetsu_tools::selfplay::task::Task;
use kagetsu_tools::timing::span;
use kagetsu_tools::untrusted::{self, Line};
use kagetsu_tools::words;

const HELP: &str = "\
make, explore and relabel continue a file that exists: give the same command again after an
interruption. Several machines make a set together by --shard; merge joins their files.

Examples:
  kagetsu selfplay make renju.games --rule renju --games 20000 --nodes 3000
  kagetsu selfplay make part0.games --rule renju --games 20000 --shard 0/4
  kagetsu selfplay merge renju.games part0.games part1.games part2.games part3.games
  kagetsu selfplay explore renju.games explored.games --samples 4
  kagetsu selfplay relabel explored.games relabelled.games --nodes 20000
  kagetsu selfplay stats renju.games";

const EXPLORE_HELP: &str = "\
A sample is the position after a walk of 1 to 5 random moves from a position of the game,
or, with --tree, a position that a search evaluates. Positions in which a side wins at once
give none. OUT has the games of FILE with the samples of FILE and the new ones. The trainer
reads OUT instead of FILE. FILE may have samples of other seeds: a stronger net adds better
ones.

Example:
  kagetsu selfplay explore renju.games explored.games --samples 4 --nodes 300";

const RELABEL_HELP: &str = "\
Relabels the positions and exploration samples where the net's evaluation and the
recorded score differ by more than a logit. OUT has the games of FILE with the new scores
and moves. The trainer reads OUT instead of FILE.

Example:
  kagetsu selfplay relabel explored.games relabelled.games --share 15 --nodes 20000";

const COMBINE_HELP: &str = "\
OUT has the games of GAMES with their own samples and those that each EXPLORED adds. A
sample that occurs twice counts twice in training.

Examples:
  kagetsu selfplay explore renju.games walks.games --samples 4
  kagetsu selfplay explore renju.games tree.games --tree 2000 --samples 2 --seed 2
  kagetsu selfplay combine all.games renju.games walks.games tree.games tree.games";

/// Make games of the engine against itself, for training
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make games, or continue a file
    #[command(after_help = "Example:\n  kagetsu selfplay make renju.games --rule renju --games 20000")]
    Make(Make),
    /// Add exploration samples to finished games: scores of positions off the line of play
    #[command(after_help = EXPLORE_HELP)]
    Explore(Explore),
    /// Search positions of finished games again and deeper, where net and search disagree
    #[command(after_help = RELABEL_HELP)]
    Relabel(Relabel),
    /// Count games, results, moves and scores
    #[command(after_help = "Example:\n  kagetsu selfplay stats renju.games")]
    Stats(Files),
    /// Check every block and every move of a file
    #[command(after_help = "Example:\n  kagetsu selfplay verify renju.games")]
    Verify(Files),
    /// Join files of the same set; a game that is in several is kept once
    #[command(
        after_help = "Example:\n  kagetsu selfplay merge all.games --games 20000 part0.games part1.games"
    )]
    Merge(Merge),
    /// Join the exploration samples that several files have of the same games
    #[command(after_help = COMBINE_HELP)]
    Combine(Combine),
}

#[derive(clap::Args)]
struct Make {
    /// The file of games, to make or to continue
    #[arg(value_name = "FILE", value_parser = file_names())]
    out: PathBuf,
    #[command(flatten)]
    board: NewBoardArgs,
    /// Make N games in the whole set
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Begin no further iteration after N nodes
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Set the seed; each gives another set of games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    seed: u64,
    /// Make only the games I, I+N, I+2N, ... of the set
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    #[command(flatten)]
    work: Work,
}

#[derive(clap::Args)]
struct Explore {
    /// The games
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// The file for the games with samples
    #[arg(value_name = "OUT", value_parser = file_names())]
    out: PathBuf,
    /// Add up to N samples for each position of a game
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=200))]
    samples: u8,
    /// Draw the samples from the positions that a search of N nodes evaluates, not from random walks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    tree: Option<u64>,
    /// Begin no further iteration of a sample's search after N nodes
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Set the seed; each gives other samples
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 32))]
    seed: u64,
    #[command(flatten)]
    work: Work,
}

#[derive(clap::Args)]
struct Relabel {
    /// The games
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// The file for the games with new labels
    #[arg(value_name = "OUT", value_parser = file_names())]
    out: PathBuf,
    /// Relabel at most P per cent of a game's positions, those with the largest differences
    #[arg(long, value_name = "P", default_value_t = 15, value_parser = clap::value_parser!(u8).range(1..=100))]
    share: u8,
    /// Begin no further iteration of a search after N nodes
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    work: Work,
}

/// Flags of the work on a file of games.
#[derive(clap::Args)]
struct Work {
    /// Work on T games side by side [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write finished games after this time at the latest; a kill loses the waiting ones, an interrupt does not
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = span)]
    save_every: Duration,
}

#[derive(clap::Args)]
struct Files {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(clap::Args)]
struct Merge {
    /// The file to make
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// The files to join
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    /// Fail if one of the games 0 to N-1 is missing
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    #[command(flatten)]
    output: OutArgs,
}

#[derive(clap::Args)]
struct Combine {
    /// The file to make
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// The games that were explored
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// The games with samples, as 'explore' makes them from GAMES; a file given twice counts twice
    #[arg(value_name = "EXPLORED", required = true)]
    explored: Vec<PathBuf>,
    #[command(flatten)]
    output: OutArgs,
}

impl Args {
    /// Returns whether the command searches.
    pub fn uses_net(&self) -> bool {
        matches!(self.command, Command::Make(_) | Command::Explore(_) | Command::Relabel(_))
    }
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    match &args.command {
        Command::Make(args) => fill(&args.out, args.task(), &args.work, out),
        Command::Explore(args) => fill(&args.out, args.task()?, &args.work, out),
        Command::Relabel(args) => fill(&args.out, args.task()?, &args.work, out),
        Command::Stats(args) => stats(args, out),
        Command::Verify(args) => verify(args, out),
        Command::Merge(args) => merge(args, out),
        Command::Combine(args) => combine(args, out),
    }
}

impl Make {
    fn task(&self) -> Task {
        let NewBoardArgs { rule, size } = self.board;
        Task::play(Recipe { rule, size, nodes: self.nodes, seed: self.seed }, self.shard, self.games)
    }
}

impl Explore {
    fn task(&self) -> Result<Task> {
        Task::explore(&self.games, self.samples, self.tree, self.nodes, self.seed)
    }
}

impl Relabel {
    fn task(&self) -> Result<Task> {
        Task::relabel(&self.games, self.share, self.nodes)
    }
}

/// Makes the games of a task that a file does not have yet.
fn fill(path: &Path, task: Task, work: &Work, out: &mut dyn Write) -> Result<Status> {
    let Task { head, numbers, maker } = task;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = work.threads.map_or_else(cores, usize::from);
    let order = Order { numbers, threads, patience: work.save_every };
    let mut collection = Collection::open(path, &head)?;
    if collection.cut > 0 {
        log::warn!("{}: {} bytes of an unfinished block were cut off", path.display(), collection.cut);
    }
    // Signals are caught from here on: a command that still reads a large file, for minutes, is ended by one.
    let stop = interrupt::flag()?;
    let found = collection.len();
    let mut progress = Progress::of(collection.missing(&order));
    let made = collection.fill(&order, maker, &stop, &mut |game| {
        log::debug!("game {} is finished", game.number);
        progress.step();
    })?;
    drop(progress);
    let told = writeln!(out, "{} there before, {made} made", words::count(found, "game"));
    // An unfinished set counts as failed, even if nobody reads the output any more.
    let missing = collection.missing(&order);
    if missing > 0 {
        bail!("interrupted: {} to be made; run the same command to continue", words::count(missing, "game"));
    }
    told?;
    Ok(Status::Done)
}

/// Prints the statistics of a file of this length in bytes.
fn print(stats: &Stats, length: u64, out: &mut dyn Write) -> Result<()> {
    let Stats { games, wins: [black, white], opening, samples, .. } = *stats;
    let (drawn, searched) = (stats.drawn(), stats.searched());
    writeln!(
        out,
        "{}: Black won {black}, White {white}, drawn {drawn} ({:.1} %)",
        words::count(games, "game"),
        percentage(drawn, games)
    )?;
    let ended = |ending| percentage(stats.ended(ending), games);
    writeln!(
        out,
        "ends: proven {:.1} %, five {:.1} %, full board {:.1} %, adjudicated {:.1} %",
        ended(Ending::Proven),
        ended(Ending::Five),
        ended(Ending::Full),
        ended(Ending::Adjudicated)
    )?;
    writeln!(
        out,
        "{} searched ({:.1} a game) after {:.1} opening stones, {:.1} % of moves varied; {}; {:.2} bytes a position",
        words::count(searched, "position"),
        quotient(searched, games),
        quotient(opening, games),
        percentage(stats.varied, searched),
        words::count(samples, "exploration sample"),
        quotient(length, searched)
    )?;
    Ok(())
}

/// Returns a quotient; 0 where there is nothing to divide by.
fn quotient(n: u64, of: u64) -> f64 {
    n as f64 / of.max(1) as f64
}

fn percentage(n: u64, of: u64) -> f64 {
    100.0 * quotient(n, of)
}

fn stats(args: &Files, out: &mut dyn Write) -> Result<Status> {
    for path in &args.files {
        let reader = Reader::open(path)?;
        let head = serde_json::to_string(reader.head())?;
        writeln!(out, "{}: {}", Line(path.display()), untrusted::json(&head))?;
        let length = path.metadata()?.len();
        let mut stats = Stats::default();
        for game in reader {
            stats.add(&game?);
        }
        print(&stats, length, out)?;
    }
    Ok(Status::Done)
}

fn verify(args: &Files, out: &mut dyn Write) -> Result<Status> {
    for path in &args.files {
        let (_, mut games) = checked(path)?;
        let count = games.try_fold(0u64, |count, game| game.map(|_| count + 1))?;
        writeln!(out, "{}: {}, all right", Line(path.display()), words::count(count, "game"))?;
    }
    Ok(Status::Done)
}

fn merge(args: &Merge, out: &mut dyn Write) -> Result<Status> {
    let output =
        args.output.output(&args.out).context("expected FILE, the file to make, as the first argument")?;
    let (head, games) = join::merge(&args.parts, args.games.unwrap_or(0))?;
    output.fill(|file| Ok(store::write(&head, &games, file)?))?;
    writeln!(out, "{}", words::count(games.len(), "game"))?;
    Ok(Status::Done)
}

fn combine(args: &Combine, out: &mut dyn Write) -> Result<Status> {
    let output =
        args.output.output(&args.out).context("expected OUT, the file to make, as the first argument")?;
    let (head, games) = join::combine(&args.games, &args.explored)?;
    output.fill(|file| Ok(store::write(&head, &games, file)?))?;
    let samples: usize = games.iter().flat_map(|game| &game.plies).map(|ply| ply.samples.len()).sum();
    writeln!(out, "{}, {}", words::count(games.len(), "game"), words::count(samples, "exploration sample"))?;
    Ok(Status::Done)
}
