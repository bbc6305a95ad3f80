//! `kagetsu play`: a game against the engine in the terminal.
//!
//! The game, its opponent, its file and the commands are those of [`kagetsu_tools::table`]. [`screen`] plays on a whole
//! terminal with a cursor, [`plain`] line by line.

mod editor;
mod plain;
mod screen;
mod view;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::regulation::{ACTIONS, REGULATIONS};
use kagetsu::book::Shelf;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::engine::{max_threads, skill};
use kagetsu::game::regulation::Regulation;
use kagetsu::game::{Color, Endings, Position, Reading, Size, notation};
use kagetsu_console::args::{BoardArgs, BookArgs, FileArgs, bytes, colors, warn_of_hash};
use kagetsu_console::ends::{EndArgs, SETS};
use kagetsu_console::interrupt::Interruptible;
use kagetsu_console::output::{OutArgs, Output};
use kagetsu_console::usage::WrongUsage;
use kagetsu_console::{Status, input};
use kagetsu_tools::output::Permit;
use kagetsu_tools::table::{Opponent, Session, Table, Terms, save};
use kagetsu_tools::timing::{Byoyomi, Control, Timing, duration};
use kagetsu_tools::untrusted;

const HELP: &str = "\
Move the cursor with the arrow keys and play with enter, or type a point; pass,
undo, hint, draw, level N, resign, save FILE and quit are typed as words. Esc or ctrl-u
clears the line, ctrl-w takes a word off it, ctrl-p and ctrl-n fetch back what was
typed before. Without a terminal the same words are read from stdin, one a line.

Where draws by agreement are allowed (--agreement, or --ends rif), draw offers one;
accept and refuse answer an offer, and playing on refuses it. The engine answers
by the search of its last move: it accepts when its expected score is 40 % or less,
or 52 % once a third of the board is full. It offers a draw when a third of the
board is full and its expected score was between 45 and 55 % for five moves, and
again ten moves later.

A side that has used up its --time has lost, unless there is --byoyomi: with 3x30s
it has three periods of 30 s then. A move within 30 s costs nothing, each whole
30 s used costs a period, and with the last one the game is lost.

The engine plays from the opening book at level 100 alone, and only where a search of the
move would have at most twenty times the nodes of a search that made the book.

With --opening-rule both players go through an opening first. You are asked what
you want to do at each step, and answer with one of these; the space bar writes
the cursor's point:";

const EXAMPLES: &str = "\
Examples:
  kagetsu play
  kagetsu play --side white --level 30 --time 10m --increment 5s
  kagetsu play --opening-rule taraguchi:10
  kagetsu play --opening-rule swap2 --rule freestyle --side white
  kagetsu play --time 1h --byoyomi 3x30s --ends rif
  kagetsu play --control 40/1h --increment 10s
  kagetsu play 'D4 g9' --save game.sgf
  kagetsu play --two --time 20m";

/// Printed below the flags.
fn help() -> String {
    format!("{HELP}{ACTIONS}\n\n{REGULATIONS}\n\n{SETS}\n\n{EXAMPLES}")
}

/// Play against the engine
#[derive(clap::Args)]
#[command(after_help = help())]
#[command(mut_arg("force", |flag| flag.requires("save")))]
pub struct Args {
    /// Position to begin with [default: the empty board]
    #[arg(value_name = "POS")]
    position: Option<String>,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    file: FileArgs,
    /// Begin with an opening by one of the regulations below
    #[arg(long, value_name = "REGULATION", conflicts_with = "position")]
    opening_rule: Option<Regulation>,
    /// Choose your side; with --opening-rule that at the start of the opening
    #[arg(long, default_value = "black", ignore_case = true, value_parser = colors())]
    side: Color,
    /// Let two people play at one board; the engine only gives hints
    #[arg(long, conflicts_with_all = ["side", "level", "book", "no_book", "seed"])]
    two: bool,
    /// Set the engine's strength, 0 to 100
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u8).range(0..=100))]
    level: u8,
    #[command(flatten)]
    clocks: ClockArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// Allow draws by agreement, as --ends rif does
    #[arg(long)]
    agreement: bool,
    /// Write the game to FILE at the end
    #[arg(long, value_name = "FILE")]
    save: Option<String>,
    #[command(flatten)]
    output: OutArgs,
    #[command(flatten)]
    book: BookArgs,
    /// Play without the opening book, as levels below 100 always do
    #[arg(long, conflicts_with = "book")]
    no_book: bool,
    /// Set the seed of the engine's choices [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Let the engine use T threads [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Set the memory of the engine's tables, e.g. 256M or 2G; a search uses at most 64G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = bytes)]
    hash: u64,
}

#[derive(clap::Args)]
#[group(multiple = true)]
struct ClockArgs {
    /// Give each side this time for the whole game, at most a day, e.g. 10m [default: no clocks]
    #[arg(long, value_parser = duration)]
    time: Option<Duration>,
    /// Add this time to a side's clock after each of its moves, e.g. 5s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    increment: Option<Duration>,
    /// Control points: add TIME after each MOVES moves of a side, e.g. 40/1h
    #[arg(long, value_name = "MOVES/TIME")]
    control: Option<Control>,
    /// Byo-yomi: set the time for each move once all other time is used up, e.g. 30s or 3x30s
    #[arg(long, value_name = "[PERIODSx]TIME")]
    byoyomi: Option<Byoyomi>,
}

impl ClockArgs {
    /// Returns the time of each side, if there are clocks.
    fn timing(&self) -> Result<Option<Timing>> {
        let timing = Timing::of(self.time, self.increment.unwrap_or_default(), self.control, self.byoyomi);
        ensure!(
            timing.is_some() || self.increment.is_none(),
            WrongUsage::new("--increment: expected --time, --control or --byoyomi with it")
        );
        Ok(timing)
    }
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    let session = session(args, clock.now())?;
    let session = if args.two { session.for_two() } else { session };
    if let Some(end) = session.end() {
        return Err(anyhow!("the game is over: {end}"));
    }
    // This handler is set before the file is probed: outside Linux the probe sets one that ends the process at once, and the
    // game would be lost.
    let stop = kagetsu_console::interrupt::flag()?;
    if let Some(name) = &args.save {
        save::format(name).map_err(WrongUsage::new)?;
        // Features that the file cannot hold are reported before the game, not at its end.
        save::check(&session, name)?;
        args.output.output(Path::new(name))?.probe()?;
    }
    // The standard library seeds its hash maps differently in each run.
    let seed = args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let threads = args.threads.map_or_else(max_threads, usize::from);
    let shelf = match &args.book.book {
        _ if args.no_book => Shelf::Empty,
        // A wrong file is reported before the game. The engine alone would go on without a book.
        Some(_) => Shelf::of(super::book::open(&args.book)?),
        None => Shelf::BuiltIn,
    };
    if args.book.book.is_some() && args.level < skill::FULL {
        log::warn!("--book: below level {} the engine plays without a book", skill::FULL);
    }
    warn_of_hash(args.hash);
    let opponent = Opponent::new(args.level, seed, threads, args.hash).with_book(shelf);
    let replaceable = args.save.clone().filter(|_| args.output.force);
    let mut table = Table::new(session, opponent, Box::new(clock), write_file).replacing(replaceable);
    // However the game ends, it is kept: also if the terminal is closed, or the system ends the process.
    let played = play(&mut table, &stop, out);
    let saved = args.save.as_ref().map(|name| table.keep(name)).transpose()?;
    if stop.load(Ordering::Relaxed) {
        bail!("interrupted{}", saved.map(|said| format!("; {said}")).unwrap_or_default());
    }
    played?;
    saved.iter().try_for_each(|said| writeln!(out, "{}", untrusted::line(said)))?;
    Ok(Status::Done)
}

/// Writes a file of the game.
fn write_file(path: &Path, bytes: &[u8], permit: Permit) -> Result<()> {
    Output::new(path, permit)?.write(bytes)
}

/// Plays on the whole terminal, or line by line without one, until `stop` is set.
fn play(table: &mut Table, stop: &AtomicBool, out: &mut dyn Write) -> Result<()> {
    if screen::is_possible() {
        screen::run(table, stop)?;
        return farewell(table, out);
    }
    let input =
        Interruptible::new(io::stdin(), stop).context("cannot start a thread that reads the input")?;
    plain::run(table, &mut BufReader::new(input), stop, out)
}

/// The game as it begins.
fn session(args: &Args, now: Duration) -> Result<Session> {
    if args.position.is_none() {
        input::without_file(&args.file)?;
    }
    let timing = args.clocks.timing()?;
    let terms = |rule| {
        let endings = args.ends.endings(rule);
        let agreement = endings.agreement || args.agreement;
        Terms { rule, endings: Endings { agreement, ..endings }, timing }
    };
    let size = args.board.size.unwrap_or(Size::S15);
    if let Some(regulation) = args.opening_rule {
        let opening = regulation.start(size).map_err(WrongUsage::new)?;
        let terms = terms(args.board.rule());
        return Ok(Session::with_opening(terms, opening, args.side, now));
    }
    let (position, rule) = match &args.position {
        Some(argument) => input::position(argument, &args.board, &args.file, Reading::Literal)?,
        None => (Position::new(size), args.board.rule()),
    };
    Ok(Session::new(terms(rule), position, args.side, now))
}

/// Prints a last summary that stays on the terminal.
fn farewell(table: &Table, out: &mut dyn Write) -> Result<()> {
    let position = table.session.position();
    if let Some(end) = table.session.end() {
        writeln!(out, "{end}")?;
    }
    let name = if position.is_of_moves() { "moves" } else { "setup" };
    writeln!(out, "{name}: {}", notation::print(position))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::RuleKind;

    #[test]
    fn a_refused_file_is_explained() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let said = format!("{:#}", write_file(file.path(), b"a game", Permit::New).unwrap_err());
        assert!(said.ends_with("expected a new name, or --force to replace it"), "{said}");
        assert_eq!(std::fs::read(file.path()).unwrap(), b"");
        write_file(file.path(), b"a game", Permit::Force).unwrap();
        assert_eq!(std::fs::read(file.path()).unwrap(), b"a game");
    }

    #[test]
    fn the_last_words_name_the_whole_position() {
        let stones = "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o";
        for (start, expected) in
            [("h8h9", "moves: h8h9\n".to_owned()), (stones, format!("setup: {stones}\n"))]
        {
            let position = notation::parse(start, None).unwrap();
            let session =
                Session::new(Terms::of(RuleKind::Freestyle), position, Color::Black, Duration::ZERO);
            let table = Table::new(
                session,
                Opponent::new(1, 0, 1, 4 << 20),
                Box::new(SystemClock::new()),
                write_file,
            );
            let mut said = Vec::new();
            farewell(&table, &mut said).unwrap();
            assert_eq!(String::from_utf8(said).unwrap(), expected);
        }
    }
}
