//! Tools on the kagetsu engine: game files, matches, self-play, proofs, books, pictures.
//!
//! **The review of a game**, for example: Black has an open three and plays elsewhere, which misses a win.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use kagetsu::engine::Engine;
//! use kagetsu::game::{EndSet, RuleKind};
//! use kagetsu::search::Limits;
//! use kagetsu_tools::record::{Format, ReadOptions};
//! use kagetsu_tools::review::{Request, judge::Quality, review};
//!
//! let request = Request {
//!     game: Format::Txt.read(b"h8 b2 i8 d13 j8 m4 c7", &ReadOptions::default())?.remove(0),
//!     rule: RuleKind::Standard,
//!     endings: EndSet::Plain.endings(RuleKind::Standard),
//!     limits: Limits { nodes: Some(2_000), ..Limits::default() },
//!     hash: 4 << 20,
//! };
//! let review = review(&mut Engine::new(), request, &AtomicBool::new(false), &mut |_| {})?;
//! assert_eq!(review.moves[6].quality, Quality::MissedWin);
//! assert_eq!(review.summary()[1], "missed wins: 7 c7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `tools/examples/` has this as a program, and others: a game file with variations, a match of two engines,
//! an opening book.
//!
//! The layers, each using only itself, those above it and the engine:
//!
//! | layer | its job |
//! |---|---|
//! | [`jobs`] | work side by side on the threads of a pool |
//! | [`limits`] | bounds on what is read |
//! | [`untrusted`] | text from outside, escaped |
//! | [`words`] | numbers with their nouns, the beginning of long texts, repeated names |
//! | [`output`] | permission to write, and files that appear only when complete |
//! | [`runs`] | long work that can be stopped and continued: its directory and journal |
//! | [`timing`] | increments, control points and byo-yomi, and the clock of one side |
//! | [`record`] | game files: SGF, PSQ, RenLib libraries and the others |
//! | [`picture`] | a position or the course of a game as SVG or PNG |
//! | [`study`] | a position studied by solvers and search together; forced wins and their defences |
//! | [`table`] | a game between people and engines |
//! | [`review`] | a game with a judgement of each move, in words, as a game file, as a plot |
//! | [`prove`] | proofs of whole openings, above the solvers |
//! | [`bookgen`] | builds and checks opening books |
//! | [`mod@bench`] | fixed searches: speed, and a signature of the search |
//! | [`arena`] | engines against each other, as child processes |
//! | [`selfplay`] | balanced openings, and games against itself to learn from |
//! | [`sift`] | openings chosen by the outcome of games |
//! | [`suite`] | suites of hard positions: nodes to the right verdict |
//!
//! Arguments, terminals and progress bars are left to the crates `kagetsu-console` and `kagetsu-cli`.
#![deny(missing_docs)]
// Module docs are for readers of the source too, and lead them on to private modules.
#![allow(rustdoc::private_intra_doc_links)]

// Fixtures shared with the tests of the command line refer to this crate by its name.
#[cfg(test)]
extern crate self as kagetsu_tools;

pub mod arena;
pub mod bench;
pub mod bookgen;
pub mod jobs;
pub mod limits;
pub mod output;
pub mod picture;
pub mod prove;
pub mod record;
pub mod review;
pub mod runs;
pub mod selfplay;
pub mod sift;
pub mod study;
pub mod suite;
pub mod table;
pub mod timing;
pub mod untrusted;
pub mod words;
