//! The player: handles lines in order, thinks when one asks for a move, and replies.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::inbox::{Inbox, InputLine};
use super::output;
use super::printer::Printer;
use super::reader;
use super::session::{Response, Session};
use super::think::{Task, think};
use crate::book::Shelf;
use crate::clock::Clock;
use crate::engine::Engine;
use crate::game::notation;
use crate::search::{Context, Limits};

/// Stack of the player's thread in bytes; unused pages take no memory.
const STACK: usize = 16 << 20;
/// Longest pause between `START` and the settings that follow it, the memory limit among them. No memory is taken
/// before the limit is known, because a judge may freeze the process at any time and measure its memory.
const MOMENT: Duration = Duration::from_millis(50);

/// Plays over a pair of pipes until `END`, or until the input is closed and everything is answered; with an opening book
/// if there is one on the shelf.
///
/// # Errors
/// If the output is closed, or if the system grants no threads.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send,
    clock: Arc<dyn Clock>,
    shelf: Shelf,
) -> io::Result<()> {
    let inbox = Arc::new(Inbox::default());
    reader::spawn(input, clock.clone(), inbox.clone())?;
    let play = || {
        let mut engine = Engine::new();
        engine.set_shelf(shelf);
        let printer = Printer::new(output, clock.clone());
        let (session, replied) = (Session::default(), Duration::ZERO);
        Gomocup { inbox: &inbox, printer, clock, engine, session, replied }.run()
    };
    let result = thread::scope(|scope| {
        let player = thread::Builder::new().name("player".to_owned()).stack_size(STACK);
        let ended = player.spawn_scoped(scope, play)?.join();
        ended.unwrap_or_else(|_| Err(io::Error::other("the player has panicked")))
    });
    inbox.abandon();
    result
}

struct Gomocup<'a, W> {
    inbox: &'a Inbox,
    printer: Printer<W>,
    clock: Arc<dyn Clock>,
    engine: Engine,
    session: Session,
    /// The clock's reading just before the last answer was sent.
    replied: Duration,
}

impl<W: Write> Gomocup<'_, W> {
    fn run(&mut self) -> io::Result<()> {
        while let Some(line) = self.next()? {
            log::debug!("> {}", line.text.trim_end().escape_debug());
            match self.session.line(&line.text) {
                Response::None => {}
                Response::Say(text) => self.printer.say(&text)?,
                Response::Think(task) => {
                    // The clock of a command that was sent ahead starts with the answer before it.
                    self.answer(*task, line.at.max(self.replied))?;
                    self.ponder();
                }
                Response::ClearHash => self.engine.clear(),
                Response::Quit => break,
            }
        }
        Ok(())
    }

    /// Returns the next line. If none comes for a moment, it first prepares the next search, and resumes the pondering
    /// that the last line interrupted.
    fn next(&mut self) -> io::Result<Option<InputLine>> {
        if let Some((options, limits)) = self.session.upcoming() {
            self.engine.set_options(options);
            self.engine.shrink();
            let quiet = self.inbox.is_quiet_for(MOMENT) && self.inbox.begin_pondering();
            if quiet {
                self.engine.prepare(&limits, self.inbox.stopped());
                self.inbox.finish();
            }
            self.notify()?;
            if quiet {
                self.ponder();
            }
        }
        Ok(self.inbox.next())
    }

    /// Sends the engine's notice to the user, if there is one.
    fn notify(&mut self) -> io::Result<()> {
        self.engine.take_notice().map_or(Ok(()), |notice| self.printer.say(&output::message(&notice)))
    }

    /// Thinks about a task whose clock started at `start`, and replies, unless `END` comes first.
    fn answer(&mut self, task: Task, start: Duration) -> io::Result<()> {
        let Task { position, options, limits, .. } = &task;
        log::info!("thinking about {}: {options:?}", notation::print(position));
        let Limits { turn, left, increment, nodes, depth, threads, .. } = limits;
        log::info!(
            "limits: turn {turn:?}, left {left:?}, increment {increment:?}, nodes {nodes:?}, depth {depth:?}, \
             threads {threads}"
        );
        let (inbox, printer) = (self.inbox, &mut self.printer);
        let (size, detail) = (task.position.size(), self.session.detail());
        let mut written = Ok(());
        let mut show = |report: &_| {
            if written.is_ok() {
                written = printer.show(report, size, detail, false);
            }
            if written.is_err() {
                inbox.stop();
            }
        };
        inbox.begin();
        let context = Context { clock: &*self.clock, start, stop: inbox.stopped() };
        let (answer, report) = think(&mut self.engine, task, &context, &mut show);
        let wanted = inbox.finish();
        written?;
        if !wanted {
            return Ok(());
        }
        self.notify()?;
        if let Some(report) = report {
            self.session.note_report(&report);
            self.printer.show(&report, size, detail, true)?;
        }
        // Read the clock before the answer is sent. The manager may freeze this process as soon as it has the answer, or
        // send the next command before this thread runs again: a later reading would start the clock of that command late.
        self.replied = self.clock.now();
        let text = self.session.answer(answer, self.replied.saturating_sub(start));
        self.printer.say(&text)
    }

    /// Thinks about the opponent's move while nothing else is to be done, if pondering is on.
    fn ponder(&mut self) {
        if let Some(task) = self.session.ponder()
            && self.inbox.begin_pondering()
        {
            let context =
                Context { clock: &*self.clock, start: self.clock.now(), stop: self.inbox.stopped() };
            think(&mut self.engine, *task, &context, &mut |_| {});
            self.inbox.finish();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// A clock that the test sets, in seconds.
    #[derive(Default)]
    struct Set(AtomicU64);

    impl Clock for Set {
        fn now(&self) -> Duration {
            Duration::from_secs(self.0.load(Relaxed))
        }
    }

    /// An input whose bytes come from a channel, and that tells of each call.
    struct Fed {
        calls: Sender<()>,
        bytes: Receiver<&'static [u8]>,
    }

    impl Read for Fed {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            // The receiver may be gone.
            let _ = self.calls.send(());
            // Without a sender the input has ended.
            let bytes = self.bytes.recv().unwrap_or_default();
            buffer[..bytes.len()].copy_from_slice(bytes);
            Ok(bytes.len())
        }
    }

    /// A manager that sends the next command as soon as it has the first answer. An hour passes before the thread that wrote
    /// the answer goes on.
    struct Manager {
        calls: Receiver<()>,
        feed: Option<Sender<&'static [u8]>>,
        clock: Arc<Set>,
        heard: Vec<u8>,
    }

    impl Write for Manager {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.heard.extend(bytes);
            if bytes.starts_with(b"7,7")
                && let Some(feed) = self.feed.take()
            {
                feed.send(b"TURN 0,0\n").unwrap();
                // Input is read for the first lines, for this one, and for the next: by then this line is in the queue.
                (0..3).for_each(|_| self.calls.recv().unwrap());
                self.clock.0.store(3600, Relaxed);
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_clock_of_a_move_does_not_wait_for_the_thread_that_sent_the_answer_before() {
        let ((told, calls), (feed, bytes)) = (channel(), channel());
        let clock = Arc::new(Set::default());
        let first = "INFO max_node 500\nINFO timeout_turn 60000\nINFO max_memory 40000000\nSTART 15\nBEGIN\n";
        feed.send(first.as_bytes()).unwrap();
        let mut manager = Manager { calls, feed: Some(feed), clock: clock.clone(), heard: Vec::new() };
        run(Fed { calls: told, bytes }, &mut manager, clock, Shelf::Empty).unwrap();
        let heard = String::from_utf8(manager.heard).unwrap();
        let (before, after) = heard.split_once("\n7,7\n").unwrap();
        assert!(!before.contains("nothing searched"), "the first move has its time: {heard}");
        assert!(after.starts_with("MESSAGE nothing searched"), "the second has none left: {heard}");
    }
}
