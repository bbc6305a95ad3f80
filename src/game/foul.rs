//! Black's fouls under Renju, by the literal rule and to any depth.
//!
//! The shapes of a point settle almost everything: a five is never a foul, an overline or two fours always one. Only if
//! two lines or more hold a three is there more to test: a three is real if one of its extension points makes its
//! straight four without a five and is itself a legal move, judged on the board with both stones placed. The recursion
//! runs on [`Lines`]. Each level places a stone, so it ends; it needs no depth limit and no check for cycles.
//!
//! In theory the recursion is exponential. It visits only extension points whose shapes do not settle them, and only
//! while they can change the verdict: 394 calls, 24 levels deep, in the worst position that a search of millions has
//! found (`tests/data/foul_worst.txt`), where the rule read word by word needs 5,739. A cache of verdicts would not
//! help: in such positions no call comes twice with the same stones.
//!
//! The rule text and its fine points: RIF rules of Renju, definitions of four, straight four, three, and rule 9.

use std::fmt;

use arrayvec::ArrayVec;

use super::board::Board;
use super::color::Color;
use super::level::Level;
use super::lines::{Extensions, Lines};
use super::point::{Direction, Point, PointSet, Size};
use super::rating::RatingTable;
use super::rule::{Reading, Renju, Rule};
use super::rule_kind::Five;
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

/// Extension points of a three that may be double threes, with their shapes.
pub(super) type Suspects = ArrayVec<(Point, Shapes), 2>;

/// Judgement of a three by the shapes of its extension points alone.
pub(super) enum Three {
    /// An extension point is legal and makes the straight four.
    Real,
    /// No extension point is legal and makes it.
    False,
    /// The three is real if one of these extension points is legal.
    Open(Suspects),
}

/// Returns whether two of the threes are real. It asks `is_double_three` about suspects as long as these can decide.
fn two_are_real(threes: ArrayVec<Three, 4>, mut is_double_three: impl FnMut(Point, Shapes) -> bool) -> bool {
    let mut real = 0;
    let mut open = ArrayVec::<Suspects, 4>::new();
    for three in threes {
        match three {
            Three::Real => real += 1,
            Three::False => {}
            Three::Open(suspects) => open.push(suspects),
        }
    }
    for (i, suspects) in open.iter().enumerate() {
        if real >= 2 || real + open.len() - i < 2 {
            break;
        }
        real += usize::from(suspects.iter().any(|&(e, shapes)| !is_double_three(e, shapes)));
    }
    real >= 2
}

/// Tables for deciding fouls.
#[derive(Clone, Copy)]
pub(crate) struct FoulTables {
    pub shapes: &'static ShapeTable,
    ratings: RatingTable,
    reading: Reading,
}

impl FoulTables {
    pub fn new(reading: Reading) -> FoulTables {
        FoulTables { shapes: Renju::shapes(), ratings: RatingTable::get(true), reading }
    }

    pub fn level(&self, shapes: Shapes) -> Level {
        self.ratings.level(shapes.of(Color::Black))
    }

    /// Returns whether Black's stone on the empty point `p` is a foul. `lines` is restored.
    pub fn is_foul(&self, lines: &mut Lines, p: Point, shapes: Shapes) -> bool {
        match self.level(shapes) {
            Level::Foul => true,
            Level::SuspectThree | Level::SuspectFour => self.has_double_three(lines, p, shapes),
            _ => false,
        }
    }

    /// Whether Black's stone on `p` makes two real threes.
    fn has_double_three(&self, lines: &mut Lines, p: Point, shapes: Shapes) -> bool {
        self.is_double_three(lines, p, shapes, &mut 0)
    }

    /// Does the work of [`Self::has_double_three`] and counts the recursive calls. Each three is first judged
    /// by the shapes of its extension points. The recursion settles those that are left, as long as they can
    /// decide.
    fn is_double_three(&self, lines: &mut Lines, p: Point, shapes: Shapes, calls: &mut u32) -> bool {
        *calls = calls.saturating_add(1);
        let threes = Direction::ALL.map(|d| {
            let is_three = shapes.get(Color::Black, d).is_three();
            is_three.then(|| lines.extensions(p, d, Color::Black, Five::Exactly))
        });
        lines.toggle(p, Color::Black);
        let judged = threes.into_iter().flatten().map(|extensions| self.judge_three(lines, extensions));
        let judged: ArrayVec<Three, 4> = judged.collect();
        let answer = two_are_real(judged, |e, shapes| self.is_double_three(lines, e, shapes, calls));
        lines.toggle(p, Color::Black);
        answer
    }

    /// Judges a three with these extension points by the shapes of those, with the three's stone placed.
    fn judge_three(&self, lines: &Lines, extensions: Extensions) -> Three {
        let mut suspects = Suspects::new();
        for e in extensions.iter() {
            let shapes = lines.shapes(e, self.shapes);
            match self.level(shapes) {
                Level::Five if self.reading == Reading::Literal => {}
                Level::Foul => {}
                Level::SuspectThree | Level::SuspectFour => suspects.push((e, shapes)),
                _ => return Three::Real,
            }
        }
        if suspects.is_empty() { Three::False } else { Three::Open(suspects) }
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
            double_three: self.has_double_three(lines, p, shapes),
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
        judge.has_double_three(&mut self.lines().clone(), p, self.shapes(p))
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

#[cfg(test)]
mod tests;
