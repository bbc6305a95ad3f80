//! The searches of self-play: one thread and a limit of nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use kagetsu::clock::Clock;
use kagetsu::eval::Evaluator;
use kagetsu::game::{Board, Point, PointSet, Rule};
use kagetsu::search::{Context, Leaves, Limits, Search};

/// Bytes of the search's tables; few, since they are cleared for each game.
const MEMORY: usize = 6 << 20;
/// Hard limit of a search's nodes, as a multiple of the soft one.
const HARD: u64 = 8;

/// Result of a search: the move and its score.
pub type Found = (Point, i32);

/// A search with its memory.
pub struct Searcher<R: Rule> {
    clock: Box<dyn Clock>,
    search: Search<R>,
}

impl<R: Rule> Searcher<R> {
    /// Creates a searcher with the net in use.
    pub fn new(clock: Box<dyn Clock>) -> Searcher<R> {
        Searcher { clock, search: Search::new(MEMORY) }
    }

    /// Clears the tables of the search.
    pub fn clear(&mut self) {
        self.search.clear();
    }

    /// Returns the static evaluation.
    pub fn evaluator(&self) -> &Evaluator {
        self.search.evaluator()
    }

    /// Searches a board; begins no further iteration after so many nodes. Returns `Some(None)` if there is no move that is
    /// not excluded, `None` if the search was stopped.
    pub fn find(
        &mut self,
        board: &Board<R>,
        excluded: PointSet,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Option<Option<Found>> {
        self.search(board, &Limits { excluded, ..limits(nodes) }, stop)
    }

    /// Returns lines to `count` positions at most that a search of a board evaluates, drawn at random by the seed; `None` if
    /// the search was stopped.
    pub fn leaves(
        &mut self,
        board: &Board<R>,
        count: usize,
        nodes: u64,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<Vec<Vec<Point>>> {
        let leaves = Arc::new(Leaves::new(count, seed));
        self.search(board, &Limits { leaves: Some(Arc::clone(&leaves)), ..limits(nodes) }, stop)?;
        Some(leaves.lines())
    }

    fn search(&mut self, board: &Board<R>, limits: &Limits, stop: &AtomicBool) -> Option<Option<Found>> {
        let context = Context { clock: &*self.clock, start: Duration::ZERO, stop };
        let found = self.search.go(board, limits, &context, &mut |_| {});
        let stopped = stop.load(Relaxed);
        (!stopped).then(|| found.map(|(p, report)| (p, report.lines[0].score.0)))
    }
}

/// Returns the limits of a search that begins no further iteration after so many nodes.
fn limits(nodes: u64) -> Limits {
    let nodes = nodes.max(1);
    Limits { soft_nodes: Some(nodes), nodes: Some(nodes.saturating_mul(HARD)), ..Limits::default() }
}
