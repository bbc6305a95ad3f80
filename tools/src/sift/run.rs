//! Judges candidates side by side, and keeps the results in a directory.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

use super::candidate::{Candidate, Verdict};
use super::even::{Chances, chances};
use super::lists::{self, Part};
use super::settings::Settings;
use super::sieve::Sieve;
use crate::arena::tournament::try_engines;
use crate::jobs;
use crate::runs::directory::Names;
use crate::runs::journal::Journal;
use crate::runs::stamps::{is_beginning, write_list};
use kagetsu::game::symmetry::Canonical;
use kagetsu::game::{Size, notation};

const NAMES: Names = Names {
    settings: "sift.json",
    journal: "candidates.jsonl",
    lists: &[Part::Tuning.file(), Part::Testing.file()],
    command: "openings sift",
};

/// Number of candidates after which a run gives up if none was kept.
const HOPELESS: u64 = 2000;

/// The directory of a run.
pub struct Sift {
    directory: PathBuf,
    settings: Settings,
    journal: Journal<Candidate>,
    candidates: BTreeMap<u64, Candidate>,
}

impl Sift {
    /// Checks that a directory may become that of a new run with these settings, and starts each engine once. Writes
    /// nothing: a run whose engines do not start could never go on.
    ///
    /// # Errors
    /// If the directory holds a run or files of others, the settings are impossible, or an engine cannot be started.
    pub fn check(directory: &Path, settings: &Settings) -> Result<()> {
        settings.check()?;
        NAMES.check(directory)?;
        try_engines(&settings.engines)
    }

    /// Creates the directory of a new run.
    ///
    /// # Errors
    /// If it holds a run or files of others, cannot be written, or the settings are impossible.
    pub fn create(directory: &Path, settings: Settings) -> Result<Sift> {
        settings.check()?;
        let journal = NAMES.create(directory, &settings)?;
        Ok(Sift { directory: directory.to_owned(), settings, journal, candidates: BTreeMap::new() })
    }

    /// Opens an interrupted run.
    ///
    /// # Errors
    /// If the files cannot be read or do not belong together, another process writes them, or this program has another net.
    pub fn resume(directory: &Path) -> Result<Sift> {
        let settings: Settings = NAMES.settings(directory)?;
        settings.check()?;
        let (journal, list) = NAMES.open::<Candidate>(directory)?;
        let candidates = list.into_iter().map(|candidate| (candidate.number, candidate)).collect();
        Ok(Sift { directory: directory.to_owned(), settings, journal, candidates })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Starts each engine of an interrupted run once: one that does not start is noticed before candidates are judged for
    /// hours.
    ///
    /// # Errors
    /// If an engine cannot be started.
    pub fn try_engines(&self) -> Result<()> {
        try_engines(&self.settings.engines)
    }

    /// Judges candidates in the order of their numbers, on this number of threads, until `wanted` openings are kept, there
    /// are no more candidates, or `stop` is set. Tells `on_candidate` of each, and how many openings are kept.
    ///
    /// # Errors
    /// If an engine fails or the files cannot be written; or if hardly any candidate will be kept.
    pub fn fill(
        &mut self,
        wanted: usize,
        threads: usize,
        stop: &AtomicBool,
        on_candidate: &mut dyn FnMut(&Candidate, usize),
    ) -> Result<()> {
        let Sift { settings, journal, candidates, .. } = self;
        let mut kept = Kept::on(settings.size()?);
        kept.advance(candidates)?;
        if kept.numbers.len() >= wanted {
            return Ok(());
        }
        let settings: &Settings = settings;
        let known: HashSet<u64> = candidates.keys().copied().collect();
        let missing = (0..settings.candidates().unwrap_or(u64::MAX)).filter(|number| !known.contains(number));
        let enough = AtomicBool::new(false);
        let new = || Sieve::new(settings, stop);
        let work = |sieve: &mut Result<Sieve<'_>>, number| match sieve {
            _ if enough.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) => None,
            Ok(sieve) => sieve.sift(number).transpose(),
            Err(error) => Some(Err(anyhow::anyhow!("{error:#}"))),
        };
        jobs::side_by_side(threads, missing, new, work, |results| -> Result<()> {
            // Candidates that are at work when enough are kept are finished, and kept too for a longer list.
            let mut outcome = Ok(());
            for result in results {
                let taken = result.and_then(|candidate| {
                    journal.append(&candidate)?;
                    candidates.insert(candidate.number, candidate.clone());
                    kept.advance(candidates)?;
                    on_candidate(&candidate, kept.numbers.len());
                    kept.check_hope()
                });
                if taken.is_err() || kept.numbers.len() >= wanted {
                    enough.store(true, Ordering::Relaxed);
                }
                outcome = outcome.and(taken);
            }
            outcome
        })?
    }

    /// Returns the first `wanted` kept openings in the order of their numbers, no two alike when turned or mirrored. A
    /// number counts only when all before it are judged, so that the list does not depend on threads or interruptions.
    ///
    /// # Errors
    /// If an opening of the directory cannot be read.
    pub fn kept(&self, wanted: usize) -> Result<Vec<&Candidate>> {
        let mut kept = Kept::on(self.settings.size()?);
        kept.advance(&self.candidates)?;
        Ok(kept.numbers.iter().take(wanted).map(|number| &self.candidates[number]).collect())
    }

    /// Writes the lists of the first `wanted` kept openings, for tuning and for testing, and returns how many each has.
    ///
    /// # Errors
    /// If they cannot be written, or somebody has edited them.
    pub fn write_lists(&self, wanted: usize) -> Result<Vec<(PathBuf, usize)>> {
        let (kept, all) = (self.kept(wanted)?, self.kept(usize::MAX)?);
        let list = |part: Part| {
            let (text, count) = lists::list(&self.settings, part, &kept);
            let (longest, _) = lists::list(&self.settings, part, &all);
            let is_own = |text: &str| is_beginning(text, &longest);
            Ok((write_list(&self.directory, part.file(), &text, is_own)?, count))
        };
        Part::ALL.into_iter().map(list).collect()
    }

    /// Returns the number of candidates of each verdict.
    pub fn tally(&self) -> BTreeMap<Verdict, usize> {
        let mut tally = BTreeMap::new();
        self.candidates.values().for_each(|candidate| *tally.entry(candidate.verdict).or_default() += 1);
        tally
    }

    /// Returns Black's results in all games; `None` without games.
    ///
    /// # Errors
    /// If the settings name no rule.
    pub fn chances(&self) -> Result<Option<Chances>> {
        Ok(chances(self.settings.rule()?, self.candidates.values()))
    }
}

/// The openings kept among the first candidates, as far as all of them are judged.
struct Kept {
    /// The board, on which moves are played and symmetric openings are found.
    size: Size,
    /// The first candidate that is not judged.
    next: u64,
    seen: HashSet<u64>,
    numbers: Vec<u64>,
}

impl Kept {
    /// Returns the state before the first candidate.
    fn on(size: Size) -> Kept {
        Kept { size, next: 0, seen: HashSet::new(), numbers: Vec::new() }
    }

    fn advance(&mut self, candidates: &BTreeMap<u64, Candidate>) -> Result<()> {
        while let Some(candidate) = candidates.get(&self.next) {
            self.next += 1;
            if let (Verdict::Kept, Some(opening)) = (candidate.verdict, &candidate.opening) {
                let position = notation::parse(opening, Some(self.size))
                    .with_context(|| format!("candidate {}", candidate.number))?;
                if self.seen.insert(Canonical::of_position(&position).key) {
                    self.numbers.push(candidate.number);
                }
            }
        }
        Ok(())
    }

    fn check_hope(&self) -> Result<()> {
        if self.next >= HOPELESS && self.numbers.is_empty() {
            bail!(
                "none of the first {HOPELESS} candidates was kept; start again in a new directory with a larger --bias or \
                 another --even"
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::contestant::Contestant;
    use crate::sift::settings::example;

    /// Returns the numbers of the openings kept in a run that judged these openings on this size, was interrupted and opened
    /// again.
    fn kept_after_resume(size: usize, openings: &[&str]) -> Vec<u64> {
        let engines = vec![Contestant::new("e".into(), Vec::new())];
        let settings = Settings { size, ..example(engines) };
        let folder = tempfile::tempdir().unwrap();
        let mut sift = Sift::create(folder.path(), settings).unwrap();
        for (&opening, number) in openings.iter().zip(0..) {
            let opening = Some(opening.to_owned());
            let verdict = Verdict::Kept;
            let candidate = Candidate { number, opening, score: None, games: Vec::new(), verdict };
            sift.journal.append(&candidate).unwrap();
        }
        drop(sift);
        let sift = Sift::resume(folder.path()).unwrap();
        sift.kept(openings.len()).unwrap().iter().map(|candidate| candidate.number).collect()
    }

    #[test]
    fn openings_are_read_on_the_board_of_the_run() {
        assert_eq!(kept_after_resume(20, &["t20a1", "j10k11"]), [0, 1]);
    }

    /// The second opening is the first one after a half turn about the centre of the board, the third one is another.
    #[test]
    fn symmetric_openings_are_kept_once_on_every_size() {
        for (size, openings) in [
            (9, ["a1e5b3", "i9e5h7", "a1e5b4"]),
            (15, ["a1h8b3", "o15h8n13", "a1h8b4"]),
            (20, ["a1j10b3", "t20k11s18", "a1j10b4"]),
        ] {
            assert_eq!(kept_after_resume(size, &openings), [0, 2], "{size}");
        }
    }
}
