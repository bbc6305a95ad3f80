//! Windows of one line by bit arithmetic: the runs of five cells that a row may still fill, and how many stones each
//! lacks.
//!
//! A word holds a line for both colours, Black in its low half and White in its high half; a window is the bit of its
//! first cell. The windows equal those of `game::shape`, which a property test checks.

use crate::game::{Color, Five, Point, Rule, RuleKind};

/// Empty cells before the first cell of a line, so that no shift reaches the other colour's half.
pub(super) const MARGIN: u32 = 5;

/// Stones and windows of one line.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    pub stones: u64,
    /// Windows with one cell to fill: fives.
    pub one: u64,
    /// Windows with two cells to fill: fours.
    pub two: u64,
    /// Windows with three cells to fill.
    pub three: u64,
}

/// Returns the half of a word that belongs to a colour.
#[inline(always)]
pub(super) fn half(word: u64, color: Color) -> u32 {
    (word >> (32 * color as u32)) as u32
}

/// Returns the cells of windows given by their first cells.
#[inline(always)]
pub(super) fn cells(windows: u32) -> u32 {
    let pairs = windows | windows << 1;
    pairs | pairs << 2 | windows << 4
}

/// Returns the windows that contain the cell at this bit.
#[inline(always)]
pub(super) fn containing(windows: u32, bit: u32) -> u32 {
    windows & (0b11111 << bit >> 4)
}

/// Returns the point of a line's cell.
#[inline(always)]
pub(super) fn point_at(direction: usize, line: usize, bit: u32) -> Point {
    let cell = (bit - MARGIN) as isize;
    let line = line as isize;
    let index = match direction {
        0 => line * 32 + cell,
        1 => line + cell * 32,
        2 => (cell - line + crate::game::MAX_SIZE as isize - 1) * 32 + cell,
        _ => (line - cell) * 32 + cell,
    };
    Point::from_index_unchecked(index as usize)
}

/// Returns the halves of the colours whose row may not be longer than five.
const fn exact_halves(rule: RuleKind) -> u64 {
    const fn is_exact(five: Five) -> u64 {
        match five {
            Five::Exactly | Five::Unclosed => 1,
            Five::AtLeast | Five::UnclosedOrLong => 0,
        }
    }
    (is_exact(rule.five(Color::Black)) | is_exact(rule.five(Color::White)) << 32) * 0xffff_ffff
}

/// Returns the windows of five cells without an opponent's stone whose filling wins under the rule.
#[inline(always)]
fn open_windows<R: Rule>(stones: u64, wall: u64) -> u64 {
    let exact = const { exact_halves(R::KIND) };
    let opponent = stones.rotate_left(32);
    let free = !(opponent | wall);
    let pairs = free & free >> 1;
    let mut open = pairs & pairs >> 2 & free >> 4;
    if exact != 0 {
        open &= !((stones << 1 | stones >> 5) & exact);
    }
    if R::CLOSABLE {
        open &= !(opponent << 1 & opponent >> 5);
    }
    open
}

/// Returns the windows with exactly one stone.
pub(super) fn lone_windows<R: Rule>(stones: u64, wall: u64) -> u64 {
    let (mut any, mut several) = (0, 0);
    for i in 0..5 {
        several |= any & stones >> i;
        any |= stones >> i;
    }
    open_windows::<R>(stones, wall) & any & !several
}

/// Returns the windows of a line, from its stones. Bits of a half never reach the other: see [`MARGIN`].
#[inline(always)]
pub(super) fn windows<R: Rule>(stones: u64, wall: u64) -> Line {
    let open = open_windows::<R>(stones, wall);
    let (a, b, c, d, e) = (stones, stones >> 1, stones >> 2, stones >> 3, stones >> 4);
    let ab = a ^ b;
    let odd = ab ^ c;
    let carry = a & b | ab & c;
    let de = d ^ e;
    let ones = odd ^ de;
    let carry2 = d & e | de & odd;
    let twos = carry ^ carry2;
    let fours = carry & carry2;
    Line { stones, one: open & fours & !ones, two: open & twos & ones, three: open & twos & !ones }
}

/// The set bits of a word.
pub(super) struct Bits(pub u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        (self.0 != 0).then(|| {
            let bit = self.0.trailing_zeros();
            self.0 &= self.0 - 1;
            bit
        })
    }
}
