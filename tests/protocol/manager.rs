//! A manager for tests: starts the engine, sends lines, reads replies.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Patience with the engine, whatever its limits: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine process.
pub struct Manager {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: Receiver<String>,
    /// Lines of `MESSAGE` seen so far.
    pub messages: Vec<String>,
}

/// The engine's command, all three pipes connected.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kagetsu"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("KAGETSU_LOG");
    command
}

impl Manager {
    /// Starts an engine.
    pub fn start() -> Manager {
        Manager::start_with(&[])
    }

    /// Starts an engine with arguments.
    pub fn start_with(arguments: &[&str]) -> Manager {
        let mut child = command().args(arguments).spawn().unwrap();
        let (lines, output) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| lines.send(line)));
        let (sender, errors) = mpsc::channel();
        let mut stderr = child.stderr.take().unwrap();
        thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).unwrap();
            sender.send(text)
        });
        let input = child.stdin.take();
        Manager { child, input, output, errors, messages: Vec::new() }
    }

    /// Starts an engine and a game: board size, rule, milliseconds a move.
    pub fn game(size: usize, rule: u32, turn: u32) -> Manager {
        let mut engine = Manager::start();
        engine.send(&format!(
            "START {size}\nINFO rule {rule}\nINFO timeout_turn {turn}\nINFO max_memory 134217728"
        ));
        assert_eq!(engine.reply(), "OK");
        engine
    }

    /// Sends bytes.
    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads its input");
    }

    /// Sends lines in one piece: on a busy machine, the end of the last one could come much later than the rest.
    pub fn send(&mut self, lines: &str) {
        self.raw(format!("{lines}\n").replace('\n', "\r\n").as_bytes());
    }

    /// The next line that is not a `MESSAGE`, if one comes in time.
    pub fn reply_within(&mut self, time: Duration) -> Option<String> {
        let end = Instant::now() + time;
        loop {
            let line = self.output.recv_timeout(end.saturating_duration_since(Instant::now())).ok()?;
            if line.starts_with("MESSAGE ") {
                self.messages.push(line);
            } else {
                return Some(line);
            }
        }
    }

    /// The next line that is not a `MESSAGE`.
    #[track_caller]
    pub fn reply(&mut self) -> String {
        self.reply_within(PATIENCE).expect("a reply")
    }

    /// The next reply, which must be a square.
    #[track_caller]
    pub fn square(&mut self) -> (usize, usize) {
        let reply = self.reply();
        square(&reply).unwrap_or_else(|| panic!("expected a square, got {reply:?}"))
    }

    /// Sends lines and expects a square.
    #[track_caller]
    pub fn ask(&mut self, lines: &str) -> (usize, usize) {
        self.send(lines);
        self.square()
    }

    /// Sends lines and expects one reply that begins with `ERROR`, or `UNKNOWN`.
    #[track_caller]
    pub fn refused(&mut self, lines: &str) {
        self.send(lines);
        let reply = self.reply();
        assert!(reply.starts_with("ERROR ") || reply.starts_with("UNKNOWN "), "{lines:?}: {reply:?}");
    }

    /// Expects no reply for a while.
    #[track_caller]
    pub fn silent(&mut self) {
        let reply = self.reply_within(Duration::from_millis(150));
        assert_eq!(reply, None);
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the engine's end: its status, the lines not yet read, and what it wrote to standard error.
    pub fn wait(&mut self) -> (ExitStatus, Vec<String>, String) {
        let end = Instant::now() + PATIENCE;
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < end, "the engine does not end");
            thread::sleep(Duration::from_millis(5));
        }
        let errors = self.errors.recv_timeout(PATIENCE).unwrap();
        (self.child.wait().unwrap(), self.output.iter().collect(), errors)
    }

    /// Ends the engine, which must have nothing more to say.
    #[track_caller]
    pub fn end(mut self) {
        self.send("END");
        let (status, rest, errors) = self.wait();
        assert!(status.success() && errors.is_empty(), "{status} {errors}");
        assert!(rest.iter().all(|line| line.starts_with("MESSAGE ")), "{rest:?}");
    }

    /// Process number.
    #[cfg(target_os = "linux")]
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads `x,y`.
pub fn square(text: &str) -> Option<(usize, usize)> {
    let (x, y) = text.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

/// Squares in letters and numbers, `a1` being 0,0, as the Gomocup organisers write them.
pub fn squares(text: &str) -> Vec<(usize, usize)> {
    let start = text.char_indices().filter(|c| c.1.is_ascii_lowercase()).map(|c| c.0).collect::<Vec<_>>();
    let end = start.iter().skip(1).copied().chain([text.len()]);
    let read = |(from, to): (usize, usize)| {
        let x = usize::from(text.as_bytes()[from] - b'a');
        (x, text[from + 1..to].trim().parse::<usize>().unwrap() - 1)
    };
    start.iter().copied().zip(end).map(read).collect()
}

/// The `BOARD` command for moves from the first on, the engine to move.
pub fn board(moves: &[(usize, usize)]) -> String {
    let field = |i: usize| if (moves.len() - i).is_multiple_of(2) { 1 } else { 2 };
    let lines: Vec<String> = (0..).zip(moves).map(|(i, (x, y))| format!("{x},{y},{}\n", field(i))).collect();
    format!("BOARD\n{}DONE", lines.concat())
}
