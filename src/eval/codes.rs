//! Pattern codes: the four line shapes of a point as one number, whatever their order.
//!
//! What a stone makes does not depend on which line is which, so the 15^4 ways to put shapes on four lines are only
//! 3060 different codes: multisets of four shapes. They are what learned weights are indexed by.

use std::sync::OnceLock;

use crate::game::Shape;

/// Number of codes: multisets of four out of fifteen shapes.
pub const CODES: usize = 3060;

/// The code of every combination of four shapes as [`crate::game::Shapes::of`] gives them. Combinations with a number
/// that is no shape have code 0.
pub fn codes() -> &'static [u16; 1 << 16] {
    static TABLE: OnceLock<Box<[u16; 1 << 16]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = vec![0u16; 1 << 16];
        let mut next = 0;
        for raw in 0..=u16::MAX {
            let mut shapes: [u16; 4] = std::array::from_fn(|i| raw >> (12 - 4 * i) & 15);
            shapes.sort_unstable();
            // The smallest number with these shapes: it is met before the others.
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
