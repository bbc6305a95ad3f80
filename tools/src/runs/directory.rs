//! The directory of a run that can be stopped and continued: its settings in one file, its results in a journal.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::journal::{Entry, Journal};
use super::stamps;
use crate::output::{Permit, write};
use crate::{limits, untrusted};

/// Names of a run's files, and the command that makes it.
pub struct Names {
    /// File of the settings.
    pub settings: &'static str,
    /// Journal of the results.
    pub journal: &'static str,
    /// Files and folders that the run makes besides.
    pub lists: &'static [&'static str],
    /// The command, without `kagetsu`.
    pub command: &'static str,
}

impl Names {
    /// Checks that a directory may become that of a new run. Writes nothing.
    ///
    /// # Errors
    /// If it is a file, or holds a run or files of others.
    pub fn check(&self, directory: &Path) -> Result<()> {
        let name = directory.display();
        // A device and a pipe are files too.
        if directory.exists() && !directory.is_dir() {
            bail!("{name} is a file: expected a new directory");
        }
        if directory.is_symlink() && !directory.exists() {
            bail!("{name} is a link to nothing: expected a new directory");
        }
        if directory.join(self.settings).exists() {
            bail!("{name} already holds a run; --resume {name} continues it");
        }
        let made = self.lists.iter().chain(&[stamps::FILE]).find(|made| directory.join(made).exists());
        if let Some(list) = made {
            bail!("{name} has a {list} already: expected a new directory");
        }
        Ok(())
    }

    /// Creates the directory of a new run with these settings, and returns its journal.
    ///
    /// # Errors
    /// If [`Names::check`] fails or the directory cannot be written.
    pub fn create<E: Entry>(&self, directory: &Path, settings: &impl Serialize) -> Result<Journal<E>> {
        self.check(directory)?;
        let name = directory.display();
        fs::create_dir_all(directory).with_context(|| format!("cannot create {name}"))?;
        let journal = Journal::create(&directory.join(self.journal))?;
        // The settings come last, because this file makes the directory a run.
        let text = serde_json::to_string_pretty(settings)?;
        write(&directory.join(self.settings), untrusted::json(&text).as_bytes(), Permit::New)
            .context("cannot write the settings")?;
        Ok(journal)
    }

    /// Reads the settings of an interrupted run.
    ///
    /// # Errors
    /// If the file cannot be read or has none.
    pub fn settings<S: DeserializeOwned>(&self, directory: &Path) -> Result<S> {
        self.settings_by(directory, |text| serde_json::from_str(text))
    }

    /// Reads the settings of an interrupted run by `read`.
    ///
    /// # Errors
    /// The errors of [`Names::settings`].
    pub fn settings_by<S>(
        &self,
        directory: &Path,
        read: impl FnOnce(&str) -> serde_json::Result<S>,
    ) -> Result<S> {
        let path = directory.join(self.settings);
        let (name, command) = (path.display(), self.command);
        let text = fs::File::open(&path).and_then(|file| limits::read_text(file, limits::FILE));
        let text = text.with_context(|| format!("cannot read {name}: {}", self.expected()))?;
        read(&text).with_context(|| format!("{name} is not a settings file of 'kagetsu {command}'"))
    }

    /// Opens the journal of an interrupted run; returns it with its entries.
    ///
    /// # Errors
    /// If there is no such file, it cannot be read, is damaged, or another process writes it.
    pub fn open<E: Entry>(&self, directory: &Path) -> Result<(Journal<E>, Vec<E>)> {
        let path = directory.join(self.journal);
        if !path.try_exists().with_context(|| format!("cannot read {}", path.display()))? {
            // With an empty journal the lists of the run would be replaced by empty ones.
            bail!("{} has no {}: {}", directory.display(), self.journal, self.expected());
        }
        Journal::open(&path)
    }

    fn expected(&self) -> String {
        format!("expected a directory that 'kagetsu {} --out' made", self.command)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Word(String);

    impl Entry for Word {
        const NAME: &str = "word";
    }

    const NAMES: Names = Names { settings: "run.json", journal: "games.jsonl", lists: &[], command: "match" };

    #[cfg(unix)]
    #[test]
    fn only_a_directory_becomes_that_of_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let link = |name: &str, target: &str| {
            let path = folder.path().join(name);
            std::os::unix::fs::symlink(target, &path).unwrap();
            path
        };
        for (path, expected) in [
            (std::path::PathBuf::from("/dev/null"), Some("is a file: expected a new directory")),
            (link("device", "/dev/null"), Some("is a file: expected a new directory")),
            (link("nothing", "no such folder"), Some("is a link to nothing: expected a new directory")),
            (link("folder", "."), None),
            (folder.path().join("new"), None),
        ] {
            let said = NAMES.check(&path).err().map(|error| error.to_string());
            assert_eq!(said, expected.map(|text| format!("{} {text}", path.display())));
        }
    }

    #[test]
    fn a_run_without_its_journal_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        drop(NAMES.create::<Word>(folder.path(), &1).unwrap());
        assert!(NAMES.open::<Word>(folder.path()).is_ok());
        fs::rename(folder.path().join("games.jsonl"), folder.path().join("games.jsonl.old")).unwrap();
        let error = NAMES.open::<Word>(folder.path()).err().unwrap().to_string();
        let expected = " has no games.jsonl: expected a directory that 'kagetsu match --out' made";
        assert!(error.ends_with(expected), "{error}");
        assert!(!folder.path().join("games.jsonl").exists(), "a new one would have no games");
    }
}
