//! Principal variation search (PVS): the node function of the tree, in numbered steps. The move loop, steps 11 to 16, is
//! in [`super::moves`]; [`super::quiescence`] takes over at the horizon.
//!
//! Values are from the side to move's view. Values beyond [`Score::MATE_BOUND`] are proven wins and losses, with the
//! length counted from the root. No pruning step returns such a value, and a node counts as lost only after every legal
//! move that could help was searched; so a reported win is a proof.
//!
//! `docs/search.md` lists the steps, with the gain where one was measured, and what was tried without success.

use super::Context;
use super::corrections::Slot;
use super::defences::Danger;
use super::depth::Depth;
use super::formulas as F;
use super::node::Node;
use super::params as P;
use super::report::Score;
use super::stack::MAX_PLY;
use super::threats::{self, ThreatVerdict};
use super::traps;
use super::tt::{self, Bound, Entry};
use super::worker::{Frame, Worker};
use crate::game::{Level, Point, Rule};

impl<R: Rule> Worker<'_, R> {
    /// Returns the value of the position at `ply`, searched to `depth` within the window `(alpha, beta)`. The result is
    /// fail-soft: a value outside the window is a bound. `cut` says that the node is expected to fail high.
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

        // Step 1. Stop and draw: unwind when a limit is reached (the value is then discarded); a full board is a draw; the
        // ply limit protects the fixed-size stacks.
        if self.poll(context) {
            return 0;
        }
        if self.board.empty().is_empty() {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.evaluate(ply);
        }

        // Step 2. Static threat rules: fives, winning fours and double threats on the board decide many nodes without any
        // search. The result is a proof, so it holds at every depth; otherwise it may restrict the replies. The root needs a
        // move, not only a value, and goes on.
        let verdict = self.shortened(threats::judge(&self.board), ply);
        if let Some(value) = verdict.value(ply)
            && !root
        {
            if let ThreatVerdict::Win(_, p) = verdict
                && pv
            {
                self.pv.clear(ply + 1);
                self.pv.extend(ply, p);
            }
            return value;
        }

        // Step 3. Mate distance pruning: step 2 found no five, so a win from here takes at least three plies, and a loss at
        // least two. If a shorter win is already known nearer to the root, nothing here can change the result.
        alpha = alpha.max(-Score::MATE + ply as i32 + 2);
        beta = beta.min(Score::MATE - ply as i32 - 3);
        if alpha >= beta && !root {
            return alpha;
        }
        if root {
            (alpha, beta) = window;
        }

        // Step 4. Quiescence search at the horizon. A position where the opponent threatens a straight four is not quiet:
        // quiescence tries fours only and would miss the defences. Such a node is searched a little deeper instead.
        let depth = match verdict {
            ThreatVerdict::Defend if depth <= Depth::ZERO => Depth::from_raw(P::defence_depth()),
            _ => depth,
        };
        if depth <= Depth::ZERO {
            return self.quiescence(context, (alpha, beta), 0, ply);
        }

        // Step 5. Transposition table cutoff: a result of sufficient depth whose bound settles the window
        // ends the node; a proven win or loss does so at any depth. There is no cutoff at PV nodes, where it
        // would shorten the reported line, nor at deep nodes with an unexpected result, which would change
        // the result of the parent. Under a singular search (step 10) the key differs, because the value
        // without one move is another value.
        let excluded = self.frames[ply].excluded;
        let key = self.board.hash() ^ excluded.map_or(0, tt::variant);
        let hit = self.table.probe(key);
        let table_value = hit.map(|e| tt::from_table(e.value, ply));
        if let (Some(e), Some(value)) = (hit, table_value)
            && !pv
            && (e.bound.proves(value, alpha, beta)
                || e.depth >= depth
                    && e.bound.settles(value, alpha, beta)
                    && (cut == (value >= beta) || depth.raw() <= P::cutoff_depth()))
        {
            // The table move of a node that fails high again is a good move here too: it gets a history bonus.
            if value >= beta
                && verdict == ThreatVerdict::Open
                && let Some(p) = e.best
            {
                self.credit(p, F::history_bonus(depth) * P::history_table() / 64);
            }
            return value;
        }
        let table_move = match hit.and_then(|e| e.best) {
            // Root moves are excluded for the second and later lines (MultiPV): the entry's best move then belongs to the
            // first line, and the previous iteration knows the best of the remaining moves.
            _ if root && !self.root_excluded.is_empty() => self.root_first.filter(|&p| self.is_allowed(p)),
            best => best.filter(|&p| self.board.empty().contains(p)),
        };

        // Step 6. Static evaluation: taken from the entry where there is one, and corrected by what searches learned after
        // the same two moves, unless a threat decides what the position is worth. A side is improving if its position is
        // quiet and stands better than at its last turn; if that turn was not quiet, the one before it is compared. Late
        // moves of improving nodes are pruned and reduced less.
        let evaluation = match hit {
            Some(e) => e.eval,
            None => self.evaluate(ply),
        };
        let quiet = verdict == ThreatVerdict::Open;
        let slot = Slot::of(&self.board);
        let static_eval = if quiet { self.corrections.correct(slot, evaluation) } else { evaluation };
        self.frames[ply].eval = static_eval;
        self.frames[ply].quiet = quiet;
        let improving = quiet && is_improving(self.frames, ply);
        // The value in the table comes from a search: use it as a refined static evaluation where its bound allows.
        let eval = match (hit, table_value) {
            (Some(e), Some(value))
                if value.abs() < Score::MATE_BOUND && e.bound.refines(value, static_eval) =>
            {
                value
            }
            _ => static_eval,
        };
        if excluded.is_none() {
            self.frames[ply].on_pv = pv || hit.is_some_and(|e| e.pv);
        }
        // Store the evaluation at once, uncorrected and without a bound: a transposition then need not compute it again.
        if hit.is_none() && excluded.is_none() {
            let entry =
                Entry { value: 0, eval: evaluation, depth: Depth::ZERO, bound: Bound::None, pv, best: None };
            self.table.store(key, entry);
        }

        // Steps 7 and 8 prune by the static evaluation. They need a null window, a quiet position (where the opponent
        // threatens a five or a straight four the evaluation means little), and an alpha that is not a proof.
        if !pv && quiet && excluded.is_none() && alpha.abs() < Score::MATE_BOUND {
            // Step 7. Razoring: at a shallow node far below alpha only a combination of fours can raise the value, and
            // quiescence finds those. If it fails low too, return its value.
            if depth.raw() < P::razor_depth::<R>() && eval + F::razor_margin::<R>(depth) < alpha {
                let value = self.quiescence(context, (alpha, alpha + 1), 0, ply);
                if value <= alpha {
                    return value;
                }
            }
            // Step 8. Reverse futility pruning: at a shallow node whose static evaluation exceeds beta by a margin, a
            // search would hardly fall below beta. The margin grows with depth and is smaller when improving. Not while the
            // opponent threatens a four-three: then the position is not quiet.
            if depth.raw() < P::futility_depth::<R>()
                && beta.abs() < Score::MATE_BOUND
                && self.board.count(!self.board.side(), Level::FourThree) == 0
                && eval - F::futility_margin::<R>(depth, improving) >= beta
            {
                return eval;
            }
        }

        // Step 9. Internal iterative reduction: without a table move the order of moves is poor and a deep search
        // expensive. Search one ply less; the next iteration will find the table move that this one stores. Nodes with
        // forced replies are left out: they have few moves to order.
        let mut depth = depth;
        let forced = matches!(verdict, ThreatVerdict::Forced(_));
        if table_move.is_none() && !forced && depth.raw() >= P::iir_depth::<R>() && (pv || cut) {
            depth = depth - Depth::plies(1);
        }

        let mut node = Node {
            alpha,
            beta,
            depth,
            reduction: Depth::ZERO,
            ply,
            pv,
            cut,
            eval,
            improving,
            danger: Danger::None,
            table_move,
            extension: Depth::ZERO,
        };
        // Step 10. Singular extension and multi-cut, by an entry that is deep enough to trust and has a lower bound for the
        // value of its move. Nodes with forced replies are left out: they hardly have another move.
        if let (Some(e), Some(best), Some(value)) = (hit, table_move, table_value)
            && !root
            && excluded.is_none()
            && !forced
            && depth.raw() >= P::singular_depth::<R>()
            && e.bound != Bound::Upper
            && e.bound != Bound::None
            && e.depth + Depth::from_raw(P::singular_entry()) >= depth
            && value.abs() < Score::MATE_BOUND
        {
            match self.singular(context, &node, best, value) {
                Singular::Extend(extension) => node.extension = extension,
                Singular::Cut(value) => return value,
                Singular::Stopped => return 0,
            }
        }

        // The strongest threat that the opponent already has restricts the moves of steps 11 to 16. At a root without a
        // static verdict only forced replies do; a four-three there is left to the search.
        node.danger = if root && quiet { Danger::None } else { Danger::of(verdict, &mut self.board) };
        let (value, best) = self.moves(context, &mut node);
        if self.stopped {
            return 0;
        }

        // Step 17. Store the result with its bound in the transposition table. Then update the correction history if the
        // position is quiet, no move was excluded, the value is not a proven win or loss, and the bound says on which side of
        // the static evaluation the value lies. A root with excluded moves does neither: its value is not that of the position.
        let bound = Bound::of(value, node.alpha, beta);
        let complete = !root || self.root_excluded.is_empty();
        if complete {
            let pv = self.frames[ply].on_pv;
            let entry = Entry { value: tt::to_table(value, ply), eval: evaluation, depth, bound, pv, best };
            self.table.store(key, entry);
        }
        let known = complete && excluded.is_none() && value.abs() < Score::MATE_BOUND;
        if quiet && known && bound.refines(value, static_eval) {
            self.corrections.learn(slot, value - static_eval, depth.floor());
        }
        value
    }

    /// Step 10: searches a node without its table move `best`, less deep, in a null window somewhat below the table value.
    ///
    /// If every other move fails low, the table move is the only good one (singular), and the value depends
    /// on it alone: it is extended by a ply, or by more if the others are far worse. If it is not singular at
    /// a node that is expected to fail high, another move may fail high too: the table move is reduced
    /// instead (negative extension).
    fn singular(&mut self, context: &Context<'_>, node: &Node, best: Point, table_value: i32) -> Singular {
        let &Node { depth, ply, pv, cut, beta, .. } = node;
        let target = table_value - F::singular_margin::<R>(depth, self.frames[ply].on_pv && !pv);
        let shallow = Depth::from_raw(depth.raw() * P::singular_share() / 64);
        self.frames[ply].excluded = Some(best);
        let other = self.search(context, (target - 1, target), shallow, ply, cut);
        self.frames[ply].excluded = None;
        if self.stopped {
            return Singular::Stopped;
        }
        // Multi-cut: a second move reaches `target` as well, and `target` is not below beta. With two moves that fail high at
        // reduced depth, one of them will do so at full depth: the lower bound is the result.
        if other >= target && target >= beta && !pv {
            return Singular::Cut(target);
        }
        self.pv.clear(ply);
        Singular::Extend(if other < target {
            let double = !pv && other < target - P::double_margin::<R>();
            Depth::plies(1) + if double { Depth::from_raw(P::double_extension::<R>()) } else { Depth::ZERO }
        } else if table_value >= beta {
            Depth::from_raw(-P::negative_high::<R>())
        } else if cut {
            Depth::from_raw(-P::negative_cut::<R>())
        } else {
            Depth::ZERO
        })
    }

    /// Returns a verdict with a shorter win in its place if the search asks for a win of few plies and a four that Black may
    /// not answer wins two plies earlier than the static rules say.
    fn shortened(&mut self, verdict: ThreatVerdict, ply: usize) -> ThreatVerdict {
        match verdict {
            ThreatVerdict::Win(plies, _) if plies > 3 && self.limits.mate.is_some() => {
                let traps = traps::of(&self.board);
                let mut wins = |p: Point| {
                    self.make(p, ply);
                    let after = threats::judge(&self.board);
                    self.unmake();
                    after == ThreatVerdict::Loss(2)
                };
                let trap = traps.iter().find(|&p| wins(p));
                trap.map_or(verdict, |p| ThreatVerdict::Win(3, p))
            }
            _ => verdict,
        }
    }
}

/// Result of a singular search.
enum Singular {
    /// The extension of the table move; negative for a reduction.
    Extend(Depth),
    /// The node fails high with this lower bound.
    Cut(i32),
    /// The search was stopped.
    Stopped,
}

/// Returns whether the static evaluation at a ply is better than two plies before. If that position was not quiet and the
/// line has four plies, it is compared with that of four plies before.
fn is_improving(frames: &[Frame], ply: usize) -> bool {
    let back = if ply >= 4 && !frames[ply - 2].quiet { 4 } else { 2 };
    ply >= back && frames[ply].eval > frames[ply - back].eval
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_that_were_not_quiet_are_passed_over() {
        let mut frames = [Frame::EMPTY; 5];
        (frames[0].eval, frames[2].eval, frames[4].eval) = (10, 30, 20);
        assert!(!is_improving(&frames, 0));
        assert!(!is_improving(&frames, 1));
        assert!(is_improving(&frames, 2));
        assert!(!is_improving(&frames, 4));
        frames[2].quiet = false;
        assert!(is_improving(&frames, 4));
        frames[0].quiet = false;
        assert!(is_improving(&frames, 2), "there is no turn before it");
    }
}
