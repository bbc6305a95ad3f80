//! Quiescence: at the horizon only fours that make a further pattern or drive Black onto a foul, and the replies to them,
//! are searched (+43 Elo).
//!
//! The side to move may stop at its static evaluation; a win found is a proof, as every reply to each four was tried.

use super::Context;
use super::depth::Depth;
use super::params as P;
use super::pvs::INFINITE;
use super::stack::MAX_PLY;
use super::statics::{self, Verdict};
use super::traps;
use super::tt::{self, Bound, Entry};
use super::worker::Worker;
use crate::game::{Level, PointSet, Rule, Threat};

/// The kinds of fours that are tried, the most promising first: other fours without a further pattern cost more than they
/// find (+47 Elo at 5000 nodes without them).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// With a three at least.
    Threat,
    /// With a lesser pattern, or for Black perhaps a foul.
    Pattern,
    /// Alone, but Black's reply may be a foul.
    Trap,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Threat, Kind::Pattern, Kind::Trap];

    fn holds(self, level: Level) -> bool {
        match self {
            Kind::Threat => level >= Level::FourThree,
            Kind::Pattern => matches!(level, Level::FourPlus | Level::SuspectFour),
            Kind::Trap => level == Level::Four,
        }
    }
}

impl<R: Rule> Worker<'_, R> {
    /// Value of a position at the horizon: fours and the replies to them.
    pub fn quiescence(&mut self, context: &Context<'_>, window: (i32, i32), fours: i32, ply: usize) -> i32 {
        let (mut alpha, beta) = window;
        self.seldepth = self.seldepth.max(ply);
        if self.poll(context) || self.board.empty().is_empty() {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.evaluate(ply);
        }
        let verdict = statics::judge(&self.board);
        if let Some(value) = verdict.value(ply) {
            return value;
        }
        if let Verdict::Forced(replies) = verdict {
            // Under a five the position is not evaluated; the ply after it averages with the one before it.
            self.frames[ply].raw = if ply > 0 { -self.frames[ply - 1].raw } else { 0 };
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

        // A combination goes on near its last four; without this limit crowded boards have far too many of them. What is
        // found then depends on that four, and so does the key.
        let last = self.board.last_move(1).filter(|_| fours > 0);
        let key = self.board.hash() ^ last.map_or(0, tt::variant);
        let hit = self.table.probe(key);
        if let Some(e) = hit {
            let value = tt::from_table(e.value, ply);
            if e.bound.settles(value, alpha, beta) {
                return value;
            }
        }
        let eval = hit.map_or_else(|| self.evaluate(ply), |e| e.eval);
        let mut best = self.settle(eval, ply);
        if best >= beta {
            return best;
        }
        let lowest = alpha;
        alpha = alpha.max(best);
        let side = self.board.side();
        let near = last.map_or(PointSet::full(self.board.size()), |last| *self.neighbourhoods.of(last));
        let kinds: &[Kind] = if fours < P::most_fours() { &Kind::ALL } else { &[] };
        'search: for &kind in kinds {
            let candidates = match kind {
                Kind::Trap => traps::of(&self.board),
                _ => *self.board.threats(side, Threat::Four),
            };
            for p in (candidates & near).iter() {
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
        // What the main search has found out about the position is worth more.
        if hit.is_none_or(|e| e.depth == Depth::ZERO) {
            let bound = Bound::of(best, lowest, beta);
            let value = tt::to_table(best, ply);
            self.table.store(key, Entry { value, eval, depth: Depth::ZERO, bound, pv: false, best: None });
        }
        best
    }
}
