//! What a search has found.

use std::fmt;
use std::time::Duration;

use crate::eval::nets;
use crate::game::{Point, RuleKind};

/// A score from the side to move's view: an estimate, or a proven win or loss with its length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(pub i32);

impl Score {
    /// Above every other score; a win in `n` plies scores `MATE - n`.
    pub const MATE: i32 = 30_000;
    /// Scores of at least this are proven wins.
    pub const MATE_BOUND: i32 = Score::MATE - 1_000;

    /// Plies until the game ends by a proven result: positive when winning, negative when losing.
    pub fn mate(self) -> Option<i32> {
        if self.0 >= Score::MATE_BOUND {
            Some(Score::MATE - self.0)
        } else if self.0 <= -Score::MATE_BOUND {
            Some(-Score::MATE - self.0)
        } else {
            None
        }
    }

    /// Expected share of the points, 0 to 1, under a rule: what scores are worth is fitted to the results of the engine's
    /// own games, and stands in the rule's net.
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

/// A number, or `+M7`, `-M6` for a win or loss in that many plies.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(n) if self.0 > 0 => write!(f, "+M{n}"),
            Some(n) => write!(f, "-M{}", -n),
            None => write!(f, "{}", self.0),
        }
    }
}

/// One line of play and its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// From the side to move's view.
    pub score: Score,
    /// The moves, the first one being the move to play.
    pub moves: Vec<Point>,
}

/// Where the lines of a report come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A search; the depth says how deep.
    Search,
    /// The opening book; the depth is that of the search which judged the move when the book was made.
    Book,
    /// Nothing was searched: a move that looks good, with the static evaluation of the position before it.
    Evaluation,
}

/// The state of a search after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Where the lines come from.
    pub source: Source,
    /// Finished depth in plies.
    pub depth: u32,
    /// Longest line looked at, in plies.
    pub seldepth: u32,
    /// Moves made on the board so far.
    pub nodes: u64,
    /// Time since the search's start.
    pub elapsed: Duration,
    /// Share of the table that this search has filled, in thousandths, from a sample.
    pub hash_permille: usize,
    /// The best lines, best first; as many as asked for and the position has.
    pub lines: Vec<Line>,
}

impl Report {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6)) as u64
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
