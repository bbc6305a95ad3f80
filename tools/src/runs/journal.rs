//! A journal: a file to which everything finished is appended, one JSON object a line.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::{untrusted, words};
use kagetsu::{disk, lock};

/// A thing that a journal keeps, one JSON object a line.
pub trait Entry: Serialize + DeserializeOwned {
    /// Noun for it in errors.
    const NAME: &str;
}

/// Place of an entry in a journal's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    start: u64,
    len: usize,
}

/// State of a journal's file.
#[derive(Default)]
struct Found {
    /// End of the last entry.
    end: u64,
    /// Whether the line of the last entry lacks its end.
    lacks_end: bool,
    /// Bytes of an incomplete line after the last entry.
    torn: u64,
    /// Number of lines before that with zero bytes, and the number of the first of them, from 1.
    damaged: (u64, u64),
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
    /// A loss of power leaves zero bytes in place of what was never written, and later lines may be there all
    /// the same. JSON has no zero bytes, so the entries beside them are read, and parts of others are passed
    /// over with a warning.
    ///
    /// # Errors
    /// If there is no such file, it cannot be used, another process uses it, or a line without zero bytes is
    /// not an entry.
    pub fn open(path: &Path) -> anyhow::Result<(Journal<E>, Vec<E>)> {
        let mut journal = Journal::at(path, existing(path))?;
        let mut entries = Vec::new();
        let Found { end, lacks_end, torn, damaged: (damaged, first) } =
            journal.read(|entry, _| entries.push(entry))?;
        let cannot = || format!("cannot write {}", path.display());
        journal.file.set_len(end).with_context(cannot)?;
        journal.end = end;
        if torn > 0 {
            log::warn!("{}: {torn} bytes of an unfinished line were cut off", path.display());
        }
        if damaged > 0 {
            let lines = words::count(damaged, "line");
            log::warn!(
                "{}: {lines} with zero bytes, as a loss of power leaves them, from line {first} on: what they do not tell \
                 whole is done again",
                path.display()
            );
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

    /// Returns the place of each entry so far, with a key that is taken of it.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn places<K>(&mut self, key: impl Fn(&E) -> K) -> anyhow::Result<Vec<(K, Place)>> {
        let mut places = Vec::new();
        self.read(|entry, place| places.push((key(&entry), place)))?;
        Ok(places)
    }

    /// Returns the entry at a place.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn entry(&self, Place { start, len }: Place) -> anyhow::Result<E> {
        let (mut file, mut text) = (self.file.inner(), vec![0; len]);
        let read = file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(&mut text));
        read.with_context(|| format!("cannot read {}", self.path.display()))?;
        serde_json::from_slice(&text)
            .with_context(|| format!("{}: there is no {} at byte {start}", self.path.display(), E::NAME))
    }

    /// Reads the file, and hands each entry on with its place.
    fn read(&mut self, mut take: impl FnMut(E, Place)) -> anyhow::Result<Found> {
        let cannot = || format!("cannot read {}", self.path.display());
        self.file.rewind().with_context(cannot)?;
        let mut reader = BufReader::new(&mut self.file);
        let (mut found, mut start, mut line) = (Found::default(), 0, Vec::new());
        for number in 1.. {
            line.clear();
            if reader.read_until(b'\n', &mut line).with_context(cannot)? == 0 {
                break;
            }
            let after = start + line.len() as u64;
            let is_ended = line.pop_if(|byte| *byte == b'\n').is_some();
            let is_damaged = line.contains(&0);
            // Entries are JSON objects, and an object that was cut off is no JSON: otherwise the line is
            // whole.
            let is_torn = !is_ended && serde_json::from_slice::<IgnoredAny>(&line).is_err();
            let (mut next, mut end) = (start, start);
            for part in line.split(|&byte| byte == 0) {
                let part_end = next + part.len() as u64;
                next = part_end + 1;
                if part.is_empty() {
                    continue;
                }
                match serde_json::from_slice(part) {
                    Ok(entry) => {
                        take(entry, Place { start: part_end - part.len() as u64, len: part.len() });
                        end = part_end;
                    }
                    Err(_) if is_damaged || is_torn => {}
                    Err(error) => {
                        let place = format!("{}: line {number} is not a {}", self.path.display(), E::NAME);
                        return Err(error).context(place);
                    }
                }
            }
            if !is_ended {
                return Ok(Found { end, lacks_end: end > start, torn: after - end, ..found });
            }
            if is_damaged {
                let (lines, first) = found.damaged;
                found.damaged = (lines + 1, if lines == 0 { number } else { first });
            }
            start = after;
            found.end = after;
        }
        Ok(found)
    }

    /// Waits until the device has all entries. A loss of power may take those that only the operating system
    /// has.
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

    /// Returns all entries, each read from its place.
    fn entries(journal: &mut Journal<Word>) -> Vec<Word> {
        let places = journal.places(|word| word.0.clone()).unwrap();
        let read = |(key, place): (String, Place)| {
            let word = journal.entry(place).unwrap();
            assert_eq!(word.0, key);
            word
        };
        places.into_iter().map(read).collect()
    }

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
            assert_eq!(entries(&mut journal), [word(5)]);
            journal.append(&word(third)).unwrap();
            drop(journal);
            let (mut journal, found) = Journal::<Word>::open(&path).unwrap();
            assert_eq!(found, [word(5), word(third)]);
            journal.append(&word(7)).unwrap();
            assert_eq!(entries(&mut journal), [word(5), word(third), word(7)]);
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

    /// A loss of power has left zeros in place of what was written last, in the middle of a line, at its ends
    /// or in its place. Another program may have added lines behind them.
    #[test]
    fn zeros_cost_no_entry_that_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.jsonl");
        let words = |texts: &[&str]| texts.iter().map(|&text| Word(text.to_owned())).collect::<Vec<_>>();
        let zeros = "\0".repeat(9000);
        for (text, whole, left) in [
            ("'one'\n'tw0ree'\n'four'\n", &["one", "four"][..], "'one'\n'tw0ree'\n'four'\n"),
            ("'one'0'two'\n0'three'\n", &["one", "two", "three"], "'one'0'two'\n0'three'\n"),
            ("0\n'one'\n", &["one"], "0\n'one'\n"),
            ("'one'\n'two'0", &["one", "two"], "'one'\n'two'\n"),
            ("'one'\n'tw0", &["one"], "'one'\n"),
            ("'one'\n0'two'0'thr", &["one", "two"], "'one'\n0'two'\n"),
            ("'one'\n0", &["one"], "'one'\n"),
            ("0", &[], ""),
        ] {
            let [text, left] = [text, left].map(|text| text.replace('0', &zeros).replace('\'', "\""));
            std::fs::write(&path, &text).unwrap();
            let (mut journal, found) = Journal::<Word>::open(&path).unwrap();
            assert_eq!(found, words(whole), "{text:?}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), left, "{text:?}");
            let last = Word("last".to_owned());
            journal.append(&last).unwrap();
            drop(journal);
            let (mut journal, found) = Journal::<Word>::open(&path).unwrap();
            assert_eq!(entries(&mut journal), found);
            assert_eq!(found, words(&[whole, &["last"]].concat()), "{text:?}");
        }
        // Without zeros a line that is no entry was written by somebody: nothing is passed over.
        std::fs::write(&path, "\"one\"\n\"tw\n\"three\"\n").unwrap();
        let error = Journal::<Word>::open(&path).err().unwrap().to_string();
        assert!(error.ends_with("line 2 is not a word"), "{error}");
    }
}
