//! Entries of the book: the moves of a position with their scores.

use std::cmp::Reverse;

use super::bytes::{Input, put, put_signed};
use super::key::{number, point};
use crate::game::symmetry::Symmetry;
use crate::game::{Point, Size};
use crate::random::{IndexedRandom, Random, SeedableRng};

/// Largest difference to the best move, in units of the search, at which a move is still agreed (played by the engine).
pub const MARGIN: i32 = 30;
/// A move stops being agreed if its score, or the best move's, comes out more than this below its earlier one.
pub const SURPRISE: i32 = 100;

/// A move of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The point.
    pub point: Point,
    /// Score from the view of the side to move, in units of the search.
    pub score: i16,
    /// Whether a verification search of the position after the move confirmed it. The engine plays only such moves; the
    /// others are expected of an opponent.
    pub agreed: bool,
}

/// The book's knowledge of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Score of the best move, from the view of the side to move.
    pub score: i16,
    /// Depth of the search that judged the position: the one with four times the nodes of the first, or the review if that
    /// proved the result.
    pub depth: u8,
    /// Whether the score is a proven win or loss.
    pub proven: bool,
    /// Nodes of the first search; verification searches and reviews had a multiple of them.
    pub nodes: u64,
    /// The moves: confirmed ones first, better ones before others.
    moves: Vec<Candidate>,
}

/// Largest absolute score, in units of the search.
const LARGEST: u16 = 30_000;
/// The largest [`Entry::nodes`] that a file may hold.
const MOST_NODES: u64 = 1 << 48;

impl Entry {
    /// Creates an entry and puts its moves in order.
    pub fn new(score: i16, depth: u8, proven: bool, nodes: u64, mut moves: Vec<Candidate>) -> Entry {
        moves.sort_by_key(|c| (!c.agreed, Reverse(c.score), c.point));
        Entry { score, depth, proven, nodes, moves }
    }

    /// All moves.
    pub fn moves(&self) -> &[Candidate] {
        &self.moves
    }

    /// Returns the confirmed moves, which the engine may play.
    pub fn agreed(&self) -> &[Candidate] {
        &self.moves[..self.moves.iter().take_while(|c| c.agreed).count()]
    }

    /// Chooses at random, by `seed`, among the confirmed moves for which `admits` holds and that are at most `margin`
    /// worse than the best of them. Better moves are likelier.
    pub fn choose(&self, margin: i32, seed: u64, admits: impl Fn(Point) -> bool) -> Option<Candidate> {
        let open: Vec<Candidate> = self.agreed().iter().copied().filter(|c| admits(c.point)).collect();
        let first = open.first()?;
        let weight =
            |c: &Candidate| (margin + 1 - (i32::from(first.score) - i32::from(c.score))).max(0) as u32;
        Some(*open.choose_weighted(&mut Random::seed_from_u64(seed), weight).unwrap_or(first))
    }

    /// Returns the entry of the position's image.
    pub fn image(&self, symmetry: Symmetry, size: Size) -> Entry {
        let moves = self.moves.iter().map(|c| Candidate { point: symmetry.apply(c.point, size), ..*c });
        Entry { moves: moves.collect(), ..*self }
    }

    pub(super) fn encode(&self, size: Size, out: &mut Vec<u8>) {
        put(out, self.nodes);
        put(out, u64::from(self.depth) << 1 | u64::from(self.proven));
        put_signed(out, self.score.into());
        put(out, self.moves.len() as u64);
        for c in &self.moves {
            put(out, (number(c.point, size) << 1 | usize::from(c.agreed)) as u64);
            put_signed(out, i64::from(self.score) - i64::from(c.score));
        }
    }

    pub(super) fn decode(input: &mut Input<'_>, size: Size) -> Result<Entry, String> {
        let area = size.area() as u64;
        let nodes = input.below(MOST_NODES)?;
        let flags = input.below(1 << 9)?;
        let score = input.signed()?;
        let known = |n: &i16| n.unsigned_abs() <= LARGEST;
        let narrow = |n: i32| i16::try_from(n).ok().filter(known).ok_or_else(|| format!("{n}: no score"));
        let count = input.below(area + 1)?;
        let mut moves = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let place = input.below(2 * area)?;
            let loss = input.signed()?;
            let score = narrow(score - loss)?;
            moves.push(Candidate { point: point(place >> 1, size), score, agreed: place & 1 == 1 });
        }
        Ok(Entry::new(narrow(score)?, (flags >> 1) as u8, flags & 1 == 1, nodes, moves))
    }

    /// Bytes of memory besides the value itself.
    pub(super) fn memory(&self) -> usize {
        self.moves.capacity() * size_of::<Candidate>()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn candidate(x: usize, score: i16, agreed: bool) -> Candidate {
        Candidate { point: Point::new(x, 3), score, agreed }
    }

    fn entry() -> Entry {
        let moves = vec![candidate(9, 500, false), candidate(1, 20, true), candidate(0, -7, true)];
        Entry::new(20, 14, false, 8000, moves)
    }

    #[test]
    fn bytes_come_back() {
        let moves = vec![candidate(0, -29_990, true), candidate(1, 30_000, false)];
        let lost = Entry::new(-29_990, 255, true, 1, moves);
        for entry in [entry(), lost, Entry::new(0, 0, false, 0, Vec::new())] {
            let mut bytes = Vec::new();
            entry.encode(Size::S15, &mut bytes);
            let mut input = Input(&bytes);
            assert_eq!(Entry::decode(&mut input, Size::S15), Ok(entry));
            assert!(input.0.is_empty());
        }
    }

    #[test]
    fn scores_beyond_the_largest_are_refused() {
        for score in [-30_001, i16::MIN, 30_001] {
            let mut bytes = Vec::new();
            Entry::new(score, 1, false, 1, Vec::new()).encode(Size::S15, &mut bytes);
            assert_eq!(Entry::decode(&mut Input(&bytes), Size::S15), Err(format!("{score}: no score")));
        }
    }

    #[test]
    fn moves_to_play_come_first() {
        let points = |moves: &[Candidate]| moves.iter().map(|c| c.point.x()).collect::<Vec<_>>();
        assert_eq!(points(entry().moves()), [1, 0, 9]);
        assert_eq!(points(entry().agreed()), [1, 0]);
    }

    #[test]
    fn images_turn_the_moves() {
        let turned = entry().image(Symmetry::ROTATE_HALF, Size::S15);
        assert_eq!(turned.moves()[0].point, Point::new(13, 11));
        assert_eq!(turned.image(Symmetry::ROTATE_HALF, Size::S15), entry());
    }

    /// Returns how often each of the two moves is chosen with a thousand seeds.
    fn chosen(margin: i32) -> [usize; 2] {
        let count = |x| {
            let pick = |seed| entry().choose(margin, seed, |_| true).unwrap().point.x();
            (0..1000).filter(|&seed| pick(seed) == x).count()
        };
        [count(1), count(0)]
    }

    #[test]
    fn choices_stay_within_the_margin() {
        assert_eq!(chosen(0), [1000, 0]);
        assert_eq!(chosen(26), [1000, 0], "one unit too far");
        // Weights 54 and 27 of 81: the expected count is 667, and five standard deviations are 75.
        let [best, other] = chosen(53);
        assert!(best.abs_diff(667) < 75 && best + other == 1000, "{best}");
        let admits = |p: Point| p.x() != 1;
        assert_eq!(entry().choose(0, 1, admits).unwrap().point.x(), 0, "what is excluded does not count");
        assert_eq!(entry().choose(99, 1, |p| p.x() == 9), None, "never a move that was not agreed to");
    }
}
