//! Game files: round trips of random games, files as other programs write them, and arbitrary bytes; the
//! examples that are no match; errors of settings.

mod bytes;
mod database;
mod examples;
mod generate;
mod library;
mod packed;
mod round_trip;
mod samples;
mod settings;
mod sgf;
