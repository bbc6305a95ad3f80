//! The Gomocup protocol, and what a position needs of its Yixin-Board extension: text in, text out, the engine between.
//!
//! [`run`] is a player on a pair of pipes. One thread reads lines and notes when ([`reader`]), one thinks ([`worker`]),
//! and the one between ([`gomocup`]) keeps the order: a line that comes while the engine thinks waits its turn, so none
//! is lost. What a line means is in [`command`], [`settings`] and [`block`], what becomes of it in [`session`], the
//! answers' text in [`output`]. The choice of an opening is in [`opening`].
//!
//! Knows nothing of the rules of the game. The protocol: <https://plastovicka.github.io/protocl2en.htm>.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![deny(missing_docs)]

mod block;
mod command;
mod gomocup;
mod opening;
mod output;
mod reader;
mod session;
mod settings;
mod square;
mod time_control;
mod worker;

pub use gomocup::run;
pub use output::INTRODUCTION;
