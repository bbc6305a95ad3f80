//! Small fixed-size containers of the tree: move lists and principal variations. Nothing here allocates.

use crate::game::{MAX_SIZE, POINTS, Point, PointSet};

/// Deepest ply of the tree.
pub const MAX_PLY: usize = 128;

/// Points of the largest board.
const MOST_MOVES: usize = MAX_SIZE * MAX_SIZE;

/// A list of moves with scores.
pub struct MoveList {
    /// Score in the high half, the complement of the point's index in the low half: one comparison finds the highest
    /// score and, among equals, the first point in board order, so that results do not depend on the order of generation.
    items: [i64; MOST_MOVES],
    len: usize,
}

impl MoveList {
    /// An empty list.
    pub fn new() -> MoveList {
        MoveList { items: [0; MOST_MOVES], len: 0 }
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, p: Point, score: i32) {
        self.items[self.len] = i64::from(score) << 32 | (POINTS - 1 - p.index()) as i64;
        self.len += 1;
    }

    /// Drops all moves that are not on one of these points.
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

    /// Takes the move with the highest score.
    #[inline]
    pub fn pop_best(&mut self) -> Option<(i32, Point)> {
        let list = &mut self.items[..self.len];
        let (mut at, mut best) = (0, *list.first()?);
        for (i, &item) in list.iter().enumerate() {
            if item > best {
                (at, best) = (i, item);
            }
        }
        self.len -= 1;
        list[at] = list[self.len];
        Some(((best >> 32) as i32, point(best)?))
    }
}

/// The first quiet moves that a node tried.
pub struct Tried {
    points: [Option<Point>; 16],
    len: usize,
}

impl Tried {
    /// None yet.
    pub fn new() -> Tried {
        Tried { points: [None; 16], len: 0 }
    }

    /// Notes a move; those beyond the first sixteen are forgotten.
    #[inline]
    pub fn push(&mut self, p: Point) {
        if let Some(place) = self.points.get_mut(self.len) {
            *place = Some(p);
            self.len += 1;
        }
    }

    /// The moves, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.points[..self.len].iter().flatten().copied()
    }
}

/// The point of an item.
#[inline(always)]
fn point(item: i64) -> Option<Point> {
    Point::from_index(POINTS - 1 - (item & 0xffff_ffff) as usize)
}

/// Principal variations of every ply, filled from the leaves up.
pub struct PvTable {
    lines: Box<[[Option<Point>; MAX_PLY]; MAX_PLY + 1]>,
}

impl PvTable {
    /// All empty.
    pub fn new() -> PvTable {
        PvTable { lines: Box::new([[None; MAX_PLY]; MAX_PLY + 1]) }
    }

    /// Forgets the line of a ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply][0] = None;
    }

    /// Makes the line of a ply this move followed by the line of the next.
    pub fn extend(&mut self, ply: usize, p: Point) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply][0] = Some(p);
        let n = MAX_PLY - 1;
        head[ply][1..].copy_from_slice(&tail[0][..n]);
    }

    /// The line of the root.
    pub fn root(&self) -> impl Iterator<Item = Point> {
        self.lines[0].iter().map_while(|&p| p)
    }
}
