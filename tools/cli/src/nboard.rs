//! `kagetsu nboard`: the NBoard protocol, for boards of Othello.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;

use anyhow::Result;

use crate::Status;
use crate::args::bytes;
use kagetsu::clock::SystemClock;
use kagetsu::engine::max_threads;
use kagetsu_games::nboard::{Session, interrupts};
use kagetsu_tools::limits;

/// Speak the NBoard protocol, for boards of Othello
#[derive(clap::Args)]
#[command(after_help = "Example:\n  kagetsu nboard --hash 256M")]
pub struct Args {
    /// Threads [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory for the tables, as 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = bytes)]
    hash: u64,
}

/// Lines that ask a running search to stop and wait to be read.
static WAITING: AtomicUsize = AtomicUsize::new(0);
static STOP: AtomicBool = AtomicBool::new(false);

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    let threads = args.threads.map_or_else(max_threads, usize::from);
    let mut session = Session::new(threads, args.hash, &clock, &STOP);
    let (sender, lines) = mpsc::channel();
    // It waits for input, which may never come: nobody waits for it.
    std::thread::spawn(move || read(&sender));
    for line in lines {
        if interrupts(&line) && WAITING.fetch_sub(1, SeqCst) == 1 {
            STOP.store(false, SeqCst);
            // One that came between both.
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

/// Reads lines until the input ends or nobody wants them.
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
