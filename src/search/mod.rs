//! The search: from a board and limits to a move. It knows nothing of protocols and prints nothing; progress goes to a
//! callback as [`Report`]s.
//!
//! From the outside in:
//! - [`root`]: starts the threads (Lazy SMP) and lets them vote.
//! - [`deepen`]: iterative deepening of one thread, with aspiration windows; [`time`] decides when it stops.
//! - [`pvs`]: the node function, steps 1 to 10 and 17; [`moves`]: the move loop, steps 11 to 16; [`quiescence`]: the search
//!   at the horizon.
//! - [`picker`]: the move picker, which generates the moves of a node in stages and puts them in order; [`candidates`]: the
//!   points near stones; [`history`]: history heuristic and countermoves; [`learning`]: their updates; [`leaders`]: the root
//!   moves that were best before.
//! - [`corrections`]: the correction history of the static evaluation.
//! - [`threats`]: wins, losses and forced replies by static rules; [`defences`]: the moves that stop a four-three;
//!   [`traps`]: fours whose only reply may be a foul.
//! - [`leaves`]: draws positions that the search evaluates, for training.
//! - [`tt`]: transposition table; [`deferred`]: moves that other threads are searching (ABDADA).
//! - [`worker`]: the state of one thread, making and unmaking moves; [`node`]: the state of a node; [`stack`]: move lists and
//!   principal variations; [`depth`]: depths in fractions of a ply.
//! - [`limits`]: what a search may use and what it is asked for; [`report`]: scores, lines and reports; [`pulse`]: progress
//!   between two reports.
//! - [`params`]: all tunable numbers; [`formulas`]: the margins and reductions made of them.
//!
//! `docs/search.md` lists the techniques with the gains that were measured.

mod candidates;
mod corrections;
mod deepen;
mod defences;
mod deferred;
mod depth;
#[cfg(test)]
mod exhaustive;
mod formulas;
mod history;
mod leaders;
mod learning;
mod leaves;
mod limits;
mod moves;
mod node;
pub mod params;
mod picker;
mod pulse;
mod pvs;
mod quiescence;
mod report;
mod root;
mod stack;
mod threats;
mod time;
mod traps;
mod tt;
mod worker;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use candidates::Candidates;
pub use leaves::Leaves;
pub use limits::Limits;
pub use pulse::{Beat, Pulse};
pub use report::{Line, Report, Score, Source, nodes_per_second};
pub use root::{STACK, Search, THREAD_BYTES};
pub(crate) use time::Budget;

use crate::clock::Clock;

/// Surroundings of a search: its clock, its start and its stop flag.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Source of the time.
    pub clock: &'a dyn Clock,
    /// The clock's reading when the command to think was read; limits count from here.
    pub start: Duration,
    /// Flag that another thread sets to stop the search soon.
    pub stop: &'a AtomicBool,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("start", &self.start).field("stop", self.stop).finish_non_exhaustive()
    }
}
