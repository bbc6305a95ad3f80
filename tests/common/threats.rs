//! Wins by threats by brute force: the class of moves as `kagetsu::solve::Vct` documents it, with every move of the attacker
//! and every reply of the defender. Wins by fours are those of [`Exhaustive`].

use std::collections::HashMap;

use kagetsu::game::{Color, Direction, Five, Point, RuleKind};
use kagetsu::solve::THREAT_FOURS;

use super::exhaustive::Exhaustive;
use super::reference::{Cell, Grid};

/// Tries every move of the class and every reply.
pub struct Threats {
    fours: Exhaustive,
    attacker: Color,
    kind: RuleKind,
    known: HashMap<Vec<(Point, Color)>, Option<u32>>,
    /// Number of attacker's turns looked at.
    nodes: usize,
    limit: usize,
}

impl Threats {
    /// Looks for shortest wins, and gives up after `limit` turns.
    pub fn new(grid: Grid, attacker: Color, kind: RuleKind, limit: usize) -> Threats {
        let fours = Exhaustive::shortest(grid, attacker, kind, usize::MAX);
        Threats { fours, attacker, kind, known: HashMap::new(), nodes: 0, limit }
    }

    /// Returns whether the search gave up, so that its last answer is meaningless.
    pub fn gave_up(&self) -> bool {
        self.nodes > self.limit
    }

    fn legal(&mut self, color: Color) -> Vec<Point> {
        let empties: Vec<Point> = self.fours.grid.empties().collect();
        empties.into_iter().filter(|&p| self.fours.grid.is_legal(p, color, self.kind)).collect()
    }

    /// Runs `work` with one more stone on the board.
    pub fn with<T>(&mut self, p: Point, color: Color, work: impl FnOnce(&mut Threats) -> T) -> T {
        self.fours.grid.set(p, Cell::Stone(color));
        let result = work(self);
        self.fours.grid.set(p, Cell::Empty);
        result
    }

    fn can_win(&mut self, color: Color) -> bool {
        !self.fours.wins(color).is_empty()
    }

    /// Returns the plies to the five of a shortest win of the class for the attacker, to move.
    pub fn solve(&mut self) -> Option<u32> {
        if self.can_win(self.attacker) {
            return Some(1);
        }
        let key: Vec<_> = self.fours.grid.stones().collect();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.nodes += 1;
        let threatened = self.can_win(!self.attacker);
        let mut best: Option<u32> = None;
        for p in self.legal(self.attacker) {
            if self.gave_up() {
                break;
            }
            if let Some(length) = self.with(p, self.attacker, |after| after.wins_by(p, threatened)) {
                best = Some(best.map_or(length, |b| b.min(length)));
            }
        }
        self.known.insert(key, best);
        best
    }

    /// Returns the plies of the win by the move just made to `p`; `None` if it is not of the class or does not win. `threatened`
    /// tells whether the defender threatened a five before it.
    fn wins_by(&mut self, p: Point, threatened: bool) -> Option<u32> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        if self.can_win(defender) {
            return None;
        }
        let mut replies = self.legal(defender);
        if self.can_win(attacker) {
            // All other replies lose at once.
            replies.retain(|&q| self.with(q, defender, |after| !after.can_win(attacker)));
        } else {
            let by_fours = |plies| plies <= 2 * THREAT_FOURS as u32 + 1;
            let in_class =
                (threatened || self.shares_a_window(p)) && self.fours.solve().is_some_and(by_fours);
            if !in_class || replies.is_empty() {
                return None;
            }
        }
        let mut longest = 1;
        for q in replies {
            longest = longest.max(self.with(q, defender, Threats::solve)?);
        }
        Some(longest + 2)
    }

    /// Whether five cells in a row hold the stone on `p`, another of the attacker's and none of the defender's, and win if they
    /// are filled.
    fn shares_a_window(&self, p: Point) -> bool {
        let (grid, five) = (&self.fours.grid, self.kind.five(self.attacker));
        let (own, theirs) = (Cell::Stone(self.attacker), Cell::Stone(!self.attacker));
        Direction::ALL.into_iter().any(|d| {
            (-4..=0).any(|start| {
                let cell = |n| p.offset(d, start + n, grid.size()).map_or(Cell::Wall, |q| grid.get(q));
                let (cells, ends) = ([0, 1, 2, 3, 4].map(cell), [cell(-1), cell(5)]);
                let wins = match five {
                    Five::AtLeast => true,
                    Five::Exactly => !ends.contains(&own),
                    Five::Unclosed => !ends.contains(&own) && ends != [theirs; 2],
                    Five::UnclosedOrLong => ends != [theirs; 2],
                };
                let owned = cells.iter().filter(|&&cell| cell == own).count();
                wins && owned >= 2 && cells.iter().all(|&cell| cell == own || cell == Cell::Empty)
            })
        })
    }
}
