//! The move loop of a node, steps 11 to 16 of [`super::pvs`]: which moves are tried, which are pruned, and how deep each is
//! searched.

use super::Context;
use super::defences::{self, Danger};
use super::depth::Depth;
use super::formulas as F;
use super::node::{INFINITE, Node};
use super::params as P;
use super::picker::{Pick, PickKind, Picker};
use super::report::{Line, Score};
use super::stack::Tried;
use super::traps;
use super::tt;
use super::worker::Worker;
use crate::game::{Level, Point, Rule};

/// Moves that late move pruning and futility pruning remove from a node.
enum Pruning {
    /// No move: this one is searched.
    None,
    /// The move alone.
    ThisMove,
    /// The move, and every quiet move after it.
    QuietMoves,
    /// The move, and every move after it.
    AllMoves,
}

impl<R: Rule> Worker<'_, R> {
    /// Searches the moves of a node; returns its value and the last move that raised alpha.
    pub fn moves(&mut self, context: &Context<'_>, node: &mut Node) -> (i32, Option<Point>) {
        let mut best_value = -INFINITE;
        let mut best = None;
        let mut alpha = node.alpha;
        let mut tried = Tried::new();
        // Step 11. Staged move generation, by the move picker.
        let mut picker = Picker::new(self, node);
        while let Some(pick) = picker.next(self, best_value <= -Score::MATE_BOUND) {
            let p = pick.point;

            // Step 12. Late move pruning and futility pruning: once one move avoids a proven loss, skip moves that come late in
            // the order or cannot reach alpha. Never before that, or a node could be called lost too early; and never at
            // the root, which has to know all its moves.
            if best_value > -Score::MATE_BOUND && node.ply > 0 {
                match self.late_pruning(node, pick, alpha) {
                    Pruning::None => {}
                    Pruning::ThisMove => continue,
                    Pruning::QuietMoves => {
                        picker.skip_quiet(self);
                        continue;
                    }
                    Pruning::AllMoves => {
                        picker.skip_stage(self);
                        continue;
                    }
                }
            }
            // Defer moves that another thread is already searching (simplified ABDADA): when their turn comes, the result is
            // often in the transposition table.
            if self.is_searched_elsewhere(node, pick) && picker.defer(pick) {
                continue;
            }
            let level = self.board.level(p, self.board.side());
            let tactical = level >= Level::Three || node.danger.is_immediate();

            if node.ply == 0
                && let Some(pulse) = self.pulse()
            {
                pulse.root_move(pick.number as u32, p);
            }
            // A five ends the game. Step 2 returned at all nodes that have one, except at the root.
            let value = if level == Level::Five {
                self.pv.clear(node.ply + 1);
                Score::MATE - 1 - node.ply as i32
            } else {
                self.try_move(context, node, (alpha, best_value), pick, tactical)
            };
            if self.stopped {
                return (0, best);
            }
            if node.ply == 0 {
                self.progress.add(p, value > alpha);
            }
            if value < node.beta && !node.danger.is_immediate() {
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
                        // Later lines (MultiPV) would put their moves, which are worse, before the best of the first.
                        if self.root_excluded == self.limits.excluded {
                            self.leaders.add(p);
                        }
                        let moves = self.pv.root().collect();
                        self.progress.best = Some(Line { score: Score(value), moves });
                    }
                    if value >= node.beta {
                        break;
                    }
                    alpha = value;
                    // Step 13. Reduction after alpha was raised: the remaining moves only have to be shown to be worse than
                    // a good one, for which less depth is enough.
                    if node.depth > Depth::plies(2) && node.depth.raw() < P::raised_depth() {
                        node.reduction = Depth::from_raw(P::raised_reduction::<R>());
                    }
                }
            }
        }
        best_value = self.value_if_lost(node, best_value);
        if let Some(p) = best
            && best_value >= node.beta
            && !node.danger.is_immediate()
        {
            self.learn(node, p, &tried, best_value);
        }
        (best_value, best)
    }

    /// Returns the moves to prune at this one (step 12); none unless it is a candidate.
    #[inline]
    fn late_pruning(&self, node: &Node, pick: Pick, alpha: i32) -> Pruning {
        let Pick { point: p, number, kind: PickKind::Candidate { score, gap } } = pick else {
            return Pruning::None;
        };
        let level = self.board.level(p, self.board.side());
        let share = F::late_share(node.pv, gap);
        if level < Level::Three && !node.danger.is_immediate() {
            // Futility pruning: at a shallow node, a quiet move is not expected to raise the static evaluation to alpha.
            let futile = !node.pv
                && node.depth.raw() < P::move_futility_depth::<R>()
                && node.eval + F::move_futility_margin::<R>(node.depth, score) <= alpha;
            // Moves come by falling score: what holds for this quiet move holds for all later ones.
            let last = futile || number > share * F::late_moves::<R>(node.depth, node.improving) / 64;
            return if last { Pruning::QuietMoves } else { Pruning::None };
        }
        if matches!(node.danger, Danger::Five(_)) {
            return Pruning::None;
        }
        if number > share * F::late_threats::<R>(node.depth, node.improving) / 64 {
            return Pruning::AllMoves;
        }
        // Shallow nodes skip idle fours: fours without a further pattern that neither stop a threat nor set a trap.
        let idle = level == Level::Four && node.depth.raw() < P::idle_four_depth() && self.is_idle(node, p);
        if idle { Pruning::ThisMove } else { Pruning::None }
    }

    /// Returns the key by which threads announce that they search a move. `None` for moves that are never deferred: the
    /// first one of a node, whose value orders the rest, and those of shallow nodes, which take too little time.
    fn shared_key(&self, node: &Node, pick: Pick) -> Option<u64> {
        let shared =
            self.shared.deferred.is_shared() && pick.number > 1 && node.depth.raw() >= P::defer_depth();
        shared.then(|| self.board.hash() ^ tt::variant(pick.point))
    }

    /// Returns whether another thread is searching a move that was not deferred yet.
    fn is_searched_elsewhere(&self, node: &Node, pick: Pick) -> bool {
        pick.kind != PickKind::Deferred
            && self.shared_key(node, pick).is_some_and(|key| self.shared.deferred.contains(key))
    }

    /// Searches one move: extends or reduces it, then searches it in a null window and, if it raises alpha at a PV node, in
    /// the full one. `best_value` is the node's best value so far. Returns the move's value from the view of the side that
    /// moves.
    fn try_move(
        &mut self,
        context: &Context<'_>,
        node: &Node,
        (alpha, best_value): (i32, i32),
        pick: Pick,
        tactical: bool,
    ) -> i32 {
        let Pick { point: p, number: count, kind } = pick;
        // Step 14. Extensions: the singular move of step 10, and replies to a five. A four and its forced reply change
        // little in a position but cost two plies; without the extension fours would push threats beyond the horizon.
        // The extension ends at a fixed ply, so that long rows of fours cannot make the tree explode.
        let mut new_depth = node.depth - node.reduction - Depth::plies(1);
        if kind == PickKind::Table {
            new_depth = new_depth + node.extension;
        }
        let five = matches!(node.danger, Danger::Five(_));
        if five && (node.ply as i32) < P::five_extension_plies() {
            new_depth = new_depth + Depth::from_raw(P::five_extension());
        }
        // Late move reduction (step 15) leaves out the first move, and at the root the second. It takes the properties
        // of the move from the position before it.
        let late = count > 1 + usize::from(node.ply == 0) && node.depth >= Depth::plies(2) && !five;
        let (history, delay, blocks) = if late {
            (self.reduction_history(p), self.delay(node, p), self.blocks(node, p))
        } else {
            (0, None, false)
        };
        let key = self.shared_key(node, pick);
        key.into_iter().for_each(|key| self.shared.deferred.enter(key));
        self.make(p, node.ply);
        let next = node.ply + 1;

        // Step 15. Late move reduction (LMR): moves late in the order rarely are best. Search them less deep in a null
        // window, by the formula of `formulas::reduction`, and again if they fail high: somewhat deeper than usual if they
        // beat the best value by far, less deep if they hardly do. Replies to a five are not reduced: there are few of
        // them, and all are forced.
        let mut value = alpha;
        let mut full = !node.pv || count > 1;
        if late {
            let r = F::reduction::<R>(F::Late {
                depth: node.depth,
                count,
                improving: node.improving,
                pv: node.pv,
                cut: node.cut,
                on_pv: self.frames[node.ply].on_pv,
                threat: tactical && delay.is_none(),
                blocks,
                delay: delay.unwrap_or(0),
                history,
            });
            if r > Depth::ZERO {
                let reduced = (new_depth - r).max(Depth::plies(1)).min(new_depth);
                value = -self.search(context, (-alpha - 1, -alpha), reduced, next, true);
                if value > alpha && reduced < new_depth {
                    if value > best_value.max(alpha) + P::deeper_margin::<R>() {
                        new_depth = new_depth + Depth::from_raw(P::deeper_extension());
                    } else if value < best_value + P::shallower_margin::<R>() {
                        new_depth = (new_depth - Depth::from_raw(P::shallower_reduction())).max(reduced);
                    }
                    full = reduced < new_depth;
                } else {
                    full = false;
                }
            }
        }
        // Step 16. Principal variation search: a null window shows that a move is worse than the best so far.
        // Only PV nodes use the full window: for their first move, and for a move that raises alpha in the
        // null window.
        let mut fails_high = None;
        if full {
            value = -self.search(context, (-alpha - 1, -alpha), new_depth, next, !node.cut);
            fails_high = late.then_some(value > alpha);
        }
        if node.pv && (count == 1 || value > alpha && !self.stopped) {
            value = -self.search(context, (-node.beta, -alpha), new_depth, next, false);
        }
        self.unmake();
        key.into_iter().for_each(|key| self.shared.deferred.leave(key));
        // The continuation histories learn at once whether a late move fails high without reduction.
        if let Some(fails_high) = fails_high
            && !self.stopped
            && !node.danger.is_immediate()
        {
            let bonus = F::history_bonus(node.depth) * P::history_late() / 64;
            self.credit_continuations(p, if fails_high { bonus } else { -bonus });
        }
        value
    }

    /// Returns the final value of a node with best value `best_value`. At a lost node the moves that were not tried, because
    /// they do not stop the threat, lose too, but may lose later than those tried: the value must be that of the longest
    /// defence.
    fn value_if_lost(&self, node: &Node, best_value: i32) -> i32 {
        let loses_in = |plies: i32| -Score::MATE + node.ply as i32 + plies;
        let excluded =
            self.frames[node.ply].excluded.is_some() || node.ply == 0 && !self.root_excluded.is_empty();
        match node.danger {
            _ if best_value > -Score::MATE_BOUND => best_value,
            _ if best_value == -INFINITE && excluded => node.alpha,
            Danger::FourThree(_) => best_value.max(loses_in(defences::FOUR_THREE_LOSS)),
            // No move stops the straight four: any move, the four, any move, the five.
            Danger::Four(_) => best_value.max(loses_in(4)),
            // Black under Renju has only forbidden points left. Most codes of rules make that a draw or a pass, and only
            // Gomocup's a loss; the search does not know which is played, and claims no win.
            Danger::None if best_value == -INFINITE => 0,
            // The only points that stop the five are forbidden. The loss assumes that Black has some other legal point: without
            // one, most codes of rules make it a draw or a pass.
            _ => best_value.max(loses_in(2)),
        }
    }

    /// Returns whether a plain four on `p` is idle: it only gains time.
    fn is_idle(&self, node: &Node, p: Point) -> bool {
        let serves = match node.danger {
            Danger::None => self.board.level(p, !self.board.side()) >= Level::Three,
            danger => danger.may_be_stopped_at(p),
        };
        !serves && !traps::of(&self.board).contains(p)
    }

    /// Returns whether a move takes a point where the opponent would make a three or more. False where the opponent
    /// threatens a five or a straight four, which every move has to answer.
    fn blocks(&self, node: &Node, p: Point) -> bool {
        !node.danger.is_immediate() && self.board.level(p, !self.board.side()) >= Level::Three
    }

    /// Returns the extra reduction of a four that only delays the opponent's straight four: more where it is far from the
    /// last two moves. `None` for other moves.
    fn delay(&self, node: &Node, p: Point) -> Option<i32> {
        if !matches!(node.danger, Danger::Four(points) if !points.contains(p)) {
            return None;
        }
        let far = |back: usize| self.board.last_move(back).is_none_or(|q| p.distance(q) > 4);
        Some(P::reduction_delay() * (2 * i32::from(far(0)) + i32::from(far(1))))
    }
}
