//! A game between people and engines: [`session`] is one game with its opening, clocks and end, [`opponent`]
//! the engine that plays in it, [`save`] the game as a file, [`adviser`] the engine's decisions in openings.
//! [`play`] carries out a person's commands ([`command`]); [`wording`] puts the steps of an opening into
//! words.
//!
//! Time comes in as readings of a clock, and a flag stops the engine; nothing here knows a terminal or prints.

pub mod adviser;
pub mod command;
pub mod opponent;
pub mod play;
pub mod save;
pub mod session;
pub mod wording;

pub use adviser::{Adviser, EngineChooser};
pub use opponent::Opponent;
pub use play::Table;
pub use session::{Session, Terms};
