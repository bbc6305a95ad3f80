//! SGF: a tree of nodes, each a set of properties. Gomoku and Renju are game 4 of its list.
//!
//! Points are two letters, the column and the row from the top. The reader also takes what servers and programs write
//! beyond the standard: other game numbers or none, points as `h8`, rules by name. CITE: FF 4, red-bean.com/sgf.

mod declared;
mod lex;
mod properties;
mod read;
mod result;
mod rule;
mod split;
mod write;

pub use read::{games, games_within, read};
pub use write::write;

use super::Feature;
use super::notes::Mark;
use kagetsu::game::notation::gomocup;
use kagetsu::game::{Point, Size};

/// Features that the format can hold: all except RenLib's marks of nodes.
pub const HOLDS: &[Feature] = &Feature::all_but(Feature::NodeMarks);

/// The marks and their identifiers.
const MARKS: [(&str, Mark); 5] = [
    ("TR", Mark::Triangle),
    ("SQ", Mark::Square),
    ("CR", Mark::Circle),
    ("MA", Mark::Cross),
    ("SL", Mark::Selected),
];

/// Our own property: time used for a move, in milliseconds.
const TIME: &str = "MS";

/// The two letters of a point.
fn letters(p: Point, size: Size) -> String {
    let (x, y) = gomocup::coordinates(p, size);
    [x, y].map(|n| char::from(b'a' + n as u8)).iter().collect()
}
