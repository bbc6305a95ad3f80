//! The loop of the Gomocup protocol: takes what the other threads report, in order, and replies.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use super::command::Command;
use super::output::{self, Throttle};
use super::reader::{self, Line};
use super::session::{Response, Session};
use super::worker::{Answer, Task, Worker};
use crate::book::Shelf;
use crate::clock::Clock;
use crate::game::Size;
use crate::search::Report;

/// What the other threads have to tell.
pub enum Event {
    /// A line was read.
    Line(Line),
    /// There will be no more lines.
    Closed,
    /// A search has got further.
    Report(Report),
    /// A search has ended.
    Done(Answer, Option<Report>),
}

/// Once the input is closed, searches may go on for this long.
const GRACE: Duration = Duration::from_secs(1);

/// Plays over a pair of pipes until `END`, or until the input is closed and everything is answered; with an opening book
/// if there is one on the shelf.
///
/// # Errors
/// If the output is closed, or if the system grants no threads.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write,
    clock: Arc<dyn Clock>,
    shelf: Shelf,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let worker = Worker::spawn(clock.clone(), sender.clone(), shelf)?;
    reader::spawn(input, clock.clone(), sender)?;
    let mut gomocup = Gomocup {
        output,
        clock,
        events,
        worker,
        session: Session::default(),
        waiting: VecDeque::new(),
        thinking: None,
        deadline: None,
        throttle: Throttle::default(),
    };
    let result = gomocup.run();
    if let Some(thinking) = &gomocup.thinking {
        thinking.stop.store(true, Relaxed);
    }
    result
}

/// A search that runs.
struct Thinking {
    start: Duration,
    stop: Arc<AtomicBool>,
    size: Size,
    /// Whether it is the opponent's turn: what it finds is remembered and not said, and whatever is read ends it.
    pondering: bool,
    /// The report shown last.
    shown: Option<Report>,
}

struct Gomocup<W> {
    output: W,
    clock: Arc<dyn Clock>,
    events: Receiver<Event>,
    worker: Worker,
    session: Session,
    /// Lines that came while the engine was thinking.
    waiting: VecDeque<Line>,
    thinking: Option<Thinking>,
    /// When searches must end because the input is closed.
    deadline: Option<Duration>,
    throttle: Throttle,
}

impl<W: Write> Gomocup<W> {
    fn run(&mut self) -> io::Result<()> {
        loop {
            if self.thinking.is_none() {
                if let Some(line) = self.waiting.pop_front() {
                    match self.session.line(&line.text) {
                        Response::None => {}
                        Response::Say(text) => self.say(&text)?,
                        Response::Think(task) => self.think(task, line.at, false)?,
                        Response::ClearHash => self.worker.clear()?,
                        Response::Quit => return Ok(()),
                    }
                    continue;
                }
                if self.deadline.is_some() {
                    return Ok(());
                }
            }
            match self.next()? {
                Some(Event::Line(line)) => {
                    if self.interrupts(&line) {
                        return Ok(());
                    }
                    self.waiting.push_back(line);
                }
                Some(Event::Closed) => {
                    self.stop_pondering();
                    self.deadline = Some(self.clock.now() + GRACE);
                }
                Some(Event::Report(report)) => self.show(&report, false)?,
                Some(Event::Done(answer, report)) => self.done(answer, report)?,
                None => self.stop(),
            }
        }
    }

    /// The next event; `None` when the deadline has passed while the engine still thinks.
    fn next(&self) -> io::Result<Option<Event>> {
        let wait = match self.deadline {
            Some(deadline) if !self.is_stopped() => deadline.saturating_sub(self.clock.now()),
            _ => Duration::MAX,
        };
        match self.events.recv_timeout(wait) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::Error::other("the other threads have ended")),
        }
    }

    /// Lets a line act at once that is meant for a search that runs. Returns whether it ends the program.
    fn interrupts(&self, line: &Line) -> bool {
        if self.thinking.is_none() {
            return false;
        }
        self.stop_pondering();
        match Command::parse(&line.text) {
            Ok(Command::End) => return true,
            // It stays in line, too: should a command before it make the engine think again, it is meant for that.
            Ok(Command::Stop) => self.stop(),
            _ => {}
        }
        false
    }

    fn think(&mut self, task: Box<Task>, start: Duration, pondering: bool) -> io::Result<()> {
        let stop = Arc::new(AtomicBool::new(false));
        let size = task.position.size();
        self.worker.think(task, start, stop.clone())?;
        self.thinking = Some(Thinking { start, stop, size, pondering, shown: None });
        for line in &self.waiting {
            self.interrupts(line);
        }
        Ok(())
    }

    fn stop(&self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.store(true, Relaxed);
        }
    }

    fn stop_pondering(&self) {
        if self.is_pondering() {
            self.stop();
        }
    }

    fn is_pondering(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.pondering)
    }

    fn is_stopped(&self) -> bool {
        self.thinking.as_ref().is_none_or(|thinking| thinking.stop.load(Relaxed))
    }

    fn done(&mut self, answer: Answer, report: Option<Report>) -> io::Result<()> {
        if self.is_pondering() {
            self.thinking = None;
            return Ok(());
        }
        if let Some(report) = report {
            self.show(&report, true)?;
        }
        let start = self.thinking.take().map_or(Duration::ZERO, |thinking| thinking.start);
        let text = self.session.answer(answer, self.clock.now().saturating_sub(start));
        self.say(&text)?;
        match self.session.ponder() {
            Some(task) if self.waiting.is_empty() && self.deadline.is_none() => {
                self.think(task, self.clock.now(), true)
            }
            _ => Ok(()),
        }
    }

    /// Prints a report if it says something new and the last ones are long enough ago.
    fn show(&mut self, report: &Report, last: bool) -> io::Result<()> {
        let now = self.clock.now();
        let Some(thinking) = self.thinking.as_mut().filter(|t| !t.pondering) else { return Ok(()) };
        let same = |shown: &Report| shown.depth == report.depth && shown.lines == report.lines;
        if thinking.shown.as_ref().is_some_and(same) || !self.throttle.admits(now, last) {
            return Ok(());
        }
        let text = output::report(report, thinking.size, self.session.detail());
        thinking.shown = Some(report.clone());
        self.say(&text)
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }
}
