//! Evaluation: from line shapes to a score, and to a policy prior for each move. It knows nothing of the search.
//!
//! The weights belong to the pattern codes of [`crate::game::codes`]; `docs/architecture.md` shows the net as a
//! picture.
//! - [`arch`]: dimensions and integer scales.
//! - [`net`]: weights of one rule, and their file format; [`nets`]: the nets in use; [`hand`]: the weights that
//!   training began from.
//! - [`features`]: sums, changes and moves to score; [`accumulator`]: lazily updated sums of a line; [`region`]: the nine
//!   regions of the board.
//! - [`policy`]: policy scores of moves; [`kernels`]: the inner loops; [`linear`]: the fast path for nets without
//!   vectors.
//! - [`evaluator`]: puts all of them together.

pub mod accumulator;
pub mod arch;
pub mod evaluator;
pub mod features;
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
