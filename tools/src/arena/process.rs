//! An engine's process: sends and receives lines, and makes sure that the process ends.
//!
//! Two threads read its output and stamp every line when it arrives, so that the runner's other work costs the engine no
//! time; on Linux the readers' own wait for a processor does not either. What they keep is bounded. The process leads its
//! own group: when it has ended, or the value is dropped, the whole group is killed, and only then is the process reaped.
//! This module knows lines, not their meaning: see [`super::player`].

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::starvation::{self, OwnWait};
use kagetsu::clock::{Clock, SystemClock};

/// Largest output of one game; the most talkative engines write a hundredth of it. Counts all bytes, also those of
/// lines that are cut.
const FLOOD_BYTES: usize = 16 << 20;
/// Memory of a line besides its bytes, here and in the dialogue: the values themselves and their places on the heap.
const LINE_COST: usize = 2 * (size_of::<Line>() + 32);
/// Longer lines are cut: no reply needs more, and Piskvork keeps as much.
const LINE_BYTES: usize = 8000;
/// Time for an engine to end after `END`, as in Piskvork.
const END_PATIENCE: Duration = Duration::from_millis(700);
/// Most time that an engine is given beyond that because it waited for a processor.
const MOST_STARVED: Duration = Duration::from_secs(5);
/// Time for a killed process to end.
const DEATH_PATIENCE: Duration = Duration::from_secs(10);
/// Time for the readers to see the end of a killed process's output.
const READER_PATIENCE: Duration = Duration::from_millis(500);
/// Windows flag of a process group that the console's Ctrl-C does not reach.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// Stream of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Replies.
    Out,
    /// Anything else; kept in the dialogue, no reply.
    Err,
}

/// A line of output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Time at which the line arrived.
    pub at: Duration,
    /// The line without its end, never empty.
    pub text: String,
    /// Stream of the line.
    pub stream: Stream,
}

/// Result of waiting for output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A line.
    Line(Line),
    /// Replies have ended: the process is gone or has closed its output.
    Closed,
    /// Too much output; the rest is thrown away.
    Flooded,
    /// The given time passed without a line.
    Timeout,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Line>,
    bytes: usize,
    flooded: bool,
    closed: [bool; 2],
    /// An unfinished line of replies.
    partial: String,
}

#[derive(Default)]
struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running engine process.
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    inbox: Arc<Inbox>,
    clock: SystemClock,
    suspended: bool,
    /// Whether the process is reaped: from then on another process may have its number.
    reaped: bool,
    /// Exit status of the reaped process; `None` if the system does not tell.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts a process; all its streams are pipes that no other child inherits.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn spawn(mut command: Command, clock: SystemClock) -> io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // An own group: the terminal's interrupt reaches the runner alone, and helpers die with the engine.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NEW_PROCESS_GROUP);
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let inbox = Arc::new(Inbox::default());
        let process = Process {
            child,
            stdin,
            inbox: Arc::clone(&inbox),
            clock,
            suspended: false,
            reaped: false,
            status: None,
        };
        #[cfg(unix)]
        if let Some(stdin) = &process.stdin {
            // A full pipe must be an error, not a wait without end.
            let flags = rustix::fs::fcntl_getfl(stdin)?;
            rustix::fs::fcntl_setfl(stdin, flags | rustix::fs::OFlags::NONBLOCK)?;
        }
        if let Some(stdout) = stdout {
            let inbox = Arc::clone(&inbox);
            std::thread::Builder::new().spawn(move || read(stdout, Stream::Out, &inbox, clock))?;
        }
        if let Some(stderr) = stderr {
            std::thread::Builder::new().spawn(move || read(stderr, Stream::Err, &inbox, clock))?;
        }
        Ok(process)
    }

    /// The operating system's number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes text, in one piece so that the engine wakes once.
    ///
    /// # Errors
    /// `WouldBlock` if the engine does not read; others if it is gone.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        match &mut self.stdin {
            Some(stdin) => stdin.write_all(text.as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The next line, waiting for it until the clock shows `until`.
    pub fn next(&self, until: Duration) -> Event {
        let mut state = self.inbox.lock();
        loop {
            if state.flooded {
                return Event::Flooded;
            }
            if let Some(line) = state.lines.pop_front() {
                return Event::Line(line);
            }
            if state.closed[Stream::Out as usize] {
                return Event::Closed;
            }
            let left = until.saturating_sub(self.clock.now());
            if left.is_zero() {
                return Event::Timeout;
            }
            state = self.inbox.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The beginning of a reply whose line end has not come.
    pub fn partial(&self) -> String {
        self.inbox.lock().partial.clone()
    }

    /// Starts counting output anew.
    pub fn reset_flood(&mut self) {
        self.inbox.lock().bytes = 0;
    }

    /// Freezes the process, where the system can.
    pub fn suspend(&mut self) {
        if !self.suspended {
            self.suspended = true;
            #[cfg(unix)]
            self.signal(rustix::process::Signal::STOP);
        }
    }

    /// Thaws the process.
    pub fn resume(&mut self) {
        if self.suspended {
            self.suspended = false;
            #[cfg(unix)]
            self.signal(rustix::process::Signal::CONT);
        }
    }

    /// Signals the group. After its leader is reaped this does nothing.
    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        if !self.reaped {
            // This fails only if the group is gone already, or belongs to another user.
            let _ = rustix::process::kill_process_group(self.pid(), signal);
        }
    }

    #[cfg(unix)]
    fn pid(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }

    /// Returns the exit status, waiting for the end up to `patience`. The rest of the process group ends with it.
    pub fn exit_status(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = self.clock.now() + patience;
        loop {
            self.reap();
            if self.reaped || self.clock.now() >= until {
                return self.status;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits for the end up to `patience`. Returns whether the process has ended.
    fn ends_within(&mut self, patience: Duration) -> bool {
        self.exit_status(patience);
        self.reaped
    }

    /// Reaps the process if it has ended, after the rest of its group.
    fn reap(&mut self) {
        if !self.reaped && self.has_ended() {
            self.kill();
            self.status = self.child.wait().ok();
            self.reaped = true;
        }
    }

    /// Returns whether the process has ended. This does not reap it, so that its number stays its own.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::io::Errno;
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.pid()), look) {
            Ok(status) => status.is_some(),
            // The system has reaped it, as it does where this program was started with SIGCHLD ignored.
            Err(error) => error == Errno::CHILD,
        }
    }

    /// Returns whether the process has ended.
    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Kills the process, and the rest of its group where there is one.
    fn kill(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        // This fails only if the process has ended already, or belongs to another user.
        let _ = self.child.kill();
    }

    /// Asks the process to end, and kills it if it does not. Returns whether it ended by itself. If it waited
    /// for a processor, it gets that much more time, once.
    pub fn quit(&mut self) -> bool {
        self.resume();
        let before = starvation::waited(self.id());
        // An engine that has ended already needs no END.
        let _ = self.send("END\n");
        self.stdin = None;
        let has_obeyed = self.ends_within(END_PATIENCE) || {
            let starved = starvation::wait_between(before.as_ref(), starvation::waited(self.id()).as_ref());
            self.ends_within(starved.min(MOST_STARVED))
        };
        if !has_obeyed {
            self.kill();
            self.ends_within(DEATH_PATIENCE);
        }
        has_obeyed
    }

    fn readers_ended(&self, patience: Duration) {
        let until = self.clock.now() + patience;
        let mut state = self.inbox.lock();
        while state.closed != [true, true] {
            let left = until.saturating_sub(self.clock.now());
            if left.is_zero() {
                // A descendant that left the group holds the pipe: its reader ends with it.
                break;
            }
            state = self.inbox.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stdin = None;
        self.kill();
        // Nobody but the superuser can kill a process of another user, as one that `sudo` has started. If it
        // hangs, a wait without end would hang this program too.
        if !self.ends_within(DEATH_PATIENCE) {
            log::warn!("process {} of an engine cannot be killed, and goes on", self.id());
        }
        self.readers_ended(READER_PATIENCE);
    }
}

/// Reads a stream to its end.
fn read(mut source: impl Read, stream: Stream, inbox: &Inbox, clock: SystemClock) {
    let mut buffer = vec![0; 1 << 16];
    let mut line = Vec::new();
    let own = OwnWait::of_this_thread();
    loop {
        let waited = own.total();
        let read = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        // The output had arrived already while this thread waited for a processor.
        let at = clock.now().saturating_sub(own.total().saturating_sub(waited));
        let mut state = inbox.lock();
        state.bytes += read;
        if !state.flooded {
            split(&buffer[..read], &mut line, |text| {
                state.bytes += LINE_COST;
                state.lines.push_back(Line { at, text, stream });
            });
            state.flooded = state.bytes > FLOOD_BYTES;
        }
        if state.flooded {
            (state.lines, line) = Default::default();
        }
        if stream == Stream::Out {
            state.partial = String::from_utf8_lossy(&line).into_owned();
        }
        drop(state);
        inbox.changed.notify_all();
    }
    // The descriptors are closed before the end of the stream is reported: they are free for reuse from then
    // on.
    drop((source, own));
    inbox.lock().closed[stream as usize] = true;
    inbox.changed.notify_all();
}

/// Cuts bytes into lines at CR and LF; `line` keeps the unfinished rest. Empty lines are dropped.
fn split(bytes: &[u8], line: &mut Vec<u8>, mut emit: impl FnMut(String)) {
    for &byte in bytes {
        if byte == b'\n' || byte == b'\r' {
            if !line.is_empty() {
                emit(String::from_utf8_lossy(line).into_owned());
                line.clear();
            }
        } else if line.len() < LINE_BYTES {
            line.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_line_ends_are_understood() {
        let (mut rest, mut lines) = (Vec::new(), Vec::new());
        for part in ["OK\r\nME", "SSAGE x\r7,", "7\n\n8,8"] {
            split(part.as_bytes(), &mut rest, |line| lines.push(line));
        }
        assert_eq!((lines.join("|"), rest), ("OK|MESSAGE x|7,7".into(), b"8,8".to_vec()));
        let mut lines = Vec::new();
        split(&[vec![b'a'; 3 * LINE_BYTES], b"\n".to_vec()].concat(), &mut Vec::new(), |l| {
            lines.push(l.len())
        });
        assert_eq!(lines, [LINE_BYTES]);
    }

    /// A process that this one may not kill would otherwise be waited for without end.
    #[cfg(unix)]
    #[test]
    fn a_process_that_goes_on_is_not_waited_for_without_end() {
        let mut command = Command::new("sleep");
        command.arg("60");
        let mut process = Process::spawn(command, SystemClock::new()).unwrap();
        assert!(!process.ends_within(Duration::ZERO), "nobody has killed it");
        process.kill();
        assert!(process.ends_within(DEATH_PATIENCE));
    }
}
