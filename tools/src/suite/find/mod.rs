//! Finds hard positions in games of the engine against itself.
//!
//! [`game`] plays a game from an opening. [`walk`] goes back from its end to the last positions that a short search does not
//! understand and a longer one does. [`run`] does both for one opening after the other and keeps what was found in a
//! directory, so that it continues after an interruption. [`settings`] has everything that the result depends on.

mod game;
pub mod run;
pub mod settings;
mod walk;
