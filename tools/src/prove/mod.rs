//! Proofs of whole openings: best-first search over positions whose leaves the solver for threats settles.
//!
//! A position in which the attacker is to move is a *turn*, one in which the defender is to move a *defence*.
//! A turn is won if [`Vct`](kagetsu::solve::Vct) finds a win, or one of its moves leads to a lost defence. A
//! defence is lost if all replies lead to won turns. The pass makes this feasible: if the attacker would win
//! after a pass of the defender, that proof holds against every reply that does not disturb it, and only the
//! other replies are searched ([`Vct::covered`](kagetsu::solve::Vct::covered)).
//!
//! * [`fact`] has the questions about a position and their answers; [`worker`] finds the answers. An answer
//!   depends on the position and the question alone.
//! * [`store`] is the file of the answers, appended to as they come, so that a kill costs no more than the questions in
//!   work. The same search goes on from it.
//! * [`tree`] decides which question comes next, by the estimated work of each position ([`effort`]);
//!   [`search`] drives it with any number of workers.
//! * [`assemble`] makes one [`Proof`](kagetsu::solve::proof::Proof) of the answers, for the verifier of the
//!   solvers; [`survey`] lists proven and open positions, and [`cost`] the nodes of the proven ones;
//!   [`library`] writes both as a tree of moves, and reads proofs back.
//! * [`order`] decides where a proof begins; [`run`] does all of this in turn, and verifies proofs that were written.
//!
//! A search that finds no win proves nothing, so it never refutes a position: a position that is not proven
//! is open, and further moves are tried as the best-looking ones turn out to be hard. Only two things close a
//! move: a win of the defender by fours, and an end of the game without a win because a side has no legal
//! move.
//!
//! CITE: Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994), for proof-number search and for
//! threat sequences against a passing defender; Wagner and Virag, "Solving Renju" (2001), for the game; Thomsen, "Lambda-search
//! in game trees" (2000), for threats of threats.

pub mod assemble;
pub mod cost;
pub mod effort;
pub mod fact;
pub mod library;
pub mod order;
pub mod run;
pub mod search;
pub mod store;
pub mod survey;
pub mod tree;
pub mod worker;

use kagetsu::game::{Color, Position, RuleKind};

/// The claim to prove: that the attacker wins from a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The rule.
    pub rule: RuleKind,
    /// The position.
    pub position: Position,
    /// The side that is to win.
    pub attacker: Color,
}
