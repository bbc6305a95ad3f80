//! The search: from a board and limits to a move. Knows nothing of protocols and prints nothing; progress goes to a
//! callback as [`Report`]s.

mod limits;
mod report;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use limits::Limits;
pub use report::{Line, Report, Score};

use crate::clock::Clock;
use crate::game::{Board, Point, Rule};

/// A searcher for one rule, with its tables, which live from move to move.
pub struct Search<R: Rule> {
    rule: std::marker::PhantomData<R>,
}

/// What a search runs under besides its limits.
pub struct Context<'a> {
    /// Where time is read.
    pub clock: &'a dyn Clock,
    /// The clock's reading when the command to think was read; limits count from here.
    pub start: Duration,
    /// Set from outside to stop the search soon.
    pub stop: &'a AtomicBool,
    /// Called after each iteration and when the best move changes.
    pub on_report: &'a mut dyn FnMut(&Report),
}

impl<R: Rule> Search<R> {
    /// A searcher whose tables together stay within `memory` bytes.
    pub fn new(memory: usize) -> Search<R> {
        let _ = memory;
        Search { rule: std::marker::PhantomData }
    }

    /// Forgets everything learned from earlier searches.
    pub fn clear(&mut self) {}

    /// Finds a move for the side to move. `None` only if there is no legal move. The board is left as it was. If the
    /// game is already decided the move is any legal one.
    pub fn go(
        &mut self,
        board: &mut Board<R>,
        limits: &Limits,
        context: Context<'_>,
    ) -> Option<(Point, Report)> {
        let p = board.empty().iter().find(|&p| board.is_legal(p) && !limits.excluded.contains(p))?;
        let elapsed = context.clock.now().saturating_sub(context.start);
        let line = Line { score: Score(0), moves: vec![p] };
        Some((p, Report { depth: 0, seldepth: 0, nodes: 0, elapsed, lines: vec![line] }))
    }
}
