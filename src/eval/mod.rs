//! The evaluation: from line shapes to a score, and to a first guess of how good each move is. Knows nothing of search.

mod linear;

pub use linear::{Accumulator, Evaluator};
