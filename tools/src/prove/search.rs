//! Drives the search: workers take questions from the tree, answers go to the file and into the tree.
//!
//! With one worker, the order of questions depends on the answers alone. With several, it also depends on
//! which worker is done first; the answers are the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::Question;
use super::fact::Fact;
use super::store::{Error, Known, Store};
use super::tree::{Task, Tree};
use super::worker::Worker;
use kagetsu::book::Key;
use kagetsu::clock::Clock;
use kagetsu::game::Rule;

/// Time between two looks at the clock.
const TICK: Duration = Duration::from_millis(100);
/// Questions without an answer that a replay skips. A run leaves one for each worker, and some more if its
/// answers came in another order.
const PASSED_OVER: usize = 64;

/// Threads, memory and limits of the search.
pub struct SearchLimits<'a> {
    /// Workers.
    pub threads: usize,
    /// Bytes for the tables of all workers together.
    pub tables: usize,
    /// Bytes for the tree.
    pub memory: usize,
    /// Nodes of solvers and searches, those of earlier runs included.
    pub nodes: u64,
    /// When the clock reads this, the search ends.
    pub deadline: Option<Duration>,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Ends the search when it is set; set when it ends.
    pub stop: Arc<AtomicBool>,
}

/// Outcome of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Reason of the end.
    pub end: End,
    /// Progress.
    pub state: State,
    /// Whether the tree had room for all answers of earlier runs.
    pub replayed: bool,
}

/// Reason why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The position is proven.
    Proven,
    /// The defender wins, whatever the attacker plays.
    Hopeless,
    /// A limit was reached, or it was stopped.
    Stopped,
    /// The tree has no more room.
    Memory,
}

impl End {
    /// One word for it, as reports print it.
    pub fn name(self) -> &'static str {
        match self {
            End::Proven => "proven",
            End::Hopeless => "hopeless",
            End::Stopped => "limit",
            End::Memory => "memory",
        }
    }
}

/// Progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// Answers found in this run.
    pub asked: u64,
    /// Answers taken from the file.
    pub recalled: u64,
    /// Nodes of all of them.
    pub nodes: u64,
    /// Estimated effort left for the position of the question.
    pub effort: u32,
}

/// State shared by the workers.
struct Shared<'a> {
    tree: &'a mut Tree,
    store: &'a mut Store,
    known: Known,
    state: State,
    at_work: usize,
    end: Option<End>,
    error: Option<Error>,
}

/// Searches until the question is answered or a limit is reached; `watch` is called regularly with the progress. The
/// answers of earlier runs come first, and no limit but that of memory cuts them: otherwise a shorter run would know less
/// than the one before.
///
/// # Errors
/// If the file cannot be written, or the system refuses a thread.
pub fn search<R: Rule>(
    question: &Question,
    tree: &mut Tree,
    (store, known): (&mut Store, Known),
    limits: &SearchLimits<'_>,
    watch: &mut dyn FnMut(State),
) -> Result<Ended, Error> {
    let mut shared =
        Shared { tree, store, known, state: State::default(), at_work: 0, end: None, error: None };
    let replayed = shared.replay(limits.memory);
    let crew = Crew { shared: Mutex::new(shared), changed: Condvar::new(), limits };
    thread::scope(|scope| {
        let _end = EndOnPanic(&crew);
        for _ in 0..limits.threads {
            let started = thread::Builder::new().spawn_scoped(scope, || {
                let _end = EndOnPanic(&crew);
                let (rule, size) = (question.rule, question.position.size());
                let table = limits.tables / limits.threads;
                crew.work(Worker::<R>::new(rule, size, question.attacker, table, Arc::clone(&limits.stop)));
            });
            if let Err(error) = started {
                crew.lock().fail(Error::Threads(error));
                break;
            }
        }
        crew.watch(watch);
    });
    let shared = crew.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    match shared.error {
        Some(error) => Err(error),
        None => Ok(Ended { end: shared.end.unwrap_or(End::Stopped), state: shared.state, replayed }),
    }
}

/// The workers of a search, what they share, and its limits.
struct Crew<'a> {
    shared: Mutex<Shared<'a>>,
    changed: Condvar,
    limits: &'a SearchLimits<'a>,
}

impl<'a> Crew<'a> {
    fn lock(&self) -> MutexGuard<'_, Shared<'a>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the clock until the search is over.
    fn watch(&self, watch: &mut dyn FnMut(State)) {
        let mut shared = self.lock();
        while shared.end.is_none() {
            watch(shared.state);
            let late = self.limits.deadline.is_some_and(|deadline| self.limits.clock.now() >= deadline);
            if late || self.limits.stop.load(Ordering::Relaxed) {
                shared.end = Some(End::Stopped);
                break;
            }
            shared = self.changed.wait_timeout(shared, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        self.limits.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn work<R: Rule>(&self, mut worker: Worker<R>) {
        let mut shared = self.lock();
        while shared.end.is_none() {
            let Some(task) = shared.next(self.limits) else {
                if shared.end.is_none() {
                    // Wait for the results of the other workers first.
                    shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
                }
                continue;
            };
            let key = shared.tree.node(task.node).key.clone();
            shared.at_work += 1;
            drop(shared);
            let fact = worker.find(&key, task.ask);
            shared = self.lock();
            shared.at_work -= 1;
            match fact {
                Some(fact) => shared.keep(&task, &key, &fact),
                None => shared.tree.abandon(&task),
            }
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }
}

/// Ends the search when a thread panics. Otherwise the others would wait for its task, and none might read the clock.
struct EndOnPanic<'a, 'b>(&'a Crew<'b>);

impl Drop for EndOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().end = Some(End::Stopped);
            self.0.limits.stop.store(true, Ordering::Relaxed);
            self.0.changed.notify_all();
        }
    }
}

impl Shared<'_> {
    /// Puts the answers of earlier runs into the tree; `false` if they take more memory than this. Several workers may have
    /// left answers to questions that no longer come: these stay out.
    fn replay(&mut self, memory: usize) -> bool {
        let mut passed = Vec::new();
        let mut fits = true;
        while !self.known.is_empty() && passed.len() < PASSED_OVER {
            fits = self.tree.memory() < memory;
            let Some(task) = fits.then(|| self.tree.select()).flatten() else { break };
            if !self.recall(&task) {
                passed.push(task);
            }
        }
        passed.iter().for_each(|task| self.tree.abandon(task));
        fits
    }

    /// The next task whose answer is not in the file; `None` when the search is over, or if there is nothing to do until
    /// another worker is done.
    fn next(&mut self, limits: &SearchLimits<'_>) -> Option<Task> {
        loop {
            if self.tree.node(self.tree.root()).is_proven() {
                self.end = Some(End::Proven);
                return None;
            }
            if self.state.nodes >= limits.nodes {
                self.end = Some(End::Stopped);
                return None;
            }
            if self.tree.memory() >= limits.memory {
                self.end = Some(End::Memory);
                return None;
            }
            let Some(task) = self.tree.select() else {
                if self.at_work == 0 {
                    self.end = Some(End::Hopeless);
                }
                return None;
            };
            if !self.recall(&task) {
                return Some(task);
            }
        }
    }

    /// Writes an answer and puts it into the tree.
    fn keep(&mut self, task: &Task, key: &Key, fact: &Fact) {
        match self.store.append(key, task.ask, fact) {
            Ok(place) => {
                self.state.asked += 1;
                self.state.nodes += fact.nodes;
                self.tree.learn(task, fact, place);
                self.state.effort = self.tree.node(self.tree.root()).effort;
            }
            Err(error) => self.fail(error),
        }
    }

    /// Ends the search with an error.
    fn fail(&mut self, error: Error) {
        self.error = Some(error);
        self.end = Some(End::Stopped);
    }

    /// Returns whether the answer to a task is in the file; it is then in the tree, too.
    fn recall(&mut self, task: &Task) -> bool {
        let key = self.tree.node(task.node).key.clone();
        let Some((fact, place)) = self.known.remove(&(key, task.ask)) else { return false };
        self.state.recalled += 1;
        self.state.nodes += fact.nodes;
        self.tree.learn(task, &fact, place);
        self.state.effort = self.tree.node(self.tree.root()).effort;
        true
    }
}
