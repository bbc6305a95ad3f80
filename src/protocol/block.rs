//! Commands of several lines: `BOARD` and `YXBOARD` with lines of stones up to `DONE`, `YXBLOCK` and `YXBLOCKUNDO` with
//! lines of squares, the steps of an opening with lines of stones and perhaps one of fifths, and the unsupported commands of
//! Yixin-Board that lines follow.

mod unsupported;

use super::opening::step::{Input, OpeningStep};
use super::square::Square;
use crate::game::notation::gomocup;
use crate::game::regulation::Opening;
use crate::game::{Color, Move, Point, PointSet, Position, Size};

pub use unsupported::Lines;
use unsupported::is_done;

/// The command that a block belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockKind {
    /// `BOARD`: set the position and move.
    Board,
    /// `YXBOARD`: set the position only.
    QuietBoard,
    /// `SWAP2BOARD` and other steps of an opening's choice.
    Opening(OpeningStep),
    /// `YXBLOCK`: squares that the engine must not choose.
    Exclude,
    /// `YXBLOCKUNDO`: squares that it may choose again.
    Admit,
    /// An unsupported command, such as `YXQUERYDATABASEALL`, that lines follow.
    Unsupported(Lines),
}

/// Owner of a stone in a line of `BOARD`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Engine,
    Opponent,
}

/// A block being read.
#[derive(Clone, Debug)]
pub struct Block {
    kind: BlockKind,
    size: Size,
    stones: Vec<(Point, Owner)>,
    /// Whether `DONE` was read and the line of the fifths must follow.
    awaits_fifths: bool,
    /// The fifths that are offered.
    fifths: Vec<Point>,
    /// The first error in the block. The lines after it are still read, up to `DONE`.
    error: Option<String>,
}

impl Block {
    /// Creates a block whose first line has been read.
    pub fn new(kind: BlockKind, size: Size) -> Block {
        Block { kind, size, stones: Vec::new(), awaits_fifths: false, fifths: Vec::new(), error: None }
    }

    /// The command that began it.
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Returns whether the next line belongs to a user's text, which may hold anything.
    pub fn is_in_text(&self) -> bool {
        self.kind == BlockKind::Unsupported(Lines::TextUntilDone)
    }

    /// Takes a line, and returns whether it ends the block. Errors in the line are reported when the whole block is
    /// used.
    pub fn push(&mut self, line: &str) -> bool {
        if let BlockKind::Unsupported(lines) = self.kind {
            let left = lines.behind(line);
            self.kind = BlockKind::Unsupported(left.unwrap_or(lines));
            return left.is_none();
        }
        if self.awaits_fifths {
            let read = line.split_ascii_whitespace().try_for_each(|square| self.push_fifth(square));
            self.error = self.error.take().or(read.err());
            return true;
        }
        if self.is_end(line) {
            self.awaits_fifths = self.has_fifths() && self.fifths.is_empty();
            return !self.awaits_fifths;
        }
        if self.error.is_none() {
            self.error = self.push_square(line).err();
        }
        false
    }

    fn is_end(&self, line: &str) -> bool {
        // AlphaGomoku's manual has `PLAY` instead at `YAMAGUCHISTEP5`.
        // CITE: <https://github.com/MaciejKozarzewski/AlphaGomoku>, `doc/protocols/protocols.tex`.
        is_done(line) || self.has_fifths() && line.trim().eq_ignore_ascii_case("PLAY")
    }

    /// Whether a line of fifths follows the stones.
    fn has_fifths(&self) -> bool {
        matches!(self.kind, BlockKind::Opening(step) if step.input() == Input::StonesThenFifths)
    }

    fn push_square(&mut self, line: &str) -> Result<(), String> {
        let squares: Vec<&str> = line.split_ascii_whitespace().collect();
        // Several squares in one line are the fifths, if they come before `DONE`.
        if self.has_fifths() && squares.len() > 1 && squares.iter().all(|s| Square::parse(s).is_some()) {
            return squares.into_iter().try_for_each(|square| self.push_fifth(square));
        }
        let stone = self.stone(line)?;
        match self.kind {
            BlockKind::Opening(step) if step.input() == Input::StonesAndFifths && self.stones.len() >= 4 => {
                self.fifths.push(stone.0);
            }
            // A square may be named twice in a set.
            _ if self.stones.iter().any(|s| s.0 == stone.0) => {}
            _ => self.stones.push(stone),
        }
        Ok(())
    }

    fn push_fifth(&mut self, square: &str) -> Result<(), String> {
        self.fifths.push(self.stone(square)?.0);
        Ok(())
    }

    fn stone(&self, line: &str) -> Result<(Point, Owner), String> {
        let line = line.trim();
        let (square, owner) = match self.kind {
            BlockKind::Opening(_) | BlockKind::Exclude | BlockKind::Admit | BlockKind::Unsupported(_) => {
                (line, Owner::Opponent)
            }
            BlockKind::Board | BlockKind::QuietBoard => {
                let (square, field) = line.rsplit_once(',').ok_or("expected x,y,field")?;
                match field.trim() {
                    "1" => (square, Owner::Engine),
                    "2" => (square, Owner::Opponent),
                    "3" => return Err("dead stones of continuous games are not supported".to_owned()),
                    _ => return Err("expected field 1 or 2 after x,y".to_owned()),
                }
            }
        };
        let square = Square::parse(square).ok_or("expected a square as x,y")?;
        let point = square.point(self.size).ok_or_else(|| format!("{square} is off the board"))?;
        let is_set = matches!(self.kind, BlockKind::Exclude | BlockKind::Admit);
        if !is_set && (self.stones.iter().any(|s| s.0 == point) || self.fifths.contains(&point)) {
            return Err(format!("{square} is named twice"));
        }
        Ok((point, owner))
    }

    /// Returns the position that a whole `BOARD` or `YXBOARD` describes.
    ///
    /// The stones may come in any order, so their numbers decide the colours. After `BOARD` the engine is to
    /// move: it is Black with as many stones as the opponent or more, and White with fewer. With more stones
    /// than the opponent, the opponent has passed; with at least two fewer, the engine has passed. After
    /// `YXBOARD` either side may be to move, and nobody has passed: the side with one stone more is Black,
    /// and with equal numbers the side of the first stone in the list.
    pub fn into_position(self) -> Result<Position, String> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let of = |owner| self.stones.iter().filter(move |s| s.1 == owner).map(|s| s.0).collect::<Vec<_>>();
        let (own, opponent) = (of(Owner::Engine), of(Owner::Opponent));
        let quiet = self.kind == BlockKind::QuietBoard;
        let opponent_began = quiet && self.stones.first().is_some_and(|s| s.1 == Owner::Opponent);
        if opponent.len() == own.len() + 1 || opponent.len() == own.len() && opponent_began {
            from_colors(self.size, &opponent, &own)
        } else if own.len() == opponent.len() || quiet && own.len() == opponent.len() + 1 {
            from_colors(self.size, &own, &opponent)
        } else if quiet {
            Err(format!(
                "impossible stone counts: {} own, {} opponent; expected as many, or one more for the side that began",
                own.len(),
                opponent.len()
            ))
        } else {
            let engine = if own.len() > opponent.len() { Color::Black } else { Color::White };
            let color = |owner| if owner == Owner::Engine { engine } else { !engine };
            let stones = self.stones.iter().map(|&(p, owner)| (p, color(owner)));
            Position::from_stones(self.size, stones, engine).map_err(|error| error.to_string())
        }
    }

    /// The points of a whole `YXBLOCK` or `YXBLOCKUNDO`.
    pub fn into_points(self) -> Result<PointSet, String> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.stones.into_iter().map(|(p, _)| p).collect()),
        }
    }

    /// The opening that a whole command of its choice describes.
    pub fn into_opening(self, step: &OpeningStep) -> Result<Opening, String> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let stones: Vec<Point> = self.stones.iter().map(|s| s.0).collect();
        step.opening(self.size, &stones, &self.fifths)
    }
}

/// Returns Black's and White's stones as alternating moves, each colour in its order. White has as many stones as
/// Black, or one less.
pub fn from_colors(size: Size, black: &[Point], white: &[Point]) -> Result<Position, String> {
    let mut position = Position::new(size);
    for i in 0..black.len() {
        for p in [black.get(i), white.get(i)].into_iter().flatten() {
            position.push(Move::Place(*p)).map_err(|e| e.to_string())?;
        }
    }
    Ok(position)
}

/// Returns the position without the stone on `p`, of either colour and at any place in the game: `TAKEBACK` removes the
/// stone that it names. If alternate moves cannot give the remaining stones (a manager takes several stones back one by
/// one), Black is to move if it has no more stones than White.
///
/// CITE: Piskvork, source/doc/protocl2en.htm and `source/protocol.cpp`, which sends one command for each stone that
/// differs.
pub fn without(position: &Position, p: Point) -> Result<Position, String> {
    let rest: Vec<(Point, Color)> = position.stones().filter(|&(q, _)| q != p).collect();
    if rest.len() == position.stones().count() {
        return Err(format!(
            "no stone on {}: expected an occupied square",
            gomocup::print_point(p, position.size())
        ));
    }
    let of = |color: Color| rest.iter().filter(|s| s.1 == color).map(|s| s.0).collect::<Vec<_>>();
    let (black, white) = (of(Color::Black), of(Color::White));
    if black.len() == white.len() || black.len() == white.len() + 1 {
        return from_colors(position.size(), &black, &white);
    }
    let side = if black.len() <= white.len() { Color::Black } else { Color::White };
    Position::from_stones(position.size(), rest, side).map_err(|e| e.to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(kind: BlockKind, lines: &str) -> Block {
        let mut block = Block::new(kind, Size::S15);
        assert!(lines.split_whitespace().all(|line| !block.push(line)));
        block
    }

    fn colors(position: &Position) -> String {
        let name =
            |(p, c)| format!("{}{}", if c == Color::Black { 'x' } else { 'o' }, Square::of(p, Size::S15));
        position.stones().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_decide_who_is_black() {
        let position = |kind, lines| read(kind, lines).into_position().unwrap();
        // The opponent has passed, once and twice.
        for (lines, expected) in
            [("7,7,1 8,8,2 6,6,1", "x7,7 o8,8 x6,6"), ("7,7,1 8,8,2 6,6,1 5,5,1", "x7,7 o8,8 x6,6 x5,5")]
        {
            let board = position(BlockKind::Board, lines);
            assert_eq!(colors(&board), expected);
            assert_eq!(board.side(), Color::Black);
        }
        // The engine has passed, once and twice.
        for (lines, expected) in
            [("7,7,2 8,8,1 6,6,2 5,5,2", "x7,7 o8,8 x6,6 x5,5"), ("7,7,2 6,6,2 5,5,2", "x7,7 x6,6 x5,5")]
        {
            let board = position(BlockKind::Board, lines);
            assert_eq!(colors(&board), expected);
            assert_eq!(board.side(), Color::White);
        }
        // The engine is to move in all of these.
        let board = position(BlockKind::Board, "3,3,1 4,4,2");
        assert_eq!(colors(&board), "x3,3 o4,4");
        let board = position(BlockKind::Board, "4,4,2 3,3,1");
        assert_eq!(colors(&board), "x3,3 o4,4");
        let board = position(BlockKind::Board, "1,1,1 5,5,2 6,6,2");
        assert_eq!(colors(&board), "x5,5 o1,1 x6,6");
        assert_eq!(board.side(), Color::White);
        let board = position(BlockKind::QuietBoard, "4,4,2 3,3,1");
        assert_eq!(colors(&board), "x4,4 o3,3");
        // The engine began, and the opponent is to move.
        let board = position(BlockKind::QuietBoard, "7,7,1 8,8,2 6,6,1");
        assert_eq!(colors(&board), "x7,7 o8,8 x6,6");
        assert_eq!(board.side(), Color::White);
    }

    #[test]
    fn impossible_boards_are_errors() {
        for lines in ["3,3,3 4,4,1", "7,7,1 7,7,2", "15,0,2", "hello", "1,2", "3,3,9", "1,2,3,4"] {
            assert!(read(BlockKind::Board, lines).into_position().is_err(), "{lines}");
        }
        // The side to move after a quiet board is known only if nobody has passed.
        for lines in ["3,3,2 4,4,2", "3,3,1 4,4,1"] {
            assert!(read(BlockKind::QuietBoard, lines).into_position().is_err(), "{lines}");
        }
    }

    #[test]
    fn a_square_may_be_named_twice_in_a_set_only() {
        let block = read(BlockKind::Exclude, "3,3 4,4 3,3");
        assert_eq!(block.stones.len(), 2);
        assert_eq!(block.into_points().unwrap().len(), 2);
        let mut block = read(BlockKind::Board, "3,3,1 3,3,2");
        assert!(block.push("DONE") && block.into_position().is_err());
    }

    #[test]
    fn takeback_removes_the_stone_it_names() {
        let position = read(BlockKind::Board, "5,5,2 1,1,1 6,6,2").into_position().unwrap();
        let point = |x, y| Square { x, y }.point(Size::S15).unwrap();
        assert!(without(&position, point(2, 2)).is_err());
        // A stone of the side that moved last: that side is to move again.
        assert_eq!(colors(&without(&position, point(5, 5)).unwrap()), "x6,6 o1,1");
        // A stone of the other side. Piskvork removes the stones that differ one by one.
        let left = without(&position, point(1, 1)).unwrap();
        assert_eq!(colors(&left), "x5,5 x6,6");
        assert_eq!(left.side(), Color::White);
        let left = without(&left, point(6, 6)).unwrap();
        assert_eq!(colors(&left), "x5,5");
        assert_eq!(left.side(), Color::White);
    }
}
