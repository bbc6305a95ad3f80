//! RenLib's `.lib`: a tree of moves on the 15x15 board with comments and board texts.
//!
//! A header of 20 bytes, then the nodes depth first: a point (column 1-15 in the low half, row from the top 0-14 in the
//! high half; 0 for none), flags, perhaps two bytes of further flags, the comment, the board text. No link is
//! stored: flags say whether a node has a child and a following sibling. A text at a free point is a child that is no move.
//! The root has no point; it may be left out. CITE: the source of RenLib 3.6, github.com/gomoku/RenLib.

mod read;
mod write;

pub use read::{read, read_within};
pub use write::write;

use super::Feature;
use kagetsu::game::{Point, Size};

/// Features that the format can hold.
pub const HOLDS: &[Feature] = &[
    Feature::Variations,
    Feature::Passes,
    Feature::Comments,
    Feature::BoardTexts,
    Feature::Labels,
    Feature::NodeMarks,
];

const MAGIC: [u8; 8] = *b"\xffRenLib\xff";
const HEADER: usize = 20;
/// The newest version, 3.4.
const VERSION: (u8, u8) = (3, 4);
/// The point h8, with which standard libraries begin.
const CENTER: u8 = 0x78;

/// Another child of the same parent follows, after this node's children.
const SIBLING: u8 = 0x80;
/// The node has no child.
const LEAF: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARK: u8 = 0x10;
const COMMENT: u8 = 0x08;
const START: u8 = 0x04;
const NO_MOVE: u8 = 0x02;
const EXTENDED: u8 = 0x01;
/// In the second byte of further flags.
const BOARD_TEXT: u8 = 0x01;
/// Separates the one line of a comment from the lines that follow.
const LINES: u8 = 0x08;

fn byte_of(p: Point) -> u8 {
    let (x, row) = kagetsu::game::notation::gomocup::coordinates(p, Size::S15);
    (row << 4 | (x + 1)) as u8
}

fn point_of(byte: u8) -> Option<Point> {
    let x = usize::from(byte & 15).checked_sub(1)?;
    kagetsu::game::notation::gomocup::point(x, usize::from(byte >> 4), Size::S15)
}
