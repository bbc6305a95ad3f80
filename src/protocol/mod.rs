//! The Gomocup protocol, and what a position needs of its Yixin-Board extension: text in, text out, the engine between.
//!
//! [`run`] is a player on a pair of pipes. One thread reads lines and notes when ([`reader`]), another deals with them
//! and thinks ([`gomocup`]). What comes while it thinks waits in between ([`inbox`]), where a stop is seen at once. What a
//! line means is in [`command`], [`settings`] and [`block`], what becomes of it in [`session`] and [`mod@think`], the
//! answers' text in [`output`], how much of it is written in [`printer`]. The choice of an opening is in [`opening`].
//!
//! Knows nothing of the rules of the game. The protocol: <https://plastovicka.github.io/protocl2en.htm>.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![deny(missing_docs)]

mod block;
mod command;
mod gomocup;
mod inbox;
mod opening;
mod output;
mod printer;
mod reader;
mod session;
mod settings;
mod square;
mod think;
mod time_control;

pub use gomocup::run;
pub use output::INTRODUCTION;
