//! The shape tables: rows whose shapes were worked out by hand, and every window of eleven cells against the definition of
//! shapes by the effect of more stones.

use crate::common::reference::{Cell, Grid};
use crate::common::strip::Strip;
use kagetsu::game::{Board, Color, Direction, Point, Position, Rule, RuleKind, Shape, Size};
use kagetsu::with_rule;

/// A line of `before` cells, an empty one and `after` cells as the only stones of the smallest board that has a line
/// of this length, with the empty point and the line's direction.
fn place(before: &[Cell], after: &[Cell]) -> (Position, Point, Direction) {
    let length = before.len() + 1 + after.len();
    let size = Size::new(length.max(5)).unwrap();
    // A row if the board is as wide as the line, else one of the short diagonals.
    let (direction, start) = if length >= 5 {
        (Direction::Horizontal, Point::new(0, 2))
    } else {
        (Direction::Falling, Point::new(0, length - 1))
    };
    let at = |i: usize| start.offset(direction, i as i32, size).unwrap();
    let cells = before.iter().copied().chain([Cell::Empty]).chain(after.iter().copied());
    let stones = cells.enumerate().filter_map(|(i, cell)| match cell {
        Cell::Stone(color) => Some((at(i), color)),
        _ => None,
    });
    (Position::from_stones(size, stones, Color::Black).unwrap(), at(before.len()), direction)
}

/// All sequences of zero to five cells.
fn sides() -> Vec<Vec<Cell>> {
    let mut all: Vec<Vec<Cell>> = vec![vec![]];
    let mut longest = all.clone();
    for _ in 0..5 {
        longest = longest
            .iter()
            .flat_map(|side| {
                [Cell::Empty, Cell::Stone(Color::Black), Cell::Stone(Color::White)]
                    .map(|cell| [side.clone(), vec![cell]].concat())
            })
            .collect();
        all.extend(longest.clone());
    }
    all
}

fn check_all_windows<R: Rule>() {
    let sides = sides();
    assert_eq!(sides.len(), 364);
    let mut seen = [0usize; Shape::COUNT];
    for before in &sides {
        for after in &sides {
            let (position, p, direction) = place(before, after);
            let shapes = Board::<R>::from_position(&position).unwrap().shapes(p);
            let cells = [&before[..], &[Cell::Empty], after].concat();
            for color in Color::BOTH {
                let want = Strip::new(cells.clone(), before.len(), color, R::KIND).shape();
                assert_eq!(shapes.get(color, direction), want, "{color} {} {cells:?}", before.len());
                seen[want as usize] += 1;
            }
        }
    }
    for (shape, &count) in seen.iter().enumerate() {
        let only_renju = shape == Shape::Overline as usize && R::KIND != RuleKind::Renju;
        assert_eq!(count == 0, only_renju, "shape {shape} in {count} windows");
    }
}

#[test]
fn freestyle_windows() {
    check_all_windows::<kagetsu::game::Freestyle>();
}

#[test]
fn standard_windows() {
    check_all_windows::<kagetsu::game::Standard>();
}

#[test]
fn renju_windows() {
    check_all_windows::<kagetsu::game::Renju>();
}

#[test]
fn caro_windows() {
    check_all_windows::<kagetsu::game::Caro>();
}

#[test]
fn caro6_windows() {
    check_all_windows::<kagetsu::game::Caro6>();
}

/// Shapes depend on nothing outside the window: the reference sees the whole line.
#[test]
fn shapes_of_whole_boards() {
    let mut random = crate::common::random::Random::new(3);
    for round in 0..600 {
        let size = Size::new(5 + random.below(18)).unwrap();
        let stones = random.below(size.area() * 3 / 4);
        let position = random.position(size, stones);
        let grid = Grid::from_position(&position);
        let kind = RuleKind::ALL[round % 5];
        with_rule!(kind, R => {
            let board = Board::<R>::from_position(&position).unwrap();
            let points: Vec<Point> = board.empty().iter().collect();
            for &p in points.iter().filter(|_| random.below(8) == 0) {
                for color in Color::BOTH {
                    for d in Direction::ALL {
                        let want = grid.strip(p, d as usize, color, kind).shape();
                        assert_eq!(board.shapes(p).get(color, d), want, "{kind} {p} {color} {d:?} {position:?}");
                    }
                }
            }
        });
    }
}

/// Returns the shape that a stone of `color` on `*` makes in a drawn row: `x` its own stones, `o` the opponent's. Edges are at
/// both ends.
fn drawn(row: &str, kind: RuleKind, color: Color) -> Shape {
    let size = Size::new(row.len().max(5)).unwrap();
    let stones = row.bytes().enumerate().filter_map(|(x, cell)| match cell {
        b'x' => Some((Point::new(x, 0), color)),
        b'o' => Some((Point::new(x, 0), !color)),
        _ => None,
    });
    let position = Position::from_stones(size, stones, color).unwrap();
    let p = Point::new(row.find('*').unwrap(), 0);
    let shapes = with_rule!(kind, R => Board::<R>::from_position(&position).unwrap().shapes(p));
    shapes.get(color, Direction::Horizontal)
}

/// The fine points of fours, threes and overlines under Renju and the standard rule.
#[test]
fn rows_of_renju_and_standard() {
    use Shape::{ClosedThree, Dead, DoubleFour, Five, Four, Overline, StraightFour, Three, ThreeDouble};
    // Black's shape and White's under Renju, and that of both under the standard rule.
    let cases = [
        // Two fours in one line, if the stone belongs to both of them.
        ("x.x*x.x", [DoubleFour, DoubleFour, DoubleFour]),
        ("xx.x*.xx", [DoubleFour, DoubleFour, DoubleFour]),
        ("xxx.*.xxx", [DoubleFour, DoubleFour, DoubleFour]),
        ("*.xxx.x", [Four, Four, Four]),
        // A straight four needs a winning row at both ends.
        (".xx*x.", [StraightFour, StraightFour, StraightFour]),
        ("xx*x.", [Four, Four, Four]),
        ("x.xx*x.", [Four, StraightFour, Four]),
        // White's six wins, Black's is a foul, and a standard six is nothing. Stones that can only become six are no four.
        ("xx*xxx", [Overline, Five, Dead]),
        ("x.*xxx", [Dead, Four, Dead]),
        // A three needs room for the straight four, here on both sides, on neither and on one.
        ("..xx*..", [ThreeDouble, ThreeDouble, ThreeDouble]),
        ("o.xx*.o", [ClosedThree, ClosedThree, ClosedThree]),
        ("o.xx*..o", [Three, Three, Three]),
        ("x..xx*..", [Three, ThreeDouble, Three]),
        ("..x.*x..", [Three, Three, Three]),
        // One more stone makes two fours. By the definition of Renju that is no three.
        ("x.*.x.x", [ClosedThree, Three, Three]),
    ];
    for (row, [black, white, standard]) in cases {
        assert_eq!(drawn(row, RuleKind::Renju, Color::Black), black, "{row}, black");
        assert_eq!(drawn(row, RuleKind::Renju, Color::White), white, "{row}, white");
        for color in Color::BOTH {
            assert_eq!(drawn(row, RuleKind::Standard, color), standard, "{row}, standard, {color}");
        }
    }
}

/// The fine points of rows that are closed by the opponent's stones.
#[test]
fn rows_of_caro() {
    use Shape::{Dead, DoubleFour, Five, Four, StraightFour};
    let cases = [
        // Edges do not close a row, and one stone does not; two stones do. A six does not win under Caro and always
        // wins under Caro6.
        ("*xxxxo", Five, Five),
        ("oxxx*x", Five, Five),
        (".oxxx*xo", Dead, Dead),
        ("xxx*xx", Dead, Five),
        ("oxxx*xxo", Dead, Five),
        // A straight four that an opponent's stone two steps away makes stoppable.
        ("..xx*x..", StraightFour, StraightFour),
        (".o.xx*x..", Four, Four),
        (".oxx*x..", Four, Four),
        (".x.xx*x..", Four, StraightFour),
        // Two fours in a row: a stone that stops the one may close the other.
        ("x.x*x.x", DoubleFour, DoubleFour),
        (".x.x*x.x.", DoubleFour, DoubleFour),
        (".x.x*x.xo", Four, Four),
        (".ox.x*x.xo", Four, Four),
    ];
    for (row, caro, caro6) in cases {
        for color in Color::BOTH {
            assert_eq!(drawn(row, RuleKind::Caro, color), caro, "{row}, caro, {color}");
            assert_eq!(drawn(row, RuleKind::Caro6, color), caro6, "{row}, caro6, {color}");
        }
    }
}
