//! `kagetsu book`: builds, joins, inspects, checks, exports and imports opening books.
//!
//! The work is done by [`kagetsu_tools::bookgen`]; this module has flags, files and texts, one file a subcommand.

mod build;
mod check;
mod export;
mod show;

use kagetsu_tools::words;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

use kagetsu::book::{self, Book, Shelf};
use kagetsu_console::args::BookArgs;
use kagetsu_console::output::OutArgs;
use kagetsu_console::{Status, interrupt};
use kagetsu_tools::bookgen::build::Done;
use kagetsu_tools::limits;

const HELP: &str = "\
A build makes parts, one for each rule and board size, and merge makes a book of them; the
engine plays from it with --book. The built-in book is the file book/kagetsu.book, which
scripts/build-book.sh makes.

Examples:
  kagetsu book build renju.part --rule renju --positions 2000
  kagetsu book merge my.book renju.part
  kagetsu book probe h8 --book my.book";

/// Build, join, inspect, check, export and import opening books
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Build a part: judge positions from the start of the game on, the likeliest first
    Build(build::Build),
    /// Judge the positions of game files
    Import(build::Import),
    /// Join parts and books into a book
    Merge(Merge),
    /// Say what the book knows of a position
    Probe(show::Probe),
    /// Count positions and moves
    Stats(show::Stats),
    /// Search moves of the book again, with many times the nodes
    Check(check::Check),
    /// Write the positions of a rule and size as a tree of moves
    Export(export::Export),
}

#[derive(clap::Args)]
#[command(after_help = "\
The order of the parts makes no difference. Of two entries of one position the one from
longer searches stays. The rest of an interrupted write at the end of a part is left out,
with a warning.

Example:
  kagetsu book merge my.book renju.part freestyle.part")]
struct Merge {
    /// The book to make
    #[arg(value_name = "BOOK")]
    out: PathBuf,
    /// Parts and books
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    output: OutArgs,
}

impl Args {
    /// Returns whether the command searches.
    pub fn uses_net(&self) -> bool {
        matches!(self.command, Command::Build(_) | Command::Import(_) | Command::Check(_))
    }
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    match &args.command {
        // The roots are read before signals are caught: a command that waits for a pipe is ended by a signal.
        Command::Build(args) => {
            let roots = args.roots()?;
            let stop = interrupt::flag()?;
            finish(args.run(&roots, &stop)?, &stop, out)
        }
        Command::Import(args) => {
            let roots = args.roots()?;
            let stop = interrupt::flag()?;
            finish(args.run(&roots, &stop)?, &stop, out)
        }
        Command::Merge(args) => merge(args, out),
        Command::Probe(args) => args.run(out),
        Command::Stats(args) => args.run(out),
        Command::Check(args) => args.run(&interrupt::flag()?, out),
        Command::Export(args) => args.run(out),
    }
}

/// Reports the result of a build. An interrupted one counts as failed: a script must not continue with an unfinished
/// part.
fn finish(done: Done, stop: &AtomicBool, out: &mut dyn Write) -> Result<Status> {
    let Done { found, made, whole } = done;
    if !whole && stop.load(Ordering::Relaxed) {
        bail!(
            "interrupted: {} known before, {made} judged; run the same command to continue",
            words::count(found, "position")
        );
    }
    let end = if whole { "" } else { "; there is more to do" };
    writeln!(out, "{} known before, {made} judged{end}", words::count(found, "position"))?;
    Ok(Status::Done)
}

fn merge(args: &Merge, out: &mut dyn Write) -> Result<Status> {
    let output =
        args.output.output(&args.out).context("expected BOOK, the book to make, as the first argument")?;
    let mut book = Book::default();
    for path in &args.parts {
        let name = || path.display().to_string();
        let bytes = std::fs::File::open(path).and_then(|file| limits::read_all(file, limits::FILE));
        let bytes = bytes.with_context(name)?;
        let (part, cut) = Book::from_part(&bytes).with_context(name)?;
        if cut > 0 {
            log::warn!("{}: its last {cut} bytes are no whole entry: left out", name());
        }
        book.merge(part).with_context(name)?;
    }
    output.write(&book.to_bytes())?;
    writeln!(out, "{}", words::count(book.len(), "position"))?;
    Ok(Status::Done)
}

/// The book that is asked for.
pub(super) fn open(args: &BookArgs) -> Result<Book> {
    let name =
        || args.book.as_deref().map_or("the built-in book".to_owned(), |p| Path::display(p).to_string());
    let mut shelf: Shelf = args.shelf();
    match shelf.open(limits::FILE) {
        Ok(Some(book)) => Ok(book.clone()),
        Ok(None) => bail!("no book: expected --book FILE"),
        // This error names the file already.
        Err(error @ book::Error::Io(..)) => Err(error.into()),
        Err(error) => Err(error).with_context(name),
    }
}
