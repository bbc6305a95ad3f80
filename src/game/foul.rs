//! Black's fouls under Renju, by the literal rule and to any depth.
//!
//! The shapes of a point settle almost everything: a five is never a foul, an overline or two fours always one. Only
//! where two lines or more hold a three does the rule ask on: a three is real if one of its extension points makes its
//! straight four without a five and is itself a legal move, asked on the board with both stones placed. That question is
//! plain recursion on [`Lines`]; each level places a stone, so it ends. No depth limit and no shortcut for cycles: there
//! are none when stones are really placed. In theory the recursion is exponential. In the worst position known it asks
//! some 11,000 times; beyond [`PATIENCE`] questions, answers are remembered by the stones placed,
//! which is as exact and asks each once.
//!
//! The rule text and its fine points: RIF rules of Renju, definitions of four, straight four, three, and rule 9.

use std::collections::HashMap;
use std::fmt;

use super::board::Board;
use super::color::Color;
use super::level::{self, Level, LevelTable};
use super::lines::Lines;
use super::point::{Direction, Point, PointSet, Size};
use super::rule::{Reading, Renju, Rule};
use super::rule_kind::Five;
use super::shape::{Shape, ShapeTable, Shapes};
use super::threat::Threat;

/// Kinds of foul of a move; printed as `6`, `44`, `33` joined by `+`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FoulKinds {
    /// Six or more in a row, without a five.
    pub overline: bool,
    /// Two fours or more.
    pub double_four: bool,
    /// Two real threes or more.
    pub double_three: bool,
}

impl FoulKinds {
    /// No foul.
    pub const NONE: FoulKinds = FoulKinds { overline: false, double_four: false, double_three: false };

    /// Returns whether the move is a foul.
    pub const fn any(self) -> bool {
        self.overline || self.double_four || self.double_three
    }

    /// Returns the names of the kinds that apply, in the order `6`, `44`, `33`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        [(self.overline, "6"), (self.double_four, "44"), (self.double_three, "33")]
            .into_iter()
            .filter_map(|(holds, name)| holds.then_some(name))
    }
}

impl fmt::Display for FoulKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.names().enumerate() {
            if i > 0 {
                f.write_str("+")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}

/// Questions after which answers are remembered. Real games ask a few.
const PATIENCE: u32 = 50_000;
/// Answers that are remembered.
const MOST_KNOWN: usize = 1 << 18;

/// One question from outside and all that it leads to.
struct Recursion {
    /// Points that were asked about.
    calls: u32,
    /// Calls after which answers are remembered.
    patience: u32,
    /// The stones that were placed on the way to the present point.
    placed: PointSet,
    /// Whether a point is a foul with these stones placed.
    known: HashMap<(PointSet, Point), bool>,
}

impl Recursion {
    fn new(patience: u32) -> Recursion {
        // An empty map takes no memory.
        Recursion { calls: 0, patience, placed: PointSet::EMPTY, known: HashMap::new() }
    }
}

/// Tables for deciding fouls.
#[derive(Clone, Copy)]
pub(crate) struct FoulTables {
    pub shapes: &'static ShapeTable,
    levels: &'static LevelTable,
    reading: Reading,
}

impl FoulTables {
    pub fn new(reading: Reading) -> FoulTables {
        FoulTables { shapes: Renju::shapes(), levels: level::table(true), reading }
    }

    pub fn level(&self, shapes: Shapes) -> Level {
        self.levels.of_shapes(shapes.of(Color::Black))
    }

    /// Returns whether Black's stone on the empty point `p` is a foul. `lines` is restored.
    pub fn is_foul(&self, lines: &mut Lines, p: Point, shapes: Shapes) -> bool {
        match self.level(shapes) {
            Level::Foul => true,
            Level::SuspectThree | Level::SuspectFour => self.has_double_three(lines, p, shapes),
            _ => false,
        }
    }

    /// Whether Black's stone on `p` makes two real threes.
    fn has_double_three(&self, lines: &mut Lines, p: Point, shapes: Shapes) -> bool {
        self.is_double_three(lines, p, shapes, &mut Recursion::new(PATIENCE))
    }

    /// The same, on the way to an answer.
    fn is_double_three(&self, lines: &mut Lines, p: Point, shapes: Shapes, way: &mut Recursion) -> bool {
        way.calls = way.calls.saturating_add(1);
        let remember = way.calls > way.patience;
        let key = (way.placed, p);
        if remember && let Some(&known) = way.known.get(&key) {
            return known;
        }
        let mut threes = 0;
        for d in Direction::ALL {
            if threes < 2 && shapes.get(Color::Black, d).is_three() && self.is_real_three(lines, p, d, way) {
                threes += 1;
            }
        }
        if remember && way.known.len() < MOST_KNOWN {
            way.known.insert(key, threes >= 2);
        }
        threes >= 2
    }

    /// Whether the three that Black's stone on `p` makes in a direction can become a straight four by a legal move.
    fn is_real_three(&self, lines: &mut Lines, p: Point, direction: Direction, way: &mut Recursion) -> bool {
        let extensions = lines.extensions(p, direction, Color::Black, Five::Exactly);
        lines.toggle(p, Color::Black);
        way.placed.insert(p);
        let real = extensions.iter().any(|e| {
            let shapes = lines.shapes(e, self.shapes);
            match self.level(shapes) {
                Level::Five => self.reading == Reading::FiveExtends,
                Level::Foul => false,
                Level::SuspectThree | Level::SuspectFour => !self.is_double_three(lines, e, shapes, way),
                _ => true,
            }
        });
        way.placed.remove(p);
        lines.toggle(p, Color::Black);
        real
    }

    /// Returns all kinds of foul of Black's stone on `p`.
    pub fn kinds(&self, lines: &mut Lines, p: Point, shapes: Shapes) -> FoulKinds {
        let all = Direction::ALL.map(|d| shapes.get(Color::Black, d));
        if all.contains(&Shape::Five) {
            return FoulKinds::NONE;
        }
        FoulKinds {
            overline: all.contains(&Shape::Overline),
            double_four: all.into_iter().map(Shape::fours).sum::<usize>() >= 2,
            double_three: self.has_double_three(lines, p, shapes),
        }
    }
}

/// Returns Black's foul points under Renju, given only the stones. For a single query this is much cheaper than a
/// [`Board`], which prepares for play.
pub fn fouls_of(size: Size, stones: [&PointSet; 2], reading: Reading) -> PointSet {
    let judge = FoulTables::new(reading);
    let mut lines = Lines::new(size);
    for color in Color::BOTH {
        for p in stones[color.index()].iter() {
            lines.toggle(p, color);
        }
    }
    let empty = PointSet::full(size).without(stones[0]).without(stones[1]);
    let foul = |p: &Point| {
        let shapes = lines.shapes(*p, judge.shapes);
        judge.is_foul(&mut lines, *p, shapes)
    };
    empty.iter().filter(foul).collect()
}

impl<R: Rule> Board<R> {
    /// Black's foul points; none under rules without fouls.
    pub fn fouls(&self) -> PointSet {
        let suspects = self.threats(Color::Black, Threat::Suspect);
        suspects.iter().filter(|&p| self.is_foul(p, Color::Black)).collect()
    }

    /// Whether the empty point `p` is forbidden to `color`.
    #[inline]
    pub fn is_foul(&self, p: Point, color: Color) -> bool {
        if !R::fouls(color) {
            return false;
        }
        match self.level(p, color) {
            Level::Foul => true,
            Level::SuspectThree | Level::SuspectFour => self.has_double_three(p),
            _ => false,
        }
    }

    /// The recursive part of [`Self::is_foul`], out of line because few points need it.
    #[inline(never)]
    fn has_double_three(&self, p: Point) -> bool {
        let judge = FoulTables::new(self.reading());
        judge.has_double_three(&mut self.lines().clone(), p, self.shapes(p))
    }

    /// Every kind of foul that Black's stone on the empty point `p` would be; none under rules without fouls.
    pub fn foul_kinds(&self, p: Point) -> FoulKinds {
        if R::FOULS {
            FoulTables::new(self.reading()).kinds(&mut self.lines().clone(), p, self.shapes(p))
        } else {
            FoulKinds::NONE
        }
    }

    /// Returns whether `p` only looks like a double three: legal, not a five, yet two lines hold a three by their
    /// stones.
    pub fn is_false_foul(&self, p: Point) -> bool {
        R::FOULS
            && matches!(self.level(p, Color::Black), Level::SuspectThree | Level::SuspectFour)
            && !self.is_foul(p, Color::Black)
    }

    /// Returns whether the side to move may play on `p`: an empty point that is not a foul.
    #[inline]
    pub fn is_legal(&self, p: Point) -> bool {
        self.empty().contains(p) && !self.is_foul(p, self.side())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, notation};
    use crate::random::{IndexedRandom, Random, RngExt, SeedableRng, SliceRandom};

    /// The deepest of the positions in `tests/data/fouls.jsonl`, P00179: six levels.
    const DEEPEST: &str = include_str!("foul/deepest.txt");

    /// The calls that all points of a position take together at most, and whether the answers that were remembered agree.
    fn worst_point(board: &Board<Renju>) -> u32 {
        let judge = FoulTables::new(Reading::Literal);
        let mut most = 0;
        for p in board.empty().iter() {
            let shapes = board.shapes(p);
            let ask = |patience| {
                let mut way = Recursion::new(patience);
                let answer = judge.is_double_three(&mut board.lines().clone(), p, shapes, &mut way);
                (answer, way.calls)
            };
            let (plain, calls) = ask(u32::MAX);
            let (remembered, fewer) = ask(0);
            assert_eq!(plain, remembered, "{p}");
            assert_eq!(ask(3).0, plain, "{p}");
            assert!(fewer <= calls);
            most = most.max(calls);
        }
        most
    }

    fn board(position: &Position) -> Board<Renju> {
        Board::from_position(position).unwrap()
    }

    #[test]
    fn the_deepest_position_asks_a_bounded_number_of_times() {
        let calls = worst_point(&board(&notation::parse(DEEPEST.trim(), None).unwrap()));
        assert!((6..11_000).contains(&calls), "{calls}");
    }

    /// Stones put down at random: what is remembered is what would be found.
    #[test]
    fn what_is_remembered_is_right() {
        let mut random = Random::seed_from_u64(7);
        for _ in 0..60 {
            let size = Size::S15;
            let mut points: Vec<Point> = size.points().collect();
            points.shuffle(&mut random);
            let stones = points.iter().take(90).enumerate();
            let stones = stones.map(|(i, &p)| (p, if i % 3 < 2 { Color::Black } else { Color::White }));
            worst_point(&board(&Position::from_stones(size, stones, Color::Black).unwrap()));
        }
    }

    /// Climbs from empty boards to positions that ask ever more often; fails with the position if one exceeds the bound.
    #[test]
    #[ignore = "takes minutes: WORSE_ROUNDS says how many climbs, WORSE_SEED from which seed"]
    fn a_search_for_worse() {
        let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
        let rounds: u64 = number("WORSE_ROUNDS", 10);
        let mut random = Random::seed_from_u64(number("WORSE_SEED", 1));
        let size = Size::S15;
        let all: Vec<Point> = size.points().collect();
        for _ in 0..rounds {
            let mut stones: Vec<(Point, Color)> = Vec::new();
            let value = |stones: &[(Point, Color)]| {
                let position = Position::from_stones(size, stones.iter().copied(), Color::Black).ok()?;
                let board = board(&position);
                let judge = FoulTables::new(Reading::Literal);
                let calls = |p: Point| {
                    let mut way = Recursion::new(u32::MAX);
                    judge.is_double_three(&mut board.lines().clone(), p, board.shapes(p), &mut way);
                    way.calls
                };
                board.empty().iter().map(calls).max().map(|calls| (calls, position))
            };
            let mut best = 0;
            let mut stale = 0;
            while stale < 4000 {
                let mut other = stones.clone();
                for _ in 0..random.random_range(1..=3) {
                    let p = *all.choose(&mut random).unwrap();
                    let there = other.iter().position(|stone| stone.0 == p);
                    match there {
                        Some(i) => drop(other.swap_remove(i)),
                        None => other
                            .push((p, if random.random_ratio(4, 5) { Color::Black } else { Color::White })),
                    }
                }
                stale += 1;
                let Some((calls, position)) = value(&other) else { continue };
                if calls >= best {
                    stale = if calls > best { 0 } else { stale };
                    (best, stones) = (calls, other);
                    assert!(best < 11_000, "{best}: {}", notation::print(&position));
                }
            }
        }
    }
}
