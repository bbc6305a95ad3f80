//! Errors in the text of a position.

use crate::game::quote::{MOST, beginning};
use crate::game::{Error, Size};

/// Reason why a text is not a position. Characters, moves and rows are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    /// A character that cannot stand where it does.
    #[error("character {at}: '{}' where {expected} was expected", found.escape_debug())]
    Character {
        /// Number of the character.
        at: usize,
        /// The character.
        found: char,
        /// Description of what is valid there.
        expected: &'static str,
    },
    /// The text ends too early.
    #[error("it ends where {expected} was expected")]
    End {
        /// The missing part.
        expected: &'static str,
    },
    /// A point beyond the edge.
    #[error("{} is off the {size} board", beginning(name, MOST))]
    NoPoint {
        /// The point as it was written.
        name: String,
        /// The board.
        size: Size,
    },
    /// A move names a point beyond the edge.
    #[error("move {number}: {} is off the {size} board", beginning(name, MOST))]
    OffBoard {
        /// Number of the move.
        number: usize,
        /// The point as it was written.
        name: String,
        /// The board.
        size: Size,
    },
    /// A move that cannot be made.
    #[error("move {number}: {error}")]
    Move {
        /// Number of the move.
        number: usize,
        /// The reason.
        error: Error,
    },
    /// An opening code on a board on which the 26 openings have no place: they have one on 15x15 and 19x19.
    #[error("opening {code} has a place on 15x15 and 19x19 boards, not on {size}")]
    OpeningSize {
        /// The code.
        code: &'static str,
        /// The board asked for.
        size: Size,
    },
    /// A position that carries its size, and another size asked for.
    #[error("the position is {size}, but size {} was asked for", asked.side())]
    SizeDiffers {
        /// The position's size.
        size: Size,
        /// The size asked for.
        asked: Size,
    },
    /// A link that holds no moves.
    #[error("the link holds no moves: expected them behind #/, as in https://gomocalc.com/#/h8h9i8")]
    EmptyLink,
    /// The number of rows is not a board size.
    #[error("{0} rows: {1}")]
    Rows(usize, Error),
    /// A row of a setup string that is too short or too long.
    #[error("row {row} from the top has {width} points instead of {size}")]
    RowWidth {
        /// Number of the row from the top.
        row: usize,
        /// Its points.
        width: usize,
        /// The points it should have: the number of rows.
        size: usize,
    },
}
