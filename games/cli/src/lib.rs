//! The subcommands of `kagetsu` for other games than gomoku and Renju: [`games`], and the protocols [`gtp`] and [`nboard`].
//!
//! Each has `Args` and `run`; [`args`] are the flags and positions that they have in common. The games, their search and the
//! protocols are in [`kagetsu_games`]; this crate only parses arguments, calls them and prints the answers.
#![deny(missing_docs)]
// Module docs are for readers of the source too, and lead them on to private modules.
#![allow(rustdoc::private_intra_doc_links)]

mod args;
pub mod games;
pub mod gtp;
pub mod nboard;
