//! A contestant at the board: the manager's side of the Gomocup protocol with one engine process.
//!
//! Commands go out, replies are read and judged as replies; whether a move is legal is the [referee's](super::referee)
//! concern. Everything said is kept in the [`Dialogue`] until the next game.

mod opening;
mod start;

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::contestant::Contestant;
use super::dialogue::Dialogue;
use super::fault::{Fault, FaultKind, Stop};
use super::memory;
use super::pause::Halt;
use super::process::{Event, Process, Stream};
use super::reply::{Reply, Thinking};
use super::request::Ask;
use super::starvation::{self, Waits};
use super::time::GameClock;
use super::warnings::Warnings;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::Size;
use kagetsu::game::quote::beginning;

/// Interval at which a wait checks the memory and whether the game must stop.
const WATCH: Duration = Duration::from_millis(100);
/// Time after the limit during which a move is still awaited, to tell a late engine from a silent one.
const GRACE: Duration = Duration::from_secs(1);
/// Longest pause after a move. An engine gets a twentieth of its thinking time, up to this, to become ready for the
/// next command: some engines miss a command that comes within microseconds of their move. Engines that answer at once
/// are not slowed down.
const BREATH: Duration = Duration::from_millis(5);

/// An engine's move.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Column from the left and row from the top, as they came.
    pub coordinates: (i64, i64),
    /// Time from the command's sending to the reply's arrival.
    pub elapsed: Duration,
    /// Last reports of the engine's search.
    pub thinking: Thinking,
}

/// A running engine.
pub struct Player {
    contestant: Arc<Contestant>,
    process: Process,
    clock: SystemClock,
    dialogue: Dialogue,
    warnings: Warnings,
    size: Size,
    /// The last `timeout_turn` sent.
    told_turn: Option<u64>,
    /// Whether it may know the commands of openings: it has not refused one yet.
    answers_openings: bool,
    /// Whether it may know ABOUT: it has answered it each time.
    answers_about: bool,
    /// Whether the process has played a game before.
    kept: bool,
    /// Whether it may know RESTART: it has not failed to answer it with OK.
    knows_restart: bool,
    /// Time before which nothing is sent.
    ready_at: Duration,
    memory_checked: Duration,
    /// Time that its threads had waited for a processor when the last request was sent.
    waited: Option<Waits>,
}

impl Player {
    /// Starts the engine's process.
    ///
    /// # Errors
    /// If the system cannot.
    pub fn start(contestant: Arc<Contestant>, clock: SystemClock) -> io::Result<Player> {
        let process = Process::spawn(contestant.command(), clock)?;
        Ok(Player {
            contestant,
            process,
            clock,
            dialogue: Dialogue::default(),
            warnings: Warnings::default(),
            size: Size::S15,
            told_turn: None,
            answers_openings: true,
            answers_about: true,
            kept: false,
            knows_restart: true,
            ready_at: Duration::ZERO,
            memory_checked: Duration::ZERO,
            waited: None,
        })
    }

    /// Returns the contestant that plays.
    pub fn contestant(&self) -> &Contestant {
        &self.contestant
    }

    /// Returns the dialogue since the game began.
    pub fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// Returns the warnings since the game began, and clears them.
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.warnings.take()
    }

    /// Returns whether the engine may know the commands of openings: it has not refused one.
    pub fn answers_openings(&self) -> bool {
        self.answers_openings
    }

    /// Stops asking the engine about openings, for this reason.
    pub fn give_up_openings(&mut self, reason: &str) {
        self.answers_openings = false;
        self.warnings.add(reason.to_owned());
    }

    /// Forgets what was said in the last game.
    pub fn forget(&mut self) {
        self.dialogue.clear();
    }

    /// Freezes the engine until it is asked again.
    pub fn suspend(&mut self) {
        self.wait_until_ready();
        self.process.suspend();
    }

    fn wait_until_ready(&self) {
        let left = self.ready_at.saturating_sub(self.clock.now());
        if !left.is_zero() {
            std::thread::sleep(left);
        }
    }

    /// Writes the times left on the engine's clock.
    fn times(&mut self, clock: &GameClock) -> String {
        let mut text = String::new();
        let turn = clock.turn_ms();
        if let Some(turn) = turn.filter(|_| turn != self.told_turn) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "INFO timeout_turn {turn}");
            self.told_turn = Some(turn);
        }
        let _ = writeln!(text, "INFO time_left {}", clock.left_ms());
        text
    }

    /// Asks for a move and waits for it, no longer than its clock allows.
    ///
    /// # Errors
    /// If no move comes in time, or the game must stop.
    pub fn think(&mut self, ask: Ask<'_>, clock: &GameClock, halt: Halt<'_>) -> Result<Answer, Stop> {
        let request = self.times(clock) + &ask.text(self.size);
        let mut thinking = Thinking::default();
        let (coordinates, elapsed) = self.exchange(&request, clock.allowed(), halt, |line| {
            match Reply::parse(line) {
                Reply::Move(x, y) => return Some((x, y)),
                Reply::Note(note) => thinking.read(note),
                _ => {}
            }
            None
        })?;
        Ok(Answer { coordinates, elapsed, thinking })
    }

    /// Sends a request and waits for the line in which `read` finds its answer.
    fn exchange<T>(
        &mut self,
        request: &str,
        allowed: Duration,
        halt: Halt<'_>,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<(T, Duration), Stop> {
        self.wait_until_ready();
        while let Some(text) = self.unasked()? {
            if matches!(Reply::parse(&text), Reply::Move(..)) {
                return Err(stray_move(&text).into());
            }
            self.warnings.add(format!("stray line '{}'", cut(&text)));
        }
        self.process.resume();
        self.waited = starvation::waited(self.process.id());
        self.send(request)?;
        // The clock starts after the writing: the runner's own delays are not the engine's.
        let start = self.clock.now();
        let mut odd: Option<String> = None;
        loop {
            let Some((at, text)) = self.receive(start + allowed + GRACE, halt)? else {
                return Err(self.no_move(allowed, odd).into());
            };
            let elapsed = at.saturating_sub(start);
            if let Some(answer) = read(&text) {
                self.accept(at, elapsed, allowed)?;
                return Ok((answer, elapsed));
            }
            match Reply::parse(&text) {
                Reply::Note(_) => {}
                Reply::Suggest(x, y) => self.send(&format!("PLAY {x},{y}\n"))?,
                _ => {
                    self.warnings.add(format!("stray line '{}'", cut(&text)));
                    odd = Some(text);
                }
            }
        }
    }

    /// Checks an answer that came at this time: was it in time, and within the memory limit?
    fn accept(&mut self, at: Duration, elapsed: Duration, allowed: Duration) -> Result<(), Fault> {
        if elapsed > allowed {
            let (elapsed, allowed, waited) = (elapsed.as_millis(), allowed.as_millis(), self.starved());
            let detail = format!("{elapsed} ms where {allowed} ms were allowed{waited}");
            return Err(Fault::new(FaultKind::Overtime, detail));
        }
        if elapsed > Duration::from_millis(1) {
            self.ready_at = at + BREATH.min(elapsed / 20);
        }
        self.check_memory()
    }

    /// Names the failure of an engine whose time is over.
    fn no_move(&self, allowed: Duration, odd: Option<String>) -> Fault {
        let waited = format!("no move within {} ms", (allowed + GRACE).as_millis());
        let partial = self.process.partial();
        let (kind, seen) = if !partial.is_empty() {
            (FaultKind::HalfLine, format!(", but '{}' without a line end", cut(&partial)))
        } else if let Some(odd) = odd {
            (FaultKind::NoMove, format!(", but '{}'", cut(&odd)))
        } else {
            (FaultKind::Silence, String::new())
        };
        Fault::new(kind, waited + &seen + &self.starved())
    }

    /// Returns how long the engine waited for a processor since the request, for the detail of a fault of time.
    fn starved(&self) -> String {
        starvation::said(self.waited.as_ref(), starvation::waited(self.process.id()).as_ref())
    }

    /// Returns the next line that came since the last reply without a request. Notes and standard error are skipped.
    fn unasked(&mut self) -> Result<Option<String>, Fault> {
        loop {
            let event = self.process.next(Duration::ZERO);
            if event == Event::Timeout {
                return Ok(None);
            }
            if let Some((_, text)) = self.take(event)?
                && !matches!(Reply::parse(&text), Reply::Note(_))
            {
                return Ok(Some(text));
            }
        }
    }

    /// The next reply line and its arrival; `None` when the deadline passes.
    fn receive(&mut self, deadline: Duration, halt: Halt<'_>) -> Result<Option<(Duration, String)>, Stop> {
        loop {
            let slice = deadline.min(self.clock.now() + WATCH);
            let event = self.process.next(slice);
            let timeout = event == Event::Timeout;
            let line = self.take(event)?;
            // The halt is checked after lines too: output without a pause must not keep the game from
            // stopping.
            if halt.is_set() {
                return Err(Stop::Aborted);
            }
            self.check_memory()?;
            if line.is_some() {
                return Ok(line);
            }
            if timeout {
                // Child processes may hold the output of an engine that has ended: its output ends when they do.
                let gone = self.process.exit_status(Duration::ZERO).is_some();
                if slice == deadline {
                    return if gone { Err(self.crash("output").into()) } else { Ok(None) };
                }
            }
        }
    }

    /// Records an event; gives back a reply line if it was one.
    fn take(&mut self, event: Event) -> Result<Option<(Duration, String)>, Fault> {
        match event {
            Event::Line(line) => {
                self.dialogue.received(&line);
                Ok((line.stream == Stream::Out).then_some((line.at, line.text)))
            }
            Event::Timeout => Ok(None),
            Event::Flooded => Err(Fault::new(FaultKind::Flood, "output without end")),
            Event::Closed => Err(self.crash("output")),
        }
    }

    /// Names the failure of an engine that has ended or, if its process goes on, has closed this stream.
    fn crash(&mut self, stream: &str) -> Fault {
        let detail = match self.process.exit_status(Duration::from_millis(200)) {
            Some(status) => format!("the process ended: {status}"),
            None => format!("the process closed its {stream}"),
        };
        Fault::new(FaultKind::Crash, detail)
    }

    fn send(&mut self, text: &str) -> Result<(), Fault> {
        self.dialogue.sent(self.clock.now(), text);
        match self.process.send(text) {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                Err(Fault::new(FaultKind::Deaf, "the engine does not read its input"))
            }
            Err(_) => Err(self.crash("input")),
        }
    }

    /// Measures the memory, unless it was measured a moment ago.
    fn check_memory(&mut self) -> Result<(), Fault> {
        let now = self.clock.now();
        let due = self.contestant.check_memory && now >= self.memory_checked + WATCH;
        let Some(limit) = self.contestant.memory.filter(|_| due) else {
            return Ok(());
        };
        self.memory_checked = now;
        match memory::unique_set_above(self.process.id(), limit) {
            Some(used) => {
                let detail = format!("{} MiB where {} MiB are allowed", used >> 20, limit >> 20);
                Err(Fault::new(FaultKind::Memory, detail))
            }
            None => Ok(()),
        }
    }

    /// Asks the process to end, and kills it if it does not. Returns whether it ended by itself.
    pub fn quit(mut self) -> bool {
        self.process.quit()
    }
}

fn stray_move(text: &str) -> Fault {
    Fault::new(FaultKind::StrayMove, format!("'{}' out of turn", cut(text)))
}

/// Cuts a text short enough for a message.
fn cut(text: &str) -> String {
    beginning(text, 80).into_owned()
}
