//! A position as data: size, setup stones, moves. Parsers produce it, and boards of any rule are built from it.

use std::fmt;

use super::Error;
use super::color::Color;
use super::point::{Point, PointSet, Size};

/// One turn. Its text is the point's name, or `--` for a pass, as in move strings.
///
/// ```
/// use kagetsu::game::{Move, Size};
/// let turns = [Move::Place(Size::S15.center()), Move::Pass];
/// assert_eq!(turns.map(|turn| turn.to_string()), ["h8", "--"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A stone on a point.
    Place(Point),
    /// No stone.
    Pass,
}

impl Move {
    /// The point, unless it is a pass.
    pub fn point(self) -> Option<Point> {
        match self {
            Move::Place(p) => Some(p),
            Move::Pass => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(p) => fmt::Display::fmt(p, f),
            Move::Pass => f.write_str("--"),
        }
    }
}

/// Setup stones and the moves since; independent of any rule. All stones are on the board and on points of
/// their own, so that every position has a [`Board`](super::Board).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    size: Size,
    setup: Vec<(Point, Color)>,
    first: Color,
    moves: Vec<Move>,
    occupied: PointSet,
}

impl Position {
    /// An empty board, Black to move.
    pub fn new(size: Size) -> Position {
        Position {
            size,
            setup: Vec::new(),
            first: Color::Black,
            moves: Vec::new(),
            occupied: PointSet::EMPTY,
        }
    }

    /// A position without move order.
    ///
    /// # Errors
    /// If a point is off the board or named twice.
    pub fn from_stones(
        size: Size,
        stones: impl IntoIterator<Item = (Point, Color)>,
        side: Color,
    ) -> Result<Position, Error> {
        let mut position = Position { first: side, ..Position::new(size) };
        for (p, color) in stones {
            position.occupy(p)?;
            position.setup.push((p, color));
        }
        Ok(position)
    }

    fn occupy(&mut self, p: Point) -> Result<(), Error> {
        if !self.size.contains(p.x(), p.y()) {
            return Err(Error::OffBoard(p, self.size));
        }
        if self.occupied.contains(p) {
            return Err(Error::Occupied(p));
        }
        self.occupied.insert(p);
        Ok(())
    }

    /// Adds a move of the side to move.
    ///
    /// # Errors
    /// If the point is off the board or occupied; the position is then as before.
    pub fn push(&mut self, m: Move) -> Result<(), Error> {
        if let Move::Place(p) = m {
            self.occupy(p)?;
        }
        self.moves.push(m);
        Ok(())
    }

    /// Removes the last move.
    pub fn pop(&mut self) -> Option<Move> {
        let m = self.moves.pop()?;
        if let Move::Place(p) = m {
            self.occupied.remove(p);
        }
        Some(m)
    }

    /// Keeps the first `moves` moves.
    pub fn truncate(&mut self, moves: usize) {
        while self.moves.len() > moves {
            self.pop();
        }
    }

    /// Board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the setup stones.
    pub fn setup(&self) -> &[(Point, Color)] {
        &self.setup
    }

    /// The colour that makes the first of the moves.
    pub fn first(&self) -> Color {
        self.first
    }

    /// The moves since the start.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns whether the position is defined by its moves alone: from the empty board, with Black moving first.
    pub fn is_of_moves(&self) -> bool {
        self.setup.is_empty() && self.first == Color::Black
    }

    /// The colour to move.
    pub fn side(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.first } else { !self.first }
    }

    /// Whether there is a stone on `p`.
    pub fn is_occupied(&self, p: Point) -> bool {
        self.occupied.contains(p)
    }

    /// Whether `p` is on the board and has no stone.
    pub fn is_free(&self, p: Point) -> bool {
        self.size.contains(p.x(), p.y()) && !self.is_occupied(p)
    }

    /// All stones: the setup, then the moves in order.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> {
        let played = self.moves.iter().enumerate().filter_map(|(i, m)| {
            let color = if i.is_multiple_of(2) { self.first } else { !self.first };
            m.point().map(|p| (p, color))
        });
        self.setup.iter().copied().chain(played)
    }

    /// Gives the turn to `side`, as if the other side had passed, unless `side` is to move already.
    pub fn set_side(&mut self, side: Color) {
        if self.side() == side {
            return;
        }
        if self.moves.is_empty() {
            self.first = side;
        } else {
            self.moves.push(Move::Pass);
        }
    }
}
