//! Setup strings, for positions without a move order: `5/5/1xo2/5/5 x`.
//!
//! Rows from the top to the bottom, separated by `/`; a run of digits is one count of empty points, `x` Black, `o`
//! White; then a blank and the side to move. The number of rows is the size. Any stone counts are accepted.

use super::{NotationError, Scanner};
use crate::game::{Color, Point, Position, Size};

/// Parses a setup string.
///
/// # Errors
/// Says which character or row is wrong, and why.
pub fn parse(text: &str) -> Result<Position, NotationError> {
    let text = text.trim();
    let rows = text.matches('/').count() + 1;
    let size = Size::new(rows).map_err(|error| NotationError::Rows(rows, error))?;
    let mut scanner = Scanner::new(text);
    let mut stones = Vec::new();
    for row in 1..=rows {
        if row > 1 {
            scanner.expect("'/'", |c| (c == '/').then_some(()))?;
        }
        let stones_of_row = row_of(&mut scanner, row, size)?;
        stones.extend(stones_of_row.map(|(x, color)| (Point::new(x, rows - row), color)));
    }
    scanner.expect("a blank and the side to move", |c| c.is_whitespace().then_some(()))?;
    while scanner.peek().is_some_and(|(_, c)| c.is_whitespace()) {
        scanner.advance();
    }
    let side = scanner.expect("the side to move, x or o", stone)?;
    scanner.end()?;
    Ok(Position::from_stones(size, stones, side).expect("the rows name each point of the board once"))
}

fn stone(c: char) -> Option<Color> {
    match c {
        'x' | 'X' => Some(Color::Black),
        'o' | 'O' => Some(Color::White),
        _ => None,
    }
}

/// Reads one row and gives its stones with their columns.
fn row_of(
    scanner: &mut Scanner<'_>,
    row: usize,
    size: Size,
) -> Result<impl Iterator<Item = (usize, Color)>, NotationError> {
    let mut stones = Vec::new();
    let mut width = 0usize;
    while let Some((_, c)) = scanner.peek() {
        if let Some(color) = stone(c) {
            stones.push((width, color));
            width = width.saturating_add(1);
            scanner.advance();
        } else if let Some(empty) = scanner.number() {
            width = width.saturating_add(empty);
        } else if c == '/' || c.is_whitespace() {
            break;
        } else {
            return Err(scanner.unexpected("x, o, a number or '/'"));
        }
    }
    if width != size.side() {
        return Err(NotationError::RowWidth { row, width, size: size.side() });
    }
    Ok(stones.into_iter())
}

/// Prints the stones of a position and the side to move as [`parse`] reads them; the order of moves is lost.
pub fn print(position: &Position) -> String {
    let side = position.size().side();
    let mut cells = vec![None; side * side];
    for (p, color) in position.stones() {
        cells[(side - 1 - p.y()) * side + p.x()] = Some(color);
    }
    let rows: Vec<String> = cells.chunks(side).map(print_row).collect();
    format!("{} {}", rows.join("/"), letter(position.side()))
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'x',
        Color::White => 'o',
    }
}

fn print_row(cells: &[Option<Color>]) -> String {
    let mut text = String::new();
    for run in cells.chunk_by(|a, b| a.is_none() && b.is_none()) {
        match run[0] {
            Some(color) => text.push(letter(color)),
            None => text += &run.len().to_string(),
        }
    }
    text
}
