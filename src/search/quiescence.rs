//! Quiescence: at the horizon only fours and the replies to them are searched.
//!
//! The side to move may stop at its static evaluation; a win found is a proof, as every reply to each four was tried.

use super::Context;
use super::params as P;
use super::pvs::INFINITE;
use super::stack::MAX_PLY;
use super::statics::{self, Verdict};
use super::tt;
use super::worker::Worker;
use crate::game::{Level, Rule, Threat};

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

        let key = self.board.hash();
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
        alpha = alpha.max(best);
        let side = self.board.side();
        // A combination goes on near its last four; without this limit crowded boards have far too many of them.
        let candidates = match self.board.last_move(1) {
            Some(last) if fours > 0 => {
                *self.board.threats(side, Threat::Four) & *self.neighbourhoods.of(last)
            }
            _ => *self.board.threats(side, Threat::Four),
        };
        for least in [Level::FourThree, Level::FourPlus, Level::Four] {
            if least == Level::Four && fours >= P::plain_fours() || fours >= P::most_fours() {
                break;
            }
            for p in candidates.iter() {
                let level = self.board.level(p, side);
                let wanted = match least {
                    Level::FourThree => level >= Level::FourThree,
                    Level::FourPlus => matches!(level, Level::FourPlus | Level::SuspectFour),
                    _ => level == Level::Four,
                };
                if !wanted || self.board.is_foul(p, side) {
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
                    return best;
                }
            }
        }
        best
    }
}
