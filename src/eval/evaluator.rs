//! Inference of a net: scores of positions, and policy scores of moves.

use super::accumulator::{Accumulators, Changes};
use super::arch::{LINEAR_ONE, LOGIT_ONE};
use super::features::{Scored, Sums};
use super::kernels::{self, Kernels};
use super::linear::Tables;
use super::net::Net;
use super::policy::{Policy, Turn};
use super::region::regions;
use crate::game::{Board, Color, Point, PointSet, Rule};

/// Largest absolute score, well below proven results.
const LIMIT: i32 = 20_000;

/// A net with the kernels that compute it.
pub struct Evaluator {
    net: &'static Net,
    kernels: Kernels,
    linear: Option<Tables>,
}

impl Evaluator {
    /// Creates an evaluator with this net, on the fastest kernels of this processor.
    pub fn new(net: &'static Net) -> Evaluator {
        Evaluator { net, kernels: kernels::best(), linear: Tables::new(net) }
    }

    /// Returns the net.
    pub fn net(&self) -> &'static Net {
        self.net
    }

    /// Returns the observer for the move that leads to a ply of a line.
    #[inline(always)]
    pub fn follow<'a>(&'a self, accumulators: &'a mut Accumulators, ply: usize) -> Changes<'a> {
        accumulators.follow(ply, self.linear.as_ref())
    }

    /// Returns the score of a ply of a line, from the view of `side`, the side to move.
    #[inline]
    pub fn score(&self, accumulators: &mut Accumulators, ply: usize, side: Color) -> i32 {
        let sums = accumulators.sums(self.net, &self.kernels, ply);
        self.score_of(sums, side)
    }

    /// Returns the score of a position's sums, from the view of `side`, the side to move.
    #[inline]
    pub fn score_of(&self, sums: &Sums, side: Color) -> i32 {
        let logit = match self.linear {
            Some(_) => self.net.heads[side.index()].b3,
            None => (self.kernels.forward)(self.net, sums, side),
        };
        let linear = i64::from(sums.linear[side.index()]) * i64::from(LOGIT_ONE / LINEAR_ONE);
        let score = (i64::from(logit) + linear) * i64::from(self.net.info.scale) / i64::from(LOGIT_ONE);
        score.clamp(i64::from(-LIMIT), i64::from(LIMIT)) as i32
    }

    /// Fills in the policy score of each move of a ply, in [`MOVE_ONE`](super::arch::MOVE_ONE).
    #[inline]
    pub fn score_moves(&self, accumulators: &mut Accumulators, ply: usize, turn: Turn, list: &mut [Scored]) {
        match &self.linear {
            Some(tables) => tables.score_moves(turn.side, list),
            None => {
                let sums = accumulators.sums(self.net, &self.kernels, ply);
                let policy = self.policy(sums, turn);
                (self.kernels.moves)(self.net, turn.side, &policy, accumulators.regions(), list);
            }
        }
    }

    /// Returns the policy scores of points of a board, for the side to move.
    pub fn rate<R: Rule>(&self, board: &Board<R>, points: &PointSet) -> Vec<(Point, i32)> {
        let mut list: Vec<_> = points.iter().map(|p| (p, board.codes(p), 0)).collect();
        let turn = Turn::of(board);
        match &self.linear {
            Some(tables) => tables.score_moves(turn.side, &mut list),
            None => {
                let policy = self.policy(&Sums::of(self.net, board), turn);
                (self.kernels.moves)(self.net, turn.side, &policy, &regions(board.size()), &mut list);
            }
        }
        list.into_iter().map(|(p, _, score)| (p, score)).collect()
    }

    fn policy(&self, sums: &Sums, turn: Turn) -> Policy {
        Policy::new(&(self.kernels.policy)(self.net, sums, turn.side), turn.last)
    }
}

#[cfg(test)]
mod tests {
    use super::super::hand;
    use super::super::net::file::tests::{extreme_net, random_net};
    use super::*;
    use crate::game::{Caro, Freestyle, Renju, RuleKind, Size};
    use crate::random::{IndexedRandom, Random, RngExt, SeedableRng};

    /// Plays random lines with takebacks. The lazy sums must equal those computed from scratch, and all kernels must
    /// give the same numbers.
    fn check<R: Rule>(net: Net, seed: u64, side: usize) {
        let net: &'static Net = Box::leak(Box::new(net));
        let own = Evaluator::new(net);
        let (mut random, size) = (Random::seed_from_u64(seed), Size::new(side).unwrap());
        let mut board = Board::<R>::new(size);
        let mut accumulators = Accumulators::new(100);
        accumulators.start(net, &board);
        let mut ply = 0;
        for _ in 0..300 {
            if ply > 0 && random.random_ratio(1, 3) {
                board.undo();
                ply -= 1;
            } else if ply < 90 {
                let empty: Vec<Point> = board.empty().iter().collect();
                let p = *empty.choose(&mut random).unwrap();
                ply += 1;
                board.play_observed(p, &mut own.follow(&mut accumulators, ply));
            }
            if random.random_ratio(2, 3) {
                continue;
            }
            let fresh = Sums::of(net, &board);
            let mut scores = Vec::new();
            assert_eq!(accumulators.sums(net, &own.kernels, ply).linear, fresh.linear);
            scores.push(own.judged(&fresh, &board));
            for kernels in kernels::available() {
                let evaluator = Evaluator { net, kernels, linear: None };
                if own.linear.is_none() {
                    accumulators.forget();
                    assert_eq!(*accumulators.sums(net, &kernels, ply), fresh, "{}", kernels.name);
                }
                scores.push(evaluator.judged(&fresh, &board));
            }
            assert!(scores.windows(2).all(|w| w[0] == w[1]), "kernels differ");
        }
    }

    impl Evaluator {
        /// Returns the score of a board and the policy scores of all its moves.
        fn judged<R: Rule>(&self, sums: &Sums, board: &Board<R>) -> (i32, Vec<(Point, i32)>) {
            (self.score_of(sums, board.side()), self.rate(board, board.empty()))
        }
    }

    #[test]
    fn sums_follow_the_board_on_all_kernels() {
        check::<Renju>(random_net(1), 1, 15);
        check::<Freestyle>(random_net(2), 2, 20);
        check::<Caro>(random_net(3), 3, 22);
        check::<Renju>(hand::net(RuleKind::Renju), 4, 15);
    }

    /// Weights that the reader of files accepts never overflow, and all kernels clamp alike.
    #[test]
    fn kernels_agree_for_the_largest_weights() {
        for highest in [2, 4] {
            let net = extreme_net(5, highest);
            assert_eq!(Net::from_bytes(&net.to_bytes()).as_ref(), Ok(&net));
            check::<Freestyle>(net, 5, 22);
        }
    }
}
