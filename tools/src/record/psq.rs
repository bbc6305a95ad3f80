//! Piskvork's `.psq`: a header line, a line `x,y,time` a move, then perhaps the players' names and a last number.
//!
//! Columns and rows count from 1, rows from the top. The last line is Piskvork's error code, or the result and the
//! tournament as the Gomocup judge writes them.

use super::game::{Game, GameResult};
use super::notes::Note;
use super::tree::NodeId;
use super::{Feature, ReadError};
use crate::untrusted;
use kagetsu::game::notation::gomocup;
use kagetsu::game::quote::quoted;
use kagetsu::game::{Color, Error, Move, Point, PointSet, Size};

/// Features that the format can hold.
pub const HOLDS: &[Feature] =
    &[Feature::BoardSize, Feature::Times, Feature::Players, Feature::Result, Feature::Event];

/// Stands for a name that is not known.
const NO_NAME: &str = "-";
/// Lines that may follow the moves: two names and a number.
const TRAILER: usize = 3;

/// Reads a game.
///
/// # Errors
/// The line, and the expected content.
pub fn read(text: &str) -> Result<Game, ReadError> {
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let (_, header) = lines.next().unwrap_or((1, ""));
    let (size, starter) = self::header(header).map_err(|problem| ReadError::line(1, problem))?;
    let mut game = Game::new(size);
    let mut rest = Vec::from_iter(moves(&mut lines, &mut game, 1)?);
    if rest.is_empty() {
        check_last_row(text, 1)?;
    }
    // One line more than a trailer has shows that the file is wrong; a file of nothing but lines would take much memory.
    rest.extend(lines.filter(|(_, line)| !line.is_empty()).take(TRAILER + 1));
    rest.retain(|(_, line)| !line.is_empty());
    if let [last] = rest[..] {
        check_last_number(text, last, 1, size)?;
    }
    trailer(&mut game, &rest, starter)?;
    Ok(game)
}

/// Checks a file that ends with a move, behind `head` lines that are no moves.
///
/// # Errors
/// If the last line has no end and is `x,y`, although a move before it has a time: the row may be cut too.
pub(super) fn check_last_row(text: &str, head: usize) -> Result<(), ReadError> {
    let commas = |line: &str| line.matches(',').count();
    let mut moves = text.lines();
    let last = moves.next_back().unwrap_or_default();
    if !text.ends_with('\n') && commas(last) == 1 && moves.skip(head).any(|line| commas(line) > 1) {
        let problem = "the file ends within a move, which has no time as the moves before it have";
        return Err(ReadError::line(text.lines().count(), problem));
    }
    Ok(())
}

/// Checks the last line of a file, which is no move.
///
/// # Errors
/// If it has no end and is a column, counted from `base`: a move starts like that. A program that wrote a number there wrote
/// the line's end too, or an error code that is no column.
pub(super) fn check_last_number(
    text: &str,
    (number, line): (usize, &str),
    base: usize,
    size: Size,
) -> Result<(), ReadError> {
    let is_column = line.parse::<usize>().is_ok_and(|column| (base..base + size.side()).contains(&column));
    if is_column && !text.ends_with('\n') {
        return Err(ReadError::line(number, format!("the file ends within a move, after {}", quoted(line))));
    }
    Ok(())
}

/// Reads moves, whose columns and rows count from `base`, and returns the line after them.
pub(super) fn moves<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    game: &mut Game,
    base: i64,
) -> Result<Option<(usize, &'a str)>, ReadError> {
    let mut node = NodeId::ROOT;
    let mut color = Color::Black;
    let mut occupied = PointSet::EMPTY;
    for (number, line) in lines {
        let Some((x, y, rest)) = coordinates(line) else { return Ok(Some((number, line))) };
        let wrong = || {
            let problem = format!("{} where a move as '8,8' or '8,8,150' was expected", quoted(line));
            ReadError::line(number, problem)
        };
        let time = match rest.strip_prefix(',') {
            None if rest.is_empty() => None,
            time => Some(time.and_then(|time| time.trim().parse::<i64>().ok()).ok_or_else(wrong)?),
        };
        let p = point(x, y, base, game.size).ok_or_else(|| {
            let last = game.size.side() as i64 - 1 + base;
            let problem = format!("{x},{y} is off the {} board: expected {base} to {last}", game.size);
            ReadError::line(number, problem)
        })?;
        if occupied.contains(p) {
            return Err(ReadError::line(number, Error::Occupied(p)));
        }
        occupied.insert(p);
        node = game.tree.add(node, Some((color, Move::Place(p))));
        let time = time.and_then(|ms| u32::try_from(ms).ok()).filter(|&ms| ms > 0);
        game.tree.annotate(node, time.map(Note::Time));
        color = !color;
    }
    Ok(None)
}

/// Reads `Piskvorky 20x20, 11:11, 0` and gives the size, and whether the player named first or second moved first.
fn header(line: &str) -> Result<(Size, usize), String> {
    let expected = || format!("{} where a header as 'Piskvorky 20x20, 11:11, 0' was expected", quoted(line));
    let rest = line.strip_prefix("Piskvorky").ok_or_else(expected)?;
    let mut parts = rest.split(',').map(str::trim);
    let (width, height) = parts.next().and_then(|s| s.split_once('x')).ok_or_else(expected)?;
    let number = |s: &str| s.trim().parse::<usize>().map_err(|_| expected());
    let (width, height) = (number(width)?, number(height)?);
    if width != height {
        return Err(format!("a {width}x{height} board: only square boards are supported"));
    }
    let starter = match parts.nth(1) {
        Some("0") => 0,
        Some("1") => 1,
        _ => return Err(expected()),
    };
    Ok((Size::new(width).map_err(|error| error.to_string())?, starter))
}

/// Reads the `x,y` of a line that begins like a move, and returns what follows it, which should be nothing or a comma and the
/// time. Another line ends the moves.
fn coordinates(line: &str) -> Option<(i64, i64, &str)> {
    let (x, rest) = line.split_once(',')?;
    let (x, between) = whole_number(x)?;
    let (y, rest) = whole_number(rest)?;
    between.is_empty().then_some((x, y, rest))
}

/// Reads the number at the beginning of a text, and returns what follows it.
fn whole_number(text: &str) -> Option<(i64, &str)> {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['-', '+']));
    let digits = text.bytes().skip(sign).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(sign + digits);
    Some((number.parse().ok()?, rest.trim_start()))
}

fn point(x: i64, y: i64, base: i64, size: Size) -> Option<Point> {
    let x = usize::try_from(x.checked_sub(base)?).ok()?;
    let y = usize::try_from(y.checked_sub(base)?).ok()?;
    gomocup::point(x, y, size)
}

/// Reads what follows the moves: nothing, a number, or two names and a number.
fn trailer(game: &mut Game, rest: &[(usize, &str)], starter: usize) -> Result<(), ReadError> {
    let (names, last) = match rest {
        [] => return Ok(()),
        [last] => (None, Some(last)),
        [one, two] => (Some([*one, *two]), None),
        [one, two, last] => (Some([*one, *two]), Some(last)),
        [_, _, _, (number, line), ..] => {
            let problem = format!("{} where the end was expected", quoted(line));
            return Err(ReadError::line(*number, problem));
        }
    };
    if let Some(names) = names {
        for (key, (number, name)) in [("PB", names[starter]), ("PW", names[1 - starter])] {
            add_name(game, key, name, number)?;
        }
    }
    let Some(&(number, line)) = last else { return Ok(()) };
    let (code, event) = line.split_once(',').map_or((line, None), |(code, event)| (code, Some(event)));
    // A result follows names. Without names the line is the rest of a move.
    let code = code.trim().parse::<i64>().ok().filter(|_| event.is_none() || names.is_some());
    let code = code.ok_or_else(|| {
        let problem = format!("{} where a move, a name or a result was expected", quoted(line));
        ReadError::line(number, problem)
    })?;
    // Only the judge writes a result; Piskvork's own last number is an error code.
    if let Some(event) = event {
        let player = |n: usize| Some(GameResult::Win(if n == starter { Color::Black } else { Color::White }));
        game.result = match code {
            0 => Some(GameResult::Draw),
            1 => player(0),
            2 => player(1),
            _ => None,
        };
        game.add_property("EV", event.trim());
    }
    Ok(())
}

/// Writes the main line of a game. What [`HOLDS`] does not name, such as passes, is left out, and all stones have to be on
/// the board. [`Format::write`](super::Format::write) checks both first.
pub fn write(game: &Game) -> String {
    use std::fmt::Write as _;
    let mut text = format!("Piskvorky {0}x{0}, 11:11, 0\n", game.size.side());
    write_moves(&mut text, game, 1);
    let name = |key| name(game, key);
    let event = one_line(game.property("EV").unwrap_or_default());
    let code = match game.result {
        Some(GameResult::Draw) => "0",
        Some(GameResult::Win(Color::Black)) => "1",
        Some(GameResult::Win(Color::White)) => "2",
        None => "-1",
    };
    let _ = match (game.result, event.is_empty()) {
        (None, true) if game.property("PB").or(game.property("PW")).is_none() => writeln!(text, "{code}"),
        (None, true) => writeln!(text, "{}\n{}\n{code}", name("PB"), name("PW")),
        _ => writeln!(text, "{}\n{}\n{code},{event}", name("PB"), name("PW")),
    };
    text
}

/// Writes the main line, columns and rows counted from `base`.
pub(super) fn write_moves(text: &mut String, game: &Game, base: usize) {
    use std::fmt::Write as _;
    for id in game.tree.main_line() {
        let Some(p) = game.tree.point(id) else { continue };
        let (x, y) = gomocup::coordinates(p, game.size);
        let time = game.tree.notes(id).find_map(|n| if let Note::Time(ms) = n { Some(ms) } else { None });
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{},{},{}", x + base, y + base, time.unwrap_or(0));
    }
}

/// A player's name as a line, which must not look like a move.
pub(super) fn name(game: &Game, key: &str) -> String {
    let name = one_line(game.property(key).unwrap_or_default());
    match coordinates(&name) {
        Some(_) => name.replace(',', ";"),
        None if name.is_empty() => NO_NAME.to_owned(),
        None => name,
    }
}

/// Keeps a player's name, unless it stands for an unknown one.
///
/// # Errors
/// If it is empty, begins like a move, or has a NUL, which a damaged file has in the place of lost text.
pub(super) fn add_name(game: &mut Game, key: &str, name: &str, line: usize) -> Result<(), ReadError> {
    if name.is_empty() || coordinates(name).is_some() || name.contains('\0') {
        let problem = format!("{} where a player's name was expected", quoted(name));
        return Err(ReadError::line(line, problem));
    }
    game.add_property(key, if name == NO_NAME { "" } else { name });
    Ok(())
}

/// A text without line breaks.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    untrusted::stored(&line).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::notation;

    fn moves_of(game: &Game) -> String {
        notation::moves::print(game.main_position(None).unwrap().moves())
    }

    /// The examples are those in the format's description.
    #[test]
    fn the_judge_writes_a_result() {
        let text = "Piskvorky 20x20, 11:11, 0\n10,10,456\n11,12,4500\na.exe\nb,c.ZIP\n2,1 cup\n";
        let game = read(text).unwrap();
        assert_eq!(moves_of(&game), "j11k9");
        assert_eq!(game.result, Some(GameResult::Win(Color::White)));
        assert_eq!((game.property("PB"), game.property("PW")), (Some("a.exe"), Some("b,c.ZIP")));
        assert_eq!(game.property("EV"), Some("1 cup"));
        assert_eq!(write(&game), text);
    }

    #[test]
    fn piskvork_writes_an_error_code_or_nothing() {
        let game = read("Piskvorky 15x15, 0:11, 1\r\n8,8\r\n8,7,12\r\nfirst\r\nsecond\r\n0\r\n").unwrap();
        assert_eq!(moves_of(&game), "h8h9");
        assert_eq!(game.result, None, "the number is an error code");
        assert_eq!(game.property("PB"), Some("second"), "the player named second moved first");
        assert_eq!(moves_of(&read("Piskvorky 15x15, 0:0, 0\n8,8,1\n-1\n").unwrap()), "h8");
        assert_eq!(moves_of(&read("Piskvorky 15x15, 0:0, 0\n").unwrap()), "");
    }

    #[test]
    fn a_file_cut_within_a_move_is_an_error() {
        let error = read("Piskvorky 15x15, 0:0, 0\n8,8,1\n9").unwrap_err();
        assert_eq!(error.to_string(), "line 3: the file ends within a move, after '9'");
        // Rows 1 and 12 begin alike.
        let error = read("Piskvorky 15x15, 0:0, 0\n8,8,1\n9,1").unwrap_err().to_string();
        assert!(error.starts_with("line 3: the file ends within a move"), "{error}");
        for whole in ["8,8,1\n9,1\n", "8,8\n9,1", "9,1"] {
            read(&format!("Piskvorky 15x15, 0:0, 0\n{whole}")).unwrap();
        }
        for whole in ["9\n", "0", "-1", "16"] {
            let text = format!("Piskvorky 15x15, 0:0, 0\n8,8,1\n{whole}");
            assert_eq!(moves_of(&read(&text).unwrap()), "h8", "{whole:?}");
        }
    }

    /// The text behind a move may be the next move, whose loss would exchange the colours of all later ones.
    #[test]
    fn more_than_a_move_in_a_line_is_an_error() {
        let game = |line: &str| read(&format!("Piskvorky 15x15, 0:0, 0\n1,1,0\n{line}\n2,2,0\n-1\n"));
        for line in ["8,8,5 9,9,5", "7,7,oops", "5,5,1,2,3 junk", "6,8,0\u{0}9,7,0", "7,7,5,", "7,7,"] {
            let error = game(line).unwrap_err().to_string();
            let problem = format!("line 3: '{}' where a move as", line.escape_debug());
            assert!(error.starts_with(&problem), "{error}");
        }
        // A clock that was set back makes times negative.
        for line in ["7,7", "7,7\r", "7,7,5 \t", " 7, 7, 5\r", "7,7,-5", "7,7,99999999999"] {
            assert_eq!(moves_of(&game(line).unwrap()), "a15g9b14", "{line:?}");
        }
    }

    /// Two lines behind the moves could be names.
    #[test]
    fn a_damaged_move_is_no_name() {
        for line in ["7,7\u{0}", "7,7\u{0}\u{0},5", "7,7 6,6", "7,7x", " 7 , 7 x"] {
            let error = read(&format!("Piskvorky 15x15, 0:0, 0\n8,8\n{line}\n-1\n")).unwrap_err().to_string();
            let problem = format!("line 3: '{}' where a move as", line.trim().escape_debug());
            assert!(error.starts_with(&problem), "{error}");
        }
        for line in ["7\u{0},7", "\u{0},7", "\u{0}"] {
            let error = read(&format!("Piskvorky 15x15, 0:0, 0\n8,8\n{line}\n-1\n")).unwrap_err().to_string();
            assert!(error.ends_with("where a player's name was expected"), "{error}");
        }
    }

    #[test]
    fn errors_say_the_line() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error("").starts_with("line 1: '' where a header"));
        assert!(error("Piskvorky 15x16, 1:1, 0\n").contains("15x16"));
        assert!(error("Piskvorky 15x15, 1:1, 0\n8,8,1\n8,8,1\n").starts_with("line 3: h8 is occupied"));
        assert!(error("Piskvorky 15x15, 1:1, 0\n16,8,1\n").starts_with("line 2: 16,8 is off"));
        assert!(error("Piskvorky 15x15, 1:1, 0\n8,8,1\na\nb\nc\n").starts_with("line 5"));
        // After a blank line there are no moves, and names do not follow either.
        for moves in ["8,7,1\n9,9,1\n", "8,7,1\n9,9,1\n7,7,1\n", "a\n9,9,1\n-1\n"] {
            let problem = error(&format!("Piskvorky 15x15, 1:1, 0\n8,8,1\n\n{moves}"));
            assert!(problem.ends_with("where a player's name was expected"), "{problem}");
        }
    }

    #[test]
    fn names_that_look_like_moves_are_written_with_a_semicolon() {
        let mut game = read("Piskvorky 15x15, 1:1, 0\n8,8,0\n").unwrap();
        for (key, text) in [("PB", "1,2 go"), ("PW", "3,4"), ("EV", "10,5 s")] {
            game.add_property(key, text);
        }
        let text = write(&game);
        assert_eq!(text, "Piskvorky 15x15, 11:11, 0\n8,8,0\n1;2 go\n3;4\n-1,10,5 s\n");
        let again = read(&text).unwrap();
        assert_eq!((again.property("PB"), again.property("EV")), (Some("1;2 go"), Some("10,5 s")));
    }

    #[test]
    fn names_that_are_empty_are_written_as_unknown_ones() {
        let mut game = read("Piskvorky 15x15, 1:1, 0\n8,8,0\n").unwrap();
        game.add_property("PB", " \n ");
        game.add_property("PW", "bob");
        game.result = Some(GameResult::Win(Color::Black));
        let text = write(&game);
        assert_eq!(text, "Piskvorky 15x15, 11:11, 0\n8,8,0\n-\nbob\n1,\n");
        let again = read(&text).unwrap();
        let names = (again.property("PB"), again.property("PW"));
        assert_eq!((names, again.result), ((None, Some("bob")), game.result));
    }
}
