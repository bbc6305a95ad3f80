//! A board in the browser: a page, the server that serves it on the loopback address, and the engine behind both.
//!
//! [`Server::bind`] takes a port, [`Server::link`] is the address to open, [`Server::run`] serves. The page (`web/page`,
//! plain HTML, CSS and JavaScript modules) is part of the program. It keeps the game; the server answers
//! questions about positions and files ([`answer`]) and runs the requests that need the engine one after
//! another ([`desk`], [`resources`]). [`schema`] has the messages, [`outlet`] sends the engine's answers,
//! [`access`] checks requests, [`socket`] is one page's connection, [`patience`] ends one whose client does
//! not read, [`shared`] has the state that all pages share.
//!
//! The server reads and writes no files: games come and go in messages.
// Module docs are for readers of the source too, and lead them on to private modules.
#![allow(rustdoc::private_intra_doc_links)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![deny(missing_docs)]

mod access;
mod answer;
mod assets;
mod desk;
mod jobs;
mod limits;
mod outlet;
mod patience;
mod resources;
pub mod schema;
mod server;
mod shared;
mod socket;

pub use answer::files::check_game;
pub use server::Server;
pub use shared::Options;
