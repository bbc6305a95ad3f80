//! Defences against a threatened win. Every legal move is tried, so the list is complete.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::proof::{After, Proof};
use super::{Budget, Vcf, Vct, Verdict};
use crate::game::{Board, Color, Level, Point, Rule};

/// A solver that decides whether `attacker`, to move, wins a position.
pub trait Solver<R: Rule> {
    /// Returns whether the attacker wins.
    fn solve(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Verdict;

    /// Returns the proof of the win that [`Self::solve`] has just found on this board; `None` if the budget runs out.
    fn proof(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Option<Proof>;
}

impl<R: Rule> Solver<R> for Vcf<R> {
    fn solve(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Verdict {
        Vcf::solve(self, board, attacker, budget)
    }

    fn proof(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Option<Proof> {
        Vcf::proof(self, board, attacker, budget)
    }
}

impl<R: Rule> Solver<R> for Vct<R> {
    fn solve(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Verdict {
        Vct::solve(self, board, attacker, budget)
    }

    fn proof(&mut self, _: &Board<R>, _: Color, budget: &mut Budget<'_>) -> Option<Proof> {
        Vct::proof(self, budget)
    }
}

/// Result of [`defences`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defences {
    /// Whether there is a threat: a win of this kind if the defender passes.
    pub threat: Verdict,
    /// Moves that stop the threat, in board order. A five of the defender counts.
    pub stops: Vec<Point>,
    /// Moves that the budget did not suffice to decide.
    pub undecided: Vec<Point>,
}

/// Finds the defences of the side to move against the opponent's threat, with at most one thread for each solver. `tried`
/// is called for every move that has been decided.
///
/// One proof of the threat, found as if the defender passed, also refutes every move after which it holds unchanged.
/// Only the other moves need a search. Those that make fours come first, then those that the proof names most often, so
/// that a limit leaves the least important moves undecided.
///
/// Every thread has its own moves, memory and share of the nodes, so that the result does not depend on the speed of
/// threads.
///
/// # Panics
/// If there is no solver.
pub fn defences<R: Rule, S: Solver<R> + Send>(
    solvers: &mut [S],
    board: &Board<R>,
    budget: &mut Budget<'_>,
    tried: impl Fn() + Sync,
) -> Defences {
    let (defender, attacker) = (board.side(), !board.side());
    let threat = solvers[0].solve(board, attacker, budget);
    let mut found = Defences { threat, stops: Vec::new(), undecided: Vec::new() };
    if threat == Verdict::NoWin {
        return found;
    }
    let mut moves: Vec<Point> = board.empty().iter().filter(|&p| !board.is_foul(p, defender)).collect();
    if threat == Verdict::Win
        && let Some(proof) = solvers[0].proof(board, attacker, budget)
    {
        let refuted = Vct::<R>::new(0).covered(board, attacker, &proof, budget);
        moves.retain(|&p| !refuted.contains(p));
        refuted.iter().for_each(|_| tried());
        order(&mut moves, board, &proof);
    }
    // A solver without a move would take a share of the nodes for nothing.
    let threads = solvers.len().min(moves.len()).max(1);
    let nodes = budget.left() / threads as u64;
    let share = |solver| Share { solver, budget: budget.part(nodes), verdicts: Vec::new() };
    let mut shares: Vec<Share<'_, '_, S>> = solvers[..threads].iter_mut().map(share).collect();
    let waiting: Vec<_> = shares.iter_mut().map(|share| Mutex::new(Some(share))).collect();
    // Each share is taken once, by its own thread or by this one, which does what is left: its own share, and those of the
    // threads that the system refuses.
    let work = |first: usize| {
        let share = waiting[first].lock().unwrap_or_else(PoisonError::into_inner).take();
        let moves = moves.iter().skip(first).step_by(threads);
        share.into_iter().for_each(|share| share.try_moves(board.clone(), moves.clone(), &tried));
    };
    thread::scope(|scope| {
        for first in 1..threads {
            let thread = thread::Builder::new().spawn_scoped(scope, move || work(first));
            thread.map_or_else(|error| log::warn!("going on with fewer threads: {error}"), drop);
        }
        (0..threads).for_each(work);
    });
    drop(waiting);
    for (i, &p) in moves.iter().enumerate() {
        match shares[i % threads].verdicts[i / threads] {
            Verdict::Win => {}
            Verdict::NoWin => found.stops.push(p),
            Verdict::Unknown => found.undecided.push(p),
        }
    }
    found.stops.sort_unstable();
    found.undecided.sort_unstable();
    for used in shares.into_iter().map(|share| share.budget) {
        budget.absorb(&used);
    }
    found
}

/// Sorts moves: those that make fives and fours first, then those that the proof names most often.
fn order<R: Rule>(moves: &mut [Point], board: &Board<R>, proof: &Proof) {
    let mut named = HashMap::<Point, u32>::new();
    for id in proof.order() {
        let turn = proof.turns().get(id);
        *named.entry(turn.point).or_default() += 1;
        if let After::Replies { listed, .. } = &turn.after {
            listed.iter().for_each(|&(reply, _)| *named.entry(reply).or_default() += 1);
        }
    }
    let defender = board.side();
    moves.sort_by_key(|&p| {
        let four = board.level(p, defender) >= Level::Four;
        Reverse((four, named.get(&p).copied().unwrap_or(0)))
    });
}

/// Work of one thread, and the results of its moves.
struct Share<'s, 'b, S> {
    solver: &'s mut S,
    budget: Budget<'b>,
    verdicts: Vec<Verdict>,
}

impl<S> Share<'_, '_, S> {
    /// Decides whether the opponent still wins after each of these moves.
    fn try_moves<'m, R: Rule>(
        &mut self,
        mut board: Board<R>,
        moves: impl Iterator<Item = &'m Point>,
        tried: &impl Fn(),
    ) where
        S: Solver<R>,
    {
        for &p in moves {
            board.play(p);
            self.verdicts.push(match board.winner() {
                Some(_) => Verdict::NoWin,
                None => self.solver.solve(&board, board.side(), &mut self.budget),
            });
            board.undo();
            tried();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{Freestyle, Size, notation};

    /// Black's open three is stopped at its two ends: a move further out leaves a straight four on the other side. With 600
    /// shares of the nodes none would suffice for a move.
    #[test]
    fn solvers_without_a_move_take_no_nodes() {
        let position = notation::parse("d5a9e5i9f5", Size::new(9).ok()).unwrap();
        let board = Board::<Freestyle>::from_position(&position).unwrap();
        let mut solvers: Vec<Vcf<Freestyle>> = (0..600).map(|_| Vcf::new(0)).collect();
        let found = defences(&mut solvers, &board, &mut Budget::nodes(600), || {});
        let stops = ["c5", "g5"].map(|name| notation::parse_point(name, board.size()).unwrap());
        let expected = Defences { threat: Verdict::Win, stops: stops.to_vec(), undecided: Vec::new() };
        assert_eq!(found, expected);
    }
}
