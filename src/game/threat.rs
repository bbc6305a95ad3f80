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

/// Levels that belong to some threat set, as bits.
pub(super) const THREATENING: u32 = {
    let mut levels = 0;
    let mut i = 0;
    while i < 16 {
        levels |= ((MEMBERSHIP[i] != 0) as u32) << i;
        i += 1;
    }
    levels
};

/// Totals of the levels of all empty points, by colour.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    pub threats: [[PointSet; THREATS]; 2],
    /// Number of points of each level; maintained for the levels of [`THREATENING`] only.
    pub counts: [[u16; Level::COUNT + 1]; 2],
}

impl Tally {
    pub const EMPTY: Tally =
        Tally { threats: [[PointSet::EMPTY; THREATS]; 2], counts: [[0; Level::COUNT + 1]; 2] };

    /// Adds an empty point.
    #[inline(always)]
    pub fn enter(&mut self, p: Point, color: Color, level: Level) {
        let count = &mut self.counts[color.index()][level as usize];
        *count = count.wrapping_add(1);
        self.toggle_threats(p, color, MEMBERSHIP[level as usize]);
    }

    /// Removes a point that is taken.
    #[inline(always)]
    pub fn leave(&mut self, p: Point, color: Color, level: Level) {
        let count = &mut self.counts[color.index()][level as usize];
        *count = count.wrapping_sub(1);
        self.toggle_threats(p, color, MEMBERSHIP[level as usize]);
    }

    /// Changes the level of an empty point. Most changes are among levels without threats, which are not counted; the
    /// processor predicts that branch well.
    #[inline(always)]
    pub fn change(&mut self, p: Point, color: Color, old: Level, new: Level) {
        if (THREATENING >> old as u32 | THREATENING >> new as u32) & 1 != 0 && old != new {
            let counts = &mut self.counts[color.index()];
            counts[old as usize] = counts[old as usize].wrapping_sub(1);
            counts[new as usize] = counts[new as usize].wrapping_add(1);
            self.toggle_threats(p, color, MEMBERSHIP[old as usize] ^ MEMBERSHIP[new as usize]);
        }
    }

    #[inline(always)]
    fn toggle_threats(&mut self, p: Point, color: Color, mut members: u8) {
        while members != 0 {
            self.threats[color.index()][members.trailing_zeros() as usize].toggle(p);
            members &= members - 1;
        }
    }
}
