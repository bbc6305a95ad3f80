//! A game, a study or a library: the form into which every format is read.

use super::notes::Note;
use super::tree::{NodeId, Step, Tree};
use kagetsu::game::{Color, Error, Move, POINTS, Point, Position, RuleKind, Size};

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// Neither side has won.
    Draw,
    /// One side has won.
    Win(Color),
}

/// A game with its variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The board.
    pub size: Size,
    /// The rule, if the file says it.
    pub rule: Option<RuleKind>,
    /// The result, if the file says it.
    pub result: Option<GameResult>,
    /// Stones that were there at the start.
    pub setup: Vec<(Point, Color)>,
    /// The side that moves first.
    pub first: Color,
    /// Facts about the game by their SGF identifiers, which serve as names for all formats: `PB` and `PW` the players,
    /// `EV` the event, `DT` the date, `RO` the round, `GN` the name, `TE` the reason of the end. May repeat.
    pub properties: Vec<(String, String)>,
    /// The moves.
    pub tree: Tree,
}

impl Game {
    /// An empty board and no moves.
    pub fn new(size: Size) -> Game {
        Game {
            size,
            rule: None,
            result: None,
            setup: Vec::new(),
            first: Color::Black,
            properties: Vec::new(),
            tree: Tree::default(),
        }
    }

    /// The moves of a position as a game.
    pub fn of_position(position: &Position) -> Game {
        let mut game = Game::new(position.size());
        game.setup = position.setup().to_vec();
        game.first = position.first();
        let mut node = NodeId::ROOT;
        let mut color = position.first();
        for &m in position.moves() {
            node = game.tree.add(node, Some((color, m)));
            color = !color;
        }
        game
    }

    /// Returns the side to move at the start by the numbers of setup stones: White if Black has more.
    pub fn side_by_stones(&self) -> Color {
        let black = self.setup.iter().filter(|(_, color)| *color == Color::Black).count();
        if 2 * black > self.setup.len() { Color::White } else { Color::Black }
    }

    /// The first property of this name.
    pub fn property(&self, key: &str) -> Option<&str> {
        self.properties.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// Adds a property, unless the value is empty.
    pub fn add_property(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.properties.push((key.to_owned(), value.to_owned()));
        }
    }

    /// Returns the position before the root, of the setup stones alone.
    ///
    /// # Errors
    /// If a stone is off the board or on another.
    pub fn start(&self) -> Result<Position, Error> {
        Position::from_stones(self.size, self.setup.iter().copied(), self.first)
    }

    /// Returns the position after the moves to a node. A turn out of order counts as a move after a pass. Setup stones
    /// in mid-game turn the stones before them into setup stones.
    ///
    /// # Errors
    /// If a stone is off the board or on another.
    pub fn position(&self, node: NodeId) -> Result<Position, Error> {
        let mut position = self.start()?;
        for id in self.tree.path(node) {
            self.step(&mut position, id)?;
        }
        Ok(position)
    }

    /// Turns the position before a node, which is that at its parent, into the one at the node. See
    /// [`position`](Self::position).
    ///
    /// # Errors
    /// The errors of that method.
    pub fn step(&self, position: &mut Position, id: NodeId) -> Result<(), Error> {
        for note in self.tree.notes(id) {
            match note {
                Note::Setup(p, stone) => *position = edited(position, p, stone)?,
                Note::Side(side) => position.set_side(side),
                _ => {}
            }
        }
        if let Some((color, m)) = self.tree.turn(id) {
            position.set_side(color);
            position.push(m)?;
        }
        Ok(())
    }

    /// The position after the first `moves` moves of the main line, or after all of them.
    ///
    /// # Errors
    /// The errors of [`position`](Self::position).
    pub fn main_position(&self, moves: Option<usize>) -> Result<Position, Error> {
        let mut left = moves.unwrap_or(usize::MAX);
        let mut node = NodeId::ROOT;
        for id in self.tree.main_line() {
            if self.tree.turn(id).is_some() {
                if left == 0 {
                    break;
                }
                left -= 1;
            }
            node = id;
        }
        self.position(node)
    }

    /// Checks every variation: all stones, marks and labels on the board, no stone on another.
    ///
    /// # Errors
    /// The first wrong node, depth first.
    pub fn check(&self) -> Result<(), (NodeId, Error)> {
        let mut stones = Stones { size: self.size, cells: Box::new([None; POINTS]), undo: Vec::new() };
        for &(p, color) in &self.setup {
            stones.place(p, color).map_err(|error| (NodeId::ROOT, error))?;
        }
        let mut marks = Vec::new();
        for step in self.tree.walk() {
            match step {
                Step::Enter(id) => {
                    marks.push(stones.undo.len() as u32);
                    self.enter(id, &mut stones).map_err(|error| (id, error))?;
                }
                Step::Leave(_) => {
                    let mark = marks.pop().unwrap_or(0);
                    stones.undo_to(mark as usize);
                }
            }
        }
        Ok(())
    }

    fn enter(&self, id: NodeId, stones: &mut Stones) -> Result<(), Error> {
        for note in self.tree.notes(id) {
            match note {
                Note::Setup(p, Some(color)) => stones.set(p, Some(color))?,
                Note::Setup(p, None) => stones.set(p, None)?,
                Note::Mark(p, _) | Note::Label(p, _) => stones.on_board(p)?,
                _ => {}
            }
        }
        match self.tree.turn(id) {
            Some((color, Move::Place(p))) => stones.place(p, color),
            _ => Ok(()),
        }
    }
}

/// Stones that can be taken back.
struct Stones {
    size: Size,
    cells: Box<[Option<Color>; POINTS]>,
    undo: Vec<(Point, Option<Color>)>,
}

impl Stones {
    fn on_board(&self, p: Point) -> Result<(), Error> {
        if self.size.contains(p.x(), p.y()) { Ok(()) } else { Err(Error::OffBoard(p, self.size)) }
    }

    fn set(&mut self, p: Point, stone: Option<Color>) -> Result<(), Error> {
        self.on_board(p)?;
        self.undo.push((p, self.cells[p.index()]));
        self.cells[p.index()] = stone;
        Ok(())
    }

    fn place(&mut self, p: Point, color: Color) -> Result<(), Error> {
        if self.cells[p.index()].is_some() {
            return Err(Error::Occupied(p));
        }
        self.set(p, Some(color))
    }

    fn undo_to(&mut self, len: usize) {
        while self.undo.len() > len {
            if let Some((p, stone)) = self.undo.pop() {
                self.cells[p.index()] = stone;
            }
        }
    }
}

/// The stones of a position as setup stones, with one point changed.
fn edited(position: &Position, p: Point, stone: Option<Color>) -> Result<Position, Error> {
    let kept = position.stones().filter(|&(q, _)| q != p);
    Position::from_stones(position.size(), kept.chain(stone.map(|color| (p, color))), position.side())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::notation::{moves, parse, parse_point};

    #[test]
    fn positions_along_a_game() {
        let position = parse("h8h9--i8", None).unwrap();
        let game = Game::of_position(&position);
        assert_eq!(game.main_position(None).unwrap(), position);
        assert_eq!(moves::print(game.main_position(Some(2)).unwrap().moves()), "h8h9");
        assert_eq!(game.main_position(Some(0)).unwrap(), Position::new(Size::S15));
    }

    #[test]
    fn setup_in_mid_game() {
        let p = |name| parse_point(name, Size::S15).unwrap();
        let mut game = Game::of_position(&parse("h8h9", None).unwrap());
        let last = game.tree.main_line().last().unwrap();
        let node = game.tree.add(last, None);
        game.tree.annotate(
            node,
            [Note::Setup(p("h9"), None), Note::Setup(p("a1"), Some(Color::White)), Note::Side(Color::White)],
        );
        let position = game.position(node).unwrap();
        assert_eq!(position.stones().collect::<Vec<_>>(), [(p("h8"), Color::Black), (p("a1"), Color::White)]);
        assert_eq!(position.side(), Color::White);
        assert_eq!(game.check(), Ok(()));
        let again = game.tree.add(node, Some((Color::White, Move::Place(p("h8")))));
        assert_eq!(game.check(), Err((again, Error::Occupied(p("h8")))));
    }
}
