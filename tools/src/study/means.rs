//! Limits of a question to the solvers, and events while they work.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::solve::Budget;

/// A kind of forced win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Victory by continuous fours.
    Vcf,
    /// Victory by continuous threats: fours and threes.
    Vct,
}

impl Kind {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Vcf => "vcf",
            Kind::Vct => "vct",
        }
    }
}

/// An event of a solver at work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The work goes on.
    Working,
    /// One more move of the defender has been tried.
    Tried,
}

/// Limits of a question to the solvers, with a callback that hears of the work as it goes on.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Threads that share the moves of the defender; a win is searched for by one thread.
    pub threads: usize,
    /// Bytes for the tables of all threads together.
    pub hash: usize,
    /// Stones put on the board at most.
    pub nodes: Option<u64>,
    /// Time at most.
    pub time: Option<Duration>,
    /// Ends the work soon when set.
    pub stop: &'a AtomicBool,
    /// Receives events, often and from every thread.
    pub watch: &'a (dyn Fn(Event) + Sync),
}

/// Resources that a question has used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Used {
    /// Stones put on the board.
    pub nodes: u64,
    /// Time from the start.
    pub time: Duration,
}

impl Means<'_> {
    /// Starts the time of a question.
    pub(super) fn start(&self) -> Timer<'_> {
        Timer { means: self, clock: SystemClock::new() }
    }
}

/// The clock of one question. Reading it also sends [`Event::Working`].
pub(super) struct Timer<'a> {
    means: &'a Means<'a>,
    clock: SystemClock,
}

impl Timer<'_> {
    /// A budget of all limits.
    pub fn budget(&self) -> Budget<'_> {
        self.limited(self.means.nodes.map_or(Budget::unlimited(), Budget::nodes))
    }

    /// A budget of the time alone.
    pub fn time_alone(&self) -> Budget<'_> {
        self.limited(Budget::unlimited())
    }

    fn limited<'a>(&'a self, budget: Budget<'a>) -> Budget<'a> {
        budget.until(self, self.means.time.unwrap_or(Duration::MAX)).stopped_by(self.means.stop)
    }

    /// The resources used since the start, with these nodes.
    pub fn used(&self, nodes: u64) -> Used {
        Used { nodes, time: self.clock.now() }
    }
}

impl Clock for Timer<'_> {
    fn now(&self) -> Duration {
        (self.means.watch)(Event::Working);
        self.clock.now()
    }
}
