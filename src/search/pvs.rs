//! The tree: principal variation search, with [`super::quiescence`] at the horizon.
//!
//! Values are from the side to move's view; beyond [`Score::MATE_BOUND`] they are proofs, with the length counted from
//! the root. No pruning returns such a value, so that a proven win is a win; and a node is only called lost after every
//! legal move that could help was searched.

use super::Context;
use super::depth::Depth;
use super::formulas as F;
use super::params as P;
use super::report::Score;
use super::stack::{MAX_PLY, Tried};
use super::statics::{self, Verdict};
use super::tt::{self, Bound, Entry};
use super::worker::Worker;
use crate::game::{Level, Point, PointSet, Rule, Threat};

/// Above every score.
pub const INFINITE: i32 = Score::MATE + 1;

/// What kind of moves a node tries, by stage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Moves near stones, or the replies that a threat leaves.
    Main,
    /// Everything else, only to make sure that a node is lost.
    Rest,
}

/// What a node knows when it comes to its moves.
struct Node {
    alpha: i32,
    beta: i32,
    depth: Depth,
    /// By how much all further moves are searched less, as one has raised alpha.
    less: Depth,
    ply: usize,
    pv: bool,
    cut: bool,
    improving: bool,
    /// Whether the moves are replies to a threat rather than free.
    forced: bool,
    /// Whether that threat is a five.
    five: bool,
    table_move: Option<Point>,
    /// By how much the first move is extended.
    extension: Depth,
}

impl<R: Rule> Worker<'_, R> {
    /// Value of the position at `ply`, searched to `depth`.
    pub fn search(
        &mut self,
        context: &Context<'_>,
        window: (i32, i32),
        depth: Depth,
        ply: usize,
        cut: bool,
    ) -> i32 {
        let (mut alpha, mut beta) = window;
        let pv = beta - alpha > 1;
        let root = ply == 0;
        self.pv.clear(ply);
        self.seldepth = self.seldepth.max(ply);

        // Step 1. Out of time, and the ends of the game.
        if self.poll(context) {
            return 0;
        }
        if self.board.empty().is_empty() {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.evaluate(ply);
        }

        // Step 2. Threats that decide, or that leave only some replies.
        let verdict = statics::judge(&self.board);
        if let Some(value) = verdict.value(ply)
            && !root
        {
            if let Verdict::Win(_, p) = verdict
                && pv
            {
                self.pv.clear(ply + 1);
                self.pv.extend(ply, p);
            }
            return value;
        }

        // Step 3. Mate distance: no line from here can beat a win already found nearer to the root.
        alpha = alpha.max(-Score::MATE + ply as i32 + 2);
        beta = beta.min(Score::MATE - ply as i32 - 3);
        if alpha >= beta && !root {
            return alpha;
        }
        if root {
            (alpha, beta) = window;
        }

        // Step 4. Quiescence at the horizon, but not before an unstoppable four was prevented (+36 Elo at 5000
        // nodes).
        let depth = match verdict {
            Verdict::Defend(_) if depth <= Depth::ZERO => Depth::from_raw(P::defence_depth()),
            _ => depth,
        };
        if depth <= Depth::ZERO {
            return self.quiescence(context, (alpha, beta), 0, ply);
        }

        // Step 5. The transposition table. Proofs hold at any depth.
        let excluded = self.frames[ply].excluded;
        let key = self.board.hash() ^ excluded.map_or(0, tt::variant);
        let hit = self.table.probe(key);
        let table_value = hit.map(|e| tt::from_table(e.value, ply));
        if let (Some(e), Some(value)) = (hit, table_value)
            && !pv
            && (e.depth >= depth || value.abs() >= Score::MATE_BOUND)
            && e.bound.settles(value, alpha, beta)
        {
            return value;
        }
        let table_move = hit.and_then(|e| e.best).filter(|&p| self.board.empty().contains(p));

        // Step 6. Static evaluation.
        let raw = match hit {
            Some(e) => e.eval,
            None => self.evaluate(ply),
        };
        let eval = self.settle(raw, ply);
        self.frames[ply].eval = eval;
        let improving = ply >= 2 && eval > self.frames[ply - 2].eval;
        let quiet = verdict == Verdict::Open;
        if hit.is_none() && excluded.is_none() {
            let entry = Entry { value: 0, eval: raw, depth: Depth::ZERO, bound: Bound::None, pv, best: None };
            self.table.store(key, entry);
        }

        if !pv && quiet && excluded.is_none() && alpha.abs() < Score::MATE_BOUND {
            // Step 7. Razoring: far below alpha only fours can help.
            if depth.raw() < P::razor_depth() && eval + F::razor_margin(depth) < alpha {
                let value = self.quiescence(context, (alpha, alpha + 1), 0, ply);
                if value <= alpha {
                    return value;
                }
            }
            // Step 8. Reverse futility: far above beta a quiet position stays there.
            if depth.raw() < P::futility_depth()
                && beta.abs() < Score::MATE_BOUND
                && eval - F::futility_margin(depth, improving) >= beta
            {
                return eval;
            }
        }

        // Step 9. Without a table move a deep node is searched less: the next iteration knows more.
        let mut depth = depth;
        if table_move.is_none() && depth.raw() >= P::iir_depth() && (pv || cut) {
            depth = depth - Depth::plies(1);
        }

        // Step 10. Singular extension: the table move is alone in being good.
        let mut extension = Depth::ZERO;
        if let (Some(e), Some(best), Some(value)) = (hit, table_move, table_value)
            && !root
            && excluded.is_none()
            && quiet
            && depth.raw() >= P::singular_depth()
            && e.bound != Bound::Upper
            && e.bound != Bound::None
            && e.depth + Depth::plies(3) >= depth
            && value.abs() < Score::MATE_BOUND
        {
            let target = value - F::singular_margin(depth);
            self.frames[ply].excluded = Some(best);
            let half = Depth::from_raw(depth.raw() / 2);
            let other = self.search(context, (target - 1, target), half, ply, cut);
            self.frames[ply].excluded = None;
            if self.stopped {
                return 0;
            }
            if other < target {
                extension = Depth::plies(1);
            } else if target >= beta && !pv {
                return target;
            }
            self.pv.clear(ply);
        }

        let mut node = Node {
            alpha,
            beta,
            depth,
            less: Depth::ZERO,
            ply,
            pv,
            cut,
            improving,
            forced: !quiet,
            five: matches!(verdict, Verdict::Forced(_)),
            table_move,
            extension,
        };
        let (value, best) = self.moves(context, &mut node, verdict);
        if self.stopped {
            return 0;
        }

        // Step 17. Remember the result.
        if !root || self.root_excluded.is_empty() {
            let bound = Bound::of(value, node.alpha, beta);
            let entry = Entry { value: tt::to_table(value, ply), eval: raw, depth, bound, pv, best };
            self.table.store(key, entry);
        }
        value
    }

    /// Tries the moves of a node; returns its value and the move that raised alpha.
    fn moves(&mut self, context: &Context<'_>, node: &mut Node, verdict: Verdict) -> (i32, Option<Point>) {
        let mut best_value = -INFINITE;
        let mut best = None;
        let mut alpha = node.alpha;
        let mut count = 0;
        let mut stage = Stage::Main;
        let mut tried = Tried::new();
        self.generate(node, verdict);
        loop {
            // Step 11. The next move; those that look useless are tried only if all others lose.
            let Some((score, p)) = self.lists[node.ply].pop_best() else {
                let lost = best_value <= -Score::MATE_BOUND;
                if stage == Stage::Main && lost && verdict == Verdict::Open {
                    stage = Stage::Rest;
                    self.generate_rest(node);
                    continue;
                }
                break;
            };
            if self.frames[node.ply].excluded == Some(p)
                || node.ply == 0 && self.root_excluded.contains(p)
                || self.board.is_foul(p, self.board.side())
            {
                continue;
            }
            count += 1;
            let level = self.board.level(p, self.board.side());
            let tactical = level >= Level::Three || node.forced;

            // Step 12. Late moves of shallow nodes are not tried once some move holds.
            if best_value > -Score::MATE_BOUND && !node.pv && !tactical && stage == Stage::Main {
                let futile = node.depth.raw() < P::move_futility_depth()
                    && self.frames[node.ply].eval + F::move_futility_margin(node.depth, score) <= alpha;
                if futile || count > F::late_moves(node.depth, node.improving) {
                    // The same holds for every quiet move to come, as none scores more.
                    let side = self.board.side();
                    let threats =
                        [Threat::Five, Threat::Four, Threat::Three].map(|t| *self.board.threats(side, t));
                    self.lists[node.ply].keep(&(threats[0] | threats[1] | threats[2]));
                    continue;
                }
            }

            // A five ends the game; only the root comes to try one, when several lines are wanted.
            let value = if level == Level::Five {
                self.pv.clear(node.ply + 1);
                Score::MATE - 1 - node.ply as i32
            } else {
                self.try_move(context, node, alpha, p, count, tactical)
            };
            if self.stopped {
                return (0, best);
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
                    if value >= node.beta {
                        break;
                    }
                    alpha = value;
                    // Step 13. Once a move has raised alpha the others need less depth (+16 Elo at 5000 nodes).
                    if node.depth > Depth::plies(2) && node.depth < Depth::plies(12) {
                        node.less = Depth::from_raw(P::raised_reduction());
                    }
                }
            }
        }
        if best_value == -INFINITE {
            // No move is allowed: with an excluded move that says nothing; else Black has only foul points left.
            best_value = if self.frames[node.ply].excluded.is_some()
                || node.ply == 0 && !self.root_excluded.is_empty()
            {
                node.alpha
            } else if matches!(verdict, Verdict::Defend(_)) {
                // Nothing stops the four to come: any move, the four, any move, the five.
                -Score::MATE + node.ply as i32 + 4
            } else {
                -Score::MATE + node.ply as i32 + 2
            };
        }
        if let Some(p) = best
            && best_value >= node.beta
            && !node.forced
        {
            self.learn(node, p, &tried);
        }
        (best_value, best)
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
        // Step 14. Extensions: the singular move, and replies to a five or an unstoppable four.
        let mut new_depth = node.depth - node.less - Depth::plies(1);
        if Some(p) == node.table_move {
            new_depth = new_depth + node.extension;
        }
        if node.five && (node.ply as i32) < P::five_extension_plies() {
            new_depth = new_depth + Depth::from_raw(P::five_extension());
        }
        let history = self.history.score(self.board.side(), p);
        self.make(p, node.ply);
        let next = node.ply + 1;

        // Step 15. Late moves are searched less deep, and again if they turn out well.
        let mut value = alpha;
        let mut full = !node.pv || count > 1;
        if count > 1 && node.depth >= Depth::plies(2) && !node.five {
            let r = F::reduction(F::Late {
                depth: node.depth,
                count,
                improving: node.improving,
                pv: node.pv,
                cut: node.cut,
                threat: tactical,
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
        value
    }

    /// Fills the move list of a node.
    fn generate(&mut self, node: &Node, verdict: Verdict) {
        let side = self.board.side();
        let mut points = match verdict {
            Verdict::Forced(replies) => replies,
            Verdict::Defend(points) => points | *self.board.threats(side, Threat::Four),
            _ if self.frames[node.ply].near.is_empty() => PointSet::from_iter([self.board.size().center()]),
            _ => {
                let threats =
                    *self.board.threats(side, Threat::Four) | *self.board.threats(side, Threat::Three);
                self.frames[node.ply].near | threats
            }
        } & *self.board.empty();
        if node.ply == 0 && points.without(&self.root_excluded).is_empty() {
            points = *self.board.empty();
        }
        self.score_moves(node, &points);
    }

    /// Fills the move list with what [`Self::generate`] left out of an open node.
    fn generate_rest(&mut self, node: &Node) {
        let side = self.board.side();
        let tried = self.frames[node.ply].near
            | *self.board.threats(side, Threat::Four)
            | *self.board.threats(side, Threat::Three);
        let rest = self.board.empty().without(&tried);
        self.score_moves(node, &rest);
    }

    fn score_moves(&mut self, node: &Node, points: &PointSet) {
        let side = self.board.side();
        let counter = self.board.last_move(0).and_then(|last| self.history.counter(side, last));
        let mut count = 0;
        for p in points.iter() {
            self.scored[count].0 = self.board.shapes(p);
            count += 1;
        }
        self.evaluator.score_moves(&mut self.scored[..count], side);
        let list = &mut self.lists[node.ply];
        list.clear();
        for (p, &(_, prior)) in points.iter().zip(&self.scored[..count]) {
            let score = if Some(p) == node.table_move {
                i32::MAX
            } else {
                let seen = self.history.score(side, p) / P::history_divisor();
                let reply = if Some(p) == counter { P::counter_bonus() } else { 0 };
                prior + seen + reply
            };
            list.push(p, score);
        }
    }

    /// Learns from a move that refuted the node, and from the quiet ones before it that did not.
    fn learn(&mut self, node: &Node, p: Point, tried: &Tried) {
        let side = self.board.side();
        self.history.update(side, p, F::history_bonus(node.depth));
        tried.iter().for_each(|other| self.history.update(side, other, -F::history_malus(node.depth)));
        if let Some(last) = self.board.last_move(0) {
            self.history.set_counter(side, last, p);
        }
    }
}
