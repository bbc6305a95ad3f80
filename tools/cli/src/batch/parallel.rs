//! A batch whose positions are answered side by side: several workers take questions in turn, and the answers are
//! written in the order of the questions, each as soon as it and all before it are known.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Write};
use std::iter;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};

use anyhow::Result;
use serde::Serialize;

use super::{Id, Query, Questions, question, reply};
use crate::Status;
use crate::args::QueryArgs;
use crate::input::without_mark;
use crate::progress::Progress;
use kagetsu::game::Reading;
use kagetsu_tools::jobs;
use kagetsu_tools::limits;

/// An answer with the number of its question, counted from 0; or the end, if the questions cannot be read on.
type Message<T> = Result<(usize, Id, Result<T>)>;

/// Answers every line of the batch `name` with this number of workers, each of which has a solver of its own. The flag
/// beside a question is set when nobody reads the answers any more, to end the work at hand; the solver may set it,
/// too.
pub fn answer<T: Serialize + Send, S: FnMut(Query, &AtomicBool) -> Result<T>>(
    name: &str,
    (args, reading): (&QueryArgs, Reading),
    out: &mut dyn Write,
    jobs: usize,
    solver: impl Fn() -> S + Sync + Send,
) -> Result<Status> {
    let questions = Mutex::new((0, Questions::open(name, args, reading)?));
    let mut progress = count(name).map_or_else(Progress::counting, Progress::of);
    let halt = Halt::new(jobs.max(1));
    let questions = iter::from_fn(|| take(&questions));
    let workers = AtomicUsize::new(0);
    let worker = || (solver(), &halt.stops[workers.fetch_add(1, Ordering::Relaxed) % halt.stops.len()]);
    let work = |(solve, stop): &mut (S, &AtomicBool), message: Message<Query>| {
        halt.permits(stop).then(|| {
            message.map(|(number, id, query)| (number, id, query.and_then(|query| solve(query, stop))))
        })
    };
    jobs::side_by_side(jobs, questions, worker, work, |answers| {
        let written = write_in_order(answers, out, &mut progress);
        halt.set();
        written
    })?
}

/// Ends the work of all workers. Each has a flag of its own: who has found his answer may set it to end his own work.
struct Halt {
    is_set: AtomicBool,
    stops: Vec<AtomicBool>,
}

impl Halt {
    fn new(workers: usize) -> Halt {
        let stops = std::iter::repeat_with(AtomicBool::default).take(workers).collect();
        Halt { is_set: AtomicBool::new(false), stops }
    }

    /// Takes back a worker's flag for his next question; false if there is to be none.
    ///
    /// The flag is taken back before the look at the halt, and set after it: one that a halt has set stays so, or no
    /// question follows.
    fn permits(&self, stop: &AtomicBool) -> bool {
        stop.store(false, Ordering::SeqCst);
        !self.is_set.load(Ordering::SeqCst)
    }

    fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        self.stops.iter().for_each(|stop| stop.store(true, Ordering::SeqCst));
    }
}

/// The next question of all workers.
fn take(questions: &Mutex<(usize, Questions<'_>)>) -> Option<Message<Query>> {
    let mut questions = questions.lock().ok()?;
    let (number, source) = &mut *questions;
    let taken = source.next().map(|next| next.map(|(id, query)| (*number, id, query))).transpose();
    *number += 1;
    taken
}

fn write_in_order<T: Serialize>(
    answers: mpsc::Receiver<Message<T>>,
    out: &mut dyn Write,
    progress: &mut Progress,
) -> Result<Status> {
    let mut status = Status::Done;
    let mut early = BTreeMap::new();
    let mut next = 0;
    for message in answers {
        let (number, id, answer) = message?;
        early.insert(number, (id, answer));
        progress.step();
        while let Some((id, answer)) = early.remove(&next) {
            status = status.and(progress.aside(|| reply(out, id, answer))?);
            next += 1;
        }
    }
    Ok(status)
}

/// The number of questions, of a file that can be read twice.
fn count(name: &str) -> Option<u64> {
    if !Path::new(name).is_file() {
        return None;
    }
    let mut file = BufReader::new(File::open(name).ok()?);
    let (mut line, mut is_first, mut count) = (Vec::new(), true, 0);
    while limits::read_line(&mut file, &mut line).ok()? > 0 {
        let text = String::from_utf8_lossy(&line);
        let text: &str = if std::mem::take(&mut is_first) { without_mark(&text) } else { &text };
        count += u64::from(question(text).is_some());
    }
    Some(count)
}
