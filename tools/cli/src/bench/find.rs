//! `kagetsu bench find`: hard positions from games of the engine against itself.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::fill::{Wanted, Written, fill};
use kagetsu::eval::nets;
use kagetsu_console::Status;
use kagetsu_console::args::{BoardArgs, bytes, warn_of_hash};
use kagetsu_tools::arena::openings::{Notation, OpeningFile, Reader};
use kagetsu_tools::sift::settings::Pair;
use kagetsu_tools::suite::find::run::{Find, Searched};
use kagetsu_tools::suite::find::settings::{Effort, Settings};
use kagetsu_tools::{untrusted, words};

const HELP: &str = "\
Plays a game from each opening, until a search proves who wins. Then it goes back from the end
of the game, position by position, as long as a search of --long nodes proves the same result.
A position is hard if a search of --short nodes does not prove it. Each game gives at most two
hard positions. One is the position whose proof needed most nodes. The other is the one in which
the loser missed a win or a move that is better than all others by 200 (--compare), or without
such a mistake the last hard position of the game. The directory has the games searched, and
suite.txt, a list for 'kagetsu bench --suite'.

Examples:
  kagetsu bench find 100 --rule renju --openings book/openings/renju-15.txt --out renju-15
  kagetsu bench find 100 --rule freestyle --size 20 --openings book/openings/freestyle-20.txt \\
      --compare 0 --out freestyle-20
  kagetsu bench find 200 --resume renju-15";

/// The flags of a new run. A continued one takes all of them from its directory.
const OF_A_NEW_RUN: [&str; 10] =
    ["rule", "size", "openings", "games", "short", "long", "promise", "compare", "hash", "out"];

/// Find hard positions for a suite in games of the engine against itself
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Positions wanted
    #[arg(value_name = "N")]
    wanted: usize,
    #[command(flatten)]
    board: BoardArgs,
    /// Play from the openings of a list or game file
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    openings: Option<PathBuf>,
    /// Set the nodes for each move of the two sides in the games
    #[arg(long, value_name = "A:B", default_value = "40000:50000")]
    games: Pair,
    /// Call a position hard if a search of N nodes does not prove it
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    short: u64,
    /// Search for a proof with N nodes
    #[arg(long, value_name = "N", default_value_t = 4_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    long: u64,
    /// Search on after the short search only while one side is ahead by SCORE
    #[arg(long, value_name = "SCORE", default_value_t = 150, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(-30_000..=30_000))]
    promise: i32,
    /// Compare the two best moves by N nodes; 0 for no comparison
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    compare: u64,
    /// Set the memory of each search's tables; a search uses at most 64G
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = bytes)]
    hash: u64,
    /// Search T games side by side; the list does not depend on it
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Keep games and list in this new directory
    #[arg(long, value_name = "DIR", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Continue the run of this directory; all else but N and --threads is taken from there
    #[arg(long, value_name = "DIR", conflicts_with_all = OF_A_NEW_RUN)]
    resume: Option<PathBuf>,
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let mut find = match (&args.resume, &args.out) {
        (Some(directory), _) => Find::resume(directory)?,
        (None, Some(directory)) => Find::create(directory, args.settings()?)?,
        (None, None) => bail!("expected --out or --resume"),
    };
    let tally = |found: usize| format!("{found} of {} found", args.wanted);
    let wanted = Wanted { number: args.wanted, tally: &tally, source: "the openings" };
    let tell = |game: &Searched| {
        log::debug!("game {}: {}", game.number, words::count(game.found.len(), "position"));
    };
    fill(&mut find, &wanted, args.threads.into(), &tell, |find, lists| report(find, lists, out))
}

/// Says where the list is, and how many positions it has.
fn report(find: &Find, lists: &[Written], out: &mut dyn Write) -> Result<()> {
    let games = words::count(find.results().count(), "game");
    for (path, found) in lists {
        let line = format!("{}: {} of {games}", path.display(), words::count(*found, "hard position"));
        writeln!(out, "{}", untrusted::line(&line))?;
    }
    Ok(())
}

impl Args {
    /// Returns the settings of a new run.
    fn settings(&self) -> Result<Settings> {
        let file = self.openings.as_ref().context("expected --openings")?;
        let file = OpeningFile::open(file)?;
        let (rule, size) = crate::openings::board(&self.board, Some(&file), Notation::Auto)?;
        let reader = Reader { notation: Notation::Auto, plies: None, rule, size };
        let &Args { games, short, long, promise, compare, hash, .. } = self;
        warn_of_hash(hash);
        Ok(Settings {
            rule: rule.to_string(),
            size: size.side(),
            openings: reader.read_file(&file)?,
            games,
            effort: Effort { short, long, promise, compare, hash },
            net: nets::net(rule).name(),
        })
    }
}
