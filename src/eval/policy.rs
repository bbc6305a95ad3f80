//! Which moves look good in a position: what its policy head says, and what that makes of each point.
//!
//! The policy has an embedding of its own. What its channels are worth depends on the position: the head says that at each
//! node, beside what each region is worth, and each place from the last move and the one before it. So the same shapes
//! count for more where the fight is, and for more in an attack than in a defence. (Weights that follow the position are an
//! idea of Rapfi's networks, "Mix9" of 2024.)

use super::arch::{
    LOGIT_ONE, MOVE_ONE, POLICY_CHANNELS, POLICY_ONE, POLICY_WIDTH, REGIONS, RELATIONS, WEIGHT_ONE,
};
use crate::game::{Board, Color, MAX_SIZE, POINTS, Point, Rule};

/// Who is to move, and what came before.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The side to move.
    pub side: Color,
    /// The last move and the one before it.
    pub last: [Option<Point>; 2],
}

impl Turn {
    /// Of a board.
    pub fn of<R: Rule>(board: &Board<R>) -> Turn {
        Turn { side: board.side(), last: [board.last_move(0), board.last_move(1)] }
    }
}

/// What a policy head says, in units for its use.
pub struct Policy {
    /// What each channel of a point's vector is worth, in [`WEIGHT_ONE`].
    pub channels: [i16; POLICY_CHANNELS],
    /// What each region is worth, in [`MOVE_ONE`].
    regions: [i32; REGIONS],
    /// What each place from the last move and the one before it is worth, in [`MOVE_ONE`].
    relations: [[i32; RELATIONS]; 2],
    /// For each of these moves, what leads from a point's [`wide`] number to its place in [`PLACES`].
    origins: [Option<usize>; 2],
}

impl Policy {
    /// From the outputs of a head, in [`LOGIT_ONE`].
    pub fn new(outputs: &[i32; POLICY_WIDTH], last: [Option<Point>; 2]) -> Policy {
        const CHANNEL: i32 = LOGIT_ONE / WEIGHT_ONE;
        const MOVE: i32 = LOGIT_ONE / MOVE_ONE;
        let (channels, rest) = outputs.split_at(POLICY_CHANNELS);
        let (regions, relations) = rest.split_at(REGIONS);
        let narrow = |z: i32| (z / CHANNEL).clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16;
        Policy {
            channels: std::array::from_fn(|c| narrow(channels[c])),
            regions: std::array::from_fn(|r| regions[r] / MOVE),
            relations: [0, 1].map(|k| std::array::from_fn(|i| relations[k * RELATIONS + i] / MOVE)),
            origins: last.map(|q| q.map(|q| SHIFT - wide(q))),
        }
    }

    /// What a point is worth by where it lies.
    #[inline(always)]
    pub fn place(&self, p: Point, regions: &[u8; POINTS]) -> i32 {
        let from = |k: usize| {
            let place = self.origins[k].map_or(NOWHERE, |origin| PLACES[wide(p) + origin]);
            self.relations[k][usize::from(place)]
        };
        self.regions[usize::from(regions[p.index()]) % REGIONS] + from(0) + from(1)
    }
}

/// What the sum of products of a point's vector and the channels' worths loses to be a move score.
pub const SHIFT_TO_MOVE: u32 = (POLICY_ONE * WEIGHT_ONE / MOVE_ONE).trailing_zeros();

/// Places up to this distance are told apart.
const REACH: usize = 5;
/// The number of all places further away,
const FAR: u8 = ((REACH + 1) * (REACH + 2) / 2) as u8;
/// and of all where there is no move to start from.
const NOWHERE: u8 = FAR + 1;
const _: () = assert!(NOWHERE as usize + 1 == RELATIONS);

/// Where a point lies from another, up to symmetry: a number below [`RELATIONS`].
pub fn relation(p: Point, from: Option<Point>) -> u8 {
    from.map_or(NOWHERE, |q| PLACES[wide(p) + SHIFT - wide(q)])
}

/// Distance between rows in [`PLACES`]: differences of columns, to both sides, fit in it.
const WIDE: usize = 64;
/// Place of no difference in [`PLACES`].
const SHIFT: usize = (MAX_SIZE - 1) * WIDE + MAX_SIZE - 1;

/// A point's number if rows are [`WIDE`] apart.
#[inline(always)]
const fn wide(p: Point) -> usize {
    p.y() * WIDE + p.x()
}

/// The numbers of places by the difference of two points.
static PLACES: [u8; 2 * SHIFT + 1] = places();

const fn places() -> [u8; 2 * SHIFT + 1] {
    let mut table = [FAR; 2 * SHIFT + 1];
    let mut y = 0;
    while y <= 2 * REACH {
        let mut x = 0;
        while x <= 2 * REACH {
            let (dx, dy) = (x.abs_diff(REACH), y.abs_diff(REACH));
            let (more, less) = if dx > dy { (dx, dy) } else { (dy, dx) };
            table[SHIFT + y * WIDE + x - REACH * WIDE - REACH] = (more * (more + 1) / 2 + less) as u8;
            x += 1;
        }
        y += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::game::Size;

    /// Two places have the same number if and only if a symmetry turns one into the other, or both are far.
    #[test]
    fn places_are_told_apart_up_to_symmetry() {
        let size = Size::new(MAX_SIZE).unwrap();
        let mut found: BTreeMap<u8, BTreeSet<[usize; 2]>> = BTreeMap::new();
        for p in size.points() {
            for q in size.points() {
                let mut apart = [p.x().abs_diff(q.x()), p.y().abs_diff(q.y())];
                apart.sort_unstable();
                found.entry(relation(p, Some(q))).or_default().insert(apart);
            }
        }
        assert_eq!(found.len(), RELATIONS - 1);
        for (number, places) in found {
            assert!(number == FAR || places.len() == 1, "{number}: {places:?}");
            assert!(places.iter().all(|place| (place[1] > REACH) == (number == FAR)), "{number}: {places:?}");
        }
        assert_eq!(usize::from(relation(Point::new(3, 3), None)), RELATIONS - 1);
    }
}
