//! Correction history: how far searches end from the static evaluation of quiet positions, by the last two moves.
//!
//! The evaluation errs in the same direction in similar positions, and positions after the same two moves are
//! similar: the next moves are played around these stones. So the error that a search finds at one node
//! corrects the static evaluation at the others.
//!
//! CITE: Stockfish, `history.h` and `search.cpp`, for the technique and the rule of [`Corrections::learn`].

use super::history;
use super::params as P;
use crate::game::{Board, POINTS, Point, Rule};

/// Entries for each colour; several pairs of moves share an entry.
const ENTRIES: usize = 1 << 16;
/// Largest absolute value of an entry.
const BOUND: i32 = 1024;
/// Largest change of an entry by one search.
const MOST: i32 = BOUND / 4;
/// Evaluations beyond this stay as they are: the game is decided.
const DECIDED: i32 = 1500;

/// Corrections of the static evaluation by the side to move and the last two moves.
pub struct Corrections(Vec<i16>);

/// The table entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(usize);

impl Slot {
    /// Returns the entry of a position.
    pub fn of<R: Rule>(board: &Board<R>) -> Slot {
        let number = |p: Option<Point>| p.map_or(0, |p| p.index() + 1);
        let pair = number(board.last_move(0)) * (POINTS + 1) + number(board.last_move(1));
        // An odd factor spreads the pairs over all entries. Only the low bits of the product count, so it may overflow.
        Slot(board.side().index() * ENTRIES + pair.wrapping_mul(40503) % ENTRIES)
    }
}

impl Corrections {
    /// Returns corrections of 0.
    pub fn new() -> Corrections {
        Corrections(vec![0; 2 * ENTRIES])
    }

    /// Returns the static evaluation `eval` of a quiet position, corrected.
    #[inline]
    pub fn correct(&self, slot: Slot, eval: i32) -> i32 {
        if eval.abs() < DECIDED { eval + i32::from(self.0[slot.0]) / P::correction_unit() } else { eval }
    }

    /// Updates an entry after a search of this depth, in plies, whose value exceeds the corrected evaluation
    /// by `error`.
    pub fn learn(&mut self, slot: Slot, error: i32, depth: i32) {
        let bonus = (error * depth / 8).clamp(-MOST, MOST);
        history::add::<BOUND>(&mut self.0[slot.0], bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Freestyle;
    use crate::game::notation::parse;

    fn slot(moves: &str) -> Slot {
        Slot::of(&Board::<Freestyle>::from_position(&parse(moves, None).unwrap()).unwrap())
    }

    #[test]
    fn positions_with_the_same_last_moves_share_a_correction() {
        let (one, same) = (slot("h8i9j8g7h6i7"), slot("k8l9j8g7h6i7"));
        let others = [slot("h8i9j8g7i7h6"), slot("h8i9j8g7h6i8"), slot("h8i9j8g7h7i7"), slot("h8i9j8h6i7")];
        assert_eq!(one, same);
        let mut corrections = Corrections::new();
        (0..1000).for_each(|_| corrections.learn(one, 400, 10));
        let most = corrections.correct(same, 30) - 30;
        let bound = BOUND / P::correction_unit();
        assert!((bound - 1..=bound).contains(&most), "{most}");
        assert_eq!(others.map(|other| corrections.correct(other, 30)), [30; 4]);
        assert_eq!(corrections.correct(one, DECIDED), DECIDED);
        corrections.learn(one, -40, 8);
        assert!(corrections.correct(one, 30) - 30 < most);
        (0..1000).for_each(|_| corrections.learn(one, -30_000, 60));
        assert!((-bound..=1 - bound).contains(&corrections.correct(one, 0)));
    }
}
