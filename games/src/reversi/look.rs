//! Static evaluation of Reversi. The usual game has learned patterns. The variants use corners, mobility, frontier
//! discs and parity.
//!
//! CITE: B. Rose, "Othello: A Minute to Learn… A Lifetime to Master" (2005): mobility, frontier discs, corners, X and C
//! squares, parity.

use super::bits::Bits;
use super::pattern::Weights;
use super::{Reversi, point};
use crate::game::{Game, Look, Move};
use crate::search::DISC;

/// Worth of a corner, of a square diagonally next to an empty corner, and of one beside it along the edge.
const CORNER: i32 = 700;
const DIAGONAL: i32 = -250;
const BESIDE: i32 = -120;
/// Weight of the difference in mobility, and of an empty square next to a disc (potential mobility).
const MOBILITY: i32 = 70;
const FRONTIER: i32 = -22;
/// Worth of having the last move.
const PARITY: i32 = 60;

/// Looks at a position that is not over.
pub fn look<B: Bits>(game: &Reversi<B>, list: &mut Vec<(Move, i32)>) -> Look {
    list.clear();
    let (own, other) = (game.own(), game.other());
    if game.moves == B::ZERO {
        list.push((Move::Pass, 0));
        return Look { value: value(game), forced: true, attacks: 0 };
    }
    let sign = if game.setup.anti { -1 } else { 1 };
    for i in game.moves.iter() {
        let turned = game.frame.turned(own, other, i);
        let (mine, theirs) = (own | turned | B::bit(i), other & !turned);
        // Moves that leave few replies come first; corners get a bonus on top.
        let replies = game.frame.moves(theirs, mine).count() as i32;
        let square = Corners::new(game).worth_of(i, game.empty());
        list.push((Move::Place(point::<B>(i)), sign * square - 60 * replies));
    }
    Look { value: value(game), forced: false, attacks: 0 }
}

/// The evaluation by the learned patterns; `None` for a variant that they were not learned for.
fn learned<B: Bits>(game: &Reversi<B>) -> Option<i32> {
    let is_usual = game.setup.side == 8 && !game.setup.anti && game.setup.hole.is_none();
    let (own, other) = (game.own().word().filter(|_| is_usual)?, game.other().word()?);
    Some(Weights::built_in().value(own, other).clamp(-64 * DISC, 64 * DISC))
}

fn value<B: Bits>(game: &Reversi<B>) -> i32 {
    if let Some(value) = learned(game) {
        return value;
    }
    let (own, other, empty) = (game.own(), game.other(), game.empty());
    let count = |set: B| set.count() as i32;
    let corners = Corners::new(game);
    let places = corners.worth(own, empty) - corners.worth(other, empty);
    let mobility = count(game.moves) - count(game.frame.moves(other, own));
    let near = |set: B| count(neighbours(set) & empty);
    let frontier = near(own) - near(other);
    let left = count(empty);
    let parity = if left % 2 == 1 { PARITY } else { -PARITY };
    // Discs count when few squares are left.
    let discs = (count(own) - count(other)) * (20 - left).max(0) * 5;
    let shape = places + FRONTIER * frontier;
    let value = if game.setup.anti { -shape - discs } else { shape + discs };
    (value + MOBILITY * mobility + parity).clamp(-Look::MOST, Look::MOST)
}

/// Squares next to those of a set. May wrap around the edge to the next row.
fn neighbours<B: Bits>(set: B) -> B {
    let w = B::STRIDE;
    let row = set | set.up(1) | set.down(1);
    row | row.up(w) | row.down(w)
}

/// The squares around the four corners.
struct Corners {
    side: usize,
    stride: usize,
}

impl Corners {
    fn new<B: Bits>(game: &Reversi<B>) -> Corners {
        Corners { side: game.size(), stride: B::STRIDE }
    }

    /// For each corner: itself, the square diagonally next to it, the two beside it.
    fn all(&self) -> [[usize; 4]; 4] {
        let (near, far) = ((0, 1), (self.side - 1, self.side - 2));
        [(near, near), (far, near), (near, far), (far, far)]
            .map(|((x, x1), (y, y1))| [(x, y), (x1, y1), (x1, y), (x, y1)].map(|(x, y)| y * self.stride + x))
    }

    fn worth<B: Bits>(&self, discs: B, empty: B) -> i32 {
        self.all().into_iter().flatten().filter(|&i| discs.has(i)).map(|i| self.worth_of(i, empty)).sum()
    }

    fn worth_of<B: Bits>(&self, i: usize, empty: B) -> i32 {
        for corner in self.all() {
            if let Some(place) = corner.iter().position(|&j| j == i) {
                return match place {
                    0 => CORNER,
                    _ if !empty.has(corner[0]) => 0,
                    1 => DIAGONAL,
                    _ => BESIDE,
                };
            }
        }
        0
    }
}
