//! The fifth moves: the points that Black offers, and the one that White chooses.
//!
//! White leaves Black the worst of the points offered, so Black offers the best ones. With `k` of them the position is
//! worth to Black what the `k`-th best fifth move is worth.

use super::judge::{Scorer, for_black};
use super::trial::{Trial, narrow};
use super::{Decision, Reason};
use crate::game::regulation::fifths::Pattern;
use crate::game::regulation::{Action, Opening};
use crate::game::{Color, Point, PointSet, Position};
use crate::search::Score;

/// Share of the time for choosing the fifth stone; the rest is for the sixth.
const CHOOSING: f64 = 0.7;

/// Returns the best fifth moves on these points with their scores for Black, best first, no two symmetric. It returns
/// at least `count` if the board has as many. Moves for which there was no time come last, without a score.
pub fn best(
    judge: &mut Scorer<'_>,
    position: &Position,
    count: usize,
    points: &PointSet,
    pattern: &Pattern,
) -> Vec<(Point, Option<Score>)> {
    let size = position.size();
    // Keep only the first of the points that count as one fifth move.
    let first = |p: &Point| pattern.class(*p, size).iter().next() == Some(*p);
    let classes: PointSet = points.iter().filter(first).collect();
    let mut found = judge.best(position, &classes, count);
    found.truncate(count);
    let taken: PointSet = found.iter().map(|f| f.0).collect();
    let mut rest: Vec<Point> = classes.without(&taken).iter().collect();
    rest.sort_by_key(|&p| distance(p, position));
    let missing = count.saturating_sub(found.len());
    found.extend(rest.into_iter().take(missing).map(|p| (p, None)));
    found
}

/// Steps from the nearest stone.
fn distance(p: Point, position: &Position) -> usize {
    position.stones().map(|(q, _)| p.distance(q)).min().unwrap_or(0)
}

/// Offers the best fifth moves.
pub fn offer(
    judge: &mut Scorer<'_>,
    opening: &Opening,
    count: usize,
    points: &PointSet,
    pattern: &Pattern,
) -> Option<Decision> {
    let found = best(judge, opening.position(), count, points, pattern);
    let score = found.get(count.checked_sub(1)?)?.1;
    let reasons = found.iter().map(|&(p, score)| Reason { action: Action::place([p]), score }).collect();
    let action = Action::Offer(found.into_iter().map(|f| f.0).collect());
    Some(Decision { action, score, reasons })
}

/// Chooses the fifth move that leaves Black the least, and the best sixth.
pub fn choose(
    judge: &mut Scorer<'_>,
    opening: &Opening,
    fifths: &[Point],
    sixths: &PointSet,
) -> Option<Decision> {
    let (position, rule) = (opening.position(), judge.rule());
    let mut trials: Vec<Trial> = fifths.iter().filter_map(|&p| Trial::new(position, vec![p], rule)).collect();
    judge.part(CHOOSING, |judge| narrow(judge, &mut trials, fifths.len(), |score| score.0));
    let best = trials.first()?;
    let fifth = *best.stones.first()?;
    let mut free = *sixths;
    free.remove(fifth);
    let (sixth, score) = judge.best(&best.position, &free, 1).first().copied()?;
    let white = |score| for_black(score, Color::White);
    let reasons = trials
        .iter()
        .map(|trial| Reason { action: Action::place(trial.stones.clone()), score: trial.score.map(white) })
        .collect();
    Some(Decision { action: Action::Choose { fifth, sixth }, score: score.map(white), reasons })
}
