//! History heuristic, continuation history and countermoves: their update when a move fails high, and the history score by
//! which late move reduction judges a move.

use super::depth::Depth;
use super::formulas as F;
use super::history::{Class, Earlier};
use super::node::Node;
use super::params as P;
use super::stack::Tried;
use super::worker::Worker;
use crate::game::{Level, Point, Rule};

impl<R: Rule> Worker<'_, R> {
    /// Updates the statistics after `p` failed high: a bonus for it, that of a ply more if `value` exceeds beta by far; a
    /// malus for the moves tried before it; and `p` becomes the countermove of the last move.
    pub fn learn(&mut self, node: &Node, p: Point, tried: &Tried, value: i32) {
        let side = self.board.side();
        let more = i32::from(value > node.beta + P::history_surprise());
        self.credit(p, F::history_bonus(node.depth + Depth::plies(more)));
        tried.iter().for_each(|other| self.credit(other, -F::history_malus(node.depth)));
        if let Some(last) = self.board.last_move(0) {
            self.history.set_counter(side, last, p);
        }
    }

    /// Adds a bonus, or a malus if it is negative, to the history and the continuation histories of a move.
    pub fn credit(&mut self, p: Point, bonus: i32) {
        let side = self.board.side();
        self.history.update(self.class(p), side, p, bonus);
        self.credit_continuations(p, bonus);
    }

    /// Adds a bonus, or a malus if it is negative, to the continuation histories of a move.
    pub fn credit_continuations(&mut self, p: Point, bonus: i32) {
        let side = self.board.side();
        for (earlier, from) in Earlier::ALL.into_iter().zip(self.earlier_moves()) {
            self.history.update_continuation(earlier, side, from, p, bonus);
        }
    }

    /// Returns the class of a move of the side to move.
    pub fn class(&self, p: Point) -> Class {
        if self.board.level(p, self.board.side()) >= Level::Three { Class::Threat } else { Class::Quiet }
    }

    /// Returns the earlier moves of the continuation histories, in the order of [`Earlier::ALL`].
    pub fn earlier_moves(&self) -> [Option<Point>; 2] {
        Earlier::ALL.map(|earlier| self.board.last_move(earlier.plies_back()))
    }

    /// Returns the history score of a move for its late move reduction: its history and a share of both continuation
    /// histories.
    pub fn reduction_history(&self, p: Point) -> i32 {
        let side = self.board.side();
        let continuations = self.history.continuations(side, self.earlier_moves());
        let continuation: i32 = continuations.iter().map(|history| history.score(p)).sum();
        self.history.score(self.class(p), side, p) + continuation * P::reduction_continuation::<R>() / 64
    }
}
