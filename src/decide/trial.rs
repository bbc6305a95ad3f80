//! Trials of stones, and the search for those that suit best.
//!
//! With many candidates and little time, each gets a short search, the better half a longer one, and so on: sequential
//! halving, which spends the same on every round. CITE: Karnin, Koren, Somekh, "Almost Optimal Exploration in
//! Multi-Armed Bandits" (ICML 2013).

use std::collections::HashSet;

use super::judge::Scorer;
use crate::game::symmetry::Canonical;
use crate::game::{Board, Move, Point, Position, Reading, RuleKind};
use crate::search::Score;
use crate::with_rule;

/// Nodes for a candidate below which a score means nothing: with little time, fewer candidates are compared instead.
const SHORTEST_LOOK: u64 = 300;

/// Stones put on a position, with the result.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The stones, in order.
    pub stones: Vec<Point>,
    /// The position with them.
    pub position: Position,
    /// Its score for Black, once it has been searched.
    pub score: Option<Score>,
}

impl Trial {
    /// Puts stones of alternating colours. Returns `None` if a stone is illegal or ends the game.
    pub fn new(
        position: &Position,
        stones: Vec<Point>,
        (rule, reading): (RuleKind, Reading),
    ) -> Option<Trial> {
        let mut after = position.clone();
        with_rule!(rule, R => {
            let mut board = Board::<R>::from_position(position).ok()?;
            board.set_reading(reading);
            for &p in &stones {
                if !board.empty().contains(p) || !board.is_legal(p) {
                    return None;
                }
                after.push(Move::Place(p)).ok()?;
                board.play(p);
                if board.winner().is_some() {
                    return None;
                }
            }
        });
        let full = after.stones().count() == after.size().area();
        (!full).then_some(Trial { stones, position: after, score: None })
    }
}

/// Drops trials whose position is an image of an earlier one under a symmetry.
pub fn distinct(trials: impl Iterator<Item = Trial>) -> impl Iterator<Item = Trial> {
    let mut seen = HashSet::new();
    trials.filter(move |trial| seen.insert(Canonical::of_position(&trial.position).key))
}

/// Keeps the best trials, best first: at least `wanted` and at most twice as many, using all that the judge has left.
/// `cost` maps a score for Black to its badness.
///
/// With little time only the first trials are compared.
pub fn narrow(judge: &mut Scorer<'_>, trials: &mut Vec<Trial>, wanted: usize, cost: impl Fn(Score) -> i32) {
    let wanted = wanted.max(1);
    let mut count = affordable(trials.len(), wanted, judge.capacity());
    for rounds in (1..=rounds(count, wanted)).rev() {
        trials.truncate(count);
        judge.part(1.0 / rounds as f64, |judge| look(judge, trials));
        trials.sort_by_key(|trial| trial.score.map_or(i32::MAX, &cost));
        count = count.div_ceil(2).max(wanted);
    }
}

/// Scores all trials with equal effort.
fn look(judge: &mut Scorer<'_>, trials: &mut [Trial]) {
    let count = trials.len();
    for (i, trial) in trials.iter_mut().enumerate() {
        if judge.is_over() {
            return;
        }
        let nodes = judge.capacity() / (count - i) as u64;
        if let Some(score) = judge.score(&trial.position, Some(nodes)) {
            trial.score = Some(score);
        }
    }
}

/// Returns the number of rounds, each halving the trials; the last chooses from at most twice as many as wanted.
fn rounds(mut count: usize, wanted: usize) -> usize {
    let mut rounds = 1;
    while count.div_ceil(2) > wanted {
        count = count.div_ceil(2);
        rounds += 1;
    }
    rounds
}

/// Returns how many trials can be compared with `nodes` nodes.
pub fn affordable(count: usize, wanted: usize, nodes: u64) -> usize {
    let fits = |&n: &usize| (n * rounds(n, wanted)) as u64 * SHORTEST_LOOK <= nodes;
    let mut wide = count;
    while wide > wanted && !fits(&wide) {
        wide = wide * 3 / 4;
    }
    wide.max(wanted).min(count)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::notation::parse_point;
    use crate::game::{Color, Size};

    /// h8 makes two threes; one of them has an extension that also makes a five.
    #[test]
    fn the_reading_of_double_threes_decides_what_is_legal() {
        let black = "j5 f6 h6 g7 e8 f8 g8 h9 j9 g10 k10 f11".split(' ').map(|p| (p, Color::Black));
        let stones = black.chain([("d8", Color::White)]);
        let stones = stones.map(|(p, color)| (parse_point(p, Size::S15).unwrap(), color));
        let position = Position::from_stones(Size::S15, stones, Color::Black).unwrap();
        let legal =
            |reading| Trial::new(&position, vec![Point::new(7, 7)], (RuleKind::Renju, reading)).is_some();
        assert!(!legal(Reading::Literal) && legal(Reading::FiveExtends));
    }

    #[test]
    fn rounds_halve_down_to_the_number_wanted() {
        for (count, wanted, expected) in
            [(0, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 2), (16, 1, 4), (26, 4, 3), (5, 6, 1)]
        {
            assert_eq!(rounds(count, wanted), expected, "{count} {wanted}");
        }
    }

    #[test]
    fn as_many_trials_as_there_is_time_for() {
        assert_eq!(affordable(100, 1, u64::MAX / 2), 100);
        assert_eq!(affordable(100, 1, 0), 1);
        assert_eq!(affordable(3, 5, 0), 3);
        let some = affordable(100, 1, 30_000);
        assert!((10..40).contains(&some), "{some}");
    }
}
