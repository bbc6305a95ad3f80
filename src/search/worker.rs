//! One thread of the search: its board, its evaluation and what it has learned, and the making and unmaking of moves.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::Context;
use super::history::History;
use super::limits::Limits;
use super::near::Neighbourhoods;
use super::stack::{MAX_PLY, MoveList, PvTable};
use super::time::Budget;
use super::tt::Table;
use crate::eval::{Accumulator, Evaluator};
use crate::game::{Board, Point, PointSet, Rule};

/// What the search keeps for each ply of the current line.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Evaluation sums of the position.
    pub sums: Accumulator,
    /// Points near a stone.
    pub near: PointSet,
    /// Static evaluation from the view of the side to move.
    pub eval: i32,
    /// A move that this ply must not try, for singular extensions.
    pub excluded: Option<Point>,
}

/// The state of one thread.
pub struct Worker<'a, R: Rule> {
    pub board: Board<R>,
    pub table: &'a Table,
    pub history: &'a mut History,
    pub frames: &'a mut [Frame],
    pub lists: &'a mut [MoveList],
    pub pv: PvTable,
    pub evaluator: &'a Evaluator,
    pub neighbourhoods: &'a Neighbourhoods,
    pub limits: &'a Limits,
    pub budget: Option<Budget>,
    pub nodes: u64,
    pub seldepth: usize,
    pub stopped: bool,
    /// Moves that the root must not try: excluded by the caller, or the first moves of better lines.
    pub root_excluded: PointSet,
}

/// Nodes between two looks at the clock and the stop flag.
const POLL: u64 = 512;

impl<R: Rule> Worker<'_, R> {
    /// The frame of a position without a line before it.
    pub fn root_frame(board: &Board<R>, evaluator: &Evaluator, neighbourhoods: &Neighbourhoods) -> Frame {
        let stones =
            *board.stones_of(crate::game::Color::Black) | *board.stones_of(crate::game::Color::White);
        let near = stones.iter().fold(PointSet::EMPTY, |set, p| set | *neighbourhoods.of(p));
        let sums = evaluator.accumulate(board.empty().iter().map(|p| board.shapes(p)));
        Frame { sums, near, eval: 0, excluded: None }
    }

    /// Plays a move from `ply` and prepares the next ply's frame.
    #[inline]
    pub fn make(&mut self, p: Point, ply: usize) {
        self.nodes += 1;
        let (head, tail) = self.frames.split_at_mut(ply + 1);
        let next = &mut tail[0];
        next.sums = head[ply].sums;
        self.board.play_observed(p, &mut next.sums);
        self.table.prefetch(self.board.hash());
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
    pub fn evaluate(&self, ply: usize) -> i32 {
        self.evaluator.score(&self.frames[ply].sums, self.board.side())
    }

    /// Looks at the limits now and then; once stopped, the search unwinds and its last values mean nothing.
    #[inline]
    pub fn poll(&mut self, context: &Context<'_>) -> bool {
        if self.limits.nodes.is_some_and(|n| self.nodes >= n) {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(POLL) && !self.stopped {
            let out_of_time = self.budget.is_some_and(|b| elapsed(context) >= b.limit);
            self.stopped = out_of_time || context.stop.load(Relaxed);
        }
        self.stopped
    }
}

/// Time since the command to think was read.
pub fn elapsed(context: &Context<'_>) -> Duration {
    context.clock.now().saturating_sub(context.start)
}

/// Frames and lists for every ply, allocated once.
pub fn frames(first: Frame) -> (Vec<Frame>, Vec<MoveList>) {
    (vec![first; MAX_PLY + 2], (0..MAX_PLY + 2).map(|_| MoveList::new()).collect())
}
