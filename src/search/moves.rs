//! What a node of the tree does with its moves: which it tries, and how deep. The steps are numbered on from [`super::pvs`].

use arrayvec::ArrayVec;

use super::Context;
use super::answers::{self, Danger};
use super::depth::Depth;
use super::formulas as F;
use super::params as P;
use super::pvs::INFINITE;
use super::report::{Line, Score};
use super::stack::Tried;
use super::traps;
use super::tt;
use super::worker::Worker;
use crate::game::{Level, Point, Rule, Threat};

/// What kind of moves a node tries, by stage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The table's move: where it refutes the node the others need no order.
    Table,
    /// Moves near stones, or the replies that a threat leaves.
    Main,
    /// Everything else, only to make sure that a node is lost.
    Rest,
}

impl Stage {
    fn next(self) -> Stage {
        match self {
            Stage::Table => Stage::Main,
            Stage::Main | Stage::Rest => Stage::Rest,
        }
    }
}

/// What to do about a move that is late in the order.
enum Fate {
    /// It is tried.
    Tried,
    /// It is not.
    Skipped,
    /// Nor is any quiet move after it.
    LastQuiet,
    /// Nor is any move after it.
    Last,
}

/// Moves of a node that wait for other threads.
const MOST_DEFERRED: usize = 8;

/// What a node knows when it comes to its moves.
pub struct Node {
    pub alpha: i32,
    pub beta: i32,
    pub depth: Depth,
    /// By how much all further moves are searched less, as one has raised alpha.
    pub less: Depth,
    pub ply: usize,
    pub pv: bool,
    pub cut: bool,
    pub improving: bool,
    /// What the opponent threatens.
    pub danger: Danger,
    pub table_move: Option<Point>,
    /// By how much the first move is extended.
    pub extension: Depth,
}

impl<R: Rule> Worker<'_, R> {
    /// Tries the moves of a node; returns its value and the move that raised alpha.
    pub fn moves(&mut self, context: &Context<'_>, node: &mut Node) -> (i32, Option<Point>) {
        let mut best_value = -INFINITE;
        let mut best = None;
        let mut alpha = node.alpha;
        let mut count = 0;
        let mut tried = Tried::new();
        let mut deferred = ArrayVec::<(Point, usize), MOST_DEFERRED>::new();
        let points = self.open_points(node);
        node.table_move = node.table_move.filter(|&p| points.contains(p));
        let mut stage = Stage::Table;
        let mut next = node.table_move.map(|p| (i32::MAX, p));
        loop {
            // Step 11. The next move; those that look useless are tried only if all others lose, those that another thread
            // is at after the others.
            let candidate = match stage {
                Stage::Table => next.take(),
                Stage::Main | Stage::Rest => self.lists[node.ply].pop_best(),
            };
            let (p, number) = if let Some((score, p)) = candidate {
                if self.frames[node.ply].excluded == Some(p)
                    || node.ply == 0 && self.root_excluded.contains(p)
                    || self.board.is_foul(p, self.board.side())
                {
                    continue;
                }
                count += 1;

                // Step 12. Late moves are not tried once some move holds, but at the root.
                if best_value > -Score::MATE_BOUND && node.ply > 0 && stage == Stage::Main {
                    match self.judge_late(node, score, p, count, alpha) {
                        Fate::Tried => {}
                        Fate::Skipped => continue,
                        Fate::LastQuiet => {
                            self.drop_quiet(node);
                            continue;
                        }
                        Fate::Last => {
                            self.lists[node.ply].clear();
                            continue;
                        }
                    }
                }
                let elsewhere =
                    self.shared_key(node, p, count).is_some_and(|key| self.shared.busy.contains(key));
                if elsewhere && deferred.try_push((p, count)).is_ok() {
                    continue;
                }
                (p, count)
            } else if let Some(first) = deferred.pop_at(0) {
                first
            } else {
                let lost = best_value <= -Score::MATE_BOUND;
                match stage {
                    Stage::Table => self.generate(node, points),
                    Stage::Main if lost && node.danger == Danger::None => self.generate_rest(node),
                    Stage::Main | Stage::Rest => break,
                }
                stage = stage.next();
                continue;
            };
            let level = self.board.level(p, self.board.side());
            let tactical = level >= Level::Three || node.danger.is_immediate();

            if node.ply == 0
                && let Some(pulse) = self.pulse()
            {
                pulse.root_move(number as u32, p);
            }
            // A five ends the game; only the root comes to try one, when several lines are wanted.
            let value = if level == Level::Five {
                self.pv.clear(node.ply + 1);
                Score::MATE - 1 - node.ply as i32
            } else {
                self.try_move(context, node, alpha, p, number, tactical)
            };
            if self.stopped {
                return (0, best);
            }
            if node.ply == 0 {
                self.progress.tried.insert(p);
            }
            if value < node.beta && !tactical {
                tried.push(p);
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best = Some(p);
                    if node.pv {
                        self.pv.extend(node.ply, p);
                    }
                    if node.ply == 0 {
                        let moves = self.pv.root().collect();
                        self.progress.best = Some(Line { score: Score(value), moves });
                    }
                    if value >= node.beta {
                        break;
                    }
                    alpha = value;
                    // Step 13. Once a move has raised alpha the others need less depth (-12; +16 before the evaluation was
                    // learned).
                    if node.depth > Depth::plies(2) && node.depth < Depth::plies(12) {
                        node.less = Depth::from_raw(P::raised_reduction());
                    }
                }
            }
        }
        best_value = self.unless_lost(node, best_value);
        if let Some(p) = best
            && best_value >= node.beta
            && !node.danger.is_immediate()
        {
            self.learn(node, p, &tried);
        }
        (best_value, best)
    }

    /// Whether a late move is worth trying at all (+15, and +180 on the main line; threats -4; fours that only gain time
    /// +19).
    fn judge_late(&self, node: &Node, score: i32, p: Point, count: usize, alpha: i32) -> Fate {
        let level = self.board.level(p, self.board.side());
        // On the main line twice as many are tried.
        let more = 1 + usize::from(node.pv);
        if level < Level::Three && !node.danger.is_immediate() {
            // Futility: +8.
            let futile = !node.pv
                && node.depth.raw() < P::move_futility_depth()
                && self.frames[node.ply].eval + F::move_futility_margin(node.depth, score) <= alpha;
            // The same holds for every quiet move to come, as none scores more.
            let last = futile || count > more * F::late_moves(node.depth, node.improving);
            return if last { Fate::LastQuiet } else { Fate::Tried };
        }
        if matches!(node.danger, Danger::Five(_)) {
            return Fate::Tried;
        }
        if count > more * F::late_threats(node.depth, node.improving) {
            return Fate::Last;
        }
        // Shallow nodes leave out fours that make nothing, take nothing and answer nothing.
        let idle = level == Level::Four && node.depth.raw() < P::idle_four_depth() && self.is_idle(node, p);
        if idle { Fate::Skipped } else { Fate::Tried }
    }

    /// Leaves only threats in the list.
    fn drop_quiet(&mut self, node: &Node) {
        let side = self.board.side();
        let threats = [Threat::Five, Threat::Four, Threat::Three].map(|t| *self.board.threats(side, t));
        self.lists[node.ply].keep(&(threats[0] | threats[1] | threats[2]));
    }

    /// The key by which threads tell each other of a move; `None` for those that all of them search: the first one of a
    /// node, and what takes too little time.
    fn shared_key(&self, node: &Node, p: Point, count: usize) -> Option<u64> {
        let shared = self.shared.busy.is_shared() && count > 1 && node.depth.raw() >= P::defer_depth();
        shared.then(|| self.board.hash() ^ tt::variant(p))
    }

    /// Searches one move.
    fn try_move(
        &mut self,
        context: &Context<'_>,
        node: &Node,
        alpha: i32,
        p: Point,
        count: usize,
        tactical: bool,
    ) -> i32 {
        // Step 14. Extensions: the singular move, and replies to a five (+25).
        let mut new_depth = node.depth - node.less - Depth::plies(1);
        if Some(p) == node.table_move {
            new_depth = new_depth + node.extension;
        }
        let five = matches!(node.danger, Danger::Five(_));
        if five && (node.ply as i32) < P::five_extension_plies() {
            new_depth = new_depth + Depth::from_raw(P::five_extension());
        }
        let history = self.history.score(self.board.side(), p);
        let delay = self.delay(node, p);
        let key = self.shared_key(node, p, count);
        key.into_iter().for_each(|key| self.shared.busy.enter(key));
        self.make(p, node.ply);
        let next = node.ply + 1;

        // Step 15. Late moves are searched less deep, and again if they turn out well (+22).
        let mut value = alpha;
        let mut full = !node.pv || count > 1;
        if count > 1 && node.depth >= Depth::plies(2) && !five {
            let r = F::reduction(F::Late {
                depth: node.depth,
                count,
                improving: node.improving,
                pv: node.pv,
                cut: node.cut,
                on_pv: self.frames[node.ply].on_pv,
                threat: tactical && delay.is_none(),
                delay: delay.unwrap_or(0),
                history,
            });
            if r > Depth::ZERO {
                let reduced = (new_depth - r).max(Depth::plies(1)).min(new_depth);
                value = -self.search(context, (-alpha - 1, -alpha), reduced, next, true);
                full = value > alpha && reduced < new_depth;
            }
        }
        // Step 16. The null window, and the full one for what beats the best line.
        if full {
            value = -self.search(context, (-alpha - 1, -alpha), new_depth, next, !node.cut);
        }
        if node.pv && (count == 1 || value > alpha && !self.stopped) {
            value = -self.search(context, (-node.beta, -alpha), new_depth, next, false);
        }
        self.unmake();
        key.into_iter().for_each(|key| self.shared.busy.leave(key));
        value
    }

    /// The value of a node whose moves are all searched. Where none was allowed it is lost, unless that is because some
    /// were excluded; and moves that were not tried because they do not answer a threat lose as late as that allows.
    fn unless_lost(&self, node: &Node, best_value: i32) -> i32 {
        let loses_in = |plies: i32| -Score::MATE + node.ply as i32 + plies;
        let excluded =
            self.frames[node.ply].excluded.is_some() || node.ply == 0 && !self.root_excluded.is_empty();
        match node.danger {
            _ if best_value > -Score::MATE_BOUND => best_value,
            _ if best_value == -INFINITE && excluded => node.alpha,
            Danger::FourThree(_) => best_value.max(loses_in(answers::LOSS)),
            // Nothing stops the four to come: any move, the four, any move, the five.
            Danger::Four(_) => best_value.max(loses_in(4)),
            // Black has only foul points left.
            _ => best_value.max(loses_in(2)),
        }
    }

    /// Whether a plain four on `p` only gains time.
    fn is_idle(&self, node: &Node, p: Point) -> bool {
        let serves = match node.danger {
            Danger::None => self.board.level(p, !self.board.side()) >= Level::Three,
            danger => danger.is_answered_at(p),
        };
        !serves && !traps::of(&self.board).contains(p)
    }

    /// By how much a four is searched less that answers an unstoppable four only by gaining time: more where it has
    /// nothing to do with the last two moves. `None` for other moves.
    fn delay(&self, node: &Node, p: Point) -> Option<i32> {
        if !matches!(node.danger, Danger::Four(points) if !points.contains(p)) {
            return None;
        }
        let far = |back: usize| self.board.last_move(back).is_none_or(|q| p.distance(q) > 4);
        Some(P::reduction_delay() * (2 * i32::from(far(0)) + i32::from(far(1))))
    }
}
