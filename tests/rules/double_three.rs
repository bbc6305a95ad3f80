//! The ban of double threes alone: figures, and every point of random positions against the definitions written out on
//! plain cells.

use std::collections::{BTreeMap, HashMap};

use crate::common::random::Random;
use kagetsu::game::{Color, DoubleThrees, Forbid33, Point, Position, Reading, Size, notation};

const BANS: [Forbid33; 2] = [Forbid33::Black, Forbid33::Both];

/// Pattern of a stone in one line, by the definitions.
#[derive(PartialEq)]
enum Made {
    Five,
    Four,
    /// A three by its stones, with the cells that make it a straight four.
    Three(Vec<Cell>),
    Nothing,
}

type Cell = (i32, i32);

/// Stones by cell. Only colours are shared with the library.
struct Plain {
    side: i32,
    stones: HashMap<Cell, Color>,
    ban: Forbid33,
    reading: Reading,
}

impl Plain {
    fn is_empty(&self, cell: Cell) -> bool {
        let on = |n: i32| (0..self.side).contains(&n);
        on(cell.0) && on(cell.1) && !self.stones.contains_key(&cell)
    }

    /// The unbroken row of the stone on `at` along a step.
    fn row(&self, at: Cell, step: Cell) -> Vec<Cell> {
        let color = self.stones[&at];
        let walk = |sign: i32| {
            (1..)
                .map(move |n| (at.0 + sign * n * step.0, at.1 + sign * n * step.1))
                .take_while(|cell| self.stones.get(cell) == Some(&color))
                .collect::<Vec<_>>()
        };
        let mut row = walk(-1);
        row.reverse();
        row.push(at);
        row.extend(walk(1));
        row
    }

    /// Whether a stone on `cell` makes a row of five or more that holds `at`.
    fn completes(&mut self, cell: Cell, at: Cell, step: Cell, color: Color) -> bool {
        self.stones.insert(cell, color);
        let row = self.row(cell, step);
        self.stones.remove(&cell);
        row.len() >= 5 && row.contains(&at)
    }

    /// Whether the stone on `at` stands in a straight four: four in a row, and an empty cell at both ends.
    fn is_straight_four(&self, at: Cell, step: Cell) -> bool {
        let row = self.row(at, step);
        let (first, last) = (row[0], row[row.len() - 1]);
        row.len() == 4
            && self.is_empty((first.0 - step.0, first.1 - step.1))
            && self.is_empty((last.0 + step.0, last.1 + step.1))
    }

    fn made(&mut self, at: Cell, step: Cell, color: Color) -> Made {
        if self.row(at, step).len() >= 5 {
            return Made::Five;
        }
        let near: Vec<Cell> = (-4..=4)
            .map(|n| (at.0 + n * step.0, at.1 + n * step.1))
            .filter(|&cell| self.is_empty(cell))
            .collect();
        if near.iter().any(|&cell| self.completes(cell, at, step, color)) {
            return Made::Four;
        }
        let extends = |cell: &Cell| {
            self.stones.insert(*cell, color);
            let extends = self.row(*cell, step).contains(&at) && self.is_straight_four(at, step);
            self.stones.remove(cell);
            extends
        };
        let extensions: Vec<Cell> = near.into_iter().filter(extends).collect();
        if extensions.is_empty() { Made::Nothing } else { Made::Three(extensions) }
    }

    /// `None` if a stone there wins, else whether it is a forbidden double three.
    fn verdict(&mut self, at: Cell, color: Color) -> Option<bool> {
        assert!(self.is_empty(at));
        self.stones.insert(at, color);
        let made = [(1, 0), (0, 1), (1, 1), (1, -1)].map(|step| self.made(at, step, color));
        let verdict = if made.contains(&Made::Five) {
            None
        } else {
            let mut real = 0;
            for line in &made {
                let Made::Three(extensions) = line else { continue };
                real +=
                    usize::from(self.ban.binds(color) && extensions.iter().any(|&e| self.extends(e, color)));
            }
            Some(real >= 2)
        };
        self.stones.remove(&at);
        verdict
    }

    fn extends(&mut self, e: Cell, color: Color) -> bool {
        match self.verdict(e, color) {
            None => self.reading == Reading::FiveExtends,
            Some(foul) => !foul,
        }
    }
}

/// Compares all empty points for both colours, bans and readings; counts verdicts.
fn compare(position: &Position, seen: &mut BTreeMap<&'static str, usize>) {
    for (ban, reading) in
        BANS.into_iter().flat_map(|ban| [Reading::Literal, Reading::FiveExtends].map(|r| (ban, r)))
    {
        let mut board = DoubleThrees::of_position(position, ban);
        board.set_reading(reading);
        let stones = position.stones().map(|(p, c)| ((p.x() as i32, p.y() as i32), c)).collect();
        let mut plain = Plain { side: position.size().side() as i32, stones, ban, reading };
        for color in Color::BOTH {
            let fouls = board.fouls(color);
            for p in position.size().points().filter(|&p| position.is_free(p)) {
                let verdict = plain.verdict((p.x() as i32, p.y() as i32), color);
                let expected = verdict == Some(true);
                assert_eq!(board.is_foul(p, color), expected, "{p} {color} {ban} {reading:?} {position:?}");
                assert_eq!(fouls.contains(p), expected, "{p}");
                *seen
                    .entry(verdict.map_or("five", |foul| if foul { "foul" } else { "legal" }))
                    .or_default() += 1;
            }
        }
    }
}

/// A position of many stones of one colour close together and some of the other.
fn cluster(random: &mut Random) -> Position {
    let size = Size::new(9 + random.below(7)).unwrap();
    let (own, other) = (12 + random.below(25), random.below(10));
    let mut points: Vec<Point> = size.points().filter(|p| p.x() < 10 && p.y() < 10).collect();
    let mut pick = || points.swap_remove(random.below(points.len()));
    let first: Vec<(Point, Color)> = (0..own).map(|_| (pick(), Color::Black)).collect();
    let second: Vec<(Point, Color)> = (0..other).map(|_| (pick(), Color::White)).collect();
    let swap = random.below(2) == 0;
    let stones = first.into_iter().chain(second).map(|(p, c)| (p, if swap { !c } else { c }));
    Position::from_stones(size, stones, Color::Black).unwrap()
}

fn compare_many(seed: u64, positions: usize) {
    let mut random = Random::new(seed);
    let mut seen = BTreeMap::new();
    for i in 0..positions {
        let position = match i % 3 {
            0 => {
                let size = Size::new(5 + random.below(15)).unwrap();
                let stones = random.below(size.area() / 2);
                random.position(size, stones)
            }
            _ => cluster(&mut random),
        };
        compare(&position, &mut seen);
    }
    for verdict in ["five", "foul", "legal"] {
        assert!(seen.get(verdict).is_some_and(|&n| n > positions), "{verdict}: {seen:?}");
    }
}

#[test]
fn every_point_of_random_positions_agrees_with_the_definitions() {
    compare_many(1, 120);
}

#[test]
#[ignore = "a minute: many positions"]
fn every_point_of_many_random_positions_agrees_with_the_definitions() {
    compare_many(2, 20_000);
}

/// Whether a stone of `color` on `point` is a foul, under both bans.
fn fouls(text: &str, point: &str, color: Color) -> [bool; 2] {
    let position = notation::parse(text, None).unwrap();
    let p = notation::parse_point(point, position.size()).unwrap();
    BANS.map(|ban| DoubleThrees::of_position(&position, ban).is_foul(p, color))
}

#[test]
fn figures() {
    let (black, white) = (Color::Black, Color::White);
    let cross = "f8a1g8a3h9a5h10a7";
    assert_eq!(fouls(cross, "h8", black), [true, true], "two open threes");
    assert_eq!(fouls(cross, "h8", white), [false, false], "they are black's");
    let mirrored = "a1f8a3g8a5h9a7h10";
    assert_eq!(fouls(mirrored, "h8", white), [false, true], "white is bound by the rule of 1899");
    // Double fours and overlines are allowed; for the same stones Renju forbids them.
    assert_eq!(fouls("e8a1f8a3g8a5h9a7h10a9h11a11", "h8", black), [false, false], "double four");
    assert_eq!(fouls("f8e8g8i8h9a5h10a7", "h8", black), [false, false], "one three is closed");
    // Five and more beats the foul, which a four does not.
    let with_five = format!("{cross}g7a9f6a11e5a13d4a15");
    assert_eq!(fouls(&with_five, "h8", black), [false, false], "five");
    let with_six = format!("{with_five}i9b1");
    assert_eq!(fouls(&with_six, "h8", black), [false, false], "six");
    let with_four = format!("{cross}g7a9f6a11e5d4");
    assert_eq!(fouls(&with_four, "h8", black), [true, true], "a four with two threes");
}

#[test]
fn stones_can_be_taken_back() {
    let position = notation::parse("f8a1g8a3h9a5h10a7", None).unwrap();
    let mut board = DoubleThrees::new(position.size(), Forbid33::default());
    let h8 = notation::parse_point("h8", Size::S15).unwrap();
    position.stones().for_each(|(p, color)| board.toggle(p, color));
    assert!(board.is_foul(h8, Color::Black));
    let h10 = notation::parse_point("h10", Size::S15).unwrap();
    board.toggle(h10, Color::Black);
    assert!(!board.is_foul(h8, Color::Black));
    board.toggle(h10, Color::Black);
    assert_eq!(board.fouls(Color::Black).iter().collect::<Vec<_>>(), [h8]);
}

#[test]
fn names() {
    assert_eq!(BANS.map(|ban| ban.name().parse()), BANS.map(Ok));
    assert_eq!(Forbid33::default(), Forbid33::Black);
    assert!("none".parse::<Forbid33>().is_err());
}
