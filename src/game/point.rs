//! Board sizes, points and sets of points.
//!
//! A point is stored as `y * 32 + x` whatever the board size: rows are 32 bits apart, so a set of points is one bit
//! row per board row and a step in any of the four line directions is one fixed difference ([`Direction::step`]).
//! `x` counts columns from the left (`a` = 0), `y` counts rows from the **bottom** (row 1 = 0), so the order of points
//! is the board order a1, b1, …. The Gomocup protocol counts rows from the top; [`super::notation`] converts.

use std::fmt;

use super::Error;

/// Distance between two rows in point indices.
pub const STRIDE: usize = 32;
/// Smallest board side.
pub const MIN_SIZE: usize = 5;
/// Largest board side.
pub const MAX_SIZE: usize = 22;
/// Number of point indices: arrays indexed by [`Point::index`] have this length.
pub const POINTS: usize = MAX_SIZE * STRIDE;
const WORDS: usize = POINTS / 64;

/// Side length of a square board, 5 to 22.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size(u8);

impl Size {
    /// The Renju board, 15x15.
    pub const S15: Size = Size(15);
    /// The Gomocup freestyle board, 20x20.
    pub const S20: Size = Size(20);

    /// A board of `side` by `side` points.
    ///
    /// # Errors
    /// If `side` is not between [`MIN_SIZE`] and [`MAX_SIZE`], 5 and 22.
    pub const fn new(side: usize) -> Result<Size, Error> {
        if side >= MIN_SIZE && side <= MAX_SIZE { Ok(Size(side as u8)) } else { Err(Error::Size(side)) }
    }

    /// Points on one side.
    pub const fn side(self) -> usize {
        self.0 as usize
    }

    /// Points on the board.
    pub const fn area(self) -> usize {
        self.side() * self.side()
    }

    /// Whether column `x` and row `y` (both from 0) lie on the board.
    pub const fn contains(self, x: usize, y: usize) -> bool {
        x < self.side() && y < self.side()
    }

    /// The point of column `x` from the left and row `y` from the bottom, both from 0, if it lies on the
    /// board.
    ///
    /// ```
    /// use kagetsu::game::Size;
    /// assert_eq!(Size::S15.point(7, 7), Some(Size::S15.center()));
    /// assert_eq!(Size::S15.point(7, 15), None);
    /// ```
    pub const fn point(self, x: usize, y: usize) -> Option<Point> {
        if self.contains(x, y) { Some(Point::new(x, y)) } else { None }
    }

    /// The centre point. On even sizes it is the lower right one of the four central points, as Gomocup counts it.
    pub const fn center(self) -> Point {
        let c = self.side() / 2;
        Point::new(c, self.side() - 1 - c)
    }

    /// All points in board order.
    pub fn points(self) -> impl Iterator<Item = Point> + Clone {
        let n = self.side();
        (0..n * n).map(move |i| Point::new(i % n, i / n))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.0)
    }
}

/// One point of a board, independent of the board's size. Ordered a1, b1, …, a2, ….
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// Column `x` from the left, row `y` from the bottom, both from 0 and below [`MAX_SIZE`]. [`Size::point`]
    /// checks numbers that come from elsewhere.
    ///
    /// # Panics
    /// With debug assertions, if one of them is larger. Without them the result is then some other point.
    pub const fn new(x: usize, y: usize) -> Point {
        debug_assert!(x < MAX_SIZE && y < MAX_SIZE);
        Point((y * STRIDE + x) as u16)
    }

    /// The point with this [`index`](Self::index), if there is one.
    pub const fn from_index(index: usize) -> Option<Point> {
        if index % STRIDE < MAX_SIZE && index / STRIDE < MAX_SIZE { Some(Point(index as u16)) } else { None }
    }

    pub(crate) const fn from_index_unchecked(index: usize) -> Point {
        Point(index as u16)
    }

    /// Column from the left, from 0.
    pub const fn x(self) -> usize {
        self.0 as usize % STRIDE
    }

    /// Row from the bottom, from 0.
    pub const fn y(self) -> usize {
        self.0 as usize / STRIDE
    }

    /// Position in arrays of length [`POINTS`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The point `n` steps along `direction`, if it lies on a board of this size.
    pub fn offset(self, direction: Direction, n: i32, size: Size) -> Option<Point> {
        let (dx, dy) = direction.delta();
        let x = self.x() as i32 + dx * n;
        let y = self.y() as i32 + dy * n;
        let side = size.side() as i32;
        (x >= 0 && y >= 0 && x < side && y < side).then(|| Point::new(x as usize, y as usize))
    }

    /// Steps of a king to another point.
    pub const fn distance(self, other: Point) -> usize {
        let (dx, dy) = (self.x().abs_diff(other.x()), self.y().abs_diff(other.y()));
        if dx > dy { dx } else { dy }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.x() as u8) as char, self.y() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The four directions of lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Along a row, left to right.
    Horizontal,
    /// Along a column, bottom to top.
    Vertical,
    /// Rising to the right.
    Rising,
    /// Falling to the right.
    Falling,
}

impl Direction {
    /// All four, in the order of their discriminants.
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Rising, Direction::Falling];

    /// Step of one as (columns, rows).
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Direction::Horizontal => (1, 0),
            Direction::Vertical => (0, 1),
            Direction::Rising => (1, 1),
            Direction::Falling => (1, -1),
        }
    }

    /// Step of one as a difference of point indices.
    #[inline(always)]
    pub const fn step(self) -> isize {
        let (dx, dy) = self.delta();
        dx as isize + dy as isize * STRIDE as isize
    }

    /// The word used in explanations.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Horizontal => "horizontal",
            Direction::Vertical => "vertical",
            Direction::Rising => "rising diagonal",
            Direction::Falling => "falling diagonal",
        }
    }
}

/// A set of points, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// The set with no points.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// Every point of a board.
    pub fn full(size: Size) -> PointSet {
        let mut set = PointSet::EMPTY;
        for y in 0..size.side() {
            set.0[y / 2] |= ((1u64 << size.side()) - 1) << (32 * (y % 2));
        }
        set
    }

    /// Whether `p` is in the set.
    #[inline(always)]
    pub const fn contains(&self, p: Point) -> bool {
        self.0[p.index() / 64] >> (p.index() % 64) & 1 != 0
    }

    /// Adds `p`.
    #[inline(always)]
    pub const fn insert(&mut self, p: Point) {
        self.0[p.index() / 64] |= 1 << (p.index() % 64);
    }

    /// Removes `p`.
    #[inline(always)]
    pub const fn remove(&mut self, p: Point) {
        self.0[p.index() / 64] &= !(1 << (p.index() % 64));
    }

    /// Adds `p` if it was absent, removes it if it was present.
    #[inline(always)]
    pub(crate) const fn toggle(&mut self, p: Point) {
        self.0[p.index() / 64] ^= 1 << (p.index() % 64);
    }

    /// [`Self::toggle`] if the condition holds, without a branch.
    #[inline(always)]
    pub(crate) const fn toggle_if(&mut self, p: Point, condition: bool) {
        self.0[p.index() / 64] ^= (condition as u64) << (p.index() % 64);
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |a, w| a | w) == 0
    }

    /// Number of points.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The first point in board order.
    #[inline]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points in board order.
    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        Iter { words: &self.0, next: 0, word: 0 }
    }

    /// Points of `self` that are not in `other`.
    #[must_use]
    #[inline]
    pub fn without(mut self, other: &PointSet) -> PointSet {
        for i in 0..WORDS {
            self.0[i] &= !other.0[i];
        }
        self
    }

    /// Returns all points within one step in any direction, including the points themselves. They may lie beyond the
    /// board.
    #[must_use]
    #[inline]
    pub fn dilate(&self) -> PointSet {
        let mut rows = *self;
        for w in &mut rows.0 {
            // The top bits of a row are never on a board (22 < 32), so a shift cannot reach the next row's points.
            *w |= *w << 1 | (*w >> 1 & 0x7fff_ffff_7fff_ffff);
        }
        let mut out = rows;
        for i in 0..WORDS {
            out.0[i] |= rows.0[i].rotate_left(32);
            if i > 0 {
                out.0[i] |= rows.0[i - 1] >> 32;
            }
            if i + 1 < WORDS {
                out.0[i] |= rows.0[i + 1] << 32;
            }
        }
        out
    }
}

impl std::ops::BitOr for PointSet {
    type Output = PointSet;
    #[inline]
    fn bitor(mut self, other: PointSet) -> PointSet {
        for i in 0..WORDS {
            self.0[i] |= other.0[i];
        }
        self
    }
}

impl std::ops::BitAnd for PointSet {
    type Output = PointSet;
    #[inline]
    fn bitand(mut self, other: PointSet) -> PointSet {
        for i in 0..WORDS {
            self.0[i] &= other.0[i];
        }
        self
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        for p in points {
            set.insert(p);
        }
        set
    }
}

impl<'a> IntoIterator for &'a PointSet {
    type Item = Point;
    type IntoIter = Iter<'a>;

    #[inline]
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Points of a [`PointSet`] in board order.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    words: &'a [u64; WORDS],
    next: usize,
    word: u64,
}

impl Iterator for Iter<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.word == 0 {
            self.word = *self.words.get(self.next)?;
            self.next += 1;
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(Point::from_index_unchecked((self.next - 1) * 64 + bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_order() {
        assert_eq!(Point::new(7, 7).to_string(), "h8");
        assert_eq!(Size::S15.center().to_string(), "h8");
        // Gomocup's centre of a 20x20 board is 10,10 counted from the top left.
        assert_eq!(Size::S20.center().to_string(), "k10");
        assert!(Point::new(1, 0) < Point::new(0, 1));
        assert!(Size::new(4).is_err() && Size::new(23).is_err());
    }

    #[test]
    fn dilation_is_the_king_neighbourhood() {
        let size = Size::new(22).unwrap();
        for p in size.points() {
            let grown = PointSet::from_iter([p]).dilate() & PointSet::full(size);
            for q in size.points() {
                let near = p.x().abs_diff(q.x()) <= 1 && p.y().abs_diff(q.y()) <= 1;
                assert_eq!(grown.contains(q), near, "{p} {q}");
            }
        }
    }
}
