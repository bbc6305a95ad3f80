//! The score of a position by a long search.

use std::sync::atomic::AtomicBool;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Color, Position, Rule, RuleKind};
use kagetsu::search::{Context, Limits, Search};
use kagetsu::with_rule;

/// Bytes of the search's table: a search of some million nodes fits.
const MEMORY: usize = 64 << 20;

/// Judges positions. A score depends on the position and the nodes alone.
pub trait Judge: Send {
    /// Returns the score from Black's view by a search of this many nodes; `None` if it was stopped or the side to move has
    /// no move.
    fn score(&mut self, position: &Position, nodes: u64, stop: &AtomicBool) -> Option<i32>;
}

/// Returns a judge for a rule.
pub fn judge(rule: RuleKind) -> Box<dyn Judge> {
    with_rule!(rule, R => Box::new(Searcher::<R> { search: Search::new(MEMORY), clock: SystemClock::new() }))
}

struct Searcher<R: Rule> {
    search: Search<R>,
    clock: SystemClock,
}

impl<R: Rule> Judge for Searcher<R> {
    fn score(&mut self, position: &Position, nodes: u64, stop: &AtomicBool) -> Option<i32> {
        let board = Board::<R>::from_position(position).ok()?;
        self.search.clear();
        let context = Context { clock: &self.clock, start: self.clock.now(), stop };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (_, report) = self.search.go(&board, &limits, &context, &mut |_| {})?;
        let score = report.lines[0].score.0;
        let is_whole = !stop.load(std::sync::atomic::Ordering::Relaxed);
        is_whole.then_some(if board.side() == Color::Black { score } else { -score })
    }
}
