//! The rules written directly from their text: a plain array of cells, on which stones are really placed.
//!
//! Only coordinates ([`Point`], [`Size`]) and names of rules are shared with the library, and none of its algorithms.
//! This slow form is the specification against which the fast forms are tested. Line shapes are in [`super::strip`].

use kagetsu::game::{Color, FoulKinds, Point, Position, Reading, RuleKind, Size};

use super::strip::Strip;

/// Content of a cell; the cells around the board are walls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    Empty,
    Stone(Color),
    Wall,
}

const BLACK: Cell = Cell::Stone(Color::Black);

/// A board as an array of cells, row by row from the bottom, with one row and column of wall on each side.
#[derive(Clone)]
pub struct Grid {
    size: Size,
    width: usize,
    cells: Vec<Cell>,
}

/// Verdict of the rules of Renju on a black stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// An exact five, which wins whatever else it makes.
    Five,
    /// Anything else, with the kinds of foul that hold.
    Other(FoulKinds),
}

impl Expected {
    pub fn is_foul(self) -> bool {
        matches!(self, Expected::Other(kinds) if kinds.any())
    }

    pub fn kinds(self) -> FoulKinds {
        match self {
            Expected::Five => FoulKinds::NONE,
            Expected::Other(kinds) => kinds,
        }
    }
}

/// Three black stones with the points that make a straight four of them.
struct Three {
    direction: usize,
    stones: [usize; 3],
    extensions: Vec<usize>,
}

impl Grid {
    pub fn new(size: Size) -> Grid {
        let width = size.side() + 2;
        let mut grid = Grid { size, width, cells: vec![Cell::Wall; width * width] };
        for p in size.points() {
            grid.set(p, Cell::Empty);
        }
        grid
    }

    pub fn from_stones(size: Size, stones: impl IntoIterator<Item = (Point, Color)>) -> Grid {
        let mut grid = Grid::new(size);
        for (p, color) in stones {
            assert_eq!(grid.get(p), Cell::Empty, "{p} twice");
            grid.set(p, Cell::Stone(color));
        }
        grid
    }

    pub fn from_position(position: &Position) -> Grid {
        Grid::from_stones(position.size(), position.stones())
    }

    pub fn size(&self) -> Size {
        self.size
    }

    fn cell(&self, p: Point) -> usize {
        (p.y() + 1) * self.width + p.x() + 1
    }

    pub fn get(&self, p: Point) -> Cell {
        self.cells[self.cell(p)]
    }

    pub fn set(&mut self, p: Point, cell: Cell) {
        let i = self.cell(p);
        self.cells[i] = cell;
    }

    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        self.size.points().filter_map(|p| match self.get(p) {
            Cell::Stone(color) => Some((p, color)),
            _ => None,
        })
    }

    pub fn empties(&self) -> impl Iterator<Item = Point> + '_ {
        self.size.points().filter(|&p| self.get(p) == Cell::Empty)
    }

    /// Differences of cell numbers along a row, a column, the rising and the falling diagonal.
    fn steps(&self) -> [isize; 4] {
        let w = self.width as isize;
        [1, w, w + 1, 1 - w]
    }

    /// First cell and length of the run of equal stones through a cell.
    fn run(&self, at: usize, step: isize) -> (usize, usize) {
        let mut first = at;
        while self.cells[first.wrapping_add_signed(-step)] == self.cells[at] {
            first = first.wrapping_add_signed(-step);
        }
        let mut length = 1;
        while self.cells[first.wrapping_add_signed(length as isize * step)] == self.cells[at] {
            length += 1;
        }
        (first, length)
    }

    /// Whether the stone on `p` is part of a winning row.
    pub fn wins_at(&self, p: Point, kind: RuleKind) -> bool {
        let at = self.cell(p);
        let Cell::Stone(color) = self.cells[at] else { panic!("no stone on {p}") };
        self.steps().into_iter().any(|step| {
            let (first, length) = self.run(at, step);
            let before = self.cells[first.wrapping_add_signed(-step)];
            let after = self.cells[first.wrapping_add_signed(length as isize * step)];
            let closed = before == Cell::Stone(!color) && after == Cell::Stone(!color);
            match kind {
                RuleKind::Freestyle => length >= 5,
                RuleKind::Standard => length == 5,
                RuleKind::Renju if color == Color::White => length >= 5,
                RuleKind::Renju => length == 5,
                RuleKind::Caro => length == 5 && !closed,
                RuleKind::Caro6 => length > 5 || length == 5 && !closed,
            }
        })
    }

    /// Whether `color` would win by a stone on the empty point `p`.
    pub fn would_win(&mut self, p: Point, color: Color, kind: RuleKind) -> bool {
        self.set(p, Cell::Stone(color));
        let wins = self.wins_at(p, kind);
        self.set(p, Cell::Empty);
        wins
    }

    /// Whether `color` has a winning row anywhere.
    pub fn has_won(&self, color: Color, kind: RuleKind) -> bool {
        self.stones().any(|(p, c)| c == color && self.wins_at(p, kind))
    }

    /// The whole line of one direction through the empty point `p`, with a stone of `color` put on `p`.
    pub fn strip(&self, p: Point, direction: usize, color: Color, kind: RuleKind) -> Strip {
        let step = self.steps()[direction];
        let mut first = self.cell(p);
        while self.cells[first.wrapping_add_signed(-step)] != Cell::Wall {
            first = first.wrapping_add_signed(-step);
        }
        let cells: Vec<Cell> = (0..)
            .map(|n| self.cells[first.wrapping_add_signed(n * step)])
            .take_while(|&c| c != Cell::Wall)
            .collect();
        let at = (self.cell(p) as isize - first as isize) / step;
        Strip::new(cells, at as usize, color, kind)
    }

    /// Returns the verdict on a black stone on the empty point `p` under Renju.
    pub fn verdict(&mut self, p: Point, reading: Reading) -> Expected {
        self.judge(self.cell(p), reading)
    }

    fn judge(&mut self, at: usize, reading: Reading) -> Expected {
        assert_eq!(self.cells[at], Cell::Empty);
        self.cells[at] = BLACK;
        let lengths = self.steps().map(|step| self.run(at, step).1);
        let verdict = if lengths.contains(&5) {
            Expected::Five
        } else {
            Expected::Other(FoulKinds {
                overline: lengths.into_iter().any(|n| n >= 6),
                double_four: self.fours(at).len() >= 2,
                double_three: self.true_threes(at, reading) >= 2,
            })
        };
        self.cells[at] = Cell::Empty;
        verdict
    }

    /// Whether a legal black stone on the empty point `p` stands in threes of two lines, by their stones, and makes no
    /// five.
    pub fn is_pseudo(&mut self, p: Point, reading: Reading) -> bool {
        if self.verdict(p, reading) != Expected::Other(FoulKinds::NONE) {
            return false;
        }
        let at = self.cell(p);
        self.cells[at] = BLACK;
        let lines: std::collections::BTreeSet<usize> =
            self.threes(at).iter().map(|three| three.direction).collect();
        self.cells[at] = Cell::Empty;
        lines.len() >= 2
    }

    /// Empty cells that one more black stone may join to the stone on `at`: up to four steps away, nothing between.
    fn joinable(&self, at: usize, step: isize) -> Vec<usize> {
        let mut found = Vec::new();
        for step in [-step, step] {
            for n in 1..5 {
                let e = at.wrapping_add_signed(n * step);
                match self.cells[e] {
                    Cell::Empty => found.push(e),
                    BLACK => {}
                    _ => break,
                }
            }
        }
        found
    }

    /// The distinct fours of the stone on `at`: sets of four stones that one more makes an exact five.
    fn fours(&mut self, at: usize) -> Vec<[usize; 4]> {
        let mut sets: Vec<[usize; 4]> = Vec::new();
        for step in self.steps() {
            for e in self.joinable(at, step) {
                self.cells[e] = BLACK;
                let (first, length) = self.run(e, step);
                self.cells[e] = Cell::Empty;
                let five = [0, 1, 2, 3, 4].map(|n| first.wrapping_add_signed(n * step));
                if length == 5 && five.contains(&at) {
                    let stones = without(five, e);
                    if !sets.contains(&stones) {
                        sets.push(stones);
                    }
                }
            }
        }
        sets
    }

    /// The threes of the stone on `at` by their stones alone, each with its extension points.
    fn threes(&mut self, at: usize) -> Vec<Three> {
        let mut threes: Vec<Three> = Vec::new();
        for (direction, step) in self.steps().into_iter().enumerate() {
            for e in self.joinable(at, step) {
                self.cells[e] = BLACK;
                let four = self.straight_four(e, step);
                self.cells[e] = Cell::Empty;
                let Some(four) = four.filter(|four| four.contains(&at)) else { continue };
                let stones: [usize; 3] = without(four, e);
                match threes.iter_mut().find(|three| three.stones == stones) {
                    Some(three) => three.extensions.push(e),
                    None => threes.push(Three { direction, stones, extensions: vec![e] }),
                }
            }
        }
        threes
    }

    /// The straight four that the stone on `at` stands in: four contiguous stones between two empty cells, each of which
    /// completes an exact five.
    fn straight_four(&mut self, at: usize, step: isize) -> Option<[usize; 4]> {
        let (first, length) = self.run(at, step);
        if length != 4 {
            return None;
        }
        for end in [first.wrapping_add_signed(-step), first.wrapping_add_signed(4 * step)] {
            if self.cells[end] != Cell::Empty {
                return None;
            }
            self.cells[end] = BLACK;
            let completed = self.run(end, step).1;
            self.cells[end] = Cell::Empty;
            if completed != 5 {
                return None;
            }
        }
        Some([0, 1, 2, 3].map(|n| first.wrapping_add_signed(n * step)))
    }

    /// Number of threes of the stone on `at` that a legal move makes a straight four; of more than two, two.
    fn true_threes(&mut self, at: usize, reading: Reading) -> usize {
        let threes = self.threes(at);
        threes
            .iter()
            .filter(|three| three.extensions.iter().any(|&e| self.extends(e, reading)))
            .take(2)
            .count()
    }

    fn extends(&mut self, e: usize, reading: Reading) -> bool {
        match (self.judge(e, reading), reading) {
            (Expected::Five, Reading::Literal) => false,
            (Expected::Five, Reading::FiveExtends) => true,
            (Expected::Other(kinds), _) => !kinds.any(),
        }
    }

    /// Whether `color` may play on `p`: an empty point that is not a foul.
    pub fn is_legal(&mut self, p: Point, color: Color, kind: RuleKind) -> bool {
        let may_be_foul = kind == RuleKind::Renju && color == Color::Black;
        self.get(p) == Cell::Empty && !(may_be_foul && self.verdict(p, Reading::Literal).is_foul())
    }

    /// Number of games of `depth` more legal moves; a game ends with a win.
    pub fn perft(&mut self, side: Color, depth: u32, kind: RuleKind) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut games = 0;
        let points: Vec<Point> = self.empties().collect();
        for p in points {
            if !self.is_legal(p, side, kind) {
                continue;
            }
            self.set(p, Cell::Stone(side));
            if depth == 1 {
                games += 1;
            } else if !self.wins_at(p, kind) {
                games += self.perft(!side, depth - 1, kind);
            }
            self.set(p, Cell::Empty);
        }
        games
    }
}

/// The cells but one, in order.
fn without<const N: usize, const M: usize>(cells: [usize; N], removed: usize) -> [usize; M] {
    let mut rest = cells.into_iter().filter(|&c| c != removed);
    std::array::from_fn(|_| rest.next().expect("one cell was removed"))
}
