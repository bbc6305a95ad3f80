//! Gomocup's coordinates: `x,y` from 0, the row counted from the **top**; and its openings, offsets from the centre.

use super::{NotationError, Scanner};
use crate::game::{Move, Point, Position, Size};

/// The point at Gomocup's column `x` and row `y` (from the top), if it is on the board.
pub fn point(x: usize, y: usize, size: Size) -> Option<Point> {
    size.contains(x, y).then(|| Point::new(x, size.side() - 1 - y))
}

/// Gomocup's column and row of a point of a board of this size.
///
/// # Panics
/// With overflow checks, if the point is above the board.
pub fn coordinates(p: Point, size: Size) -> (usize, usize) {
    (p.x(), size.side() - 1 - p.y())
}

/// Parses `x,y`; blanks around the numbers are allowed.
///
/// # Errors
/// If it is anything else, or off the board.
pub fn parse_point(text: &str, size: Size) -> Result<Point, NotationError> {
    let mut scanner = Scanner::new(text.trim());
    let x = scanner.number().ok_or_else(|| scanner.unexpected("a column number"))?;
    skip_blanks(&mut scanner);
    scanner.expect("','", |c| (c == ',').then_some(()))?;
    skip_blanks(&mut scanner);
    let y = scanner.number().ok_or_else(|| scanner.unexpected("a row number"))?;
    scanner.end()?;
    point(x, y, size).ok_or_else(|| NotationError::NoPoint { name: format!("{x},{y}"), size })
}

/// Prints a point as `x,y`.
pub fn print_point(p: Point, size: Size) -> String {
    let (x, y) = coordinates(p, size);
    format!("{x},{y}")
}

/// Returns whether a text begins like coordinates: with a number and a comma.
pub(super) fn is_pairs(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.trim_start().starts_with(',')
}

/// Parses moves as coordinates, `x,y x,y …`: from 0, the row counted from the top, Black first. Blanks, commas and
/// semicolons separate the pairs.
///
/// # Errors
/// Says which character or move is wrong, and why.
pub fn parse_pairs(text: &str, size: Size) -> Result<Position, NotationError> {
    let mut position = Position::new(size);
    let mut scanner = Scanner::new(text);
    loop {
        while scanner.peek().is_some_and(|(_, c)| c.is_whitespace() || matches!(c, ',' | ';')) {
            scanner.advance();
        }
        if scanner.peek().is_none() {
            return Ok(position);
        }
        let number = position.moves().len() + 1;
        let x = scanner.number().ok_or_else(|| scanner.unexpected("a column number from 0"))?;
        comma(&mut scanner)?;
        let y = scanner.number().ok_or_else(|| scanner.unexpected("a row number from 0"))?;
        let p = point(x, y, size).ok_or_else(|| NotationError::OffBoard {
            number,
            name: format!("{x},{y}"),
            size,
        })?;
        position.push(Move::Place(p)).map_err(|error| NotationError::Move { number, error })?;
    }
}

/// Parses an opening of the managers' lists, `dx,dy, dx,dy, …`: offsets from the column and row `size / 2` as Gomocup
/// counts them, down positive, Black first.
///
/// # Errors
/// Says which character or move is wrong, and why.
pub fn parse_offsets(text: &str, size: Size) -> Result<Position, NotationError> {
    let mut position = Position::new(size);
    let mut scanner = Scanner::new(text.trim_end());
    skip_blanks(&mut scanner);
    while scanner.peek().is_some() {
        let number = position.moves().len() + 1;
        if number > 1 {
            comma(&mut scanner)?;
        }
        let dx = signed(&mut scanner)?;
        comma(&mut scanner)?;
        let dy = signed(&mut scanner)?;
        skip_blanks(&mut scanner);
        let center = (size.side() / 2) as i64;
        let on_board = |d: i64| usize::try_from(center + d).ok();
        let p = match (on_board(dx), on_board(dy)) {
            (Some(x), Some(y)) => point(x, y, size),
            _ => None,
        };
        let p =
            p.ok_or_else(|| NotationError::OffBoard { number, name: format!("offset {dx},{dy}"), size })?;
        position.push(Move::Place(p)).map_err(|error| NotationError::Move { number, error })?;
    }
    Ok(position)
}

/// Prints the stones of a position in their order as [`parse_offsets`] reads them.
pub fn print_offsets(position: &Position) -> String {
    let size = position.size();
    let center = (size.side() / 2) as i64;
    let pairs: Vec<String> = position
        .stones()
        .map(|(p, _)| {
            let (x, y) = coordinates(p, size);
            format!("{},{}", x as i64 - center, y as i64 - center)
        })
        .collect();
    pairs.join(", ")
}

fn skip_blanks(scanner: &mut Scanner<'_>) {
    while scanner.peek().is_some_and(|(_, c)| c.is_whitespace()) {
        scanner.advance();
    }
}

/// Reads a comma and the blanks around it.
fn comma(scanner: &mut Scanner<'_>) -> Result<(), NotationError> {
    skip_blanks(scanner);
    scanner.expect("','", |c| (c == ',').then_some(()))?;
    skip_blanks(scanner);
    Ok(())
}

/// Reads a number with an optional minus sign, kept small enough for any sum.
fn signed(scanner: &mut Scanner<'_>) -> Result<i64, NotationError> {
    let negative = scanner.peek().is_some_and(|(_, c)| c == '-');
    if negative {
        scanner.advance();
    }
    let value = scanner.number().ok_or_else(|| scanner.unexpected("a number"))?.min(1_000_000) as i64;
    Ok(if negative { -value } else { value })
}
