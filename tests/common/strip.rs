//! Line shapes defined by the effect of more stones in a line, without windows or tables. A four is a shape that one
//! more stone makes a five. A three is a shape that one more stone makes a four that no reply stops. Weaker shapes
//! follow in the same way.

use kagetsu::game::{Color, RuleKind, Shape};

use super::reference::Cell;

/// A whole line, with a stone just put on one of its cells. Beyond its ends is wall.
#[derive(Clone)]
pub struct Strip {
    cells: Vec<Cell>,
    at: usize,
    color: Color,
    kind: RuleKind,
}

/// Largest distance from the stone at which other stones can take part in its rows.
const NEAR: usize = 4;

impl Strip {
    pub fn new(mut cells: Vec<Cell>, at: usize, color: Color, kind: RuleKind) -> Strip {
        assert_eq!(cells[at], Cell::Empty);
        cells[at] = Cell::Stone(color);
        Strip { cells, at, color, kind }
    }

    fn own(&self) -> Cell {
        Cell::Stone(self.color)
    }

    fn has_fouls(&self) -> bool {
        self.kind == RuleKind::Renju && self.color == Color::Black
    }

    fn get(&self, i: isize) -> Cell {
        usize::try_from(i).ok().and_then(|i| self.cells.get(i).copied()).unwrap_or(Cell::Wall)
    }

    /// The run through the stone: its first cell and length.
    fn run(&self) -> (isize, isize) {
        let mut first = self.at as isize;
        while self.get(first - 1) == self.own() {
            first -= 1;
        }
        let length = (first..).take_while(|&i| self.get(i) == self.own()).count();
        (first, length as isize)
    }

    /// Whether the run through the stone wins.
    fn wins(&self) -> bool {
        let (first, length) = self.run();
        let theirs = Cell::Stone(!self.color);
        let closed = self.get(first - 1) == theirs && self.get(first + length) == theirs;
        match self.kind {
            RuleKind::Freestyle => length >= 5,
            RuleKind::Renju if self.color == Color::White => length >= 5,
            RuleKind::Renju | RuleKind::Standard => length == 5,
            RuleKind::Caro => length == 5 && !closed,
            RuleKind::Caro6 => length >= 6 || length == 5 && !closed,
        }
    }

    /// Empty cells up to `reach` steps from the stone.
    fn empties(&self, reach: usize) -> Vec<usize> {
        let near = self.at.saturating_sub(reach)..=(self.at + reach).min(self.cells.len() - 1);
        near.filter(|&i| self.cells[i] == Cell::Empty).collect()
    }

    /// Runs `test` on the line with one more stone on `i`.
    fn with<T>(&mut self, i: usize, cell: Cell, test: impl FnOnce(&mut Strip) -> T) -> T {
        let old = std::mem::replace(&mut self.cells[i], cell);
        let result = test(self);
        self.cells[i] = old;
        result
    }

    /// Points where one more stone makes a winning run of which the stone is part.
    fn completions(&mut self) -> Vec<usize> {
        let own = self.own();
        let mut points = self.empties(NEAR);
        points.retain(|&e| {
            self.with(e, own, |s| {
                let (first, length) = s.run();
                s.wins() && (first..first + length).contains(&(e as isize))
            })
        });
        points
    }

    /// Whether a win threatens that no single stone of the opponent in this line stops.
    fn is_unstoppable(&mut self) -> bool {
        let reply = Cell::Stone(!self.color);
        !self.completions().is_empty()
            && self
                .empties(NEAR + 2)
                .into_iter()
                .all(|r| self.with(r, reply, |s| !s.completions().is_empty()))
    }

    /// Whether the stone stands in four contiguous ones between two empty cells, either of which wins, whatever the
    /// reply.
    fn is_straight_four(&mut self) -> bool {
        let (first, length) = self.run();
        let ends = [first - 1, first + 4];
        length == 4
            && ends.into_iter().all(|e| self.get(e) == Cell::Empty)
            && {
                let completions = self.completions();
                ends.into_iter().all(|e| completions.contains(&(e as usize)))
            }
            && self.is_unstoppable()
    }

    /// The different sets of four stones, the stone among them, that one more makes a winning five.
    fn four_sets(&mut self) -> usize {
        let own = self.own();
        let mut sets: Vec<Vec<isize>> = Vec::new();
        for e in self.completions() {
            let (first, length) = self.with(e, own, |s| s.run());
            let set: Vec<isize> = (first..first + length).filter(|&i| i != e as isize).collect();
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        sets.len()
    }

    /// Returns the number of ways to place `count` more stones on `points` so that `test` holds.
    fn ways(&mut self, count: usize, points: &[usize], test: fn(&mut Strip) -> bool) -> usize {
        if count == 0 {
            return test(self) as usize;
        }
        let own = self.own();
        (0..points.len())
            .map(|i| self.with(points[i], own, |s| s.ways(count - 1, &points[i + 1..], test)))
            .sum()
    }

    fn can(&mut self, count: usize, test: fn(&mut Strip) -> bool) -> bool {
        let points = self.empties(NEAR);
        self.ways(count, &points, test) > 0
    }

    /// The shape of the stone, by the documentation of [`Shape`].
    pub fn shape(&mut self) -> Shape {
        let points = self.empties(NEAR);
        if self.wins() {
            return Shape::Five;
        }
        if self.has_fouls() && self.run().1 >= 6 {
            return Shape::Overline;
        }
        if !self.completions().is_empty() {
            if self.is_straight_four() {
                return Shape::StraightFour;
            }
            // Renju counts fours by their stones. Under the other rules two fours are double if no reply
            // stops both.
            let double = if self.has_fouls() { self.four_sets() >= 2 } else { self.is_unstoppable() };
            return if double { Shape::DoubleFour } else { Shape::Four };
        }
        match self.ways(1, &points, Strip::is_straight_four) {
            0 => {}
            1 => return Shape::Three,
            _ => return Shape::ThreeDouble,
        }
        if !self.has_fouls() && self.can(1, Strip::is_unstoppable) {
            return Shape::Three;
        }
        if self.can(2, |s| s.wins()) {
            return Shape::ClosedThree;
        }
        match self.ways(2, &points, Strip::is_straight_four) {
            0 => {}
            1 => return Shape::Two,
            2 => return Shape::TwoDouble,
            _ => return Shape::TwoTriple,
        }
        if self.can(3, |s| s.wins()) {
            Shape::ClosedTwo
        } else if self.can(3, Strip::is_straight_four) {
            Shape::One
        } else if self.can(4, |s| s.wins()) {
            Shape::ClosedOne
        } else {
            Shape::Dead
        }
    }
}
