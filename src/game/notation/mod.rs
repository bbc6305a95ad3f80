//! Text notations of points and positions: what people and programs write, parsed and printed.
//!
//! | notation | example | module |
//! |---|---|---|
//! | point name | `h8`: column letter from the left, row number from the bottom | here |
//! | move string | `h8h9i8`, `H8, h9--i8` | [`moves`] |
//! | opening code | `D4`, `I13 g9` | [`moves`] and [`super::openings26`] |
//! | setup string | `5/5/2x2/5/5 o` | [`setup`] |
//! | numbered moves | `1.h8 h9 2.i9` | [`moves`] |
//! | Gomocup coordinates and offset openings | `7,7 7,6`; `0,0, 1,-1` | [`gomocup`] |
//! | address of a web board | `https://gomocalc.com/#/h8h9i8` | [`link`] |
//!
//! Parsing is pure: it gives a [`Position`] and knows no rule. [`validate`] asks a rule whether the moves could have
//! been played. Diagrams are in [`super::diagram`], game files in another layer.

mod error;
pub mod gomocup;
pub mod link;
pub mod moves;
pub mod setup;
mod validate;

pub use error::NotationError;
pub use validate::validate;

use super::point::{Point, Size};
use super::position::Position;

/// Parses a position of any notation a person may give: the moves in a link, Gomocup's coordinates if it begins with a
/// number and a comma, a setup string if it has a `/`, else moves, after an opening code if there is one.
///
/// `size` is the size asked for: a setup string must agree with it; moves are played on it, or on 15x15 without it.
///
/// ```
/// use kagetsu::game::notation::parse;
/// assert_eq!(parse("h8h9 I8", None).unwrap(), parse("D6", None).unwrap());
/// assert_eq!(parse("1.h8 h9 2.i8", None), parse("7,7 7,6 8,7", None));
/// assert_eq!(parse("https://gomocalc.com/#/h8h9i8", None), parse("h8h9i8", None));
/// assert_eq!(parse("5/5/2x2/5/5 o", None).unwrap().size().side(), 5);
/// ```
///
/// # Errors
/// Says which character or move is wrong, and why.
pub fn parse(text: &str, size: Option<Size>) -> Result<Position, NotationError> {
    if let Some(moves) = link::moves(text) {
        if moves.is_empty() {
            return Err(NotationError::EmptyLink);
        }
        moves::parse(moves, size.unwrap_or(Size::S15))
    } else if gomocup::is_pairs(text) {
        gomocup::parse_pairs(text, size.unwrap_or(Size::S15))
    } else if text.contains('/') {
        let position = setup::parse(text)?;
        match size {
            Some(asked) if asked != position.size() => {
                Err(NotationError::SizeDiffers { size: position.size(), asked })
            }
            _ => Ok(position),
        }
    } else {
        moves::parse(text, size.unwrap_or(Size::S15))
    }
}

/// Prints a position as [`parse`] reads it: its moves, where they say all of it, or else a setup string.
///
/// ```
/// use kagetsu::game::notation::{parse, print};
/// for text in ["h8h9i8", "5/5/2x2/5/5 o"] {
///     assert_eq!(print(&parse(text, None).unwrap()), text);
/// }
/// ```
pub fn print(position: &Position) -> String {
    if position.is_of_moves() { moves::print(position.moves()) } else { setup::print(position) }
}

/// Parses one point name, in upper or lower case, surrounded by blanks at most.
///
/// # Errors
/// If it is not a point name, or off a board of this size.
pub fn parse_point(text: &str, size: Size) -> Result<Point, NotationError> {
    let mut scanner = Scanner::new(text.trim());
    let name = scanner.point()?;
    scanner.end()?;
    name.on(size).ok_or_else(|| NotationError::NoPoint { name: name.text.to_string(), size })
}

/// Reads characters and keeps count of them.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Bytes read.
    offset: usize,
    /// Characters read.
    count: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, offset: 0, count: 0 }
    }

    /// The next character and its number, counted from 1.
    pub fn peek(&self) -> Option<(usize, char)> {
        self.rest().chars().next().map(|c| (self.count + 1, c))
    }

    /// The text not read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// Skips the next character.
    pub fn advance(&mut self) {
        if let Some((_, c)) = self.peek() {
            self.offset += c.len_utf8();
            self.count += 1;
        }
    }

    /// Reads a decimal number if one stands here; one too large to matter comes back as the largest.
    pub fn number(&mut self) -> Option<usize> {
        let mut value = None;
        while let Some((_, c)) = self.peek()
            && let Some(digit) = c.to_digit(10)
        {
            value = Some(value.unwrap_or(0usize).saturating_mul(10).saturating_add(digit as usize));
            self.advance();
        }
        value
    }

    /// Reads a column letter and a row number.
    pub fn point(&mut self) -> Result<PointName<'a>, NotationError> {
        let start = self.offset;
        let letter =
            self.expect("a column letter", |c| c.is_ascii_alphabetic().then(|| c.to_ascii_lowercase()))?;
        let Some(row) = self.number() else {
            return Err(self.unexpected("a row number"));
        };
        Ok(PointName { text: &self.text[start..self.offset], letter, row })
    }

    /// Reads one character that `accept` accepts.
    pub fn expect<T>(
        &mut self,
        expected: &'static str,
        accept: impl FnOnce(char) -> Option<T>,
    ) -> Result<T, NotationError> {
        let accepted = self.peek().and_then(|(_, c)| accept(c)).ok_or_else(|| self.unexpected(expected))?;
        self.advance();
        Ok(accepted)
    }

    /// Fails unless the text ends here.
    pub fn end(&self) -> Result<(), NotationError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    /// The error that something else stood here than `expected`.
    pub fn unexpected(&self, expected: &'static str) -> NotationError {
        match self.peek() {
            Some((at, found)) => NotationError::Character { at, found, expected },
            None => NotationError::End { expected },
        }
    }
}

/// A column letter and a row number, perhaps beyond every board.
#[derive(Clone, Copy)]
pub(super) struct PointName<'a> {
    /// The name as it was written.
    pub text: &'a str,
    letter: char,
    row: usize,
}

impl PointName<'_> {
    /// The point, if a board of this size has it.
    pub fn on(self, size: Size) -> Option<Point> {
        let x = (self.letter as u32).wrapping_sub('a' as u32) as usize;
        let y = self.row.checked_sub(1)?;
        size.point(x, y)
    }
}
