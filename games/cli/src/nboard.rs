//! `kagetsu nboard`: the NBoard protocol, for NBoard and other Othello clients.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::Result;

use kagetsu::clock::SystemClock;
use kagetsu_console::Status;
use kagetsu_console::args::{ThreadArgs, bytes};
use kagetsu_games::nboard::{Session, interrupts, is_unlimited};
use kagetsu_tools::limits;

/// Speak the NBoard protocol, for NBoard and other Othello clients
#[derive(clap::Args)]
#[command(after_help = "Example:\n  kagetsu nboard --hash 256M")]
pub struct Args {
    #[command(flatten)]
    threads: ThreadArgs,
    /// Set the memory of the tables, e.g. 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = bytes)]
    hash: u64,
}

/// Lines that stop a running search and wait to be read.
static WAITING: AtomicUsize = AtomicUsize::new(0);
static STOP: AtomicBool = AtomicBool::new(false);

/// Time that a search without a time limit has after the end of the input: that of the longest `go`.
const GRACE: Duration = Duration::from_secs(30);

/// Runs the subcommand until the client quits.
///
/// # Errors
/// If input or output fails.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    let mut session = Session::new(args.threads.count(), args.hash, &clock, &STOP);
    let (sender, lines) = mpsc::channel();
    // The reading thread is never joined: it may wait forever for input.
    std::thread::spawn(move || {
        let is_unlimited = read(&mut io::stdin().lock(), &sender);
        // The session ends once it has answered the lines that were read.
        drop(sender);
        if is_unlimited {
            // The client may be gone, and no line can stop the search any more.
            std::thread::sleep(GRACE);
            STOP.store(true, SeqCst);
        }
    });
    for line in lines {
        if interrupts(&line) && WAITING.fetch_sub(1, SeqCst) == 1 {
            STOP.store(false, SeqCst);
            // Takes a line that arrived between the two checks.
            STOP.store(WAITING.load(SeqCst) > 0, SeqCst);
        }
        let mut written = Ok(());
        let goes_on = session.line(&line, &mut |text| {
            if written.is_ok() {
                written = writeln!(out, "{text}").and_then(|()| out.flush());
                if written.is_err() {
                    // Nobody reads the rest of the answer.
                    STOP.store(true, SeqCst);
                }
            }
        });
        written?;
        if !goes_on {
            break;
        }
    }
    Ok(Status::Done)
}

/// Reads lines until the input ends or the receiver is gone. Returns whether the last search that they ask for has no
/// time limit; the earlier ones are stopped by the lines after them.
fn read(input: &mut dyn BufRead, sender: &mpsc::Sender<String>) -> bool {
    let mut is_last_unlimited = false;
    loop {
        let mut line = Vec::new();
        match limits::read_line(input, &mut line) {
            Ok(1..) => {}
            _ => return is_last_unlimited,
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        if interrupts(&line) {
            is_last_unlimited = is_unlimited(&line);
            WAITING.fetch_add(1, SeqCst);
            STOP.store(true, SeqCst);
        }
        if sender.send(line).is_err() {
            return is_last_unlimited;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends_unlimited(script: &str) -> bool {
        let (sender, _lines) = mpsc::channel();
        read(&mut script.as_bytes(), &sender)
    }

    /// Other searches have time limits, which the end of the input must not shorten.
    #[test]
    fn only_a_hint_that_no_line_stops_is_unlimited() {
        for script in ["set depth 40\nhint 1\n", "go\nhint 3", "hint 1\nset depth 3\n"] {
            assert!(ends_unlimited(script), "{script}");
        }
        for script in ["", "nboard 2\n", "go\n", "hint 1\ngo\n", "hint 1\nping 1\n", "hint 1\nanalyze\n"] {
            assert!(!ends_unlimited(script), "{script}");
        }
    }
}
