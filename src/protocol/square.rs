//! Points in the protocol's notation: `x,y`, both from 0, `y` counted from the top.

use std::fmt;

use crate::game::{Point, Size};

/// A column and a row that may lie on no board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Square {
    /// Column from the left.
    pub x: i64,
    /// Row from the top.
    pub y: i64,
}

impl Square {
    /// Reads `x,y`; blanks around the numbers are tolerated.
    pub fn parse(text: &str) -> Option<Square> {
        let (x, y) = text.split_once(',')?;
        Some(Square { x: number(x)?, y: number(y)? })
    }

    /// The square of a point on a board of this size.
    pub fn of(p: Point, size: Size) -> Square {
        Square { x: p.x() as i64, y: (size.side() - 1 - p.y()) as i64 }
    }

    /// The point on a board of this size, if it is on it.
    pub fn point(self, size: Size) -> Option<Point> {
        let x = usize::try_from(self.x).ok()?;
        let y = usize::try_from(self.y).ok()?;
        size.contains(x, y).then(|| Point::new(x, size.side() - 1 - y))
    }

    /// Letter and number as clients of the protocol read them in a `pv`: `a1` is `0,0`.
    pub fn name(self) -> String {
        format!("{}{}", (b'a' + self.x as u8) as char, self.y + 1)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// Reads a decimal number with blanks around it. A number beyond 64 bits becomes the nearest one within.
pub fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_from_the_top() {
        let corner = Square::parse("0,0").unwrap().point(Size::S15).unwrap();
        assert_eq!(corner.to_string(), "a15");
        assert_eq!(Square::parse("10,10").unwrap().point(Size::S20), Some(Size::S20.center()));
        for p in Size::S20.points() {
            assert_eq!(Square::of(p, Size::S20).point(Size::S20), Some(p));
        }
        assert_eq!(Square { x: 7, y: 8 }.name(), "h9");
    }

    #[test]
    fn refuses_texts_that_are_no_squares() {
        for text in ["", "5", "5;6", ",", "x,y", "1,2,3", "1.0,2", "- 1,2", "١,٢"] {
            assert_eq!(Square::parse(text), None, "{text}");
        }
        assert_eq!(Square::parse(" 1 , 2 "), Some(Square { x: 1, y: 2 }));
        for text in ["15,0", "0,15", "-1,0", "4294967296,0", "99999999999999999999,0"] {
            assert_eq!(Square::parse(text).unwrap().point(Size::S15), None, "{text}");
        }
    }
}
