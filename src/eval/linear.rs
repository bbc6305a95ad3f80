//! Fast path for nets with linear terms only: compact tables, and sums that are updated eagerly, because a lazy update
//! would cost more than the additions.

use super::features::Scored;
use super::net::Net;
use crate::game::{Codes, Color};

/// Two numbers, one for each side to move, by the code of one colour.
type CodeWeights = Vec<[i16; 2]>;

/// Linear terms and policy scores of a net.
pub struct Tables {
    values: [CodeWeights; 2],
    moves: [CodeWeights; 2],
}

impl Tables {
    /// Builds the tables of a net; `None` if it has vectors.
    pub fn new(net: &Net) -> Option<Tables> {
        net.is_linear().then(|| Tables { values: net.linear.clone(), moves: net.moves.clone() })
    }

    /// Returns the contribution of a point to the sums, by side to move.
    #[inline(always)]
    pub fn value(&self, codes: Codes) -> [i32; 2] {
        sum(&self.values, codes)
    }

    /// Fills in the policy scores of moves for a side.
    #[inline]
    pub fn score_moves(&self, side: Color, list: &mut [Scored]) {
        list.iter_mut().for_each(|(_, codes, score)| *score = sum(&self.moves, *codes)[side.index()]);
    }
}

#[inline(always)]
fn sum(tables: &[CodeWeights; 2], codes: Codes) -> [i32; 2] {
    let [black, white] = codes.indices();
    let (black, white) = (tables[0][black], tables[1][white]);
    [i32::from(black[0]) + i32::from(white[0]), i32::from(black[1]) + i32::from(white[1])]
}
