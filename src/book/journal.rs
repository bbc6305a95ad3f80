//! The file of a build. Each judged position is appended at once, so that a kill loses only the positions being judged.
//! A loss of power loses those that the device did not have yet.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::container::{Error, Head, Reader, entry_block, written};
use super::entry::Entry;
use super::file::LARGEST_PART;
use super::key::Key;
use super::recipe::Recipe;
use super::section::Section;
use super::sections::Book;
use crate::game::Size;
use crate::{disk, lock};

/// Appends entries to a build's file.
#[derive(Debug)]
pub struct Journal {
    name: String,
    output: disk::File,
    size: Size,
}

impl Journal {
    /// Creates a file, or continues one made by the same recipe; returns its contents, too.
    ///
    /// # Errors
    /// If the file cannot be read or written, is not part of a build, was made by another recipe, is damaged before its
    /// end, or is being written by another process.
    pub fn open(path: &Path, recipe: &Recipe) -> Result<(Journal, Section), Error> {
        let name = path.display().to_string();
        let io = |error| Error::Io(name.clone(), error);
        let mut output = disk::File::update(path).map_err(io)?;
        if !lock::acquire_if_possible(output.inner()) {
            return Err(Error::Busy);
        }
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).map_err(io)?;
        let head = Head::new(false, vec![(recipe.clone(), 0)]).bytes();
        let mut end = head.len();
        let mut book = Book::default();
        // A file whose build was killed while it wrote the head has nothing to lose.
        if bytes.len() <= head.len() && head.starts_with(written(&bytes)) {
            output.set_len(0).map_err(io)?;
            output.seek(SeekFrom::Start(0)).map_err(io)?;
            output.write_all(&head).map_err(io)?;
        } else {
            let reader = Reader::new(&bytes)?;
            if reader.head.whole {
                return Err(Error::Whole);
            }
            let (found, wanted) = (reader.head.sections.first().map(|s| s.0.to_string()), recipe.to_string());
            if let Some(found) = found.filter(|found| *found != wanted) {
                return Err(Error::Place(found, wanted));
            }
            (book, end) = Book::read_part(reader, LARGEST_PART)?;
            if end < bytes.len() {
                log::warn!("{name}: its last {} bytes were not written to the end", bytes.len() - end);
            }
        }
        let section = book.section_mut(recipe)?.clone();
        output.set_len(end as u64).map_err(io)?;
        output.seek(SeekFrom::Start(end as u64)).map_err(io)?;
        Ok((Journal { name, output, size: section.size }, section))
    }

    /// Writes the entry of a position.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, key: &Key, entry: &Entry) -> Result<(), Error> {
        let block = entry_block(std::iter::once((key, entry)), self.size);
        let written = self.output.write_all(&block).and_then(|()| self.output.flush());
        written.map_err(|error| Error::Io(self.name.clone(), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::parse;
    use crate::game::{RuleKind, Size};

    fn recipe() -> Recipe {
        Recipe::new(RuleKind::Renju, Size::S15, "x")
    }

    fn pair(text: &str, depth: u8) -> (Key, Entry) {
        (Key::of(&parse(text, None).unwrap()).0, Entry::new(5, depth, false, 100, Vec::new()))
    }

    const TEXTS: [&str; 3] = ["h8", "h8h9", "h8i9"];

    fn depths(section: &Section) -> Vec<u8> {
        section.entries.values().map(|entry| entry.depth).collect()
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_entries_and_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("part");
        let (mut journal, found) = Journal::open(&path, &recipe()).unwrap();
        assert!(found.entries.is_empty());
        for (text, depth) in TEXTS.into_iter().zip(1..) {
            let (key, entry) = pair(text, depth);
            journal.append(&key, &entry).unwrap();
        }
        drop(journal);
        let bytes = std::fs::read(&path).unwrap();
        let mut seen = Vec::new();
        for len in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..len]).unwrap();
            let (mut journal, found) = Journal::open(&path, &recipe()).unwrap();
            seen.push(found.entries.len());
            let (key, entry) = pair("h8h10", 9);
            journal.append(&key, &entry).unwrap();
            if len == bytes.len() {
                // Checked for one length only: opening a locked file waits before it fails.
                assert!(matches!(Journal::open(&path, &recipe()), Err(Error::Busy)));
            }
            drop(journal);
            let (_, again) = Journal::open(&path, &recipe()).unwrap();
            let mut expected = depths(&found);
            expected.push(9);
            expected.sort_unstable();
            let mut kept = depths(&again);
            kept.sort_unstable();
            assert_eq!(kept, expected, "{len} bytes");
        }
        assert!(seen.is_sorted() && seen.first() == Some(&0) && seen.last() == Some(&3), "{seen:?}");
    }

    /// A loss of power has left zeros in place of what was written last.
    #[test]
    fn zeros_at_the_end_cost_no_whole_entry() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("part");
        let len = || std::fs::metadata(&path).unwrap().len() as usize;
        let (mut journal, _) = Journal::open(&path, &recipe()).unwrap();
        let mut ends = vec![len()];
        for text in TEXTS {
            let (key, entry) = pair(text, 1);
            journal.append(&key, &entry).unwrap();
            ends.push(len());
        }
        drop(journal);
        let bytes = std::fs::read(&path).unwrap();
        for at in ends[0]..=bytes.len() {
            // They are more than any block has bytes.
            let left = [&bytes[..at], &[0; 10_000]].concat();
            std::fs::write(&path, &left).unwrap();
            let whole = ends.iter().filter(|&&end| left[..end] == bytes[..end]).count() - 1;
            let (mut journal, found) = Journal::open(&path, &recipe()).unwrap();
            assert_eq!(found.entries.len(), whole, "{at}");
            let (key, entry) = pair("h8h10", 9);
            journal.append(&key, &entry).unwrap();
            drop(journal);
            let (_, again) = Journal::open(&path, &recipe()).unwrap();
            assert_eq!(again.entries.len(), whole + 1, "{at}");
        }
        // A file without an entry may be cut anywhere.
        for at in 0..ends[0] {
            let head = [&bytes[..at], &vec![0; ends[0] - at]].concat();
            std::fs::write(&path, head).unwrap();
            assert!(Journal::open(&path, &recipe()).unwrap().1.entries.is_empty(), "{at}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes[..ends[0]], "{at}");
        }
        // A whole entry behind the zeros was written later.
        let mut damaged = bytes.clone();
        damaged[ends[1]..ends[2]].fill(0);
        std::fs::write(&path, &damaged).unwrap();
        assert!(matches!(Journal::open(&path, &recipe()), Err(Error::Damaged(..))));
        assert_eq!(std::fs::read(&path).unwrap(), damaged);
    }

    #[test]
    fn damage_inside_is_an_error_and_nothing_is_cut() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("part");
        let (mut journal, _) = Journal::open(&path, &recipe()).unwrap();
        let head = std::fs::read(&path).unwrap().len();
        for text in TEXTS {
            let (key, entry) = pair(text, 1);
            journal.append(&key, &entry).unwrap();
        }
        drop(journal);
        let mut bytes = std::fs::read(&path).unwrap();
        for repeated in [1, 100] {
            bytes.extend(bytes[head..].repeat(repeated));
            // A changed byte within an entry, and one in a length, which then points beyond the end.
            for at in [head + 13, head + 3] {
                bytes[at] ^= 1;
                std::fs::write(&path, &bytes).unwrap();
                assert!(matches!(Journal::open(&path, &recipe()), Err(Error::Damaged(..))));
                assert_eq!(std::fs::read(&path).unwrap(), bytes);
                bytes[at] ^= 1;
            }
        }
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("part");
        drop(Journal::open(&path, &recipe()).unwrap());
        let before = std::fs::read(&path).unwrap();
        let other = Recipe::new(RuleKind::Renju, Size::S15, "y");
        assert!(matches!(Journal::open(&path, &other), Err(Error::Other(..))));
        for other in [(RuleKind::Freestyle, Size::S15), (RuleKind::Renju, Size::S20)] {
            let other = Recipe::new(other.0, other.1, "x");
            assert!(matches!(Journal::open(&path, &other), Err(Error::Place(..))), "{other}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);
        for bytes in [b"my thesis".to_vec(), Book::default().to_bytes()] {
            std::fs::write(&path, &bytes).unwrap();
            assert!(Journal::open(&path, &recipe()).is_err());
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }
}
