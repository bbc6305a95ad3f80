//! Fixed-size containers of the tree: move lists and principal variations. Nothing here allocates during a search.

use crate::game::{MAX_SIZE, POINTS, Point, PointSet};

/// Deepest ply of the tree.
pub const MAX_PLY: usize = 128;

/// Number of points of the largest board.
const MOST_MOVES: usize = MAX_SIZE * MAX_SIZE;

/// Bits of an item of a move list that hold the point.
const POINT_BITS: u32 = POINTS.next_power_of_two().trailing_zeros();

/// Largest absolute score of a move list.
const MOST_SCORE: i32 = i32::MAX >> POINT_BITS;

/// Move list with scores.
pub struct MoveList {
    /// Score in the high bits, the complement of the point's index in the low ones: one comparison finds the highest
    /// score and, among equals, the first point in board order, so that results do not depend on the order of generation.
    items: [i32; MOST_MOVES],
    len: usize,
}

impl MoveList {
    /// Returns an empty list.
    pub fn new() -> MoveList {
        MoveList { items: [0; MOST_MOVES], len: 0 }
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Replaces all moves by these with their scores. Scores beyond [`MOST_SCORE`] count as that.
    #[inline]
    pub fn fill(&mut self, moves: impl ExactSizeIterator<Item = (Point, i32)>) {
        self.len = moves.len();
        for (item, (p, score)) in self.items[..self.len].iter_mut().zip(moves) {
            let score = score.clamp(-MOST_SCORE, MOST_SCORE);
            *item = score << POINT_BITS | (POINTS - 1 - p.index()) as i32;
        }
    }

    /// Removes all moves that are not on one of these points.
    pub fn keep(&mut self, points: &PointSet) {
        let mut kept = 0;
        for i in 0..self.len {
            let item = self.items[i];
            if point(item).is_some_and(|p| points.contains(p)) {
                self.items[kept] = item;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Removes the move with the highest score and returns it (selection sort: most nodes need few moves in order).
    #[inline]
    pub fn pop_best(&mut self) -> Option<(i32, Point)> {
        let list = &mut self.items[..self.len];
        list.first()?;
        // Two passes without branches are faster than one: both use vectors. No two items are the same.
        let best = list.iter().fold(i32::MIN, |best, &item| best.max(item));
        let at = (0u32..).zip(list.iter()).fold(0, |at, (i, &item)| at | if item == best { i } else { 0 });
        let at = at as usize;
        self.len -= 1;
        list[at] = list[self.len];
        Some((best >> POINT_BITS, point(best)?))
    }
}

/// The first quiet moves that a node tried; they get the history malus.
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

    #[test]
    fn moves_come_by_score_then_in_board_order() {
        let mut list = MoveList::new();
        let points = [(0, 0), (21, 0), (0, 21), (21, 21), (7, 7)].map(|(x, y)| Point::new(x, y));
        list.fill(points.into_iter().zip([-5, 3, i32::MIN, i32::MAX, 3]));
        let moves: Vec<(i32, Point)> = std::iter::from_fn(|| list.pop_best()).collect();
        let [low, first, least, most, second] = points;
        assert_eq!(moves, [(MOST_SCORE, most), (3, first), (3, second), (-5, low), (-MOST_SCORE, least)]);
    }
}
