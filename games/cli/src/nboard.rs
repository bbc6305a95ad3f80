//! `kagetsu nboard`: the NBoard protocol, for NBoard and other Othello clients.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;

use anyhow::Result;

use kagetsu::clock::SystemClock;
use kagetsu_console::Status;
use kagetsu_console::args::{ThreadArgs, bytes};
use kagetsu_games::nboard::{Session, interrupts};
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

/// Runs the subcommand until the client quits.
///
/// # Errors
/// If input or output fails.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    let mut session = Session::new(args.threads.count(), args.hash, &clock, &STOP);
    let (sender, lines) = mpsc::channel();
    // The reading thread is never joined: it may wait forever for input.
    std::thread::spawn(move || read(&sender));
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
            }
        });
        written?;
        if !goes_on {
            break;
        }
    }
    Ok(Status::Done)
}

/// Reads lines until the input ends or the receiver is gone.
fn read(sender: &mpsc::Sender<String>) {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        match limits::read_line(&mut input, &mut line) {
            Ok(1..) => {}
            _ => return,
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        if interrupts(&line) {
            WAITING.fetch_add(1, SeqCst);
            STOP.store(true, SeqCst);
        }
        if sender.send(line).is_err() {
            return;
        }
    }
}
