//! The Gomocup protocol, and the parts of its Yixin-Board extension that a single position needs: text in, text out,
//! the engine between.
//!
//! [`run`] is a player on a pair of pipes. One thread reads lines and notes their time ([`reader`]); another handles
//! them and thinks ([`gomocup`]). Lines that arrive while it thinks wait in a queue ([`inbox`]), where a stop is seen
//! at once. [`command`], [`settings`] and [`block`] parse lines; [`session`] and [`mod@think`] act on them; [`output`]
//! writes replies as text, and [`printer`] limits the number of reports. [`opening`] handles the choice of an opening,
//! [`draw`] an offer of a draw, [`time_control`] the manager's limits of time; [`square`] reads and writes points.
//! `docs/protocol.md` lists all commands.
//!
//! The rules of the game are those of `game::status`. The protocol: <https://plastovicka.github.io/protocl2en.htm>.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![deny(missing_docs)]

mod block;
mod command;
mod draw;
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
pub use output::{INTRODUCTION, one_line};
pub use settings::info_keys;
