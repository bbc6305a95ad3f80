//! Differences of points as numbers, for tables that depend on how two points lie to each other.

use super::point::{MAX_SIZE, Point, STRIDE};

/// Number of the difference of a point from itself.
const ZERO: usize = (MAX_SIZE - 1) * STRIDE + MAX_SIZE - 1;
/// Differences are below this.
pub const DIFFERENCES: usize = 2 * ZERO + 1;
/// Differences of up to this many columns have numbers of their own. A wider one may share its number with a difference
/// towards the other side, one row further.
const DISTINCT: usize = STRIDE - MAX_SIZE;

/// Point from which differences are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin(usize);

impl Origin {
    /// Creates the origin at `point`.
    #[inline(always)]
    pub const fn new(point: Point) -> Origin {
        Origin(ZERO - point.index())
    }

    /// Returns the number of the difference of `p` from the origin, below [`DIFFERENCES`]. Equal differences have the same
    /// number wherever the two points lie; those of up to ten columns have it for themselves.
    #[inline(always)]
    pub const fn to(self, p: Point) -> usize {
        p.index() + self.0
    }
}

/// Returns the number of the difference of `dx` columns and `dy` rows.
///
/// # Panics
/// If the number is not that of this difference alone.
pub const fn difference(dx: isize, dy: isize) -> usize {
    assert!(dx.unsigned_abs() <= DISTINCT, "wider differences share their numbers");
    (ZERO as isize + dy * STRIDE as isize + dx) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::game::Size;

    #[test]
    fn each_near_difference_has_one_number() {
        let size = Size::new(MAX_SIZE).unwrap();
        let mut numbers: BTreeMap<usize, BTreeSet<(isize, isize)>> = BTreeMap::new();
        for from in size.points() {
            for p in size.points() {
                let (dx, dy) = (p.x() as isize - from.x() as isize, p.y() as isize - from.y() as isize);
                let number = Origin::new(from).to(p);
                assert!(number < DIFFERENCES, "{from} {p}");
                if dx.unsigned_abs() <= DISTINCT {
                    assert_eq!(number, difference(dx, dy), "{from} {p}");
                }
                numbers.entry(number).or_default().insert((dx, dy));
            }
        }
        let distinct = |&(dx, _): &(isize, isize)| dx.unsigned_abs() <= DISTINCT;
        assert!(numbers.values().all(|found| found.len() == 1 || !found.iter().any(distinct)));
        let near = numbers.values().filter(|found| found.iter().any(distinct)).count();
        assert_eq!(near, (2 * DISTINCT + 1) * (2 * MAX_SIZE - 1));
    }
}
