//! The engine as managers of the Gomocup protocol start it: without arguments, on pipes. `--net=FILE`, once for each
//! rule, puts other nets in the place of the program's own.
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

use kagetsu::clock::SystemClock;
use kagetsu::eval::nets;
use kagetsu::protocol::{self, INTRODUCTION};

fn main() {
    log_to_file();
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    if let Err(why) = env::args_os().skip(1).try_for_each(|argument| take(&argument.to_string_lossy())) {
        say(&why);
        return;
    }
    if io::stdin().is_terminal() {
        say(&format!("MESSAGE {INTRODUCTION}"));
    }
    let clock = Arc::new(SystemClock::new());
    if let Err(e) = protocol::run(io::stdin(), io::stdout(), clock) {
        // The manager is gone.
        log::warn!("{e}");
    }
}

/// Sets a search parameter.
#[cfg(feature = "tune")]
fn take(argument: &str) -> Result<(), String> {
    let (name, value) = argument.split_once('=').ok_or("expected --net=FILE or parameters as name=value")?;
    if name == "--net" {
        return install(value);
    }
    let value = value.parse().map_err(|_| format!("{name}: '{value}' is no whole number"))?;
    kagetsu::search::params::set(name, value)
}

/// The only arguments are nets.
#[cfg(not(feature = "tune"))]
fn take(argument: &str) -> Result<(), String> {
    install(argument.strip_prefix("--net=").ok_or(INTRODUCTION)?)
}

/// Puts a net in the place of the program's own.
fn install(path: &str) -> Result<(), String> {
    nets::install(Path::new(path)).map_err(|e| format!("ERROR {e}"))
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
