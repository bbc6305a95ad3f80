//! Errors: reasons why a regulation rejects an action.

use super::area::Area;
use super::seat::Seat;
use crate::game::Error;
use crate::game::color::Color;
use crate::game::point::Point;

/// Reason why an action is not legal at a step; the opening stays unchanged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Another kind of action is asked for.
    #[error("{seat}, holding {color}, is to {expected}; not to {found}")]
    Kind {
        /// The player who acts.
        seat: Seat,
        /// The colour held.
        color: Color,
        /// The legal actions.
        expected: String,
        /// The action given.
        found: String,
    },
    /// A pass.
    #[error("no pass is allowed in the opening")]
    Pass,
    /// The opening is over.
    #[error("the opening is over")]
    Over,
    /// No point of the board, or not an empty one.
    #[error(transparent)]
    Point(#[from] Error),
    /// A stone beyond its area.
    #[error("stone {number} must be put {area}: {point} is not allowed")]
    Area {
        /// Number of the stone.
        number: usize,
        /// The point given.
        point: Point,
        /// The area required.
        area: Area,
    },
    /// No number of fifth moves, or one out of range.
    #[error("the number of fifth moves must be declared with the stones, 1 to {most}")]
    Number {
        /// The largest.
        most: usize,
    },
    /// A number of fifth moves where none is declared.
    #[error("no number of fifth moves is declared here")]
    NoNumber,
    /// Too few or too many points offered.
    #[error("expected {expected} points for the fifth stone, not {found}")]
    Count {
        /// The number of points required.
        expected: usize,
        /// The number of points given.
        found: usize,
    },
    /// Points that count as one, or the same point twice.
    #[error("{0} and {1} are symmetric: they count as one fifth move")]
    Symmetric(Point, Point),
    /// A fifth stone that was not offered.
    #[error("{fifth} was not offered for the fifth stone: choose from {offered}")]
    NotOffered {
        /// The stone chosen.
        fifth: Point,
        /// The points offered.
        offered: String,
    },
}
