//! A batch whose positions are answered side by side. Several workers take questions in turn. Answers are written in
//! the order of the questions, as soon as possible.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Write};
use std::iter;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

use anyhow::Result;
use serde::Serialize;

use super::{Id, Query, Questions, question, reply};
use crate::Status;
use crate::args::QueryArgs;
use crate::lines::Lines;
use crate::progress::Progress;
use kagetsu::game::Reading;
use kagetsu_tools::jobs;

/// Questions that are taken while the answer to the first of them is awaited. Their answers wait in memory, because they are
/// written in order.
const AHEAD: usize = 1 << 12;

/// An answer with the number of its question, counted from 0; or the end, if no more questions can be read.
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
    let questions = Mutex::new(Numbered::of(Questions::open(name, args, reading)?));
    let mut progress = count(name).map_or_else(Progress::counting, Progress::of);
    let (halt, written) = (Halt::new(jobs.max(1)), Written::default());
    let questions = iter::from_fn(|| take(&questions, &written));
    let workers = AtomicUsize::new(0);
    let worker = || (solver(), &halt.stops[workers.fetch_add(1, Ordering::Relaxed) % halt.stops.len()]);
    let work = |(solve, stop): &mut (S, &AtomicBool), message: Message<Query>| {
        halt.permits(stop).then(|| {
            message.map(|(number, id, query)| (number, id, query.and_then(|query| solve(query, stop))))
        })
    };
    jobs::side_by_side(jobs, questions, worker, work, |answers| {
        let _ended = Ended(&halt, &written);
        write_in_order(answers, out, &mut progress, &written)
    })?
}

/// The number of answers written.
#[derive(Default)]
struct Written {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Written {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, count: usize) {
        *self.lock() = count;
        self.changed.notify_all();
    }

    /// Waits until at least so many are written.
    fn wait_for(&self, count: usize) {
        let mut written = self.lock();
        while *written < count {
            written = self.changed.wait(written).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends the work of all workers when it is dropped, and lets none of them wait any more.
struct Ended<'a>(&'a Halt, &'a Written);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.set();
        self.1.set(usize::MAX);
    }
}

/// Ends the work of all workers. Each has its own flag, because a worker that has found its answer may set the flag to
/// end its own work.
struct Halt {
    is_set: AtomicBool,
    stops: Vec<AtomicBool>,
}

impl Halt {
    fn new(workers: usize) -> Halt {
        let stops = std::iter::repeat_with(AtomicBool::default).take(workers).collect();
        Halt { is_set: AtomicBool::new(false), stops }
    }

    /// Clears a worker's flag for the next question; returns false if there must be no next question.
    ///
    /// It clears the flag before it reads the halt; a halt is written in the opposite order. So after a halt the worker
    /// ends here, or finds its flag set.
    fn permits(&self, stop: &AtomicBool) -> bool {
        stop.store(false, Ordering::SeqCst);
        !self.is_set.load(Ordering::SeqCst)
    }

    fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        self.stops.iter().for_each(|stop| stop.store(true, Ordering::SeqCst));
    }
}

/// The questions with their numbers. They end at the first error, because the rest of a broken source cannot
/// be trusted.
struct Numbered<'a> {
    questions: Questions<'a>,
    number: usize,
    has_failed: bool,
}

impl Numbered<'_> {
    fn of(questions: Questions<'_>) -> Numbered<'_> {
        Numbered { questions, number: 0, has_failed: false }
    }

    fn next(&mut self) -> Option<Message<Query>> {
        if self.has_failed {
            return None;
        }
        let number = self.number;
        let next = self.questions.next().map(|next| next.map(|(id, query)| (number, id, query)));
        self.number += 1;
        self.has_failed = next.is_err();
        next.transpose()
    }
}

/// The next question of all workers, once the answers before it are not too many.
fn take(questions: &Mutex<Numbered<'_>>, written: &Written) -> Option<Message<Query>> {
    let mut questions = questions.lock().ok()?;
    written.wait_for(questions.number.saturating_sub(AHEAD));
    questions.next()
}

/// Writes every answer in the order of the questions. An error of the source is returned at the end, for the questions before
/// it may still be at work.
fn write_in_order<T: Serialize>(
    answers: mpsc::Receiver<Message<T>>,
    out: &mut dyn Write,
    progress: &mut Progress,
    written: &Written,
) -> Result<Status> {
    let mut status = Status::Done;
    let mut early = BTreeMap::new();
    let mut next = 0;
    let mut failure = None;
    for message in answers {
        let (number, id, answer) = match message {
            Ok(answered) => answered,
            Err(error) => {
                failure = Some(error);
                continue;
            }
        };
        early.insert(number, (id, answer));
        progress.step();
        while let Some((id, answer)) = early.remove(&next) {
            status = status.and(progress.aside(|| reply(out, id, answer))?);
            next += 1;
        }
        written.set(next);
    }
    failure.map_or(Ok(status), Err)
}

/// The number of questions, of a file that can be read twice.
fn count(name: &str) -> Option<u64> {
    if !Path::new(name).is_file() {
        return None;
    }
    let mut lines = Lines::new(name, BufReader::new(File::open(name).ok()?));
    let mut count = 0;
    while let Some((_, text)) = lines.next_line().ok()? {
        count += u64::from(question(&text).is_some());
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::{Command, FromArgMatches};

    use super::*;

    /// The answer to the first question comes last, when as many others as may be are answered.
    #[test]
    fn answers_that_wait_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("batch.txt");
        std::fs::write(&path, "h8\n".repeat(2 * AHEAD)).unwrap();
        let name = path.to_str().unwrap();
        let command = <QueryArgs as clap::Args>::augment_args(Command::new("test"));
        let matches = command.get_matches_from(["test", "--batch", name]);
        let args = QueryArgs::from_arg_matches(&matches).unwrap();
        let (others, waiting) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let solver = || {
            |query: Query, _: &AtomicBool| {
                if serde_json::to_string(&query.id)? != "1" {
                    others.fetch_add(1, Ordering::SeqCst);
                    return Ok(());
                }
                while others.load(Ordering::SeqCst) < AHEAD {
                    std::thread::sleep(Duration::from_millis(1));
                }
                // Enough time to answer one question too many.
                std::thread::sleep(Duration::from_millis(100));
                waiting.store(others.load(Ordering::SeqCst), Ordering::SeqCst);
                Ok(())
            }
        };
        let mut out = Vec::new();
        let status = answer(name, (&args, Reading::Literal), &mut out, 2, solver).unwrap();
        assert_eq!((status, waiting.into_inner()), (Status::Done, AHEAD));
        assert_eq!(out.iter().filter(|&&b| b == b'\n').count(), 2 * AHEAD);
    }
}
