//! kagetsu, a gomoku and Renju engine. The layers, each using only itself and those above it:
//!
//! | layer | its job |
//! |---|---|
//! | [`clock`] | reads the time |
//! | [`random`] | seeded choices |
//! | [`lock`] | files that one process writes at a time |
//! | [`game`] | the rules: boards, shapes, fouls, winner, notation |
//! | [`record`] | game files: SGF, PSQ, RenLib libraries and the others |
//! | [`eval`] | from line shapes to a score |
//! | [`solve`] | forced wins under a budget, proofs and their verifier |
//! | [`book`] | the opening book: positions, moves and their file |
//! | [`search`] | finds a move |
//! | [`engine`] | the façade: options, a position, a move for it |
//! | [`decide`] | chooses openings: balanced stones, sides, fifth moves |
//! | [`prove`] | proofs of whole openings, above the solvers |
//! | [`protocol`] | speaks the Gomocup protocol |
//! | [`arena`] | engines against each other, as child processes |
//! | [`selfplay`] | balanced openings, and games against itself to learn from |
//! | [`cli`] | the command line: one file a subcommand |
#![deny(missing_docs)]
// Module docs are for readers of the source too, and lead them on to private modules.
#![allow(rustdoc::private_intra_doc_links)]

pub mod arena;
pub mod book;
pub mod cli;
pub mod clock;
pub mod decide;
pub mod engine;
pub mod eval;
pub mod game;
pub mod lock;
pub mod protocol;
pub mod prove;
pub mod random;
pub mod record;
pub mod search;
pub mod selfplay;
pub mod solve;
