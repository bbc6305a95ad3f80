//! Results of a search: scores, lines and reports.

use std::fmt;
use std::time::Duration;

use crate::eval::nets;
use crate::game::{Point, RuleKind};

/// Score from the side to move's view: an estimate, or a proven win or loss with its length in plies.
///
/// The unit of an estimate is that of the rule's net; [`Score::win_rate`] turns it into an expected share of the points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(pub i32);

impl Score {
    /// Upper end of the scale: a win in `n` plies scores `MATE - n`.
    pub const MATE: i32 = 30_000;
    /// Scores of at least this are proven wins.
    pub const MATE_BOUND: i32 = Score::MATE - 1_000;

    /// Returns the plies until the end of the game by a proven result: positive for a win, negative for a loss, `None` for
    /// an estimate.
    pub fn mate(self) -> Option<i32> {
        if self.0 >= Score::MATE_BOUND {
            Some(Score::MATE - self.0)
        } else if self.0 <= -Score::MATE_BOUND {
            Some(-Score::MATE - self.0)
        } else {
            None
        }
    }

    /// Returns the expected share of the points under a rule, 0 to 1. The rule's net holds the scale, which is fitted to the
    /// results of the engine's own games.
    pub fn win_rate(self, rule: RuleKind) -> f64 {
        match self.mate() {
            Some(_) if self.0 > 0 => 1.0,
            Some(_) => 0.0,
            None => {
                let logit = f64::from(self.0) / f64::from(nets::net(rule).info.scale);
                1.0 / (1.0 + (-logit).exp())
            }
        }
    }
}

/// Writes a number, or `+M7`, `-M6` for a proven win or loss in that many plies.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(n) if self.0 > 0 => write!(f, "+M{n}"),
            Some(n) => write!(f, "-M{}", -n),
            None => write!(f, "{}", self.0),
        }
    }
}

/// A line of play with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Score from the side to move's view.
    pub score: Score,
    /// Moves of the line; the first is the move to play.
    pub moves: Vec<Point>,
}

/// Source of a report's lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A search of the report's depth.
    Search,
    /// The opening book; the depth is that of the search that judged the move when the book was built.
    Book,
    /// The evaluation alone: nothing was searched. The score is the static evaluation of the position before the move.
    Evaluation,
}

/// State of a search after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Source of the lines.
    pub source: Source,
    /// Depth of the last finished iteration, in plies.
    pub depth: u32,
    /// Selective depth: length of the longest line searched, in plies.
    pub seldepth: u32,
    /// Moves made on the board so far.
    pub nodes: u64,
    /// Time since the search's start.
    pub elapsed: Duration,
    /// Share of the transposition table filled by this search, in thousandths, estimated from a sample.
    pub hash_permille: usize,
    /// The best lines, best first: as many as asked for, or as there are legal moves.
    pub lines: Vec<Line>,
}

impl Report {
    /// Returns a report of lines that no search has found: without depth, nodes and time.
    pub fn without_search(source: Source, lines: Vec<Line>) -> Report {
        Report { source, depth: 0, seldepth: 0, nodes: 0, elapsed: Duration::ZERO, hash_permille: 0, lines }
    }

    /// Returns the nodes searched a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.elapsed)
    }
}

/// Returns the nodes a second. A time below a microsecond counts as one.
pub fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64
}

#[cfg(test)]
impl Report {
    /// Returns a report for tests in which only the source and the lines matter.
    pub fn of(source: Source, lines: Vec<Line>) -> Report {
        Report { source, depth: 1, seldepth: 1, nodes: 1, elapsed: Duration::ZERO, hash_permille: 0, lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn win_rates_are_of_the_unit_in_the_net() {
        for rule in RuleKind::ALL {
            let unit = nets::net(rule).info.scale;
            let rate = |score: i32| Score(score).win_rate(rule);
            assert_eq!(rate(0), 0.5);
            assert!((rate(unit) - 0.731_058_6).abs() < 1e-6, "a logit of one");
            assert!((rate(unit) + rate(-unit) - 1.0).abs() < 1e-12);
            assert_eq!((rate(Score::MATE_BOUND), rate(-Score::MATE_BOUND)), (1.0, 0.0));
        }
    }
}
