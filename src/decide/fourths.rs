//! The fourth stone where Black then offers fifths: what counts is not Black's best fifth move but the `k`-th best.

use super::fifths;
use super::judge::{Judge, for_black};
use super::{Decision, Reason};
use crate::game::regulation::fifths::Pattern;
use crate::game::regulation::{Action, Area};
use crate::game::{Color, Move, Point, PointSet, Position};
use crate::search::Score;

/// Fourth stones that are looked at: the best for White if Black had a free fifth move.
const FOURTHS: usize = 5;
/// Share of the time for finding them.
const FINDING: f64 = 0.25;
/// The engine declares no larger number of fifths: the scores of still worse ones say little.
const MOST_DECLARED: usize = 8;

/// A fourth stone and what the fifths after it are worth.
pub struct Fourth {
    point: Point,
    /// The scores for Black of the best fifth moves, best first.
    fifths: Vec<Option<Score>>,
}

impl Fourth {
    /// What the position is worth to Black with `k` fifths to offer.
    fn with(&self, k: usize) -> Option<Score> {
        *self.fifths.get(k.checked_sub(1)?)?
    }
}

/// Good fourth stones on these points, with up to `most` fifths.
fn find(judge: &mut Judge<'_>, position: &Position, points: &PointSet, most: usize) -> Vec<Fourth> {
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

/// White's fourth stone where Black offers `k` fifths.
pub fn for_fifths(
    judge: &mut Judge<'_>,
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

/// White's fourth stone and the number of fifths, up to `most`, that leave the choice of colours worth least.
pub fn with_number(
    judge: &mut Judge<'_>,
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

/// The number of fifths, up to `most`, that makes three stones most even when White puts the best fourth, and what the
/// choice of colours is then worth to whoever declares it.
pub fn number(judge: &mut Judge<'_>, position: &Position, most: usize) -> Option<(usize, Score)> {
    let most = most.min(MOST_DECLARED);
    let fourths = find(judge, position, &Area::Anywhere.free_points(position), most);
    let worth = |k: usize| {
        let worst = fourths.iter().filter_map(|fourth| fourth.with(k)).min()?;
        Some((k, uneven(worst)))
    };
    (1..=most).filter_map(worth).max_by_key(|&(k, score)| (score, std::cmp::Reverse(k)))
}

/// What a score is worth to a player whose opponent may choose the colour.
pub fn uneven(score: Score) -> Score {
    Score(-score.0.abs())
}
