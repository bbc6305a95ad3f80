//! Line shapes: what a stone on an empty point would make in one line.
//!
//! A shape depends on the point's line only within five steps, so all shapes are read from one table per rule
//! ([`ShapeTable`]), indexed by the eleven-cell window around the point. Two kinds of sub-windows through the new stone
//! define every shape:
//!
//! * a **five window**: five cells without an opponent's stone whose filling wins under the rule;
//! * a **straight window**: four cells between two empty ones, whose filling makes a straight four, a four that no
//!   single reply stops.
//!
//! With `k` own stones in it (the new one counted) a five window is worth a five (5), a four (4), a closed three (3), …;
//! a straight window a straight four (4), a three (3), a two (2) and a one (1).

use super::color::Color;
use super::point::Direction;
use super::rule_kind::{Five, RuleKind};

/// Pattern that a stone on a point makes in one line, weakest first (overline apart).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Shape {
    /// No five is possible.
    Dead,
    /// One stone from which fours, but no straight four, can grow.
    ClosedOne,
    /// One stone with room for a straight four.
    One,
    /// Two stones of a five window only.
    ClosedTwo,
    /// Two stones with one way to a straight four.
    Two,
    /// Two stones with two ways to a straight four.
    TwoDouble,
    /// Two stones with three ways to a straight four.
    TwoTriple,
    /// Three stones that one more makes a four.
    ClosedThree,
    /// Three stones that one point makes a straight four. Where double fours are allowed, also stones that one more makes a
    /// double four, as `x.x.x.x`.
    Three,
    /// Three stones that either of two points makes a straight four.
    ThreeDouble,
    /// Four stones with one completion, or several that one reply stops.
    Four,
    /// Four contiguous stones with two completions.
    StraightFour,
    /// Two fours in one line; no single reply stops both.
    DoubleFour,
    /// A winning row.
    Five,
    /// Six or more for Black under Renju.
    Overline,
}

impl Shape {
    /// Number of shapes.
    pub const COUNT: usize = 15;

    /// The shapes by number. The last is there twice, so that any four bits are an index.
    const ALL: [Shape; 16] = [
        Shape::Dead,
        Shape::ClosedOne,
        Shape::One,
        Shape::ClosedTwo,
        Shape::Two,
        Shape::TwoDouble,
        Shape::TwoTriple,
        Shape::ClosedThree,
        Shape::Three,
        Shape::ThreeDouble,
        Shape::Four,
        Shape::StraightFour,
        Shape::DoubleFour,
        Shape::Five,
        Shape::Overline,
        Shape::Overline,
    ];

    /// Returns whether it is a three by its stones; the legality of its extension is left open.
    pub const fn is_three(self) -> bool {
        matches!(self, Shape::Three | Shape::ThreeDouble)
    }

    /// Returns the number of fours, counted by sets of stones as in the rule: a straight four is one.
    pub const fn fours(self) -> usize {
        match self {
            Shape::Four | Shape::StraightFour => 1,
            Shape::DoubleFour => 2,
            _ => 0,
        }
    }
}

/// The eight shapes of one point: four directions for each colour, four bits each.
///
/// Black's are the low 16 bits, White's the high 16; direction `d` is at bit `4 * d` of its colour's half.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Shapes(pub u32);

impl Shapes {
    /// Shape for `color` in `direction`.
    #[inline(always)]
    pub const fn get(self, color: Color, direction: Direction) -> Shape {
        Shape::ALL[(self.0 >> (16 * color as u32 + 4 * direction as u32) & 15) as usize]
    }

    /// The shapes of one colour with their directions.
    pub fn directions(self, color: Color) -> impl Iterator<Item = (Direction, Shape)> {
        Direction::ALL.into_iter().map(move |d| (d, self.get(color, d)))
    }

    /// The four shapes of one colour as one number, an index into tables of 65536.
    #[inline(always)]
    pub const fn of(self, color: Color) -> u16 {
        (self.0 >> (16 * color as u32)) as u16
    }

    /// Replaces the shapes of both colours in one direction; `pair` holds Black's in the low four bits.
    #[inline(always)]
    pub(crate) const fn with(self, direction: usize, pair: u8) -> Shapes {
        let spread = (pair as u32 | (pair as u32) << 12) & 0x000f_000f;
        Shapes(self.0 & !(0x000f_000f << (4 * direction)) | spread << (4 * direction))
    }
}

impl std::fmt::Debug for Shapes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let of = |c| Direction::ALL.map(|d| self.get(c, d));
        f.debug_struct("Shapes").field("black", &of(Color::Black)).field("white", &of(Color::White)).finish()
    }
}

/// The eight shapes of one point as the board keeps them: a byte for each direction, as [`ShapeTable::pair`] gives it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pairs(pub u32);

impl Pairs {
    /// The pair of one direction.
    #[inline(always)]
    pub const fn get(self, direction: usize) -> u8 {
        (self.0 >> (8 * direction)) as u8
    }

    /// Replaces the pair of one direction.
    #[inline(always)]
    pub const fn with(self, direction: usize, pair: u8) -> Pairs {
        Pairs(self.0 & !(0xff << (8 * direction)) | (pair as u32) << (8 * direction))
    }

    /// The four shapes of one colour, as by [`Shapes::of`].
    #[inline(always)]
    pub const fn of(self, color: Color) -> u16 {
        let lines = self.0 >> (4 * color as u32) & 0x0f0f_0f0f;
        let halves = (lines | lines >> 4) & 0x00ff_00ff;
        (halves | halves >> 8) as u16
    }

    /// All eight shapes by colour.
    #[inline(always)]
    pub const fn shapes(self) -> Shapes {
        Shapes(self.of(Color::Black) as u32 | (self.of(Color::White) as u32) << 16)
    }
}

/// Cells of a window around an empty point, from the view of one colour. Bit `i` is the cell `i - 5` steps away.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// Own stones.
    pub own: u32,
    /// Opponent's stones.
    pub opponent: u32,
    /// Cells off the board.
    pub wall: u32,
}

const CENTER: u32 = 5;

impl Window {
    /// Returns the window of eleven cells of two bits (00 empty, 01 Black, 10 White, 11 wall).
    pub fn from_bits(bits: u32, color: Color) -> Window {
        let mut masks = [0u32; 4];
        for i in 0..11 {
            masks[(bits >> (2 * i) & 3) as usize] |= 1 << i;
        }
        let (own, opponent) = match color {
            Color::Black => (masks[1], masks[2]),
            Color::White => (masks[2], masks[1]),
        };
        Window { own, opponent, wall: masks[3] }
    }

    fn blocked(self) -> u32 {
        self.opponent | self.wall
    }

    /// Returns whether filling the five cells from `start` wins; some of them may be empty.
    fn is_five_window(self, start: u32, five: Five) -> bool {
        let cells = 0b11111 << start;
        let ends = (1 << (start + 5)) | (1 << start >> 1);
        if self.blocked() & cells != 0 {
            return false;
        }
        match five {
            Five::AtLeast => true,
            Five::Exactly => self.own & ends == 0,
            Five::Unclosed => self.own & ends == 0 && self.opponent & ends != ends,
            Five::UnclosedOrLong => self.opponent & ends != ends,
        }
    }

    /// Returns whether filling the four cells from `start` makes a straight four.
    fn is_straight_window(self, start: u32, five: Five) -> bool {
        let cells = 0b1111 << start;
        let ends = (1 << (start + 4)) | (1 << (start - 1));
        // Cells beyond the ends. Cells outside the window never matter, because the new stone is one of the four.
        let outer = (1 << (start + 5)) | (1 << start >> 2);
        if self.blocked() & (cells | ends) != 0 || self.own & ends != 0 {
            return false;
        }
        match five {
            Five::AtLeast => true,
            Five::Exactly => self.own & outer == 0,
            // An opponent's stone beyond one end would allow a reply at the other.
            Five::Unclosed => (self.own | self.opponent) & outer == 0,
            Five::UnclosedOrLong => self.opponent & outer == 0,
        }
    }

    /// Returns the number of five windows through the centre that can hold `k` own stones, by `k`.
    fn five_counts(self, five: Five) -> [u32; 6] {
        let mut counts = [0; 6];
        for start in 1..=5 {
            if self.is_five_window(start, five) {
                counts[(self.own >> start & 0b11111).count_ones() as usize] += 1;
            }
        }
        counts
    }

    fn straight_counts(self, five: Five) -> [u32; 5] {
        let mut counts = [0; 5];
        for start in 2..=5 {
            if self.is_straight_window(start, five) {
                counts[(self.own >> start & 0b1111).count_ones() as usize] += 1;
            }
        }
        counts
    }

    /// The fours of the centre stone, once for each completion: the four stones and the point that completes the five.
    pub fn fours(self, five: Five) -> impl Iterator<Item = (u32, u32)> {
        (1..=5).filter_map(move |start| {
            let cells = 0b11111 << start;
            let four = self.is_five_window(start, five) && (self.own & cells).count_ones() == 4;
            four.then_some((cells & self.own, cells & !self.own))
        })
    }

    /// The threes of the centre stone, once for each extension: the three stones and the point that makes the straight
    /// four.
    pub fn threes(self, five: Five) -> impl Iterator<Item = (u32, u32)> {
        (2..=5).filter_map(move |start| {
            let cells = 0b1111 << start;
            let three = self.is_straight_window(start, five) && (self.own & cells).count_ones() == 3;
            three.then_some((cells & self.own, cells & !self.own))
        })
    }

    /// Points that complete a winning five through the centre stone.
    fn completions(self, five: Five) -> u32 {
        self.fours(five).fold(0, |points, (_, completion)| points | completion)
    }

    fn empty(self) -> u32 {
        0x7ff & !(self.own | self.blocked())
    }

    /// Returns whether a single opponent's stone leaves no completion.
    fn stoppable(self, five: Five) -> bool {
        (0..11).filter(|i| self.empty() >> i & 1 != 0).any(|i| {
            let answered = Window { opponent: self.opponent | 1 << i, ..self };
            answered.completions(five) == 0
        })
    }

    /// Returns whether one more stone makes two fours in this line that no single reply stops. Each of them fills a five
    /// window of its own.
    fn can_double_four(self, five: Five) -> bool {
        (0..11).filter(|i| self.empty() >> i & 1 != 0).any(|i| {
            let extended = Window { own: self.own | 1 << i, ..self };
            extended.completions(five) != 0 && !extended.stoppable(five)
        })
    }

    /// Length of the run through the centre.
    fn run(self) -> u32 {
        let right = (self.own >> CENTER).trailing_ones();
        let left = (self.own << (31 - CENTER)).leading_ones();
        left + right - 1
    }

    /// The shape that a stone on the centre makes.
    fn shape(mut self, five: Five, fouls: bool) -> Shape {
        self.own |= 1 << CENTER;
        let fives = self.five_counts(five);
        let straights = self.straight_counts(five);
        if fives[5] > 0 {
            Shape::Five
        } else if fouls && self.run() >= 6 {
            Shape::Overline
        } else if fives[4] > 0 {
            if straights[4] > 0 {
                Shape::StraightFour
            } else if self.stoppable(five) {
                Shape::Four
            } else {
                Shape::DoubleFour
            }
        } else if straights[3] > 1 {
            Shape::ThreeDouble
        } else if straights[3] > 0 || fives[3] > 1 && !fouls && self.can_double_four(five) {
            Shape::Three
        } else if fives[3] > 0 {
            Shape::ClosedThree
        } else {
            match (straights[2], fives[2], straights[1], fives[1]) {
                (3.., ..) => Shape::TwoTriple,
                (2, ..) => Shape::TwoDouble,
                (1, ..) => Shape::Two,
                (0, 1.., ..) => Shape::ClosedTwo,
                (0, 0, 1.., _) => Shape::One,
                (0, 0, 0, 1..) => Shape::ClosedOne,
                (0, 0, 0, 0) => Shape::Dead,
            }
        }
    }
}

/// Distinct halves of a window: five cells whose off-board cells, if any, are the outermost.
const HALVES: usize = 1 + 3 + 9 + 27 + 81 + 243;

/// The shapes of one rule for every window.
///
/// A window's two halves (ten bits each) are first numbered 0 to 363, which keeps the table small enough for the
/// second-level cache: most bit patterns, with a board cell beyond the edge, cannot occur.
#[derive(bytemuck::Zeroable)]
pub struct ShapeTable {
    low: [u32; 1024],
    high: [u32; 1024],
    /// [`HALVES`] rows of as many pairs, one after the other, in room for a power of two.
    pairs: [[u8; 512]; 512],
}

const _: () = assert!(HALVES <= 512);

impl ShapeTable {
    /// Computes the table of a rule.
    pub(crate) fn build(kind: RuleKind) -> Box<ShapeTable> {
        let mut table: Box<ShapeTable> = bytemuck::allocation::zeroed_box();
        let halves = number_halves(&mut table);
        for (i, &low) in halves.iter().enumerate() {
            for (j, &high) in halves.iter().enumerate() {
                let bits = mirror(low) | high << 12;
                let shape = |color| {
                    let fouls = kind == RuleKind::Renju && color == Color::Black;
                    Window::from_bits(bits, color).shape(kind.five(color), fouls) as u8
                };
                table.pairs.as_flattened_mut()[i * HALVES + j] =
                    shape(Color::Black) | shape(Color::White) << 4;
            }
        }
        table
    }

    /// Shapes of both colours for a window of 22 bits whose centre is empty: Black's in the low four bits.
    #[inline(always)]
    pub(crate) fn pair(&self, window: u64) -> u8 {
        let low = self.low[(window & 0x3ff) as usize];
        let high = self.high[(window >> 12 & 0x3ff) as usize];
        let pairs = self.pairs.as_flattened();
        pairs[(low + high) as usize % pairs.len()]
    }
}

/// Numbers the halves, innermost cell first, and fills both index tables. Returns the halves in order.
fn number_halves(table: &mut ShapeTable) -> Vec<u32> {
    let mut halves: Vec<u32> = Vec::with_capacity(HALVES);
    for bits in 0..1024u32 {
        // Every cell beyond an edge cell is off the board too.
        let mut clean = bits;
        let mut edge = false;
        for i in 0..5 {
            edge |= bits >> (2 * i) & 3 == 3;
            if edge {
                clean |= 3 << (2 * i);
            }
        }
        let number = halves.iter().position(|&h| h == clean).unwrap_or_else(|| {
            halves.push(clean);
            halves.len() - 1
        });
        table.high[bits as usize] = number as u32;
        table.low[mirror(bits) as usize] = (number * HALVES) as u32;
    }
    halves
}

/// Reverses the order of five cells of two bits.
fn mirror(half: u32) -> u32 {
    (0..5).fold(0, |m, i| m | (half >> (2 * i) & 3) << (2 * (4 - i)))
}
