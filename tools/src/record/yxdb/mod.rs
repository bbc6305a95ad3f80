//! Yixin's and Rapfi's database `.db`: what is known of positions, without the moves that lead to them.
//!
//! A number of records, then each record: a key, which is the rule, the board's size and the stones of the position's
//! smallest image under the eight symmetries, and what is known: a label, a value with its depth and bound, a text. The
//! whole may be in an LZ4 frame. The reader joins positions that a move leads from one to another into trees
//! ([`forest`]); a position that is reached in several ways hangs on one of them. The writer takes every position of a
//! game's tree. Move orders and orientations are not kept. CITE: Rapfi's database files.

mod entry;
mod forest;
mod read;
mod write;

pub use forest::Forest;
pub use write::Writer;

use super::Feature;
use kagetsu::game::RuleKind;

/// Features that the format can hold.
pub const HOLDS: &[Feature] = &[
    Feature::SeveralGames,
    Feature::Setup,
    Feature::Passes,
    Feature::OutOfTurn,
    Feature::Variations,
    Feature::Comments,
    Feature::BoardTexts,
    Feature::Labels,
    Feature::Records,
    Feature::BoardSize,
    Feature::Rule,
];

/// The property of a node with a database's knowledge of it: `label value depth bound`, as in `w -29980 12
/// exact`.
pub const RECORD: &str = "DB";
/// The property of a node with the points of its position's board texts in the order of the file, where a tree gives
/// another one: labels first, then the texts at the stones that follow.
pub const TEXT_ORDER: &str = "DBO";

/// The rules in the order of Yixin's numbers, as keys have them.
pub(super) const RULES: [RuleKind; 3] = [RuleKind::Freestyle, RuleKind::Standard, RuleKind::Renju];
/// Text of the record without a board that marks a file's texts as UTF-8.
const UTF8: &str = "charset=\"UTF-8\"";
/// Both coordinates of a pass. It fills the last place of a colour that has used a turn without a stone.
const PASS: i8 = -1;
