//! Fixed-size containers of the tree: move lists and principal variations. Nothing here allocates during a search.

use crate::game::{MAX_SIZE, POINTS, Point};

/// Deepest ply of the tree.
pub const MAX_PLY: usize = 128;

/// Number of points of the largest board.
const MOST_MOVES: usize = MAX_SIZE * MAX_SIZE;

/// Bits of an item of a move list that hold the point.
const POINT_BITS: u32 = POINTS.next_power_of_two().trailing_zeros();

/// Largest absolute score of a move list.
const MOST_SCORE: i32 = i32::MAX >> POINT_BITS;

/// Items of a block of a move list.
const BLOCK: usize = 16;

/// Most blocks of a move list.
const MOST_BLOCKS: usize = MOST_MOVES.div_ceil(BLOCK);

/// An empty place of a move list. It is below every item.
const NONE: i32 = i32::MIN;

/// Move list with scores.
pub struct MoveList {
    /// Score in the high bits, the complement of the point's index in the low ones: one comparison finds the highest
    /// score and, among equals, the first point in board order, so that results do not depend on the order of generation.
    items: [[i32; BLOCK]; MOST_BLOCKS],
    /// The highest item of each block, so that a search for the best move reads these and one block.
    best: [i32; MOST_BLOCKS],
    /// Number of blocks in use.
    blocks: usize,
    /// Number of places that [`MoveList::keep_first`] keeps.
    first: usize,
}

impl MoveList {
    /// Returns an empty list.
    pub fn new() -> MoveList {
        MoveList { items: [[NONE; BLOCK]; MOST_BLOCKS], best: [NONE; MOST_BLOCKS], blocks: 0, first: 0 }
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.blocks = 0;
    }

    /// Replaces all moves by these with their scores. Scores beyond [`MOST_SCORE`] count as that. The `first` ones are those
    /// that [`MoveList::keep_first`] keeps.
    #[inline]
    pub fn fill(&mut self, moves: impl ExactSizeIterator<Item = (Point, i32)>, first: usize) {
        let len = moves.len();
        self.first = first;
        self.blocks = len.div_ceil(BLOCK);
        let items = self.items[..self.blocks].as_flattened_mut();
        for (item, (p, score)) in items.iter_mut().zip(moves) {
            let score = score.clamp(-MOST_SCORE, MOST_SCORE);
            *item = score << POINT_BITS | (POINTS - 1 - p.index()) as i32;
        }
        items[len..].fill(NONE);
        for (best, block) in self.best.iter_mut().zip(&self.items[..self.blocks]) {
            *best = highest(block);
        }
    }

    /// Removes all moves but those of the first ones that are still there.
    pub fn keep_first(&mut self) {
        self.blocks = self.first.div_ceil(BLOCK);
        if let Some(block) = self.items[..self.blocks].last_mut() {
            block[self.first - (self.blocks - 1) * BLOCK..].fill(NONE);
            self.best[self.blocks - 1] = highest(block);
        }
    }

    /// Removes the move with the highest score and returns it (selection sort: most nodes need few moves in order).
    #[inline]
    pub fn pop_best(&mut self) -> Option<(i32, Point)> {
        // Loops without branches, which compilers vectorise. All items differ, so one block alone holds the best.
        let list = &self.best[..self.blocks];
        let best = list.iter().fold(NONE, |best, &item| best.max(item));
        if best == NONE {
            return None;
        }
        let at = (0u32..).zip(list).fold(0, |at, (i, &item)| at | if item == best { i } else { 0 }) as usize;
        let block = &mut self.items[at];
        for item in block.iter_mut() {
            *item = if *item == best { NONE } else { *item };
        }
        self.best[at] = highest(block);
        Some((best >> POINT_BITS, point(best)?))
    }
}

/// Returns the highest item of a block.
#[inline(always)]
fn highest(block: &[i32; BLOCK]) -> i32 {
    block.iter().fold(NONE, |best, &item| best.max(item))
}

/// The first moves that a node tried; they get the history malus.
pub struct Tried {
    points: [Option<Point>; 16],
    len: usize,
}

impl Tried {
    /// Returns an empty list.
    pub fn new() -> Tried {
        Tried { points: [None; 16], len: 0 }
    }

    /// Adds a move; those beyond the first sixteen are ignored.
    #[inline]
    pub fn push(&mut self, p: Point) {
        if let Some(place) = self.points.get_mut(self.len) {
            *place = Some(p);
            self.len += 1;
        }
    }

    /// Returns the moves in the order in which they were tried.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.points[..self.len].iter().flatten().copied()
    }
}

/// Returns the point of an item.
#[inline(always)]
fn point(item: i32) -> Option<Point> {
    Point::from_index(POINTS - 1 - (item & ((1 << POINT_BITS) - 1)) as usize)
}

/// Principal variation of every ply (triangular table), filled from the leaves up.
pub struct PvTable {
    lines: Box<[[Option<Point>; MAX_PLY]; MAX_PLY + 1]>,
}

impl PvTable {
    /// Returns empty lines.
    pub fn new() -> PvTable {
        PvTable { lines: Box::new([[None; MAX_PLY]; MAX_PLY + 1]) }
    }

    /// Empties the line of a ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply][0] = None;
    }

    /// Sets the line of a ply to this move followed by the line of the next ply.
    pub fn extend(&mut self, ply: usize, p: Point) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply][0] = Some(p);
        let n = MAX_PLY - 1;
        head[ply][1..].copy_from_slice(&tail[0][..n]);
    }

    /// Returns the line of the root.
    pub fn root(&self) -> impl Iterator<Item = Point> {
        self.lines[0].iter().map_while(|&p| p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Size;
    use crate::random::{Random, RngExt, SeedableRng, SliceRandom};

    #[test]
    fn moves_come_by_score_then_in_board_order() {
        let mut list = MoveList::new();
        let points = [(0, 0), (21, 0), (0, 21), (21, 21), (7, 7)].map(|(x, y)| Point::new(x, y));
        list.fill(points.into_iter().zip([-5, 3, i32::MIN, i32::MAX, 3]), 0);
        let moves: Vec<(i32, Point)> = std::iter::from_fn(|| list.pop_best()).collect();
        let [low, first, least, most, second] = points;
        assert_eq!(moves, [(MOST_SCORE, most), (3, first), (3, second), (-5, low), (-MOST_SCORE, least)]);
    }

    /// Lists of every length, each in an order of its own, with and without the moves after the first ones.
    #[test]
    fn the_first_moves_are_kept() {
        let mut random = Random::seed_from_u64(3);
        let points: Vec<Point> = Size::new(MAX_SIZE).unwrap().points().collect();
        let mut list = MoveList::new();
        for len in 0..=points.len() {
            let mut moves: Vec<(Point, i32)> =
                points.iter().map(|&p| (p, random.random_range(-20..20))).collect();
            moves.shuffle(&mut random);
            moves.truncate(len);
            let first = random.random_range(0..=len);
            let popped = random.random_range(0..=len.min(5));
            list.fill(moves.iter().copied(), first);
            let mut expected = moves.clone();
            expected.sort_by_key(|&(p, score)| (std::cmp::Reverse(score), p.index()));
            for &(p, score) in &expected[..popped] {
                assert_eq!(list.pop_best(), Some((score, p)));
            }
            let kept = |m: &&(Point, i32)| moves[..first].contains(m);
            let left: Vec<(i32, Point)> =
                expected[popped..].iter().filter(kept).map(|&(p, s)| (s, p)).collect();
            list.keep_first();
            assert_eq!(std::iter::from_fn(|| list.pop_best()).collect::<Vec<_>>(), left);
            assert_eq!(list.pop_best(), None);
        }
    }
}
