//! Proofs of whole openings: best-first search over positions whose leaves the solver for threats settles.
//!
//! A position in which the attacker is to move is a *turn*, one in which the defender is a *defence*. A turn is won if
//! [`Vct`](kagetsu::solve::Vct) finds a win, or one of its moves leads to a lost defence. A defence is lost if all replies
//! lead to won turns. What makes this feasible is the pass: if the attacker would win after a pass of the defender, that
//! proof stands against every reply that does not disturb it, and only the others have to be looked at
//! ([`Vct::covered`](kagetsu::solve::Vct::covered)).
//!
//! * [`fact`] is what can be asked of a position, and what was found; [`worker`] finds it. An answer depends on the
//!   position and the question alone.
//! * [`store`] is the file of the answers, appended to as they come, so that a kill costs no more than the questions in
//!   work. The same search goes on from it.
//! * [`tree`] decides which question comes next by how much work each position seems to be ([`effort`]); [`search`] drives it
//!   with as many workers as wanted.
//! * [`assemble`] makes one [`Proof`](kagetsu::solve::proof::Proof) of what was found, for the verifier of the solvers;
//!   [`survey`] says what is proven and what is open; [`library`] writes it as a tree of moves, and reads proofs back.
//! * [`order`] decides where a proof begins; [`run`] does all of this in turn, and verifies proofs that were written.
//!
//! Failing to find a win proves nothing, so no position is ever taken for refuted on the attacker's word: what is not
//! proven is open, and moves beyond those that look good are tried as these turn out to be hard. Only a win of the
//! defender by fours closes a move, or an end of the game without a win because a side has no legal move.
//!
//! CITE: Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994), for proof-number search and for
//! threat sequences against a passing defender; Wagner and Virag, "Solving Renju" (2001), for the game; Thomsen, "Lambda-search
//! in game trees" (2000), for threats of threats.

pub mod assemble;
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
