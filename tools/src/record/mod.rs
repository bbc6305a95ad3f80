//! Game files: from bytes to [`Game`]s and back, in the formats of the field. It uses the rules and their
//! notations, but no search.
//!
//! Every format is read into the same tree of moves, notes and properties ([`game`], [`tree`], [`notes`]). A writer
//! says beforehand what it cannot hold ([`Feature`]), so nothing is lost in silence. Readers take any bytes: they give
//! an error with its place, and use memory in proportion to the input. [`Format`] is the way in.

pub mod charset;
mod decoding;
mod error;
mod facts;
mod feature;
mod format;
mod frames;
pub mod game;
mod line;
pub mod list;
pub mod notes;
pub mod psq;
pub mod rec;
pub mod renjunet;
pub mod renlib;
pub mod samples;
pub mod sgf;
pub mod tree;
mod unpack;
mod words;
mod writer;
pub mod yixin;
pub mod yxdb;

pub use charset::Charset;
pub use decoding::MARK as UTF8_MARK;
pub use error::{Place, ReadError, WriteError};
pub use facts::{How, today};
pub use feature::{Feature, features};
pub use format::{Format, Games, ReadOptions};
pub use game::{Game, GameResult};
pub use notes::{Mark, Note};
pub use tree::{NodeId, Step, Tree};
pub use unpack::unpack;
pub use writer::Writer;
