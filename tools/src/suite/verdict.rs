//! The verdict on a position, and from how many nodes on a search agrees with it.

use std::fmt;

use kagetsu::game::quote::quoted;
use kagetsu::game::{Point, Size, notation};
use kagetsu::search::Line;

/// Known result of a position, which a search has to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
    /// This move is much better than all others.
    Best(Point),
}

impl Verdict {
    /// Reads a verdict at the start of these words, and takes its words.
    ///
    /// # Errors
    /// Says what is expected.
    pub(super) fn read<'a>(words: &mut impl Iterator<Item = &'a str>, size: Size) -> Result<Verdict, String> {
        match words.next() {
            Some("win") => Ok(Verdict::Win),
            Some("loss") => Ok(Verdict::Loss),
            Some("best") => {
                let point = words.next().ok_or("expected a point after 'best', as in 'best h8'")?;
                let problem = |error| format!("{} after 'best': {error}", quoted(point));
                notation::parse_point(point, size).map(Verdict::Best).map_err(problem)
            }
            Some(other) => Err(format!(
                "{} is not a verdict: expected 'win', 'loss' or 'best' and a point",
                quoted(other)
            )),
            None => Err("no verdict: expected 'win', 'loss' or 'best' and a point".into()),
        }
    }

    /// Returns whether a search that ends with this line agrees. A win and a loss must be proven.
    pub fn agrees(self, line: &Line) -> bool {
        match self {
            Verdict::Win => line.score.mate().is_some_and(|plies| plies > 0),
            Verdict::Loss => line.score.mate().is_some_and(|plies| plies < 0),
            Verdict::Best(point) => line.moves.first() == Some(&point),
        }
    }

    /// Returns whether the verdict is a proven result. A search that agrees once agrees for ever.
    pub fn is_proof(self) -> bool {
        !matches!(self, Verdict::Best(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Win => f.write_str("win"),
            Verdict::Loss => f.write_str("loss"),
            Verdict::Best(point) => write!(f, "best {point}"),
        }
    }
}

/// Follows the reports of one search, and remembers from how many nodes on all of them agree with the verdict.
#[derive(Clone, Copy, Debug)]
pub struct Holding {
    verdict: Verdict,
    since: Option<u64>,
}

impl Holding {
    /// Starts before the first report.
    pub fn of(verdict: Verdict) -> Holding {
        Holding { verdict, since: None }
    }

    /// Takes in the best line after this number of nodes.
    pub fn hear(&mut self, nodes: u64, line: &Line) {
        if self.is_final() {
            return;
        }
        self.since = if self.verdict.agrees(line) { self.since.or(Some(nodes)) } else { None };
    }

    /// Returns the number of nodes of the first report from which on all agree; `None` if the last one does not.
    pub fn since(&self) -> Option<u64> {
        self.since
    }

    /// Returns whether no later report can change the answer, because the verdict is proven.
    pub fn is_final(&self) -> bool {
        self.verdict.is_proof() && self.since.is_some()
    }
}

#[cfg(test)]
mod tests {
    use kagetsu::search::Score;

    use super::*;

    fn line(score: i32, point: &str) -> Line {
        Line { score: Score(score), moves: vec![notation::parse_point(point, Size::S15).unwrap()] }
    }

    /// Returns from where on a verdict holds in a search of these reports: nodes, score, move.
    fn since(verdict: Verdict, reports: &[(u64, i32, &str)]) -> Option<u64> {
        let mut holding = Holding::of(verdict);
        reports.iter().for_each(|&(nodes, score, point)| holding.hear(nodes, &line(score, point)));
        holding.since()
    }

    #[test]
    fn a_move_counts_from_where_it_stays_the_best() {
        let best = Verdict::Best(notation::parse_point("h8", Size::S15).unwrap());
        assert_eq!(since(best, &[]), None);
        assert_eq!(since(best, &[(10, 0, "a1"), (20, 5, "h8"), (40, -5, "h8")]), Some(20));
        assert_eq!(since(best, &[(10, 0, "h8"), (20, 5, "a1"), (40, -5, "h8")]), Some(40), "lost and found");
        assert_eq!(since(best, &[(10, 0, "h8"), (20, 5, "h8"), (40, -5, "a1")]), None, "lost at the end");
        assert_eq!(since(best, &[(10, 0, "h8"), (20, Score::MATE - 9, "a1")]), None, "another move wins");
    }

    #[test]
    fn a_result_counts_from_its_proof() {
        let (win, loss) = (Score::MATE - 9, 8 - Score::MATE);
        let reports = [(10, 900, "a1"), (20, win, "h8")];
        assert_eq!(since(Verdict::Win, &reports), Some(20), "by any move");
        assert_eq!(since(Verdict::Loss, &reports), None);
        let reports = [(10, loss, "a1"), (30, loss - 2, "b1")];
        assert_eq!((since(Verdict::Loss, &reports), since(Verdict::Win, &reports)), (Some(10), None));
        assert_eq!(since(Verdict::Win, &[(10, Score::MATE_BOUND - 1, "a1")]), None, "no proof");
        assert_eq!(since(Verdict::Loss, &[(10, loss, "a1"), (30, -700, "b1")]), Some(10), "proven is proven");
    }

    #[test]
    fn verdicts_are_read_as_they_are_written() {
        for text in ["win", "loss", "best h8", "best a15"] {
            let verdict = Verdict::read(&mut text.split(' '), Size::S15).unwrap();
            assert_eq!(verdict.to_string(), text);
        }
        for (text, problem) in [
            ("won", "'won' is not a verdict: expected 'win', 'loss' or 'best' and a point"),
            ("best", "expected a point after 'best', as in 'best h8'"),
            ("best p16", "'p16' after 'best': "),
            ("best h8h9", "'h8h9' after 'best': "),
        ] {
            let error = Verdict::read(&mut text.split(' '), Size::S15).unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
        assert!(Verdict::read(&mut [].into_iter(), Size::S15).unwrap_err().starts_with("no verdict"));
    }
}
