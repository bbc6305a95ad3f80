//! Checks a book: judges a sample of its moves again by searches with many times the nodes.
//!
//! A search of the position finds the best move. If that is not the book's move, the positions after both are searched
//! with the same number of nodes. The book's move is wrong if it turns out lost, or worse than the other by more than a
//! bound.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::ThreadPoolBuildError;

use super::judge::{Judge, Known};
use crate::jobs;
use kagetsu::book::{Book, Candidate, Key};
use kagetsu::game::notation::setup;
use kagetsu::game::{RuleKind, Size};
use kagetsu::random::{Random, SeedableRng, SliceRandom};

/// A book move to check.
#[derive(Clone, Debug)]
pub struct Case {
    rule: RuleKind,
    size: Size,
    key: Key,
    nodes: u64,
    of_book: Candidate,
}

/// The result of checking a book move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Difference between the best move and the book's move, by the long searches.
    pub loss: i32,
    /// Whether the book's move loses by force and the preferred move does not.
    pub lost: bool,
    /// The position, both moves and their scores.
    pub text: String,
}

impl Finding {
    /// Returns whether the move is wrong: lost, or worse by more than `bound`.
    pub fn is_wrong(&self, bound: i32) -> bool {
        self.lost || self.loss > bound
    }
}

/// Returns the book's moves to play, except proven ones, of all rules or of one rule. It returns at most `sample` of
/// them, which the seed chooses.
pub fn sample(book: &Book, rule: Option<RuleKind>, sample: usize, seed: u64) -> Vec<Case> {
    let mut cases = Vec::new();
    for (rule, section) in book.sections().filter(|(of, _)| rule.is_none_or(|wanted| wanted == *of)) {
        for (key, entry) in &section.entries {
            // A proven result was no matter of judgement.
            for &of_book in entry.agreed().iter().filter(|_| !entry.proven) {
                let (size, nodes) = (section.size, entry.nodes);
                cases.push(Case { rule, size, key: key.clone(), nodes, of_book });
            }
        }
    }
    cases.shuffle(&mut Random::seed_from_u64(seed));
    cases.truncate(sample);
    cases
}

/// Checks the cases on several threads, each with `times` the nodes of its position's first search. `watch` is called after
/// each one. The findings are in the order of the cases; if `stop` is set on the way, they are fewer.
///
/// # Errors
/// If the system refuses the threads.
pub fn check(
    cases: &[Case],
    times: u64,
    threads: usize,
    stop: &Arc<AtomicBool>,
    watch: &mut dyn FnMut(),
) -> Result<Vec<Finding>, ThreadPoolBuildError> {
    let work = |judges: &mut HashMap<_, Judge>, (i, case): (usize, &Case)| {
        let judge = judges.entry((case.rule, case.size.side(), case.nodes)).or_insert_with(|| {
            let known = Arc::new(Known::default());
            Judge::new(case.rule, case.size, case.nodes, known, Arc::clone(stop))
        });
        Some((i, case.judge(judge, case.nodes * times)?))
    };
    let cases = cases.iter().enumerate();
    let mut findings: Vec<(usize, Finding)> =
        jobs::side_by_side(threads, cases, HashMap::new, work, |results| {
            results.into_iter().inspect(|_| watch()).collect()
        })?;
    findings.sort_by_key(|&(i, _)| i);
    Ok(findings.into_iter().map(|(_, finding)| finding).collect())
}

impl Case {
    fn judge(&self, judge: &mut Judge, nodes: u64) -> Option<Finding> {
        let found = judge.compare(&self.key, self.of_book.point, nodes)?;
        let text = format!(
            "{} {}: {} {} ({} in the book), {} {}",
            self.rule,
            setup::print(&self.key.position(self.size)),
            self.of_book.point,
            found.own,
            self.of_book.score,
            found.preferred.map_or("none".to_owned(), |p| p.to_string()),
            found.other
        );
        Some(Finding { loss: found.loss(), lost: found.loses(), text })
    }
}
