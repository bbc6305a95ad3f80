//! The eight symmetries of the square board, and canonical positions.
//!
//! Positions that a symmetry maps to each other are equal to the rules, so a table of positions stores one of them: the
//! [`Canonical`] one, whose Zobrist key is the smallest of the eight. [`stabilizer`] gives the symmetries that leave a
//! position unchanged: moves that they map to each other are equivalent.

use std::fmt;

use super::color::Color;
use super::point::{Point, PointSet, Size};
use super::position::{Move, Position};
use super::zobrist;

/// A symmetry: an optional exchange of columns and rows, then optional reflections of both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

const TRANSPOSE: u8 = 1;
const FLIP_X: u8 = 2;
const FLIP_Y: u8 = 4;

impl Symmetry {
    /// The identity.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// A quarter turn counter-clockwise.
    pub const ROTATE_LEFT: Symmetry = Symmetry(TRANSPOSE | FLIP_X);
    /// A half turn.
    pub const ROTATE_HALF: Symmetry = Symmetry(FLIP_X | FLIP_Y);
    /// A quarter turn clockwise.
    pub const ROTATE_RIGHT: Symmetry = Symmetry(TRANSPOSE | FLIP_Y);
    /// Left and right exchanged.
    pub const MIRROR_COLUMNS: Symmetry = Symmetry(FLIP_X);
    /// Top and bottom exchanged.
    pub const MIRROR_ROWS: Symmetry = Symmetry(FLIP_Y);
    /// Reflection in the diagonal from a1: columns and rows exchanged.
    pub const MIRROR_RISING: Symmetry = Symmetry(TRANSPOSE);
    /// Reflection in the diagonal from the top left.
    pub const MIRROR_FALLING: Symmetry = Symmetry(TRANSPOSE | FLIP_X | FLIP_Y);

    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::IDENTITY,
        Symmetry::ROTATE_LEFT,
        Symmetry::ROTATE_HALF,
        Symmetry::ROTATE_RIGHT,
        Symmetry::MIRROR_COLUMNS,
        Symmetry::MIRROR_ROWS,
        Symmetry::MIRROR_RISING,
        Symmetry::MIRROR_FALLING,
    ];

    /// Returns the image of the point `p` of a board of this size.
    ///
    /// # Panics
    /// With overflow checks, if `p` is beyond the edge.
    pub const fn apply(self, p: Point, size: Size) -> Point {
        let last = size.side() - 1;
        let (mut x, mut y) = (p.x(), p.y());
        if self.0 & TRANSPOSE != 0 {
            (x, y) = (y, x);
        }
        if self.0 & FLIP_X != 0 {
            x = last - x;
        }
        if self.0 & FLIP_Y != 0 {
            y = last - y;
        }
        Point::new(x, y)
    }

    /// Returns the inverse symmetry.
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::ROTATE_LEFT => Symmetry::ROTATE_RIGHT,
            Symmetry::ROTATE_RIGHT => Symmetry::ROTATE_LEFT,
            own => own,
        }
    }

    /// Returns this symmetry followed by `next`.
    pub const fn then(self, next: Symmetry) -> Symmetry {
        // The later symmetry is applied after the earlier reflections, so its exchange swaps their axes.
        let mut flips = self.0 & (FLIP_X | FLIP_Y);
        if next.0 & TRANSPOSE != 0 {
            flips = (flips & FLIP_X) << 1 | (flips & FLIP_Y) >> 1;
        }
        Symmetry((self.0 & TRANSPOSE | flips) ^ next.0)
    }

    /// The image of a set of points.
    pub fn apply_set(self, set: &PointSet, size: Size) -> PointSet {
        set.iter().map(|p| self.apply(p, size)).collect()
    }

    /// The image of a position, setup stones and moves.
    pub fn apply_position(self, position: &Position) -> Position {
        let size = position.size();
        let setup = position.setup().iter().map(|&(p, color)| (self.apply(p, size), color));
        let mut image = Position::from_stones(size, setup, position.first())
            .expect("a symmetry keeps points on the board and apart");
        for &m in position.moves() {
            let m = m.point().map_or(Move::Pass, |p| Move::Place(self.apply(p, size)));
            image.push(m).expect("a symmetry keeps points on the board and apart");
        }
        image
    }
}

impl fmt::Debug for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Symmetry::IDENTITY => "identity",
            Symmetry::ROTATE_LEFT => "rotate left",
            Symmetry::ROTATE_HALF => "rotate half",
            Symmetry::ROTATE_RIGHT => "rotate right",
            Symmetry::MIRROR_COLUMNS => "mirror columns",
            Symmetry::MIRROR_ROWS => "mirror rows",
            Symmetry::MIRROR_RISING => "mirror rising",
            _ => "mirror falling",
        })
    }
}

/// The canonical form of a position among its eight images. The size of the board is not part of it: two positions on
/// boards of different sizes may have the same key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical {
    /// The Zobrist key of the canonical image: equal for all positions that symmetries turn into each other.
    pub key: u64,
    /// The first symmetry that maps the position to its canonical image.
    pub symmetry: Symmetry,
}

impl Canonical {
    /// The canonical form of stones with `side` to move.
    pub fn of(stones: impl IntoIterator<Item = (Point, Color)>, side: Color, size: Size) -> Canonical {
        let keys = image_keys(stones, side, size);
        let mut best = Canonical { key: keys[0], symmetry: Symmetry::ALL[0] };
        for (key, symmetry) in keys.into_iter().zip(Symmetry::ALL) {
            if key < best.key {
                best = Canonical { key, symmetry };
            }
        }
        best
    }

    /// Returns the canonical form of a position, whatever the order of its stones.
    pub fn of_position(position: &Position) -> Canonical {
        Canonical::of(position.stones(), position.side(), position.size())
    }
}

/// The Zobrist keys of a position's images, in the order of [`Symmetry::ALL`]: of stones and side alone, unlike that of a
/// board, which has the size too.
pub fn image_keys(
    stones: impl IntoIterator<Item = (Point, Color)>,
    side: Color,
    size: Size,
) -> [u64; Symmetry::ALL.len()] {
    let mut keys = [zobrist::side(side); Symmetry::ALL.len()];
    for (p, color) in stones {
        for (key, symmetry) in keys.iter_mut().zip(Symmetry::ALL) {
            *key ^= zobrist::stone(symmetry.apply(p, size), color);
        }
    }
    keys
}

/// Returns the symmetries that map the stones to themselves, the identity first. `stones` are Black's and White's.
pub fn stabilizer(stones: [&PointSet; 2], size: Size) -> impl Iterator<Item = Symmetry> {
    Symmetry::ALL.into_iter().filter(move |s| stones.iter().all(|set| s.apply_set(set, size) == **set))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        crate::game::notation::parse(text, None).unwrap()
    }

    fn p(text: &str) -> Point {
        crate::game::notation::parse_point(text, Size::S15).unwrap()
    }

    #[test]
    fn named_symmetries_map_points_as_their_names_say() {
        let images = Symmetry::ALL.map(|s| s.apply(p("b1"), Size::S15).to_string());
        assert_eq!(images, ["b1", "o2", "n15", "a14", "n1", "b15", "a2", "o14"]);
    }

    #[test]
    fn the_symmetries_are_a_group() {
        let size = Size::new(6).unwrap();
        for a in Symmetry::ALL {
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
            for b in Symmetry::ALL {
                for q in size.points() {
                    assert_eq!(a.then(b).apply(q, size), b.apply(a.apply(q, size), size), "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn images_share_their_canonical_form() {
        let original = position("h8i9g7--c14");
        let canonical = Canonical::of_position(&original);
        for s in Symmetry::ALL {
            let image = s.apply_position(&original);
            let again = Canonical::of_position(&image);
            assert_eq!(again.key, canonical.key, "{s:?}");
            let home = |pos: &Position, by: Symmetry| {
                let mut stones: Vec<_> = by.apply_position(pos).stones().collect();
                stones.sort();
                stones
            };
            assert_eq!(home(&image, again.symmetry), home(&original, canonical.symmetry), "{s:?}");
        }
        assert_ne!(
            Canonical::of_position(&position("h8i9")).key,
            Canonical::of_position(&position("h8h9")).key
        );
        assert_ne!(
            Canonical::of_position(&position("h8")).key,
            Canonical::of_position(&position("h8--")).key
        );
    }

    #[test]
    fn stabilizers_have_the_known_orders() {
        for (text, order) in
            [("", 8), ("h8", 8), ("h8h9", 2), ("h8i9", 2), ("h8h9i10", 1), ("h8h9h7i8h6g8", 2)]
        {
            let position = position(text);
            let mut sets = [PointSet::EMPTY; 2];
            for (p, color) in position.stones() {
                sets[color.index()].insert(p);
            }
            assert_eq!(stabilizer([&sets[0], &sets[1]], Size::S15).count(), order, "{text}");
        }
    }
}
