//! Arguments, input, output and terminal: the parts that all subcommands of `kagetsu` share, those of the other games too.
//!
//! | module | its job |
//! |---|---|
//! | [`args`], [`ends`] | flags that have the same name and meaning wherever they occur |
//! | [`input`], [`lines`] | from an argument to a position; lines of a file, a pipe or a keyboard |
//! | [`batch`] | many positions at once, one by one or side by side; one JSON object a line |
//! | [`interrupt`] | a flag that Ctrl-C sets; input that ends by it |
//! | [`output`], [`picture`] | files that commands make |
//! | [`draw`] | a diagram with colours |
//! | [`terminal`], [`progress`] | what the terminal understands; lines on it that are drawn again in their place |
//! | [`stderr`], [`usage`] | the log, wrong usage and the last error |
//!
//! A command ends with a [`Status`] or an error. This crate calls no search and no solver; the program that
//! uses it asks the questions and prints the answers.
#![deny(missing_docs)]
// Module docs are for readers of the source too, and lead them on to private modules.
#![allow(rustdoc::private_intra_doc_links)]

pub mod args;
pub mod batch;
pub mod draw;
pub mod ends;
pub mod input;
pub mod interrupt;
pub mod lines;
pub mod output;
pub mod picture;
pub mod progress;
mod status;
pub mod stderr;
pub mod terminal;
pub mod usage;

pub use self::status::Status;
