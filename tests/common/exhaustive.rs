//! Wins by fours by brute force: shares only the stones, the winner test and the literal foul rule with the solver.

use std::collections::HashMap;

use kagetsu::game::{Color, Point, RuleKind};

use super::reference::{Cell, Grid};

/// Tries every move of the attacker and every reply of the defender.
pub struct Exhaustive {
    pub grid: Grid,
    attacker: Color,
    kind: RuleKind,
    known: HashMap<Vec<(Point, Color)>, Option<u32>>,
    pub nodes: usize,
    /// Attacker's turns after which the search gives up, its answer then worthless.
    limit: usize,
    /// Whether any win will do, or a shortest is wanted.
    any: bool,
}

impl Exhaustive {
    /// Looks for a shortest win.
    pub fn shortest(grid: Grid, attacker: Color, kind: RuleKind) -> Exhaustive {
        Exhaustive { grid, attacker, kind, known: HashMap::new(), nodes: 0, limit: 400, any: false }
    }

    /// Looks for any win.
    pub fn any(grid: Grid, attacker: Color, kind: RuleKind) -> Exhaustive {
        Exhaustive { limit: 3000, any: true, ..Exhaustive::shortest(grid, attacker, kind) }
    }

    /// Whether the last answer means nothing.
    pub fn gave_up(&self) -> bool {
        self.nodes > self.limit
    }

    pub fn wins(&mut self, color: Color) -> Vec<Point> {
        let empties: Vec<Point> = self.grid.empties().collect();
        empties.into_iter().filter(|&p| self.grid.would_win(p, color, self.kind)).collect()
    }

    /// Plies to the five of a shortest win by fours, if there is one.
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
            if self.gave_up()
                || self.any && best.is_some()
                || !self.grid.is_legal(p, self.attacker, self.kind)
            {
                continue;
            }
            self.grid.set(p, Cell::Stone(self.attacker));
            if let Some(length) = self.after_move() {
                best = Some(best.map_or(length + 2, |b| b.min(length + 2)));
            }
            self.grid.set(p, Cell::Empty);
        }
        self.known.insert(key, best);
        best
    }

    /// Length of the win after the attacker's move, counted from his next one; `None` if it is no winning four.
    fn after_move(&mut self) -> Option<u32> {
        if self.wins(self.attacker).is_empty() || !self.wins(!self.attacker).is_empty() {
            return None;
        }
        let mut longest = 1;
        let empties: Vec<Point> = self.grid.empties().collect();
        for q in empties {
            if !self.grid.is_legal(q, !self.attacker, self.kind) {
                continue;
            }
            self.grid.set(q, Cell::Stone(!self.attacker));
            let length = if self.wins(self.attacker).is_empty() { self.solve() } else { Some(1) };
            self.grid.set(q, Cell::Empty);
            longest = longest.max(length?);
        }
        Some(longest)
    }
}
