//! kagetsu, a gomoku and Renju engine. The layers, each using only itself and those above it (game files, matches, self-play
//! and proofs of openings are the library `kagetsu-tools`, the command line `kagetsu-cli`):
//!
//! | layer | its job |
//! |---|---|
//! | [`clock`] | reads the time |
//! | [`random`] | seeded choices |
//! | [`lock`] | files that one process writes at a time |
//! | [`disk`] | the steps by which files change, which tests can make fail |
//! | [`game`] | the rules: boards, shapes, fouls, winner, notation |
//! | [`eval`] | from line shapes to a score |
//! | [`solve`] | forced wins under a budget, proofs and their verifier |
//! | [`book`] | the opening book: positions, moves and their file |
//! | [`search`] | finds a move |
//! | [`engine`] | the façade: options, a position, a move for it |
//! | [`decide`] | chooses openings: balanced stones, sides, fifth moves |
//! | [`protocol`] | speaks the Gomocup protocol |
#![deny(missing_docs)]
// Module docs are for readers of the source too, and lead them on to private modules.
#![allow(rustdoc::private_intra_doc_links)]

pub mod book;
pub mod clock;
pub mod decide;
pub mod disk;
pub mod engine;
pub mod eval;
pub mod game;
pub mod lock;
pub mod protocol;
pub mod random;
pub mod search;
pub mod solve;
