//! A position up to symmetry: the stones of its canonical image, in the order of the points, and the side to move.

use super::bytes::{Input, put};
use crate::game::symmetry::{Canonical, Symmetry};
use crate::game::{Color, Point, Position, Size};

/// A canonical position. It holds the stones and not a hash of them, so that two positions never share a key
/// and a book can be read without the moves that lead to its positions. Keys are ordered by the number of
/// stones first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    stones: usize,
    side: Color,
    /// Black's points, then White's, each in ascending order.
    points: Box<[Point]>,
    blacks: usize,
}

impl Key {
    /// The key of a position, and the symmetry that leads from the position to the key's orientation.
    pub fn of(position: &Position) -> (Key, Symmetry) {
        let symmetry = Canonical::of_position(position).symmetry;
        let size = position.size();
        let of = |wanted: Color| {
            let own = position.stones().filter(move |&(_, color)| color == wanted);
            let mut points: Vec<Point> = own.map(|(p, _)| symmetry.apply(p, size)).collect();
            points.sort_unstable();
            points
        };
        let (black, white) = (of(Color::Black), of(Color::White));
        (Key::new(position.side(), &black, &white), symmetry)
    }

    fn new(side: Color, black: &[Point], white: &[Point]) -> Key {
        let points = [black, white].concat().into_boxed_slice();
        Key { stones: points.len(), side, points, blacks: black.len() }
    }

    /// Number of stones.
    pub fn stones(&self) -> usize {
        self.stones
    }

    /// The colour to move.
    pub fn side(&self) -> Color {
        self.side
    }

    /// The position on a board of this size: the one for which the key was made, or larger.
    ///
    /// # Panics
    /// If the board is smaller and does not have all the points.
    pub fn position(&self, size: Size) -> Position {
        let color = |i| if i < self.blacks { Color::Black } else { Color::White };
        let stones = self.points.iter().enumerate().map(|(i, &p)| (p, color(i)));
        Position::from_stones(size, stones, self.side).expect("a key's stones are on the board and apart")
    }

    /// Appends the key's bytes: the numbers of stones and the side, then the points' numbers, each colour's as differences.
    pub(super) fn encode(&self, size: Size, out: &mut Vec<u8>) {
        put(out, self.blacks as u64);
        put(out, (self.points.len() - self.blacks) as u64);
        put(out, self.side.index() as u64);
        let (black, white) = self.points.split_at(self.blacks);
        for points in [black, white] {
            let mut next = 0;
            for p in points {
                let number = number(*p, size);
                put(out, (number - next) as u64);
                next = number + 1;
            }
        }
    }

    /// Reads the bytes that [`encode`](Self::encode) writes.
    pub(super) fn decode(input: &mut Input<'_>, size: Size) -> Result<Key, String> {
        let area = size.area() as u64;
        let counts = [input.below(area + 1)?, input.below(area + 1)?];
        let side = Color::BOTH[input.below(2)? as usize];
        let mut points = [Vec::new(), Vec::new()];
        for (count, points) in counts.into_iter().zip(&mut points) {
            let mut next = 0;
            for _ in 0..count {
                let number = next + input.below(area - next)?;
                points.push(point(number, size));
                next = number + 1;
            }
        }
        let [black, white] = points;
        if black.iter().any(|p| white.contains(p)) {
            return Err("two stones on one point".to_owned());
        }
        Ok(Key::new(side, &black, &white))
    }

    /// Bytes of memory besides the value itself.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.points)
    }
}

/// The number of a point on a board: rows from the bottom, columns from the left.
pub(super) fn number(p: Point, size: Size) -> usize {
    p.y() * size.side() + p.x()
}

/// The point of a number.
pub(super) fn point(number: u64, size: Size) -> Point {
    let side = size.side();
    Point::new(number as usize % side, number as usize / side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Move;
    use proptest::prelude::*;

    /// A position of a few stones, by the numbers of its points.
    fn position(size: Size, numbers: &[usize], first: Color) -> Position {
        let mut position = Position::from_stones(size, [], first).unwrap();
        for &n in numbers {
            // A point that is taken is passed over.
            let _ = position.push(Move::Place(point((n % size.area()) as u64, size)));
        }
        position
    }

    proptest! {
        #[test]
        fn images_have_one_key_and_its_points_map_back(
            numbers in prop::collection::vec(0usize..484, 0..14),
            side in 5usize..=22,
            white in any::<bool>(),
        ) {
            let size = Size::new(side).unwrap();
            let first = if white { Color::White } else { Color::Black };
            let original = position(size, &numbers, first);
            let (key, _) = Key::of(&original);
            let sorted = |p: &Position| {
                let mut stones: Vec<_> = p.stones().collect();
                stones.sort_unstable();
                stones
            };
            for s in Symmetry::ALL {
                let image = s.apply_position(&original);
                let (same, symmetry) = Key::of(&image);
                prop_assert_eq!(&same, &key);
                // From the key's orientation back to the image's: every stone is at its place.
                let back = symmetry.inverse().apply_position(&key.position(size));
                prop_assert_eq!(sorted(&back), sorted(&image));
                prop_assert_eq!(back.side(), image.side());
            }
            prop_assert_eq!(Key::of(&key.position(size)).0, key.clone());
            let mut bytes = Vec::new();
            key.encode(size, &mut bytes);
            let mut input = Input(&bytes);
            prop_assert_eq!(Key::decode(&mut input, size).unwrap(), key);
            prop_assert!(input.0.is_empty());
        }
    }

    #[test]
    fn other_positions_have_other_keys() {
        let key = |text: &str| Key::of(&crate::game::notation::parse(text, None).unwrap()).0;
        assert_eq!(key("h8h9i8"), key("i8h9h8"), "the order of moves is nothing to it");
        for (a, b) in [("h8", "h8--"), ("h8h9", "h8i9"), ("h8h9i8", "h9h8i9"), ("h8h9", "g8g9")] {
            assert_ne!(key(a), key(b), "{a} {b}");
        }
    }

    #[test]
    fn impossible_keys_are_errors() {
        let size = Size::S15;
        for bytes in
            [&[1u8, 1, 0, 5, 5][..], &[0, 0, 2], &[1, 0, 0, 0xe1, 1], &[2, 0, 0, 224, 1, 0], &[1, 0, 0]]
        {
            assert!(Key::decode(&mut Input(bytes), size).is_err(), "{bytes:?}");
        }
    }
}
