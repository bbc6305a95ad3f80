//! Game files: round trips of random games, files as other programs write them, and arbitrary bytes; the review of a game.

mod bytes;
mod database;
mod examples;
mod generate;
mod library;
mod packed;
mod round_trip;
mod samples;
mod sgf;
