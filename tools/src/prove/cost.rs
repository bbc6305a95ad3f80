//! Costs of the positions of a search, in nodes of the solvers.
//!
//! A position took its own nodes and those of the positions to which the search went from it, also by replies
//! that a win found later covers. If it came to one from several positions, each of them has an equal share of
//! what that one took. So the nodes of the whole search add up at the position of the question, and one pass
//! through the moves finds what every position took. Counting a shared position whole for each of those above
//! it would need the set of the positions below every position, and time that grows nearly with the square of
//! the tree.

use std::cmp::Reverse;

use super::tree::{NodeId, Tree};

/// Returns what each position took, by [`NodeId::index`].
pub fn of_positions(tree: &Tree) -> Vec<u64> {
    let ids: Vec<NodeId> = tree.ids().collect();
    let ids = ids.as_slice();
    // A move adds a stone.
    let levels: Vec<usize> = ids.iter().map(|&id| tree.node(id).key.stones()).collect();
    let own = |i: usize| tree.node(ids[i]).nodes;
    let above = move |i: usize| tree.node(ids[i]).parents().iter().map(|id| id.index());
    totals(&levels, own, above).into_iter().map(|total| total.round() as u64).collect()
}

/// Returns for each point of a graph its own number and its shares of the totals of the points that it leads
/// to. `above` gives the points that lead to one; all of them are of lower levels.
fn totals<N: ExactSizeIterator<Item = usize>>(
    levels: &[usize],
    own: impl Fn(usize) -> u64,
    above: impl Fn(usize) -> N,
) -> Vec<f64> {
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by_key(|&i| Reverse(levels[i]));
    let mut totals: Vec<f64> = (0..levels.len()).map(|i| own(i) as f64).collect();
    for i in order {
        let points = above(i);
        let share = totals[i] / points.len() as f64;
        points.for_each(|point| totals[point] += share);
    }
    totals
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use kagetsu::game::{Color, Point, RuleKind, notation};
    use kagetsu::random::{Random, RngExt, SeedableRng};

    use super::super::Question;
    use super::super::fact::{Answer, Ask, Fact};
    use super::super::store::Store;
    use super::super::tree::Task;
    use super::*;

    #[test]
    fn a_position_that_two_lead_to_is_shared() {
        // The first leads to the second and third, both of these to the fourth, and the third to the fifth.
        let above: [&[usize]; 5] = [&[], &[0], &[0], &[1, 2], &[2]];
        let own = [1, 10, 100, 6, 1000];
        let found = totals(&[0, 1, 1, 2, 2], |i| own[i], |i| above[i].iter().copied());
        assert_eq!(found, [1117.0, 13.0, 1103.0, 6.0, 1000.0]);
    }

    /// If each position has a single one that leads to it, its total is the sum over all that lie below.
    #[test]
    fn of_a_tree_it_is_the_sum() {
        let mut random = Random::seed_from_u64(3);
        let mut above: Vec<Vec<usize>> = vec![Vec::new()];
        let mut next: Vec<Vec<usize>> = vec![Vec::new()];
        let mut levels = vec![0];
        for i in 1..500 {
            let parent = random.random_range(0..i);
            above.push(vec![parent]);
            next[parent].push(i);
            next.push(Vec::new());
            levels.push(levels[parent] + 1);
        }
        let own: Vec<u64> = (0..500).map(|_| random.random_range(0..1000)).collect();
        let found = totals(&levels, |i| own[i], |i| above[i].iter().copied());
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
    /// is followed once, however many ways lead to it.
    #[test]
    fn the_work_grows_with_the_edges() {
        const LEVELS: usize = 100_000;
        const WIDTH: usize = 3;
        let levels: Vec<usize> = (0..LEVELS * WIDTH).map(|i| i / WIDTH).collect();
        let steps = &Cell::new(0);
        let above = |i: usize| {
            let end = levels[i] * WIDTH;
            (end.saturating_sub(WIDTH)..end).inspect(move |_| {
                steps.set(steps.get() + 1);
                assert!(steps.get() <= (LEVELS - 1) * WIDTH * WIDTH, "more steps than one for each edge");
            })
        };
        let found = totals(&levels, |_| 1, above);
        // Every level shares all that lies below among its positions.
        for (i, &total) in found.iter().enumerate() {
            assert_eq!(total.round() as usize, LEVELS - levels[i], "{i}");
        }
    }

    /// The search has looked at a reply before it finds a win that covers all replies.
    #[test]
    fn replies_that_a_later_win_covers_have_taken_their_nodes() {
        let position = notation::parse("h8h9i9", None).unwrap();
        let question = Question { rule: RuleKind::Renju, position, attacker: Color::Black };
        let (mut tree, mut store) = (Tree::new(&question), Store::nameless(&question).unwrap());
        let root = tree.root();
        let free = tree.node(root).key.position(tree.size());
        let reply = tree.size().points().find(|&p| free.is_free(p)).unwrap();
        let open = |replies: Vec<Point>| Answer::Open { exhausted: false, replies };
        let mut learn = |tree: &mut Tree, task: &Task, answer, nodes| {
            let fact = Fact { answer, proof: None, nodes };
            let place = store.append(&tree.node(task.node).key.clone(), task.ask, &fact).unwrap();
            tree.learn(task, &fact, place);
        };
        let of_root = tree.select().unwrap();
        learn(&mut tree, &of_root, open(vec![reply]), 1);
        let of_reply = tree.select().unwrap();
        assert_ne!(of_reply.node, root);
        learn(&mut tree, &of_reply, open(Vec::new()), 20);
        let covered = Answer::Won { replies: Vec::new() };
        learn(&mut tree, &Task { node: root, ask: Ask::Win(2) }, covered, 300);
        assert!(tree.node(root).is_proven() && tree.node(root).edges.is_empty());
        assert_eq!(of_positions(&tree), [321, 20]);
    }
}
