//! Static evaluation by the line shapes of the empty points, and selection of the moves worth searching.

use kagetsu::game::{Color, Direction, Point, PointSet, RuleKind, Shape, Shapes, Size};

use super::Five;
use super::fouls::shape_table;
use super::rules::{Ban, Captures};
use crate::game::{Game, Look, Move};

/// Worth of a stone on an empty point in one line, by the [`Shape`] that it makes.
const WORTH: [i32; 15] = [0, 1, 3, 4, 9, 12, 14, 18, 40, 48, 60, 260, 260, 1000, 0];
/// Weight of captured stones. Their worth grows with the square of their share of the number that wins.
const CAPTURED: i32 = 12;
/// Largest number of moves searched at a node.
const WIDEST: usize = 40;
/// Number of moves searched where no move stops the opponent's threats.
const HOPELESS: usize = 3;
/// Largest number of bombs tried against threats.
const BOMBS: usize = 10;
/// Without a threat only this number of bombs is tried, each with at least this gain: two stones net.
const QUIET_BOMBS: usize = 3;
const QUIET_BOMB_GAIN: i32 = 4;
/// Worth of an unused bomb.
const BOMB: i32 = 150;

/// Promise: the worth and the threats of a stone of one colour on an empty point.
#[derive(Clone, Copy, Default)]
struct Promise {
    worth: i32,
    five: bool,
    /// Whether the stone wins unless the opponent makes a four or captures.
    wins: bool,
    four: bool,
    /// Lines of the fours, if the stone threatens two fives at once. Only a four, or a stone on one of these lines,
    /// stops it.
    lines: [bool; 4],
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
            // A three cannot become a straight four, which is forbidden.
            promise.worth -= 30 * threes as i32;
            (threes, straight) = (0, false);
        }
        promise.four = fours > 0;
        if !promise.five && (straight || fours >= 2) {
            promise.lines = Direction::ALL.map(|d| shapes.get(color, d).fours() > 0);
        }
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

/// Promises of all points, summed for each side; index 0 is the side to move.
#[derive(Default)]
struct Found {
    fives: [PointSet; 2],
    wins: [bool; 2],
    sum: [i32; 2],
    /// Points where the side to move makes a four.
    fours: PointSet,
    /// The points that stop every move by which the opponent would threaten two fives; `None` if there is no such move.
    defences: Option<PointSet>,
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
    let forbidden = sides.map(|color| game.doubtful(color));
    let mut found = Found::default();
    promises(game, &near, sides, &forbidden, &mut found);
    let captures = captures(game, &near, sides, &mut found);
    let risky = take_risky_fives(game, &mut found);
    let value = value(game, &found, sides);
    let threat = !found.fives[1].is_empty();
    let urgent = !found.fives[0].is_empty() || threat || game.pending;
    if urgent {
        let replies = found.fives[1] | captures | risky;
        let blocks = if !found.fives[0].is_empty() { found.fives[0] } else { replies };
        let blocks = if game.pending { blocks | captures } else { blocks };
        list.extend(
            found.list.iter().filter(|(p, _)| blocks.contains(*p)).map(|&(p, w)| (Move::Place(p), w)),
        );
    } else {
        let useful = found.defences.filter(|_| !found.wins[0]).map(|defences| defences | found.fours);
        let is_useful = |p: Point| useful.is_none_or(|useful| useful.contains(p));
        list.extend(found.list.iter().filter(|(p, _)| is_useful(*p)).map(|&(p, w)| (Move::Place(p), w)));
        if list.is_empty() {
            // Every move loses, so a few of them are enough.
            list.extend(found.list.iter().map(|&(p, w)| (Move::Place(p), w)));
            list.sort_unstable_by_key(|&(m, worth)| (-worth, m));
            list.truncate(HOPELESS);
        }
    }
    if game.has_bomb(game.side) && found.fives[0].is_empty() {
        let others = game.stones.of[(!game.side).index()];
        if threat {
            add_bombs(game, list, &in_fives(game, &found.fives[1]), BOMBS, i32::MIN);
        } else if found.wins[1] {
            add_bombs(game, list, &others, BOMBS, 1);
        } else {
            add_bombs(game, list, &others, QUIET_BOMBS, QUIET_BOMB_GAIN);
        }
    }
    if list.is_empty() {
        list.extend(game.root_moves().into_iter().map(|m| (m, 0)));
    }
    let is_attack = |m: Move| !urgent && matches!(m, Move::Place(p) if found.fours.contains(p));
    // Attacks come first. The order is total, so that equal moves always sort in the same way.
    list.sort_unstable_by_key(|&(m, worth)| (!is_attack(m), -worth, m));
    list.truncate(WIDEST);
    let attacks = list.iter().take_while(|(m, _)| is_attack(*m)).count();
    Look { value: value.clamp(-Look::MOST, Look::MOST), forced: urgent, attacks }
}

/// Finds the promise of each near point to both sides, and lists the points where the side to move may place a stone.
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
        if both[0].four {
            found.fours.insert(p);
        }
        if both[1].lines != [false; 4] && game.rules.captures == Captures::None {
            let points = along(p, both[1].lines, game.rules.size);
            found.defences = Some(found.defences.map_or(points, |known| known & points));
        }
        if !forbidden[0].contains(p) && game.opening_allows(p).is_ok() {
            let bonus = if both[0].wins { 600 } else { 0 } + if both[1].wins { 300 } else { 0 };
            let center = (10 - p.distance(game.rules.size.center()) as i32).max(0);
            found.list.push((p, 2 * both[0].worth + both[1].worth + bonus + center));
        }
    }
}

/// The point and those up to four away on these lines.
fn along(p: Point, lines: [bool; 4], size: Size) -> PointSet {
    let mut points = PointSet::from_iter([p]);
    for (d, _) in Direction::ALL.into_iter().zip(lines).filter(|(_, wanted)| *wanted) {
        (-4..=4).filter_map(|n| p.offset(d, n, size)).for_each(|q| points.insert(q));
    }
    points
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

/// Takes the points that do not win at once from the fives of the side to move, counts them as fours, and returns them. In
/// Ninuki a reply may break a five, and the last capture may leave the opponent a five.
fn take_risky_fives(game: &Five, found: &mut Found) -> PointSet {
    if game.rules.captures == Captures::None || game.rules.rows != RuleKind::Standard {
        return PointSet::EMPTY;
    }
    let wins = |p: &Point| {
        let mut after = game.clone();
        after.play(Move::Place(*p));
        after.outcome.is_some_and(|outcome| outcome.winner == Some(game.side))
    };
    let safe: PointSet = found.fives[0].iter().filter(wins).collect();
    let risky = found.fives[0].without(&safe);
    found.fives[0] = safe;
    found.fours = found.fours | risky;
    risky
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
    // An unused bomb can remove any row shorter than five.
    let [own_bomb, other_bomb] = sides.map(|color| game.has_bomb(color));
    value += BOMB * (i32::from(own_bomb) - i32::from(other_bomb));
    if !found.fives[0].is_empty() {
        value + 12_000
    } else if found.fives[1].len() > 1 {
        value - if own_bomb { 600 } else { 9_000 }
    } else if !found.fives[1].is_empty() {
        value - 300
    } else if found.wins[0] {
        value + if other_bomb { 300 } else { 3_000 }
    } else if let Some(defences) = found.defences {
        let lost = (defences & game.stones.empty()).is_empty() && found.fours.is_empty() && !own_bomb;
        value - if lost { 4_000 } else { 200 }
    } else {
        value
    }
}

/// Returns the opponent's stones in the rows that it would complete on these points.
fn in_fives(game: &Five, fives: &PointSet) -> PointSet {
    let (color, table) = (!game.side, shape_table(game.rules.rows));
    let mut points = PointSet::EMPTY;
    for p in fives.iter() {
        let shapes = game.stones.lines(color).shapes(p, table);
        let lines = Direction::ALL.map(|d| shapes.get(color, d) == Shape::Five);
        points = points | along(p, lines, game.rules.size);
    }
    points & game.stones.of[color.index()]
}

/// Adds the best bombs beside these stones, `most` at most, that gain at least `least`: two for each stone of the opponent that
/// is removed, less one for each own stone.
fn add_bombs(game: &Five, list: &mut Vec<(Move, i32)>, beside: &PointSet, most: usize, least: i32) {
    let (own, other) = (game.stones.of[game.side.index()], game.stones.of[(!game.side).index()]);
    let near = beside.dilate() & game.stones.empty();
    let mut bombs: Vec<(Move, i32)> = near
        .iter()
        .filter(|&p| game.opening_allows(p).is_ok() && game.foul_of(Move::Bomb(p)).is_none())
        .map(|p| {
            let around = game.stones.around(p);
            let gain = (around & other).len() as i32 * 2 - (around & own).len() as i32;
            (Move::Bomb(p), gain)
        })
        .filter(|&(_, gain)| gain >= least)
        .collect();
    bombs.sort_unstable_by_key(|&(m, gain)| (-gain, m));
    list.extend(bombs.into_iter().take(most).map(|(m, gain)| (m, 60 * gain)));
}
