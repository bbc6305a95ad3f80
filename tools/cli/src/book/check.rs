//! `kagetsu book check`: judges a sample of a book's moves again by searches with many times the nodes.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail, ensure};

use kagetsu::engine::max_threads;
use kagetsu::game::RuleKind;
use kagetsu_console::Status;
use kagetsu_console::args::{BookArgs, rules};
use kagetsu_console::progress::Progress;
use kagetsu_tools::bookgen::check::{Finding, check, sample};
use kagetsu_tools::bookgen::judge::WRONG;
use kagetsu_tools::bookgen::recipe;
use kagetsu_tools::words;

/// The arguments of `check`.
#[derive(clap::Args)]
#[command(after_help = "\
The exit status is 1 if a move was reported, or if the check was interrupted.

Example:
  kagetsu book check --sample 500 --times 20")]
pub struct Check {
    #[command(flatten)]
    book: BookArgs,
    /// Check N moves chosen at random
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    sample: u32,
    /// Search with this multiple of the nodes of a position's first search
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    times: u64,
    /// Report book moves that lose by force or score more than UNITS below the best move
    #[arg(long, value_name = "UNITS", default_value_t = WRONG)]
    bound: i32,
    /// Check only moves of this rule
    #[arg(long, ignore_case = true, value_parser = rules())]
    rule: Option<RuleKind>,
    /// Set the seed; each gives another sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Check T moves side by side [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Check {
    /// Runs the subcommand.
    pub fn run(&self, stop: &Arc<AtomicBool>, out: &mut dyn Write) -> Result<Status> {
        let book = super::open(&self.book)?;
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
        }
        let cases = sample(&book, self.rule, self.sample as usize, self.seed);
        ensure!(
            !cases.is_empty(),
            "the book has no move to check{}",
            self.rule.map(|rule| format!(" under {rule}")).unwrap_or_default()
        );
        let mut progress = Progress::of(cases.len() as u64);
        let threads = self.threads.map_or_else(max_threads, usize::from);
        let findings = check(&cases, self.times, threads, stop, &mut || progress.step())?;
        drop(progress);
        let told = self.tell(&findings, out);
        // Moves that were not checked may be wrong: a script must not take the book for a checked one, even if nobody reads
        // the output any more.
        if findings.len() < cases.len() && stop.load(Ordering::Relaxed) {
            bail!("interrupted: checked {} of {}", findings.len(), words::count(cases.len(), "move"));
        }
        if findings.iter().any(|finding| finding.is_wrong(self.bound)) {
            return Ok(Status::SomeFailed);
        }
        told?;
        Ok(Status::Done)
    }

    fn tell(&self, findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
        let is_wrong = |f: &&Finding| f.is_wrong(self.bound);
        for finding in findings.iter().filter(is_wrong) {
            writeln!(out, "{}", finding.text)?;
        }
        let same = findings.iter().filter(|f| f.loss == 0 && !f.lost).count();
        let worst = findings.iter().map(|f| f.loss).max().unwrap_or(0);
        let lost = findings.iter().filter(|f| f.lost).count();
        let wrong = findings.iter().filter(is_wrong).count();
        writeln!(
            out,
            "{} with {} times the nodes: {same} as good as the best, {wrong} wrong ({lost} lost by force); \
             largest loss {worst}",
            words::count(findings.len(), "move"),
            self.times
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::book::{Book, Candidate, Entry, Key};
    use kagetsu::game::{Position, Size};

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
        let check = |bound| Check {
            book: BookArgs { book: Some(file.path().to_owned()) },
            sample: 1,
            times: 1,
            bound,
            rule: Some(rule),
            seed: 1,
            threads: Some(1),
        };
        let run = |bound, stop, out: &mut dyn Write| check(bound).run(&Arc::new(AtomicBool::new(stop)), out);
        let interrupted = run(i32::MAX, true, &mut Vec::new()).unwrap_err();
        assert_eq!(interrupted.to_string(), "interrupted: checked 0 of 1 move");
        assert_eq!(run(i32::MAX, false, &mut Vec::new()).unwrap(), Status::Done);
        // No loss is below -1, so every move is reported. The output has no reader.
        let (reader, mut unread) = io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(-1, false, &mut unread).unwrap(), Status::SomeFailed);
        let unread = run(i32::MAX, false, &mut unread).unwrap_err();
        assert_eq!(unread.downcast::<io::Error>().unwrap().kind(), io::ErrorKind::BrokenPipe);
    }
}
