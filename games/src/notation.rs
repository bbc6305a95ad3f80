//! Moves and positions as text.
//!
//! * **Moves**: `h8h9i8`, upper or lower case; letters name columns from the left, numbers rows, from the bottom or, in
//!   Reversi, from the top. Blanks, commas and single dashes separate. `--` is a pass, `@h8` a bomb. A pass that must be
//!   made may be left out.
//! * **Setup**: rows from the top, separated by `/`: numbers of empty points, `x` Black, `o` White, `#` the hole; a blank,
//!   the side to move, `x` or `o`; then fields of the game as `key=value`.
//! * **Squares** (Reversi): all squares row by row from the top, `X` or `*` Black, `O` White, `-` or `.` empty, `#` the
//!   hole; a blank, the side to move. Text after a `;` is ignored, as in the test files of Othello programs.

use kagetsu::game::{Color, MAX_SIZE, Point};

use crate::game::{Cell, Game, Illegal, Move};
use crate::kind::Kind;
use crate::options::{Options, OptionsError, Stones};

/// Reason why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    /// An unexpected character; its place is counted from 1.
    #[error("character {place}: expected {expected}")]
    Unexpected {
        /// Place of the character, from 1.
        place: usize,
        /// Description of what was expected.
        expected: &'static str,
    },
    /// A move that the rules do not allow; moves are counted from 1.
    #[error("move {number} ({m}): {reason}")]
    Illegal {
        /// Number of the move.
        number: usize,
        /// The move.
        m: Move,
        /// The rule that it breaks.
        reason: Illegal,
    },
    /// Rows of different lengths.
    #[error("row {row} has {found} points, expected {expected}")]
    Width {
        /// Number of the row, from the top.
        row: usize,
        /// Number of its points.
        found: usize,
        /// Number of rows.
        expected: usize,
    },
    /// No side to move.
    #[error("expected the side to move, x or o, after the rows")]
    Side,
    /// The number of squares is not a square number.
    #[error("{0} squares do not form a square board")]
    Squares(usize),
    /// A setup string of too many rows.
    #[error("a board of {0} rows: expected at most {MAX_SIZE}")]
    Rows(usize),
    /// A hole after the first.
    #[error("a second hole on {0}: expected one at most")]
    SecondHole(Point),
    /// A field of a setup string that stands twice.
    #[error("a second field '{0}': expected one at most")]
    SecondField(String),
    /// The position does not belong to this game.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

/// Reads a point of a board of `size` by `size` points, at most [`MAX_SIZE`].
///
/// # Errors
/// If the text is not a point.
pub fn parse_point(text: &str, size: usize) -> Result<Point, NotationError> {
    let mut reader = Reader::new(text);
    let p = reader.point(size)?;
    reader.end()?;
    Ok(p)
}

/// Reads a move on a board of `size` by `size` points, at most [`MAX_SIZE`]: `h8`, `@h8`, `--` or `pass`.
///
/// # Errors
/// If the text is not a move. Whether the move is legal is not checked.
pub fn parse_move(text: &str, size: usize) -> Result<Move, NotationError> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Move::Pass);
    }
    let mut reader = Reader::new(text);
    let m = reader.a_move(size)?;
    reader.end()?;
    Ok(m)
}

/// Reads a position of a game: moves, a setup string, or squares.
///
/// # Errors
/// If the text is not a position of this game.
pub fn parse(text: &str, options: &Options) -> Result<Box<dyn Game>, NotationError> {
    let text = text.trim();
    let first = text.split(|c: char| c.is_ascii_whitespace() || c == ';').next().unwrap_or_default();
    let is_squares = first.len() >= 16 && first.chars().all(|c| "xXoO*-.#".contains(c));
    // The comment of a line of squares may have a `/`.
    if options.kind() == Kind::Reversi && is_squares {
        return Ok(options.from_stones(&squares(text)?)?);
    }
    if text.contains('/') {
        return Ok(options.from_stones(&setup(text, options.kind())?)?);
    }
    let mut game = options.begin();
    play_moves(text, game.as_mut())?;
    Ok(game)
}

/// Plays the moves of a text.
///
/// # Errors
/// If it is not a list of moves, or one of them is illegal; the moves before it are then played.
pub fn play_moves(text: &str, game: &mut dyn Game) -> Result<(), NotationError> {
    let mut reader = Reader::new(text);
    let mut number = 0;
    while reader.skip_separators() {
        let m = reader.a_move(game.size())?;
        number += 1;
        play_left_out_pass(m, game);
        game.check(m).map_err(|reason| NotationError::Illegal { number, m, reason })?;
        game.play(m);
    }
    Ok(())
}

/// Plays the forced pass that a list of moves may leave out before `m`. Returns whether there was one.
pub(crate) fn play_left_out_pass(m: Move, game: &mut dyn Game) -> bool {
    let is_left_out = m != Move::Pass && game.check(Move::Pass).is_ok();
    if is_left_out {
        game.play(Move::Pass);
    }
    is_left_out
}

/// The moves of a game as text.
pub fn moves(game: &dyn Game) -> String {
    game.history().into_iter().map(|(_, m)| m.to_string()).collect()
}

/// The setup string of a position.
pub fn print_setup(game: &dyn Game) -> String {
    print_setup_for(game, game.side())
}

/// The setup string of the same stones with this side to move.
pub(crate) fn print_setup_for(game: &dyn Game, side: Color) -> String {
    let size = game.size();
    let row = |y: usize| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in (0..size).map(|x| game.cell(Point::new(x, y))).chain([Cell::Hole]) {
            if cell == Cell::Empty {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&std::mem::take(&mut empty).to_string());
            }
            text.push(sign(cell));
        }
        // The cell after the last one ends the run of empty points.
        text.pop();
        text
    };
    let rows: Vec<String> = rows(game).map(row).collect();
    let side = sign(Cell::Stone(side));
    format!("{} {side} {}", rows.join("/"), game.state()).trim_end().to_owned()
}

/// The rows of a board from the top.
pub(crate) fn rows(game: &dyn Game) -> impl Iterator<Item = usize> + use<> {
    let size = game.size();
    let on_top = game.is_first_row_on_top();
    (0..size).map(move |i| if on_top { i } else { size - 1 - i })
}

/// The sign of a cell in setup strings and diagrams.
pub(crate) fn sign(cell: Cell) -> char {
    match cell {
        Cell::Empty => '.',
        Cell::Stone(Color::Black) => 'x',
        Cell::Stone(Color::White) => 'o',
        Cell::Hole => '#',
    }
}

/// Reads a setup string.
fn setup(text: &str, kind: Kind) -> Result<Stones, NotationError> {
    let mut fields = words(text);
    let (_, rows) = fields.next().unwrap_or_default();
    let side = side(fields.next())?;
    let mut state: Vec<(String, String)> = Vec::new();
    for (start, field) in fields {
        let (key, value) = field.split_once('=').ok_or_else(|| unexpected(text, start, "KEY=VALUE"))?;
        if state.iter().any(|(known, _)| known == key) {
            return Err(NotationError::SecondField(key.to_owned()));
        }
        state.push((key.to_owned(), value.to_owned()));
    }
    let size = rows.split('/').count();
    if size > MAX_SIZE {
        return Err(NotationError::Rows(size));
    }
    let mut cells = Vec::new();
    let mut place = 1;
    for (row, cells_of_row) in rows.split('/').enumerate() {
        let before = cells.len();
        read_row(cells_of_row, place, &mut cells)?;
        place += cells_of_row.len() + 1;
        let found = cells.len() - before;
        if found != size {
            return Err(NotationError::Width { row: row + 1, found, expected: size });
        }
    }
    of_cells(&cells, size, kind, side, state)
}

fn read_row(text: &str, place: usize, cells: &mut Vec<Cell>) -> Result<(), NotationError> {
    let mut number = 0usize;
    for (i, c) in text.char_indices() {
        if let Some(digit) = c.to_digit(10) {
            number = (number * 10 + digit as usize).min(MAX_SIZE + 1);
            continue;
        }
        cells.extend(std::iter::repeat_n(Cell::Empty, std::mem::take(&mut number)));
        cells.push(match c {
            'x' | 'X' => Cell::Stone(Color::Black),
            'o' | 'O' => Cell::Stone(Color::White),
            '#' => Cell::Hole,
            _ => {
                let expected = "x, o, # or a number of empty points";
                return Err(NotationError::Unexpected { place: place + i, expected });
            }
        });
    }
    cells.extend(std::iter::repeat_n(Cell::Empty, number));
    Ok(())
}

/// The words of a text, each with the byte at which it starts.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    text.split_ascii_whitespace().map(move |word| {
        // Only blanks separate a word from the one before, so the first place found is its own.
        let start = end + text[end..].find(word).unwrap_or(0);
        end = start + word.len();
        (start, word)
    })
}

/// The error of a character, which starts at byte `at`.
fn unexpected(text: &str, at: usize, expected: &'static str) -> NotationError {
    NotationError::Unexpected { place: text[..at].chars().count() + 1, expected }
}

fn side(word: Option<(usize, &str)>) -> Result<Color, NotationError> {
    match word {
        Some((_, "x" | "X" | "*")) => Ok(Color::Black),
        Some((_, "o" | "O")) => Ok(Color::White),
        _ => Err(NotationError::Side),
    }
}

/// Returns whether a line looks like a setup string or squares, which may begin with the `#` of a hole.
pub fn is_board(line: &str) -> bool {
    let squares = line.split_ascii_whitespace().next().unwrap_or_default();
    let is_stone = |c: char| matches!(c, 'x' | 'X' | 'o' | 'O' | '*');
    let is_square = |c: char| is_stone(c) || matches!(c, '-' | '.' | '#' | '/' | '0'..='9');
    squares.len() > 8 && squares.chars().all(is_square) && squares.contains(is_stone)
}

/// Reads all squares of a board, one character each.
fn squares(text: &str) -> Result<Stones, NotationError> {
    let text = text.split(';').next().unwrap_or_default();
    let mut fields = words(text);
    let (_, squares) = fields.next().unwrap_or_default();
    let size = (1..=MAX_SIZE).find(|n| n * n == squares.len());
    let size = size.ok_or(NotationError::Squares(squares.len()))?;
    let side = side(fields.next())?;
    if let Some((start, _)) = fields.next() {
        return Err(unexpected(text, start, "the end, or ; before a comment"));
    }
    let cell = |c| match c {
        'x' | 'X' | '*' => Cell::Stone(Color::Black),
        'o' | 'O' => Cell::Stone(Color::White),
        '#' => Cell::Hole,
        _ => Cell::Empty,
    };
    let cells: Vec<Cell> = squares.chars().map(cell).collect();
    of_cells(&cells, size, Kind::Reversi, side, Vec::new())
}

/// The position of cells, row by row from the top. Row 1 is at the top in Reversi, at the bottom in the other games.
fn of_cells(
    cells: &[Cell],
    size: usize,
    kind: Kind,
    side: Color,
    state: Vec<(String, String)>,
) -> Result<Stones, NotationError> {
    let mut position = Stones { size, stones: Vec::new(), hole: None, side, state };
    for (i, cell) in cells.iter().enumerate() {
        let from_top = i / size;
        let y = if kind == Kind::Reversi { from_top } else { size - 1 - from_top };
        let p = Point::new(i % size, y);
        match cell {
            Cell::Stone(color) => position.stones.push((p, *color)),
            // The other games have no hole at all, which their options say.
            Cell::Hole if kind == Kind::Reversi && position.hole.is_some() => {
                return Err(NotationError::SecondHole(p));
            }
            Cell::Hole => position.hole = Some(p),
            Cell::Empty => {}
        }
    }
    Ok(position)
}

/// Reads a text from left to right.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { text, at: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn unexpected(&self, expected: &'static str) -> NotationError {
        unexpected(self.text, self.at, expected)
    }

    fn end(&self) -> Result<(), NotationError> {
        if self.at == self.text.len() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    /// Goes to the next move; tells whether there is one.
    fn skip_separators(&mut self) -> bool {
        loop {
            match self.peek() {
                None => return false,
                Some('-') if self.text[self.at..].starts_with("--") => return true,
                Some(c) if c.is_whitespace() || c == ',' || c == '-' => self.at += c.len_utf8(),
                Some(_) => return true,
            }
        }
    }

    fn a_move(&mut self, size: usize) -> Result<Move, NotationError> {
        if self.text[self.at..].starts_with("--") {
            self.at += 2;
            return Ok(Move::Pass);
        }
        if self.peek() == Some('@') {
            self.at += 1;
            return self.point(size).map(Move::Bomb);
        }
        self.point(size).map(Move::Place)
    }

    fn point(&mut self, size: usize) -> Result<Point, NotationError> {
        let column = self.peek().map(|c| c.to_ascii_lowercase()).filter(char::is_ascii_lowercase);
        let column = column.ok_or_else(|| self.unexpected("a move, as h8"))?;
        let x = usize::from(column as u8 - b'a');
        if x >= size {
            return Err(self.unexpected("a column of the board"));
        }
        self.at += 1;
        let digits = self.text[self.at..].bytes().take_while(u8::is_ascii_digit).take(3).count();
        let row: usize = self.text[self.at..self.at + digits].parse().unwrap_or(0);
        if !(1..=size).contains(&row) {
            return Err(self.unexpected("a row of the board"));
        }
        self.at += digits;
        Ok(Point::new(x, row - 1))
    }
}
