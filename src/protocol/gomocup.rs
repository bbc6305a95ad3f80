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
    /// The clock's reading after the last answer.
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
                    self.replied = self.clock.now();
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
        let text = self.session.answer(answer, self.clock.now().saturating_sub(start));
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
