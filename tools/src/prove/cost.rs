//! Costs of the positions of a search, in nodes of the solvers.
//!
//! A position took its own nodes and those of the positions below it. If several positions lead to one, each
//! of them has an equal share of what it took. So the nodes of the whole search add up at the position of the
//! question, and one pass through the moves finds what every position took. Counting a shared position whole
//! for each of those above it would need the set of the positions below every position, and time that grows
//! nearly with the square of the tree.

use std::cmp::Reverse;

use super::tree::{NodeId, Tree};

/// Returns what each position took, by [`NodeId::index`].
pub fn of_positions(tree: &Tree) -> Vec<u64> {
    let ids: Vec<NodeId> = tree.ids().collect();
    let ids = ids.as_slice();
    // A move adds a stone.
    let levels: Vec<usize> = ids.iter().map(|&id| tree.node(id).key.stones()).collect();
    let own = |i: usize| tree.node(ids[i]).nodes;
    let next = move |i: usize| tree.node(ids[i]).edges.iter().filter_map(|edge| edge.node).map(NodeId::index);
    totals(&levels, own, next).into_iter().map(|total| total.round() as u64).collect()
}

/// Returns for each point of a graph its own number and its shares of the totals of the points that its edges
/// lead to. All edges lead to a higher level.
fn totals<N: Iterator<Item = usize>>(
    levels: &[usize],
    own: impl Fn(usize) -> u64,
    next: impl Fn(usize) -> N,
) -> Vec<f64> {
    let mut above = vec![0_u32; levels.len()];
    for i in 0..levels.len() {
        next(i).for_each(|below| above[below] += 1);
    }
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by_key(|&i| Reverse(levels[i]));
    let mut totals = vec![0.0; levels.len()];
    for i in order {
        let shares: f64 = next(i).map(|below| totals[below] / f64::from(above[below])).sum();
        totals[i] = own(i) as f64 + shares;
    }
    totals
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use kagetsu::random::{Random, RngExt, SeedableRng};

    use super::*;

    #[test]
    fn a_position_that_two_lead_to_is_shared() {
        // The first leads to the second and third, both of these to the fourth, and the third to the fifth.
        let next: [&[usize]; 5] = [&[1, 2], &[3], &[3, 4], &[], &[]];
        let own = [1, 10, 100, 6, 1000];
        let found = totals(&[0, 1, 1, 2, 2], |i| own[i], |i| next[i].iter().copied());
        assert_eq!(found, [1117.0, 13.0, 1103.0, 6.0, 1000.0]);
    }

    /// If each position has a single one that leads to it, its total is the sum over all that lie below.
    #[test]
    fn of_a_tree_it_is_the_sum() {
        let mut random = Random::seed_from_u64(3);
        let mut next: Vec<Vec<usize>> = vec![Vec::new()];
        let mut levels = vec![0];
        for i in 1..500 {
            let parent = random.random_range(0..i);
            next[parent].push(i);
            next.push(Vec::new());
            levels.push(levels[parent] + 1);
        }
        let own: Vec<u64> = (0..500).map(|_| random.random_range(0..1000)).collect();
        let found = totals(&levels, |i| own[i], |i| next[i].iter().copied());
        for (i, &total) in found.iter().enumerate() {
            let (mut todo, mut sum) = (vec![i], 0);
            while let Some(i) = todo.pop() {
                sum += own[i];
                todo.extend(&next[i]);
            }
            assert_eq!(total, sum as f64, "{i}");
        }
    }

    /// A hundred thousand levels of three positions, each of which leads to all of the next level: every edge
    /// is followed twice, however many ways lead to it.
    #[test]
    fn the_work_grows_with_the_edges() {
        const LEVELS: usize = 100_000;
        const WIDTH: usize = 3;
        let levels: Vec<usize> = (0..LEVELS * WIDTH).map(|i| i / WIDTH).collect();
        let steps = &Cell::new(0);
        let next = |i: usize| {
            let first = (levels[i] + 1) * WIDTH;
            (first..(first + WIDTH).min(LEVELS * WIDTH)).inspect(move |_| {
                steps.set(steps.get() + 1);
                assert!(steps.get() <= 2 * (LEVELS - 1) * WIDTH * WIDTH, "more steps than two for each edge");
            })
        };
        let found = totals(&levels, |_| 1, next);
        // Every level shares all that lies below among its positions.
        for (i, &total) in found.iter().enumerate() {
            assert_eq!(total.round() as usize, LEVELS - levels[i], "{i}");
        }
    }
}
