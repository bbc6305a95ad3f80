//! `kagetsu book check`: a sample of a book's moves, judged again by searches of many times the nodes.
//!
//! A search of the position names the best move. If that is another than the book's, the positions after both are
//! searched as long; the book's move is wrong if it turns out lost, or worse than the other by more than the bound.

use std::collections::HashMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Result, bail};

use super::build::recipe;
use super::judge::{Judge, Known, WRONG};
use crate::Status;
use crate::args::{BookArgs, rules};
use crate::progress::Progress;
use kagetsu::book::{Candidate, Key};
use kagetsu::engine::max_threads;
use kagetsu::game::notation::setup;
use kagetsu::game::{RuleKind, Size};
use kagetsu::random::Random;

/// The arguments of `check`.
#[derive(clap::Args)]
#[command(after_help = "\
The exit status is 1 if a move is wrong, or if the check was interrupted.

Example:
  kagetsu book check --sample 500 --times 20")]
pub struct Check {
    #[command(flatten)]
    book: BookArgs,
    /// Moves to check, chosen at random
    #[arg(long, value_name = "N", default_value_t = 500)]
    sample: usize,
    /// Search with so many times the nodes of a position's first search
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    times: u64,
    /// How much worse than the best move a book move may turn out
    #[arg(long, value_name = "UNITS", default_value_t = WRONG)]
    bound: i32,
    /// Only moves of this rule
    #[arg(long, ignore_case = true, value_parser = rules())]
    rule: Option<RuleKind>,
    /// Every seed is another sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Moves side by side [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// A book move to check.
struct Case {
    rule: RuleKind,
    size: Size,
    key: Key,
    nodes: u64,
    of_book: Candidate,
}

/// What became of a case.
struct Finding {
    /// By how much the book's move is worse than the best one, as the long searches see it.
    loss: i32,
    /// Whether the book's move loses by force.
    lost: bool,
    text: String,
}

impl Check {
    /// Runs the subcommand.
    pub fn run(&self, stop: &Arc<AtomicBool>, out: &mut dyn Write) -> Result<Status> {
        let book = super::open(&self.book)?;
        let mut cases = Vec::new();
        for (rule, section) in
            book.sections().filter(|(rule, _)| self.rule.is_none_or(|wanted| wanted == *rule))
        {
            if section.recipe != recipe(rule, section.size) {
                log::warn!(
                    "{rule} {}: judged by {}, which is not in use",
                    section.size,
                    section.recipe.evaluation
                );
            }
            for (key, entry) in &section.entries {
                // A proven result was no matter of judgement.
                for &of_book in entry.agreed().iter().filter(|_| !entry.proven) {
                    let (size, nodes) = (section.size, entry.nodes);
                    cases.push(Case { rule, size, key: key.clone(), nodes, of_book });
                }
            }
        }
        Random::new(self.seed).shuffle(&mut cases);
        cases.truncate(self.sample);
        let findings = self.judge_all(&cases, stop);
        let status = self.tell(&findings, out)?;
        // What was not looked at is not right: a script must not take the book for a checked one.
        if findings.len() < cases.len() && stop.load(Ordering::Relaxed) {
            bail!("interrupted: {} of {} moves were checked", findings.len(), cases.len());
        }
        Ok(status)
    }

    fn judge_all(&self, cases: &[Case], stop: &Arc<AtomicBool>) -> Vec<Finding> {
        let progress = Mutex::new(Progress::of(cases.len() as u64));
        let next = AtomicUsize::new(0);
        let findings = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.threads.map_or_else(max_threads, usize::from) {
                scope.spawn(|| {
                    let mut judges = HashMap::new();
                    while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let judge = judges.entry((case.rule, case.size.side(), case.nodes));
                        let judge = judge.or_insert_with(|| {
                            let known = Arc::new(Known::default());
                            Judge::new(case.rule, case.size, case.nodes, known, Arc::clone(stop))
                        });
                        let Some(finding) = case.judge(judge, case.nodes * self.times) else { break };
                        if let (Ok(mut findings), Ok(mut progress)) = (findings.lock(), progress.lock()) {
                            findings.push(finding);
                            progress.step();
                        }
                    }
                });
            }
        });
        findings.into_inner().unwrap_or_default()
    }

    fn tell(&self, findings: &[Finding], out: &mut dyn Write) -> Result<Status> {
        let is_wrong = |f: &&Finding| f.lost || f.loss > self.bound;
        for finding in findings.iter().filter(is_wrong) {
            writeln!(out, "{}", finding.text)?;
        }
        let same = findings.iter().filter(|f| f.loss == 0 && !f.lost).count();
        let worst = findings.iter().map(|f| f.loss).max().unwrap_or(0);
        let lost = findings.iter().filter(|f| f.lost).count();
        let wrong = findings.iter().filter(is_wrong).count();
        writeln!(
            out,
            "{} moves with {} times the nodes: {same} as good as the best, {wrong} wrong ({lost} lost by force); \
             largest loss {worst}",
            findings.len(),
            self.times
        )?;
        Ok(if wrong == 0 { Status::Done } else { Status::SomeFailed })
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::book::{Book, Entry};
    use kagetsu::game::Position;

    #[test]
    fn an_interrupted_check_is_no_success() {
        let rule = RuleKind::Freestyle;
        let (key, symmetry) = Key::of(&Position::new(Size::S15));
        let point = symmetry.apply(Size::S15.center(), Size::S15);
        let entry = Entry::new(0, 5, false, 100, vec![Candidate { point, score: 0, agreed: true }]);
        let mut book = Book::default();
        book.section_mut(&recipe(rule, Size::S15)).unwrap().add(key, entry);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), book.to_bytes()).unwrap();
        let check = Check {
            book: BookArgs { book: Some(file.path().to_owned()) },
            sample: 1,
            times: 1,
            bound: i32::MAX,
            rule: Some(rule),
            seed: 1,
            threads: Some(1),
        };
        let run = |stop| check.run(&Arc::new(AtomicBool::new(stop)), &mut Vec::new());
        assert_eq!(run(true).unwrap_err().to_string(), "interrupted: 0 of 1 moves were checked");
        assert_eq!(run(false).unwrap(), Status::Done);
    }
}
