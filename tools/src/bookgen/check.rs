//! Checks a book: judges a sample of its moves again by searches with many times the nodes.
//!
//! A search of the position finds the best move. If that is not the book's move, the positions after both are searched
//! with the same number of nodes. The book's move is wrong if it turns out lost, or worse than the other by
//! more than a bound; or if it is not legal, as a book of unknown origin may have it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::ThreadPoolBuildError;

use super::judge::{Judge, Known};
use crate::jobs;
use kagetsu::book::{Book, Candidate, Key};
use kagetsu::game::notation::setup;
use kagetsu::game::{RuleKind, Size, status};
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
    /// Whether the book's move loses by force and the preferred move does not, or is not legal.
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
            // Proven results are not checked: they do not depend on a search's judgement.
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
        let (position, p) = (self.key.position(self.size), self.of_book.point);
        let place = format!("{} {}", self.rule, setup::print(&position));
        if !status::is_legal(&position, self.rule, p) {
            return Some(Finding { loss: 0, lost: true, text: format!("{place}: {p} is not legal") });
        }
        let found = judge.compare(&self.key, p, nodes)?;
        let text = format!(
            "{place}: {p} {} ({} in the book), {} {}",
            found.own,
            self.of_book.score,
            found.preferred.map_or("none".to_owned(), |p| p.to_string()),
            found.other
        );
        Some(Finding { loss: found.loss(), lost: found.loses(), text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bookgen::recipe;
    use kagetsu::book::Entry;
    use kagetsu::game::notation::{parse, parse_point};

    /// `h8` is a double three, and on `h9` stands a stone.
    #[test]
    fn moves_that_are_not_legal_are_wrong() {
        let (rule, size) = (RuleKind::Renju, Size::S15);
        let (key, symmetry) = Key::of(&parse("f8a1g8a3h9a5h10a7", None).unwrap());
        let candidate = |name| {
            let point = symmetry.apply(parse_point(name, size).unwrap(), size);
            Candidate { point, score: 0, agreed: true }
        };
        let entry = Entry::new(0, 5, false, 20, ["h8", "h9"].map(candidate).to_vec());
        let mut book = Book::default();
        book.section_mut(&recipe(rule, size)).unwrap().add(key, entry);
        let cases = sample(&book, None, 9, 1);
        let findings = check(&cases, 1, 1, &Arc::new(AtomicBool::new(false)), &mut || {}).unwrap();
        assert!(findings.len() == 2 && findings.iter().all(|found| found.is_wrong(i32::MAX)), "{findings:?}");
    }
}
