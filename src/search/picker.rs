//! The move picker (step 11 of [`super::pvs`]): generates the moves of a node in stages, puts each stage in order, and gives
//! the moves one at a time.

use arrayvec::ArrayVec;

use super::defences::Danger;
use super::history::Class;
use super::node::Node;
use super::params as P;
use super::worker::Worker;
use crate::game::{Point, PointSet, Rule, Threat};

/// Stage of the move generation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The transposition table's move: if it fails high, the others need not be generated and scored.
    Table,
    /// The candidates near stones, or the replies that a threat leaves.
    Candidates,
    /// All other empty points. They are tried only to prove a loss: a node whose candidates all lose is lost if these
    /// lose as well.
    Rest,
}

/// A move that the picker gives.
#[derive(Clone, Copy)]
pub struct Pick {
    pub point: Point,
    /// Number of the move in the order of the node, from 1; moves that are skipped or deferred are counted.
    pub number: usize,
    pub kind: PickKind,
}

/// Source of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PickKind {
    /// The table move.
    Table,
    /// A candidate.
    Candidate {
        /// Ordering score. Candidates come by falling score.
        score: i32,
        /// Difference of the first candidate's score and this one.
        gap: i32,
    },
    /// One of the other empty points.
    Rest,
    /// A move that was deferred before.
    Deferred,
}

/// Most moves of a node that are deferred.
const MOST_DEFERRED: usize = 8;

/// Picker of the moves of a node. The list of the present stage is the worker's, in [`Worker::lists`].
pub struct Picker {
    ply: usize,
    stage: Stage,
    /// The table move, until it has been given.
    table_move: Option<Point>,
    /// The points of the stage of candidates.
    candidates: PointSet,
    /// Whether the rest of the board is tried if all candidates lose. It is not where a threat loses at once against
    /// every move that does not stop it.
    may_try_rest: bool,
    /// Ordering score of the first candidate.
    top: Option<i32>,
    /// Number of the last move.
    number: usize,
    deferred: ArrayVec<(Point, usize), MOST_DEFERRED>,
}

impl Picker {
    /// Creates the picker of a node.
    #[inline]
    pub fn new<R: Rule>(worker: &Worker<'_, R>, node: &Node) -> Picker {
        let mut candidates = worker.open_points(node);
        let table_move = node.table_move.filter(|&p| candidates.contains(p));
        table_move.into_iter().for_each(|p| candidates.remove(p));
        Picker {
            ply: node.ply,
            stage: Stage::Table,
            table_move,
            candidates,
            may_try_rest: matches!(node.danger, Danger::None),
            top: None,
            number: 0,
            deferred: ArrayVec::new(),
        }
    }

    /// Returns the next move, `None` after the last: the table move, then the candidates by policy prior and history, then the
    /// rest of the board if `lost` says that all moves so far lose. Deferred moves come at the end of their stage.
    #[inline]
    pub fn next<R: Rule>(&mut self, worker: &mut Worker<'_, R>, lost: bool) -> Option<Pick> {
        loop {
            if let Some(pick) = self.next_of_stage(worker) {
                return Some(pick);
            }
            if let Some((point, number)) = self.deferred.pop_at(0) {
                return Some(Pick { point, number, kind: PickKind::Deferred });
            }
            match self.stage {
                Stage::Table => {
                    worker.list_moves(self.ply, &self.candidates);
                    self.stage = Stage::Candidates;
                }
                Stage::Candidates if lost && self.may_try_rest => {
                    let rest = worker.rest(self.ply);
                    worker.list_moves(self.ply, &rest);
                    self.stage = Stage::Rest;
                }
                Stage::Candidates | Stage::Rest => return None,
            }
        }
    }

    /// Returns the next legal move of the present stage that is not excluded.
    #[inline(always)]
    fn next_of_stage<R: Rule>(&mut self, worker: &mut Worker<'_, R>) -> Option<Pick> {
        loop {
            let (score, point) = match self.stage {
                Stage::Table => (0, self.table_move.take()?),
                Stage::Candidates | Stage::Rest => worker.lists[self.ply].pop_best()?,
            };
            if worker.is_barred(self.ply, point) {
                continue;
            }
            self.number += 1;
            let kind = match self.stage {
                Stage::Table => PickKind::Table,
                Stage::Candidates => {
                    PickKind::Candidate { score, gap: *self.top.get_or_insert(score) - score }
                }
                Stage::Rest => PickKind::Rest,
            };
            return Some(Pick { point, number: self.number, kind });
        }
    }

    /// Puts the move given last to the end of its stage. Returns false if too many moves are deferred already; it is then to
    /// be searched at once.
    #[inline]
    pub fn defer(&mut self, pick: Pick) -> bool {
        self.deferred.try_push((pick.point, pick.number)).is_ok()
    }

    /// Drops the quiet moves that are left in the present stage.
    #[inline]
    pub fn skip_quiet<R: Rule>(&self, worker: &mut Worker<'_, R>) {
        worker.lists[self.ply].keep_first();
    }

    /// Drops the moves that are left in the present stage, except deferred ones.
    #[inline]
    pub fn skip_stage<R: Rule>(&self, worker: &mut Worker<'_, R>) {
        worker.lists[self.ply].clear();
    }
}

impl<R: Rule> Worker<'_, R> {
    /// Returns the points that a node tries before it may be called lost.
    fn open_points(&self, node: &Node) -> PointSet {
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

    /// Returns the points that [`Self::open_points`] leaves out of a node without danger.
    fn rest(&self, ply: usize) -> PointSet {
        let side = self.board.side();
        let tried = self.frames[ply].candidates
            | *self.board.threats(side, Threat::Four)
            | *self.board.threats(side, Threat::Three);
        self.board.empty().without(&tried)
    }

    /// Returns whether a node must not try a move: it is a foul, the excluded move of a singular search, or excluded at the
    /// root.
    #[inline(always)]
    fn is_barred(&self, ply: usize, p: Point) -> bool {
        self.frames[ply].excluded == Some(p)
            || ply == 0 && self.root_excluded.contains(p)
            || self.board.is_foul(p, self.board.side())
    }

    /// Fills the move list of a ply with these points and their ordering scores: policy prior, history heuristic,
    /// continuation history and countermove, at the root also a bonus for the moves that raised alpha before. Those that make
    /// a threat come first in the list, then the quiet ones, which late move pruning drops together.
    fn list_moves(&mut self, ply: usize, points: &PointSet) {
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
            self.add_policy_scores(ply, count);
        }
        let history = [Class::Quiet, Class::Threat].map(|class| self.history.of(class, side));
        let [replies, followups] = self.history.continuations(side, self.earlier_moves());
        let moves = self.scored[..count].iter().enumerate().map(|(i, &(p, _, prior))| {
            let history = history[usize::from(i < tactical)].score(p) / P::history_divisor::<R>();
            let reply = replies.score(p) / P::reply_divisor::<R>();
            let followup = followups.score(p) / P::followup_divisor::<R>();
            let countermove = if Some(p) == counter { P::counter_bonus::<R>() } else { 0 };
            let leader = if ply == 0 { self.leaders.bonus(p) } else { 0 };
            (p, prior + history + reply + followup + countermove + leader)
        });
        self.lists[ply].fill(moves, tactical);
    }
}
