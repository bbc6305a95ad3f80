//! A batch whose positions are answered side by side. Several workers take questions in turn. Answers are written in
//! the order of the questions, as soon as possible. After an interrupt no more questions are taken, and those at work are
//! cut short, so that the answers that wait for theirs can be written.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Write};
use std::iter;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;

use super::{BatchLines, Id, Query, Questions, question, reply, source};
use crate::Status;
use crate::args::QueryArgs;
use crate::interrupt::{self, Interruptible};
use crate::lines::Lines;
use crate::progress::Progress;
use kagetsu::game::Reading;
use kagetsu_tools::jobs;

/// Questions that are taken while the answer to the first of them is awaited. Their answers wait in memory, because they are
/// written in order.
const AHEAD: usize = 1 << 12;
/// Time between two looks at the flag of interrupts.
const TICK: Duration = Duration::from_millis(100);

/// The error that answers a question which an interrupt has cut short.
pub const INTERRUPTED: &str = "interrupted";

/// An answer with the number of its question, counted from 0; or the end, if no more questions can be read.
type Message<T> = Result<(usize, Id, Result<T>)>;

/// Answers every line of the batch `name` with this number of workers, each of which has a solver of its own. The flag
/// beside a question is set after an interrupt, or when nobody reads the answers any more, to end the work at hand; the
/// solver may set it, too. A solver fails by [`INTERRUPTED`] if the flag came before it had a whole answer.
///
/// # Errors
/// If the batch cannot be read, an answer cannot be written, or an interrupt came before the last answer.
pub fn answer<T: Serialize + Send, S: FnMut(Query, &AtomicBool) -> Result<T>>(
    name: &str,
    (args, reading): (&QueryArgs, Reading),
    out: &mut dyn Write,
    jobs: usize,
    solver: impl Fn() -> S + Sync + Send,
) -> Result<Status> {
    let (shown, source) = source(name)?;
    // Signals are caught from here on only: one still ends a command that waits for the other end of a pipe.
    let interrupt = interrupt::flag()?;
    let input =
        Interruptible::new(source, &interrupt).context("cannot start a thread that reads the batch")?;
    let lines: BatchLines<'_> = Lines::new(shown, Box::new(BufReader::new(input)));
    let questions = Questions { lines, args, reading };
    Batch { questions, total: count(name), interrupt: &interrupt }.answer(out, jobs, solver)
}

/// The questions of a batch, and what ends it.
struct Batch<'a> {
    questions: Questions<'a>,
    /// The number of questions, if it is known.
    total: Option<u64>,
    /// Set by an interrupt, which may end the input, too.
    interrupt: &'a AtomicBool,
}

impl Batch<'_> {
    /// Answers every question; [`answer`] says how.
    fn answer<T: Serialize + Send, S: FnMut(Query, &AtomicBool) -> Result<T>>(
        self,
        out: &mut dyn Write,
        jobs: usize,
        solver: impl Fn() -> S + Sync + Send,
    ) -> Result<Status> {
        let Batch { questions, total, interrupt } = self;
        let is_interrupted = || interrupt.load(Ordering::SeqCst);
        let questions = Mutex::new(Numbered::of(questions));
        let mut progress = total.map_or_else(Progress::counting, Progress::of);
        let (halt, written) = (Halt::new(jobs.max(1)), Written::default());
        let questions = iter::from_fn(|| take(&questions, &written, interrupt));
        let workers = AtomicUsize::new(0);
        let worker = || (solver(), &halt.stops[workers.fetch_add(1, Ordering::Relaxed) % halt.stops.len()]);
        let work = |(solve, stop): &mut (S, &AtomicBool), message: Message<Query>| {
            let is_permitted = halt.permits(stop);
            // Every question that was taken is answered, because the later answers wait for it.
            (is_permitted || is_interrupted()).then(|| {
                message.map(|(number, id, query)| {
                    let query = if is_permitted { query } else { Err(anyhow!(INTERRUPTED)) };
                    (number, id, query.and_then(|query| solve(query, stop)))
                })
            })
        };
        let told = jobs::side_by_side(jobs, questions, worker, work, |answers| {
            let _ended = Ended(&halt, &written);
            write_in_order(&answers, out, &mut progress, &written, || {
                if is_interrupted() {
                    halt.set();
                }
            })
        })?;
        let is_whole = |&(status, count): &(Status, u64)| status == Status::Done && total == Some(count);
        // An interrupted batch must not look like a finished one to a script, even if nobody reads the output any more.
        let is_cut_short = is_interrupted() && !told.as_ref().is_ok_and(is_whole);
        ensure!(!is_cut_short, "interrupted: not every line is answered");
        told.map(|(status, _)| status)
    }
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

/// The next question of all workers, once the answers before it are not too many; none after an interrupt. That may end the
/// input within a line, so the line that was read meanwhile does not count.
fn take(
    questions: &Mutex<Numbered<'_>>,
    written: &Written,
    interrupt: &AtomicBool,
) -> Option<Message<Query>> {
    let mut questions = questions.lock().ok()?;
    written.wait_for(questions.number.saturating_sub(AHEAD));
    questions.next().filter(|_| !interrupt.load(Ordering::SeqCst))
}

/// Writes every answer in the order of the questions, and returns their number. An error of the source is returned at the
/// end, for the questions before it may still be at work. `look` is called at each answer, and while there is none.
fn write_in_order<T: Serialize>(
    answers: &Receiver<Message<T>>,
    out: &mut dyn Write,
    progress: &mut Progress,
    written: &Written,
    look: impl Fn(),
) -> Result<(Status, u64)> {
    let mut status = Status::Done;
    let mut early = BTreeMap::new();
    let mut next = 0;
    let mut failure = None;
    loop {
        let message = answers.recv_timeout(TICK);
        look();
        let (number, id, answer) = match message {
            Ok(Ok(answered)) => answered,
            Ok(Err(error)) => {
                failure = Some(error);
                continue;
            }
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        early.insert(number, (id, answer));
        progress.step();
        while let Some((id, answer)) = early.remove(&next) {
            status = status.and(progress.aside(|| reply(out, id, answer))?);
            next += 1;
        }
        written.set(next);
    }
    failure.map_or(Ok((status, next as u64)), Err)
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
    use anyhow::bail;
    use clap::{Command, FromArgMatches};

    use super::*;

    /// Answers this number of equal lines by two workers. Returns the outcome and the answers.
    fn answered<S: FnMut(Query, &AtomicBool) -> Result<()>>(
        number: usize,
        interrupt: &AtomicBool,
        solver: impl Fn() -> S + Sync + Send,
    ) -> (Result<Status>, String) {
        let command = <QueryArgs as clap::Args>::augment_args(Command::new("test"));
        let matches = command.get_matches_from(["test", "--batch", "-"]);
        let args = QueryArgs::from_arg_matches(&matches).unwrap();
        let text = "h8\n".repeat(number);
        let lines: BatchLines<'_> = Lines::new("batch", Box::new(text.as_bytes()));
        let questions = Questions { lines, args: &args, reading: Reading::Literal };
        let mut out = Vec::new();
        let batch = Batch { questions, total: Some(number as u64), interrupt };
        let outcome = batch.answer(&mut out, 2, solver);
        (outcome, String::from_utf8(out).unwrap())
    }

    /// The answer to the first question comes last, when as many others as may be are answered.
    #[test]
    fn answers_that_wait_are_bounded() {
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
        let (outcome, answers) = answered(2 * AHEAD, &AtomicBool::new(false), solver);
        assert_eq!((outcome.unwrap(), waiting.into_inner()), (Status::Done, AHEAD));
        assert_eq!(answers.lines().count(), 2 * AHEAD);
    }

    /// The first question is at work until its flag is set, and the interrupt comes with the answer to the third.
    #[test]
    fn an_interrupt_loses_no_answer_that_waits() {
        let interrupt = AtomicBool::new(false);
        let solver = || {
            |query: Query, stop: &AtomicBool| {
                match serde_json::to_string(&query.id)?.as_str() {
                    "1" => {
                        while !stop.load(Ordering::SeqCst) {
                            std::thread::sleep(Duration::from_millis(1));
                        }
                        bail!(INTERRUPTED);
                    }
                    "3" => interrupt.store(true, Ordering::SeqCst),
                    _ => {}
                }
                Ok(())
            }
        };
        let (outcome, answers) = answered(5, &interrupt, solver);
        assert_eq!(answers, "{\"id\":1,\"error\":\"interrupted\"}\nnull\nnull\n");
        assert_eq!(outcome.unwrap_err().to_string(), "interrupted: not every line is answered");
    }
}
