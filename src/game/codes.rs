//! Pattern codes: the four line shapes of a point as one number, independent of their order.
//!
//! The worth of a stone does not depend on which line is which. So the 15^4 ways to put shapes on four lines reduce to
//! 3060 codes: the multisets of four shapes. Threat levels and learned weights are indexed by them.
//!
//! [`codes`] is the specification, a table of 128 KiB; the board reads the same numbers from [`super::rating`].

use std::sync::OnceLock;

use super::color::Color;
use super::shape::Shape;

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

/// Returns the code of every combination of four shapes, encoded as by [`Shapes::of`](super::Shapes::of). Invalid
/// combinations have code 0.
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
}
