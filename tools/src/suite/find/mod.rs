//! Finds hard positions in games of the engine against itself.
//!
//! [`game`] plays a game from an opening. [`walk`] goes back from its end to the last positions whose verdict
//! a short search misses and a longer one finds. [`run`] does both for one opening after the other and keeps
//! the positions found in a directory, so that it continues after an interruption. [`settings`] has
//! everything that the result depends on.

mod game;
pub mod run;
pub mod settings;
mod walk;
