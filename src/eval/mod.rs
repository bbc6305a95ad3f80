//! The evaluation: from line shapes to a score, and to a first guess of how good each move is. Knows nothing of search.
//!
//! Weights belong to the pattern codes of [`crate::game::codes`]. [`net`] holds the weights of a rule and their file, [`nets`]
//! those in use, [`hand`] the ones that training began from. [`accumulator`] keeps vector sums that follow the board,
//! [`policy`] is which moves look good, [`kernels`] are the inner loops, [`linear`] is the short way for nets without
//! vectors, [`evaluator`] puts it together. [`arch`] has the dimensions.

pub mod accumulator;
pub mod arch;
pub mod evaluator;
pub mod hand;
pub mod kernels;
pub mod linear;
pub mod net;
pub mod nets;
pub mod policy;
pub mod region;

pub use accumulator::Accumulators;
pub use evaluator::Evaluator;
pub use net::{Net, NetError};
pub use policy::Turn;
