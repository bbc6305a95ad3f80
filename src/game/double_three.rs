//! The ban of double threes alone, the oldest foul of the game: five or more wins for both colours, double fours and
//! overlines are free, and a double three may not be made, in 1899 by either side, from 1903 on by Black.
//!
//! CITE: T. Maltell, "The rules of Renju and their history", renju.se/rif/r1rulhis.htm. The sources say no more than that
//! double threes were forbidden, so the definitions are those of today's rules of Renju, with "five or more" in place of
//! "exactly five": see [`super::foul`] for their fine points. Readings of our own:
//!
//! * a move that makes five or more is never a foul;
//! * a line that holds a four counts as a four and not as a three;
//! * a line counts once: in `x.xx.x` one stone answers both threes;
//! * a three is real if some move makes it a straight four and is not a double three itself (where the ban holds for the colour).
//!
//! The sanction of a double three is left to the caller: it was a move that may not be made; Black has lost by being forced
//! into one since 1912 only.
//!
//! The recursion is exponential, as in Renju, and double fours do not cut it short here. Positions of games
//! need a few recursive calls. The worst known position, a lattice of Black's pairs, takes two seconds for all
//! its points on 17x17 and more than ten on 18x18.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::color::Color;
use super::foul::{Suspects, Three, two_are_real};
use super::lines::{Extensions, Lines};
use super::point::{Direction, Point, PointSet, Size};
use super::position::Position;
use super::quote::quoted;
use super::rule::{Freestyle, Reading, Rule};
use super::rule_kind::Five;
use super::shape::{Shape, ShapeTable, Shapes};

/// The colours that may not make a double three.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Forbid33 {
    /// Black only, as from 1903 on.
    #[default]
    Black,
    /// Both colours, as in 1899.
    Both,
}

impl Forbid33 {
    /// Whether the ban holds for `color`.
    pub const fn binds(self, color: Color) -> bool {
        matches!((self, color), (Forbid33::Both, _) | (Forbid33::Black, Color::Black))
    }

    /// Lower-case name, as the command line spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Forbid33::Black => "black",
            Forbid33::Both => "both",
        }
    }
}

impl fmt::Display for Forbid33 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Forbid33 {
    type Err = String;

    fn from_str(s: &str) -> Result<Forbid33, String> {
        let ban =
            [Forbid33::Black, Forbid33::Both].into_iter().find(|ban| ban.name() == s.to_ascii_lowercase());
        ban.ok_or_else(|| {
            format!("{} does not say whom double threes are forbidden to: expected black or both", quoted(s))
        })
    }
}

/// A board that knows its double threes.
///
/// ```
/// use kagetsu::game::double_three::{DoubleThrees, Forbid33};
/// use kagetsu::game::{Color, notation};
/// let position = notation::parse("f8a1g8a3h9a5h10a7", None).unwrap();
/// let board = DoubleThrees::of_position(&position, Forbid33::Black);
/// assert_eq!(board.fouls(Color::Black).iter().map(|p| p.to_string()).collect::<Vec<_>>(), ["h8"]);
/// assert!(board.fouls(Color::White).is_empty());
/// ```
#[derive(Clone)]
pub struct DoubleThrees {
    lines: Lines,
    empty: PointSet,
    ban: Forbid33,
    reading: Reading,
    table: &'static ShapeTable,
}

impl DoubleThrees {
    /// An empty board, with the literal reading of a three's extension.
    pub fn new(size: Size, ban: Forbid33) -> DoubleThrees {
        DoubleThrees {
            lines: Lines::new(size),
            empty: PointSet::full(size),
            ban,
            reading: Reading::Literal,
            table: Freestyle::shapes(),
        }
    }

    /// The board with the stones of a position.
    pub fn of_position(position: &Position, ban: Forbid33) -> DoubleThrees {
        let mut board = DoubleThrees::new(position.size(), ban);
        position.stones().for_each(|(p, color)| board.toggle(p, color));
        board
    }

    /// Changes how an extension that makes a five too is read.
    pub fn set_reading(&mut self, reading: Reading) {
        self.reading = reading;
    }

    /// Puts a stone on an empty point of the board, or removes a stone of this colour.
    pub fn toggle(&mut self, p: Point, color: Color) {
        self.lines.toggle(p, color);
        self.empty.toggle(p);
    }

    /// Whether a stone of `color` on the empty point `p` is a double three that the ban forbids.
    pub fn is_foul(&self, p: Point, color: Color) -> bool {
        self.ban.binds(color) && self.is_double_three(&mut self.lines.clone(), p, color)
    }

    /// The empty points forbidden to `color`.
    pub fn fouls(&self, color: Color) -> PointSet {
        if !self.ban.binds(color) {
            return PointSet::EMPTY;
        }
        let mut lines = self.lines.clone();
        self.empty.iter().filter(|&p| self.is_double_three(&mut lines, p, color)).collect()
    }

    /// Whether a stone of a bound colour on `p` is a double three with these stones. `lines` is restored before it
    /// returns.
    fn is_double_three(&self, lines: &mut Lines, p: Point, color: Color) -> bool {
        let shapes = lines.shapes(p, self.table);
        is_suspect(shapes, color) && self.has_real_threes(lines, p, shapes, color, &mut 0)
    }

    /// Whether two threes of a suspect are real; counts the recursive calls. As in Renju, each three is first
    /// judged by the shapes of its extension points, and the recursion settles those that are left. Each of its
    /// levels places a stone.
    fn has_real_threes(
        &self,
        lines: &mut Lines,
        p: Point,
        shapes: Shapes,
        color: Color,
        calls: &mut u32,
    ) -> bool {
        *calls = calls.saturating_add(1);
        let threes = Direction::ALL.map(|d| {
            let is_three = shapes.get(color, d).is_three();
            is_three.then(|| lines.extensions(p, d, color, Five::AtLeast))
        });
        lines.toggle(p, color);
        let judged =
            threes.into_iter().flatten().map(|extensions| self.judge_three(lines, extensions, color));
        let judged: ArrayVec<Three, 4> = judged.collect();
        let answer = two_are_real(judged, |e, shapes| self.has_real_threes(lines, e, shapes, color, calls));
        lines.toggle(p, color);
        answer
    }

    /// Judges a three with these extension points by the shapes of those, with the three's stone placed.
    fn judge_three(&self, lines: &Lines, extensions: Extensions, color: Color) -> Three {
        let mut suspects = Suspects::new();
        for e in extensions.iter() {
            let shapes = lines.shapes(e, self.table);
            if makes_five(shapes, color) && self.reading == Reading::Literal {
                continue;
            }
            if !is_suspect(shapes, color) {
                return Three::Real;
            }
            suspects.push((e, shapes));
        }
        if suspects.is_empty() { Three::False } else { Three::Open(suspects) }
    }
}

fn makes_five(shapes: Shapes, color: Color) -> bool {
    shapes.directions(color).any(|(_, shape)| shape == Shape::Five)
}

/// Whether a stone with these shapes makes two threes or more, real or not, and no five.
fn is_suspect(shapes: Shapes, color: Color) -> bool {
    let threes = shapes.directions(color).filter(|(_, shape)| shape.is_three()).count();
    threes >= 2 && !makes_five(shapes, color)
}

#[cfg(test)]
mod tests;
