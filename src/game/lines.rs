//! The stones of a board as lines: one 64-bit key for each row, column and diagonal.
//!
//! A key holds two bits a cell (00 empty, 01 Black, 10 White, 11 off the board) with five cells of margin at both ends,
//! so that the window around any point is one shift. This is all that shapes and fouls need.

use super::color::Color;
use super::point::{Direction, MAX_SIZE, POINTS, Point, Size};
use super::rule_kind::Five;
use super::shape::{ShapeTable, Shapes, Window};

/// Diagonals of the largest board: no direction has more lines.
pub(crate) const LINES: usize = 2 * MAX_SIZE - 1;
const MARGIN: usize = 5;

/// Line keys of a position.
#[derive(Clone, PartialEq, Eq)]
pub struct Lines {
    keys: [[u64; LINES]; 4],
}

/// Place of a point on its line of one direction: (number of the line, cell within the line).
#[inline(always)]
pub(crate) fn locate(p: Point, direction: usize) -> (usize, usize) {
    let (x, y) = (p.index() % 32, p.index() / 32);
    match direction {
        0 => (y, x),
        1 => (x, y),
        2 => (x + (MAX_SIZE - 1) - y, x),
        _ => (x + y, x),
    }
}

impl Lines {
    /// An empty board.
    pub fn new(size: Size) -> Lines {
        let mut lines = Lines { keys: [[u64::MAX; LINES]; 4] };
        for p in size.points() {
            for d in 0..4 {
                let (line, cell) = locate(p, d);
                lines.keys[d][line] ^= 3 << (2 * (cell + MARGIN));
            }
        }
        lines
    }

    /// Puts a stone on an empty point, or removes a stone of this colour.
    #[inline(always)]
    pub fn toggle(&mut self, p: Point, color: Color) {
        for d in 0..4 {
            self.toggle_one(p, color, d);
        }
    }

    /// [`Self::toggle`] for one direction; returns the new key and the point's cell in it.
    #[inline(always)]
    pub(crate) fn toggle_one(&mut self, p: Point, color: Color, direction: usize) -> (u64, usize) {
        let (line, cell) = locate(p, direction);
        let key = &mut self.keys[direction][line];
        *key ^= (1 + color as u64) << (2 * (cell + MARGIN));
        (*key, cell)
    }

    /// The window of 22 bits around `p`.
    #[inline(always)]
    pub(crate) fn window(&self, p: Point, direction: usize) -> u64 {
        let (line, cell) = locate(p, direction);
        self.keys[direction][line] >> (2 * cell)
    }

    /// The window around `p` with a further stone on `other`, an empty point of the same line.
    pub(crate) fn window_with(&self, p: Point, other: Point, color: Color, direction: Direction) -> u64 {
        let (_, cell) = locate(p, direction as usize);
        let (line, other) = locate(other, direction as usize);
        (self.keys[direction as usize][line] | (1 + color as u64) << (2 * (other + MARGIN))) >> (2 * cell)
    }

    /// Shapes that a stone on the empty point `p` would make.
    #[inline(always)]
    pub fn shapes(&self, p: Point, table: &ShapeTable) -> Shapes {
        let mut shapes = Shapes(0);
        for d in 0..4 {
            shapes = shapes.with(d, table.pair(self.window(p, d)));
        }
        shapes
    }

    /// The window around the empty point `p` from the view of `color`, with its stone there.
    pub(crate) fn window_with_stone(&self, p: Point, direction: Direction, color: Color) -> Window {
        let mut window = Window::from_bits(self.window(p, direction as usize) as u32, color);
        window.own |= 1 << MARGIN;
        window
    }

    /// Points that would extend the three which `color` makes by a stone on the empty point `p` into a straight four.
    pub(crate) fn extensions(&self, p: Point, direction: Direction, color: Color, five: Five) -> Extensions {
        let mut found = Extensions { points: [None; 2] };
        for (_, gap) in self.window_with_stone(p, direction, color).threes(five) {
            let offset = gap.trailing_zeros() as isize - MARGIN as isize;
            let index = p.index() as isize + offset * direction.step();
            debug_assert!((0..POINTS as isize).contains(&index));
            let e = Point::from_index_unchecked(index as usize);
            let slot = usize::from(found.points[0].is_some());
            found.points[slot] = Some(e);
        }
        found
    }
}

/// The one or two extension points of a three.
#[derive(Clone, Copy)]
pub(crate) struct Extensions {
    points: [Option<Point>; 2],
}

impl Extensions {
    pub fn iter(self) -> impl Iterator<Item = Point> {
        self.points.into_iter().flatten()
    }
}

/// Bits of the cells within `reach` of `cell` that are empty, the cell itself excluded. The bit of a cell is twice its
/// number: how far the key is to be shifted for the cell's window.
#[inline(always)]
pub(crate) fn empty_neighbours(key: u64, cell: usize, reach: usize) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let span = ((1u64 << (4 * reach + 2)) - 1) << (2 * (cell + MARGIN - reach));
    (!(key | key >> 1) & EVEN & span) >> (2 * MARGIN)
}
