//! Engines for tests: one that plays along the rows, and others that fail in one way each.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kagetsu::book::Shelf;
use kagetsu::clock::{Clock, SystemClock};

/// Plays until END, in the manner of `kind`, or of `KIND:PATH` until there is a file PATH.
pub fn run(kind: &str) {
    if kind == "beats" {
        loop {
            say("MESSAGE beat\n");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    if kind.starts_with("kagetsu") {
        let clock = Arc::new(SystemClock::new());
        return kagetsu::protocol::run(std::io::stdin(), std::io::stdout(), clock, Shelf::Empty).unwrap();
    }
    if kind == "helper" {
        // Longer than any test waits.
        return std::thread::sleep(Duration::from_secs(60));
    }
    // The file stays locked as long as this process lives.
    let _place = (kind == "sole").then(take_place);
    let (kind, end) = kind.split_once(':').map_or((kind, None), |(kind, path)| (kind, Some(path.to_owned())));
    if let Some(path) = end {
        std::thread::spawn(move || {
            while !std::path::Path::new(&path).exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            std::process::exit(143);
        });
    }
    let mut engine = Engine {
        kind,
        refusing: false,
        ignoring: false,
        size: 15,
        taken: BTreeSet::new(),
        moves: 0,
        opening: false,
        hoard: Vec::new(),
        beats: None,
    };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        if line == "END" {
            if kind == "ignores-end" {
                sleep_forever();
            }
            if kind == "sole" {
                // Another process that is started too soon surely finds the place taken.
                std::thread::sleep(Duration::from_millis(200));
            }
            return;
        }
        engine.hear(&line);
    }
}

struct Engine<'a> {
    kind: &'a str,
    /// The lines that come belong to a command that is not known.
    refusing: bool,
    /// The same, of an engine that says nothing about it.
    ignoring: bool,
    size: i32,
    taken: BTreeSet<(i32, i32)>,
    moves: usize,
    /// The lines that come are the stones of an opening.
    opening: bool,
    hoard: Vec<u8>,
    /// Runs since an opening command was refused.
    beats: Option<Beats>,
}

impl Engine<'_> {
    fn hear(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            _ if word.contains("STEP") => {
                self.refusing = true;
                say("UNKNOWN command\n");
            }
            "DONE" if std::mem::take(&mut self.refusing) => say("UNKNOWN command\n"),
            "SWAP2BOARD" if self.kind == "hangs-in-swap2" => sleep_forever(),
            "SWAP2BOARD" if self.kind == "late-in-swap2" => {
                // A second after the time in which a late answer is awaited.
                std::thread::sleep(Duration::from_secs(5));
                say("7,7 7,8 9,9\n");
                self.ignoring = true;
            }
            "SWAP2BOARD" if self.kind.starts_with("ignores-swap2") => self.ignoring = true,
            "DONE" if std::mem::take(&mut self.ignoring) => {}
            "RESTART" if ["no-restart", "sole"].contains(&self.kind) => say("UNKNOWN command\n"),
            "RESTART" if self.kind == "vanishes" => {
                std::fs::remove_dir(std::env::current_dir().unwrap()).unwrap();
                say("UNKNOWN command\n");
            }
            "RESTART" if self.kind == "floods-again" => flood("MESSAGE again and again\n"),
            "START" | "RESTART" => {
                // As in Piskvork's example, START leaves the board as it is.
                if word == "START" {
                    self.size = rest.parse().unwrap();
                } else {
                    self.taken.clear();
                }
                self.moves = 0;
                match self.kind {
                    "no-ok" => say("hello\n"),
                    "refuses" => say("ERROR size\n"),
                    "crlf" => say("OK\r\n"),
                    _ => say("OK\n"),
                }
            }
            "INFO" if self.kind.starts_with("complains") => say("UNKNOWN setting\n"),
            "INFO" => {}
            "ABOUT" if self.kind == "complains-always" => say("UNKNOWN about\n"),
            "ABOUT" if self.kind == "complains-silently" => {}
            "ABOUT" => say("name=\"test\", version=\"1\", author=\"-\", country=\"-\"\n"),
            "BEGIN" => self.answer(),
            "BOARD" => {}
            "TURN" => {
                self.take(rest);
                self.answer();
            }
            "PLAY" => say(&format!("{rest}\n")),
            "SWAP2BOARD" if self.kind == "runs-on" => {
                self.refusing = true;
                self.beats = Some(Beats::start());
                say("UNKNOWN command\n");
            }
            "SWAP2BOARD" | "DONE" if self.kind == "no-swap2" => say("UNKNOWN command\n"),
            "SWAP2BOARD" => {
                self.taken.clear();
                self.opening = true;
            }
            "DONE" if self.opening => self.decide(),
            "DONE" => self.answer(),
            _ => self.take(line),
        }
    }

    fn take(&mut self, text: &str) {
        let numbers: Vec<i32> = text.split(',').map(|n| n.parse().unwrap()).collect();
        if !self.taken.insert((numbers[1], numbers[0])) && self.kind == "is-strict" {
            say(&format!("ERROR a stone on {text}\n"));
        }
    }

    /// Answers a step of an opening, by the number of stones on the board and the kind of engine.
    fn decide(&mut self) {
        self.opening = false;
        if self.kind == "ponders" {
            std::thread::sleep(2 * STANDSTILL);
        }
        say(match (self.taken.len(), self.kind) {
            (0, "opens-twice") => "3,3 3,3 9,4\n",
            (0, _) => "3,3 12,5 9,4\n",
            (3, "leaves") => "MESSAGE let us see\n1,13 13,1\n",
            (3, "greedy") => "1,1 2,2 4,4\n",
            (_, "swaps" | "ponders") => "SWAP\n",
            _ => "8,8\n",
        });
    }

    /// Plays the first empty point, from the top row down: rows fill up with both colours, and fives come about along
    /// the diagonals.
    fn answer(&mut self) {
        self.moves += 1;
        let n = self.size;
        let Some((y, x)) = (0..n * n).map(|i| (i / n, i % n)).find(|at| !self.taken.contains(at)) else {
            return;
        };
        self.taken.insert((y, x));
        let plain = format!("{x},{y}\n");
        if self.beats.as_ref().is_some_and(|beats| beats.longest_pause() < STANDSTILL) {
            return say(&format!("{n},0\n"));
        }
        if self.kind == "thinks" {
            std::thread::sleep(Duration::from_millis(20));
        }
        // The first moves are good ones, so that the failure comes in mid-game.
        if self.moves <= 2 {
            return say(&plain);
        }
        match self.kind {
            "exits" | "thinks" => std::process::exit(3),
            "aborts" => std::process::abort(),
            "orphans" => orphan(),
            "hangs" => sleep_forever(),
            "closes" => {
                close(1);
                sleep_forever();
            }
            "closes-input" => {
                close(0);
                say(&plain);
                sleep_forever();
            }
            "floods" => flood("MESSAGE again and again\n"),
            "floods-line" => flood("again and again "),
            "floods-short" => flood("x\n"),
            "garbage" => say("e4\n"),
            "error" => say("ERROR no idea\n"),
            "half-line" => say(&format!("{x},{y}")),
            "occupied" => {
                let &(y, x) = self.taken.first().unwrap();
                say(&format!("{x},{y}\n"));
            }
            "off-board" => say(&format!("{n},0\n")),
            "passes" => say("-1,-1\n"),
            "late" => {
                // Just beyond its limit: after a second more it would be silence.
                std::thread::sleep(Duration::from_millis(3020));
                say(&plain);
            }
            "expires" => {
                say(&plain);
                std::process::exit(0);
            }
            "stray-move" => say(&format!("{plain}{plain}")),
            // Blanks are allowed around the numbers of a move.
            "stray-long" => say(&format!("{plain}{x},{}{y}\n", " ".repeat(500))),
            "stray-later" => {
                say(&plain);
                eprintln!("done");
                // The two streams are read by two threads: the pause keeps the order of the lines.
                std::thread::sleep(Duration::from_millis(100));
                say(&plain);
            }
            "eats" => {
                self.hoard.resize(self.hoard.len() + (48 << 20), 1);
                say(&plain);
            }
            "talks" => say(&format!("MESSAGE depth 7-9 ev -12 pv h8\nDEBUG x\nOK\nERROR none\n{plain}")),
            "rambles" => say(&format!("{}{plain}", "hm\n".repeat(100))),
            "chatters" => chatter(),
            "swells" => {
                // In small steps, so that no line takes 100 ms, after which the memory would be checked in
                // any case.
                while self.hoard.len() < 200 << 20 {
                    self.hoard.resize(self.hoard.len() + (2 << 20), 1);
                    say("MESSAGE more\n");
                    std::thread::sleep(Duration::from_millis(5));
                }
                chatter();
            }
            "suggests" => say(&format!("SUGGEST {plain}")),
            "crlf" => say(&format!("MESSAGE hm\r\n{x},{y}\r\n")),
            _ => say(&plain),
        }
    }
}

fn say(text: &str) {
    let mut out = std::io::stdout();
    // The runner may have gone.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn flood(text: &str) {
    let block = text.repeat(4096);
    let mut out = std::io::stdout();
    while out.write_all(block.as_bytes()).is_ok() {}
}

/// Writes a line every 20 ms, until nobody reads them any more.
fn chatter() {
    let mut out = std::io::stdout();
    while out.write_all(b"MESSAGE hm\n").and_then(|()| out.flush()).is_ok() {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Shortest time between two beats that tells that the process stood still.
const STANDSTILL: Duration = Duration::from_millis(700);

/// A thread that beats every 10 ms while the process runs.
struct Beats {
    clock: SystemClock,
    /// Time of the last beat, and the longest time between two.
    state: Arc<Mutex<(Duration, Duration)>>,
}

impl Beats {
    fn start() -> Beats {
        let clock = SystemClock::new();
        let state = Arc::new(Mutex::new((clock.now(), Duration::ZERO)));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(10));
                let mut state = shared.lock().unwrap();
                let now = clock.now();
                *state = (now, state.1.max(now - state.0));
            }
        });
        Beats { clock, state }
    }

    fn longest_pause(&self) -> Duration {
        let state = self.state.lock().unwrap();
        // The thread may not have run again since.
        state.1.max(self.clock.now() - state.0)
    }
}

/// Takes the place of the only process in this folder, or ends.
fn take_place() -> std::fs::File {
    let place = std::fs::File::create("place").unwrap();
    if place.try_lock().is_err() {
        std::process::exit(4);
    }
    place
}

fn sleep_forever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Ends, and leaves a helper behind that holds the standard streams.
#[allow(clippy::zombie_processes)]
fn orphan() -> ! {
    let program = std::env::current_exe().unwrap();
    let helper = Command::new(program).args(["--engine", "helper"]).stdin(Stdio::null()).spawn().unwrap();
    say(&format!("MESSAGE helper {}\n", helper.id()));
    std::process::exit(3);
}

/// Closes standard input (0) or output (1), where the system can.
fn close(stream: i32) {
    #[cfg(unix)]
    {
        use std::os::fd::FromRawFd;
        // SAFETY: nothing reads or writes the stream after this.
        drop(unsafe { std::fs::File::from_raw_fd(stream) });
    }
    #[cfg(not(unix))]
    let _ = stream;
}
