//! The engine's opening book within the memory limit.
//!
//! A book may take an eighth of what the memory limit leaves. A larger book is closed, and its place is kept: once a larger
//! limit is set, the book is opened again.

use super::Options;
use crate::book::{Book, Error, Shelf};

/// Keeper: the shelf of the book that is in use, and the place of a book that was too large for the memory limit.
#[derive(Default)]
pub struct Keeper {
    shelf: Shelf,
    /// The place of a book that was too large, and the bytes that it might have taken.
    closed: Option<(Shelf, u64)>,
    /// Whether a notice was made since a book was open.
    noticed: bool,
    /// A notice that nobody has taken yet.
    notice: Option<String>,
}

impl Keeper {
    /// Creates a keeper of this shelf.
    pub fn new(shelf: Shelf) -> Keeper {
        Keeper { shelf, ..Keeper::default() }
    }

    /// Bytes of memory that the book takes, about.
    pub fn memory(&self) -> u64 {
        self.shelf.memory()
    }

    /// Returns the book, unless it cannot be used or is larger than these options allow, which is logged once.
    pub fn open(&mut self, options: &Options) -> Option<&Book> {
        self.open_within(options.book_limit(), || options.book_memory())
    }

    /// Returns the book, unless it cannot be used or takes more bytes than `limit` or, if it is not open yet, than `granted`.
    fn open_within(&mut self, limit: u64, granted: impl FnOnce() -> u64) -> Option<&Book> {
        // Without a book, do not ask the system for memory.
        if matches!(self.shelf, Shelf::Empty) {
            return None;
        }
        // A book that is already in memory needs no more of it, so the memory that the system still grants does not bound it.
        let most = if self.memory() > 0 { limit } else { granted() };
        let place = self.shelf.place().clone();
        if let Err(why) = self.shelf.open(most).map(drop) {
            log::warn!("playing without a book: {}", place.explain(&why));
            if matches!(why, Error::Large(_)) {
                self.close(place, limit, &why);
            }
            return None;
        }
        self.noticed = false;
        self.shelf.book()
    }

    /// Keeps the place of a book that is too large, and makes a notice of a book that the user has named.
    fn close(&mut self, place: Shelf, limit: u64, why: &Error) {
        if let Shelf::File(path) = &place
            && !self.noticed
        {
            let path = path.display();
            self.notice = Some(format!("{path}: {why}, its part of max_memory; playing without a book"));
            self.noticed = true;
        }
        self.closed = Some((place, limit));
    }

    /// Closes a book that is larger than the memory limit allows. Returns whether a book that was closed before may be opened
    /// again, since the limit is larger now.
    pub fn fit(&mut self, options: &Options) -> bool {
        // Without `max_memory` the book stays: the manager may still send a limit.
        if options.max_memory.is_some() && self.memory() > 0 {
            self.open(options);
        }
        let fitting = self.closed.take_if(|(_, limit)| options.book_limit() > *limit);
        fitting.map(|(place, _)| self.shelf = place).is_some()
    }

    /// Takes the notice of a book that was closed.
    pub fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::book::{Entry, Key, Recipe};
    use crate::engine::memory::RESERVE;
    use crate::game::{Position, RuleKind, Size};

    fn book() -> Book {
        let mut book = Book::default();
        let key = Key::of(&Position::new(Size::S15)).0;
        let section = book.section_mut(&Recipe::new(RuleKind::Standard, Size::S15, "test")).unwrap();
        section.add(key, Entry::new(0, 1, false, 1, Vec::new()));
        book
    }

    /// Options under which a book may take this number of bytes.
    fn options(book: u64) -> Options {
        Options { max_memory: Some(RESERVE + 8 * book), ..Options::default() }
    }

    #[test]
    fn an_open_book_needs_no_further_memory() {
        let limit = book().memory() as u64;
        let open = || Keeper::new(Shelf::of(book()));
        assert!(open().open_within(limit, || 0).is_some());
        assert!(open().open_within(limit - 1, || u64::MAX).is_none());
        let built_in = || Keeper::new(Shelf::BuiltIn);
        assert!(built_in().open_within(u64::MAX, || u64::MAX).is_some());
        assert!(built_in().open_within(u64::MAX, || 1000).is_none());
    }

    #[test]
    fn without_a_book_no_memory_is_asked_for() {
        let mut keeper = Keeper::default();
        assert!(keeper.open_within(u64::MAX, || unreachable!("nothing needs memory")).is_none());
    }

    #[test]
    fn a_larger_limit_brings_a_book_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("own.book");
        std::fs::write(&path, book().to_bytes()).unwrap();
        // A book of one entry takes less memory than its file has bytes.
        let memory = book().memory() as u64;
        let enough = memory.max(book().to_bytes().len() as u64);
        let mut keeper = Keeper::new(Shelf::File(path));
        assert!(keeper.open(&Options::default()).is_some());
        assert!(!keeper.fit(&options(memory)) && keeper.memory() == memory);
        for limit in [memory - 2, memory - 1] {
            assert_eq!(keeper.fit(&options(limit)), limit == memory - 1, "the larger limit is tried");
            assert!(keeper.memory() == 0 && keeper.open(&options(limit)).is_none(), "{limit}");
            let notice = keeper.take_notice();
            let expected = format!("own.book: the book takes more than {limit} bytes of memory");
            assert_eq!(notice.is_some_and(|text| text.contains(&expected)), limit == memory - 2, "once");
        }
        assert!(keeper.fit(&options(enough)) && keeper.open(&options(enough)) == Some(&book()));
        assert!(!keeper.fit(&options(memory - 1)) && keeper.take_notice().is_some(), "closed again");
    }

    #[test]
    fn a_book_without_a_place_does_not_come_back() {
        let mut keeper = Keeper::new(Shelf::of(book()));
        keeper.fit(&options(1));
        keeper.fit(&Options::default());
        assert!(keeper.open(&Options::default()).is_none() && keeper.take_notice().is_none());
    }
}
