//! Boards drawn as text, the same in tests, on the command line and in documents.
//!
//! ```text
//!  5 . . . . .
//!  4 . . * . .
//!  3 . x[o]. .
//!  2 . . x . .
//!  1 . . . . .
//!    a b c d e
//! ```
//!
//! Rows from the top with their numbers, Black `x`, White `o`, empty `.`, any other sign a mark on an empty point;
//! brackets around the last move. Parsing takes what printing gives; the letters below may be left out.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::color::Color;
use super::point::{Point, Size};
use super::position::{Move, Position};

/// A drawing of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    size: Size,
    stones: BTreeMap<Point, Color>,
    marks: BTreeMap<Point, char>,
    last: Option<Point>,
}

impl Diagram {
    /// An empty board.
    pub fn new(size: Size) -> Diagram {
        Diagram { size, stones: BTreeMap::new(), marks: BTreeMap::new(), last: None }
    }

    /// Draws the stones of a position and marks its last move.
    pub fn of(position: &Position) -> Diagram {
        Diagram {
            stones: position.stones().collect(),
            last: position.moves().last().and_then(|m| m.point()),
            ..Diagram::new(position.size())
        }
    }

    /// Marks a point; a mark on a stone is not shown.
    ///
    /// # Panics
    /// If the sign has another meaning in a diagram.
    pub fn mark(&mut self, p: Point, sign: char) {
        assert!(Self::is_mark(sign), "{sign:?} cannot be a mark");
        if !self.stones.contains_key(&p) {
            self.marks.insert(p, sign);
        }
    }

    /// Returns whether a sign can be a mark.
    pub fn is_mark(sign: char) -> bool {
        sign.is_ascii_graphic() && !".xo[]".contains(sign)
    }

    /// Board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The marked points in board order.
    pub fn marks(&self) -> impl Iterator<Item = (Point, char)> {
        self.marks.iter().map(|(&p, &sign)| (p, sign))
    }

    /// Returns the position drawn, with `side` to move. A marked last move is its only known move.
    pub fn position(&self, side: Color) -> Position {
        const APART: &str = "a diagram holds one stone a point";
        let setup = self.stones.iter().map(|(&p, &color)| (p, color)).filter(|&(p, _)| Some(p) != self.last);
        let mover = self.last.and_then(|p| self.stones.get(&p)).copied();
        let mut position = Position::from_stones(self.size, setup, mover.unwrap_or(side)).expect(APART);
        if let Some(p) = self.last {
            position.push(Move::Place(p)).expect(APART);
        }
        position.set_side(side);
        position
    }

    fn cell(&self, p: Point) -> char {
        match self.stones.get(&p) {
            Some(Color::Black) => 'x',
            Some(Color::White) => 'o',
            None => self.marks.get(&p).copied().unwrap_or('.'),
        }
    }

    /// Reads the cells of a row, without its number. `line` is its number in the text.
    fn parse_row(&mut self, y: usize, cells: &str, line: usize) -> Result<(), DiagramError> {
        let mut x = 0;
        let mut brackets = Brackets::Closed;
        for c in cells.chars() {
            match (c, brackets) {
                (' ', _) => continue,
                ('[', Brackets::Closed) => {
                    brackets = Brackets::Open;
                    continue;
                }
                (']', Brackets::Filled) => {
                    brackets = Brackets::Closed;
                    continue;
                }
                ('[' | ']', _) => return Err(DiagramError::Bracket { line, found: c }),
                (_, Brackets::Filled) => return Err(DiagramError::LastMove { line }),
                _ => {}
            }
            if x == self.size.side() {
                return Err(DiagramError::Width { line, expected: x });
            }
            let p = Point::new(x, y);
            match c {
                'x' => drop(self.stones.insert(p, Color::Black)),
                'o' => drop(self.stones.insert(p, Color::White)),
                '.' => {}
                sign if Self::is_mark(sign) => drop(self.marks.insert(p, sign)),
                found => return Err(DiagramError::Sign { line, found }),
            }
            if brackets == Brackets::Open {
                if self.last.is_some() || !self.stones.contains_key(&p) {
                    return Err(DiagramError::LastMove { line });
                }
                self.last = Some(p);
                brackets = Brackets::Filled;
            }
            x += 1;
        }
        if brackets != Brackets::Closed {
            return Err(DiagramError::Bracket { line, found: '[' });
        }
        if x == self.size.side() {
            Ok(())
        } else {
            Err(DiagramError::Width { line, expected: self.size.side() })
        }
    }
}

/// The brackets around the last move, while a row is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brackets {
    /// None are open.
    Closed,
    /// The stone is to come.
    Open,
    /// The stone has come, and `]` is to follow.
    Filled,
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.size.side();
        for y in (0..side).rev() {
            write!(f, "{:2}", y + 1)?;
            let mut closing = false;
            for p in (0..side).map(|x| Point::new(x, y)) {
                let opening = self.last == Some(p);
                let gap = if closing {
                    ']'
                } else if opening {
                    '['
                } else {
                    ' '
                };
                write!(f, "{gap}{}", self.cell(p))?;
                closing = opening;
            }
            writeln!(f, "{}", if closing { "]" } else { "" })?;
        }
        write!(f, "  ")?;
        for x in 0..side {
            write!(f, " {}", (b'a' + x as u8) as char)?;
        }
        writeln!(f)
    }
}

/// Reason why a text is not a diagram. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DiagramError {
    /// The number of rows is not a board size.
    #[error("a diagram of {0} rows: expected {min} to {max} rows", min = super::MIN_SIZE, max = super::MAX_SIZE)]
    Rows(usize),
    /// A line does not start with the number of its row.
    #[error("line {line}: expected row {expected}")]
    RowNumber {
        /// Number of the line.
        line: usize,
        /// The row expected here.
        expected: usize,
    },
    /// A row is too long or too short.
    #[error("line {line}: expected {expected} points")]
    Width {
        /// Number of the line.
        line: usize,
        /// Points of a row.
        expected: usize,
    },
    /// A sign without a meaning.
    #[error("line {line}: unknown sign {found:?}")]
    Sign {
        /// Number of the line.
        line: usize,
        /// The sign.
        found: char,
    },
    /// Brackets around an empty point, around two stones, or around stones in two places.
    #[error("line {line}: brackets mark one stone, the last move")]
    LastMove {
        /// Number of the line.
        line: usize,
    },
    /// A bracket without the stone or the other bracket that belongs to it.
    #[error("line {line}: a {found:?} alone: expected brackets around one stone, the last move, as [x]")]
    Bracket {
        /// Number of the line.
        line: usize,
        /// The bracket.
        found: char,
    },
}

impl FromStr for Diagram {
    type Err = DiagramError;

    fn from_str(text: &str) -> Result<Diagram, DiagramError> {
        let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        let rows: Vec<(usize, &str)> =
            lines.filter(|(_, line)| !line.is_empty() && !is_letters(line)).collect();
        let size = Size::new(rows.len()).map_err(|_| DiagramError::Rows(rows.len()))?;
        let mut diagram = Diagram::new(size);
        for (y, (line, row)) in (0..size.side()).rev().zip(rows) {
            let cells = row
                .strip_prefix(&(y + 1).to_string())
                .filter(|cells| cells.starts_with([' ', '[']))
                .ok_or(DiagramError::RowNumber { line, expected: y + 1 })?;
            diagram.parse_row(y, cells, line)?;
        }
        Ok(diagram)
    }
}

/// Returns whether a line holds the column letters.
fn is_letters(line: &str) -> bool {
    line.split(' ').zip('a'..).all(|(word, letter)| word.chars().eq([letter]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation;

    const DRAWING: &str = " 5 . . . . .
 4 . . * . .
 3 . x[o]. .
 2 . . x . .
 1 . . . . .
   a b c d e
";

    #[test]
    fn drawing_of_a_position() {
        let position = notation::parse("b3--c2c3", Size::new(5).ok()).unwrap();
        let mut diagram = Diagram::of(&position);
        diagram.mark(notation::parse_point("c4", position.size()).unwrap(), '*');
        assert_eq!(diagram.to_string(), DRAWING);
        assert_eq!(DRAWING.parse(), Ok(diagram.clone()));
        let again = diagram.position(Color::Black);
        assert_eq!(notation::setup::print(&again), "5/5/1xo2/2x2/5 x");
        assert_eq!(again.moves(), &position.moves()[3..]);
    }

    #[test]
    fn letters_and_indentation_may_vary() {
        let text = "
            5 . . . . .
            4 . . . . .
            3 . x o . .
            2 . . x . .
            1 . . . .[o]
        ";
        let diagram: Diagram = text.parse().unwrap();
        assert_eq!(notation::setup::print(&diagram.position(Color::White)), "5/5/1xo2/2x2/4o o");
    }

    #[test]
    fn errors_name_the_line() {
        let error =
            |from: &str, to: &str| DRAWING.replace(from, to).parse::<Diagram>().unwrap_err().to_string();
        assert_eq!(error(" 5 . . . . .\n", ""), "a diagram of 4 rows: expected 5 to 22 rows");
        assert_eq!(error(" 4 . .", " 3 . ."), "line 2: expected row 4");
        assert_eq!(error("2 . . x", "2 . x"), "line 4: expected 5 points");
        assert_eq!(error("2 . . x", "2 . . . x"), "line 4: expected 5 points");
        assert_eq!(error("*", "é"), "line 2: unknown sign 'é'");
        let not_one = "brackets mark one stone, the last move";
        assert_eq!(error("1 . .", "1 . [.]"), format!("line 5: {not_one}"));
        assert_eq!(error(" x[o].", "[x o]."), format!("line 3: {not_one}"));
        assert_eq!(error("x[o].", "x[o ."), format!("line 3: {not_one}"));
        let around = "expected brackets around one stone, the last move, as [x]";
        let alone = |line: usize, bracket: &str| format!("line {line}: a '{bracket}' alone: {around}");
        assert_eq!(error("1 . . . . .", "1 . . . . .["), alone(5, "["));
        assert_eq!(error("[o]. .\n 2 . . x . .", " o . .\n 2 . . x .[x"), alone(4, "["));
        assert_eq!(error("1 . . . . .", "1 . . . . .]"), alone(5, "]"));
        assert_eq!(error("2 . . x", "2 . .]x"), alone(4, "]"));
        assert_eq!(error("x[o].", "x[]o ."), alone(3, "]"));
        assert_eq!(error("x[o].", "x[[o]."), alone(3, "["));
        assert_eq!(error("x[o].", "x[o]]."), alone(3, "]"));
        assert_eq!(
            "".parse::<Diagram>().unwrap_err().to_string(),
            "a diagram of 0 rows: expected 5 to 22 rows"
        );
    }
}
