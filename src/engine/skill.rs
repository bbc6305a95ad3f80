//! Playing below full strength: fewer nodes, and a choice among moves that look about as good.
//!
//! A level searches fewer nodes and plies, which makes it weaker, and takes any of the best few moves within
//! a margin of the best, which makes it weaker and varied. It makes no deliberate mistakes, because the
//! search itself is not random: every level makes a five, stops a five and plays a win out once it has seen
//! it, and it chooses a move that the search takes for lost only if all are.
//!
//! The plies bound the lower half of the levels, the nodes the upper one. `docs/protocol.md` has a table of
//! them, and the strength that ten levels add.
//!
//! With cleared tables and histories, the same seed, level and position give the same move.

use crate::game::Position;
use crate::random::{Distribution, Random, SeedableRng, WeightedIndex};
use crate::search::{Limits, Line, Report};

/// The level of full strength.
pub const FULL: u8 = 100;

/// Moves to choose from at level 0.
const MOST_CHOICES: usize = 12;
/// Moves to choose from at the higher levels.
const LEAST_CHOICES: usize = 4;
/// Number of levels after which there is one move fewer to choose from.
const FEWER: usize = 6;
/// Nodes at the lowest levels: fewer would not be enough to compare all moves to choose from.
const LEAST_NODES: f64 = 10_000.0;
/// Nodes at the higher levels, continued down to level 0.
const NODES: f64 = 100.0;
/// Number of levels after which the nodes are ten times as many.
const TENFOLD: f64 = 25.0;
/// Number of levels after which the search has one more ply.
const DEEPER: u32 = 5;
/// Nodes of a decision in an opening, as a multiple of a move's: it compares many positions.
const DECISION: u64 = 10;
/// Largest score difference to the best move at which a move may be chosen at level 0.
const WIDEST_MARGIN: i32 = 400;

/// A level below full strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill(u8);

impl Skill {
    /// The skill of a level; `None` for full strength.
    pub fn of(level: u8) -> Option<Skill> {
        (level < FULL).then_some(Skill(level))
    }

    fn nodes(self) -> u64 {
        (NODES * libm::pow(10.0, f64::from(self.0) / TENFOLD)).max(LEAST_NODES) as u64
    }

    fn depth(self) -> u32 {
        1 + u32::from(self.0) / DEEPER
    }

    fn choices(self) -> usize {
        if self.margin() == 0 {
            return 1;
        }
        MOST_CHOICES.saturating_sub(usize::from(self.0) / FEWER).max(LEAST_CHOICES)
    }

    fn margin(self) -> i32 {
        let below = i32::from(FULL) - i32::from(self.0);
        WIDEST_MARGIN * below * below / i32::from(FULL).pow(2)
    }

    /// Returns the limits of a search at this level. It has one thread, so that it is repeatable with cleared tables and
    /// histories.
    pub fn limits(self, limits: &Limits) -> Limits {
        let nodes = self.nodes().min(limits.nodes.unwrap_or(u64::MAX));
        let depth = self.depth().min(limits.depth.unwrap_or(u32::MAX));
        let multipv = self.choices();
        Limits { nodes: Some(nodes), depth: Some(depth), multipv, threads: 1, ..limits.clone() }
    }

    /// Returns the limits of a decision in an opening at this level, for all its searches together. Each of them is at full
    /// strength: the nodes of a move, for every position compared, would leave most of them without a score.
    pub fn decision(self, limits: &Limits) -> Limits {
        let nodes = (DECISION * self.nodes()).min(limits.nodes.unwrap_or(u64::MAX));
        Limits { nodes: Some(nodes), threads: 1, ..limits.clone() }
    }

    /// Puts the line to play first among those of a report. A worse score makes a line less likely, and one below the
    /// margin impossible.
    pub fn choose(self, report: &mut Report, position: &Position, seed: u64) {
        let margin = self.margin();
        let Some(best) = report.lines.first().map(|line| line.score) else { return };
        // Keep the best line of a proven result: another one could give a win away, or lose sooner.
        if best.mate().is_some() {
            return;
        }
        let weight = |line: &Line| (margin + 1 - (best.0 - line.score.0)).max(0) as u32;
        let Ok(weights) = WeightedIndex::new(report.lines.iter().map(weight)) else { return };
        let picked = weights.sample(&mut Random::seed_from_u64(seed ^ fingerprint(position)));
        report.lines[..=picked].rotate_right(1);
    }
}

/// Returns a number that depends on the position and never changes between versions (FNV-1a over the stones in order).
fn fingerprint(position: &Position) -> u64 {
    let step = |hash: u64, value: usize| (hash ^ value as u64).wrapping_mul(0x0000_0100_0000_01b3);
    let setup = position.setup().iter().map(|(p, color)| 2 * p.index() + color.index());
    let moves = position.moves().iter().map(|m| m.point().map_or(0, |p| p.index() + 1));
    setup.chain(moves).fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::clock::{Clock, SystemClock};
    use crate::engine::{Engine, Options};
    use crate::game::notation::parse;
    use crate::game::{Move, Point, PointSet, RuleKind, Size};
    use crate::search::{Context, Score, Source};

    fn report(scores: &[i32]) -> Report {
        let line = |(x, &score): (usize, &i32)| Line { score: Score(score), moves: vec![Point::new(x, 0)] };
        Report::of(Source::Search, scores.iter().enumerate().map(line).collect())
    }

    /// Returns how often each of these lines is chosen with a thousand seeds.
    fn chosen(level: u8, scores: &[i32]) -> Vec<u32> {
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let mut report = report(scores);
            Skill(level).choose(&mut report, &Position::new(Size::S15), seed);
            let mut all: Vec<i32> = report.lines.iter().map(|line| line.score.0).collect();
            all.sort_unstable_by_key(|score| std::cmp::Reverse(*score));
            assert_eq!(all, scores, "no line is lost");
            counts[report.lines[0].moves[0].x()] += 1;
        }
        counts
    }

    #[test]
    fn levels_grow_to_full_strength() {
        assert_eq!(Skill::of(FULL), None);
        let limits = |level| Skill(level).limits(&Limits::default());
        let nodes = |level| limits(level).nodes.unwrap();
        assert_eq!([0, 25, 50, 75, 99].map(nodes), [10_000, 10_000, 10_000, 100_000, 912_010]);
        for (level, lower) in (1..FULL).zip(0..) {
            assert!(nodes(level) >= nodes(lower) && limits(level).depth >= limits(lower).depth);
            assert!(limits(level).multipv <= limits(lower).multipv, "{level}");
            let (margin, wider) = (Skill(level).margin(), Skill(lower).margin());
            assert!(margin <= wider, "{level}");
        }
        assert_eq!((limits(99).multipv, Skill(99).margin()), (1, 0));
        let limits = Limits { nodes: Some(70), threads: 8, depth: Some(3), ..Limits::default() };
        let limits = Skill(50).limits(&limits);
        assert_eq!((limits.nodes, limits.threads, limits.depth), (Some(70), 1, Some(3)));
        let decision = |nodes| Skill(0).decision(&Limits { nodes, threads: 8, ..Limits::default() });
        assert_eq!((decision(None).nodes, decision(None).threads), (Some(100_000), 1));
        assert_eq!(decision(Some(70)).nodes, Some(70));
    }

    #[test]
    fn better_moves_are_likelier_and_bad_ones_never_chosen() {
        let counts = chosen(50, &[30, 20, -40, -71]);
        // Weights 101, 91, 31 and 0 of 223; five deviations are 79.
        for (count, expected) in counts.iter().zip([453, 408, 139, 0]) {
            assert!(u32::abs_diff(*count, expected) < 80, "{counts:?}");
        }
        assert_eq!(counts[3], 0);
        assert_eq!(chosen(99, &[30, 29, 0]), [1000, 0, 0]);
        assert_eq!(chosen(50, &[30]), [1000]);
    }

    #[test]
    fn the_lowest_levels_vary() {
        for text in ["h8h9i10", "h8i9g7f6h10"] {
            for level in [0, 12, 25] {
                let moves: PointSet = (0..30).map(|seed| played(text, level, seed)).collect();
                assert!(moves.len() >= 3, "{text} {level}: {moves:?}");
            }
        }
        assert_eq!(played("h8h9i10", 0, 1), played("h8h9i10", 0, 1));
    }

    /// Returns the move of a new engine under Renju.
    fn played(text: &str, level: u8, seed: u64) -> Point {
        let mut engine = Engine::new();
        engine.set_options(Options {
            rule: RuleKind::Renju,
            level,
            seed,
            hash: Some(2 << 20),
            ..Options::default()
        });
        engine.set_position(parse(text, None).unwrap());
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        engine.go(&Limits::default(), &context, &mut |_| {}).unwrap().0
    }

    /// A user who asks for several lines studies the position: the level does not apply.
    #[test]
    fn several_lines_are_those_of_full_strength() {
        let lines = |level, multipv| {
            let mut engine = Engine::new();
            engine.set_options(Options { level, hash: Some(2 << 20), ..Options::default() });
            engine.set_position(parse("h8h9i10", None).unwrap());
            let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
            let context = Context { clock: &clock, start: clock.now(), stop: &stop };
            let limits = Limits { depth: Some(3), multipv, ..Limits::default() };
            let (p, report) = engine.go(&limits, &context, &mut |_| {}).unwrap();
            assert_eq!(report.lines[0].moves[0], p);
            report.lines
        };
        assert_eq!(lines(0, 3).len(), 3);
        assert_eq!(lines(0, 3), lines(FULL, 3));
        assert_eq!(lines(0, 1).len(), 1);
    }

    #[test]
    fn proven_results_are_played() {
        let win = Score::MATE - 9;
        assert_eq!(chosen(0, &[win, win - 2, 400]), [1000, 0, 0]);
        assert_eq!(chosen(0, &[10, -Score::MATE + 4]), [1000, 0]);
        assert_eq!(chosen(0, &[-Score::MATE + 8, -Score::MATE + 8]), [1000, 0], "the longest defence");
        let mut none = report(&[]);
        Skill(0).choose(&mut none, &Position::new(Size::S15), 1);
        assert!(none.lines.is_empty());
    }

    #[test]
    fn positions_differ() {
        let mut position = Position::new(Size::S15);
        let empty = fingerprint(&position);
        position.push(Move::Place(Point::new(7, 7))).unwrap();
        let one = fingerprint(&position);
        position.push(Move::Pass).unwrap();
        assert!(empty != one && one != fingerprint(&position));
    }
}
