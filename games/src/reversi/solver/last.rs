//! Search of the last four squares, without move lists and without the table.

use super::Solver;
use super::rays::turned;
use crate::reversi::bits::Bits;

impl Solver<'_> {
    /// A position with at most four empty squares. Squares that are alone in their region come first.
    pub(super) fn last_squares(&mut self, own: u64, other: u64, alpha: i32, empty: u64, passed: bool) -> i32 {
        let odd = self.shared.quarters.into_iter().filter(|q| (q & empty).count_ones() % 2 == 1);
        let odd = odd.fold(0, |all, q| all | q);
        let mut squares = [0u8; 4];
        let mut count = 0;
        for set in [empty & odd, empty & !odd] {
            for square in set.iter() {
                squares[count] = square as u8;
                count += 1;
            }
        }
        self.last(own, other, alpha, &squares[..count], passed)
    }

    fn last(&mut self, own: u64, other: u64, alpha: i32, squares: &[u8], passed: bool) -> i32 {
        self.nodes += 1;
        if let &[square] = squares {
            return self.last_one(own, other, square);
        }
        let mut best = i32::MIN;
        let mut rest = [0u8; 3];
        for (i, &square) in squares.iter().enumerate() {
            let turned = turned(self.rays, own, other, square.into());
            if turned == 0 {
                continue;
            }
            rest[..i].copy_from_slice(&squares[..i]);
            rest[i..squares.len() - 1].copy_from_slice(&squares[i + 1..]);
            let (mine, theirs) = (own | turned | 1 << square, other & !turned);
            best = best.max(-self.last(theirs, mine, -alpha - 1, &rest[..squares.len() - 1], false));
            if best > alpha {
                return best;
            }
        }
        if best > i32::MIN {
            best
        } else if passed || squares.is_empty() {
            self.shared.final_score(own, other)
        } else {
            -self.last(other, own, -alpha - 1, squares, true)
        }
    }

    /// One empty square: the side to move fills it if it can, else the other side.
    fn last_one(&self, own: u64, other: u64, square: u8) -> i32 {
        let mine = turned(self.rays, own, other, square.into());
        if mine != 0 {
            return self.shared.final_score(own | mine | 1 << square, other & !mine);
        }
        let theirs = turned(self.rays, other, own, square.into());
        if theirs != 0 {
            return self.shared.final_score(own & !theirs, other | theirs | 1 << square);
        }
        self.shared.final_score(own, other)
    }
}
