//! A random sample of the positions that a search evaluates, as training data: a net must judge positions
//! like these.

use std::sync::{Mutex, PoisonError};

use crate::game::Point;
use crate::random::{Random, RngExt, SeedableRng};

/// Draws lines to positions that a search evaluates, each with the same probability.
///
/// CITE: J. S. Vitter, "Random Sampling with a Reservoir", ACM Transactions on Mathematical Software 11 (1985), algorithm R.
#[derive(Debug)]
pub struct Leaves {
    most: usize,
    drawn: Mutex<Drawn>,
}

#[derive(Debug)]
struct Drawn {
    offered: usize,
    random: Random,
    lines: Vec<Vec<Point>>,
}

impl Leaves {
    /// Prepares to draw at most `most` lines. With one thread and one seed they are always the same.
    pub fn new(most: usize, seed: u64) -> Leaves {
        let drawn =
            Drawn { offered: 0, random: Random::seed_from_u64(seed), lines: Vec::with_capacity(most) };
        Leaves { most, drawn: Mutex::new(drawn) }
    }

    /// Offers a position by its line from the root of the search.
    pub(super) fn offer(&self, line: impl Iterator<Item = Point>) {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.offered += 1;
        if drawn.lines.len() < self.most {
            drawn.lines.push(line.collect());
            return;
        }
        let offered = drawn.offered;
        let place = drawn.random.random_range(0..offered);
        if let Some(old) = drawn.lines.get_mut(place) {
            *old = line.collect();
        }
    }

    /// Returns the lines drawn so far.
    pub fn lines(&self) -> Vec<Vec<Point>> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner).lines.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every position has the same chance, whether it comes early or late.
    #[test]
    fn all_positions_are_drawn_alike() {
        let mut counts = [0u32; 50];
        for seed in 0..2000 {
            let leaves = Leaves::new(5, seed);
            (0..50).for_each(|i| leaves.offer(std::iter::once(Point::from_index_unchecked(i))));
            let lines = leaves.lines();
            assert_eq!(lines.len(), 5);
            lines.iter().for_each(|line| counts[line[0].index()] += 1);
        }
        // Expected are 200 each, with a standard deviation of 13.4.
        assert!(counts.iter().all(|n| (140..=260).contains(n)), "{counts:?}");
    }
}
