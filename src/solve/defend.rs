//! Defence: which moves stop a threatened win. Every legal move is tried, so the list is complete.

use super::{Budget, Vcf, Vct, Verdict};
use crate::game::{Board, Color, Point, Rule};

/// A question that a solver answers of a position with `attacker` to move.
pub trait Solver<R: Rule> {
    /// Whether the attacker wins.
    fn solve(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Verdict;
}

impl<R: Rule> Solver<R> for Vcf<R> {
    fn solve(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Verdict {
        Vcf::solve(self, board, attacker, budget)
    }
}

impl<R: Rule> Solver<R> for Vct<R> {
    fn solve(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Verdict {
        Vct::solve(self, board, attacker, budget)
    }
}

/// What can be done against a threat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defences {
    /// Whether there is a threat: a win of the kind, if the defender passes.
    pub threat: Verdict,
    /// Moves after which there is none, in board order. A five of the defender's is one.
    pub stops: Vec<Point>,
    /// Moves for which the budget did not suffice.
    pub undecided: Vec<Point>,
}

/// The defences of the side to move against the opponent's threat.
pub fn defences<R: Rule>(
    solver: &mut impl Solver<R>,
    board: &mut Board<R>,
    budget: &mut Budget<'_>,
    mut tried: impl FnMut(),
) -> Defences {
    let (defender, attacker) = (board.side(), !board.side());
    let threat = solver.solve(board, attacker, budget);
    let mut found = Defences { threat, stops: Vec::new(), undecided: Vec::new() };
    if threat == Verdict::NoWin {
        return found;
    }
    let empty = *board.empty();
    for p in empty.iter().filter(|&p| !board.is_foul(p, defender)).collect::<Vec<_>>() {
        board.play(p);
        let verdict = match board.winner() {
            Some(_) => Verdict::NoWin,
            None => solver.solve(board, attacker, budget),
        };
        board.undo();
        match verdict {
            Verdict::Win => {}
            Verdict::NoWin => found.stops.push(p),
            Verdict::Unknown => found.undecided.push(p),
        }
        tried();
    }
    found
}
