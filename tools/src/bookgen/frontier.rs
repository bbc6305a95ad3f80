//! Decides which position comes next: best first by expected loss.
//!
//! The book serves an engine of either colour. As Black it meets the positions after its own book moves and after any
//! answers of White; the more White loses by those answers, the less they are to be expected. So a position has two costs,
//! one for each colour of the engine: the score lost by the opponent's moves and by the engine's own, plus [`STEP`] for
//! every move. The cheapest positions are judged first, in rounds of a fixed size. The order does not depend on the number
//! of threads, or on what was known before.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use super::after;
use kagetsu::book::{Entry, Key};
use kagetsu::game::{Color, Size};

/// Cost of a move in addition to the loss of its score.
pub const STEP: i32 = 15;
/// Beyond this score the game is decided, and the search needs no book.
const DECIDED: i16 = 600;
/// Positions of a round.
pub const ROUND: usize = 32;

/// A position on the way of an engine of this colour, at this cost.
type State = (i32, Key, Color);

/// The positions that are known and those that come next.
pub struct Frontier {
    size: Size,
    /// No position that costs more is judged.
    limit: i32,
    queue: BinaryHeap<Reverse<State>>,
    costs: HashMap<(Key, Color), i32>,
    entries: BTreeMap<Key, Entry>,
    /// States of the round that is being judged.
    waiting: Vec<State>,
}

impl Frontier {
    /// Begins with these positions, which cost nothing.
    pub fn new(size: Size, limit: i32, roots: impl IntoIterator<Item = Key>) -> Frontier {
        let mut frontier = Frontier {
            size,
            limit,
            queue: BinaryHeap::new(),
            costs: HashMap::new(),
            entries: BTreeMap::new(),
            waiting: Vec::new(),
        };
        for key in roots {
            for color in Color::BOTH {
                frontier.reach((0, key.clone(), color));
            }
        }
        frontier
    }

    /// Returns the entries found so far.
    pub fn entries(&self) -> &BTreeMap<Key, Entry> {
        &self.entries
    }

    /// Adds the entry of a position of the round.
    pub fn learn(&mut self, key: Key, entry: Entry) {
        self.entries.insert(key, entry);
    }

    /// The positions of the next round, `most` or fewer. All of the round before must have been learned.
    pub fn round(&mut self, most: usize) -> Vec<Key> {
        for state in std::mem::take(&mut self.waiting) {
            self.expand(state);
        }
        let mut round: Vec<Key> = Vec::new();
        while round.len() < most {
            let Some(Reverse(state)) = self.queue.pop() else { break };
            let (cost, key, color) = &state;
            if self.costs.get(&(key.clone(), *color)).is_some_and(|best| best < cost) {
                continue;
            }
            if self.entries.contains_key(key) {
                self.expand(state);
                continue;
            }
            if !round.contains(key) {
                round.push(key.clone());
            }
            self.waiting.push(state);
        }
        round
    }

    /// Reaches the positions after all the opponent's moves, and after the engine's agreed moves.
    fn expand(&mut self, (cost, key, color): State) {
        let Some(entry) = self.entries.get(&key) else { return };
        if entry.proven || entry.score.abs() >= DECIDED {
            return;
        }
        let own = key.side() == color;
        let moves = if own { entry.agreed() } else { entry.moves() };
        let position = key.position(self.size);
        let best = i32::from(entry.score);
        let reached: Vec<State> = moves
            .iter()
            .filter_map(|c| {
                let loss = (best - i32::from(c.score)).max(0);
                let next = Key::of(&after(&position, c.point)?).0;
                Some((cost.saturating_add(STEP).saturating_add(loss), next, color))
            })
            .collect();
        reached.into_iter().for_each(|state| self.reach(state));
    }

    fn reach(&mut self, state: State) {
        let (cost, key, color) = &state;
        // Most moves lead beyond the limit. Their positions need no memory.
        if *cost > self.limit {
            return;
        }
        let best = self.costs.entry((key.clone(), *color)).or_insert(i32::MAX);
        if cost < best {
            *best = *cost;
            self.queue.push(Reverse(state));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::book::Candidate;
    use kagetsu::game::{Point, Position};

    /// A judge for tests: every position has three moves in its lowest free row, one agreed, one that loses 10, one that
    /// loses 40.
    fn judge(key: &Key, size: Size) -> Entry {
        let position = key.position(size);
        let free = size.points().filter(|&p| position.is_free(p)).take(3);
        let moves = free.zip([(0, true), (-10, false), (-40, false)]);
        let moves = moves.map(|(point, (score, agreed))| Candidate { point, score, agreed }).collect();
        Entry::new(0, 1, false, 1, moves)
    }

    fn fill(frontier: &mut Frontier, size: Size, most: usize, positions: usize) {
        while frontier.entries().len() < positions {
            let round = frontier.round(most.min(positions - frontier.entries().len()));
            if round.is_empty() {
                break;
            }
            round.into_iter().for_each(|key| {
                let entry = judge(&key, size);
                frontier.learn(key, entry);
            });
        }
    }

    fn keys(frontier: &Frontier) -> Vec<Key> {
        frontier.entries().keys().cloned().collect()
    }

    fn key(size: Size, moves: &[(usize, usize)]) -> Key {
        let mut position = Position::new(size);
        for &(x, y) in moves {
            position.push(kagetsu::game::Move::Place(Point::new(x, y))).unwrap();
        }
        Key::of(&position).0
    }

    #[test]
    fn either_colour_follows_the_book_and_meets_everything() {
        let size = Size::new(7).unwrap();
        let mut frontier = Frontier::new(size, 2 * STEP + 50, [key(size, &[])]);
        fill(&mut frontier, size, 4, usize::MAX);
        // The position after each side's choice among its three moves.
        let reached = |choices: &[usize]| {
            let mut here = key(size, &[]);
            for &n in choices {
                let p = judge(&here, size).moves()[n].point;
                here = Key::of(&after(&here.position(size), p).unwrap()).0;
            }
            frontier.entries().contains_key(&here)
        };
        // As White the engine meets every move of Black and answers by its book; as Black it begins by its book.
        for choices in [&[0][..], &[1], &[2], &[1, 0], &[2, 0], &[0, 1], &[0, 2]] {
            assert!(reached(choices), "{choices:?}");
        }
        assert!(!reached(&[1, 2]), "both sides giving something away is nobody's game");
    }

    /// The content up to a cost is that of its parts, for any size of the rounds.
    #[test]
    fn parts_join_to_the_whole() {
        let size = Size::new(7).unwrap();
        let roots = [key(size, &[]), key(size, &[(3, 3)]), key(size, &[(3, 3), (3, 4)])];
        let filled = |roots: &[Key], most| {
            let mut frontier = Frontier::new(size, 100, roots.iter().cloned());
            fill(&mut frontier, size, most, usize::MAX);
            frontier.entries().clone()
        };
        let whole = filled(&roots, 32);
        assert!(whole.len() > 50, "{}", whole.len());
        assert_eq!(filled(&roots, 1), whole);
        let mut joined = filled(&roots[..1], 5);
        joined.extend(filled(&roots[1..], 7));
        assert_eq!(joined, whole);
    }

    #[test]
    fn positions_beyond_the_limit_are_not_kept() {
        let size = Size::new(7).unwrap();
        let mut frontier = Frontier::new(size, STEP - 1, [key(size, &[])]);
        fill(&mut frontier, size, 4, usize::MAX);
        let colors = Color::BOTH.len();
        assert_eq!((frontier.entries().len(), frontier.costs.len()), (1, colors), "every move costs a step");
    }

    #[test]
    fn cheaper_positions_come_first() {
        let size = Size::new(7).unwrap();
        let mut frontier = Frontier::new(size, i32::MAX, [key(size, &[])]);
        fill(&mut frontier, size, 1, 2);
        assert!(keys(&frontier).contains(&key(size, &[(0, 0)])), "the best move before the others");
        let before = keys(&frontier);
        fill(&mut frontier, size, 1, 40);
        assert_eq!(frontier.entries().len(), 40);
        assert!(before.iter().all(|k| frontier.entries().contains_key(k)));
    }

    #[test]
    fn decided_positions_are_not_followed() {
        let size = Size::new(7).unwrap();
        for entry in [
            Entry::new(DECIDED, 1, false, 1, judge(&key(size, &[]), size).moves().to_vec()),
            Entry::new(-29_990, 1, true, 1, judge(&key(size, &[]), size).moves().to_vec()),
        ] {
            let mut frontier = Frontier::new(size, i32::MAX, [key(size, &[])]);
            let round = frontier.round(9);
            frontier.learn(round[0].clone(), entry);
            assert!(frontier.round(9).is_empty());
        }
    }
}
