//! Wins by fours by brute force: shares only the stones, the winner test and the literal foul rule with the solver.

use std::collections::HashMap;

use kagetsu::game::{Color, Direction, Point, RuleKind};

use super::reference::{Cell, Grid};

/// Tries every move of the attacker and every reply of the defender.
pub struct Exhaustive {
    pub grid: Grid,
    attacker: Color,
    kind: RuleKind,
    known: HashMap<Vec<(Point, Color)>, Option<u32>>,
    pub nodes: usize,
    /// Number of attacker's turns after which the search gives up. Its answer is then meaningless.
    limit: usize,
    /// Whether to stop at any win instead of looking for a shortest one.
    any: bool,
}

impl Exhaustive {
    /// Looks for a shortest win.
    pub fn shortest(grid: Grid, attacker: Color, kind: RuleKind, limit: usize) -> Exhaustive {
        Exhaustive { grid, attacker, kind, known: HashMap::new(), nodes: 0, limit, any: false }
    }

    /// Looks for any win.
    pub fn any(grid: Grid, attacker: Color, kind: RuleKind, limit: usize) -> Exhaustive {
        Exhaustive { any: true, ..Exhaustive::shortest(grid, attacker, kind, limit) }
    }

    /// Returns whether the search gave up, so that its last answer is meaningless.
    pub fn gave_up(&self) -> bool {
        self.nodes > self.limit
    }

    /// Points where `color` wins at once.
    pub fn wins(&mut self, color: Color) -> Vec<Point> {
        let empties: Vec<Point> = self.grid.empties().collect();
        empties.into_iter().filter(|&p| self.grid.would_win(p, color, self.kind)).collect()
    }

    /// Returns the plies to the five of a shortest win by fours, if there is one.
    pub fn solve(&mut self) -> Option<u32> {
        if !self.wins(self.attacker).is_empty() {
            return Some(1);
        }
        let key: Vec<_> = self.grid.stones().collect();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.nodes += 1;
        let empties: Vec<Point> = self.grid.empties().collect();
        let mut best: Option<u32> = None;
        for p in empties {
            if self.gave_up() || self.any && best.is_some() {
                continue;
            }
            let fives = self.fives_after(p);
            if fives.is_empty() || !self.grid.is_legal(p, self.attacker, self.kind) {
                continue;
            }
            self.grid.set(p, Cell::Stone(self.attacker));
            if let Some(length) = self.after_four(&fives) {
                best = Some(best.map_or(length + 2, |b| b.min(length + 2)));
            }
            self.grid.set(p, Cell::Empty);
        }
        self.known.insert(key, best);
        best
    }

    /// Returns the points where the attacker, who cannot win at once, could win after a stone on `p`: points near `p`
    /// in a row with it.
    fn fives_after(&mut self, p: Point) -> Vec<Point> {
        let size = self.grid.size();
        self.grid.set(p, Cell::Stone(self.attacker));
        let around =
            Direction::ALL.into_iter().flat_map(|d| (-5..=5).filter_map(move |n| p.offset(d, n, size)));
        let fives = around
            .filter(|&q| self.grid.get(q) == Cell::Empty && self.grid.would_win(q, self.attacker, self.kind))
            .collect();
        self.grid.set(p, Cell::Empty);
        fives
    }

    /// Returns the length of the win after the attacker's four, counted from the attacker's next move; `None` if a
    /// reply refutes it.
    fn after_four(&mut self, fives: &[Point]) -> Option<u32> {
        if !self.wins(!self.attacker).is_empty() {
            return None;
        }
        let mut longest = 1;
        let empties: Vec<Point> = self.grid.empties().collect();
        for q in empties {
            self.grid.set(q, Cell::Stone(!self.attacker));
            // A stone of the defender's makes no new five possible.
            let five_stays =
                fives.iter().any(|&p| p != q && self.grid.would_win(p, self.attacker, self.kind));
            self.grid.set(q, Cell::Empty);
            if five_stays || !self.grid.is_legal(q, !self.attacker, self.kind) {
                continue;
            }
            self.grid.set(q, Cell::Stone(!self.attacker));
            let length = self.solve();
            self.grid.set(q, Cell::Empty);
            longest = longest.max(length?);
        }
        Some(longest)
    }
}
