//! Move ordering.
//!
//! CITE: M. Buro, "Toward opening book learning" and G. Andersson's endgame solver
//! (radagast.se/othello/endgame.html): fastest first.

use super::rays::turned;
use super::{Shared, Solver};
use crate::reversi::bits::Bits;

/// Least number of empty squares at which moves are sorted by a search of one ply after them, and the number of further
/// empty squares that makes this search one ply deeper. It halves the time on the 6x6 board with 26 empty squares.
const SEARCHED: u32 = 14;
const SEARCHED_STEP: u32 = 2;
/// Largest depth of that search, in plies.
const SEARCHED_PLIES: u32 = 6;

/// A move with its reply position, to be sorted.
#[derive(Clone, Copy, Default)]
pub(super) struct Candidate {
    pub(super) square: u8,
    /// Discs of the side that replies.
    pub(super) own: u64,
    /// Discs of the side that moved.
    pub(super) other: u64,
    pub(super) score: i32,
}

impl Solver<'_> {
    /// Lists the moves with their scores; returns their number.
    pub(super) fn list_moves(
        &self,
        own: u64,
        other: u64,
        moves: u64,
        first: u8,
        list: &mut [Candidate; 64],
    ) -> usize {
        let frame = &self.shared.question.frame;
        let corners = self.shared.corners;
        let mut count = 0;
        for square in moves.iter() {
            let turned = turned(self.rays, own, other, square);
            let (mine, theirs) = (own | turned | 1 << square, other & !turned);
            let replies = frame.moves(theirs, mine);
            let empty = frame.squares & !(mine | theirs);
            let mut score = -((replies.count_ones() + (replies & corners).count_ones()) as i32) * 64;
            // Potential mobility: empty squares next to own discs may become replies.
            score -= (near(mine) & empty).count_ones() as i32 * 8;
            score += i32::from(corners >> square & 1 != 0) * 96;
            if square as u8 == first {
                score = i32::MAX;
            }
            list[count] = Candidate { square: square as u8, own: theirs, other: mine, score };
            count += 1;
        }
        count
    }

    /// Sorts moves, the best first; a move with the highest score of all stays in front.
    pub(super) fn sort(&mut self, list: &mut [Candidate], left: u32) {
        if left >= SEARCHED {
            let depth = ((left - SEARCHED) / SEARCHED_STEP + 1).min(SEARCHED_PLIES);
            for c in list.iter_mut().filter(|c| c.score < i32::MAX) {
                c.score = -self.estimate(c.own, c.other, depth, -i32::MAX, i32::MAX);
            }
        }
        list.sort_unstable_by_key(|c| (-c.score, c.square));
    }

    /// Returns the value of a search of `depth` plies with estimates at its ends, fail-soft.
    fn estimate(&mut self, own: u64, other: u64, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let moves = self.shared.question.frame.moves(own, other);
        if depth == 0 || moves == 0 || self.is_aborted() {
            return self.estimate_now(own, other, moves);
        }
        let mut best = -i32::MAX;
        let corners = self.shared.corners;
        for set in [moves & corners, moves & !corners] {
            for square in set.iter() {
                let turned = turned(self.rays, own, other, square);
                let (mine, theirs) = (own | turned | 1 << square, other & !turned);
                let value = -self.estimate(theirs, mine, depth - 1, -beta, -alpha);
                best = best.max(value);
                alpha = alpha.max(value);
                if alpha >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// Evaluates a position by mobility, potential mobility (empty squares next to discs) and corners.
    fn estimate_now(&self, own: u64, other: u64, moves: u64) -> i32 {
        let Shared { question, corners, .. } = self.shared;
        let empty = question.frame.squares & !(own | other);
        let replies = question.frame.moves(other, own);
        let count = |set: u64| set.count_ones() as i32;
        let corner = if question.counting.anti { -128 } else { 128 };
        (count(moves) + count(moves & corners) - count(replies) - count(replies & corners)) * 64
            + (count(near(other) & empty) - count(near(own) & empty)) * 8
            + (count(own & corners) - count(other & corners)) * corner
    }
}

/// Returns the squares of a set and those next to them.
fn near(set: u64) -> u64 {
    let row = set | (set & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (set & 0xfefe_fefe_fefe_fefe) >> 1;
    row | row << 8 | row >> 8
}
