//! One thread of the search: its board, its evaluation and what it has learned, and the making and unmaking of moves.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::Context;
use super::busy::Busy;
use super::history::History;
use super::limits::Limits;
use super::near::Neighbourhoods;
use super::params as P;
use super::pulse::Pulse;
use super::report::Line;
use super::stack::{MAX_PLY, MoveList, PvTable};
use super::time::Budget;
use super::tt::Table;
use crate::eval::kernels::Scored;
use crate::eval::{Accumulators, Evaluator, Turn};
use crate::game::{Board, Codes, MAX_SIZE, Point, PointSet, Rule};

/// What the search keeps for each ply of the current line.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Points near a stone.
    pub near: PointSet,
    /// What the evaluation says of the position alone, from the view of the side to move.
    pub raw: i32,
    /// Static evaluation from the view of the side to move: `raw`, averaged with that of the ply before.
    pub eval: i32,
    /// Whether the position is or was on a line searched with a full window.
    pub on_pv: bool,
    /// A move that this ply must not try, for singular extensions.
    pub excluded: Option<Point>,
}

impl Frame {
    const EMPTY: Frame = Frame { near: PointSet::EMPTY, raw: 0, eval: 0, on_pv: false, excluded: None };
}

/// What the search of the root has come to, if it is stopped before its end.
#[derive(Default)]
pub struct Progress {
    /// The moves that it has searched.
    pub tried: PointSet,
    /// The last line that raised alpha.
    pub best: Option<Line>,
}

/// What the threads of one search share, besides the table.
pub struct Shared {
    /// Set when some thread has decided that the search is over.
    pub halt: AtomicBool,
    /// Depth that the first thread searches to.
    pub depth: AtomicU32,
    /// The moves that they search.
    pub busy: Busy,
    /// Nodes of each thread, as of its last look at the clock.
    nodes: Vec<AtomicU64>,
}

impl Shared {
    /// For so many threads.
    pub fn new(threads: usize) -> Shared {
        Shared {
            halt: AtomicBool::new(false),
            depth: AtomicU32::new(0),
            busy: Busy::new(threads),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
        }
    }
}

impl Shared {
    /// Waits until `free` is set; `false` if the search is over before.
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

/// How often a thread looks whether its core is free.
const WAIT: Duration = Duration::from_millis(1);

/// What a thread keeps from search to search.
pub struct Memory {
    pub history: History,
    frames: Vec<Frame>,
    accumulators: Accumulators,
    scored: Vec<Scored>,
    lists: Vec<MoveList>,
    pv: PvTable,
}

impl Memory {
    /// For a thread.
    pub fn new() -> Memory {
        Memory {
            history: History::new(),
            frames: vec![Frame::EMPTY; MAX_PLY + 2],
            accumulators: Accumulators::new(MAX_PLY + 1),
            scored: vec![(Point::new(0, 0), Codes::default(), 0); MAX_SIZE * MAX_SIZE],
            lists: (0..MAX_PLY + 2).map(|_| MoveList::new()).collect(),
            pv: PvTable::new(),
        }
    }
}

/// One thread at work.
pub struct Worker<'a, R: Rule> {
    /// Number of the thread; the first one reports and watches the time.
    pub id: usize,
    pub board: Board<R>,
    pub table: &'a Table,
    pub shared: &'a Shared,
    pub history: &'a mut History,
    pub frames: &'a mut [Frame],
    accumulators: &'a mut Accumulators,
    /// Room for a node's moves with their codes and scores.
    pub scored: &'a mut [Scored],
    pub lists: &'a mut [MoveList],
    pub pv: &'a mut PvTable,
    pub evaluator: &'a Evaluator,
    pub neighbourhoods: &'a Neighbourhoods,
    pub limits: &'a Limits,
    pub budget: Option<Budget>,
    pub nodes: u64,
    pub seldepth: usize,
    pub stopped: bool,
    /// Moves that the root must not try: excluded by the caller, or the first moves of better lines.
    pub root_excluded: PointSet,
    /// The last iteration's best move of those that are not excluded.
    pub root_first: Option<Point>,
    /// How far the root's search is.
    pub progress: Progress,
}

/// What all workers of a search are made from.
pub struct Job<'a, R: Rule> {
    pub board: &'a Board<R>,
    pub table: &'a Table,
    pub shared: &'a Shared,
    pub evaluator: &'a Evaluator,
    pub neighbourhoods: &'a Neighbourhoods,
    pub limits: &'a Limits,
}

impl<'a, R: Rule> Job<'a, R> {
    /// The worker of one thread.
    pub fn worker(&self, id: usize, memory: &'a mut Memory) -> Worker<'a, R> {
        memory.frames[0] = Worker::root_frame(self.board, self.neighbourhoods);
        memory.accumulators.start(self.evaluator.net(), self.board);
        memory.history.fade();
        Worker {
            id,
            board: self.board.clone(),
            table: self.table,
            shared: self.shared,
            history: &mut memory.history,
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
        }
    }
}

/// Nodes between two looks at the clock and the stop flag.
const POLL: u64 = 512;

impl<R: Rule> Worker<'_, R> {
    /// The frame of a position without a line before it.
    fn root_frame(board: &Board<R>, neighbourhoods: &Neighbourhoods) -> Frame {
        let stones =
            *board.stones_of(crate::game::Color::Black) | *board.stones_of(crate::game::Color::White);
        let near = stones.iter().fold(PointSet::EMPTY, |set, p| set | *neighbourhoods.of(p));
        Frame { near, ..Frame::EMPTY }
    }

    /// Whether the root may try a move.
    pub fn is_allowed(&self, p: Point) -> bool {
        self.board.is_legal(p) && !self.root_excluded.contains(p)
    }

    /// The points near a stone at `ply`, some of them taken; the centre of an empty board.
    pub fn near(&self, ply: usize) -> PointSet {
        let near = self.frames[ply].near;
        if near.is_empty() { PointSet::from_iter([self.board.size().center()]) } else { near }
    }

    /// Plays a move from `ply` and prepares the next ply's frame.
    #[inline]
    pub fn make(&mut self, p: Point, ply: usize) {
        self.nodes += 1;
        let (head, tail) = self.frames.split_at_mut(ply + 1);
        let next = &mut tail[0];
        // The entry arrives while the stone is put down.
        self.table.prefetch(self.board.hash_after(p));
        self.board.play_observed(p, &mut self.evaluator.follow(self.accumulators, ply + 1));
        next.near = head[ply].near | *self.neighbourhoods.of(p);
        next.excluded = None;
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self) {
        self.board.undo();
    }

    /// Static evaluation at `ply`.
    #[inline]
    pub fn evaluate(&mut self, ply: usize) -> i32 {
        self.evaluator.score(self.accumulators, ply, self.board.side())
    }

    /// Fills in how good the first `count` moves of [`Self::scored`] look at `ply`.
    #[inline]
    pub fn prefer(&mut self, ply: usize, count: usize) {
        let turn = Turn::of(&self.board);
        self.evaluator.score_moves(self.accumulators, ply, turn, &mut self.scored[..count]);
    }

    /// Notes what the evaluation says of the position at `ply`; returns its static evaluation, which that of the ply
    /// before evens out (+18 Elo).
    #[inline]
    pub fn settle(&mut self, raw: i32, ply: usize) -> i32 {
        self.frames[ply].raw = raw;
        let before = if ply > 0 { -self.frames[ply - 1].raw } else { raw };
        (raw * (128 - P::average()) + before * P::average()) / 128
    }

    /// Looks at the limits now and then; once stopped, the search unwinds and its last values mean nothing.
    #[inline]
    pub fn poll(&mut self, context: &Context<'_>) -> bool {
        if self.limits.nodes.is_some_and(|n| self.nodes >= n) {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(POLL) && !self.stopped {
            self.shared.nodes[self.id].store(self.nodes, Relaxed);
            if let Some(pulse) = self.pulse() {
                pulse.nodes(self.total_nodes());
            }
            let out_of_time = self.budget.is_some_and(|b| elapsed(context) >= b.limit);
            let out_of_nodes = self.limits.nodes.is_some_and(|n| self.total_nodes() >= n);
            let told = self.shared.halt.load(Relaxed) || context.stop.load(Relaxed);
            self.stopped = out_of_time || out_of_nodes || told;
        }
        self.stopped
    }

    /// Where this thread tells how far it is, if it is the one that does.
    pub fn pulse(&self) -> Option<&Pulse> {
        self.limits.pulse.as_deref().filter(|_| self.id == 0)
    }

    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        let others = self.shared.nodes.iter().enumerate().filter(|&(i, _)| i != self.id);
        self.nodes + others.map(|(_, n)| n.load(Relaxed)).sum::<u64>()
    }
}

/// Time since the command to think was read.
pub fn elapsed(context: &Context<'_>) -> Duration {
    context.clock.now().saturating_sub(context.start)
}
