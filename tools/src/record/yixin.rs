//! Saved games of moves alone: RenLib's binary `.pos` (15x15) and Yixin-Board's text `.sav`.
//!
//! `.pos` is the number of moves and a byte a move, the row from the top times 15 plus the column: RenLib writes it so.
//! Yixin-Board, which only reads it, takes the row for the column. `.sav` is height, width, the number of moves and a line
//! `row column` a move, both from 0, rows from the top. Versions before May 2015 have the rule in the place of the width.

use super::line::Line;
use super::yxdb::RULES;
use super::{Feature, Game, ReadError, WriteError};
use kagetsu::game::notation::gomocup;
use kagetsu::game::quote::quoted;
use kagetsu::game::{Point, Size};

/// Features that `.pos` can hold.
pub const HOLDS_POS: &[Feature] = &[];
/// Features that `.sav` can hold.
pub const HOLDS_SAV: &[Feature] = &[Feature::BoardSize];

/// Reads a `.pos` file.
///
/// # Errors
/// The byte, and what was expected there.
pub fn read_pos(bytes: &[u8]) -> Result<Game, ReadError> {
    let Some((&count, moves)) = bytes.split_first() else {
        return Err(ReadError::byte(0, "the number of moves was expected"));
    };
    let count = usize::from(count);
    if moves.len() != count {
        let problem = format!("{} bytes of moves where {count} were expected", moves.len());
        return Err(ReadError::byte(1 + moves.len().min(count), problem));
    }
    let mut line = Line::new(Size::S15);
    for (i, &byte) in moves.iter().enumerate() {
        let byte = usize::from(byte);
        let p = line.free(byte % 15, byte / 15).map_err(|problem| ReadError::byte(1 + i, problem))?;
        line.push(p);
    }
    Ok(line.game)
}

/// Writes the main line of a game, which must be on 15x15, as a `.pos` file. What [`HOLDS_POS`] does not name is left out,
/// as by [`psq::write`](super::psq::write).
///
/// # Errors
/// If there are more than 255 moves.
pub fn write_pos(game: &Game) -> Result<Vec<u8>, WriteError> {
    let points = points(game);
    let count = u8::try_from(points.len()).map_err(|_| WriteError::Other("more than 255 moves".into()))?;
    let byte = |p: Point| {
        let (column, row) = gomocup::coordinates(p, Size::S15);
        (row * 15 + column) as u8
    };
    Ok(std::iter::once(count).chain(points.into_iter().map(byte)).collect())
}

/// Reads a `.sav` file.
///
/// # Errors
/// The line, and what was expected there.
pub fn read_sav(text: &str) -> Result<Game, ReadError> {
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let mut number = |expected: &str| {
        let (at, line) = lines.next().unwrap_or((text.lines().count() + 1, ""));
        let wrong = |_| ReadError::line(at, format!("{} where {expected} was expected", quoted(line)));
        line.parse::<usize>().map(|n| (at, n)).map_err(wrong)
    };
    let (first, height) = number("the board's height")?;
    let (at, width) = number("the board's width")?;
    let rule = RULES.get(width).copied();
    if rule.is_none() && height != width {
        return Err(ReadError::line(
            at,
            format!("a {width}x{height} board: only square boards are supported"),
        ));
    }
    let size = Size::new(height).map_err(|error| ReadError::line(first, error))?;
    let (_, count) = number("the number of moves")?;
    let mut line = Line::new(size);
    line.game.rule = rule;
    let mut last = None;
    for found in 0..count {
        let Some((at, text)) = lines.next() else {
            return Err(ReadError::line(4 + found, format!("the file ends after {found} of {count} moves")));
        };
        let mut numbers = text.split_whitespace().map(|n| n.parse::<usize>().ok());
        let (Some(Some(row)), Some(Some(column)), None) = (numbers.next(), numbers.next(), numbers.next())
        else {
            let problem = format!("{} where a row and a column were expected", quoted(text));
            return Err(ReadError::line(at, problem));
        };
        let p = line.free(column, row).map_err(|problem| ReadError::line(at, problem))?;
        line.push(p);
        last = Some((at, column));
    }
    if let Some((at, _)) = lines.find(|(_, text)| !text.is_empty()) {
        return Err(ReadError::line(at, format!("more than the {count} moves that were announced")));
    }
    // Columns 1 and 12 begin alike.
    let ends_open = text.ends_with(|c: char| c.is_ascii_digit());
    let cut = last.filter(|&(_, column)| ends_open && column > 0 && 10 * column < size.side());
    if let Some((at, column)) = cut {
        let problem = format!("the file ends within a move: a line end was expected after column {column}");
        return Err(ReadError::line(at, problem));
    }
    Ok(line.game)
}

/// Writes the main line of a game as a `.sav` file. What [`HOLDS_SAV`] does not name is left out, as by
/// [`psq::write`](super::psq::write).
pub fn write_sav(game: &Game) -> String {
    use std::fmt::Write as _;
    let points = points(game);
    let mut text = format!("{0}\n{0}\n{1}\n", game.size.side(), points.len());
    for p in points {
        let (column, row) = gomocup::coordinates(p, game.size);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{row} {column}");
    }
    text
}

fn points(game: &Game) -> Vec<Point> {
    game.tree.main_line().filter_map(|id| game.tree.point(id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::RuleKind;
    use kagetsu::game::notation::moves;

    fn moves_of(game: &Game) -> String {
        moves::print(game.main_position(None).unwrap().moves())
    }

    /// h8 is row 7, column 7 from the top left; i9 is row 6, column 8. By RenLib's source its byte is 6 * 15 + 8.
    #[test]
    fn both_files_of_a_game() {
        let pos = [2, 7 * 15 + 7, 6 * 15 + 8];
        assert_eq!(moves_of(&read_pos(&pos).unwrap()), "h8i9");
        assert_eq!(write_pos(&read_pos(&pos).unwrap()).unwrap(), pos);
        let sav = "15\n15\n2\n7 7\n6 8\n";
        assert_eq!(moves_of(&read_sav(sav).unwrap()), "h8i9");
        assert_eq!(write_sav(&read_sav(sav).unwrap()), sav);
    }

    /// By the source of Yixin-Board before May 2015, the second number is the rule: 0 freestyle, 1 five alone, 2 Renju.
    #[test]
    fn files_of_early_versions_state_the_rule() {
        for (number, rule) in [(0, RuleKind::Freestyle), (1, RuleKind::Standard), (2, RuleKind::Renju)] {
            let game = read_sav(&format!("15\n{number}\n2\n7 7\n6 8\n")).unwrap();
            assert_eq!((moves_of(&game).as_str(), game.rule), ("h8i9", Some(rule)));
        }
        let error = read_sav("15\n3\n0\n").unwrap_err().to_string();
        assert_eq!(error, "line 2: a 3x15 board: only square boards are supported");
        assert_eq!(read_sav("15\n15\n0\n").unwrap().rule, None);
    }

    #[test]
    fn a_file_cut_within_a_move_is_an_error() {
        let whole = "15\n15\n1\n7 12";
        for cut in 0..whole.len() {
            assert!(read_sav(&whole[..cut]).is_err(), "{cut} bytes");
        }
        let problem = "line 4: the file ends within a move: a line end was expected after column 1";
        assert_eq!(read_sav("15\n15\n1\n7 1").unwrap_err().to_string(), problem);
        let ends = ["15\n15\n1\n7 1\n", "15\n15\n1\n7 2", "15\n15\n1\n7 0", "9\n9\n1\n7 1", "15\n15\n0"];
        for text in ends.into_iter().chain([whole]) {
            assert!(read_sav(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn errors_say_the_place() {
        let pos = |bytes: &[u8]| read_pos(bytes).unwrap_err().to_string();
        assert_eq!(pos(&[]), "byte 0: the number of moves was expected");
        assert_eq!(pos(&[2, 0]), "byte 2: 1 bytes of moves where 2 were expected");
        assert_eq!(pos(&[2, 14, 14]), "byte 2: o15 is occupied");
        assert_eq!(pos(&[1, 225]), "byte 1: row 15, column 0 is off the 15x15 board");
        let sav = |text: &str| read_sav(text).unwrap_err().to_string();
        assert_eq!(sav("15\n15\n"), "line 3: '' where the number of moves was expected");
        assert_eq!(sav("15\n15\n1\n"), "line 4: the file ends after 0 of 1 moves");
        assert_eq!(sav("15\n16\n0\n"), "line 2: a 16x15 board: only square boards are supported");
        assert_eq!(sav("15\n15\n1\n3 15\n"), "line 4: row 3, column 15 is off the 15x15 board");
        assert_eq!(sav("15\n15\n0\n3 15\n"), "line 4: more than the 0 moves that were announced");
    }
}
