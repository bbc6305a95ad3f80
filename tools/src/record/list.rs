//! Lists of positions, one a line: move strings, setup strings, offsets from the centre. Blank lines and lines that
//! start with `#` are skipped. Only setup strings say their size.

use std::io::BufRead;

use super::{Charset, Feature, Game, ReadError, WriteError};
use crate::limits;
use kagetsu::game::notation::{self, NotationError, gomocup, moves, setup};
use kagetsu::game::{Color, Move, Point, Position, Size};

/// Notation of the lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// Move strings with row 1 at the bottom, opening codes, setup strings.
    Moves,
    /// Move strings with row 1 at the top, as c-gomoku-cli reads them.
    MovesFromTop,
    /// Gomocup's offsets from the centre.
    Offsets,
}

impl Notation {
    /// Returns the features that the notation can hold.
    pub fn holds(self) -> &'static [Feature] {
        match self {
            Notation::Moves => &[Feature::SeveralGames, Feature::Setup, Feature::Passes],
            Notation::MovesFromTop | Notation::Offsets => &[Feature::SeveralGames],
        }
    }

    fn parse(self, line: &str, size: Option<Size>) -> Result<Position, NotationError> {
        match self {
            Notation::Moves => notation::parse(line, size),
            Notation::MovesFromTop => Ok(flipped(&moves::parse(line, size.unwrap_or(Size::S15))?)),
            Notation::Offsets => gomocup::parse_offsets(line, size.unwrap_or(Size::S15)),
        }
    }

    fn print(self, position: &Position) -> String {
        match self {
            Notation::Moves if has_setup(position) => setup::print(position),
            Notation::Moves => moves::print(position.moves()),
            Notation::MovesFromTop => moves::print(flipped(position).moves()),
            Notation::Offsets => gomocup::print_offsets(position),
        }
    }
}

fn has_setup(position: &Position) -> bool {
    !position.setup().is_empty() || position.first() != Position::new(position.size()).first()
}

/// Returns whether the line of a game in a list of moves is a setup string, which says the board's size.
pub(super) fn is_setup(game: &Game) -> bool {
    !game.setup.is_empty() || game.first == Color::White
}

/// The moves with the rows turned over.
fn flipped(position: &Position) -> Position {
    let size = position.size();
    let mut flipped = Position::new(size);
    for m in position.moves() {
        let m = m.point().map_or(Move::Pass, |p| Move::Place(Point::new(p.x(), size.side() - 1 - p.y())));
        flipped.push(m).expect("different points stay different");
    }
    flipped
}

/// Reads a list; `charset` is the encoding of its comments.
///
/// # Errors
/// The line, and what is wrong with it. Reading continues after a wrong line.
pub fn read(
    mut input: impl BufRead,
    notation: Notation,
    charset: Charset,
    size: Option<Size>,
) -> impl Iterator<Item = Result<Game, ReadError>> {
    let mut bytes = Vec::new();
    let mut number = 0;
    let mut ended = false;
    std::iter::from_fn(move || {
        while !ended {
            number += 1;
            match limits::read_line(&mut input, &mut bytes) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    ended = true;
                    return Some(Err(ReadError::line(number, error).fatal()));
                }
            }
            let line = charset.decode(&bytes);
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let position = notation.parse(line, size).map_err(|error| ReadError::line(number, error));
                return Some(position.map(|position| Game::of_position(&position)));
            }
        }
        None
    })
}

/// Writes the main lines of games.
///
/// # Errors
/// If a game has both setup stones and moves, or no moves at all: a list has no line for such a game.
pub fn write(games: &[Game], notation: Notation) -> Result<String, WriteError> {
    let mut text = String::new();
    for game in games {
        let position = game.main_position(None).map_err(WriteError::Position)?;
        if has_setup(&position) && !position.moves().is_empty() {
            return Err(WriteError::Other("moves after setup stones".into()));
        }
        let line = notation.print(&position);
        if line.is_empty() {
            return Err(WriteError::Other("a game without moves".into()));
        }
        text += &line;
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str, notation: Notation, size: Option<Size>) -> Result<Vec<Game>, ReadError> {
        read(text.as_bytes(), notation, Charset::AUTO, size).collect()
    }

    #[test]
    fn each_notation_has_its_axes() {
        let read_one = |text: &str, notation, size| {
            let games = read_all(text, notation, Size::new(size).ok()).unwrap();
            moves::print(games.last().unwrap().main_position(None).unwrap().moves())
        };
        assert_eq!(read_one("# list\n\nh8h9", Notation::Moves, 15), "h8h9");
        assert_eq!(read_one("h8h9", Notation::MovesFromTop, 15), "h8h7");
        assert_eq!(read_one("0,0, 1,-1", Notation::Offsets, 20), "k10l11");
        let games = read_all("5/5/2x2/5/5 o", Notation::Moves, None).unwrap();
        assert_eq!(write(&games, Notation::Moves).unwrap(), "5/5/2x2/5/5 o\n");
        let error = read_all("h8\n\nh8h8", Notation::Moves, None).unwrap_err();
        assert_eq!(error.to_string(), "line 3: move 2: h8 is occupied");
    }

    #[test]
    fn a_line_may_be_only_so_long() {
        let long = format!("h8\n#{}\nh9\n", " ".repeat(limits::LINE));
        let games: Vec<_> = read(long.as_bytes(), Notation::Moves, Charset::AUTO, None).collect();
        assert_eq!((games.len(), games[0].is_ok()), (2, true));
        let problem = "line 2: the line is longer than 1048576 bytes";
        assert_eq!(games[1].as_ref().unwrap_err().to_string(), problem);
    }
}
