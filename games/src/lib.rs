//! The relatives of Renju, Connect6 and Reversi. Their code is separate from the engine's, so it cannot slow the
//! engine. `examples/reversi.rs` also searches and plays.
//!
//! ```
//! use kagetsu_games::{Kind, Options, notation};
//!
//! // Rows of Reversi are numbered from the top, those of the other games from the bottom.
//! let mut game = notation::parse("f5d6", &Options::new(Kind::Reversi))?;
//! let reply = notation::parse_move("c3", game.size())?;
//! game.check(reply)?;
//! game.play(reply);
//! assert_eq!(notation::moves(&*game), "f5d6c3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | its job |
//! |---|---|
//! | [`game`] | the trait [`Game`]: moves, outcome with its reason, hash, and the view of the search |
//! | [`kind`], [`options`] | the games by name, their sources, sizes and options |
//! | [`five`] | the relatives of Renju, one file each |
//! | [`connect6`] | Connect6 |
//! | [`reversi`] | Reversi: n x n boards, two starts, the anti game, a hole |
//! | [`notation`], [`diagram`] | moves and positions as text |
//! | [`perft`] | numbers of move sequences, a check of the rules |
//! | [`search`] | one search for all games |
//! | [`gtp`], [`nboard`] | the protocols of boards for Go and for Othello |
//! | [`table`] | a game with a person, in words |
//! | [`players`] | the players: search, engine, random, greedy; and matches between them |
//!
//! The rules of Renju come from [`kagetsu::game`]. This crate has no command-line arguments, terminals or progress
//! bars.
#![deny(missing_docs)]
// Module docs are for readers of the source too, and lead them on to private modules.
#![allow(rustdoc::private_intra_doc_links)]

pub mod connect6;
pub mod diagram;
pub mod five;
pub mod game;
pub mod gtp;
pub mod kind;
mod memory;
mod mix;
pub mod nboard;
pub mod notation;
pub mod options;
pub mod perft;
pub mod players;
pub mod reversi;
pub mod search;
pub mod table;

pub use game::{Cell, Game, Illegal, Look, Move, Outcome, Reason};
pub use kind::Kind;
pub use options::{Options, OptionsError};
