//! Random positions from a fixed generator: equal seeds give equal positions on every machine, for one version.

use kagetsu::game::{Color, Point, Position, Size};
use kagetsu::random::{RngExt, SeedableRng};

use super::reference::{Cell, Grid};

pub struct Random(kagetsu::random::Random);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(kagetsu::random::Random::seed_from_u64(seed))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.random_range(..n)
    }

    pub fn point(&mut self, size: Size) -> Point {
        Point::new(self.below(size.side()), self.below(size.side()))
    }

    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// An empty point of the board, near the stones four times of five.
    pub fn empty_point(&mut self, grid: &Grid) -> Option<Point> {
        let empties: Vec<Point> = grid.empties().collect();
        let stones: Vec<(Point, Color)> = grid.stones().collect();
        if empties.is_empty() {
            return None;
        }
        if !stones.is_empty() && self.below(5) > 0 {
            for _ in 0..20 {
                let near = self.choose(&stones).0;
                let x = (near.x() + self.below(5)).checked_sub(2);
                let y = (near.y() + self.below(5)).checked_sub(2);
                if let (Some(x), Some(y)) = (x, y)
                    && grid.size().contains(x, y)
                    && grid.get(Point::new(x, y)) == Cell::Empty
                {
                    return Some(Point::new(x, y));
                }
            }
        }
        Some(*self.choose(&empties))
    }

    /// A position of `stones` stones put near each other, colours in turn.
    pub fn position(&mut self, size: Size, stones: usize) -> Position {
        let mut position = Position::new(size);
        let mut grid = Grid::new(size);
        for _ in 0..stones {
            let Some(p) = self.empty_point(&grid) else { break };
            let color = position.side();
            grid.set(p, Cell::Stone(color));
            position.push(kagetsu::game::Move::Place(p)).expect("an empty point");
        }
        position
    }
}
