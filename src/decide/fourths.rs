//! The fourth stone before an offer of fifth moves: the `k`-th best fifth move of Black counts, not the best.

use super::fifths;
use super::judge::{Scorer, for_black};
use super::{Decision, Reason};
use crate::game::regulation::fifths::Pattern;
use crate::game::regulation::{Action, Area};
use crate::game::{Color, Move, Point, PointSet, Position};
use crate::search::Score;

/// Fourth stones compared: the best for White if Black had a free fifth move.
const FOURTHS: usize = 5;
/// Share of the time for finding these fourth stones.
const FINDING: f64 = 0.25;
/// Largest number of fifths that the engine declares: the scores of still worse moves mean little.
const MOST_DECLARED: usize = 8;

/// A fourth stone, with the scores of the fifths after it.
pub struct Fourth {
    point: Point,
    /// The scores for Black of the best fifth moves, best first.
    fifths: Vec<Option<Score>>,
}

impl Fourth {
    /// Returns the worth of the position to Black with `k` fifths to offer.
    fn with(&self, k: usize) -> Option<Score> {
        *self.fifths.get(k.checked_sub(1)?)?
    }
}

/// Returns good fourth stones on these points, with up to `most` fifths.
fn find(judge: &mut Scorer<'_>, position: &Position, points: &PointSet, most: usize) -> Vec<Fourth> {
    let fourths = judge.part(FINDING, |judge| judge.best(position, points, FOURTHS));
    let looked = judge.each(fourths, |judge, (point, _)| {
        let mut position = position.clone();
        position.push(Move::Place(point)).ok()?;
        let pattern = Pattern::of_position(&position)?;
        let free = Area::Anywhere.free_points(&position);
        let found = fifths::best(judge, &position, most, &free, &pattern);
        Some(Fourth { point, fifths: found.into_iter().map(|f| f.1).collect() })
    });
    looked.into_iter().flatten().collect()
}

/// Returns White's fourth stone for an offer of `k` fifths.
pub fn for_fifths(
    judge: &mut Scorer<'_>,
    position: &Position,
    points: &PointSet,
    k: usize,
) -> Option<Decision> {
    let white = |score| for_black(score, Color::White);
    let reasons = find(judge, position, points, k)
        .into_iter()
        .map(|fourth| Reason { action: Action::place([fourth.point]), score: fourth.with(k).map(white) });
    Decision::of(reasons.collect())
}

/// Returns White's fourth stone and the number of fifths, up to `most`, for which the choice of colours is worth least.
pub fn with_number(
    judge: &mut Scorer<'_>,
    position: &Position,
    points: &PointSet,
    most: usize,
) -> Option<Decision> {
    let most = most.min(MOST_DECLARED);
    let fourths = find(judge, position, points, most);
    let options = fourths.iter().flat_map(|fourth| (1..=most).map(move |k| (fourth, k)));
    let reasons = options.map(|(fourth, k)| Reason {
        action: Action::Place { stones: vec![fourth.point], declare: Some(k) },
        score: fourth.with(k).map(uneven),
    });
    Decision::of(reasons.collect())
}

/// Returns the number of fifths, up to `most`, that makes three stones most even when White plays the best fourth, and
/// the worth of the choice of colours to the player who declares it.
pub fn number(judge: &mut Scorer<'_>, position: &Position, most: usize) -> Option<(usize, Score)> {
    let most = most.min(MOST_DECLARED);
    let fourths = find(judge, position, &Area::Anywhere.free_points(position), most);
    let worth = |k: usize| {
        let worst = fourths.iter().filter_map(|fourth| fourth.with(k)).min()?;
        Some((k, uneven(worst)))
    };
    (1..=most).filter_map(worth).max_by_key(|&(k, score)| (score, std::cmp::Reverse(k)))
}

/// Returns the worth of a score to a player whose opponent may choose the colour.
pub fn uneven(score: Score) -> Score {
    Score(-score.0.abs())
}
