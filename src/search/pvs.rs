//! The tree: principal variation search, with [`super::quiescence`] at the horizon.
//!
//! Values are from the side to move's view; beyond [`Score::MATE_BOUND`] they are proofs, with the length counted from
//! the root. No pruning returns such a value, so that a proven win is a win; and a node is only called lost after every
//! legal move that could help was searched.
//!
//! The Elo beside a step, here and in the modules below, is what the search is better with it than without, at 3000 nodes
//! a move: the mean of Renju, standard (15x15) and freestyle (20x20), about 1000 games together, give or take 20. Longer
//! searches gain more by what makes the tree narrow.

use super::Context;
use super::answers::Danger;
use super::depth::Depth;
use super::formulas as F;
use super::moves::Node;
use super::params as P;
use super::report::Score;
use super::stack::MAX_PLY;
use super::statics::{self, Verdict};
use super::tt::{self, Bound, Entry};
use super::worker::Worker;
use crate::game::Rule;

/// Above every score.
pub const INFINITE: i32 = Score::MATE + 1;

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

        // Step 3. Mate distance: no line from here can beat a win already found nearer to the root (+13).
        alpha = alpha.max(-Score::MATE + ply as i32 + 2);
        beta = beta.min(Score::MATE - ply as i32 - 3);
        if alpha >= beta && !root {
            return alpha;
        }
        if root {
            (alpha, beta) = window;
        }

        // Step 4. Quiescence at the horizon, but not before an unstoppable four was prevented (0; +36 before the
        // evaluation was learned).
        let depth = match verdict {
            Verdict::Defend(_) if depth <= Depth::ZERO => Depth::from_raw(P::defence_depth()),
            _ => depth,
        };
        if depth <= Depth::ZERO {
            return self.quiescence(context, (alpha, beta), 0, ply);
        }

        // Step 5. The transposition table (+34 for what it cuts off). Proofs hold at any depth.
        let excluded = self.frames[ply].excluded;
        let key = self.board.hash() ^ excluded.map_or(0, tt::variant);
        let hit = self.table.probe(key);
        let table_value = hit.map(|e| tt::from_table(e.value, ply));
        if let (Some(e), Some(value)) = (hit, table_value)
            && !pv
            && (e.bound.proves(value, alpha, beta) || e.depth >= depth && e.bound.settles(value, alpha, beta))
        {
            return value;
        }
        let table_move = match hit.and_then(|e| e.best) {
            // The table knows nothing of a root without some of its moves; the last iteration does.
            _ if root && !self.root_excluded.is_empty() => self.root_first.filter(|&p| self.is_allowed(p)),
            best => best.filter(|&p| self.board.empty().contains(p)),
        };

        // Step 6. Static evaluation.
        let raw = match hit {
            Some(e) => e.eval,
            None => self.evaluate(ply),
        };
        let eval = self.settle(raw, ply);
        self.frames[ply].eval = eval;
        let improving = ply >= 2 && eval > self.frames[ply - 2].eval;
        // What the table says of the value is nearer to it, where its bound points that way (+9).
        let eval = match (hit, table_value) {
            (Some(e), Some(value)) if value.abs() < Score::MATE_BOUND && e.bound.tells_more(value, eval) => {
                value
            }
            _ => eval,
        };
        let quiet = verdict == Verdict::Open;
        if excluded.is_none() {
            self.frames[ply].on_pv = pv || hit.is_some_and(|e| e.pv);
        }
        if hit.is_none() && excluded.is_none() {
            let entry = Entry { value: 0, eval: raw, depth: Depth::ZERO, bound: Bound::None, pv, best: None };
            self.table.store(key, entry);
        }

        if !pv && quiet && excluded.is_none() && alpha.abs() < Score::MATE_BOUND {
            // Step 7. Razoring: far below alpha only fours can help (+10).
            if depth.raw() < P::razor_depth() && eval + F::razor_margin(depth) < alpha {
                let value = self.quiescence(context, (alpha, alpha + 1), 0, ply);
                if value <= alpha {
                    return value;
                }
            }
            // Step 8. Reverse futility: far above beta a quiet position stays there (+103; that an improving one needs
            // less for it, +13).
            if depth.raw() < P::futility_depth()
                && beta.abs() < Score::MATE_BOUND
                && eval - F::futility_margin(depth, improving) >= beta
            {
                return eval;
            }
        }

        // Step 9. Without a table move a deep node is searched less: the next iteration knows more (+15).
        let mut depth = depth;
        if table_move.is_none() && depth.raw() >= P::iir_depth() && (pv || cut) {
            depth = depth - Depth::plies(1);
        }

        // Step 10. Singular extension: the table move is alone in being good (+8: +30 but in Renju).
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

        let danger = if root && quiet { Danger::None } else { Danger::of(verdict, &mut self.board) };
        let mut node = Node {
            alpha,
            beta,
            depth,
            less: Depth::ZERO,
            ply,
            pv,
            cut,
            improving,
            danger,
            table_move,
            extension,
        };
        let (value, best) = self.moves(context, &mut node);
        if self.stopped {
            return 0;
        }

        // Step 17. Remember the result.
        if !root || self.root_excluded.is_empty() {
            let bound = Bound::of(value, node.alpha, beta);
            let pv = self.frames[ply].on_pv;
            let entry = Entry { value: tt::to_table(value, ply), eval: raw, depth, bound, pv, best };
            self.table.store(key, entry);
        }
        value
    }
}
