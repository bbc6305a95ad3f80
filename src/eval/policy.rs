//! Policy: a prior score for each move of a position.
//!
//! The policy has its own embedding of a point's pattern codes. Its head computes, for each position, a weight for each
//! channel, a score for each region, and a score for each relation to the last two moves. So the same shapes count for
//! more near the last moves, and differently in attack and in defence. CITE: weights that depend on the
//! position are an idea of Rapfi's networks ("Mix9", 2024).

use super::arch::{
    LOGIT_ONE, MOVE_ONE, POLICY_CHANNELS, POLICY_ONE, POLICY_WIDTH, REGIONS, RELATIONS, WEIGHT_ONE,
};
use crate::game::{Board, Color, DIFFERENCES, Origin, POINTS, Point, Rule, difference};

/// The side to move and the last two moves.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The side to move.
    pub side: Color,
    /// The last move and the one before it.
    pub last: [Option<Point>; 2],
}

impl Turn {
    /// Returns the turn of a board.
    pub fn of<R: Rule>(board: &Board<R>) -> Turn {
        Turn { side: board.side(), last: [board.last_move(0), board.last_move(1)] }
    }
}

/// Outputs of a policy head, prepared for scoring moves.
pub struct Policy {
    /// Weight of each channel of a point's vector, in [`WEIGHT_ONE`].
    pub channels: [i16; POLICY_CHANNELS],
    /// Score of each region, in [`MOVE_ONE`].
    regions: [i32; REGIONS],
    /// Score of each relation to the last move and to the one before it, in [`MOVE_ONE`].
    relations: [[i32; RELATIONS]; 2],
    /// The places of the last two moves.
    origins: [Option<Origin>; 2],
}

impl Policy {
    /// Converts the outputs of a head, in [`LOGIT_ONE`].
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
            origins: last.map(|q| q.map(Origin::new)),
        }
    }

    /// Returns the score of a point's location: its region, and its relations to the last two moves.
    #[inline(always)]
    pub fn place(&self, p: Point, regions: &[u8; POINTS]) -> i32 {
        let from = |k: usize| {
            let place = self.origins[k].map_or(NOWHERE, |origin| PLACES[origin.to(p)]);
            self.relations[k][usize::from(place)]
        };
        self.regions[usize::from(regions[p.index()]) % REGIONS] + from(0) + from(1)
    }
}

/// Right shift that turns the dot product of a point's vector and the channel weights into a move score.
pub const SHIFT_TO_MOVE: u32 = (POLICY_ONE * WEIGHT_ONE / MOVE_ONE).trailing_zeros();

/// Largest distance at which relations are told apart.
const REACH: usize = 5;
/// Relation of two points further apart than [`REACH`].
const FAR: u8 = ((REACH + 1) * (REACH + 2) / 2) as u8;
/// Relation to a move that does not exist.
const NOWHERE: u8 = FAR + 1;
const _: () = assert!(NOWHERE as usize + 1 == RELATIONS);

/// Returns the relation of a point to another, up to symmetry: a number below [`RELATIONS`].
pub fn relation(p: Point, from: Option<Point>) -> u8 {
    from.map_or(NOWHERE, |q| PLACES[Origin::new(q).to(p)])
}

/// Relations by the difference of two points.
static PLACES: [u8; DIFFERENCES] = places();

const fn places() -> [u8; DIFFERENCES] {
    let reach = REACH as isize;
    let mut table = [FAR; DIFFERENCES];
    let mut dy = -reach;
    while dy <= reach {
        let mut dx = -reach;
        while dx <= reach {
            let (x, y) = (dx.unsigned_abs(), dy.unsigned_abs());
            let (more, less) = if x > y { (x, y) } else { (y, x) };
            table[difference(dx, dy)] = (more * (more + 1) / 2 + less) as u8;
            dx += 1;
        }
        dy += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::game::{MAX_SIZE, Size};

    /// Two differences have the same relation if and only if a symmetry maps one to the other, or both are far.
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
