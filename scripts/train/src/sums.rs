//! Sums of losses.

use serde::{Deserialize, Serialize};

/// Sums of losses over samples.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sums {
    /// Binary cross-entropy against the target.
    pub value: f64,
    /// Samples.
    pub count: f64,
    /// Binary cross-entropy against the result alone.
    pub result: f64,
    /// Samples that have a result.
    pub results: f64,
    /// Cross-entropy of the moves.
    pub moves: f64,
    /// Moves that were judged best.
    pub hits: f64,
    /// Samples that have a move.
    pub move_count: f64,
}

impl std::ops::AddAssign for Sums {
    fn add_assign(&mut self, other: Sums) {
        self.value += other.value;
        self.result += other.result;
        self.results += other.results;
        self.count += other.count;
        self.moves += other.moves;
        self.hits += other.hits;
        self.move_count += other.move_count;
    }
}
