//! Queue of jobs (requests that need the engine) and the thread that runs them. A short job runs as soon as the engine is
//! free. A long one (an analysis) yields to other jobs and continues afterwards. A page's jobs end when it closes.
//!
//! One thread owns the engine. All shared state is behind one lock, which is never held while a job runs, so there is
//! no deadlock.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::limits;
use crate::outlet::Outlet;
use crate::resources::Resources;
use crate::schema::Tell;
use kagetsu::clock::{Clock, SystemClock};

/// Time after which a long job is interrupted for another long one.
const SLICE: Duration = Duration::from_secs(2);
/// Stack of the engine's thread: the solver of wins by threats recurses.
const STACK: usize = 64 << 20;

/// State of a job after a step of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// It has given its answer.
    Ended,
    /// It was interrupted or finished a part, and continues in its next turn.
    More,
}

/// Job: a request that needs the engine.
pub trait Job: Send {
    /// Whether it takes long: it is then interrupted for others.
    fn is_long(&self) -> bool {
        false
    }

    /// Runs until it has ended, or `turn` is over.
    ///
    /// # Errors
    /// The reason why there is no answer; the job has then ended.
    fn run(&mut self, resources: &mut Resources, turn: &Turn<'_>) -> Result<Progress>;
}

/// A page, as the desk knows it.
#[derive(Debug)]
pub struct Client(u64);

/// The turn of one job.
pub struct Turn<'a> {
    /// Set when the job is to stop.
    pub stop: &'a AtomicBool,
    /// The outlet of its answers.
    pub outlet: &'a Outlet,
    desk: &'a Shared,
    began: Duration,
    is_long: bool,
}

impl Turn<'_> {
    /// Ends the turn of a long job if other jobs have waited long enough. Call it several times a second.
    pub fn look_round(&self) {
        if !self.is_long {
            return;
        }
        let state = self.desk.lock();
        let waited = self.desk.clock.now().saturating_sub(self.began) >= SLICE;
        let due = |waiting: &Waiting| !waiting.job.is_long() || waited;
        if state.queue.iter().any(due) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

struct Waiting {
    client: u64,
    outlet: Outlet,
    job: Box<dyn Job>,
}

struct Running {
    client: u64,
    id: u32,
    stop: Arc<AtomicBool>,
    /// Whether the page stopped the job or is gone: it gets no further turn.
    cancelled: bool,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Waiting>,
    running: Option<Running>,
    clients: u64,
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    news: Condvar,
    clock: SystemClock,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The queue of jobs for the engine, which its thread owns.
pub struct Desk(Arc<Shared>);

impl Desk {
    /// Creates an engine with these numbers of threads and of bytes for tables.
    ///
    /// # Errors
    /// If its thread cannot be started.
    pub fn new(threads: usize, hash: u64) -> Result<Desk> {
        let shared =
            Arc::new(Shared { state: Mutex::default(), news: Condvar::new(), clock: SystemClock::new() });
        let desk = shared.clone();
        let make = move || Resources::new(threads, hash);
        let run = move || serve(&desk, &make);
        thread::Builder::new()
            .name("engine".into())
            .stack_size(STACK)
            .spawn(run)
            .context("no thread for the engine")?;
        Ok(Desk(shared))
    }

    /// Registers a new page.
    pub fn client(&self) -> Client {
        let mut state = self.0.lock();
        state.clients += 1;
        Client(state.clients)
    }

    /// Queues a job.
    ///
    /// # Errors
    /// If too many jobs of the page are waiting.
    pub fn submit(&self, client: &Client, job: Box<dyn Job>, outlet: Outlet) -> Result<(), String> {
        let mut state = self.0.lock();
        if state.queue.iter().filter(|waiting| waiting.client == client.0).count() >= limits::JOBS {
            return Err("this page has too many jobs waiting for the engine: stop one of them first".into());
        }
        // A short job comes before the long ones.
        let ahead = |waiting: &&Waiting| job.is_long() || !waiting.job.is_long();
        let place = state.queue.iter().take_while(ahead).count();
        let ahead = place + usize::from(state.running.is_some());
        if ahead > 0 {
            outlet.report(Tell::Queued { ahead: u32::try_from(ahead).unwrap_or(u32::MAX) });
        }
        state.queue.insert(place, Waiting { client: client.0, outlet, job });
        self.0.news.notify_all();
        Ok(())
    }

    /// Ends the job for a page's request, if it has not ended.
    pub fn stop(&self, client: &Client, id: u32) {
        self.end(|owner, request| owner == client.0 && request == id);
    }

    /// Ends all jobs of a page.
    pub fn leave(&self, client: &Client) {
        self.end(|owner, _| owner == client.0);
    }

    fn end(&self, is_meant: impl Fn(u64, u32) -> bool) {
        let mut state = self.0.lock();
        let (ended, kept) = std::mem::take(&mut state.queue)
            .into_iter()
            .partition(|waiting| is_meant(waiting.client, waiting.outlet.id));
        state.queue = kept;
        if let Some(running) = state.running.as_mut().filter(|running| is_meant(running.client, running.id)) {
            running.cancelled = true;
            running.stop.store(true, Ordering::Relaxed);
        }
        drop(state);
        let ended: VecDeque<Waiting> = ended;
        for waiting in ended {
            waiting.outlet.tell_now(Tell::Done);
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.end(|_, _| true);
        self.0.news.notify_all();
    }
}

/// Runs one job after another until the desk is closed.
fn serve(shared: &Shared, make: &dyn Fn() -> Resources) {
    let mut resources = make();
    while let Some((mut waiting, stop)) = next(shared) {
        let turn = Turn {
            stop: &stop,
            outlet: &waiting.outlet,
            desk: shared,
            began: shared.clock.now(),
            is_long: waiting.job.is_long(),
        };
        let job = &mut waiting.job;
        let done = panic::catch_unwind(AssertUnwindSafe(|| job.run(&mut resources, &turn)));
        let mut state = shared.lock();
        let cancelled = state.running.take().is_none_or(|running| running.cancelled);
        match done {
            Ok(Ok(Progress::More)) if !cancelled => state.queue.push_back(waiting),
            Ok(Ok(Progress::More)) => {
                drop(state);
                waiting.outlet.tell(Tell::Done);
            }
            Ok(Ok(Progress::Ended)) => {}
            Ok(Err(error)) => {
                drop(state);
                waiting.outlet.tell(Tell::Error { message: format!("{error:#}") });
            }
            Err(_) => {
                drop(state);
                log::error!("a job of the engine panicked");
                resources = make();
                waiting
                    .outlet
                    .tell(Tell::Error { message: "the engine failed; please report this position".into() });
            }
        }
    }
}

/// Waits for the next job and marks it as running; `None` when the desk is closed.
fn next(shared: &Shared) -> Option<(Waiting, Arc<AtomicBool>)> {
    let mut state = shared.lock();
    loop {
        if state.closed {
            return None;
        }
        if let Some(waiting) = state.queue.pop_front() {
            let stop = Arc::new(AtomicBool::new(false));
            state.running = Some(Running {
                client: waiting.client,
                id: waiting.outlet.id,
                stop: stop.clone(),
                cancelled: false,
            });
            return Some((waiting, stop));
        }
        state = shared.news.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use tokio::sync::mpsc::Receiver;

    use super::*;
    use crate::outlet::Queue;
    use crate::schema::Reply;

    /// Runs until it is stopped.
    struct Endless(Arc<AtomicUsize>);

    impl Job for Endless {
        fn is_long(&self) -> bool {
            true
        }

        fn run(&mut self, _: &mut Resources, turn: &Turn<'_>) -> Result<Progress> {
            self.0.fetch_add(1, Ordering::Relaxed);
            turn.outlet.report(Tell::Queued { ahead: 0 });
            while !turn.stop.load(Ordering::Relaxed) {
                turn.look_round();
                thread::sleep(Duration::from_millis(1));
            }
            Ok(Progress::More)
        }
    }

    struct Short;

    impl Job for Short {
        fn run(&mut self, _: &mut Resources, turn: &Turn<'_>) -> Result<Progress> {
            turn.outlet.tell(Tell::Draw { accepted: true });
            Ok(Progress::Ended)
        }
    }

    struct Broken;

    impl Job for Broken {
        fn run(&mut self, _: &mut Resources, _: &Turn<'_>) -> Result<Progress> {
            panic!("a fault");
        }
    }

    fn page() -> (Queue, Receiver<Reply>) {
        Queue::of_length(64)
    }

    /// Waits for an answer to a request that `wanted` accepts.
    fn wait(answers: &mut Receiver<Reply>, id: u32, wanted: impl Fn(&Tell) -> bool) {
        loop {
            let reply = answers.blocking_recv().unwrap();
            if reply.id == id && wanted(&reply.tell) {
                return;
            }
        }
    }

    #[test]
    fn a_short_job_interrupts_a_long_one_which_goes_on() {
        let desk = Desk::new(1, 1 << 20).unwrap();
        let (client, (out, mut answers)) = (desk.client(), page());
        let turns = Arc::new(AtomicUsize::new(0));
        desk.submit(&client, Box::new(Endless(turns.clone())), Outlet::new(1, out.clone())).unwrap();
        wait(&mut answers, 1, |tell| matches!(tell, Tell::Queued { ahead: 0 }));
        desk.submit(&client, Box::new(Short), Outlet::new(2, out)).unwrap();
        wait(&mut answers, 2, |tell| matches!(tell, Tell::Draw { .. }));
        wait(&mut answers, 1, |tell| matches!(tell, Tell::Queued { ahead: 0 }));
        assert!(turns.load(Ordering::Relaxed) >= 2);
        desk.stop(&client, 1);
        wait(&mut answers, 1, |tell| matches!(tell, Tell::Done));
    }

    #[test]
    fn long_jobs_of_two_pages_take_turns() {
        let desk = Desk::new(1, 1 << 20).unwrap();
        let clients = [desk.client(), desk.client()];
        let counts = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let (out, mut answers) = page();
        for (i, client) in clients.iter().enumerate() {
            let job = Endless(counts[i].clone());
            desk.submit(client, Box::new(job), Outlet::new(i as u32 + 1, out.clone())).unwrap();
        }
        wait(&mut answers, 2, |tell| matches!(tell, Tell::Queued { ahead: 0 }));
        wait(&mut answers, 1, |tell| matches!(tell, Tell::Queued { ahead: 0 }));
        assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) > 0));
    }

    #[test]
    fn a_page_that_goes_leaves_nothing_behind() {
        let desk = Desk::new(1, 1 << 20).unwrap();
        let (gone, stays) = (desk.client(), desk.client());
        let (out, mut answers) = page();
        let turns = Arc::new(AtomicUsize::new(0));
        desk.submit(&gone, Box::new(Endless(turns.clone())), Outlet::new(1, out.clone())).unwrap();
        desk.submit(&gone, Box::new(Endless(turns.clone())), Outlet::new(2, out.clone())).unwrap();
        desk.submit(&stays, Box::new(Short), Outlet::new(3, out)).unwrap();
        desk.leave(&gone);
        wait(&mut answers, 3, |tell| matches!(tell, Tell::Draw { .. }));
        assert!(desk.0.lock().queue.is_empty());
    }

    #[test]
    fn a_page_cannot_pile_up_jobs_and_a_fault_is_told() {
        let desk = Desk::new(1, 1 << 20).unwrap();
        let (client, (out, mut answers)) = (desk.client(), page());
        desk.submit(&client, Box::new(Broken), Outlet::new(1, out.clone())).unwrap();
        wait(&mut answers, 1, |tell| matches!(tell, Tell::Error { .. }));
        let turns = Arc::new(AtomicUsize::new(0));
        let submit =
            |id| desk.submit(&client, Box::new(Endless(turns.clone())), Outlet::new(id, out.clone()));
        let taken = (2..100).take_while(|&id| submit(id).is_ok()).count();
        assert!((limits::JOBS..=limits::JOBS + 1).contains(&taken), "{taken}");
    }
}
