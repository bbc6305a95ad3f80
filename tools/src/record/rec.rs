//! Gomotur's `.rec`, which Piskvork reads and writes: the players' names, beginning with the one who moves
//! first, then a line `x,y,time` a move and Piskvork's error code.
//!
//! Columns and rows count from 0, rows from the top. The file does not say the board's size: Piskvork reads it on a
//! board of 20x20.

use super::game::Game;
use super::psq::{add_name, check_last_number, check_last_row, moves, name, write_moves};
use super::{Feature, ReadError};
use kagetsu::game::Size;
use kagetsu::game::quote::quoted;

/// Features that the format can hold. All boards have the same size.
pub const HOLDS: &[Feature] = &[Feature::BoardSize, Feature::Times, Feature::Players];

/// The properties of the players' names, which are the first lines.
const NAMES: [&str; 2] = ["PB", "PW"];

/// Reads a game on a board of this size, or of 20x20.
///
/// # Errors
/// The line, and what was expected there.
pub fn read(text: &str, size: Option<Size>) -> Result<Game, ReadError> {
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let mut game = Game::new(size.unwrap_or(Size::S20));
    for key in NAMES {
        let (number, player) = lines.next().unwrap_or((1 + text.lines().count(), ""));
        add_name(&mut game, key, player, number)?;
    }
    let Some((number, code)) = moves(&mut lines, &mut game, 0)? else {
        check_last_row(text, NAMES.len())?;
        return Ok(game);
    };
    if code.parse::<i64>().is_err() {
        let problem = format!("{} where a move or a number was expected", quoted(code));
        return Err(ReadError::line(number, problem));
    }
    match lines.find(|(_, line)| !line.is_empty()) {
        Some((number, line)) => {
            let problem = format!("{} where the end was expected", quoted(line));
            Err(ReadError::line(number, problem))
        }
        None => check_last_number(text, (number, code), 0, game.size).map(|()| game),
    }
}

/// Writes the main line of a game, without the size of its board. What [`HOLDS`] does not name is left out, as by
/// [`psq::write`](super::psq::write).
pub fn write(game: &Game) -> String {
    let [black, white] = NAMES.map(|key| name(game, key));
    let mut text = format!("{black}\n{white}\n");
    write_moves(&mut text, game, 0);
    text.push_str("-1\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::notation::moves;

    #[test]
    fn a_game() {
        let text = "first.exe\nsecond\n9,9,30\n10,8,0\n-1\n";
        let game = read(text, None).unwrap();
        assert_eq!(moves::print(game.main_position(None).unwrap().moves()), "j11k12");
        assert_eq!((game.property("PB"), game.property("PW")), (Some("first.exe"), Some("second")));
        assert_eq!(write(&game), text);
        let small = read("a\nb\n7,7\n", Some(Size::S15)).unwrap();
        assert_eq!(moves::print(small.main_position(None).unwrap().moves()), "h8");
    }

    #[test]
    fn a_file_cut_within_a_move_is_an_error() {
        let error = |text: &str| read(text, None).unwrap_err().to_string();
        assert_eq!(error("a\nb\n9,9,30\n1"), "line 4: the file ends within a move, after '1'");
        assert_eq!(error("a\nb\n9,9,30\n0"), "line 4: the file ends within a move, after '0'");
        // Rows 1 and 12 begin alike.
        let problem = error("a\nb\n9,9,30\n10,1");
        assert!(problem.starts_with("line 4: the file ends within a move"), "{problem}");
        for (text, moves) in [
            ("a\nb\n9,9,30\n10,1\n", 2),
            ("a,b,c\nd,e,f\n9,9\n10,1", 2),
            ("a\nb\n10,1", 1),
            ("a\nb\n9,9,30\n1\n", 1),
            ("a\nb\n9,9,30\n-1", 1),
            ("a\nb\n9,9,30\n20", 1),
        ] {
            assert_eq!(read(text, None).map(|game| game.tree.len()), Ok(1 + moves), "{text:?}");
        }
    }

    #[test]
    fn errors_say_the_line() {
        let error = |text: &str| read(text, None).unwrap_err().to_string();
        assert_eq!(error("a\n"), "line 2: '' where a player's name was expected");
        assert_eq!(error("a\n9,9,0\n8,8,0\n"), "line 2: '9,9,0' where a player's name was expected");
        assert!(error("a\nb\n20,0,0\n").starts_with("line 3: 20,0 is off the 20x20 board: expected 0 to 19"));
        assert!(error("a\nb\n1,1,0\n1,1,0\n").starts_with("line 4"));
        assert!(error("a\nb\n1,1,0\nx\n").starts_with("line 4: 'x' where a move or a number"));
        assert!(error("a\nb\n1,1,0\n2,2,x\n").starts_with("line 4: '2,2,x' where a move as"));
    }
}
