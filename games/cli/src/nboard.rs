//! `kagetsu nboard`: the NBoard protocol, for NBoard and other Othello clients.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use kagetsu::clock::SystemClock;
use kagetsu_console::Status;
use kagetsu_console::args::{ThreadArgs, bytes};
use kagetsu_console::lines::{Lines, STDIN, is_too_long};
use kagetsu_games::nboard::{self, Session, interrupts, is_unlimited};

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

/// Stop flag of the running search: set as long as a line waits that interrupts it.
struct Stops {
    waiting: AtomicUsize,
    stop: AtomicBool,
}

impl Stops {
    const fn new() -> Stops {
        Stops { waiting: AtomicUsize::new(0), stop: AtomicBool::new(false) }
    }

    /// Stops the search: a line that interrupts it has arrived.
    fn halt(&self) {
        self.waiting.fetch_add(1, SeqCst);
        self.stop.store(true, SeqCst);
    }

    /// Marks the oldest such line as being answered. Its own search runs unless another such line waits.
    fn take(&self) {
        if self.waiting.fetch_sub(1, SeqCst) == 1 {
            self.stop.store(false, SeqCst);
            // A line that came before the flag was cleared is counted by now; a later one sets the flag again.
            if self.waiting.load(SeqCst) > 0 {
                self.stop.store(true, SeqCst);
            }
        }
    }
}

static STOPS: Stops = Stops::new();

/// Time that a search without a time limit has after the end of the input.
const GRACE: Duration = nboard::MOVE;

/// Runs the subcommand until the client quits.
///
/// # Errors
/// If input or output fails.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    let mut session = Session::new(args.threads.count(), args.hash, &clock, &STOPS.stop);
    let (sender, lines) = mpsc::channel();
    // The reading thread is never joined: it may wait forever for input.
    let reading = thread::Builder::new().spawn(move || {
        let is_unlimited = read(&mut io::stdin().lock(), &sender);
        // The session ends once it has answered the lines that were read.
        drop(sender);
        if is_unlimited {
            // The client may be gone, and no line can stop the search any more.
            thread::sleep(GRACE);
            STOPS.halt();
        }
    });
    reading.context("cannot start a thread that reads the input")?;
    for line in lines {
        let line = match line {
            Ok(line) => line,
            Err(error) if is_too_long(&error) => {
                writeln!(out, "status {error:#}")?;
                out.flush()?;
                continue;
            }
            Err(error) => return Err(error),
        };
        if interrupts(&line) {
            STOPS.take();
        }
        let mut written = Ok(());
        let goes_on = session.line(&line, &mut |text| {
            if written.is_ok() {
                written = writeln!(out, "{text}").and_then(|()| out.flush());
                if written.is_err() {
                    // The output is closed: end the search, too.
                    STOPS.halt();
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

/// Reads lines until the input ends, fails, or the receiver is gone. Returns whether the last search that they ask for has no
/// time limit; the earlier ones are stopped by the lines after them.
fn read(input: &mut dyn BufRead, sender: &mpsc::Sender<Result<String>>) -> bool {
    let (mut is_last_unlimited, mut lines) = (false, Lines::new(STDIN, input));
    loop {
        let line = match lines.next_line() {
            Ok(None) => return is_last_unlimited,
            Ok(Some((_, line))) => line.into_owned(),
            Err(error) => {
                let goes_on = is_too_long(&error);
                // If the receiver is gone, the session has ended with an error of its own.
                if sender.send(Err(error)).is_err() || !goes_on {
                    return is_last_unlimited;
                }
                continue;
            }
        };
        if interrupts(&line) {
            is_last_unlimited = is_unlimited(&line);
            STOPS.halt();
        }
        if sender.send(Ok(line)).is_err() {
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

    #[test]
    fn a_search_runs_if_no_other_interrupt_waits() {
        let stops = Stops::new();
        let stopped = || stops.stop.load(SeqCst);
        stops.halt();
        stops.halt();
        assert!(stopped());
        stops.take();
        assert!(stopped(), "another line waits");
        stops.take();
        assert!(!stopped());
        // The interrupt at the end of the input has no line, so it is never taken.
        stops.halt();
        stops.halt();
        stops.take();
        assert!(stopped());
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
