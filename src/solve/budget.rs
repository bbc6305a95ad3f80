//! Budget of a solver: nodes, time, and a stop flag.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::Clock;

/// Nodes and trials between two polls of the clock and the stop flag.
const INTERVAL: u64 = 1024;

/// Limits of one or several solver calls, with a count of the nodes used. A node is a move of the tree
/// that is searched; the solver also puts stones on the board on trial, which count toward the next poll only.
#[derive(Clone)]
pub struct Budget<'a> {
    nodes: u64,
    limit: u64,
    /// Node count at which the clock and the flag are polled next; never above `limit`. Trials lower it.
    checkpoint: u64,
    deadline: Option<(&'a dyn Clock, Duration)>,
    stop: Option<&'a AtomicBool>,
    exhausted: bool,
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut budget = f.debug_struct("Budget");
        budget.field("nodes", &self.nodes).field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl<'a> Budget<'a> {
    /// Creates a budget of `limit` nodes.
    pub fn nodes(limit: u64) -> Budget<'a> {
        Budget { nodes: 0, limit, checkpoint: limit, deadline: None, stop: None, exhausted: limit == 0 }
    }

    /// Creates a budget without a limit.
    pub fn unlimited() -> Budget<'a> {
        Budget::nodes(u64::MAX)
    }

    /// Adds a deadline, which is a reading of `clock`: `clock.now()` plus the time that the solver may take.
    #[must_use]
    pub fn until(mut self, clock: &'a dyn Clock, deadline: Duration) -> Budget<'a> {
        self.deadline = Some((clock, deadline));
        self.checkpoint = self.limit.min(INTERVAL);
        self
    }

    /// Adds a flag that stops the solver when it is set.
    #[must_use]
    pub fn stopped_by(mut self, flag: &'a AtomicBool) -> Budget<'a> {
        self.stop = Some(flag);
        self.checkpoint = self.limit.min(INTERVAL);
        self
    }

    /// Counts `n` nodes. Returns false when the budget is used up, and from then on.
    #[inline(always)]
    pub fn spend(&mut self, n: u64) -> bool {
        self.nodes += n;
        self.nodes < self.checkpoint || self.check()
    }

    /// Counts `n` stones that were put on trial. They are no nodes, so that limits on nodes mean the same, but after many of them
    /// the next node polls the clock and the flag.
    #[inline(always)]
    pub fn tick(&mut self, n: u64) {
        self.checkpoint = self.checkpoint.saturating_sub(n);
    }

    #[cold]
    fn check(&mut self) -> bool {
        let late = self.deadline.is_some_and(|(clock, deadline)| clock.now() >= deadline);
        let stopped = self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed));
        self.exhausted |= late || stopped || self.nodes >= self.limit;
        self.checkpoint = if self.exhausted { 0 } else { self.limit.min(self.nodes + INTERVAL) };
        !self.exhausted
    }

    /// Returns whether the budget is used up.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Returns the nodes used so far.
    pub fn used(&self) -> u64 {
        self.nodes
    }

    /// Returns the nodes that are left.
    pub fn left(&self) -> u64 {
        self.limit - self.nodes.min(self.limit)
    }

    /// Returns a part of this budget with a node limit of its own; give it back with [`Self::absorb`].
    pub fn part(&self, limit: u64) -> Budget<'a> {
        let limit = limit.min(self.left());
        let limit = if self.exhausted { 0 } else { limit };
        let watched = self.deadline.is_some() || self.stop.is_some();
        let checkpoint = if watched { limit.min(INTERVAL) } else { limit };
        Budget { nodes: 0, limit, checkpoint, exhausted: limit == 0, ..self.clone() }
    }

    /// Counts the nodes used by a [`part`](Self::part). Returns false when this budget is used up.
    pub fn absorb(&mut self, part: &Budget<'_>) -> bool {
        self.spend(part.nodes) && !self.exhausted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Frozen(Duration);

    impl Clock for Frozen {
        fn now(&self) -> Duration {
            self.0
        }
    }

    #[test]
    fn nodes_run_out_and_stay_out() {
        let mut budget = Budget::nodes(3);
        assert!(budget.spend(2));
        assert!(!budget.spend(1));
        assert!(!budget.spend(0));
        assert!(budget.is_exhausted());
        assert_eq!(budget.used(), 3);
    }

    #[test]
    fn time_and_flag_are_seen_at_the_next_checkpoint() {
        let clock = Frozen(Duration::from_secs(2));
        let mut budget = Budget::unlimited().until(&clock, Duration::from_secs(1));
        assert!(budget.spend(1));
        assert!(!budget.spend(INTERVAL));
        let flag = AtomicBool::new(false);
        let mut budget = Budget::unlimited().stopped_by(&flag);
        assert!(budget.spend(2 * INTERVAL));
        flag.store(true, Ordering::Relaxed);
        assert!(!budget.spend(INTERVAL));
    }

    #[test]
    fn trials_bring_the_next_poll_nearer() {
        let flag = AtomicBool::new(true);
        let mut budget = Budget::unlimited().stopped_by(&flag);
        budget.tick(INTERVAL / 2);
        assert!(budget.spend(1), "too early");
        budget.tick(INTERVAL / 2);
        assert!(!budget.spend(1));
        let mut budget = Budget::nodes(3);
        budget.tick(2 * INTERVAL);
        assert!(budget.spend(2) && budget.used() == 2);
        assert!(!budget.spend(1), "a limit on nodes counts nodes alone");
    }

    #[test]
    fn a_part_counts_against_the_whole() {
        let mut whole = Budget::nodes(100);
        let mut part = whole.part(60);
        assert!(!part.spend(60));
        assert!(whole.absorb(&part));
        assert!(whole.part(1000).spend(39) && !whole.part(1000).spend(40));
        assert!(whole.spend(39) && !whole.spend(1));
        let flag = AtomicBool::new(true);
        let mut stopped = Budget::unlimited().stopped_by(&flag);
        assert!(!stopped.spend(INTERVAL) && !stopped.part(100).spend(1));
    }
}
