//! Quiescence search: at the horizon only fours, and the forced replies to them, are searched, so that a position is not
//! evaluated in the middle of a combination.
//!
//! It tries the fours that make a further pattern or leave Black a foul as the only reply; plain fours cost
//! more than they find (`docs/search.md`). The side to move may always stop at its static evaluation, refined
//! by the table (stand pat). A win found is a proof, because every reply to each four is tried.

use super::Context;
use super::depth::Depth;
use super::node::INFINITE;
use super::params as P;
use super::report::Score;
use super::stack::MAX_PLY;
use super::threats::{self, ThreatVerdict};
use super::traps;
use super::tt::{self, Bound, Entry};
use super::worker::Worker;
use crate::game::{Level, Rule, Threat};

/// Classes of fours, in the order in which they are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FourKind {
    /// A four with a three or more: a winning double threat as a rule.
    Threat,
    /// A four with a lesser pattern, or one of Black that may be a foul.
    Pattern,
    /// A plain four of White under Renju to which Black's only reply may be a foul.
    Trap,
}

impl FourKind {
    const ALL: [FourKind; 3] = [FourKind::Threat, FourKind::Pattern, FourKind::Trap];

    /// Returns whether a four of this level belongs to the class.
    fn holds(self, level: Level) -> bool {
        match self {
            FourKind::Threat => level >= Level::FourThree,
            FourKind::Pattern => matches!(level, Level::FourPlus | Level::SuspectFour),
            FourKind::Trap => level == Level::Four,
        }
    }
}

impl<R: Rule> Worker<'_, R> {
    /// Returns the value of a position at the horizon. `fours` counts the fours played since the horizon.
    pub fn quiescence(&mut self, context: &Context<'_>, window: (i32, i32), fours: i32, ply: usize) -> i32 {
        let (mut alpha, beta) = window;
        self.seldepth = self.seldepth.max(ply);

        // Step Q1. Stop and draw, as in step 1 of the main search.
        if self.poll(context) || self.board.empty().is_empty() {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.evaluate(ply);
        }

        // Step Q2. Static threat rules, as in step 2: they end most combinations with a proof.
        let verdict = threats::judge(&self.board);
        if let Some(value) = verdict.value(ply) {
            return value;
        }

        // Step Q3. Forced replies to a four: the side to move cannot stand pat. All replies are tried, so that a win
        // found behind them is proven.
        if let ThreatVerdict::Forced(replies) = verdict {
            let mut best = -INFINITE;
            for p in replies.iter() {
                self.make(p, ply);
                best = best.max(-self.quiescence(context, (-beta, -alpha), fours, ply + 1));
                self.unmake();
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
            return best;
        }

        // Step Q4. Transposition table cutoff. A combination only goes on near its last four, because a crowded board has
        // far too many fours otherwise. The value then depends on that four, and so does the key.
        let last = self.board.last_move(1).filter(|_| fours > 0);
        let key = self.board.hash() ^ last.map_or(0, tt::variant);
        let hit = self.table.probe(key);
        if let Some(e) = hit {
            let value = tt::from_table(e.value, ply);
            if e.bound.settles(value, alpha, beta) {
                return value;
            }
        }

        // Step Q5. Stand pat: the side to move need not play a four. The static evaluation, refined by the value in the table
        // as in step 6, is taken as a lower bound of the value and fails high at once if it reaches beta.
        let eval = hit.map_or_else(|| self.evaluate(ply), |e| e.eval);
        let mut best = match hit.map(|e| (e.bound, tt::from_table(e.value, ply))) {
            Some((bound, value)) if value.abs() < Score::MATE_BOUND && bound.refines(value, eval) => value,
            _ => eval,
        };
        if best >= beta {
            return best;
        }
        let lowest = alpha;
        alpha = alpha.max(best);

        // Step Q6. Fours, the most promising class first, up to a number in each combination, both sides together.
        let side = self.board.side();
        let open = fours < P::most_fours() && self.board.has_threat(side, Threat::Four);
        let kinds: &[FourKind] = if open { &FourKind::ALL } else { &[] };
        'search: for &kind in kinds {
            let mut candidates = match kind {
                FourKind::Trap => traps::of(&self.board),
                _ => *self.board.threats(side, Threat::Four),
            };
            if let Some(last) = last {
                candidates = candidates & *self.neighbourhoods.of(last);
            }
            for p in candidates.iter() {
                if !kind.holds(self.board.level(p, side)) || self.board.is_foul(p, side) {
                    continue;
                }
                self.make(p, ply);
                let value = -self.quiescence(context, (-beta, -alpha), fours + 1, ply + 1);
                self.unmake();
                if self.stopped {
                    return 0;
                }
                best = best.max(value);
                alpha = alpha.max(best);
                if alpha >= beta {
                    break 'search;
                }
            }
        }

        // Step Q7. Store the result, unless the entry comes from the main search, which looked deeper.
        if hit.is_none_or(|e| e.depth == Depth::ZERO) {
            let bound = Bound::of(best, lowest, beta);
            let value = tt::to_table(best, ply);
            self.table.store(key, Entry { value, eval, depth: Depth::ZERO, bound, pv: false, best: None });
        }
        best
    }
}
