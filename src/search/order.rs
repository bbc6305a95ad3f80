//! Move generation and move ordering of a node: policy prior, history heuristic, continuation history and countermove, at
//! the root also the moves that raised alpha before; and the update of the statistics when a move fails high.

use super::defences::Danger;
use super::depth::Depth;
use super::formulas as F;
use super::history::{Class, Earlier};
use super::node::Node;
use super::params as P;
use super::stack::Tried;
use super::worker::Worker;
use crate::game::{Level, Point, PointSet, Rule, Threat};

impl<R: Rule> Worker<'_, R> {
    /// Returns the points that a node tries before it may be called lost.
    pub fn open_points(&self, node: &Node) -> PointSet {
        let side = self.board.side();
        let fours = *self.board.threats(side, Threat::Four);
        let points = match node.danger {
            Danger::Five(replies) => replies,
            Danger::Four(defences) | Danger::FourThree(defences) => defences | fours,
            Danger::None => self.candidates(node.ply) | fours | *self.board.threats(side, Threat::Three),
        } & *self.board.empty();
        // The root must try some move as long as there is a legal one.
        if node.ply == 0 && !points.iter().any(|p| self.is_allowed(p)) {
            return *self.board.empty();
        }
        points
    }

    /// Fills the move list of a node with these points, except the table move, which was tried before.
    pub fn generate(&mut self, node: &Node, mut points: PointSet) {
        node.table_move.iter().for_each(|&p| points.remove(p));
        self.score_moves(node, &points);
    }

    /// Fills the move list with the points that [`Self::open_points`] left out of a node without danger.
    pub fn generate_rest(&mut self, node: &Node) {
        let side = self.board.side();
        let tried = self.frames[node.ply].candidates
            | *self.board.threats(side, Threat::Four)
            | *self.board.threats(side, Threat::Three);
        let rest = self.board.empty().without(&tried);
        self.score_moves(node, &rest);
    }

    /// Fills the move list of a node with these points and their ordering scores: first those that make a threat, then the
    /// quiet ones, which late move pruning drops together.
    fn score_moves(&mut self, node: &Node, points: &PointSet) {
        let side = self.board.side();
        let counter = self.board.last_move(0).and_then(|last| self.history.counter(side, last));
        let threats = [Threat::Five, Threat::Four, Threat::Three].map(|t| *self.board.threats(side, t));
        let threats = threats[0] | threats[1] | threats[2];
        let mut count = 0;
        let mut add = |points: PointSet| {
            for (p, place) in points.iter().zip(self.scored[count..].iter_mut()) {
                *place = (p, self.board.codes(p), 0);
                count += 1;
            }
            count
        };
        let tactical = add(*points & threats);
        let count = add(points.without(&threats));
        debug_assert!((0..count).all(|i| (self.class(self.scored[i].0) == Class::Threat) == (i < tactical)));
        // A single move needs no score.
        if count > 1 {
            self.add_policy_scores(node.ply, count);
        }
        let history = [Class::Quiet, Class::Threat].map(|class| self.history.of(class, side));
        let [replies, followups] = self.history.continuations(side, self.earlier_moves());
        let moves = self.scored[..count].iter().enumerate().map(|(i, &(p, _, prior))| {
            let history = history[usize::from(i < tactical)].score(p) / P::history_divisor::<R>();
            let reply = replies.score(p) / P::reply_divisor::<R>();
            let followup = followups.score(p) / P::followup_divisor::<R>();
            let countermove = if Some(p) == counter { P::counter_bonus::<R>() } else { 0 };
            let leader = if node.ply == 0 { self.leaders.bonus(p) } else { 0 };
            (p, prior + history + reply + followup + countermove + leader)
        });
        self.lists[node.ply].fill(moves, tactical);
    }

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
    fn class(&self, p: Point) -> Class {
        if self.board.level(p, self.board.side()) >= Level::Three { Class::Threat } else { Class::Quiet }
    }

    /// Returns the earlier moves of the continuation histories, in the order of [`Earlier::ALL`].
    fn earlier_moves(&self) -> [Option<Point>; 2] {
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
