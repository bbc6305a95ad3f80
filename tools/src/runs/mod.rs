//! Long work that can be stopped and continued: matches, searches for openings and for hard positions.
//!
//! A run has a directory ([`directory`]): its settings, a [`journal`] to which everything finished is appended, and lists that
//! it writes anew when it ends ([`stamps`] tell them from lists that somebody has edited). [`numbered`] does the work of runs
//! whose results have numbers.

pub mod directory;
pub mod journal;
#[cfg(test)]
#[path = "../../tests/fixtures/memory.rs"]
pub mod memory;
pub mod numbered;
pub mod stamps;
