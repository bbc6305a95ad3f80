//! Rules of the game: points, boards, shapes, fouls, winner, notation. This layer knows nothing of search, evaluation,
//! threads, clocks or input and output.
//!
//! Start with [`Board`]; [`Position`] is a position without a rule, as parsers produce it;
//! [`with_rule!`](crate::with_rule) turns a rule chosen at run time into a type. [`status`] answers the most frequent
//! questions, such as the end of the game and the fouls, for a position and a rule chosen at run time.
//!
//! | concern | modules |
//! |---|---|
//! | points, colours, symmetries | [`point`], [`color`], [`mod@difference`], [`symmetry`] |
//! | rules | [`rule`], [`rule_kind`] |
//! | positions and boards | [`position`], [`board`], [`lines`], [`zobrist`] |
//! | patterns of a point, and of a board | [`shape`], [`level`], [`codes`], [`rating`]; [`threat`] |
//! | fouls | [`foul`], [`double_three`], [`explain`] |
//! | ends of a game | [`outcome`], [`endings`], [`status`] |
//! | text | [`notation`], [`diagram`], [`quote`] |
//! | openings | [`openings26`], [`regulation`] |
//! | numbers of games, to check the rules | [`mod@perft`] |

mod board;
pub mod codes;
mod color;
pub mod diagram;
mod difference;
pub mod double_three;
pub mod endings;
pub mod explain;
mod foul;
mod level;
mod lines;
pub mod notation;
pub mod openings26;
pub mod outcome;
mod perft;
mod point;
mod position;
pub mod quote;
mod rating;
pub mod regulation;
mod rule;
mod rule_kind;
mod shape;
pub mod status;
pub mod symmetry;
mod threat;
pub mod zobrist;

pub use board::{Board, BoardObserver, Unobserved};
pub use codes::{CODES, Codes};
pub use color::Color;
pub use diagram::Diagram;
pub use difference::{DIFFERENCES, Origin, difference};
pub use double_three::{DoubleThrees, Forbid33};
pub use endings::{EndSet, Endings};
pub(crate) use foul::FoulTables;
pub use foul::{FoulKinds, fouls_of};
pub use level::Level;
pub use lines::Lines;
pub(crate) use lines::{LINES, locate};
pub use outcome::{Draw, Outcome};
pub use perft::{perft, perft_by_move};
pub use point::{Direction, MAX_SIZE, MIN_SIZE, POINTS, Point, PointSet, STRIDE, Size};
pub use position::{Move, Position};
pub use rule::{Caro, Caro6, Freestyle, Reading, Renju, Rule, Standard};
pub use rule_kind::{Five, RuleKind};
pub use shape::{Shape, ShapeTable, Shapes};
pub use threat::Threat;

/// Reason why a position or move is impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The board size is out of range.
    #[error("board size {0} is not supported: expected {MIN_SIZE} to {MAX_SIZE}")]
    Size(usize),
    /// The point lies beyond the edge.
    #[error("{0} is off the {1} board")]
    OffBoard(Point, Size),
    /// The point is occupied.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Outcome),
}

#[cfg(test)]
mod tests;
