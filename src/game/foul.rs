//! Black's fouls under Renju, by the literal rule and to any depth.
//!
//! The shapes of a point settle almost everything: a five is never a foul, an overline or two fours always one. Only
//! where two lines or more hold a three does the rule ask on: a three is real if one of its extension points makes its
//! straight four without a five and is itself a legal move, asked on the board with both stones placed. That question is
//! plain recursion on [`Lines`]; each level places a stone, so it ends. No depth limit, no cache, no shortcut for
//! cycles: there are none when stones are really placed.
//!
//! The rule text and its fine points: RIF rules of Renju, definitions of four, straight four, three, and rule 9.

use std::fmt;

use super::board::Board;
use super::color::Color;
use super::level::{self, Level, LevelTable};
use super::lines::Lines;
use super::point::{Direction, Point, PointSet, Size};
use super::rule::{Five, Reading, Renju, Rule};
use super::shape::{Shape, ShapeTable, Shapes};
use super::threat::Threat;

/// Kinds of foul of a move; printed as `6`, `44`, `33` joined by `+`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FoulKinds {
    /// Six or more in a row, without a five.
    pub overline: bool,
    /// Two fours or more.
    pub double_four: bool,
    /// Two real threes or more.
    pub double_three: bool,
}

impl FoulKinds {
    /// No foul.
    pub const NONE: FoulKinds = FoulKinds { overline: false, double_four: false, double_three: false };

    /// Returns whether the move is a foul.
    pub const fn any(self) -> bool {
        self.overline || self.double_four || self.double_three
    }

    /// Returns the names of the kinds that apply, in the order `6`, `44`, `33`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        [(self.overline, "6"), (self.double_four, "44"), (self.double_three, "33")]
            .into_iter()
            .filter_map(|(holds, name)| holds.then_some(name))
    }
}

impl fmt::Display for FoulKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.names().enumerate() {
            if i > 0 {
                f.write_str("+")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}

/// Tables for deciding fouls.
#[derive(Clone, Copy)]
pub(crate) struct FoulTables {
    pub shapes: &'static ShapeTable,
    levels: &'static LevelTable,
    reading: Reading,
}

impl FoulTables {
    pub fn new(reading: Reading) -> FoulTables {
        FoulTables { shapes: Renju::shapes(), levels: level::table(true), reading }
    }

    pub fn level(&self, shapes: Shapes) -> Level {
        self.levels.of_shapes(shapes.of(Color::Black))
    }

    /// Returns whether Black's stone on the empty point `p` is a foul. `lines` is restored.
    pub fn is_foul(&self, lines: &mut Lines, p: Point, shapes: Shapes) -> bool {
        match self.level(shapes) {
            Level::Foul => true,
            Level::SuspectThree | Level::SuspectFour => self.real_threes(lines, p, shapes, 2) >= 2,
            _ => false,
        }
    }

    /// Counts the real threes of Black's stone on `p`, up to `enough` of them.
    fn real_threes(&self, lines: &mut Lines, p: Point, shapes: Shapes, enough: usize) -> usize {
        let mut count = 0;
        for d in Direction::ALL {
            if count < enough && shapes.get(Color::Black, d).is_three() && self.is_real_three(lines, p, d) {
                count += 1;
            }
        }
        count
    }

    /// Returns whether the three that Black's stone on `p` makes in a direction can become a straight four by a legal
    /// move.
    pub fn is_real_three(&self, lines: &mut Lines, p: Point, direction: Direction) -> bool {
        let extensions = lines.extensions(p, direction, Color::Black, Five::Exactly);
        lines.toggle(p, Color::Black);
        let real = extensions.iter().any(|e| {
            let shapes = lines.shapes(e, self.shapes);
            match self.level(shapes) {
                Level::Five => self.reading == Reading::FiveExtends,
                _ => !self.is_foul(lines, e, shapes),
            }
        });
        lines.toggle(p, Color::Black);
        real
    }

    /// Returns all kinds of foul of Black's stone on `p`.
    pub fn kinds(&self, lines: &mut Lines, p: Point, shapes: Shapes) -> FoulKinds {
        let all = Direction::ALL.map(|d| shapes.get(Color::Black, d));
        if all.contains(&Shape::Five) {
            return FoulKinds::NONE;
        }
        FoulKinds {
            overline: all.contains(&Shape::Overline),
            double_four: all.into_iter().map(Shape::fours).sum::<usize>() >= 2,
            double_three: self.real_threes(lines, p, shapes, 2) >= 2,
        }
    }
}

/// Returns Black's foul points under Renju, given only the stones. For a single query this is much cheaper than a
/// [`Board`], which prepares for play.
pub fn fouls_of(size: Size, stones: [&PointSet; 2], reading: Reading) -> PointSet {
    let judge = FoulTables::new(reading);
    let mut lines = Lines::new(size);
    for color in Color::BOTH {
        for p in stones[color.index()].iter() {
            lines.toggle(p, color);
        }
    }
    let empty = PointSet::full(size).without(stones[0]).without(stones[1]);
    let foul = |p: &Point| {
        let shapes = lines.shapes(*p, judge.shapes);
        judge.is_foul(&mut lines, *p, shapes)
    };
    empty.iter().filter(foul).collect()
}

impl<R: Rule> Board<R> {
    /// Black's foul points; none under rules without fouls.
    pub fn fouls(&self) -> PointSet {
        let suspects = self.threats(Color::Black, Threat::Suspect);
        suspects.iter().filter(|&p| self.is_foul(p, Color::Black)).collect()
    }

    /// Whether the empty point `p` is forbidden to `color`.
    #[inline]
    pub fn is_foul(&self, p: Point, color: Color) -> bool {
        if !R::fouls(color) {
            return false;
        }
        match self.level(p, color) {
            Level::Foul => true,
            Level::SuspectThree | Level::SuspectFour => self.has_double_three(p),
            _ => false,
        }
    }

    /// The recursive part of [`Self::is_foul`], out of line because few points need it.
    #[inline(never)]
    fn has_double_three(&self, p: Point) -> bool {
        let judge = FoulTables::new(self.reading());
        judge.real_threes(&mut self.lines().clone(), p, self.shapes(p), 2) >= 2
    }

    /// Every kind of foul that Black's stone on the empty point `p` would be; none under rules without fouls.
    pub fn foul_kinds(&self, p: Point) -> FoulKinds {
        if R::FOULS {
            FoulTables::new(self.reading()).kinds(&mut self.lines().clone(), p, self.shapes(p))
        } else {
            FoulKinds::NONE
        }
    }

    /// Returns whether `p` only looks like a double three: legal, not a five, yet two lines hold a three by their
    /// stones.
    pub fn is_false_foul(&self, p: Point) -> bool {
        R::FOULS
            && matches!(self.level(p, Color::Black), Level::SuspectThree | Level::SuspectFour)
            && !self.is_foul(p, Color::Black)
    }

    /// Returns whether the side to move may play on `p`: an empty point that is not a foul.
    #[inline]
    pub fn is_legal(&self, p: Point) -> bool {
        self.empty().contains(p) && !self.is_foul(p, self.side())
    }
}
