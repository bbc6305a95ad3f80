//! The thread that thinks. It owns the engine; tasks come and events go through channels.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::gomocup::Event;
use super::swap2::{self, Choice};
use crate::clock::Clock;
use crate::engine::{Engine, Options};
use crate::game::{Point, Position};
use crate::search::{Context, Limits, Report};

/// What is to be decided in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// A move for the side to move.
    Move,
    /// The answer to `SWAP2BOARD`.
    Swap2,
}

/// Something to think about.
#[derive(Clone, Debug)]
pub struct Task {
    /// What to decide.
    pub question: Question,
    /// The position.
    pub position: Position,
    /// The engine's options.
    pub options: Options,
    /// Limits of the search.
    pub limits: Limits,
}

/// What was decided; `None` if there is no empty point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move.
    Move(Option<Point>),
    /// An answer to `SWAP2BOARD`.
    Swap2(Option<Choice>),
}

enum Job {
    Think { task: Box<Task>, start: Duration, stop: Arc<AtomicBool> },
    Clear,
}

/// The other end of the thread.
pub struct Worker(Sender<Job>);

/// Stack of the thread; only what is used of it takes memory.
const STACK: usize = 16 << 20;

impl Worker {
    /// Starts the thread. It ends with this value.
    pub fn spawn(clock: Arc<dyn Clock>, events: Sender<Event>) -> io::Result<Worker> {
        let (sender, jobs) = mpsc::channel();
        let work = move || work(&jobs, &*clock, &events);
        thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(work)?;
        Ok(Worker(sender))
    }

    /// Begins to think about `task`, whose clock started at `start`, until there is an answer or `stop` is set. Events
    /// follow: reports, then [`Event::Done`].
    pub fn think(&self, task: Box<Task>, start: Duration, stop: Arc<AtomicBool>) -> io::Result<()> {
        self.send(Job::Think { task, start, stop })
    }

    /// Forgets what earlier searches learned.
    pub fn clear(&self) -> io::Result<()> {
        self.send(Job::Clear)
    }

    fn send(&self, job: Job) -> io::Result<()> {
        self.0.send(job).map_err(|_| io::Error::other("the search thread has ended"))
    }
}

fn work(jobs: &Receiver<Job>, clock: &dyn Clock, events: &Sender<Event>) {
    let mut engine = Engine::new();
    // When nobody takes events any more, the other end of `jobs` is gone as well.
    for job in jobs {
        match job {
            Job::Clear => engine.clear(),
            Job::Think { task, start, stop } => {
                let context = Context { clock, start, stop: &stop };
                let (answer, report) = think(&mut engine, *task, &context, events);
                let _ = events.send(Event::Done(answer, report));
            }
        }
    }
}

/// The answer, and the last report on it.
fn think(
    engine: &mut Engine,
    task: Task,
    context: &Context<'_>,
    events: &Sender<Event>,
) -> (Answer, Option<Report>) {
    engine.set_options(task.options);
    engine.set_position(task.position);
    let mut send = |report: &Report| {
        let _ = events.send(Event::Report(report.clone()));
    };
    match task.question {
        Question::Move => {
            let found = engine.go(&task.limits, context, &mut send);
            (Answer::Move(found.as_ref().map(|f| f.0)), found.map(|f| f.1))
        }
        Question::Swap2 => (Answer::Swap2(swap2::choose(engine, &task.limits, context, &mut send)), None),
    }
}
