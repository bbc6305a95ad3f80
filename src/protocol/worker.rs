//! The thread that thinks. It owns the engine; tasks come and events go through channels.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::gomocup::Event;
use super::opening::answer;
use super::opening::step::Step;
use crate::book::Shelf;
use crate::clock::Clock;
use crate::decide::{self, Balanced, Stones};
use crate::engine::{Engine, Options};
use crate::game::regulation::Opening;
use crate::game::{Point, Position};
use crate::search::{Context, Limits, Report};

/// What is to be decided in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// A move for the side to move.
    Move,
    /// Stones that bring the score nearest to this, from the view of the side to move.
    Balance(Stones, i32),
    /// A step in the choice of an opening.
    Opening(Step, Box<Opening>),
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

/// What was decided; nothing if there is no empty point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move.
    Move(Option<Point>),
    /// Stones that balance the position, best first.
    Balance(Vec<Balanced>),
    /// An answer in the choice of an opening, as it is said.
    Opening(String),
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
    /// Starts the thread, whose engine plays from this book. It ends with this value.
    pub fn spawn(clock: Arc<dyn Clock>, events: Sender<Event>, shelf: Shelf) -> io::Result<Worker> {
        let (sender, jobs) = mpsc::channel();
        let work = move || work(&jobs, &*clock, &events, shelf);
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

fn work(jobs: &Receiver<Job>, clock: &dyn Clock, events: &Sender<Event>, shelf: Shelf) {
    let mut engine = Engine::new();
    engine.set_shelf(shelf);
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
    let mut options = task.options;
    // Openings differ from one run of the program to the next, unless its limits make everything else repeatable.
    if task.question != Question::Move && task.limits.nodes.is_none() && task.limits.depth.is_none() {
        options.seed ^= context.start.as_nanos() as u64;
    }
    engine.set_options(options);
    engine.set_position(task.position);
    let mut send = |report: &Report| {
        let _ = events.send(Event::Report(report.clone()));
    };
    match task.question {
        Question::Move => {
            let found = engine.go(&task.limits, context, &mut send);
            (Answer::Move(found.as_ref().map(|f| f.0)), found.map(|f| f.1))
        }
        Question::Balance(stones, bias) => {
            let found = decide::balance(engine, stones, bias, &task.limits, context);
            (Answer::Balance(found), None)
        }
        Question::Opening(step, opening) => {
            (Answer::Opening(answer::answer(engine, &step, &opening, &task.limits, context)), None)
        }
    }
}
