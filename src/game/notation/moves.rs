//! Move strings and opening codes: `h8h9i8`, `H8, h9--i8`, `D4 g9`, `1.h8 h9 2.i9`.
//!
//! A number with a dot before a move is skipped. Blanks, commas or single dashes may separate moves; two dashes are one
//! pass. An opening code counts only as the first token, with an upper-case letter, alone or before a separator.
//! Everything else, including `d4`, is a move. `4D` and `4I` are the same openings as `D4` and `I4`; Cyrillic letters
//! mark Russian codes ([`crate::game::openings26::lookup`]).

use super::{NotationError, Scanner};
use crate::game::openings26::{Codes, Opening};
use crate::game::{Error, Move, Position, Size};

/// Parses moves, with an opening code before them if there is one, for a board of this size.
///
/// # Errors
/// Says which character or move is wrong, and why.
pub fn parse(text: &str, size: Size) -> Result<Position, NotationError> {
    let mut position = Position::new(size);
    let mut scanner = Scanner::new(text);
    skip_blanks(&mut scanner);
    if let Some(opening) = opening(&mut scanner) {
        let Some(moves) = opening.moves_on(size) else {
            return Err(NotationError::OpeningSize { code: opening.code, size });
        };
        for p in moves {
            push(&mut position, Move::Place(p))?;
        }
    }
    while let Some(m) = next_move(&mut scanner, size, position.moves().len() + 1)? {
        push(&mut position, m)?;
    }
    Ok(position)
}

/// Prints moves as [`parse`] reads them, without separators: `h8h9--i8`.
pub fn print(moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect()
}

fn push(position: &mut Position, m: Move) -> Result<(), NotationError> {
    let number = position.moves().len() + 1;
    position.push(m).map_err(|error: Error| NotationError::Move { number, error })
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == ','
}

fn skip_blanks(scanner: &mut Scanner<'_>) {
    while scanner.peek().is_some_and(|(_, c)| is_blank(c)) {
        scanner.advance();
    }
}

/// Reads an opening code and nothing after it. A code with the number first cannot be a move, so its letter may have
/// either case.
fn opening(scanner: &mut Scanner<'_>) -> Option<&'static Opening> {
    let rest = scanner.rest();
    let end = rest.find(|c: char| is_blank(c) || c == '-').unwrap_or(rest.len());
    let (code, after) = rest.split_at(end);
    if after.starts_with("--") {
        return None;
    }
    let opening = Opening::from_code(code).or_else(|| Opening::of_numbered_code(code, Codes::Rif))?;
    for _ in code.chars() {
        scanner.advance();
    }
    Some(opening)
}

/// Reads separators and the move behind them; `number` is the move's.
fn next_move(scanner: &mut Scanner<'_>, size: Size, number: usize) -> Result<Option<Move>, NotationError> {
    while let Some((_, c)) = scanner.peek() {
        if c == '-' {
            scanner.advance();
            if scanner.peek().is_some_and(|(_, c)| c == '-') {
                scanner.advance();
                return Ok(Some(Move::Pass));
            }
        } else if is_blank(c) {
            scanner.advance();
        } else if scanner.rest().trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.') {
            // A move's number, as "2." or "2...", and never a dot alone.
            if scanner.number().is_none() {
                return Err(scanner.unexpected("a move"));
            }
            while scanner.peek().is_some_and(|(_, c)| c == '.') {
                scanner.advance();
            }
        } else {
            let name = scanner.point()?;
            let p = name.on(size).ok_or_else(|| NotationError::OffBoard {
                number,
                name: name.text.to_string(),
                size,
            })?;
            return Ok(Some(Move::Place(p)));
        }
    }
    Ok(None)
}
