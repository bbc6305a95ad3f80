//! A search from start to end: its threads, and the vote on the move.
//!
//! Lazy SMP: every thread searches the whole tree by itself, and all of them share the transposition table. A thread defers
//! moves that another one is searching ([`super::deferred`]). The first thread reports. The search ends when it
//! is done or any thread has proven the result; then all vote.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use super::Context;
use super::candidates::Neighbourhoods;
use super::deepen::ThreadResult;
use super::limits::Limits;
use super::report::Report;
use super::time::Budget;
use super::tt::TranspositionTable;
use super::worker::{Job, Shared, ThreadMemory, elapsed};
use crate::eval::{Evaluator, nets};
use crate::game::{Board, Point, Rule, Size};

/// Searcher for one rule, with its memory from move to move.
pub struct Search<R: Rule> {
    table: TranspositionTable,
    evaluator: Evaluator,
    neighbourhoods: Neighbourhoods,
    size: Size,
    /// Memory of each thread, for the largest number of threads so far: a search with fewer threads keeps all of them.
    memories: Vec<ThreadMemory>,
    rule: std::marker::PhantomData<R>,
}

impl<R: Rule> fmt::Debug for Search<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("rule", &R::KIND).finish_non_exhaustive()
    }
}

/// Memory of one thread in bytes, without the transposition table and its stack.
pub const THREAD_BYTES: usize = 1 << 21;
/// Stack of each further thread in bytes: several times the need of the deepest line. Unused pages take no memory.
pub const STACK: usize = 8 << 20;

impl<R: Rule> Search<R> {
    /// Creates a searcher whose tables take at most `memory` bytes together, but at least two megabytes. If
    /// the memory is small, half of it goes to the transposition table, which would be of no use otherwise;
    /// the tables then take up to twice [`THREAD_BYTES`] more. Each further thread of the largest search
    /// takes [`THREAD_BYTES`] more.
    pub fn new(memory: usize) -> Search<R> {
        let size = Size::S15;
        Search {
            table: TranspositionTable::new(memory.saturating_sub(2 * THREAD_BYTES).max(memory / 2)),
            evaluator: Evaluator::new(nets::net(R::KIND)),
            neighbourhoods: Neighbourhoods::new(size),
            size,
            memories: Vec::new(),
            rule: std::marker::PhantomData,
        }
    }

    /// Returns the static evaluation.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Takes the memory of a table that no search has used, until `stop` is set, so that the first search need not wait for
    /// it.
    pub fn prepare(&mut self, stop: &AtomicBool) {
        self.table.touch(&|| !stop.load(Relaxed));
    }

    /// Clears the transposition table and the histories.
    pub fn clear(&mut self) {
        self.table.clear(self.memories.len());
        self.memories.clear();
    }

    /// Finds a move for the side to move, and reports after each iteration. Returns `None` only if there is no legal move,
    /// or every one is excluded. If the game is already over, the move is any legal one.
    pub fn go(
        &mut self,
        board: &Board<R>,
        limits: &Limits,
        context: &Context<'_>,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<(Point, Report)> {
        if board.size() != self.size {
            self.size = board.size();
            self.neighbourhoods = Neighbourhoods::new(self.size);
            // The table needs no clearing: its entries belong to other positions, and their age shows it.
            self.memories.clear();
        }
        let threads = limits.threads.max(1);
        let end = elapsed(context).saturating_add(limits.preparation());
        let end = Budget::new(limits).map_or(end, |budget| end.min(budget.hard));
        self.table.use_huge_pages(threads, &|| elapsed(context) < end && !context.stop.load(Relaxed));
        self.table.age();
        let kept = self.memories.len().max(threads);
        self.memories.resize_with(kept, ThreadMemory::new);
        let shared = Shared::new(threads);
        let job = Job {
            board,
            table: &self.table,
            shared: &shared,
            evaluator: &self.evaluator,
            neighbourhoods: &self.neighbourhoods,
            limits,
        };
        let mut memories = self.memories.iter_mut().take(threads);
        let first = memories.next()?;
        if threads == 1 {
            let outcome = job.worker(0, first).deepen(context, on_report)?;
            return Some((outcome.point(), outcome.report));
        }
        let mut outcomes: Vec<ThreadResult> = thread::scope(|scope| {
            let halt = HaltOnDrop(&shared);
            let help = |(id, memory)| {
                let (job, shared) = (&job, &shared);
                let free = limits.last_thread.as_deref().filter(|_| id == threads - 1);
                let search = move || {
                    let joins = free.is_none_or(|free| shared.waits_for(free, context));
                    joins.then(|| job.worker(id, memory).deepen(context, &mut |_| {})).flatten()
                };
                let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search);
                started
                    .inspect_err(|error| {
                        log::warn!("cannot start a search thread, going on with fewer: {error}")
                    })
                    .ok()
            };
            let helpers: Vec<_> = (1..).zip(memories).map_while(help).collect();
            let main = job.worker(0, first).deepen(context, on_report);
            drop(halt);
            // A helper thread that panicked has no vote; the first thread's move stands.
            let others = helpers.into_iter().filter_map(|h| h.join().ok().flatten());
            main.into_iter().chain(others).collect()
        });
        let nodes = outcomes.iter().map(|o| o.own_nodes).sum();
        // With a depth or several lines asked for, the result is that of the first thread, which searched exactly that;
        // only a proof of another thread is better.
        let asked_for = limits.depth.is_some() || limits.multipv > 1;
        let best = vote(&outcomes)?;
        let best = if asked_for && outcomes[best].proof().is_none() { 0 } else { best };
        let mut report = outcomes.swap_remove(best).report;
        report.nodes = nodes;
        report.elapsed = elapsed(context);
        on_report(&report);
        Some((report.lines[0].moves[0], report))
    }
}

/// Stops the other threads when the first one is done, even if it panics.
struct HaltOnDrop<'a>(&'a Shared);

impl Drop for HaltOnDrop<'_> {
    fn drop(&mut self) {
        self.0.halt.store(true, Relaxed);
    }
}

/// Part of a vote's weight that does not depend on the score, so that the thread with the lowest score has a vote too.
const LEAST_WEIGHT: i32 = 15;

/// Returns the index of the thread whose result is used. A proof comes first, whether of a win or of a loss: the thread that
/// found it ended the search. Otherwise each move collects votes from the threads that chose it, weighted by depth and by how
/// much the score exceeds the lowest one.
///
/// CITE: Stockfish, `thread.cpp`, for the weight.
fn vote(outcomes: &[ThreadResult]) -> Option<usize> {
    let worst = outcomes.iter().map(|o| o.score().0).min()?;
    let weight = |o: &ThreadResult| i64::from(o.score().0 - worst + LEAST_WEIGHT) * i64::from(o.report.depth);
    let votes =
        |o: &ThreadResult| outcomes.iter().filter(|x| x.point() == o.point()).map(weight).sum::<i64>();
    let key = |o: &ThreadResult| (o.proof(), votes(o), weight(o));
    // The first thread wins ties.
    (0..outcomes.len()).max_by_key(|&i| (key(&outcomes[i]), std::cmp::Reverse(i)))
}

#[cfg(test)]
mod tests {
    use super::super::report::{Line, Score, Source};
    use super::*;

    /// Returns the thread whose result is used, of threads given by the column of their move, its score and the depth.
    fn chosen(threads: &[(usize, i32, u32)]) -> Option<usize> {
        let result = |&(column, score, depth): &(usize, i32, u32)| {
            let line = Line { score: Score(score), moves: vec![Point::new(column, 0)] };
            let report = Report { depth, ..Report::of(Source::Search, vec![line]) };
            ThreadResult { report, own_nodes: 0 }
        };
        vote(&threads.iter().map(result).collect::<Vec<_>>())
    }

    #[test]
    fn moves_collect_votes_by_depth_and_score() {
        assert_eq!(chosen(&[]), None);
        assert_eq!(chosen(&[(1, 20, 9), (2, 20, 9)]), Some(0), "a tie");
        assert_eq!(chosen(&[(1, 20, 9), (2, 20, 10)]), Some(1), "depth");
        assert_eq!(chosen(&[(1, 20, 9), (2, 60, 9)]), Some(1), "score");
        assert_eq!(chosen(&[(1, 20, 12), (2, 20, 10), (2, 20, 11)]), Some(2), "two against one");
    }

    #[test]
    fn a_proof_outweighs_votes() {
        let win = |plies: i32| Score::MATE - plies;
        let loss = |plies: i32| plies - Score::MATE;
        let most = (1, 900, 20);
        assert_eq!(chosen(&[most, (2, win(9), 5), most]), Some(1));
        assert_eq!(chosen(&[most, (2, loss(8), 8), most]), Some(1));
        assert_eq!(chosen(&[(1, win(9), 20), (2, win(7), 5)]), Some(1), "the shorter win");
        assert_eq!(chosen(&[(1, loss(6), 20), (2, loss(8), 8)]), Some(1), "the longer loss");
    }
}
