//! Entries of the transposition table: a value with its bound, and all of an entry packed into a word.

use crate::game::Point;
use crate::search::depth::Depth;
use crate::search::report::Score;

/// Relation of a stored value to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// No value is stored, only the static evaluation.
    None,
    /// The true value is at most the stored one (fail low).
    Upper,
    /// The true value is at least the stored one (fail high).
    Lower,
    /// The true value is the stored one.
    Exact,
}

impl Bound {
    /// Returns the bound that a search result within a window gives.
    pub fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Returns whether the bound improves on an estimate: the value lies on the side to which the bound points.
    pub fn refines(self, value: i32, estimate: i32) -> bool {
        match self {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => value > estimate,
            Bound::Upper => value < estimate,
        }
    }

    /// Returns whether a stored value settles a window, so that the node need not be searched.
    pub fn settles(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }

    /// Returns whether a stored value settles a window whatever the depth of its search. A proven win holds at any depth,
    /// but only the searched depth shows that no shorter one exists; likewise for losses.
    pub fn proves(self, value: i32, alpha: i32, beta: i32) -> bool {
        let proof = match self {
            Bound::None => false,
            Bound::Exact => value.abs() >= Score::MATE_BOUND,
            Bound::Lower => value >= Score::MATE_BOUND,
            Bound::Upper => value <= -Score::MATE_BOUND,
        };
        proof && if value > 0 { value >= beta } else { value <= alpha }
    }
}

/// Contents of the table for one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Value from the side to move's view; proven results count plies from this position, not from the root.
    pub value: i32,
    /// Static evaluation.
    pub eval: i32,
    /// Depth of the search that stored it.
    pub depth: Depth,
    /// Meaning of `value`.
    pub bound: Bound,
    /// Whether the position is or was a PV node.
    pub pv: bool,
    /// Best move found.
    pub best: Option<Point>,
}

/// Converts a value for storing: proven results are counted from the root in the search, from the position in the table.
pub fn to_table(value: i32, ply: usize) -> i32 {
    if value >= Score::MATE_BOUND {
        value + ply as i32
    } else if value <= -Score::MATE_BOUND {
        value - ply as i32
    } else {
        value
    }
}

/// Converts a stored value back: the reverse of [`to_table`].
pub fn from_table(value: i32, ply: usize) -> i32 {
    if value >= Score::MATE_BOUND {
        value - ply as i32
    } else if value <= -Score::MATE_BOUND {
        value + ply as i32
    } else {
        value
    }
}

/// Number of generations told apart; the counter wraps around.
pub const GENERATIONS: u8 = 32;

/// Stored in place of the best move where there is none.
const NO_MOVE: u64 = 1023;

/// Packs an entry: best move 10 bits, bound 2, PV flag 1, generation 5, depth 14, value 16, static evaluation 16.
pub fn pack(e: &Entry, generation: u8) -> u64 {
    let best = e.best.map_or(NO_MOVE, |p| p.index() as u64);
    best | (e.bound as u64) << 10
        | u64::from(e.pv) << 12
        | u64::from(generation) << 13
        | u64::from(e.depth.raw().clamp(0, 0x3fff) as u16) << 18
        | u64::from(e.value as i16 as u16) << 32
        | u64::from(e.eval as i16 as u16) << 48
}

/// Unpacks an entry.
pub fn unpack(data: u64) -> Entry {
    Entry {
        value: i32::from((data >> 32) as u16 as i16),
        eval: i32::from((data >> 48) as u16 as i16),
        depth: Depth::from_raw((data >> 18 & 0x3fff) as i32),
        bound: [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact][(data >> 10 & 3) as usize],
        pv: data >> 12 & 1 != 0,
        best: Point::from_index((data & 1023) as usize),
    }
}

/// Returns the generation of a packed entry.
pub fn generation_of(data: u64) -> u8 {
    (data >> 13) as u8 % GENERATIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_counted_from_the_position() {
        for value in [Score::MATE - 5, -(Score::MATE - 8), 0, 123] {
            assert_eq!(from_table(to_table(value, 4), 4), value);
        }
        assert_eq!(to_table(Score::MATE - 5, 4), Score::MATE - 1);
    }

    #[test]
    fn a_proof_holds_in_one_direction() {
        let win = Score::MATE - 7;
        for bound in [Bound::Exact, Bound::Lower] {
            assert!(bound.proves(win, 0, 1) && bound.proves(win, win - 1, win));
            assert!(!bound.proves(win, win, win + 1), "a shorter win may be there");
        }
        for bound in [Bound::Exact, Bound::Upper] {
            assert!(bound.proves(-win, 0, 1) && bound.proves(-win, -win, 1 - win));
            assert!(!bound.proves(-win, -win - 1, -win), "it may be lost later");
        }
        assert!(!Bound::Upper.proves(win, win, win + 1) && !Bound::Lower.proves(-win, -win - 1, -win));
        assert!(!Bound::Exact.proves(500, 0, 1) && !Bound::None.proves(win, 0, 1));
    }
}
