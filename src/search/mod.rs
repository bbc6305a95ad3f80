//! The search: from a board and limits to a move. Knows nothing of protocols and prints nothing; progress goes to a
//! callback as [`Report`]s.
//!
//! [`root`] starts the threads and lets them vote, [`deepen`] is one thread's iterative deepening, [`pvs`] is the tree,
//! [`moves`] what a node does with its moves and [`order`] in which order, [`quiescence`] the horizon, [`statics`] what
//! threats decide without search, [`answers`] which moves a threat leaves, [`traps`] which fours may leave Black none,
//! [`tt`] the transposition table, [`time`] the time for a move, [`params`] all numbers and [`formulas`] what is made of
//! them.

mod answers;
mod busy;
mod deepen;
mod depth;
#[cfg(test)]
mod exhaustive;
mod formulas;
mod history;
mod limits;
mod moves;
mod near;
mod order;
pub mod params;
mod pulse;
mod pvs;
mod quiescence;
mod report;
mod root;
mod stack;
mod statics;
mod time;
mod traps;
mod tt;
mod worker;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use limits::Limits;
pub use near::Candidates;
pub use pulse::{Beat, Pulse};
pub use report::{Line, Report, Score, Source};
pub use root::{Search, THREAD_BYTES};
pub use time::Budget;

use crate::clock::Clock;

/// What a search runs under besides its limits.
pub struct Context<'a> {
    /// Where time is read.
    pub clock: &'a dyn Clock,
    /// The clock's reading when the command to think was read; limits count from here.
    pub start: Duration,
    /// Set from outside to stop the search soon.
    pub stop: &'a AtomicBool,
}
