//! A linear evaluation over the shapes of the empty points.
//!
//! Every empty point is worth something to each colour, by what a stone there would make: the sum over its four line
//! shapes and a bonus for what they make together. The value of a position is the difference of the two sums, kept up
//! to date by listening to the board. The same tables, with other weights, order the moves.

use std::sync::OnceLock;

use crate::game::{BoardObserver, Color, Direction, Level, Point, Rule, Shape, Shapes};

/// One value for each combination of four shapes of one colour.
type Table = [i16; 1 << 16];

/// The weights of one rule.
pub struct Evaluator {
    /// What an empty point is worth, for each colour.
    points: [&'static Table; 2],
    /// What playing on a point is worth to its colour.
    attack: [&'static Table; 2],
}

/// Running sums of the point values, one for each colour.
#[derive(Clone, Copy)]
pub struct Accumulator {
    points: [&'static Table; 2],
    sums: [i32; 2],
}

impl BoardObserver for Accumulator {
    #[inline(always)]
    fn placed(&mut self, _: Point, _: Color, shapes: Shapes) {
        for c in Color::BOTH {
            self.sums[c.index()] -= i32::from(self.points[c.index()][shapes.of(c) as usize]);
        }
    }

    #[inline(always)]
    fn changed(&mut self, _: Point, old: Shapes, new: Shapes) {
        for c in Color::BOTH {
            let table = self.points[c.index()];
            self.sums[c.index()] +=
                i32::from(table[new.of(c) as usize]) - i32::from(table[old.of(c) as usize]);
        }
    }
}

/// Scores are kept well away from proven results.
const LIMIT: i32 = 20_000;
/// What the move itself is worth.
const TEMPO: i32 = 24;

impl Evaluator {
    /// The evaluator of a rule.
    pub fn new<R: Rule>() -> Evaluator {
        Evaluator {
            points: Color::BOTH.map(|c| tables(R::fouls(c)).0),
            attack: Color::BOTH.map(|c| tables(R::fouls(c)).1),
        }
    }

    /// Sums over the empty points of a board, whose shapes are given.
    pub fn accumulate(&self, shapes: impl Iterator<Item = Shapes>) -> Accumulator {
        let mut sums = [0; 2];
        for s in shapes {
            for c in Color::BOTH {
                sums[c.index()] += i32::from(self.points[c.index()][s.of(c) as usize]);
            }
        }
        Accumulator { points: self.points, sums }
    }

    /// Score of the position from the view of `side`, which is to move.
    #[inline]
    pub fn score(&self, accumulator: &Accumulator, side: Color) -> i32 {
        let own = accumulator.sums[side.index()];
        let their = accumulator.sums[(!side).index()];
        ((own * 9 - their * 8) / 8 + TEMPO).clamp(-LIMIT, LIMIT)
    }

    /// How good a point looks to `side`: what its stone makes there, and what it takes from the opponent.
    #[inline]
    pub fn move_score(&self, shapes: Shapes, side: Color) -> i32 {
        let own = i32::from(self.attack[side.index()][shapes.of(side) as usize]);
        let their = i32::from(self.attack[(!side).index()][shapes.of(!side) as usize]);
        own + their * 3 / 4
    }
}

fn tables(fouls: bool) -> (&'static Table, &'static Table) {
    static TABLES: [OnceLock<(Box<Table>, Box<Table>)>; 2] = [OnceLock::new(), OnceLock::new()];
    let (points, attack) =
        TABLES[fouls as usize].get_or_init(|| (build(fouls, point_value), build(fouls, attack_value)));
    (points, attack)
}

fn build(fouls: bool, value: fn(Level, [Shape; 4]) -> i32) -> Box<Table> {
    let values: Vec<i16> = (0..=u16::MAX)
        .map(|code| {
            let shapes = Shapes(u32::from(code));
            let all = Direction::ALL.map(|d| shapes.get(Color::Black, d));
            value(Level::of_shapes(code, fouls), all) as i16
        })
        .collect();
    match values.into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("one value for each u16"),
    }
}

fn point_value(level: Level, shapes: [Shape; 4]) -> i32 {
    let lines: i32 = shapes
        .into_iter()
        .map(|s| match s {
            Shape::Dead | Shape::ClosedOne | Shape::Overline => 0,
            Shape::One => 1,
            Shape::ClosedTwo => 2,
            Shape::Two => 3,
            Shape::TwoDouble => 4,
            Shape::TwoTriple => 5,
            Shape::ClosedThree => 6,
            Shape::Three => 23,
            Shape::ThreeDouble => 28,
            Shape::Four => 34,
            Shape::StraightFour | Shape::DoubleFour => 60,
            Shape::Five => 100,
        })
        .sum();
    let together = match level {
        Level::Foul => return 0,
        Level::DoubleTwo => 6,
        Level::ThreePlus => 8,
        Level::DoubleThree => 40,
        Level::FourPlus => 15,
        Level::FourThree => 70,
        Level::WinningFour => 100,
        _ => 0,
    };
    lines + together
}

fn attack_value(level: Level, shapes: [Shape; 4]) -> i32 {
    let lines: i32 = shapes
        .into_iter()
        .map(|s| match s {
            Shape::Dead | Shape::Overline => 0,
            Shape::ClosedOne => 1,
            Shape::One => 3,
            Shape::ClosedTwo => 8,
            Shape::Two => 14,
            Shape::TwoDouble => 17,
            Shape::TwoTriple => 20,
            Shape::ClosedThree => 20,
            Shape::Three => 60,
            Shape::ThreeDouble => 70,
            Shape::Four => 60,
            _ => 100,
        })
        .sum();
    let together = match level {
        Level::None | Level::Two | Level::ClosedThree => 0,
        Level::Foul => return 0,
        Level::DoubleTwo => 30,
        Level::Three => 60,
        Level::ThreePlus => 110,
        Level::SuspectThree => 40,
        Level::DoubleThree => 400,
        Level::Four => 60,
        Level::FourPlus => 150,
        Level::SuspectFour => 150,
        Level::FourThree => 800,
        Level::WinningFour => 1500,
        Level::Five => 3000,
    };
    lines + together
}
