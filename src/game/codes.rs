//! Pattern codes: the four line shapes of a point as one number, independent of their order.
//!
//! The worth of a stone does not depend on which line is which. So the 15^4 ways to put shapes on four lines reduce to
//! 3060 codes: the multisets of four shapes. Threat levels and learned weights are indexed by them.
//!
//! [`codes`] is the specification, a table of 128 KiB. [`CodeTable`] gives the same numbers in two steps by tables of
//! 33 KiB, which leave the caches to the transposition table and the weights.

use std::sync::OnceLock;

use super::color::Color;
use super::shape::{Shape, Shapes};

/// Number of codes: multisets of four out of fifteen shapes.
pub const CODES: usize = 3060;

/// The codes of one empty point: Black's, then White's, each below [`CODES`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Codes(pub [u16; 2]);

impl Codes {
    /// The code of a colour's four shapes.
    #[inline(always)]
    pub const fn of(self, color: Color) -> u16 {
        self.0[color as usize]
    }

    /// Both codes as indices.
    #[inline(always)]
    pub fn indices(self) -> [usize; 2] {
        [usize::from(self.0[0]), usize::from(self.0[1])]
    }
}

/// Returns the code of every combination of four shapes, encoded as by [`Shapes::of`]. Invalid combinations have code
/// 0.
pub fn codes() -> &'static [u16; 1 << 16] {
    static TABLE: OnceLock<Box<[u16; 1 << 16]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = vec![0u16; 1 << 16];
        let mut next = 0;
        for raw in 0..=u16::MAX {
            let mut shapes: [u16; 4] = std::array::from_fn(|i| raw >> (12 - 4 * i) & 15);
            shapes.sort_unstable();
            // The smallest encoding with these shapes comes before the others.
            let smallest = shapes.iter().fold(0, |number, &s| number << 4 | s);
            if usize::from(shapes[3]) >= Shape::COUNT {
                continue;
            }
            if raw == smallest {
                table[usize::from(raw)] = next;
                next += 1;
            }
            table[usize::from(raw)] = table[usize::from(smallest)];
        }
        match table.into_boxed_slice().try_into() {
            Ok(table) => table,
            Err(_) => unreachable!("one code for each u16"),
        }
    })
}

/// Bits of a pair number: there are 120 multisets of two shapes.
const PAIR_BITS: u32 = 7;

/// Codes in two steps: the shapes of two lines give a pair, two pairs give a code.
pub struct CodeTable {
    pairs: [u8; 256],
    codes: [u16; 1 << (2 * PAIR_BITS)],
}

impl CodeTable {
    /// The table, built at first use.
    pub fn get() -> &'static CodeTable {
        static TABLE: OnceLock<Box<CodeTable>> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut table = Box::new(CodeTable { pairs: [0; 256], codes: [0; 1 << (2 * PAIR_BITS)] });
            let mut next = 0;
            for raw in 0..256usize {
                let (first, second) = (raw >> 4, raw & 15);
                if first.max(second) < Shape::COUNT && first <= second {
                    table.pairs[raw] = next;
                    table.pairs[second << 4 | first] = next;
                    next += 1;
                }
            }
            for (raw, &code) in codes().iter().enumerate() {
                if (0..4).all(|i| raw >> (4 * i) & 15 < Shape::COUNT) {
                    let place = table.place(raw as u16);
                    table.codes[place] = code;
                }
            }
            table
        })
    }

    #[inline(always)]
    fn place(&self, shapes: u16) -> usize {
        let [low, high] = shapes.to_le_bytes();
        let (low, high) =
            (usize::from(self.pairs[usize::from(low)]), usize::from(self.pairs[usize::from(high)]));
        (high << PAIR_BITS | low) & ((1 << (2 * PAIR_BITS)) - 1)
    }

    /// The code of four shapes as [`Shapes::of`] gives them.
    #[inline(always)]
    pub fn code(&self, shapes: u16) -> u16 {
        self.codes[self.place(shapes)]
    }

    /// The codes of both colours.
    #[inline(always)]
    pub fn both(&self, shapes: Shapes) -> Codes {
        Codes([self.code(shapes.of(Color::Black)), self.code(shapes.of(Color::White))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn a_code_is_a_multiset() {
        let mut seen: HashMap<[u16; 4], u16> = HashMap::new();
        for raw in 0..=u16::MAX {
            let mut shapes: [u16; 4] = std::array::from_fn(|i| raw >> (4 * i) & 15);
            if shapes.contains(&15) {
                continue;
            }
            shapes.sort_unstable();
            let code = codes()[usize::from(raw)];
            assert_eq!(*seen.entry(shapes).or_insert(code), code);
        }
        let distinct: HashSet<u16> = seen.values().copied().collect();
        assert_eq!((seen.len(), distinct.len()), (CODES, CODES));
        assert!(distinct.iter().all(|&c| usize::from(c) < CODES));
    }

    #[test]
    fn two_steps_give_the_same_codes() {
        let table = CodeTable::get();
        let mut compared = 0;
        for raw in 0..=u16::MAX {
            if (0..4).all(|i| usize::from(raw >> (4 * i) & 15) < Shape::COUNT) {
                assert_eq!(table.code(raw), codes()[usize::from(raw)], "{raw:04x}");
                compared += 1;
            }
        }
        assert_eq!(compared, 15usize.pow(4));
    }
}
