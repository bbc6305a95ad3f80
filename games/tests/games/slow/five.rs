//! The relatives of Renju on an array of cells.
//!
//! Only the fouls of Renju and double threes come from the library. They have their own tests against slow definitions,
//! and every game uses the library's.

use kagetsu::game::{Color, DoubleThrees, Forbid33, Point, PointSet, Reading, Size, fouls_of};
use kagetsu_games::game::Foul;
use kagetsu_games::{Cell, Kind, Move, Outcome, Reason};

use super::Slow;

const WAYS: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

#[derive(Clone)]
pub struct Board {
    kind: Kind,
    n: i32,
    cells: Vec<Option<Color>>,
    side: Color,
    captured: [usize; 2],
    bombs: [bool; 2],
    /// The owner of a five that must survive the reply.
    five_of: Option<Color>,
    outcome: Option<Outcome>,
    played: usize,
}

/// The shortest and the longest row that wins for a colour.
fn rows(kind: Kind, color: Color) -> (usize, usize) {
    use Kind::*;
    match kind {
        Russian | Ninuki | Standard => (5, 5),
        AntiRenju | Pente | KeryoPente | Gomoku33 | Freestyle => (5, usize::MAX),
        Connect6 => (6, usize::MAX),
        _ if color == Color::Black => (5, 5),
        _ => (5, usize::MAX),
    }
}

impl Board {
    pub fn new(kind: Kind, n: usize) -> Board {
        let bomb = kind == Kind::Atomic;
        Board {
            kind,
            n: n as i32,
            cells: vec![None; n * n],
            side: Color::Black,
            captured: [0; 2],
            bombs: [bomb; 2],
            five_of: None,
            outcome: None,
            played: 0,
        }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        ((0..self.n).contains(&x) && (0..self.n).contains(&y)).then(|| (y * self.n + x) as usize)
    }

    /// Whether a cell counts for a colour: the centre of the bipartisan game counts for both.
    fn counts(&self, x: i32, y: i32, color: Color) -> bool {
        let Some(i) = self.index(x, y) else { return false };
        let wild = self.kind == Kind::Bipartisan && (x, y) == (self.n / 2, self.n / 2);
        self.cells[i] == Some(color) || wild && self.cells[i].is_some()
    }

    /// Lengths of the four rows through a cell.
    fn lengths(&self, x: i32, y: i32, color: Color) -> [usize; 4] {
        [(1, 0), (0, 1), (1, 1), (1, -1)].map(|(dx, dy)| {
            let mut length = 1;
            for sign in [-1, 1] {
                let mut k = sign;
                while self.counts(x + k * dx, y + k * dy, color) {
                    length += 1;
                    k += sign;
                }
            }
            length
        })
    }

    fn has_row_at(&self, x: i32, y: i32, color: Color) -> bool {
        let (least, most) = rows(self.kind, color);
        self.counts(x, y, color) && self.lengths(x, y, color).iter().any(|&l| l >= least && l <= most)
    }

    fn has_row(&self, color: Color) -> bool {
        (0..self.n).any(|y| (0..self.n).any(|x| self.has_row_at(x, y, color)))
    }

    /// Cells captured by a stone of a colour on a cell.
    fn caught(&self, x: i32, y: i32, color: Color) -> Vec<usize> {
        let most = match self.kind {
            Kind::Pente | Kind::Ninuki | Kind::Repensi => 2,
            Kind::KeryoPente => 3,
            _ => return Vec::new(),
        };
        let mut all = Vec::new();
        for (dx, dy) in WAYS {
            for length in 2..=most {
                let is = |k: i32, c: Color| {
                    self.index(x + k * dx, y + k * dy).is_some_and(|i| self.cells[i] == Some(c))
                };
                if (1..=length).all(|k| is(k, !color)) && is(length + 1, color) {
                    all.extend((1..=length).filter_map(|k| self.index(x + k * dx, y + k * dy)));
                }
            }
        }
        all
    }

    fn sets(&self) -> [PointSet; 2] {
        Color::BOTH.map(|color| {
            let is = |i: &usize| self.cells[*i] == Some(color);
            (0..self.cells.len())
                .filter(is)
                .map(|i| Point::new(i % self.n as usize, i / self.n as usize))
                .collect()
        })
    }

    /// Whether a stone of the side to move is forbidden on an empty cell.
    fn is_foul(&self, x: i32, y: i32) -> bool {
        let p = Point::new(x as usize, y as usize);
        let size = Size::new(self.n as usize).unwrap();
        let side = self.side;
        match self.kind {
            Kind::AntiRenju => self.makes_straight_four(x, y),
            Kind::Gomoku33 | Kind::Ninuki => {
                let mut board = DoubleThrees::new(size, Forbid33::Black);
                let sets = self.sets();
                for color in Color::BOTH {
                    sets[color.index()].iter().for_each(|q| board.toggle(q, color));
                }
                side == Color::Black && self.caught(x, y, side).is_empty() && board.is_foul(p, side)
            }
            Kind::Renju | Kind::Bipartisan | Kind::Atomic | Kind::Repensi => {
                if side == Color::White {
                    return false;
                }
                // The captures happen first.
                let mut after = self.clone();
                let caught = self.caught(x, y, side);
                caught.iter().for_each(|&i| after.cells[i] = Some(side));
                let [black, white] = after.sets();
                let foul = fouls_of(size, [&black, &white], Reading::Literal).contains(p);
                after.cells[(y * self.n + x) as usize] = Some(side);
                let mut changed: Vec<(i32, i32)> =
                    caught.iter().map(|&i| (i as i32 % self.n, i as i32 / self.n)).collect();
                let long =
                    changed.iter().any(|&(x, y)| after.lengths(x, y, side).iter().any(|&length| length > 5));
                changed.push((x, y));
                let five = changed.iter().any(|&(x, y)| after.has_row_at(x, y, side));
                !five && (foul || long)
            }
            _ => false,
        }
    }

    /// The board without the stones next to a cell.
    fn cleared_around(&self, x: i32, y: i32) -> Board {
        let mut cleared = self.clone();
        for (dx, dy) in WAYS {
            if let Some(i) = self.index(x + dx, y + dy) {
                cleared.cells[i] = None;
            }
        }
        cleared
    }

    /// Four in an unbroken row through the new stone with an empty cell at both ends; a five does not count.
    fn makes_straight_four(&self, x: i32, y: i32) -> bool {
        let mut after = self.clone();
        let side = self.side;
        after.cells[(y * self.n + x) as usize] = Some(side);
        if after.has_row_at(x, y, side) {
            return false;
        }
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| {
            (0..4).any(|back| {
                let at =
                    |k: i32| after.index(x + (k - back) * dx, y + (k - back) * dy).map(|i| after.cells[i]);
                (0..4).all(|k| at(k) == Some(Some(side))) && at(-1) == Some(None) && at(4) == Some(None)
            })
        })
    }

    fn allowed_by_opening(&self, x: i32, y: i32) -> bool {
        let middle = self.n / 2;
        let from_center = (x - middle).abs().max((y - middle).abs());
        match self.kind {
            Kind::Renju | Kind::Freestyle | Kind::Standard | Kind::Gomoku33 | Kind::Connect6 => true,
            Kind::Russian | Kind::Pente | Kind::KeryoPente if self.played == 2 && self.n >= 7 => {
                from_center > 2
            }
            _ => self.played > 0 || from_center == 0,
        }
    }

    fn empties(&self) -> Vec<(i32, i32)> {
        let all = (0..self.n).flat_map(|y| (0..self.n).map(move |x| (x, y)));
        all.filter(|&(x, y)| self.cells[(y * self.n + x) as usize].is_none()).collect()
    }

    fn fouls_lose(&self) -> bool {
        matches!(self.kind, Kind::Renju | Kind::Bipartisan | Kind::Atomic | Kind::Repensi)
    }

    /// Stones that a side may place in the whole game.
    fn supply(&self) -> usize {
        match self.kind {
            Kind::AntiRenju | Kind::Bipartisan | Kind::Atomic | Kind::Repensi => 50,
            _ => usize::MAX,
        }
    }

    fn goal(&self) -> usize {
        match self.kind {
            Kind::Pente | Kind::Ninuki => 10,
            Kind::KeryoPente => 15,
            _ => usize::MAX,
        }
    }

    /// Whether one capture by the opponent leaves a colour without a five.
    fn is_breakable(&self, color: Color) -> bool {
        self.empties().into_iter().any(|(x, y)| {
            let caught = self.caught(x, y, !color);
            let mut after = self.clone();
            caught.iter().for_each(|&i| after.cells[i] = None);
            !caught.is_empty() && !after.has_row(color)
        })
    }

    fn end_of(&mut self, side: Color, foul: Option<Foul>, own: bool) -> Option<Outcome> {
        let full = self.captured[side.index()] >= self.goal();
        let other = self.has_row(!side);
        let was_waiting = self.five_of.take() == Some(!side);
        let own = own || was_waiting && self.has_row(side);
        let survived = was_waiting && other;
        if full && other && !was_waiting {
            return Some(Outcome::draw(Reason::RowAndCaptures));
        }
        if full {
            return Some(Outcome::win(side, Reason::Captures));
        }
        if survived {
            return Some(Outcome::win(!side, Reason::Row));
        }
        if own {
            if self.kind != Kind::Ninuki || !self.is_breakable(side) {
                return Some(Outcome::win(side, Reason::Row));
            }
            self.five_of = Some(side);
        } else if other {
            return Some(Outcome::win(!side, Reason::Row));
        } else if let Some(foul) = foul {
            return Some(Outcome::win(!side, Reason::Foul(foul)));
        }
        None
    }

    fn draw(&self) -> Option<Outcome> {
        let empties = self.empties();
        let used = self.cells.iter().filter(|c| **c == Some(self.side)).count();
        if empties.is_empty() {
            Some(Outcome::draw(Reason::FullBoard))
        } else if used >= self.supply() {
            Some(Outcome::draw(Reason::NoStones))
        } else if !self.fouls_lose() && empties.iter().all(|&(x, y)| self.is_foul(x, y)) {
            Some(Outcome::draw(Reason::OnlyFouls))
        } else {
            None
        }
    }
}

impl Slow for Board {
    fn moves(&mut self) -> Vec<Move> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let point = |&(x, y): &(i32, i32)| Point::new(x as usize, y as usize);
        let empties: Vec<(i32, i32)> =
            self.empties().into_iter().filter(|&(x, y)| self.allowed_by_opening(x, y)).collect();
        let mut free: Vec<(i32, i32)> =
            empties.iter().copied().filter(|&(x, y)| !self.is_foul(x, y)).collect();
        if free.is_empty() && self.fouls_lose() {
            free.clone_from(&empties);
        }
        let mut moves: Vec<Move> = free.iter().map(point).map(Move::Place).collect();
        if self.bombs[self.side.index()] {
            // A bomb removes its neighbours before it is judged.
            let free = empties.iter().filter(|&&(x, y)| !self.cleared_around(x, y).is_foul(x, y));
            moves.extend(free.map(point).map(Move::Bomb));
        }
        moves
    }

    fn play(&mut self, m: Move) {
        let (side, p) = (self.side, m.point().unwrap());
        let (x, y) = (p.x() as i32, p.y() as i32);
        let is_bomb = matches!(m, Move::Bomb(_));
        let judged = if is_bomb { self.cleared_around(x, y) } else { self.clone() };
        let foul = (self.fouls_lose() && judged.is_foul(x, y))
            .then_some(Foul::Renju(kagetsu::game::FoulKinds::NONE));
        let caught = if is_bomb { Vec::new() } else { self.caught(x, y, side) };
        self.cells[(y * self.n + x) as usize] = Some(side);
        let mut changed = vec![(x, y)];
        self.captured[side.index()] += caught.len();
        for i in caught {
            if self.kind == Kind::Repensi {
                self.cells[i] = Some(side);
                changed.push((i as i32 % self.n, i as i32 / self.n));
            } else {
                self.cells[i] = None;
            }
        }
        if is_bomb {
            self.bombs[side.index()] = false;
            self.cells = self.cleared_around(x, y).cells;
        }
        self.played += 1;
        if self.kind != Kind::Connect6 || self.played % 2 == 1 {
            self.side = !side;
        }
        let own = changed.iter().any(|&(x, y)| self.has_row_at(x, y, side));
        self.outcome = self.end_of(side, foul, own).or_else(|| self.draw());
    }

    fn side(&self) -> Color {
        self.side
    }

    fn cell(&self, p: Point) -> Cell {
        self.cells[p.y() * self.n as usize + p.x()].map_or(Cell::Empty, Cell::Stone)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}
