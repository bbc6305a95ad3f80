//! The opening book: positions judged by searches in advance, and their file. It knows nothing of search and threads.
//!
//! [`Key`] is a position up to the eight symmetries, [`Entry`] the book's knowledge of it, [`Book`] the entries of
//! several rules and board sizes, which can be merged. In a lookup, later positions correct earlier ones ([`backup`]).
//! [`container`](self) is the layout of files, [`Journal`] the file that a build appends to, [`Shelf`] the place where
//! the engine finds its book. The tools' `bookgen` and the command `kagetsu book` build books; `engine/book.rs`
//! chooses a move in play.

mod backup;
mod bytes;
mod container;
mod entry;
mod file;
mod journal;
mod key;
mod recipe;
mod section;
mod sections;
mod shelf;

pub use container::Error;
pub use entry::{Candidate, Entry, MARGIN, SURPRISE};
pub use journal::Journal;
pub use key::Key;
pub use recipe::Recipe;
pub use section::Section;
pub use sections::Book;
pub use shelf::{Shelf, built_in};
