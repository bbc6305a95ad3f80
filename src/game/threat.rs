//! Threats on the whole board: for each colour the points where a stone makes a threat of a kind, and the number of
//! points of each level.

use super::color::Color;
use super::level::Level;
use super::point::{Point, PointSet};

/// Kinds of threat for which the board keeps the set of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Threat {
    /// A stone there wins: [`Level::Five`].
    Five,
    /// A stone there makes a four of any kind and no five ([`Level::makes_four`]); it may prove a foul.
    Four,
    /// A stone there makes a three and no four ([`Level::makes_three`]); it may prove a foul.
    Three,
    /// A stone there is, or may be, a foul ([`Level::is_suspect`]).
    Suspect,
}

const THREATS: usize = 4;

/// Threat sets that a point of each level belongs to, as bits by [`Threat`].
const MEMBERSHIP: [u8; 16] = {
    let mut table = [0; 16];
    let mut i = 0;
    while i < 16 {
        let level = Level::ALL[i];
        table[i] = (matches!(level, Level::Five) as u8)
            | (level.makes_four() as u8) << 1
            | (level.makes_three() as u8) << 2
            | (level.is_suspect() as u8) << 3;
        i += 1;
    }
    table
};

// Exactly the levels from the first on belong to some set.
const _: () = {
    let mut i = 0;
    while i < 16 {
        assert!((MEMBERSHIP[i] != 0) == (i >= Level::FIRST_THREAT as usize));
        i += 1;
    }
};

/// Threat sets that a point of each level belongs to, as addends of [`Tally::sizes`].
const SIZES: [u64; 16] = {
    let mut table = [0; 16];
    let mut i = 0;
    while i < 16 * THREATS {
        let (level, threat) = (i / THREATS, i % THREATS);
        table[level] |= (MEMBERSHIP[level] as u64 >> threat & 1) << (16 * threat);
        i += 1;
    }
    table
};

/// Totals of the levels of all empty points, by colour.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    pub threats: [[PointSet; THREATS]; 2],
    /// Number of points of each level; maintained from [`Level::FIRST_THREAT`] on.
    pub counts: [[u16; Level::COUNT + 1]; 2],
    /// Sizes of the threat sets, sixteen bits each. Every node asks whether a set is empty, right after the set has changed,
    /// and one word is available sooner than a set of several.
    sizes: [u64; 2],
}

impl Tally {
    pub const EMPTY: Tally =
        Tally { threats: [[PointSet::EMPTY; THREATS]; 2], counts: [[0; Level::COUNT + 1]; 2], sizes: [0; 2] };

    /// Returns whether a stone of `color` makes this kind of threat somewhere.
    #[inline(always)]
    pub fn any(&self, color: Color, threat: Threat) -> bool {
        self.sizes[color.index()] >> (16 * threat as u32) & 0xffff != 0
    }

    /// Adds an empty point of this level.
    pub fn enter(&mut self, p: Point, color: Color, level: Level) {
        self.add(color, level as usize, 1);
        self.resize(color, Level::None as usize, level as usize);
        self.toggle(p, color, MEMBERSHIP[level as usize]);
    }

    /// Removes a point that is taken.
    #[inline(always)]
    pub fn leave(&mut self, p: Point, color: Color, level: Level) {
        self.add(color, level as usize, u16::MAX);
        self.resize(color, level as usize, Level::None as usize);
        self.toggle(p, color, MEMBERSHIP[level as usize]);
    }

    /// Changes the level of an empty point; both levels are given as numbers.
    #[inline(always)]
    pub fn change(&mut self, p: Point, color: Color, old: usize, new: usize) {
        self.add(color, old, u16::MAX);
        self.add(color, new, 1);
        self.resize(color, old, new);
        self.toggle(p, color, MEMBERSHIP[old] ^ MEMBERSHIP[new]);
    }

    /// Adds to the number of points of a level, modulo 65536.
    #[inline(always)]
    fn add(&mut self, color: Color, level: usize, more: u16) {
        let count = &mut self.counts[color.index()][level];
        *count = count.wrapping_add(more);
    }

    #[inline(always)]
    fn resize(&mut self, color: Color, old: usize, new: usize) {
        let sizes = &mut self.sizes[color.index()];
        *sizes = sizes.wrapping_add(SIZES[new]).wrapping_sub(SIZES[old]);
    }

    /// Enters the point into these sets, or takes it out. It has no branch, because the sets that change are
    /// hard to predict.
    #[inline(always)]
    fn toggle(&mut self, p: Point, color: Color, members: u8) {
        for (i, set) in self.threats[color.index()].iter_mut().enumerate() {
            set.toggle_if(p, members >> i & 1 != 0);
        }
    }
}
