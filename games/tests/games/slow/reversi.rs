//! Reversi on an array of cells.

use kagetsu::game::{Color, Point};
use kagetsu_games::{Cell, Move, Outcome, Reason};

use super::Slow;

pub struct Board {
    size: i32,
    cells: Vec<Cell>,
    side: Color,
    anti: bool,
}

impl Board {
    pub fn new(size: usize, parallel: bool, anti: bool, hole: Option<(usize, usize)>) -> Board {
        let mut board =
            Board { size: size as i32, cells: vec![Cell::Empty; size * size], side: Color::Black, anti };
        let m = size as i32 / 2;
        let lower = if parallel { [Color::Black, Color::Black] } else { [Color::Black, Color::White] };
        let upper = if parallel { [Color::White, Color::White] } else { [Color::White, Color::Black] };
        for (x, y, color) in
            [(m - 1, m - 1, upper[0]), (m, m - 1, upper[1]), (m - 1, m, lower[0]), (m, m, lower[1])]
        {
            board.cells[(y * board.size + x) as usize] = Cell::Stone(color);
        }
        if let Some((x, y)) = hole {
            board.cells[y * size + x] = Cell::Hole;
        }
        board
    }

    fn at(&self, x: i32, y: i32) -> Option<Cell> {
        let inside = (0..self.size).contains(&x) && (0..self.size).contains(&y);
        inside.then(|| self.cells[(y * self.size + x) as usize])
    }

    fn turned(&self, x: i32, y: i32, color: Color) -> Vec<usize> {
        let mut all = Vec::new();
        for dx in -1..=1 {
            for dy in -1..=1 {
                let mut line = Vec::new();
                let mut n = 1;
                while (dx, dy) != (0, 0) && self.at(x + n * dx, y + n * dy) == Some(Cell::Stone(!color)) {
                    line.push(((y + n * dy) * self.size + x + n * dx) as usize);
                    n += 1;
                }
                if self.at(x + n * dx, y + n * dy) == Some(Cell::Stone(color)) {
                    all.extend(line);
                }
            }
        }
        all
    }

    fn places(&self, color: Color) -> Vec<Move> {
        let mut moves = Vec::new();
        for y in 0..self.size {
            for x in 0..self.size {
                if self.at(x, y) == Some(Cell::Empty) && !self.turned(x, y, color).is_empty() {
                    moves.push(Move::Place(Point::new(x as usize, y as usize)));
                }
            }
        }
        moves
    }
}

impl Slow for Board {
    fn moves(&mut self) -> Vec<Move> {
        let places = self.places(self.side);
        if places.is_empty() && !self.places(!self.side).is_empty() { vec![Move::Pass] } else { places }
    }

    fn play(&mut self, m: Move) {
        if let Move::Place(p) = m {
            let (x, y) = (p.x() as i32, p.y() as i32);
            for i in self.turned(x, y, self.side) {
                self.cells[i] = Cell::Stone(self.side);
            }
            self.cells[(y * self.size + x) as usize] = Cell::Stone(self.side);
        }
        self.side = !self.side;
    }

    fn side(&self) -> Color {
        self.side
    }

    fn cell(&self, p: Point) -> Cell {
        self.at(p.x() as i32, p.y() as i32).unwrap()
    }

    fn outcome(&self) -> Option<Outcome> {
        if !Color::BOTH.into_iter().all(|color| self.places(color).is_empty()) {
            return None;
        }
        let count = |color| self.cells.iter().filter(|c| **c == Cell::Stone(color)).count() as u16;
        let [black, white] = Color::BOTH.map(count);
        let mut margin = i32::from(black) - i32::from(white);
        if self.anti {
            margin = -margin;
        }
        let winner = match margin {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        };
        Some(Outcome { winner, reason: Reason::Discs([black, white]), margin: Some(margin) })
    }
}
