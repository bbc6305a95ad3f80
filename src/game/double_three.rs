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
//! The last of these definitions leads from stone to stone, as in Renju, and double fours do not cut that
//! short here. The stones that can decide are looked at first, and in positions of games a few are enough. No
//! method is known by which their number cannot grow exponentially with the board in positions made for it,
//! so there is one more reading:
//!
//! * a stone that is not shown to be a double three by looking at [`DoubleThrees::MOST`] stones is none.

mod proof;

use std::fmt;
use std::str::FromStr;

use super::color::Color;
use super::foul::{Suspects, Three};
use super::lines::{Extensions, Lines};
use super::point::{Point, PointSet, Size};
use super::position::Position;
use super::quote::quoted;
use super::rule::{Freestyle, Reading, Rule};
use super::shape::{Shape, ShapeTable, Shapes};
use crate::invalid::Invalid;
use proof::Proof;

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
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Forbid33, Invalid> {
        let ban =
            [Forbid33::Black, Forbid33::Both].into_iter().find(|ban| ban.name() == s.to_ascii_lowercase());
        ban.ok_or_else(|| {
            format!("{} does not say whom double threes are forbidden to: expected black or both", quoted(s))
                .into()
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

impl fmt::Debug for DoubleThrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board = f.debug_struct("DoubleThrees");
        board.field("empty", &self.empty).field("ban", &self.ban).field("reading", &self.reading);
        board.finish_non_exhaustive()
    }
}

impl DoubleThrees {
    /// Stones that are looked at about one point, at most: a fraction of a second.
    pub const MOST: u32 = 1 << 17;

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
        self.ban.binds(color) && self.verdict(&mut self.lines.clone(), p, color, Self::MOST) == Some(true)
    }

    /// The empty points forbidden to `color`.
    pub fn fouls(&self, color: Color) -> PointSet {
        self.points(color, Self::MOST, |verdict| verdict == Some(true))
    }

    /// The empty points that are forbidden to `color`, or that may be as far as `most` stones looked at for
    /// each of them tell.
    pub fn doubtful(&self, color: Color, most: u32) -> PointSet {
        self.points(color, most, |verdict| verdict != Some(false))
    }

    /// The empty points with such a verdict, if the ban holds for `color`.
    fn points(&self, color: Color, most: u32, is_wanted: fn(Option<bool>) -> bool) -> PointSet {
        if !self.ban.binds(color) {
            return PointSet::EMPTY;
        }
        let mut lines = self.lines.clone();
        self.empty.iter().filter(|&p| is_wanted(self.verdict(&mut lines, p, color, most))).collect()
    }

    /// Whether a stone of a bound colour on `p` is a double three; `None` if `most` stones looked at do not
    /// decide it. `lines` are those of the board, and are restored before it returns.
    fn verdict(&self, lines: &mut Lines, p: Point, color: Color, most: u32) -> Option<bool> {
        let shapes = lines.shapes(p, self.table);
        if !is_suspect(shapes, color) {
            return Some(false);
        }
        Proof::new(self, color, p, shapes).settle(lines, most)
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

/// Returns the number of threes of a stone with these shapes, real or not.
fn count_threes(shapes: Shapes, color: Color) -> usize {
    shapes.directions(color).filter(|(_, shape)| shape.is_three()).count()
}

/// Whether a stone with these shapes makes two threes or more, real or not, and no five.
fn is_suspect(shapes: Shapes, color: Color) -> bool {
    count_threes(shapes, color) >= 2 && !makes_five(shapes, color)
}

#[cfg(test)]
mod tests;
