//! A journal: a file to which everything finished is appended, one JSON object a line.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::untrusted;
use kagetsu::{disk, lock};

/// A thing that a journal keeps, one JSON object a line.
pub trait Entry: Serialize + DeserializeOwned {
    /// Noun for it in errors.
    const NAME: &str;
}

/// Contents of a journal's file.
struct Found<E> {
    entries: Vec<E>,
    /// End of the last entry.
    end: u64,
    /// Whether the line of the last entry lacks its end.
    lacks_end: bool,
    /// Bytes of an incomplete line after the last entry.
    torn: u64,
}

/// The file that everything finished is appended to. No other process opens it meanwhile.
pub struct Journal<E: Entry> {
    path: PathBuf,
    file: disk::File,
    /// End of the last whole line, where the next one begins.
    end: u64,
    entries: PhantomData<E>,
}

impl<E: Entry> Journal<E> {
    /// Begins a journal.
    ///
    /// # Errors
    /// If the file cannot be used, another process uses it, or it holds something already, which stays as it is.
    pub fn create(path: &Path) -> anyhow::Result<Journal<E>> {
        let journal = Journal::at(path, disk::File::update(path))?;
        if journal.file.inner().metadata()?.len() > 0 {
            bail!("{} holds {}s already", path.display(), E::NAME);
        }
        Ok(journal)
    }

    /// Opens a journal that exists and reads its entries. An incomplete last line, left by a crash, is removed with a
    /// warning: what it told of is done again. A last entry that lacks only the end of its line, as editors may leave it,
    /// gets that end.
    ///
    /// # Errors
    /// If there is no such file, it cannot be used, another process uses it, or a line is not an entry.
    pub fn open(path: &Path) -> anyhow::Result<(Journal<E>, Vec<E>)> {
        let mut journal = Journal::at(path, existing(path))?;
        let Found { entries, end, lacks_end, torn } = journal.read()?;
        let cannot = || format!("cannot write {}", path.display());
        journal.file.set_len(end).with_context(cannot)?;
        journal.end = end;
        if torn > 0 {
            log::warn!("{}: {torn} bytes of an unfinished line were cut off", path.display());
        }
        if lacks_end {
            let ended = journal.file.seek(SeekFrom::Start(end)).and_then(|_| journal.file.write_all(b"\n"));
            ended.with_context(cannot)?;
            journal.end += 1;
        }
        Ok((journal, entries))
    }

    /// Takes the file of a journal, which was opened just now.
    fn at(path: &Path, file: io::Result<disk::File>) -> anyhow::Result<Journal<E>> {
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        if !lock::acquire_if_possible(file.inner()) {
            bail!("{}: another process is writing it", path.display());
        }
        Ok(Journal { path: path.to_owned(), file, end: 0, entries: PhantomData })
    }

    /// Returns all entries so far.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn entries(&mut self) -> anyhow::Result<Vec<E>> {
        Ok(self.read()?.entries)
    }

    fn read(&mut self) -> anyhow::Result<Found<E>> {
        let mut text = Vec::new();
        let read = self.file.rewind().and_then(|()| self.file.read_to_end(&mut text));
        read.with_context(|| format!("cannot read {}", self.path.display()))?;
        let end = text.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        // Entries are JSON objects, and an object that was cut off is no JSON: this line is whole.
        let lacks_end = serde_json::from_slice::<IgnoredAny>(&text[end..]).is_ok();
        let end = if lacks_end { text.len() } else { end };
        let mut entries = Vec::new();
        for (i, line) in text[..end].split(|&b| b == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            let entry = serde_json::from_slice(line)
                .with_context(|| format!("{}: line {} is not a {}", self.path.display(), i + 1, E::NAME))?;
            entries.push(entry);
        }
        Ok(Found { entries, end: end as u64, lacks_end, torn: (text.len() - end) as u64 })
    }

    /// Waits until the device has all entries. A loss of power may take those that only the operating system has.
    ///
    /// # Errors
    /// If the device does not take them.
    pub fn sync(&mut self) -> anyhow::Result<()> {
        self.file.sync_data().with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Adds an entry. When this returns, the operating system has it. If an entry cannot be written whole, as on a full
    /// disk, nothing of it stays.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, entry: &E) -> anyhow::Result<()> {
        let mut line = untrusted::json(&serde_json::to_string(entry)?).into_owned();
        line.push('\n');
        let start = SeekFrom::Start(self.end);
        let written = self.file.seek(start).and_then(|_| self.file.write_all(line.as_bytes()));
        if written.is_ok() {
            self.end += line.len() as u64;
        } else {
            // If this fails too, the next entry is written over the part, and `open` removes what is left of it.
            let _ = self.file.set_len(self.end);
        }
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Opens a file that exists, to read and to write. A file that is opened to append cannot be cut on Windows.
fn existing(path: &Path) -> io::Result<disk::File> {
    let file = disk::step(|| OpenOptions::new().read(true).write(true).open(path))?;
    // An endless file could not be read to its end.
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a regular file was expected"));
    }
    Ok(disk::File::of(file))
}

#[cfg(test)]
mod tests {
    use kagetsu::disk::faults::{self, Fault};
    use serde::Deserialize;

    use super::*;

    #[derive(PartialEq, Debug, Serialize, Deserialize)]
    struct Word(String);

    impl Entry for Word {
        const NAME: &str = "word";
    }

    /// The disk is full in the middle of the second entry, and has room again for the third one, whether or not the part
    /// could be removed. The third entry may be longer or shorter than that part.
    #[test]
    fn a_torn_entry_is_not_glued_to_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let word = |length| Word("w".repeat(length));
        for third in [3, 90] {
            let path = folder.path().join(format!("{third}.jsonl"));
            let mut journal = Journal::create(&path).unwrap();
            journal.append(&word(5)).unwrap();
            faults::arm(1, Fault::Torn);
            let error = journal.append(&word(40)).unwrap_err();
            assert_eq!(faults::disarm(), 3, "half a write, the rest of it, and the cut");
            assert_eq!(error.to_string(), format!("cannot write {}", path.display()));
            assert_eq!(journal.entries().unwrap(), [word(5)]);
            journal.append(&word(third)).unwrap();
            drop(journal);
            let (mut journal, entries) = Journal::<Word>::open(&path).unwrap();
            assert_eq!(entries, [word(5), word(third)]);
            journal.append(&word(7)).unwrap();
            assert_eq!(journal.entries().unwrap(), [word(5), word(third), word(7)]);
            assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 3);
        }
    }

    #[test]
    fn a_whole_last_entry_without_the_end_of_its_line_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.jsonl");
        let word = |text: &str| Word(text.to_owned());
        let text = "\"one\"\n\"two\"";
        std::fs::write(&path, text).unwrap();
        // The file is opened, and the end of the line cannot be written.
        faults::arm(3, Fault::Lasting);
        let error = Journal::<Word>::open(&path).err().unwrap();
        assert_eq!(faults::disarm(), 3);
        assert_eq!(error.to_string(), format!("cannot write {}", path.display()));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "nothing is lost");
        let (mut journal, entries) = Journal::<Word>::open(&path).unwrap();
        assert_eq!(entries, [word("one"), word("two")]);
        journal.append(&word("three")).unwrap();
        drop(journal);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "\"one\"\n\"two\"\n\"three\"\n");
        // Other JSON is not what a crash leaves of an entry.
        std::fs::write(&path, "\"one\"\n{\"two\":2}").unwrap();
        let error = Journal::<Word>::open(&path).err().unwrap().to_string();
        assert!(error.ends_with("line 2 is not a word"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "\"one\"\n{\"two\":2}");
    }
}
