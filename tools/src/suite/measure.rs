//! Measures a suite: from how many nodes on the search agrees with each verdict.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::Serialize;

use kagetsu::clock::SystemClock;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::RuleKind;
use kagetsu::search::{Context, Limits, Report};

use super::entry::Entry;
use super::verdict::Holding;
use crate::jobs;

/// Conditions of a measurement. The figures depend on nothing else, so they are the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// Nodes of each search.
    pub nodes: u64,
    /// Bytes of its tables.
    pub hash: u64,
}

/// Searches the positions, several side by side, each with one thread and tables of its own. Returns the
/// number of nodes from which on each verdict holds, in order; `None` for a verdict that does not hold at the
/// end. `watch` is called after each.
///
/// # Errors
/// If a position has no move, or the system refuses the threads.
pub fn measure(
    entries: &[Entry],
    conditions: Conditions,
    jobs: usize,
    watch: &mut dyn FnMut(),
) -> Result<Vec<Option<u64>>> {
    let work = |engine: &mut Engine, (number, entry): (usize, &Entry)| {
        Some((number, nodes_to_verdict(engine, entry, conditions)))
    };
    let numbered = entries.iter().enumerate();
    let mut results = jobs::side_by_side(jobs, numbered, Engine::new, work, |results| {
        results.into_iter().inspect(|_| watch()).collect::<Vec<_>>()
    })?;
    results.sort_unstable_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Searches one position, with cleared tables.
fn nodes_to_verdict(engine: &mut Engine, entry: &Entry, conditions: Conditions) -> Result<Option<u64>> {
    let Conditions { nodes, hash } = conditions;
    engine.set_options(Options { rule: entry.rule, hash: Some(hash), ..Options::default() });
    engine.set_position(entry.position.clone());
    engine.clear();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let context = Context { clock: &clock, start: Duration::ZERO, stop: &stop };
    let mut holding = Holding::of(entry.verdict);
    let mut hear = |report: &Report| {
        let Some(line) = report.lines.first() else { return };
        holding.hear(report.nodes.min(nodes), line);
        stop.store(holding.is_final(), Ordering::Relaxed);
    };
    let (_, last) = engine.go(&limits, &context, &mut hear).with_context(|| format!("no move: {entry}"))?;
    hear(&last);
    Ok(holding.since())
}

/// The figures of several positions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Number of positions.
    pub positions: usize,
    /// Number of those whose verdict holds at the end of the search.
    pub solved: usize,
    /// Median of the nodes to the verdict; a miss counts as the whole search.
    pub median: u64,
    /// Geometric mean of the same.
    pub mean: u64,
}

impl Figures {
    /// Returns the figures of these results in searches of `limit` nodes; `None` without results.
    pub fn of(results: &[Option<u64>], limit: u64) -> Option<Figures> {
        let mut nodes: Vec<u64> = results.iter().map(|result| result.unwrap_or(limit).max(1)).collect();
        nodes.sort_unstable();
        let (low, high) = (nodes.get(nodes.len().checked_sub(1)? / 2)?, nodes.get(nodes.len() / 2)?);
        let logs: f64 = nodes.iter().map(|&nodes| libm::log(nodes as f64)).sum();
        Some(Figures {
            positions: results.len(),
            solved: results.iter().flatten().count(),
            median: low.midpoint(*high),
            mean: libm::exp(logs / nodes.len() as f64).round() as u64,
        })
    }
}

/// Returns the figures of each rule that has positions, in the order of the rules.
pub fn by_rule(entries: &[Entry], results: &[Option<u64>], limit: u64) -> Vec<(RuleKind, Figures)> {
    let figures = |rule| {
        let of_rule = entries.iter().zip(results).filter(|(entry, _)| entry.rule == rule);
        let results: Vec<_> = of_rule.map(|(_, result)| *result).collect();
        Figures::of(&results, limit).map(|figures| (rule, figures))
    };
    RuleKind::ALL.into_iter().filter_map(figures).collect()
}

#[cfg(test)]
mod tests {
    use super::super::list::read;
    use super::*;

    const CONDITIONS: Conditions = Conditions { nodes: 3000, hash: 4 << 20 };

    #[test]
    fn a_miss_counts_as_the_whole_search() {
        let figures = |results: &[Option<u64>]| {
            Figures::of(results, 1000).map(|f| (f.positions, f.solved, f.median, f.mean))
        };
        assert_eq!(figures(&[]), None);
        assert_eq!(figures(&[Some(10)]), Some((1, 1, 10, 10)));
        // The cube root of 10 * 100 * 1000 is 100.
        assert_eq!(figures(&[None, Some(10), Some(100)]), Some((3, 2, 100, 100)));
        assert_eq!(figures(&[Some(10), None]), Some((2, 1, 505, 100)));
        assert_eq!(figures(&[Some(0), Some(0)]), Some((2, 2, 1, 1)), "no logarithm of 0");
    }

    /// Black has an open three and the move; or White has, and Black has nothing; nobody has anything.
    const LIST: &str = "freestyle 15 win h8a1i8c1j8e1\nfreestyle 15 loss a1h8a15i8o1j8o15g10m1h9\n\
        standard 15 loss h8\n";

    #[test]
    fn proofs_are_found_and_wrong_verdicts_missed() {
        let entries = read(LIST, "list").unwrap();
        let mut seen = 0;
        let results = measure(&entries, CONDITIONS, 1, &mut || seen += 1).unwrap();
        assert_eq!(seen, 3);
        assert!(results[..2].iter().all(|nodes| nodes.is_some_and(|nodes| nodes < 3000)), "{results:?}");
        assert_eq!(results[2], None, "no search proves this");
        assert_eq!(results, measure(&entries, CONDITIONS, 3, &mut || {}).unwrap(), "whatever the threads");
        let figures = by_rule(&entries, &results, 3000);
        assert_eq!(
            figures.iter().map(|(rule, f)| (*rule, f.positions)).collect::<Vec<_>>(),
            [(RuleKind::Freestyle, 2), (RuleKind::Standard, 1)]
        );
    }
}
