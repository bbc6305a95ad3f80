//! A game of one line of stones, Black's and White's in turn, as simple formats have it.

use super::{Game, NodeId};
use kagetsu::game::notation::gomocup;
use kagetsu::game::{Color, Error, Move, Point, PointSet, Size};

/// A game to whose end moves are added.
pub struct Line {
    /// The game so far.
    pub game: Game,
    /// Its last node.
    pub node: NodeId,
    /// The side to move.
    pub color: Color,
    occupied: PointSet,
}

impl Line {
    /// A game without moves.
    pub fn new(size: Size) -> Line {
        Line { game: Game::new(size), node: NodeId::ROOT, color: Color::Black, occupied: PointSet::EMPTY }
    }

    /// Returns the empty point of this column and row, counted from 0 and the top left.
    ///
    /// # Errors
    /// If it is off the board or has a stone.
    pub fn free(&self, column: usize, row: usize) -> Result<Point, String> {
        let size = self.game.size;
        let p = gomocup::point(column, row, size)
            .ok_or_else(|| format!("row {row}, column {column} is off the {size} board"))?;
        if self.occupied.contains(p) { Err(Error::Occupied(p).to_string()) } else { Ok(p) }
    }

    /// Adds a move.
    pub fn push(&mut self, p: Point) {
        self.occupied.insert(p);
        self.node = self.game.tree.add(self.node, Some((self.color, Move::Place(p))));
        self.color = !self.color;
    }
}
