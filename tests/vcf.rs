//! Wins by fours against an exhaustive search that shares only the stones, the winner test and the literal foul rule.

mod common;

use std::collections::HashMap;

use common::random::Random;
use common::reference::{Cell, Grid};
use kagetsu::game::{Board, Color, Point, Rule, RuleKind, Size};
use kagetsu::solve::{Budget, Vcf, Verdict};
use kagetsu::with_rule;

/// Tries every move of the attacker and every reply of the defender.
struct Exhaustive {
    grid: Grid,
    attacker: Color,
    kind: RuleKind,
    known: HashMap<Vec<(Point, Color)>, Option<u32>>,
    nodes: usize,
}

const MAX_NODES: usize = 400;

impl Exhaustive {
    fn wins(&mut self, color: Color) -> Vec<Point> {
        let empties: Vec<Point> = self.grid.empties().collect();
        empties.into_iter().filter(|&p| self.grid.would_win(p, color, self.kind)).collect()
    }

    /// Plies to the five of a shortest win by fours, if there is one.
    fn solve(&mut self) -> Option<u32> {
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
            if self.nodes > MAX_NODES || !self.grid.is_legal(p, self.attacker, self.kind) {
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

/// Compares one position; returns whether there is a win, or `None` if the exhaustive search was too large.
fn compare<R: Rule>(position: &kagetsu::game::Position, attacker: Color) -> Option<bool> {
    let grid = Grid::from_position(position);
    if Color::BOTH.into_iter().any(|c| grid.has_won(c, R::KIND)) {
        return None;
    }
    let mut slow = Exhaustive { grid, attacker, kind: R::KIND, known: HashMap::new(), nodes: 0 };
    let expected = slow.solve();
    if slow.nodes > MAX_NODES {
        return None;
    }
    let board = Board::<R>::from_position(position).unwrap();
    let mut vcf = Vcf::<R>::new(1 << 16);
    let first = vcf.solve(&board, attacker, &mut Budget::unlimited());
    let stones: Vec<String> = position.stones().map(|(p, c)| format!("{c} {p}")).collect();
    let at = format!("{} {attacker} {stones:?}", R::KIND);
    assert_eq!(first == Verdict::Win, expected.is_some(), "{at}");
    if let Some(length) = expected {
        // With what the first search left in the table, and without.
        for _ in 0..2 {
            assert_eq!(vcf.shortest(&board, attacker, &mut Budget::unlimited()), (Verdict::Win, true));
            let moves = vcf.line().len() as u32;
            let five_at_once = !slow.wins(attacker).is_empty();
            assert_eq!(if five_at_once { 1 } else { moves + 2 }, length, "{at}");
            vcf.clear();
        }
    }
    Some(expected.is_some())
}

#[test]
fn agrees_with_an_exhaustive_search() {
    let mut random = Random::new(4);
    for kind in RuleKind::ALL {
        let (mut wins, mut none) = (0, 0);
        while wins < 40 || none < 40 {
            let size = Size::new([7, 8, 9][random.below(3)]).unwrap();
            let stones = 10 + random.below(size.area() / 2);
            let position = random.position(size, stones);
            let attacker = Color::BOTH[random.below(2)];
            match with_rule!(kind, R => compare::<R>(&position, attacker)) {
                Some(true) => wins += 1,
                Some(false) => none += 1,
                None => {}
            }
        }
    }
}
