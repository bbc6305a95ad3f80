//! The opening book: what searches made beforehand know of positions, and its file. Knows no search and no threads.
//!
//! [`Key`] is a position up to the eight symmetries, [`Entry`] what is known of it, [`Book`] the entries of several rules
//! and board sizes and how they are joined; when it is asked, later positions correct earlier ones ([`backup`]).
//! [`container`](self) is the layout of files, [`Journal`] the file that a build appends to, [`Shelf`] where the engine
//! finds its book. Entries are made by `kagetsu_tools::bookgen`; how a move is chosen in play in `engine/opening.rs`.

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
