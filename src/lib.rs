//! kagetsu, a gomoku and Renju engine. The layers, each using only itself and those above it:
//!
//! | layer | its job |
//! |---|---|
//! | [`clock`] | reads the time |
//! | [`game`] | the rules: boards, shapes, fouls, winner, notation |
//! | [`search`] | finds a move |
#![warn(missing_docs)]

pub mod clock;
pub mod game;
pub mod search;
