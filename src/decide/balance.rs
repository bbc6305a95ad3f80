//! Balanced search: the move, or the pair of moves, after which a position is nearest to even.

use std::panic::{self, AssertUnwindSafe};

use super::judge::{Scorer, for_black};
use super::trial::{Trial, affordable, distinct, narrow};
use crate::engine::Engine;
use crate::game::{Point, PointSet, Position, Size};
use crate::random::{IndexedRandom, Random, SeedableRng, SliceRandom};
use crate::search::{Candidates, Context, Limits, Score};

/// Largest number of pairs of moves compared, however much time there is. Among this many pairs, some have scores
/// within one or two units of even.
const MOST_PAIRS: usize = 512;
/// Pairs drawn for each pair wanted, as not all are legal.
const DRAWS: usize = 4;

/// Number of stones that balance a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stones {
    /// One stone, of the side to move.
    One,
    /// Two stones, one of each side.
    Two,
}

/// Stones, with the score of the position after them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balanced {
    /// The stones, in order.
    pub stones: Vec<Point>,
    /// Score from the view of the side to move before them; `None` if there was no time to search.
    pub score: Option<Score>,
}

/// Finds the stones that bring the score of the engine's position nearest to `bias`, from the view of the side to move:
/// the best ones first, then others that come near. The engine's seed selects the pairs compared. The result is empty
/// only if that many stones would end the game, if the limits exclude all points, or after a panic, which is logged. The
/// engine is left in another position.
pub fn balance(
    engine: &mut Engine,
    stones: Stones,
    bias: i32,
    limits: &Limits,
    context: &Context<'_>,
) -> Vec<Balanced> {
    let found = panic::catch_unwind(AssertUnwindSafe(|| search(engine, stones, bias, limits, context)));
    found.unwrap_or_else(|_| {
        log::error!("the search for balancing stones panicked in {:?}", engine.position());
        Vec::new()
    })
}

fn search(
    engine: &mut Engine,
    stones: Stones,
    bias: i32,
    limits: &Limits,
    context: &Context<'_>,
) -> Vec<Balanced> {
    let position = engine.position().clone();
    let side = position.side();
    let points = PointSet::full(position.size()).without(&limits.excluded);
    let mut judge = Scorer::new(engine, limits, context);
    let trials = match stones {
        Stones::One => one(&mut judge, &position, &points, for_black(Score(bias), side)),
        Stones::Two => two(&mut judge, &position, &points, for_black(Score(bias), side)),
    };
    let seen = |trial: Trial| {
        let score = trial.score.map(|score| for_black(score, side));
        Balanced { stones: trial.stones, score }
    };
    trials.into_iter().map(seen).collect()
}

/// Region where stones are sensible.
#[derive(Clone)]
struct Field {
    near: Candidates,
    size: Size,
    empty: bool,
}

impl Field {
    fn new(position: &Position) -> Field {
        let size = position.size();
        let mut field = Field { near: Candidates::new(size), size, empty: true };
        position.stones().for_each(|(p, _)| field.add(p));
        field
    }

    fn add(&mut self, p: Point) {
        self.near.add(p);
        self.empty = false;
    }

    /// Points near the stones; anywhere on an empty board.
    fn points(&self) -> PointSet {
        if self.empty { PointSet::full(self.size) } else { self.near.points() }
    }
}

/// Returns the points near the stones; on an empty board, all points.
pub fn near(position: &Position) -> PointSet {
    Field::new(position).points()
}

/// Moves on these points after which the score for Black is nearest to `target`, the nearest first.
fn one(judge: &mut Scorer<'_>, position: &Position, points: &PointSet, target: Score) -> Vec<Trial> {
    let rule = judge.rule();
    let try_point = |p| Trial::new(position, vec![p], rule);
    let mut trials: Vec<Trial> = distinct((near(position) & *points).iter().filter_map(try_point)).collect();
    if trials.is_empty() {
        trials = points.iter().filter_map(try_point).collect();
    }
    trials.shuffle(&mut Random::seed_from_u64(judge.seed()));
    nearest(judge, &mut trials, target);
    trials
}

/// Returns pairs of moves on these points after which the score for Black is nearest to `target`, the nearest first. The seed
/// selects the pairs compared.
fn two(judge: &mut Scorer<'_>, position: &Position, points: &PointSet, target: Score) -> Vec<Trial> {
    let mut trials = pairs(judge, position, [points; 2]);
    nearest(judge, &mut trials, target);
    trials
}

/// Random pairs of legal moves on these points, none twice; as many as there is time for. They lie near the stones if there are
/// such pairs.
pub fn pairs(judge: &Scorer<'_>, position: &Position, points: [&PointSet; 2]) -> Vec<Trial> {
    let mut random = Random::seed_from_u64(judge.seed());
    let field = Field::new(position);
    let [firsts, seconds] = points;
    let most = affordable(MOST_PAIRS, 1, judge.capacity());
    let near_firsts: Vec<Point> = (field.points() & *firsts).iter().collect();
    let mut draw = || {
        let first = pick(&mut random, &near_firsts)?;
        let mut field = field.clone();
        field.add(first);
        let near: Vec<Point> = (field.points() & *seconds).iter().collect();
        Trial::new(position, vec![first, pick(&mut random, &near)?], judge.rule())
    };
    let near: Vec<Trial> = distinct((0..DRAWS * most).filter_map(|_| draw())).take(most).collect();
    if !near.is_empty() {
        return near;
    }
    let free = |points: &PointSet| points.iter().filter(|&p| position.is_free(p)).collect::<Vec<_>>();
    let (firsts, seconds) = (free(firsts), free(seconds));
    let mut anywhere: Vec<[Point; 2]> =
        firsts.iter().flat_map(|&first| seconds.iter().map(move |&second| [first, second])).collect();
    anywhere.shuffle(&mut random);
    distinct(anywhere.into_iter().filter_map(|pair| Trial::new(position, pair.to_vec(), judge.rule())))
        .take(most)
        .collect()
}

fn pick(random: &mut Random, points: &[Point]) -> Option<Point> {
    points.choose(random).copied()
}

/// Sorts by the distance of the score for Black to `target`, the nearest first.
fn nearest(judge: &mut Scorer<'_>, trials: &mut Vec<Trial>, target: Score) {
    narrow(judge, trials, 1, |score| (score.0 - target.0).abs());
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::clock::{Clock, SystemClock};
    use crate::engine::Options;
    use crate::game::notation::parse;
    use crate::game::{Color, Move, RuleKind};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    fn limited<T>(
        (rule, seed): (RuleKind, u64),
        limits: &Limits,
        work: impl FnOnce(&mut Engine, &Context<'_>) -> T,
    ) -> T {
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let mut engine = Engine::new();
        engine.set_options(Options { rule, hash: Some(4 << 20), seed, ..Options::default() });
        let context = Context { clock: &clock, start: Duration::ZERO, stop: &stop };
        assert!(limits.turn.is_none());
        work(&mut engine, &context)
    }

    fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    fn balanced(moves: &str, (rule, seed): (RuleKind, u64), stones: Stones, bias: i32) -> Vec<Balanced> {
        let limits = nodes(60_000);
        limited((rule, seed), &limits, |engine, context| {
            engine.set_position(parse(moves, None).unwrap());
            balance(engine, stones, bias, &limits, context)
        })
    }

    /// Searches the position after these stones with a new engine. Returns the score for the side to move
    /// before them.
    fn checked(moves: &str, rule: RuleKind, stones: &[Point]) -> i32 {
        let limits = nodes(100_000);
        limited((rule, 0), &limits, |engine, context| {
            let mut position = parse(moves, None).unwrap();
            let side = position.side();
            stones.iter().for_each(|&p| position.push(Move::Place(p)).unwrap());
            let turned = position.side() != side;
            engine.set_position(position);
            let (_, report) = engine.go(&limits, context, &mut |_| {}).unwrap();
            let score = report.lines[0].score.0;
            if turned { -score } else { score }
        })
    }

    #[test]
    fn excluded_points_are_left_alone() {
        let only: PointSet = [Point::new(8, 6), Point::new(8, 7)].into_iter().collect();
        let excluded = PointSet::full(Size::S15).without(&only);
        for stones in [Stones::One, Stones::Two] {
            let limits = Limits { excluded, ..nodes(5_000) };
            let found = limited((RuleKind::Freestyle, 1), &limits, |engine, context| {
                engine.set_position(parse("h8i9g7", None).unwrap());
                balance(engine, stones, 0, &limits, context)
            });
            let mut points = found.iter().flat_map(|balanced| &balanced.stones).peekable();
            assert!(points.peek().is_some() && points.all(|&p| only.contains(p)), "{stones:?}: {found:?}");
        }
    }

    /// All points near the stones are excluded, or all but one.
    #[test]
    fn stones_far_from_others_balance_if_no_others_are_allowed() {
        let center = Size::S15.center();
        for allowed_near in [None, Some(Point::new(8, 6))] {
            let near = Size::S15.points().filter(|&p| p.distance(center) <= 6 && Some(p) != allowed_near);
            let limits = Limits { excluded: near.collect(), ..nodes(5_000) };
            for stones in [Stones::One, Stones::Two] {
                let found = limited((RuleKind::Freestyle, 1), &limits, |engine, context| {
                    engine.set_position(parse("h8i9", None).unwrap());
                    balance(engine, stones, 0, &limits, context)
                });
                assert!(!found.is_empty(), "{stones:?}");
                assert!(found.iter().flat_map(|b| &b.stones).all(|&p| !limits.excluded.contains(p)));
            }
        }
    }

    #[test]
    fn a_longer_search_agrees_that_it_is_near_the_bias() {
        for (moves, rule) in [("h8i9g7", RuleKind::Freestyle), ("h8h9i9g7", RuleKind::Renju)] {
            for stones in [Stones::One, Stones::Two] {
                // The mean of the middle three of five seeds: a single pair of stones may be one that the short search
                // misjudges.
                let at = |bias| {
                    let mut scores = [3, 4, 5, 6, 7].map(|seed| {
                        let found = balanced(moves, (rule, seed), stones, bias);
                        checked(moves, rule, &found[0].stones)
                    });
                    scores.sort_unstable();
                    scores[1..4].iter().sum::<i32>() / 3
                };
                let (even, worse, better) = (at(0), at(-250), at(250));
                // One stone may be unable to reach a better score than even.
                assert!(
                    worse < even - 40 && even < better + 40,
                    "{moves} {stones:?}: {worse} {even} {better}"
                );
                if stones == Stones::Two {
                    // Nearer to even than to either bias.
                    assert!(even.abs() < 125 && better > even + 40, "{moves} {stones:?}: {even} {better}");
                }
            }
        }
    }

    #[test]
    fn balancing_stones_end_no_game() {
        // Black has an open four; any other move lets White reply, and nothing balances that.
        for stones in [Stones::One, Stones::Two] {
            let found = balanced("h8a1i8a3j8a5k8c1", (RuleKind::Freestyle, 3), stones, 0);
            let fives = parse("g8l8", None).unwrap();
            assert!(!found.is_empty() && found.iter().all(|b| !fives.is_occupied(b.stones[0])), "{stones:?}");
        }
    }

    #[test]
    fn without_time_there_are_stones_all_the_same() {
        let limits = Limits { nodes: Some(0), ..Limits::default() };
        for stones in [Stones::One, Stones::Two] {
            let found = limited((RuleKind::Renju, 3), &limits, |engine, context| {
                balance(engine, stones, 0, &limits, context)
            });
            assert_eq!(found[0].stones.len(), if stones == Stones::One { 1 } else { 2 });
        }
    }

    /// A clock that panics when it is read.
    struct Broken;

    impl Clock for Broken {
        fn now(&self) -> Duration {
            panic!("a fault of the clock");
        }
    }

    #[test]
    fn survives_a_panic() {
        let mut engine = Engine::new();
        engine.set_options(Options { level: 50, hash: Some(4 << 20), ..Options::default() });
        let stop = AtomicBool::new(false);
        let context = Context { clock: &Broken, start: Duration::ZERO, stop: &stop };
        assert_eq!(balance(&mut engine, Stones::One, 0, &nodes(1000), &context), []);
        assert_eq!(engine.options().level, 50, "the decision changes it for its time");
    }

    #[test]
    fn without_room_there_are_no_stones() {
        let size = Size::new(5).unwrap();
        let limits = nodes(1000);
        let full = size
            .points()
            .skip(1)
            .map(|p| (p, if (p.x() + 2 * p.y()) % 4 < 2 { Color::Black } else { Color::White }));
        let position = Position::from_stones(size, full, Color::Black).unwrap();
        let found = limited((RuleKind::Standard, 3), &limits, |engine, context| {
            engine.set_position(position);
            balance(engine, Stones::Two, 0, &limits, context)
        });
        assert_eq!(found, []);
    }
}
