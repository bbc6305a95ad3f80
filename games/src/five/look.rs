//! An estimate of a position by the line shapes of its empty points, and the moves worth searching.

use kagetsu::game::{Color, Direction, Point, PointSet, Shape, Shapes};

use super::Five;
use super::fouls::shape_table;
use super::rules::{Ban, Captures};
use crate::game::{Game, Look, Move};

/// Worth of what a stone on an empty point makes in one line, by [`Shape`].
const WORTH: [i32; 15] = [0, 1, 3, 4, 9, 12, 14, 18, 40, 48, 60, 260, 260, 1000, 0];
/// Worth of captured stones, by their number in twentieths of what wins.
const CAPTURED: i32 = 12;
/// Number of moves that are searched at most.
const WIDEST: usize = 40;
/// Number of bombs that are tried at most, and only against threats.
const BOMBS: usize = 10;

/// Shapes that a stone of one colour on an empty point makes.
#[derive(Clone, Copy, Default)]
struct Promise {
    worth: i32,
    five: bool,
    /// Wins unless the opponent has a four, or captures.
    wins: bool,
    four: bool,
}

impl Promise {
    fn of(shapes: Shapes, color: Color, ban: Ban) -> Promise {
        let mut promise = Promise::default();
        let (mut fours, mut threes, mut straight) = (0, 0, false);
        for d in Direction::ALL {
            let shape = shapes.get(color, d);
            promise.worth += WORTH[shape as usize];
            promise.five |= shape == Shape::Five;
            straight |= shape == Shape::StraightFour;
            fours += shape.fours();
            threes += usize::from(shape.is_three());
        }
        if ban == Ban::StraightFour {
            // A three grows into nothing.
            promise.worth -= 30 * threes as i32;
            (threes, straight) = (0, false);
        }
        promise.four = fours > 0;
        promise.wins = promise.five || straight || fours >= 2 || fours == 1 && threes > 0;
        promise.worth += match (fours, threes) {
            (2.., _) => 250,
            (1, 1..) => 200,
            (0, 2..) => 90,
            _ => 0,
        };
        promise
    }
}

/// Points by what they promise to each side: own first.
#[derive(Default)]
struct Found {
    fives: [PointSet; 2],
    wins: [bool; 2],
    sum: [i32; 2],
    list: Vec<(Point, i32)>,
}

/// Looks at a position that is not over.
pub fn look(game: &Five, list: &mut Vec<(Move, i32)>) -> Look {
    list.clear();
    let occupied = game.stones.occupied();
    let near = if occupied.is_empty() {
        PointSet::from_iter([game.rules.size.center()])
    } else {
        occupied.dilate().dilate() & game.stones.empty()
    };
    let sides = [game.side, !game.side];
    let forbidden = sides.map(|color| game.forbidden(color));
    let mut found = Found::default();
    promises(game, &near, sides, &forbidden, &mut found);
    let captures = captures(game, &near, sides, &mut found);
    let value = value(game, &found, sides);
    let threat = !found.fives[1].is_empty();
    let urgent = !found.fives[0].is_empty() || threat || game.pending;
    if urgent {
        let blocks = if !found.fives[0].is_empty() { found.fives[0] } else { found.fives[1] | captures };
        let blocks = if game.pending { blocks | captures } else { blocks };
        list.extend(
            found.list.iter().filter(|(p, _)| blocks.contains(*p)).map(|&(p, w)| (Move::Place(p), w)),
        );
    } else {
        list.extend(found.list.iter().map(|&(p, worth)| (Move::Place(p), worth)));
    }
    if game.has_bomb(game.side) && found.fives[0].is_empty() && (threat || found.wins[1]) {
        add_bombs(game, list);
    }
    if list.is_empty() {
        list.extend(game.legal().into_iter().map(|m| (m, 0)));
    }
    // A total order, so that the search does not depend on the order of sorting equal moves.
    list.sort_unstable_by_key(|&(m, worth)| (-worth, m));
    list.truncate(WIDEST);
    Look { value: value.clamp(-Look::MOST, Look::MOST), forced: urgent }
}

/// Finds what each near point promises, and lists those where the side to move may place a stone.
fn promises(game: &Five, near: &PointSet, sides: [Color; 2], forbidden: &[PointSet; 2], found: &mut Found) {
    let table = shape_table(game.rules.rows);
    for p in near.iter() {
        let both = [0, 1].map(|i| {
            if forbidden[i].contains(p) {
                return Promise::default();
            }
            let shapes = game.stones.lines(sides[i]).shapes(p, table);
            Promise::of(shapes, sides[i], game.rules.ban)
        });
        for (i, promise) in both.into_iter().enumerate() {
            found.sum[i] += promise.worth.min(400);
            found.wins[i] |= promise.wins;
            if promise.five {
                found.fives[i].insert(p);
            }
        }
        if !forbidden[0].contains(p) && game.opening_allows(p).is_ok() {
            let bonus = if both[0].wins { 600 } else { 0 } + if both[1].wins { 300 } else { 0 };
            let center = (10 - p.distance(game.rules.size.center()) as i32).max(0);
            found.list.push((p, 2 * both[0].worth + both[1].worth + bonus + center));
        }
    }
}

/// The points where the side to move captures; adds their worth, and counts a capture that wins as a five.
fn captures(game: &Five, near: &PointSet, sides: [Color; 2], found: &mut Found) -> PointSet {
    let mut all = PointSet::EMPTY;
    if game.rules.captures == Captures::None {
        return all;
    }
    for (i, color) in sides.into_iter().enumerate() {
        for p in near.iter() {
            let caught = game.stones.captured_by(p, color, &game.rules).len();
            if caught == 0 {
                continue;
            }
            let after = game.captured[color.index()] + caught as u16;
            found.sum[i] += 30 * caught as i32;
            let wins = game.rules.captured_to_win.is_some_and(|goal| after >= goal);
            if i == 0 {
                all.insert(p);
                if wins {
                    found.fives[0].insert(p);
                }
            }
            if let Some(entry) = found.list.iter_mut().find(|(q, _)| *q == p) {
                entry.1 += 40 * caught as i32 + if wins { 1500 } else { 0 };
            }
        }
    }
    all
}

fn value(game: &Five, found: &Found, sides: [Color; 2]) -> i32 {
    let [own, other] = found.sum;
    let mut value = own * 6 / 5 - other;
    if let Some(goal) = game.rules.captured_to_win {
        let [own, other] = sides.map(|color| {
            let part = 20 * i32::from(game.captured[color.index()]) / i32::from(goal);
            part * part * CAPTURED / 4
        });
        value += own - other;
    }
    if !found.fives[0].is_empty() {
        value + 12_000
    } else if found.fives[1].len() > 1 {
        value - 9_000
    } else if !found.fives[1].is_empty() {
        value - 300
    } else if found.wins[0] {
        value + 3_000
    } else {
        value
    }
}

/// Bombs that remove more of the opponent's stones than of the mover's, the best ones.
fn add_bombs(game: &Five, list: &mut Vec<(Move, i32)>) {
    let (own, other) = (game.stones.of[game.side.index()], game.stones.of[(!game.side).index()]);
    let near = other.dilate() & game.stones.empty();
    let mut bombs: Vec<(Move, i32)> = near
        .iter()
        .filter(|&p| game.opening_allows(p).is_ok())
        .map(|p| {
            let around = game.stones.around(p);
            let gain = (around & other).len() as i32 * 2 - (around & own).len() as i32;
            (Move::Bomb(p), 60 * gain)
        })
        .filter(|&(_, gain)| gain > 0)
        .collect();
    bombs.sort_unstable_by_key(|&(m, gain)| (-gain, m));
    list.extend(bombs.into_iter().take(BOMBS));
}
