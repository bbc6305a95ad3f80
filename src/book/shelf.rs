//! Source of an engine's book: none, the built-in book, or a file. It is opened at the first lookup.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::container::{Error, Reader};
use super::recipe::Recipe;
use super::sections::Book;

/// The book in the program.
static BUILT_IN: &[u8] = include_bytes!("../../book/kagetsu.book");

/// The sections of the book in the program, each with its number of positions.
///
/// # Errors
/// If it is damaged.
pub fn built_in() -> Result<Vec<(Recipe, usize)>, Error> {
    Ok(Reader::new(BUILT_IN)?.head.sections)
}

/// Source of the opening book, opened or not.
#[derive(Clone, Debug, Default)]
pub enum Shelf {
    /// No book.
    #[default]
    Empty,
    /// The program's own book, still unopened.
    BuiltIn,
    /// A book in a file, still unopened.
    File(PathBuf),
    /// An open book.
    Open {
        /// Shared, so that engines may be copied.
        book: Arc<Book>,
        /// Approximate memory of the book in bytes, stored because counting takes time.
        memory: u64,
        /// The shelf from which it was opened, and may be opened again; empty for a book made in memory.
        place: Box<Shelf>,
    },
}

impl Shelf {
    /// Creates a shelf with an open book.
    pub fn of(book: Book) -> Shelf {
        Shelf::opened(book, Shelf::Empty)
    }

    fn opened(book: Book, place: Shelf) -> Shelf {
        let memory = book.memory() as u64;
        Shelf::Open { book: Arc::new(book), memory, place: Box::new(place) }
    }

    /// Returns the book, opening it if necessary; it may take at most `limit` bytes of memory.
    ///
    /// # Errors
    /// If it cannot be used. The shelf is empty from then on.
    pub fn open(&mut self, limit: u64) -> Result<Option<&Book>, Error> {
        *self = match std::mem::take(self) {
            Shelf::BuiltIn => Shelf::opened(Book::from_bytes_within(BUILT_IN, limit)?, Shelf::BuiltIn),
            Shelf::File(path) => {
                let book = Book::from_bytes_within(&read(&path, limit)?, limit)?;
                Shelf::opened(book, Shelf::File(path))
            }
            Shelf::Open { memory, .. } if memory > limit => return Err(Error::Large(limit)),
            other => other,
        };
        Ok(self.book())
    }

    /// Returns the book if it is open.
    pub fn book(&self) -> Option<&Book> {
        match self {
            Shelf::Open { book, .. } => Some(book),
            _ => None,
        }
    }

    /// Returns the shelf as it was before its book was opened.
    pub fn place(&self) -> &Shelf {
        match self {
            Shelf::Open { place, .. } => place,
            unopened => unopened,
        }
    }

    /// Returns the reason why the book of an unopened shelf cannot be used, with the name of its file.
    pub fn explain(&self, why: &Error) -> String {
        match (self, why) {
            // An I/O error already names the file.
            (_, Error::Io(..)) => why.to_string(),
            (Shelf::File(path), _) => format!("{}: {why}", path.display()),
            _ => why.to_string(),
        }
    }

    /// Bytes of memory that it takes, about.
    pub fn memory(&self) -> u64 {
        match self {
            Shelf::Open { memory, .. } => *memory,
            _ => 0,
        }
    }
}

/// Returns the bytes of a file, if they are no more than `limit`. Only a book of a few entries takes less memory than
/// its file has bytes.
fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let file = File::open(path).and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes));
    file.map_err(|error| Error::Io(path.display().to_string(), error))?;
    if bytes.len() as u64 > limit { Err(Error::Large(limit)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::super::sections::samples::book;
    use super::*;

    #[test]
    fn a_book_that_cannot_be_used_leaves_the_shelf_empty() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            std::fs::write(dir.path().join(name), bytes).unwrap();
            Shelf::File(dir.path().join(name))
        };
        let (bytes, memory) = (book(1).to_bytes(), book(1).memory() as u64);
        assert_eq!(file("whole", &bytes).open(memory).unwrap(), Some(&book(1)));
        let missing = Shelf::File(dir.path().join("missing"));
        for (mut shelf, limit, why) in [
            (missing, memory, "missing"),
            (file("foreign", b"my thesis"), memory, "not a kagetsu book"),
            (file("cut", &bytes[..bytes.len() - 1]), memory, "damaged"),
            (file("long", &bytes), bytes.len() as u64 - 1, "more than"),
            (file("large", &bytes), memory - 1, "more than"),
            (Shelf::of(book(1)), memory - 1, "more than"),
        ] {
            let said = shelf.open(limit).unwrap_err().to_string();
            assert!(said.contains(why), "{why}: {said}");
            assert!(matches!(shelf, Shelf::Empty) && shelf.open(limit).unwrap().is_none(), "{why}");
            assert_eq!(shelf.memory(), 0);
        }
    }
}
