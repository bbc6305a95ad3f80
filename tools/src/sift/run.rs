//! Runs that judge candidates and keep the results in a directory.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};

use super::candidate::{Sifted, Verdict};
use super::even::{Chances, chances};
use super::lists::{self, Part};
use super::settings::{Settings, Source};
use super::sieve::Sieve;
use crate::arena::tournament::try_engines;
use crate::runs::directory::Names;
use crate::runs::numbered::{Numbered, Run, Work};
use crate::runs::stamps::List;
use kagetsu::game::notation;
use kagetsu::game::symmetry::Canonical;

/// Number of candidates after which a run gives up if none was kept.
const HOPELESS: u64 = 2000;

/// A run.
pub type Sift = Run<Settings>;

impl Numbered for Sifted {
    fn number(&self) -> u64 {
        self.number
    }
}

impl Work for Settings {
    type Result = Sifted;
    type Kept = String;
    type Worker<'a> = Sieve<'a>;

    const NAMES: Names = Names {
        settings: "sift.json",
        journal: "candidates.jsonl",
        lists: &[Part::Tuning.file(), Part::Testing.file()],
        command: "openings sift",
    };

    fn check_settings(&self) -> Result<()> {
        self.check()
    }

    fn count(&self) -> u64 {
        match &self.source {
            Source::Random { .. } => u64::MAX,
            Source::List(list) => list.len() as u64,
        }
    }

    fn worker<'a>(&'a self, stop: &'a AtomicBool) -> Result<Sieve<'a>> {
        Sieve::new(self, stop)
    }

    fn result(&self, sieve: &mut Sieve<'_>, number: u64) -> Result<Option<Sifted>> {
        sieve.sift(number)
    }

    /// The opening, if the candidate was kept. Symmetric openings are alike.
    fn kept(&self, candidate: &Sifted) -> Result<Vec<(u64, String)>> {
        let Some(opening) = candidate.opening.as_ref().filter(|_| candidate.verdict == Verdict::Kept) else {
            return Ok(Vec::new());
        };
        let position = notation::parse(opening, Some(self.size()?))
            .with_context(|| format!("candidate {}", candidate.number))?;
        Ok(vec![(Canonical::of_position(&position).key, opening.clone())])
    }

    fn check_hope(&self, done: u64, kept: usize) -> Result<()> {
        if done >= HOPELESS && kept == 0 {
            bail!(
                "none of the first {HOPELESS} candidates was kept; start again in a new directory with a larger --bias or \
                 another --even"
            );
        }
        Ok(())
    }

    fn lists(&self, _wanted: usize, kept: &[String]) -> Vec<List> {
        Part::ALL.map(|part| lists::list(self, part, kept)).into()
    }
}

impl Sift {
    /// Checks that a directory may become that of a new run with these settings, and starts each engine once. Writes
    /// nothing: a run whose engines do not start could never go on.
    ///
    /// # Errors
    /// If the directory holds a run or files of others, the settings are impossible, or an engine cannot be started.
    pub fn check(directory: &Path, settings: &Settings) -> Result<()> {
        settings.check()?;
        Settings::NAMES.check(directory)?;
        try_engines(&settings.engines)
    }

    /// Starts each engine of an interrupted run once: one that does not start is noticed before candidates are judged for
    /// hours.
    ///
    /// # Errors
    /// If an engine cannot be started.
    pub fn try_engines(&self) -> Result<()> {
        try_engines(&self.settings().engines)
    }

    /// Returns the number of candidates of each verdict.
    pub fn tally(&self) -> BTreeMap<Verdict, usize> {
        let mut tally = BTreeMap::new();
        self.results().for_each(|candidate| *tally.entry(candidate.verdict).or_default() += 1);
        tally
    }

    /// Returns Black's results in all games; `None` without games.
    ///
    /// # Errors
    /// If the settings name no rule.
    pub fn chances(&self) -> Result<Option<Chances>> {
        Ok(chances(self.settings().rule()?, self.results()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::contestant::Contestant;
    use crate::sift::settings::example;

    /// Returns the key of an opening kept on a board of this size.
    fn key(size: usize, opening: &str) -> u64 {
        let settings = Settings { size, ..example(vec![Contestant::new("e".into(), Vec::new())]) };
        let (opening, verdict) = (Some(opening.to_owned()), Verdict::Kept);
        let candidate =
            Sifted { number: 0, opening: opening.clone(), score: None, games: Vec::new(), verdict };
        let kept = settings.kept(&candidate).unwrap();
        let [(key, text)] = &kept[..] else { panic!("{} kept", kept.len()) };
        assert_eq!(Some(text), opening.as_ref());
        let rejected = Sifted { verdict: Verdict::OneSided, ..candidate };
        assert!(settings.kept(&rejected).unwrap().is_empty());
        *key
    }

    /// The second opening is the first one after a half turn about the centre of the board, the third one is another.
    #[test]
    fn symmetric_openings_are_alike_on_every_size() {
        for (size, [opening, turned, other]) in [
            (9, ["a1e5b3", "i9e5h7", "a1e5b4"]),
            (15, ["a1h8b3", "o15h8n13", "a1h8b4"]),
            (20, ["a1j10b3", "t20k11s18", "a1j10b4"]),
        ] {
            assert_eq!(key(size, opening), key(size, turned), "{size}");
            assert_ne!(key(size, opening), key(size, other), "{size}");
        }
    }
}
