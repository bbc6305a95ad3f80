//! The engine as managers of the Gomocup protocol start it: without arguments, on pipes. `--net=FILE`, once for each
//! rule, puts other nets in the place of the program's own; `--book=FILE` another opening book, `--no-book` none.
//!
//! Writes replies to standard output and nothing at all to standard error, which Piskvork reads as replies. What there
//! is to log goes to the file that `KAGETSU_LOG` names. Built with the feature `tune` it takes search parameters as
//! arguments, as `late_base=4`.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::path::Path;
use std::sync::Arc;

use kagetsu::book::Shelf;
use kagetsu::clock::SystemClock;
use kagetsu::eval::nets;
use kagetsu::protocol::{self, INTRODUCTION};

/// Memory for a book that is looked at before the manager has said how much there is.
const LARGEST_BOOK: u64 = 256 << 20;

fn main() {
    log_to_file();
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    let mut shelf = Shelf::BuiltIn;
    for argument in env::args_os().skip(1) {
        if let Err(why) = take(&argument.to_string_lossy(), &mut shelf) {
            say(&why);
            return;
        }
    }
    // The program's own is opened in the first game that needs it; what somebody has asked for is looked at now.
    if matches!(shelf, Shelf::File(_))
        && let Err(why) = shelf.open(LARGEST_BOOK)
    {
        say(&format!("MESSAGE {why}; playing without a book"));
    }
    if io::stdin().is_terminal() {
        say(&format!("MESSAGE {INTRODUCTION}"));
    }
    let clock = Arc::new(SystemClock::new());
    if let Err(e) = protocol::run(io::stdin(), io::stdout(), clock, shelf) {
        // The manager is gone.
        log::warn!("{e}");
    }
}

/// Does what an argument says.
fn take(argument: &str, shelf: &mut Shelf) -> Result<(), String> {
    match argument.split_once('=') {
        Some(("--net", path)) => nets::install(Path::new(path)).map_err(|e| format!("ERROR {e}"))?,
        Some(("--book", path)) => *shelf = Shelf::File(path.into()),
        None if argument == "--no-book" => *shelf = Shelf::Empty,
        _ => tune(argument)?,
    }
    Ok(())
}

/// Sets a search parameter.
#[cfg(feature = "tune")]
fn tune(argument: &str) -> Result<(), String> {
    let (name, value) = argument.split_once('=').ok_or("expected --net=FILE or parameters as name=value")?;
    let value = value.parse().map_err(|_| format!("{name}: '{value}' is no whole number"))?;
    kagetsu::search::params::set(name, value)
}

/// There are no search parameters to set.
#[cfg(not(feature = "tune"))]
fn tune(_: &str) -> Result<(), String> {
    Err(INTRODUCTION.to_owned())
}

/// Prints a line, to nobody if need be.
fn say(text: &str) {
    if let Err(e) = writeln!(io::stdout(), "{text}") {
        log::warn!("{e}");
    }
}

/// Logs to the file named by `KAGETSU_LOG`; not at all without it, or if it cannot be written.
fn log_to_file() {
    let file =
        env::var_os("KAGETSU_LOG").and_then(|p| OpenOptions::new().create(true).append(true).open(p).ok());
    if let Some(file) = file {
        env_logger::Builder::new()
            .filter_level(log::LevelFilter::Debug)
            .target(env_logger::Target::Pipe(Box::new(file)))
            .init();
    }
}
