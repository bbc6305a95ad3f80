//! Answers from the program's library: openings, the opening book, puzzles.

use serde::{Deserialize, Serialize};

use super::board::Position;

/// One of the 26 openings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedOpening {
    /// `D1` to `I13`.
    pub code: String,
    /// The Japanese name in Latin letters.
    pub name: String,
    /// The Japanese name.
    pub kanji: String,
    /// Meaning.
    pub english: String,
    /// The three moves.
    pub moves: Vec<String>,
    /// Published assessments.
    pub assessments: Assessments,
}

/// Assessments of an opening by published tables, under the old rule of two fifth moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Assessments {
    /// The table of the Russian encyclopedia article and its translations.
    pub rif: String,
    /// The English encyclopedia article.
    pub english: String,
    /// The Chinese encyclopedia article.
    pub chinese: String,
}

/// A move of the book.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookMove {
    /// The point.
    pub point: String,
    /// In the engine's units, from the side to move's view.
    pub score: i32,
    /// Expected share of the points.
    pub win_rate: f64,
    /// Whether a longer search confirmed the move.
    pub agreed: bool,
}

/// The book's entry for a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookEntry {
    /// Depth of the search that judged the position.
    pub depth: u32,
    /// Whether the score is proven.
    pub proven: bool,
    /// The moves, best first.
    pub moves: Vec<BookMove>,
}

/// A puzzle.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Puzzle {
    /// Its name in the set.
    pub id: String,
    /// The position, with the solver to move.
    pub position: Position,
    /// `vcf` or `vct`.
    pub kind: super::ask::SolveKind,
    /// Plies of the shortest known win, if one is known.
    pub length: Option<u32>,
    /// Source of the puzzle.
    pub source: String,
}

/// A set of puzzles.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PuzzleSet {
    /// Title for the user.
    pub title: String,
    /// Easier ones first; those of a file in its order.
    pub puzzles: Vec<Puzzle>,
}

/// Outcome of a move in a puzzle.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Trial {
    /// `solved`: a five. `right`: the win is still there. `wrong`: it is gone. `unknown`: too hard to say in time.
    pub verdict: String,
    /// The defender's reply: the longest defence to a right move, a refutation of a wrong one.
    pub reply: Option<String>,
    /// Moves that refute a wrong one.
    pub refutations: Vec<String>,
    /// Plies left to the win, if it is proven.
    pub left: Option<u32>,
}
