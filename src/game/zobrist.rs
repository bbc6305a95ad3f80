//! Zobrist keys: one random number for each point and colour, one for White to move, and one for each size of the board.
//!
//! CITE: Zobrist, "A new hashing method with application for game playing" (1970). The numbers come from SplitMix64
//! (Steele, Lea, Flood 2014) with a fixed seed, so keys are the same on every machine and in every build.

use super::color::Color;
use super::point::{POINTS, Point, Size};

const KEYS: [[u64; POINTS]; 2] = {
    let mut keys = [[0; POINTS]; 2];
    let mut state = 0x6b61_6765_7473_7531;
    let mut i = 0;
    while i < 2 * POINTS {
        (state, keys[i / POINTS][i % POINTS]) = split_mix(state);
        i += 1;
    }
    keys
};

/// Key of White to move, combined with that of the stones by xor.
pub const WHITE_TO_MOVE: u64 = split_mix(0x7369_6465).1;

const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ z >> 31)
}

/// Returns the key of an empty board. The same stones on a board of another size are another position.
pub fn board(size: Size) -> u64 {
    split_mix(0x626f_6172_6400 + size.side() as u64).1
}

/// The key of a stone.
#[inline(always)]
pub fn stone(p: Point, color: Color) -> u64 {
    static TABLE: [[u64; POINTS]; 2] = KEYS;
    TABLE[color.index()][p.index()]
}

/// The key of the side to move.
#[inline(always)]
pub fn side(color: Color) -> u64 {
    match color {
        Color::Black => 0,
        Color::White => WHITE_TO_MOVE,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_keys_are_alike() {
        let keys = KEYS.into_iter().flatten().chain([WHITE_TO_MOVE]);
        let boards = (5..=22).map(|side| board(Size::new(side).unwrap()));
        let all: Vec<u64> = keys.chain(boards).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }
}
