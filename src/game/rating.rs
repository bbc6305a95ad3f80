//! Ratings: the pattern code and the threat level of a point, which follow from its four line shapes.
//!
//! The board needs both at each of the two dozen points that a stone changes, so a single table gives them in one word.
//! Its index is a sum of one number for each shape, chosen so that different shapes have different sums ([`NUMBERS`]):
//! when the shapes of one line change, the sum changes by the difference of two numbers.

use std::sync::OnceLock;

use super::codes::{CODES, Codes, codes};
use super::color::Color;
use super::level::Level;
use super::shape::{Pairs, Shape};

/// Bits of a code in a rating; the level lies above them.
const CODE_BITS: u32 = 12;
const _: () = assert!(CODES <= 1 << CODE_BITS && Level::COUNT <= 16);

/// Pattern code and threat level of a point for one colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Rating(u16);

impl Rating {
    const fn new(code: u16, level: Level) -> Rating {
        Rating(code | (level as u16) << CODE_BITS)
    }

    /// The threat level.
    #[inline(always)]
    pub fn level(self) -> Level {
        Level::ALL[usize::from(self.0 >> CODE_BITS)]
    }
}

/// The ratings of a point for both colours: Black's in the low half.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ratings(u32);

impl Ratings {
    /// Ratings of a point without any shapes.
    pub const NONE: Ratings = Ratings(0);

    /// The pattern codes.
    #[inline(always)]
    pub const fn codes(self) -> Codes {
        const BOTH: u32 = ((1 << CODE_BITS) - 1) * 0x0001_0001;
        let codes = self.0 & BOTH;
        Codes([codes as u16, (codes >> 16) as u16])
    }

    /// The threat level of a colour.
    #[inline(always)]
    pub fn level(self, color: Color) -> Level {
        Rating((self.0 >> (16 * color as u32)) as u16).level()
    }

    /// The number of a colour's threat level: its place in [`Level::ALL`].
    #[inline(always)]
    pub const fn level_number(self, color: Color) -> usize {
        (self.0 >> (16 * color as u32 + CODE_BITS) & 15) as usize
    }

    /// Returns whether a colour's level differs, where one of the two levels belongs to a threat.
    #[inline(always)]
    pub const fn threats_differ(self, other: Ratings) -> bool {
        // Levels that belong to a threat have one of their two high bits.
        const HIGHEST: u32 = 0x8000_8000;
        const _: () = assert!(Level::FIRST_THREAT as u32 == 4);
        let either = self.0 | other.0;
        let threat = (either | either << 1) & HIGHEST;
        (self.0 ^ other.0) & (threat | (threat - (threat >> 3))) != 0
    }
}

/// Numbers of the shapes. No two ways to choose four shapes have the same sum. The frequent shapes have small numbers, so
/// that most reads of the table are close together.
///
/// CITE: Mian, Chowla, "On the B2 sequences of Sidon" (1944): the same greedy choice, for sums of four (OEIS A051912).
const NUMBERS: [u32; Shape::COUNT] =
    [0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194, 13663, 22432, 28169];

/// Places of a table: a power of two above the largest sum.
const PLACES: usize = 1 << 17;
const _: () = assert!(4 * NUMBERS[Shape::COUNT - 1] < PLACES as u32);

/// The sums of the numbers of a point's shapes: Black's in the low half.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sums(u64);

impl Sums {
    /// Computes the sums of a point whose lines have these pairs of shapes.
    pub fn of(pairs: Pairs) -> Sums {
        (0..4).fold(Sums(0), |sums, direction| sums.plus(Sums::difference(0, pairs.get(direction))))
    }

    /// Returns the difference of the sums when the pair of shapes of one line changes.
    #[inline(always)]
    pub fn difference(old: u8, new: u8) -> Sums {
        /// The numbers of a pair of shapes as halves of a word.
        static PAIRS: [u64; 256] = {
            let mut table = [0; 256];
            let mut raw = 0;
            while raw < 256 {
                let (black, white) = (raw & 15, raw >> 4);
                if black < Shape::COUNT && white < Shape::COUNT {
                    table[raw] = NUMBERS[black] as u64 | (NUMBERS[white] as u64) << 32;
                }
                raw += 1;
            }
            table
        };
        Sums(PAIRS[usize::from(new)].wrapping_sub(PAIRS[usize::from(old)]))
    }

    /// Returns the sums with a difference added.
    #[inline(always)]
    pub fn plus(self, difference: Sums) -> Sums {
        Sums(self.0.wrapping_add(difference.0))
    }
}

/// The ratings of every combination of four shapes for one colour, by the sum of their numbers.
#[derive(Clone, Copy)]
pub(crate) struct RatingTable(&'static [Rating; PLACES]);

impl RatingTable {
    /// Returns the table of a colour with or without fouls, built at first use.
    pub fn get(fouls: bool) -> RatingTable {
        static TABLES: [OnceLock<Box<[Rating; PLACES]>>; 2] = [OnceLock::new(), OnceLock::new()];
        RatingTable(TABLES[usize::from(fouls)].get_or_init(|| {
            let mut table = vec![Rating(0); PLACES];
            for (shapes, &code) in (0..=u16::MAX).zip(codes()) {
                if let Some(sum) = sum(shapes) {
                    table[sum] = Rating::new(code, Level::compute(shapes, fouls));
                }
            }
            match table.into_boxed_slice().try_into() {
                Ok(table) => table,
                Err(_) => unreachable!("one rating for each place"),
            }
        }))
    }

    /// The level of four shapes, encoded as by [`Shapes::of`](super::Shapes::of).
    #[inline]
    pub fn level(self, shapes: u16) -> Level {
        sum(shapes).map_or(Level::None, |sum| self.at(sum as u64).level())
    }

    /// The ratings of both colours by their tables.
    #[inline(always)]
    pub fn both([black, white]: [RatingTable; 2], sums: Sums) -> Ratings {
        let (black, white) = (black.at(sums.0), white.at(sums.0 >> 32));
        Ratings(u32::from(black.0) | u32::from(white.0) << 16)
    }

    #[inline(always)]
    fn at(self, sum: u64) -> Rating {
        self.0[sum as usize % PLACES]
    }
}

/// Returns the sum of the numbers of four shapes; `None` if one of them is no shape.
#[inline]
fn sum(shapes: u16) -> Option<usize> {
    let number = |i: usize| NUMBERS.get(usize::from(shapes >> (4 * i) & 15)).map(|&n| n as usize);
    Some(number(0)? + number(1)? + number(2)? + number(3)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_give_codes_and_levels() {
        for fouls in [false, true] {
            let tables = [RatingTable::get(fouls), RatingTable::get(false)];
            let mut compared = 0;
            for raw in 0..=u16::MAX {
                let shapes: [u8; 4] = std::array::from_fn(|i| (raw >> (4 * i) & 15) as u8);
                if shapes.into_iter().all(|shape| usize::from(shape) < Shape::COUNT) {
                    // White has the same shapes in another order.
                    let ratings = RatingTable::both(
                        tables,
                        Sums::of(Pairs(u32::from_le_bytes(std::array::from_fn(|i| {
                            shapes[i] | shapes[3 - i] << 4
                        })))),
                    );
                    assert_eq!(ratings.codes(), Codes([codes()[usize::from(raw)]; 2]), "{raw:04x}");
                    for (color, fouls) in [(Color::Black, fouls), (Color::White, false)] {
                        assert_eq!(ratings.level(color), Level::compute(raw, fouls), "{raw:04x}");
                    }
                    assert_eq!(tables[0].level(raw), ratings.level(Color::Black), "{raw:04x}");
                    compared += 1;
                }
            }
            assert_eq!(compared, 15usize.pow(4));
        }
    }

    #[test]
    fn a_sum_follows_the_pairs_of_a_line() {
        let before = Pairs(0x77e1_3e00);
        let after = before.with(2, 0x0d);
        assert!(Sums::of(before).plus(Sums::difference(before.get(2), after.get(2))) == Sums::of(after));
    }

    #[test]
    fn threats_differ_where_a_counted_level_changes() {
        let all = &Level::ALL[..Level::COUNT];
        for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let differ = a != b && (a >= Level::FIRST_THREAT || b >= Level::FIRST_THREAT);
            for shift in [0, 16] {
                // The other colour's level is another threat, and the code is another too.
                let rest = u32::from(Rating::new(3059, Level::Five).0) << (16 - shift);
                let ratings = |level, code| Ratings(u32::from(Rating::new(code, level).0) << shift | rest);
                assert_eq!(ratings(a, 0).threats_differ(ratings(b, 3059)), differ, "{a:?} {b:?}");
            }
        }
    }
}
