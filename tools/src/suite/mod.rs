//! Suites of hard positions: a quick look at a change of the search.
//!
//! A position is hard if a search of some hundred thousand nodes misses the verdict that a long search finds. [`measure`]
//! tells from how many nodes on the search agrees with each verdict; [`find`] finds such positions in games of the engine
//! against itself. `docs/search.md` says how to read the figures.

pub mod entry;
pub mod find;
pub mod list;
pub mod measure;
pub mod verdict;
