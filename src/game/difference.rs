//! Differences of points as numbers, for tables that depend on how two points lie to each other.

use super::point::{MAX_SIZE, Point};

/// Numbers that a row takes: room for column differences to both sides.
const WIDE: usize = 64;
/// Number of the difference of a point from itself.
const ZERO: usize = (MAX_SIZE - 1) * WIDE + MAX_SIZE - 1;
/// Differences are below this.
pub const DIFFERENCES: usize = 2 * ZERO + 1;

/// A point that others are looked at from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin(usize);

impl Origin {
    /// Looks from `point`.
    #[inline(always)]
    pub const fn new(point: Point) -> Origin {
        Origin(ZERO - wide(point))
    }

    /// Returns the number of the difference of `p` from the origin, below [`DIFFERENCES`]. Other differences have other
    /// numbers; equal ones have the same wherever the two points lie.
    #[inline(always)]
    pub const fn to(self, p: Point) -> usize {
        wide(p) + self.0
    }
}

/// Returns the number of the difference of `dx` columns and `dy` rows.
pub const fn difference(dx: isize, dy: isize) -> usize {
    (ZERO as isize + dy * WIDE as isize + dx) as usize
}

/// Returns a point's index with rows [`WIDE`] apart.
#[inline(always)]
const fn wide(p: Point) -> usize {
    p.y() * WIDE + p.x()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::game::Size;

    #[test]
    fn each_difference_has_one_number() {
        let size = Size::new(MAX_SIZE).unwrap();
        let mut numbers = BTreeMap::new();
        for from in size.points() {
            for p in size.points() {
                let (dx, dy) = (p.x() as isize - from.x() as isize, p.y() as isize - from.y() as isize);
                let number = Origin::new(from).to(p);
                assert!(number < DIFFERENCES, "{from} {p}");
                assert_eq!(number, difference(dx, dy), "{from} {p}");
                assert_eq!(*numbers.entry(number).or_insert((dx, dy)), (dx, dy), "{from} {p}");
            }
        }
        assert_eq!(numbers.len(), (2 * MAX_SIZE - 1).pow(2));
    }
}
