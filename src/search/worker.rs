//! One thread of the search: its board, evaluation and histories, and making and unmaking moves.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::Context;
use super::candidates::Neighbourhoods;
use super::corrections::Corrections;
use super::deferred::Deferred;
use super::history::History;
use super::leaders::Leaders;
use super::limits::Limits;
use super::pulse::Pulse;
use super::report::Line;
use super::stack::{MAX_PLY, MoveList, PvTable};
use super::time::Budget;
use super::tt::TranspositionTable;
use crate::eval::features::Scored;
use crate::eval::{Accumulators, Evaluator, Turn};
use crate::game::{Board, Codes, Color, MAX_SIZE, Point, PointSet, Rule};

/// State of the search at one ply of the current line.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Candidate points; some may be taken.
    pub candidates: PointSet,
    /// Static evaluation from the view of the side to move, with the correction history applied if the position is quiet.
    pub eval: i32,
    /// Whether no static threat rule applies (step 2), so that the static evaluation means something.
    pub quiet: bool,
    /// Whether the position is, or was in an earlier search, a PV node.
    pub on_pv: bool,
    /// Excluded move of a singular search at this ply.
    pub excluded: Option<Point>,
}

impl Frame {
    pub const EMPTY: Frame =
        Frame { candidates: PointSet::EMPTY, eval: 0, quiet: true, on_pv: false, excluded: None };
}

/// Progress of an iteration at the root, for the case that it is stopped.
#[derive(Default)]
pub struct Progress {
    /// Root moves searched so far.
    pub tried: PointSet,
    /// The last line that raised alpha.
    pub best: Option<Line>,
}

impl Progress {
    /// Adds a move that was searched. If it raised alpha before, with another window, and fails low now, it is no longer the
    /// best.
    pub fn add(&mut self, p: Point, raises_alpha: bool) {
        self.tried.insert(p);
        if !raises_alpha {
            self.best.take_if(|line| line.moves.first() == Some(&p));
        }
    }
}

/// State shared by the threads of one search, besides the transposition table.
pub struct Shared {
    /// Set when a thread decides that the search is over.
    pub halt: AtomicBool,
    /// Depth of the first thread's iteration.
    pub depth: AtomicU32,
    /// Moves being searched, which other threads defer.
    pub deferred: Deferred,
    /// Nodes of each thread at its last poll.
    nodes: Vec<AtomicU64>,
}

impl Shared {
    /// Creates the state for a number of threads.
    pub fn new(threads: usize) -> Shared {
        Shared {
            halt: AtomicBool::new(false),
            depth: AtomicU32::new(0),
            deferred: Deferred::new(threads),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Waits until `free` is set. Returns false if the search ends first.
    pub fn waits_for(&self, free: &AtomicBool, context: &Context<'_>) -> bool {
        while !free.load(Relaxed) {
            if self.halt.load(Relaxed) || context.stop.load(Relaxed) {
                return false;
            }
            std::thread::sleep(WAIT);
        }
        true
    }
}

/// Interval at which a waiting thread checks whether its core is free.
const WAIT: Duration = Duration::from_millis(1);

/// Memory of one thread, kept from search to search.
pub struct ThreadMemory {
    pub history: History,
    corrections: Corrections,
    frames: Vec<Frame>,
    accumulators: Accumulators,
    scored: Vec<Scored>,
    lists: Vec<MoveList>,
    pv: PvTable,
}

impl ThreadMemory {
    /// Allocates the memory of a thread.
    pub fn new() -> ThreadMemory {
        ThreadMemory {
            history: History::new(),
            corrections: Corrections::new(),
            frames: vec![Frame::EMPTY; MAX_PLY + 2],
            accumulators: Accumulators::new(MAX_PLY + 1),
            scored: vec![(Point::new(0, 0), Codes::default(), 0); MAX_SIZE * MAX_SIZE],
            lists: (0..MAX_PLY + 2).map(|_| MoveList::new()).collect(),
            pv: PvTable::new(),
        }
    }
}

/// One thread of a running search.
pub struct Worker<'a, R: Rule> {
    /// Number of the thread. The first one, 0, reports and watches the time.
    pub id: usize,
    pub board: Board<R>,
    pub table: &'a TranspositionTable,
    pub shared: &'a Shared,
    pub history: &'a mut History,
    pub corrections: &'a mut Corrections,
    pub frames: &'a mut [Frame],
    accumulators: &'a mut Accumulators,
    /// Scratch space for a node's moves with their pattern codes and policy scores.
    pub scored: &'a mut [Scored],
    pub lists: &'a mut [MoveList],
    pub pv: &'a mut PvTable,
    pub evaluator: &'a Evaluator,
    pub neighbourhoods: &'a Neighbourhoods,
    pub limits: &'a Limits,
    pub budget: Option<Budget>,
    /// Moves made by this thread.
    pub nodes: u64,
    /// Deepest ply reached.
    pub seldepth: usize,
    /// Set when a limit is reached: the search unwinds, and its last values mean nothing.
    pub stopped: bool,
    /// Excluded root moves: those of the caller, and the first moves of better lines (MultiPV).
    pub root_excluded: PointSet,
    /// Best root move of the last iteration for the line that is being searched.
    pub root_first: Option<Point>,
    /// Progress of the present iteration.
    pub progress: Progress,
    /// Root moves that were best before.
    pub leaders: Leaders,
}

/// Common part of all workers of a search.
pub struct Job<'a, R: Rule> {
    pub board: &'a Board<R>,
    pub table: &'a TranspositionTable,
    pub shared: &'a Shared,
    pub evaluator: &'a Evaluator,
    pub neighbourhoods: &'a Neighbourhoods,
    pub limits: &'a Limits,
}

impl<'a, R: Rule> Job<'a, R> {
    /// Creates the worker of one thread.
    pub fn worker(&self, id: usize, memory: &'a mut ThreadMemory) -> Worker<'a, R> {
        memory.frames[0] = Worker::root_frame(self.board, self.neighbourhoods);
        memory.accumulators.start(self.evaluator.net(), self.board);
        memory.history.fade();
        let mut board = self.board.clone();
        board.reserve();
        Worker {
            id,
            board,
            table: self.table,
            shared: self.shared,
            history: &mut memory.history,
            corrections: &mut memory.corrections,
            frames: &mut memory.frames,
            accumulators: &mut memory.accumulators,
            scored: &mut memory.scored,
            lists: &mut memory.lists,
            pv: &mut memory.pv,
            evaluator: self.evaluator,
            neighbourhoods: self.neighbourhoods,
            limits: self.limits,
            budget: Budget::new(self.limits),
            nodes: 0,
            seldepth: 0,
            stopped: false,
            root_excluded: self.limits.excluded,
            root_first: None,
            progress: Progress::default(),
            leaders: Leaders::new(),
        }
    }
}

/// Nodes between two polls of the clock and the stop flags. A slow machine takes milliseconds for a few hundred nodes,
/// and a reading of the clock costs little compared with 64 nodes.
const POLL: u64 = 64;
/// Nodes between two reports of a thread's node count to the other threads and the display.
const TELL: u64 = 512;

impl<R: Rule> Worker<'_, R> {
    /// Returns the frame of the root.
    fn root_frame(board: &Board<R>, neighbourhoods: &Neighbourhoods) -> Frame {
        let stones = *board.stones_of(Color::Black) | *board.stones_of(Color::White);
        let candidates = stones.iter().fold(PointSet::EMPTY, |set, p| set | *neighbourhoods.of(p));
        Frame { candidates, ..Frame::EMPTY }
    }

    /// Returns whether the root may try a move: it is legal and not excluded.
    pub fn is_allowed(&self, p: Point) -> bool {
        self.board.is_legal(p) && !self.root_excluded.contains(p)
    }

    /// Returns the candidate points at `ply`, which may include taken points; on an empty board, the centre.
    pub fn candidates(&self, ply: usize) -> PointSet {
        let points = self.frames[ply].candidates;
        if points.is_empty() { PointSet::from_iter([self.board.size().center()]) } else { points }
    }

    /// Makes a move at `ply` and prepares the next ply's frame.
    #[inline]
    pub fn make(&mut self, p: Point, ply: usize) {
        self.nodes += 1;
        let (head, tail) = self.frames.split_at_mut(ply + 1);
        let next = &mut tail[0];
        // The table entry arrives while the board is updated.
        self.table.prefetch(self.board.hash_after(p));
        self.board.play_observed(p, &mut self.evaluator.follow(self.accumulators, ply + 1));
        next.candidates = head[ply].candidates | *self.neighbourhoods.of(p);
        next.excluded = None;
    }

    /// Unmakes the last move.
    #[inline]
    pub fn unmake(&mut self) {
        self.board.undo();
    }

    /// Returns the evaluation of the position at `ply` by the net, from the view of the side to move.
    #[inline]
    pub fn evaluate(&mut self, ply: usize) -> i32 {
        if let Some(leaves) = &self.limits.leaves {
            leaves.offer((0..ply).rev().filter_map(|back| self.board.last_move(back)));
        }
        self.evaluator.score(self.accumulators, ply, self.board.side())
    }

    /// Adds the policy's scores to the first `count` moves of [`Self::scored`] at `ply`.
    #[inline]
    pub fn add_policy_scores(&mut self, ply: usize, count: usize) {
        let turn = Turn::of(&self.board);
        self.evaluator.score_moves(self.accumulators, ply, turn, &mut self.scored[..count]);
    }

    /// Checks the node limit at every call, time and stop flags every [`POLL`] nodes, the nodes of all threads every [`TELL`].
    /// Returns whether to stop; the search then unwinds, and its last values mean nothing.
    #[inline]
    pub fn poll(&mut self, context: &Context<'_>) -> bool {
        if self.limits.nodes.is_some_and(|n| self.nodes >= n) {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(POLL) && !self.stopped {
            let out_of_nodes = self.nodes.is_multiple_of(TELL) && self.tell_nodes();
            let out_of_time = self.budget.is_some_and(|b| elapsed(context) >= b.hard);
            let aborted = self.shared.halt.load(Relaxed) || context.stop.load(Relaxed);
            self.stopped = out_of_time || out_of_nodes || aborted;
        }
        self.stopped
    }

    /// Tells the other threads and the display of the nodes so far. Returns whether all threads together reach the limit.
    fn tell_nodes(&self) -> bool {
        self.shared.nodes[self.id].store(self.nodes, Relaxed);
        if let Some(pulse) = self.pulse() {
            pulse.nodes(self.total_nodes());
        }
        self.limits.nodes.is_some_and(|n| self.total_nodes() >= n)
    }

    /// Returns the receiver of progress, for the first thread only.
    pub fn pulse(&self) -> Option<&Pulse> {
        self.limits.pulse.as_deref().filter(|_| self.id == 0)
    }

    /// Returns the nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        let others = self.shared.nodes.iter().enumerate().filter(|&(i, _)| i != self.id);
        self.nodes + others.map(|(_, n)| n.load(Relaxed)).sum::<u64>()
    }
}

/// Returns the time since the command to think was read.
pub fn elapsed(context: &Context<'_>) -> Duration {
    context.clock.now().saturating_sub(context.start)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Score, Search};
    use super::*;
    use crate::clock::Clock;
    use crate::game::{Freestyle, notation};

    /// A clock that counts how often it is read.
    #[derive(Default)]
    struct Counting(AtomicU64);

    impl Clock for Counting {
        fn now(&self) -> Duration {
            self.0.fetch_add(1, Relaxed);
            Duration::ZERO
        }
    }

    #[test]
    fn a_move_that_fails_low_is_not_the_best_any_more() {
        let [a, b] = [Point::new(7, 7), Point::new(8, 8)];
        let line = |p| Line { score: Score(30), moves: vec![p] };
        let mut progress = Progress::default();
        progress.add(a, true);
        progress.best = Some(line(a));
        progress.add(b, false);
        assert_eq!(progress.best, Some(line(a)), "another move fails low");
        progress.add(a, true);
        assert_eq!(progress.best, Some(line(a)));
        progress.add(a, false);
        assert_eq!(progress.best, None);
        assert_eq!(progress.tried, PointSet::from_iter([a, b]));
    }

    #[test]
    fn the_clock_is_read_often() {
        let board = Board::<Freestyle>::from_position(&notation::parse("h8i10j6g5", None).unwrap()).unwrap();
        let (clock, stop) = (Counting::default(), AtomicBool::new(false));
        let context = Context { clock: &clock, start: Duration::ZERO, stop: &stop };
        let turn = Some(Duration::from_secs(1));
        let limits = Limits { turn, nodes: Some(20_000), ..Limits::default() };
        let (_, report) =
            Search::<Freestyle>::new(4 << 20).go(&board, &limits, &context, &mut |_| {}).unwrap();
        let readings = clock.0.load(Relaxed);
        assert!(report.nodes >= 20_000 && readings > 20_000 / 128, "{readings} in {} nodes", report.nodes);
    }
}
