//! Game files: round trips of random games, files as other programs write them, and arbitrary bytes.

mod bytes;
mod database;
mod generate;
mod library;
mod packed;
mod round_trip;
mod samples;
mod sgf;
