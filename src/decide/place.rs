//! Placing the stones of an opening.
//!
//! The next step decides which stones are good. Before a choice of colours, even stones are best, because the
//! opponent takes the better side. Before an offer of fifths, the fourth stone is White's best against the worst fifth
//! offered. Otherwise they are ordinary moves. Even stones are sought among random ones, so that openings vary with the
//! seed.

use super::balance;
use super::fourths::{self, uneven};
use super::judge::{Scorer, for_black};
use super::trial::{Trial, affordable, distinct, narrow};
use super::{Decision, Reason, after, value};
use crate::game::regulation::{Action, Area, Choice, Opening, Zone};
use crate::game::{Point, PointSet, Size};
use crate::random::{Random, RngExt, SeedableRng, SliceRandom};
use crate::search::Score;

/// Most random sets of several stones that are compared.
const MOST_TRIALS: usize = 256;
/// Random stones drawn for each trial wanted.
const DRAWS: usize = 4;
/// Fewest candidates that [`halved`] keeps. Where all candidates can be listed, a random half of them is dropped so that
/// openings vary with the seed.
const FEW: usize = 6;
/// Share of the time for narrowing stones down by plain scores, if there are more than [`FINALISTS`].
const NARROWING: f64 = 0.4;
/// Number of stones whose worth with the fifths to come is then computed.
const FINALISTS: usize = 4;

/// Decides where the stones go, one for each zone, and how many fifths are declared if a number up to `declare` is due.
pub fn decide(
    judge: &mut Scorer<'_>,
    opening: &Opening,
    zones: &[Zone],
    declare: Option<usize>,
) -> Option<Decision> {
    let position = opening.position();
    match (zones, declare) {
        ([zone], Some(most)) => fourths::with_number(judge, position, &zone.points, most),
        (_, Some(most)) => numbered(judge, opening, zones, most),
        ([zone], None) if zone.points.len() == 1 => {
            let action = Action::place([zone.points.first()?]);
            Some(Decision { action, score: None, reasons: Vec::new() })
        }
        ([zone], None) => match next(opening, zone) {
            Next::Colors => even(judge, opening, zones),
            Next::Fifths(k) => fourths::for_fifths(judge, position, &zone.points, k),
            Next::Moves => best(judge, opening, &zone.points),
        },
        _ => even(judge, opening, zones),
    }
}

/// The step after a stone.
#[derive(Clone, Copy)]
enum Next {
    /// Somebody may swap.
    Colors,
    /// Black offers this number of fifths.
    Fifths(usize),
    /// A player puts further stones.
    Moves,
}

impl Next {
    fn is_fifths(self) -> bool {
        matches!(self, Next::Fifths(_))
    }
}

fn next(opening: &Opening, zone: &Zone) -> Next {
    let stone = zone.points.first().map(|p| Action::place([p]));
    let choices = stone.and_then(|stone| after(opening, &stone)).map_or_else(Vec::new, |o| o.choices());
    match &choices[..] {
        [Choice::Offer { count, .. }] => Next::Fifths(*count),
        _ if choices.contains(&Choice::Swap) => Next::Colors,
        _ => Next::Moves,
    }
}

/// The best move when the opening is over.
pub fn move_after(judge: &mut Scorer<'_>, opening: &Opening) -> Option<Decision> {
    best(judge, opening, &Area::Anywhere.free_points(opening.position()))
}

/// The best move on these points.
fn best(judge: &mut Scorer<'_>, opening: &Opening, points: &PointSet) -> Option<Decision> {
    let position = opening.position();
    let (p, score) = judge.best(position, points, 1).first().copied()?;
    let action = Action::place([p]);
    let score = score.map(|score| for_black(score, position.side()));
    Some(Decision { action: action.clone(), score, reasons: vec![Reason { action, score }] })
}

/// The stones after which the choice of colours is worth least.
fn even(judge: &mut Scorer<'_>, opening: &Opening, zones: &[Zone]) -> Option<Decision> {
    let mut trials = draw(judge, opening, zones);
    let kept = |trial: &Trial| {
        let chosen = after(opening, &Action::place(trial.stones.clone()))?;
        let kept = after(&chosen, &Action::Keep)?;
        let fifths = match &kept.choices()[..] {
            [Choice::Place { zones, .. }] if zones.len() == 1 => next(&kept, &zones[0]).is_fifths(),
            _ => false,
        };
        fifths.then_some(kept)
    };
    if trials.first().and_then(kept).is_none() {
        narrow(judge, &mut trials, 1, |score| score.0.abs());
        let reason =
            |trial: Trial| Reason { action: Action::place(trial.stones), score: trial.score.map(uneven) };
        return Decision::of(trials.into_iter().map(reason).collect());
    }
    // Plain scores assume that Black has any fifth move; they serve only as a first look.
    let finalists = narrowed(judge, trials);
    let reasons = judge.each(finalists, |judge, trial| {
        let score = kept(&trial).and_then(|kept| value(judge, &kept));
        Reason { action: Action::place(trial.stones), score: score.map(uneven) }
    });
    Decision::of(reasons)
}

/// The stones of an opening and the number of fifths after which the choice of colours is worth least.
fn numbered(judge: &mut Scorer<'_>, opening: &Opening, zones: &[Zone], most: usize) -> Option<Decision> {
    let trials = draw(judge, opening, zones);
    let finalists = narrowed(judge, trials);
    let reasons = judge.each(finalists, |judge, trial| {
        let found = fourths::number(judge, &trial.position, most);
        // Without time to search, the number of the classical rule is as good as any.
        let (number, score) = found.map_or((most.min(2), None), |(number, score)| (number, Some(score)));
        Reason { action: Action::Place { stones: trial.stones, declare: Some(number) }, score }
    });
    Decision::of(reasons)
}

/// The most even of these by plain scores.
fn narrowed(judge: &mut Scorer<'_>, mut trials: Vec<Trial>) -> Vec<Trial> {
    judge.part(NARROWING, |judge| narrow(judge, &mut trials, FINALISTS, |score: Score| score.0.abs()));
    trials.truncate(FINALISTS);
    trials
}

/// Stones to compare, in random order.
fn draw(judge: &Scorer<'_>, opening: &Opening, zones: &[Zone]) -> Vec<Trial> {
    let (position, rule) = (opening.position(), judge.rule());
    let mut random = Random::seed_from_u64(judge.seed());
    let trial = |stones: Vec<Point>| Trial::new(position, stones, rule);
    let most = affordable(MOST_TRIALS, 1, judge.capacity());
    match zones {
        [zone] => {
            let near = if zone.area == Area::Anywhere { balance::near(position) } else { zone.points };
            halved((near & zone.points).iter().filter_map(|p| trial(vec![p])), &mut random)
        }
        [first, second] => balance::pairs(judge, position, [&first.points, &second.points]),
        _ if zones.iter().all(|zone| zone.area == Area::Anywhere) => {
            let size = position.size();
            let draws = (0..DRAWS * most).filter_map(|_| trial(scattered(size, zones.len(), &mut random)));
            distinct(draws).take(most).collect()
        }
        _ => halved(combinations(zones).into_iter().filter_map(trial), &mut random),
    }
}

/// A random half of the trials, in random order; all of them if they are few.
fn halved(trials: impl Iterator<Item = Trial>, random: &mut Random) -> Vec<Trial> {
    let mut trials: Vec<Trial> = distinct(trials).collect();
    trials.shuffle(random);
    trials.truncate(trials.len().div_ceil(2).max(FEW));
    trials
}

/// Random points in a box of random size anywhere on the board.
fn scattered(size: Size, count: usize, random: &mut Random) -> Vec<Point> {
    let side = (5 + random.random_range(..7usize)).min(size.side());
    let mut corner = || random.random_range(..size.side() - side + 1);
    let (left, bottom) = (corner(), corner());
    (0..count)
        .map(|_| Point::new(left + random.random_range(..side), bottom + random.random_range(..side)))
        .collect()
}

/// All ways to put a stone into each zone.
fn combinations(zones: &[Zone]) -> Vec<Vec<Point>> {
    let mut all = vec![Vec::new()];
    for zone in zones {
        let longer = |stones: Vec<Point>| {
            let taken: PointSet = stones.iter().copied().collect();
            let add = move |p| stones.iter().copied().chain([p]).collect::<Vec<_>>();
            zone.points.without(&taken).iter().map(add).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}
