//! Long work that can be stopped and continued: matches, searches for openings and for hard positions.
//!
//! A run has a directory ([`directory`]): its settings, a [`journal`] to which everything finished is appended, and lists that
//! it writes anew when it ends ([`stamps`] tell them from lists that somebody has edited).

pub mod directory;
pub mod journal;
pub mod stamps;
