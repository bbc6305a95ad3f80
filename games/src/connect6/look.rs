//! An estimate by the windows of six points: a window without an opponent's stone is worth more the more own stones are
//! in it; one with four or more is a threat, which a turn of two stones can complete.

use kagetsu::game::{Color, Direction, POINTS, Point, PointSet};

use super::{Connect6, ROW};
use crate::game::{Look, Move};

/// Worth of a window by its stones.
const WORTH: [i32; 7] = [0, 2, 7, 18, 45, 50, 0];
/// Number of moves that are searched at most.
const WIDEST: usize = 24;

/// Worth of the points by the windows, for the side to move and its opponent.
struct Windows {
    worth: [Vec<i32>; 2],
    sum: [i32; 2],
    /// Empty points of windows that the side to move can complete in this turn.
    wins: PointSet,
    /// The empty points of each window that the opponent can complete in a turn.
    threats: Vec<PointSet>,
}

/// Looks at a position that is not over.
pub fn look(game: &Connect6, list: &mut Vec<(Move, i32)>) -> Look {
    list.clear();
    let occupied = game.occupied();
    if occupied.is_empty() {
        list.push((Move::Place(game.size.center()), 0));
        return Look::default();
    }
    let windows = Windows::of(game);
    let empty = PointSet::full(game.size).without(&occupied);
    let near = occupied.dilate().dilate() & empty;
    let own_tempo = 1 + i32::from(game.left);
    let value = windows.sum[0] * (4 + own_tempo) / 6 - windows.sum[1];
    let points = if !windows.wins.is_empty() {
        windows.wins
    } else if !windows.threats.is_empty() {
        // A stone that stops no threat loses, unless another one of this turn stops all.
        blocks(&windows.threats, game.left)
    } else {
        near
    };
    let score = |p: Point| 2 * windows.worth[0][p.index()] + 2 * windows.worth[1][p.index()];
    list.extend(points.iter().map(|p| (Move::Place(p), score(p))));
    if list.is_empty() {
        list.extend(empty.iter().map(|p| (Move::Place(p), score(p))));
    }
    list.sort_unstable_by_key(|&(m, worth)| (-worth, m));
    list.truncate(WIDEST);
    let value = if !windows.wins.is_empty() {
        value + 12_000
    } else {
        value - 400 * windows.threats.len().min(4) as i32
    };
    let forced = !windows.wins.is_empty() || !windows.threats.is_empty();
    Look { value: value.clamp(-Look::MOST, Look::MOST), forced }
}

/// The points that are worth a try against threats: those of the threat with the fewest when one stone is left and must
/// stop all, else those of all.
fn blocks(threats: &[PointSet], left: u8) -> PointSet {
    let all = |f: fn(PointSet, PointSet) -> PointSet| threats.iter().copied().reduce(f).unwrap_or_default();
    let common = all(|a, b| a & b);
    if left == 1 && !common.is_empty() { common } else { all(|a, b| a | b) }
}

impl Windows {
    fn of(game: &Connect6) -> Windows {
        let mut windows = Windows {
            worth: [vec![0; POINTS], vec![0; POINTS]],
            sum: [0; 2],
            wins: PointSet::EMPTY,
            threats: Vec::new(),
        };
        let sides = [game.side, !game.side];
        for p in game.size.points() {
            for d in Direction::ALL {
                if p.offset(d, ROW as i32 - 1, game.size).is_some() {
                    windows.add(game, p, d, sides);
                }
            }
        }
        windows
    }

    fn add(&mut self, game: &Connect6, first: Point, d: Direction, sides: [Color; 2]) {
        let step = d.step();
        let at = |n: usize| Point::from_index((first.index() as isize + n as isize * step) as usize);
        let mut counts = [0usize; 2];
        let mut empty = PointSet::EMPTY;
        for p in (0..ROW).filter_map(at) {
            match sides.iter().position(|c| game.stones[c.index()].contains(p)) {
                Some(i) => counts[i] += 1,
                None => empty.insert(p),
            }
        }
        let owner = match (counts[0], counts[1]) {
            (1.., 0) => 0,
            (0, 1..) => 1,
            _ => return,
        };
        let count = counts[owner];
        self.sum[owner] += WORTH[count];
        let gain = WORTH[(count + 1).min(ROW - 1)];
        empty.iter().for_each(|p| self.worth[owner][p.index()] += gain);
        if owner == 0 && count + usize::from(game.left) >= ROW {
            self.wins = self.wins | empty;
        } else if owner == 1 && count + 2 >= ROW {
            self.threats.push(empty);
        }
    }
}
