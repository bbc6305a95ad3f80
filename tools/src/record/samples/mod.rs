//! Training samples as c-gomoku-cli records them: `.bin`, a position with the move played in it, and `.binpack`, a game
//! with the engines' scores.
//!
//! Both are little-endian words of bit fields, the first field in the lowest bits. A point is the column times 32 plus
//! the row from the top. Results are from the view of the side to move in the first position, scores from the mover's.
//! These are kept as the property `V` of a move, in the engine's units and from Black's view, as SGF has it.

mod bin;
mod binpack;

pub use bin::{read as read_bin, write as write_bin};
pub use binpack::{read as read_binpack, write as write_binpack};

use std::io::BufRead;

use super::line::Line;
use super::words::Words;
use super::{Feature, Game, GameResult, NodeId, ReadError, WriteError};
use kagetsu::game::notation::gomocup;
use kagetsu::game::{Color, Point, RuleKind, Size};

/// Features that `.bin` can hold.
pub const HOLDS_BIN: &[Feature] =
    &[Feature::SeveralGames, Feature::BoardSize, Feature::Rule, Feature::Result];
/// Features that `.binpack` can hold.
pub const HOLDS_BINPACK: &[Feature] =
    &[Feature::SeveralGames, Feature::BoardSize, Feature::Rule, Feature::Result, Feature::Scores];

/// No result is known.
const NO_RESULT: u32 = 3;

/// Games read by `one`, one after another, until the file ends or is wrong.
fn each<R: BufRead>(
    input: R,
    one: fn(&mut Words<R>) -> Result<Game, ReadError>,
) -> impl Iterator<Item = Result<Game, ReadError>> {
    let mut open = Some(Words::new(input));
    std::iter::from_fn(move || {
        let words = open.as_mut()?;
        let game = match words.is_empty() {
            Ok(true) => None,
            Ok(false) => Some(one(words).map_err(ReadError::fatal)),
            Err(error) => Some(Err(error.fatal())),
        };
        if !matches!(game, Some(Ok(_))) {
            open = None;
        }
        game
    })
}

/// A game from the fields of its head, which stands at a byte of the file.
fn begin(size: u32, rule: u32, at: usize) -> Result<Line, ReadError> {
    let size = Size::new(size as usize).map_err(|error| ReadError::byte(at, error))?;
    let mut line = Line::new(size);
    let rule = RuleKind::from_gomocup(rule);
    line.game.rule = Some(rule.ok_or_else(|| ReadError::byte(at, "rule: 0, 1 or 4 was expected"))?);
    Ok(line)
}

/// A point that has no stone yet; `at` is its byte.
fn free(line: &Line, raw: u16, at: usize) -> Result<Point, ReadError> {
    line.free(usize::from(raw >> 5), usize::from(raw & 31)).map_err(|problem| ReadError::byte(at, problem))
}

/// A result from the view of `side`.
fn result(code: u32, side: Color, at: usize) -> Result<Option<GameResult>, ReadError> {
    Ok(match code {
        0 => Some(GameResult::Win(!side)),
        1 => Some(GameResult::Draw),
        2 => Some(GameResult::Win(side)),
        NO_RESULT => None,
        _ => return Err(ReadError::byte(at, "result: 0, 1 or 2 was expected")),
    })
}

/// The number of a result, from the view of a side.
fn result_code(game: &Game, side: Color) -> u32 {
    match game.result {
        None => NO_RESULT,
        Some(GameResult::Draw) => 1,
        Some(GameResult::Win(winner)) => {
            if winner == side {
                2
            } else {
                0
            }
        }
    }
}

fn rule_code(game: &Game) -> Result<u32, WriteError> {
    let code = game.rule.map(RuleKind::gomocup).filter(|&code| code < 8);
    code.ok_or(WriteError::Rule("freestyle, standard or renju"))
}

fn raw(p: Point, size: Size) -> u16 {
    let (column, row) = gomocup::coordinates(p, size);
    (column << 5 | row) as u16
}

/// The nodes of the main line that have a stone.
fn stones(game: &Game) -> Vec<(NodeId, Point)> {
    game.tree.main_line().filter_map(|id| Some((id, game.tree.point(id)?))).collect()
}

/// The side to move after this many moves.
fn side_after(moves: usize) -> Color {
    if moves.is_multiple_of(2) { Color::Black } else { Color::White }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Note;
    use kagetsu::game::notation::moves;

    fn moves_of(game: &Game) -> String {
        moves::print(game.main_position(None).unwrap().moves())
    }

    fn read_all(games: impl Iterator<Item = Result<Game, ReadError>>) -> Result<Vec<Game>, ReadError> {
        games.collect()
    }

    #[test]
    fn several_lines_of_a_packed_game() {
        // Size 5, rule 0, Black has won, two stones; no stone before, three moves: a1 with a score of -2, then a second
        // choice b1 (4), then c1 without a score.
        let head = 5u32 | 2 << 8 | 2 << 12;
        let mut file = head.to_le_bytes().to_vec();
        file.extend((3u32 << 14).to_le_bytes());
        let choice = |x: u16, flags: u16, score: i16| [(x << 5 | 4) << 6 | flags, score as u16];
        let words = [choice(0, 1, -2), choice(1, 2, 4), choice(2, 1 | 2 | 4, 0)];
        file.extend(words.iter().flatten().flat_map(|w| w.to_le_bytes()));
        let game = &read_all(read_binpack(&file[..])).unwrap()[0];
        assert_eq!((moves_of(game).as_str(), game.result), ("a1c1", Some(GameResult::Win(Color::Black))));
        let first: Vec<_> = game.tree.children(NodeId::ROOT).collect();
        assert_eq!(first.len(), 2);
        assert_eq!(game.tree.notes(first[0]).collect::<Vec<_>>(), [Note::Property("V", "-2")]);
        assert_eq!(game.tree.notes(first[1]).collect::<Vec<_>>(), [Note::Property("V", "4")]);
    }

    #[test]
    fn scores_are_the_movers_in_files_and_blacks_in_games() {
        // Size 5, rule 0, a draw, three stones and none before the first move; a1 with 30, then b1 with 20, then c1 with
        // the least score.
        let head = 5u32 | 1 << 8 | 3 << 12;
        let mut file = head.to_le_bytes().to_vec();
        file.extend((3u32 << 14).to_le_bytes());
        let choice = |x: u16, score: i16| [(x << 5 | 4) << 6 | 3, score.cast_unsigned()];
        let words = [choice(0, 30), choice(1, 20), choice(2, i16::MIN)];
        file.extend(words.iter().flatten().flat_map(|w| w.to_le_bytes()));
        let games = read_all(read_binpack(&file[..])).unwrap();
        let tree = &games[0].tree;
        let notes: Vec<_> = tree.main_line().flat_map(|id| tree.notes(id)).collect();
        assert_eq!(notes, ["30", "-20", "-32768"].map(|score| Note::Property("V", score)));
        assert_eq!(write_binpack(&games).unwrap(), file);
    }

    #[test]
    fn errors_say_the_byte() {
        let bin = |bytes: &[u8]| read_all(read_bin(bytes)).unwrap_err().to_string();
        assert_eq!(bin(&[1]), "byte 1: the file ends where a sample was expected");
        assert!(bin(&[0x01, 0x18, 0, 0]).starts_with("byte 0: board size 3"));
        assert_eq!(bin(&[0x05, 0x78, 0x3c, 0x07]), "byte 4: the file ends where a move was expected");
        assert_eq!(bin(&[0x05, 0x78, 0x3c, 0x07, 0xe7, 0]), "byte 2: h8 is occupied");
        assert_eq!(bin(&[0x01, 0x78, 0x3e, 0x07]), "byte 0: rule: 0, 1 or 4 was expected");
        assert_eq!(bin(&[0x01, 0x78, 0xfc, 0xff]), "byte 2: row 31, column 31 is off the 15x15 board");
    }
}
