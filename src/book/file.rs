//! Books and builds as the bytes of a file, and back.

use super::container::{Error, Head, Reader, entry_blocks};
use super::section::memory_of;
use super::sections::Book;

/// Bytes of memory that a book or a build's file may take when books are built and merged. A small file may unpack to any
/// size, and no engine uses a larger book.
pub(super) const LARGEST_PART: u64 = 2 << 30;

impl Book {
    /// Returns the book as the bytes of a file. Equal books give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = self.sections().map(|(_, s)| (s.recipe.clone(), s.entries.len())).collect();
        let mut bytes = Head::new(true, head).bytes();
        for (_, section) in self.sections() {
            bytes.extend(entry_blocks(&section.entries, section.size));
        }
        bytes
    }

    /// Reads the bytes of a book.
    ///
    /// # Errors
    /// If they are not a book of this layout, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, Error> {
        Book::from_bytes_within(bytes, u64::MAX)
    }

    /// Reads the bytes of a book that takes at most about `limit` bytes of memory.
    ///
    /// # Errors
    /// Like [`Self::from_bytes`], and once the book turns out larger.
    pub fn from_bytes_within(bytes: &[u8], limit: u64) -> Result<Book, Error> {
        let reader = Reader::new(bytes)?;
        if reader.head.whole { Book::read(reader, limit) } else { Err(Error::Part) }
    }

    /// Reads the bytes of a book or of a build's file. Returns also the number of bytes of an interrupted write at the end of
    /// a build's file, which it skips.
    ///
    /// # Errors
    /// The errors of [`Self::from_bytes`], and if it takes more than [`LARGEST_PART`].
    pub fn from_part(bytes: &[u8]) -> Result<(Book, usize), Error> {
        let reader = Reader::new(bytes)?;
        if reader.head.whole {
            Ok((Book::read(reader, LARGEST_PART)?, 0))
        } else {
            let (book, end) = Book::read_part(reader, LARGEST_PART)?;
            Ok((book, bytes.len() - end))
        }
    }

    fn read(mut reader: Reader<'_>, limit: u64) -> Result<Book, Error> {
        let mut book = Book::default();
        let mut memory = 0;
        for (recipe, count) in reader.head.sections.clone() {
            let (rule, size) = recipe.place().map_err(|why| reader.damaged(why))?;
            if book.section(rule, size).is_some() {
                return Err(reader.damaged(format!("{recipe} is there twice")));
            }
            let section = book.section_mut(&recipe)?;
            while section.entries.len() < count {
                let start = reader.at;
                let damaged = |why: &str| Error::Damaged(start, why.to_owned());
                let entries = reader.entries(size)?.ok_or_else(|| damaged("positions are missing"))?;
                if entries.is_empty() || entries.len() > count - section.entries.len() {
                    return Err(damaged("the positions are not as many as the head says"));
                }
                for (key, entry) in entries {
                    if section.entries.last_key_value().is_some_and(|(last, _)| *last >= key) {
                        return Err(damaged("the positions are not in their order"));
                    }
                    memory += memory_of(&key, &entry) as u64;
                    section.entries.insert(key, entry);
                }
                if memory > limit {
                    return Err(Error::Large(limit));
                }
            }
        }
        if reader.is_at_end() {
            Ok(book)
        } else {
            Err(reader.damaged("there is more after the last section"))
        }
    }

    /// Reads a build's file that takes at most about `limit` bytes of memory. Returns its entries and the end of its last
    /// whole block.
    pub(super) fn read_part(mut reader: Reader<'_>, limit: u64) -> Result<(Book, usize), Error> {
        let [(recipe, _)] = &reader.head.sections[..] else {
            return Err(reader.damaged("a build has one section"));
        };
        let mut book = Book::default();
        let recipe = recipe.clone();
        let section = book.section_mut(&recipe)?;
        let mut memory = 0;
        loop {
            let end = reader.at;
            match reader.entries(section.size) {
                Ok(Some(entries)) => {
                    for (key, entry) in entries {
                        memory += memory_of(&key, &entry) as u64;
                        section.add(key, entry);
                    }
                    if memory > limit {
                        return Err(Error::Large(limit));
                    }
                }
                Ok(None) => return Ok((book, end)),
                Err(_) if reader.is_unfinished(end) => return Ok((book, end)),
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::container::{block, entry_block};
    use super::super::entry::Entry;
    use super::super::key::Key;
    use super::super::recipe::Recipe;
    use super::super::sections::samples::{book, recipe, sample};
    use super::*;
    use crate::game::notation::parse;
    use crate::game::{RuleKind, Size};

    #[test]
    fn bytes_come_back() {
        for book in [book(1), Book::default()] {
            assert_eq!(Book::from_bytes(&book.to_bytes()).unwrap(), book);
        }
        assert_eq!(book(1).len(), book(1).sections().map(|(_, s)| s.entries.len()).sum::<usize>());
    }

    #[test]
    fn a_section_without_positions_comes_back() {
        let mut book = book(1);
        book.section_mut(&Recipe::new(RuleKind::Caro, Size::S15, "z")).unwrap();
        assert_eq!(Book::from_bytes(&book.to_bytes()).unwrap(), book);
    }

    #[test]
    fn a_changed_byte_is_seen_wherever_it_is() {
        let bytes = book(2).to_bytes();
        for at in 0..bytes.len() {
            for flip in [1, 0x80] {
                let mut bad = bytes.clone();
                bad[at] ^= flip;
                assert!(Book::from_bytes(&bad).is_err(), "byte {at}");
            }
        }
        for len in 0..bytes.len() {
            assert!(Book::from_bytes(&bytes[..len]).is_err(), "the first {len} bytes");
        }
        assert!(Book::from_bytes(&[&bytes[..], b"x"].concat()).is_err());
    }

    #[test]
    fn many_positions_come_back() {
        // More positions than one block holds.
        let book = sample(4, 15_000, &recipe("x"));
        assert!(book.len() > 10_000);
        let bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(&bytes).unwrap(), book);
        let memory = book.memory() as u64;
        assert_eq!(Book::from_bytes_within(&bytes, memory).unwrap(), book);
        assert!(matches!(Book::from_bytes_within(&bytes, memory - 1), Err(Error::Large(_))));
        let section = book.sections().next().unwrap().1;
        let head = Head::new(false, vec![(section.recipe.clone(), 0)]).bytes();
        let part = [head, entry_blocks(&section.entries, section.size)].concat();
        let read = |limit| Book::read_part(Reader::new(&part).unwrap(), limit).map(|(book, _)| book);
        assert_eq!(read(memory).unwrap(), book);
        assert!(matches!(read(memory - 1), Err(Error::Large(_))));
    }

    /// A valid checksum does not make the content valid.
    #[test]
    fn content_that_no_book_has_is_refused() {
        let pair = |text| (Key::of(&parse(text, None).unwrap()).0, Entry::new(1, 1, false, 1, Vec::new()));
        let (one, two) = (pair("h8"), pair("h8h9"));
        let say = |count, blocks: &[&[&(Key, Entry)]]| {
            let mut bytes = Head::new(true, vec![(recipe("x"), count)]).bytes();
            for block in blocks {
                bytes.extend(entry_block(block.iter().map(|(key, entry)| (key, entry)), Size::S15));
            }
            Book::from_bytes(&bytes).map_or_else(|error| error.to_string(), |book| book.len().to_string())
        };
        assert_eq!(say(2, &[&[&one, &two]]), "2");
        assert_eq!(say(2, &[&[&one], &[&two]]), "2");
        for (count, blocks, why) in [
            (2, &[&[&two, &one][..]][..], "not in their order"),
            (2, &[&[&one, &one]], "not in their order"),
            (2, &[&[&two], &[&one]], "not in their order"),
            (2, &[&[&one]], "positions are missing"),
            (usize::MAX, &[&[&one, &two]], "positions are missing"),
            (1, &[&[&one, &two]], "not as many"),
            (1, &[&[], &[&one]], "not as many"),
            (1, &[&[&one], &[&two]], "more after the last section"),
        ] {
            assert!(say(count, blocks).contains(why), "{why}: {}", say(count, blocks));
        }
        // The rest of an interrupted write has no valid checksum.
        let part = [Head::new(false, vec![(recipe("x"), 0)]).bytes(), block(1, b"?")].concat();
        assert!(matches!(Book::from_part(&part), Err(Error::Damaged(..))));
        // Positions of seven bytes each: the reader counts them before it reserves memory.
        let many =
            [Head::new(true, vec![(recipe("x"), 1 << 20)]).bytes(), block(1 << 20, &[0; 7 << 20])].concat();
        assert!(Book::from_bytes(&many).unwrap_err().to_string().contains("1048576 positions"));
        let twice = Head::new(true, vec![(recipe("x"), 0), (recipe("x"), 0)]).bytes();
        assert!(Book::from_bytes(&twice).unwrap_err().to_string().ends_with("renju 15x15 is there twice"));
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        let say = |bytes: &[u8]| Book::from_bytes(bytes).unwrap_err().to_string();
        assert!(say(b"kagetsu net\n{}").starts_with("not a kagetsu book"));
        assert!(say(b"").starts_with("not a kagetsu book"));
        let part = Head::new(false, vec![(recipe("x"), 0)]).bytes();
        assert!(say(&part).starts_with("part of a build"));
        assert!(Book::from_part(&part).unwrap().0.is_empty());
    }

    proptest! {
        /// Any content may follow a valid checksum.
        #[test]
        fn any_content_is_read_or_refused(
            content in prop::collection::vec(prop_oneof![Just(0u8), Just(1), any::<u8>()], 0..60),
            count in 0usize..4,
        ) {
            let mut bytes = Head::new(true, vec![(recipe("x"), count)]).bytes();
            bytes.extend(block(count, &content));
            if let Ok(book) = Book::from_bytes(&bytes) {
                prop_assert_eq!(Book::from_bytes(&book.to_bytes()).unwrap(), book);
            }
        }
    }
}
