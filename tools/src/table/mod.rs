//! A game between people and engines: [`session`] is one game with its opening, clocks and end, [`opponent`] the engine that
//! plays in it, [`save`] the game as a file, [`adviser`] the engine's decisions in openings.
//!
//! Time comes in as readings of a clock, and a flag stops the engine; nothing here knows a terminal or prints.

pub mod adviser;
pub mod opponent;
pub mod save;
pub mod session;

pub use adviser::Adviser;
pub use opponent::Opponent;
pub use session::{Session, Terms};
