//! The short way for nets that are nothing but linear terms: tables by the shapes themselves, and sums that are kept up
//! to date at once. Without vectors there is too little work to put it off.

use super::codes::codes;
use super::kernels::Scored;
use super::net::Net;
use crate::game::{Color, Shapes};

/// Two numbers, one for each side to move, for all shapes of one colour.
type Table = Box<[[i16; 2]; 1 << 16]>;

/// The linear terms and move scores of a net.
pub struct Tables {
    values: [Table; 2],
    moves: [Table; 2],
}

impl Tables {
    /// The tables of a net; `None` if it has vectors.
    pub fn new(net: &Net) -> Option<Tables> {
        let tables = |by_code: &[Vec<[i16; 2]>; 2]| {
            Color::BOTH.map(|c| {
                let spread: Vec<[i16; 2]> =
                    codes().iter().map(|&code| by_code[c.index()][usize::from(code)]).collect();
                match spread.into_boxed_slice().try_into() {
                    Ok(table) => table,
                    Err(_) => unreachable!("one entry for each u16"),
                }
            })
        };
        net.is_linear().then(|| Tables { values: tables(&net.linear), moves: tables(&net.moves) })
    }

    /// What a point adds to the sums, by side to move.
    #[inline(always)]
    pub fn value(&self, shapes: Shapes) -> [i32; 2] {
        sum(&self.values, shapes)
    }

    /// Fills in how good each move looks to a side.
    #[inline]
    pub fn score_moves(&self, side: Color, list: &mut [Scored]) {
        list.iter_mut().for_each(|(_, shapes, score)| *score = sum(&self.moves, *shapes)[side.index()]);
    }
}

#[inline(always)]
fn sum(tables: &[Table; 2], shapes: Shapes) -> [i32; 2] {
    let black = tables[0][usize::from(shapes.of(Color::Black))];
    let white = tables[1][usize::from(shapes.of(Color::White))];
    [0, 1].map(|side| i32::from(black[side]) + i32::from(white[side]))
}
