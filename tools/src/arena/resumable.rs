//! The directory of a run that can be stopped and continued: its settings in one file, its results in a journal.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::record::{Entry, Journal};
use crate::limits;
use crate::output::{Permit, write};

/// Names of a run's files, and the command that makes it.
pub struct Names {
    /// File of the settings.
    pub settings: &'static str,
    /// Journal of the results.
    pub journal: &'static str,
    /// Files that the run writes at its end.
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
        if directory.is_file() {
            bail!("{name} is a file: expected a new directory");
        }
        if directory.join(self.settings).exists() {
            bail!("{name} already holds a run; --resume {name} continues it");
        }
        if let Some(list) = self.lists.iter().find(|list| directory.join(list).exists()) {
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
        // Last, because this file makes the directory a run.
        let text = serde_json::to_string_pretty(settings)?;
        write(&directory.join(self.settings), text.as_bytes(), Permit::New)
            .context("cannot write the settings")?;
        Ok(journal)
    }

    /// Reads the settings of an interrupted run.
    ///
    /// # Errors
    /// If the file cannot be read or has none.
    pub fn settings<S: DeserializeOwned>(&self, directory: &Path) -> Result<S> {
        let path = directory.join(self.settings);
        let (name, command) = (path.display(), self.command);
        let text = fs::File::open(&path).and_then(|file| limits::read_text(file, limits::FILE));
        let text = text.with_context(|| {
            format!("cannot read {name}: expected a directory that 'kagetsu {command} --out' made")
        })?;
        serde_json::from_str(&text)
            .with_context(|| format!("{name} is not a settings file of 'kagetsu {command}'"))
    }

    /// Opens the journal of an interrupted run; returns it with its entries.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or another process writes it.
    pub fn open<E: Entry>(&self, directory: &Path) -> Result<(Journal<E>, Vec<E>)> {
        Journal::open(&directory.join(self.journal))
    }
}
