//! Symmetric fifth moves: points that count as one when Black offers fifth stones.
//!
//! Two points are symmetric if a symmetry of the lattice leads from one to the other and leaves the pattern of the four
//! stones as it is, colours kept. The pattern alone counts and the board's edges do not, so its centre may lie between
//! points: after h8 h9 h7 h6 the points g8, g7, i8 and i7 are one.

use crate::game::point::{Point, PointSet, Size};
use crate::game::position::Position;

/// Linear parts of the lattice's symmetries: the images of a step right and of a step up.
const LINEAR: [[(i32, i32); 2]; 8] = [
    [(1, 0), (0, 1)],
    [(0, 1), (-1, 0)],
    [(-1, 0), (0, -1)],
    [(0, -1), (1, 0)],
    [(-1, 0), (0, 1)],
    [(1, 0), (0, -1)],
    [(0, 1), (1, 0)],
    [(0, -1), (-1, 0)],
];

/// A symmetry of the lattice: a linear part, then a shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Isometry {
    linear: [(i32, i32); 2],
    shift: (i32, i32),
}

impl Isometry {
    /// Returns the symmetry with this linear part that maps `from` to `to`.
    fn between(linear: [(i32, i32); 2], from: Point, to: Point) -> Isometry {
        let (x, y) = Isometry { linear, shift: (0, 0) }.image(from);
        Isometry { linear, shift: (to.x() as i32 - x, to.y() as i32 - y) }
    }

    /// Returns the image of a point, possibly off the board.
    fn image(&self, p: Point) -> (i32, i32) {
        let [right, up] = self.linear;
        let (x, y) = (p.x() as i32, p.y() as i32);
        (right.0 * x + up.0 * y + self.shift.0, right.1 * x + up.1 * y + self.shift.1)
    }

    /// Returns whether the symmetry maps two points to themselves or to each other.
    fn keeps(&self, pair: [Point; 2]) -> bool {
        let images = pair.map(|p| self.image(p));
        let [a, b] = pair.map(coordinates);
        images == [a, b] || images == [b, a]
    }
}

fn coordinates(p: Point) -> (i32, i32) {
    (p.x() as i32, p.y() as i32)
}

/// The symmetries of four stones, at most four with the identity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern(Vec<Isometry>);

impl Pattern {
    /// The symmetries of the stones 1 to 4, in the order they were played: the first and third are Black's.
    pub fn of(stones: [Point; 4]) -> Pattern {
        let [first, second, third, fourth] = stones;
        let mut found = Vec::with_capacity(4);
        for linear in LINEAR {
            for to in [first, third] {
                let isometry = Isometry::between(linear, first, to);
                if isometry.keeps([first, third]) && isometry.keeps([second, fourth]) {
                    found.push(isometry);
                }
            }
        }
        Pattern(found)
    }

    /// The symmetries of a position of four moves, all of them stones.
    pub fn of_position(position: &Position) -> Option<Pattern> {
        let [a, b, c, d] = position.moves() else { return None };
        position.setup().is_empty().then_some(())?;
        Some(Pattern::of([a.point()?, b.point()?, c.point()?, d.point()?]))
    }

    /// Returns whether two points count as one fifth move. A point is symmetric to itself.
    pub fn are_symmetric(&self, p: Point, q: Point) -> bool {
        self.0.iter().any(|isometry| isometry.image(p) == coordinates(q))
    }

    /// Returns these points without those that count as the same fifth move as an earlier one.
    pub fn distinct(&self, points: &[Point]) -> Vec<Point> {
        let mut kept: Vec<Point> = Vec::with_capacity(points.len());
        for &p in points {
            if !kept.iter().any(|&q| self.are_symmetric(q, p)) {
                kept.push(p);
            }
        }
        kept
    }

    /// The points of a board that count as the same fifth move as `p`, itself included.
    pub fn class(&self, p: Point, size: Size) -> PointSet {
        let on_board = |(x, y): (i32, i32)| {
            let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
            size.contains(x, y).then(|| Point::new(x, y))
        };
        self.0.iter().filter_map(|isometry| on_board(isometry.image(p))).collect()
    }
}

/// Returns the smallest number of different fifth moves on a board of this size, whatever the four stones are: at most
/// four of its other points are symmetric to each other.
pub fn fewest(size: Size) -> usize {
    (size.area() - 4).div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::parse;

    fn pattern(moves: &str) -> Pattern {
        Pattern::of_position(&parse(moves, None).unwrap()).unwrap()
    }

    fn class(moves: &str, point: &str) -> String {
        let p = crate::game::notation::parse_point(point, Size::S15).unwrap();
        pattern(moves).class(p, Size::S15).iter().map(|p| p.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The example of A. Meritee, of 27 April 2008: the pattern's centre is not the board's.
    #[test]
    fn the_pattern_counts_and_not_the_board() {
        for p in ["g8", "g7", "i8", "i7"] {
            assert_eq!(class("h8h9h7h6", p), "g7 i7 g8 i8", "{p}");
        }
        assert_eq!(class("h8h9h7h6", "h10"), "h5 h10");
        // The image of h15 in the centre of the pattern is h0.
        assert_eq!(class("h8h9h7h6", "h15"), "h15");
    }

    #[test]
    fn one_axis_and_half_turns() {
        // Only the column is an axis.
        assert_eq!(class("h8h9h7h10", "g8"), "g8 i8");
        // Black h8 and i9, White h9 and i8: both diagonals are axes, no quarter turn keeps the colours apart.
        assert_eq!(class("h8h9i9i8", "g9"), "i7 j8 g9 h10");
        // Only a half turn about h8.5 maps White's stones to each other, and Black's too.
        assert_eq!(class("h8g8h9i9", "j8"), "j8 f9");
        // No symmetry at all.
        assert_eq!(class("h8h9i10g5", "j8"), "j8");
    }

    #[test]
    fn axes_of_other_slopes_do_not_count() {
        // Black's stones are a knight's move apart; their perpendicular bisector is not an axis of the lattice.
        let knights = pattern("h8h9i10i9");
        let half_turn = |p: Point| Point::new(15 - p.x(), 16 - p.y());
        for p in Size::S15.points().filter(|p| p.x() > 0 && p.y() > 1) {
            let expected = PointSet::from_iter([p, half_turn(p)]);
            assert_eq!(knights.class(p, Size::S15), expected, "{p}");
        }
    }
}
