//! Static evaluation of Reversi on the 8x8 board by patterns: the discs on edges, corners, rows and diagonals index
//! weights that were learned from self-play.
//!
//! The contents of a pattern are a number in base 3 (0 empty, 1 own, 2 the other side's); its weight is in hundredths of a
//! disc. Weights depend on the stage of the game. The numbers of all patterns are sums over the eight rows of the board, so
//! that they are added up as vectors from tables by the rows' bytes.
//!
//! CITE: M. Buro, "Improving heuristic mini-max search by supervised learning" (2002): pattern features fitted to the results
//! of games. The patterns are those in common use (edge with X squares, 3x3 corner, rows, diagonals).

pub mod learn;

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::ZlibDecoder;

/// Placements of patterns on the board.
pub const PLACES: usize = 36;
/// Stages of the game, by discs on the board.
pub const STAGES: usize = 5;
/// The weights that are built in.
static BUILT_IN: &[u8] = include_bytes!("weights.bin");
/// The first bytes of a file of weights.
const MAGIC: &[u8; 4] = b"KRW1";

/// A shape of squares, as (column, row), in the first of its four placements, which are quarter turns.
struct Shape {
    squares: &'static [(usize, usize)],
    /// For each square the place of its mirror image within the pattern.
    mirror: &'static [usize],
}

/// Corners, edges, rows and diagonals.
const SHAPES: [Shape; 9] = [
    Shape {
        squares: &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (1, 1), (6, 1)],
        mirror: &[7, 6, 5, 4, 3, 2, 1, 0, 9, 8],
    },
    Shape {
        squares: &[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)],
        mirror: &[0, 3, 6, 1, 4, 7, 2, 5, 8],
    },
    Shape {
        squares: &[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1)],
        mirror: &[7, 6, 5, 4, 3, 2, 1, 0],
    },
    Shape {
        squares: &[(0, 2), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2)],
        mirror: &[7, 6, 5, 4, 3, 2, 1, 0],
    },
    Shape {
        squares: &[(0, 3), (1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3), (7, 3)],
        mirror: &[7, 6, 5, 4, 3, 2, 1, 0],
    },
    Shape {
        squares: &[(0, 7), (1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1), (7, 0)],
        mirror: &[7, 6, 5, 4, 3, 2, 1, 0],
    },
    Shape {
        squares: &[(0, 6), (1, 5), (2, 4), (3, 3), (4, 2), (5, 1), (6, 0)],
        mirror: &[6, 5, 4, 3, 2, 1, 0],
    },
    Shape { squares: &[(0, 5), (1, 4), (2, 3), (3, 2), (4, 1), (5, 0)], mirror: &[5, 4, 3, 2, 1, 0] },
    Shape { squares: &[(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)], mirror: &[4, 3, 2, 1, 0] },
];

/// Offset of the weights of each shape, and the number of weights of a stage.
const fn offsets() -> ([usize; SHAPES.len()], usize) {
    let (mut offsets, mut sum, mut i) = ([0; SHAPES.len()], 0, 0);
    while i < SHAPES.len() {
        offsets[i] = sum;
        sum += 3usize.pow(SHAPES[i].squares.len() as u32);
        i += 1;
    }
    (offsets, sum)
}

/// Number of weights of a stage.
pub const WEIGHTS: usize = offsets().1;

/// For each row of the board and each content of its byte: the amount added to the number of each placement.
type RowTable = [[u16; PLACES]; 256];

/// The tables that turn discs into numbers.
pub struct Numbers {
    rows: Box<[RowTable; 8]>,
    /// Offset of the weights of each placement.
    offsets: [u32; PLACES],
}

impl Numbers {
    /// The tables, built at first use.
    pub fn get() -> &'static Numbers {
        static NUMBERS: OnceLock<Numbers> = OnceLock::new();
        NUMBERS.get_or_init(Numbers::build)
    }

    fn build() -> Numbers {
        let mut rows = vec![[[0u16; PLACES]; 256]; 8];
        let mut offsets = [0; PLACES];
        let mut place = 0;
        for (shape, offset) in SHAPES.iter().zip(self::offsets().0) {
            for turn in 0..4 {
                offsets[place] = offset as u32;
                for (i, &square) in shape.squares.iter().enumerate() {
                    let (x, y) = turned(square, turn);
                    let unit = 3u16.pow(i as u32);
                    for (byte, numbers) in rows[y].iter_mut().enumerate() {
                        numbers[place] += if byte >> x & 1 != 0 { unit } else { 0 };
                    }
                }
                place += 1;
            }
        }
        match rows.into_boxed_slice().try_into() {
            Ok(rows) => Numbers { rows, offsets },
            Err(_) => unreachable!("eight rows were made"),
        }
    }

    /// The weight index of each placement, for the side that owns `own`.
    #[inline]
    pub fn indices(&self, own: u64, other: u64) -> [u32; PLACES] {
        let mut numbers = [0u16; PLACES];
        for (row, table) in self.rows.iter().enumerate() {
            let mine = &table[(own >> (8 * row)) as usize & 255];
            let theirs = &table[(other >> (8 * row)) as usize & 255];
            for ((number, &a), &b) in numbers.iter_mut().zip(mine).zip(theirs) {
                *number += a + 2 * b;
            }
        }
        std::array::from_fn(|i| self.offsets[i] + u32::from(numbers[i]))
    }
}

/// Returns the square after this number of quarter turns.
fn turned((mut x, mut y): (usize, usize), turns: usize) -> (usize, usize) {
    for _ in 0..turns {
        (x, y) = (7 - y, x);
    }
    (x, y)
}

/// The stage of a position.
pub fn stage(discs: u32) -> usize {
    (discs.saturating_sub(4) as usize / 12).min(STAGES - 1)
}

/// Learned weights, in hundredths of a disc.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights(Vec<i16>);

impl Weights {
    /// The weights that are built in.
    pub fn built_in() -> &'static Weights {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| {
            Weights::read(BUILT_IN).unwrap_or_else(|| Weights(vec![0; STAGES * self::WEIGHTS]))
        })
    }

    /// Reads a file of weights: [`MAGIC`], then all weights, little-endian, compressed by zlib. `None` if it is not
    /// such a file.
    pub fn read(bytes: &[u8]) -> Option<Weights> {
        let packed = bytes.strip_prefix(MAGIC)?;
        let mut raw = Vec::new();
        let most = (2 * STAGES * WEIGHTS) as u64;
        ZlibDecoder::new(packed).take(most + 1).read_to_end(&mut raw).ok()?;
        (raw.len() as u64 == most)
            .then(|| Weights(raw.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect()))
    }

    /// The estimate for the side that owns `own`, in hundredths of a disc.
    pub fn value(&self, own: u64, other: u64) -> i32 {
        let first = stage((own | other).count_ones()) * WEIGHTS;
        let indices = Numbers::get().indices(own, other);
        indices.iter().map(|&i| i32::from(self.0[first + i as usize])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_are_whole() {
        let weights = Weights::read(BUILT_IN).unwrap();
        assert!(weights.0.iter().filter(|w| **w != 0).count() > 10_000);
        assert_eq!(Weights::read(&BUILT_IN[..BUILT_IN.len() / 2]), None);
        assert_eq!(Weights::read(b"KRW2"), None);
    }

    /// A corner is worth having, and symmetric positions have the same value.
    #[test]
    fn values_make_sense() {
        let weights = Weights::built_in();
        let center = (0x0000_0008_1000_0000u64, 0x0000_0010_0800_0000u64);
        let (own, other) =
            (center.0 | 0x0000_003c_0000_0000, center.1 & !0x0000_003c_0000_0000 | 0x0000_3c00_0000_0000);
        let corner = weights.value(own | 1, other) - weights.value(own, other | 1);
        assert!(corner > 0, "{corner}");
        let quarter = |set: u64| {
            (0..64).filter(|i| set >> i & 1 != 0).fold(0u64, |all, i| {
                let (x, y) = turned((i % 8, i / 8), 1);
                all | 1 << (8 * y + x)
            })
        };
        assert_eq!(weights.value(quarter(own), quarter(other)), weights.value(own, other));
        let flipped = |set: u64| set.swap_bytes();
        assert_eq!(weights.value(flipped(own), flipped(other)), weights.value(own, other));
    }
}
