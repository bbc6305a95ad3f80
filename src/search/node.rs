//! State of a node of the tree, for its move loop and its move ordering.

use super::defences::Danger;
use super::depth::Depth;
use super::report::Score;
use crate::game::Point;

/// Upper end of a full window: above every score.
pub const INFINITE: i32 = Score::MATE + 1;

/// State shared by all moves of a node.
pub struct Node {
    pub alpha: i32,
    pub beta: i32,
    pub depth: Depth,
    /// Extra reduction of all further moves after one has raised alpha.
    pub reduction: Depth,
    pub ply: usize,
    /// Whether the window is open (PV node).
    pub pv: bool,
    /// Whether the node is expected to fail high (cut node).
    pub cut: bool,
    /// Static evaluation, corrected and refined by the table (step 6).
    pub eval: i32,
    /// Whether the position is quiet and its static evaluation better than at an earlier turn (step 6).
    pub improving: bool,
    /// The strongest threat that the opponent already has.
    pub danger: Danger,
    pub table_move: Option<Point>,
    /// Singular extension of the table move.
    pub extension: Depth,
}
