//! Inputs of the net as the board changes them: sums over its points, changes of one point, and the moves to score.

use super::arch::{CHANNELS, REGIONS};
use super::net::Row;
use crate::game::{Codes, Point};

/// Change of one point's pattern codes.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Region of the point.
    pub region: u8,
    /// Codes before the change.
    pub before: Codes,
    /// Codes after the change; `None` if a stone is there now.
    pub after: Option<Codes>,
}

/// Sums over the empty points of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sums {
    /// Sums of the points' vectors, by region.
    pub regions: [Row; REGIONS],
    /// Sums of the linear terms, by side to move.
    pub linear: [i32; 2],
}

impl Sums {
    /// Sums over no point.
    pub const ZERO: Sums = Sums { regions: [Row([0; CHANNELS]); REGIONS], linear: [0; 2] };
}

/// A move with its point's codes and its policy score.
pub type Scored = (Point, Codes, i32);
