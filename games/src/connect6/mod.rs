//! Connect6: one stone, then two stones a turn; six or more in a row win.
//!
//! Each stone is a move of its own: after the first stone of a turn the side to move stays the same.

mod attack;
mod look;
mod stops;
mod windows;

use kagetsu::game::{Color, Point, PointSet, Size, zobrist};

use self::attack::Attack;
use self::windows::Windows;
use crate::game::{Cell, Force, Game, Illegal, Look, Move, Outcome, Reason};
use crate::kind::{About, Kind};
use crate::mix::mix;
use crate::options::{OptionsError, Stones as Setup};

/// The usual board.
pub const SIZE: Size = match Size::new(19) {
    Ok(size) => size,
    Err(_) => panic!("19 is a size of a board"),
};

/// Length of a winning row.
const ROW: usize = 6;

/// Description of the game.
pub static ABOUT: About = About {
    name: "connect6",
    title: "Connect6: two stones a turn, six in a row",
    size: 19,
    sizes: "6 to 22",
    rules: "\
Black begins with one stone, anywhere. Then each side places two stones a turn. Six
or more in a row win, at once. Nothing is forbidden. A full board is a draw.

Each stone is a move of its own: black, white, white, black, black, …

Source: I.-C. Wu, D.-Y. Huang, A New Family of k-in-a-row Games (2005).
Reading: six that the first stone of a turn makes end the game before the second.",
};

/// A game of Connect6.
#[derive(Clone)]
pub struct Connect6 {
    size: Size,
    stones: [PointSet; 2],
    windows: Windows,
    side: Color,
    /// Stones left to place in this turn.
    left: u8,
    outcome: Option<Outcome>,
    hash: u64,
    /// Points, with the side and the stones left before.
    plies: Vec<(Point, Color, u8)>,
}

impl Connect6 {
    /// The game at its beginning.
    pub fn new(size: Size) -> Connect6 {
        Connect6 {
            size,
            stones: [PointSet::EMPTY; 2],
            windows: Windows::new(size),
            side: Color::Black,
            left: 1,
            outcome: None,
            hash: zobrist::board(size),
            plies: Vec::new(),
        }
    }

    /// The game from a position, with the field `left=1` if the side to move has placed its first stone of two.
    ///
    /// # Errors
    /// If a field is unknown or has no such value.
    pub fn from_setup(size: Size, setup: &Setup) -> Result<Connect6, OptionsError> {
        let mut game = Connect6::new(size);
        game.side = setup.side;
        game.left = if setup.stones.is_empty() { 1 } else { 2 };
        for &(p, color) in &setup.stones {
            game.stones[color.index()].insert(p);
            game.windows.place(p, color);
            game.hash ^= zobrist::stone(p, color);
        }
        for (key, value) in &setup.state {
            game.left = match (key.as_str(), value.as_str()) {
                ("left", "1") => 1,
                ("left", "2") => 2,
                ("left", _) => return Err(OptionsError::Value { name: "left", expected: "1 or 2" }),
                _ => return Err(OptionsError::no_field(Kind::Connect6, key)),
            };
        }
        let row = Color::BOTH.into_iter().find(|&color| game.windows.has_row(color));
        game.outcome = row.map(|color| Outcome::win(color, Reason::Row)).or_else(|| game.draw());
        Ok(game)
    }

    fn occupied(&self) -> PointSet {
        self.stones[0] | self.stones[1]
    }

    fn draw(&self) -> Option<Outcome> {
        (self.occupied().len() == self.size.area()).then(|| Outcome::draw(Reason::FullBoard))
    }
}

impl Game for Connect6 {
    fn kind(&self) -> Kind {
        Kind::Connect6
    }

    fn variant(&self) -> String {
        self.size.to_string()
    }

    fn size(&self) -> usize {
        self.size.side()
    }

    fn side(&self) -> Color {
        self.side
    }

    fn cell(&self, p: Point) -> Cell {
        let color = Color::BOTH.into_iter().find(|c| self.stones[c.index()].contains(p));
        color.map_or(Cell::Empty, Cell::Stone)
    }

    fn moves(&self, list: &mut Vec<Move>) {
        list.clear();
        if self.outcome.is_none() {
            list.extend(PointSet::full(self.size).without(&self.occupied()).iter().map(Move::Place));
        }
    }

    fn check(&self, m: Move) -> Result<(), Illegal> {
        if let Some(outcome) = self.outcome {
            return Err(Illegal::Over(outcome));
        }
        match m {
            Move::Pass => Err(Illegal::NoPass),
            Move::Bomb(_) => Err(Illegal::NoBombs),
            Move::Place(p) if !self.size.contains(p.x(), p.y()) => Err(Illegal::OffBoard(p, self.size())),
            Move::Place(p) if self.occupied().contains(p) => Err(Illegal::Occupied(p)),
            Move::Place(_) => Ok(()),
        }
    }

    fn play(&mut self, m: Move) {
        let Some(p) = m.point() else { return };
        let color = self.side;
        self.plies.push((p, color, self.left));
        self.stones[color.index()].insert(p);
        self.windows.place(p, color);
        self.hash ^= zobrist::stone(p, color);
        self.left -= 1;
        if self.left == 0 {
            (self.side, self.left) = (!color, 2);
        }
        let row = self.windows.has_row(color).then(|| Outcome::win(color, Reason::Row));
        self.outcome = row.or_else(|| self.draw());
    }

    fn undo(&mut self) -> Option<Move> {
        let (p, color, left) = self.plies.pop()?;
        self.stones[color.index()].remove(p);
        self.windows.remove(p, color);
        self.hash ^= zobrist::stone(p, color);
        (self.side, self.left) = (color, left);
        self.outcome = None;
        Some(Move::Place(p))
    }

    fn history(&self) -> Vec<(Color, Move)> {
        self.plies.iter().map(|&(p, color, _)| (color, Move::Place(p))).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn hash(&self) -> u64 {
        self.hash ^ mix(self.side.index() as u64 * 4 + u64::from(self.left), 0)
    }

    fn notes(&self) -> Vec<String> {
        vec![format!("stones left in this turn: {}", self.left)]
    }

    fn state(&self) -> String {
        let is_usual = self.left == if self.occupied().is_empty() { 1 } else { 2 };
        if is_usual { String::new() } else { format!("left={}", self.left) }
    }

    fn boxed(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn look(&self, list: &mut Vec<(Move, i32)>) -> Look {
        look::look(self, list)
    }

    fn tries_all(&self) -> bool {
        // The first stone of a turn is one of hundreds, and the search of a turn is two plies deep.
        false
    }

    fn force(&mut self, turns: usize, steps: &mut u64) -> Option<Force> {
        let occupied = self.occupied();
        let mut attack =
            Attack { windows: &mut self.windows, size: self.size, occupied, side: self.side, steps };
        attack.run(self.left, turns)
    }
}
