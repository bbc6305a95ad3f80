//! Threat levels: the four line shapes of a point summed up, for search and solvers.

use super::color::Color;
use super::point::Direction;
use super::rating::RatingTable;
use super::shape::{Shape, Shapes};

/// Pattern that a stone on a point makes, over all four lines; the stronger threat has the higher value.
///
/// The names describe shapes alone. For Black under Renju a certain foul is [`Level::Foul`]; points with two threes or
/// more, whose verdict needs the recursive test, are [`Level::SuspectThree`] or [`Level::SuspectFour`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Level {
    /// No threat.
    None,
    /// One two.
    Two,
    /// One closed three.
    ClosedThree,
    /// Several twos or closed threes.
    DoubleTwo,
    /// An overline or a double four for Black under Renju.
    Foul,
    /// A three.
    Three,
    /// A three and a two or closed three.
    ThreePlus,
    /// Two threes or more and no four, for Black under Renju: a foul if two of them are real.
    SuspectThree,
    /// Two threes or more, where allowed.
    DoubleThree,
    /// A four.
    Four,
    /// A four and a two or closed three.
    FourPlus,
    /// A four and two threes or more for Black under Renju: a foul if two of the threes are real.
    SuspectFour,
    /// A four and a three.
    FourThree,
    /// A straight four, or several fours where allowed: no single reply stops it.
    WinningFour,
    /// A winning row.
    Five,
}

impl Level {
    /// Number of levels.
    pub const COUNT: usize = 15;

    /// The lowest level that belongs to a [`Threat`](super::Threat); so do all above it.
    pub(crate) const FIRST_THREAT: Level = Level::Foul;

    /// The levels by number. The last is there twice, so that any four bits are an index.
    pub(crate) const ALL: [Level; 16] = [
        Level::None,
        Level::Two,
        Level::ClosedThree,
        Level::DoubleTwo,
        Level::Foul,
        Level::Three,
        Level::ThreePlus,
        Level::SuspectThree,
        Level::DoubleThree,
        Level::Four,
        Level::FourPlus,
        Level::SuspectFour,
        Level::FourThree,
        Level::WinningFour,
        Level::Five,
        Level::Five,
    ];

    /// Returns whether the stone makes a four of any kind; the point may still prove a foul.
    pub const fn makes_four(self) -> bool {
        matches!(
            self,
            Level::Four | Level::FourPlus | Level::SuspectFour | Level::FourThree | Level::WinningFour
        )
    }

    /// Returns whether the stone makes a three and no four; the point may still prove a foul.
    pub const fn makes_three(self) -> bool {
        matches!(self, Level::Three | Level::ThreePlus | Level::SuspectThree | Level::DoubleThree)
    }

    /// Returns whether Black's stone is, or may be, a foul.
    pub const fn is_suspect(self) -> bool {
        matches!(self, Level::Foul | Level::SuspectThree | Level::SuspectFour)
    }

    /// Returns the level of four shapes, encoded as by [`Shapes::of`], for a colour with or without fouls.
    pub fn of_shapes(shapes: u16, fouls: bool) -> Level {
        RatingTable::get(fouls).level(shapes)
    }

    /// Works out the level of four shapes, for the tables.
    pub(super) fn compute(shapes: u16, fouls: bool) -> Level {
        let all = Direction::ALL.map(|d| Shapes(shapes as u32).get(Color::Black, d));
        let count = |f: fn(Shape) -> bool| all.into_iter().filter(|&s| f(s)).count();
        let fours: usize = all.into_iter().map(Shape::fours).sum();
        let threes = count(Shape::is_three);
        let twos =
            count(|s| matches!(s, Shape::Two | Shape::TwoDouble | Shape::TwoTriple | Shape::ClosedThree));
        let winning = fours >= 2 || all.contains(&Shape::StraightFour);
        if all.contains(&Shape::Five) {
            Level::Five
        } else if fouls && (fours >= 2 || all.contains(&Shape::Overline)) {
            Level::Foul
        } else if fouls && threes >= 2 {
            if fours > 0 { Level::SuspectFour } else { Level::SuspectThree }
        } else if winning {
            Level::WinningFour
        } else if fours > 0 {
            match (threes, twos) {
                (1.., _) => Level::FourThree,
                (0, 1..) => Level::FourPlus,
                (0, 0) => Level::Four,
            }
        } else {
            match (threes, twos) {
                (2.., _) => Level::DoubleThree,
                (1, 1..) => Level::ThreePlus,
                (1, 0) => Level::Three,
                (0, 2..) => Level::DoubleTwo,
                (0, 1) if all.contains(&Shape::ClosedThree) => Level::ClosedThree,
                (0, 1) => Level::Two,
                (0, 0) => Level::None,
            }
        }
    }
}
