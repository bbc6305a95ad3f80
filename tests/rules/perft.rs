//! Perft against a brute force that knows only stones on a plain array.

use crate::common::data::foul_rows;
use crate::common::random::Random;
use crate::common::reference::{Cell, Grid};
use kagetsu::game::{Board, Color, Point, Position, Reading, RuleKind, Size, perft, perft_by_move};
use kagetsu::with_rule;

fn count(position: &Position, kind: RuleKind, depth: u32) -> u64 {
    with_rule!(kind, R => perft(&mut Board::<R>::from_position(position).unwrap(), depth))
}

fn check(position: &Position, kind: RuleKind, depth: u32) -> u64 {
    let games = count(position, kind, depth);
    let brute = Grid::from_position(position).perft(position.side(), depth, kind);
    assert_eq!(games, brute, "{kind} depth {depth} {position:?}");
    games
}

/// Before any row of five is possible the count is a falling factorial.
#[test]
fn empty_boards() {
    for side in [5, 6, 15, 22] {
        let area = (side * side) as u64;
        for kind in RuleKind::ALL {
            let position = Position::new(Size::new(side).unwrap());
            assert_eq!(count(&position, kind, 0), 1);
            assert_eq!(count(&position, kind, 1), area);
            assert_eq!(count(&position, kind, 2), area * (area - 1));
        }
    }
    for kind in RuleKind::ALL {
        let position = Position::new(Size::new(5).unwrap());
        assert_eq!(check(&position, kind, 4), 25 * 24 * 23 * 22);
    }
}

#[test]
fn small_boards_with_stones() {
    let mut random = Random::new(5);
    let mut ended = [0; 5];
    for kind in RuleKind::ALL {
        for round in 0..60 {
            let size = Size::new(5 + round % 3).unwrap();
            let stones = size.area() / 3 + random.below(size.area() / 3);
            let made = random.position(size, stones);
            // Setup stones: nobody has played the row among them, so the game continues.
            let position = Position::from_stones(size, made.stones(), made.side()).unwrap();
            let depth = if size.area() - stones > 24 { 2 } else { 3 };
            let empty = (size.area() - stones) as u64;
            let all: u64 = (0..u64::from(depth)).map(|i| empty - i).product();
            ended[kind as usize] += usize::from(check(&position, kind, depth) < all);
        }
    }
    assert!(ended.iter().all(|&n| n >= 10), "positions in which a game ends: {ended:?}");
}

#[test]
fn full_size_positions() {
    let mut random = Random::new(6);
    for row in foul_rows().iter().step_by(12) {
        check(&row.position(), RuleKind::Renju, 2);
        check(&row.position(), *random.choose(&RuleKind::ALL), 2);
    }
}

/// To the end of the game, with a handful of empty points.
#[test]
fn last_moves_of_the_game() {
    let mut random = Random::new(7);
    for kind in RuleKind::ALL {
        for _ in 0..20 {
            let size = Size::new(5 + random.below(2)).unwrap();
            let made = random.position(size, size.area() - 6);
            let position = Position::from_stones(size, made.stones(), made.side()).unwrap();
            for depth in 4..=7 {
                let games = check(&position, kind, depth);
                assert!(depth < 7 || games == 0, "no game is longer than the board has points");
            }
        }
    }
}

#[test]
fn nothing_follows_a_win() {
    let size = Size::S15;
    let row = (3..7).map(|x| (Point::new(x, 7), Color::Black));
    let mut position = Position::from_stones(size, row, Color::Black).unwrap();
    position.push(kagetsu::game::Move::Place(Point::new(7, 7))).unwrap();
    for kind in RuleKind::ALL {
        assert_eq!(count(&position, kind, 1), 0);
        assert_eq!(count(&position, kind, 0), 1);
    }
}

#[test]
fn division_sums_up_and_names_the_legal_moves() {
    for row in foul_rows().iter().step_by(40) {
        let mut board = Board::<kagetsu::game::Renju>::from_position(&row.position()).unwrap();
        let divided = perft_by_move(&mut board, 2);
        assert_eq!(divided.iter().map(|(_, games)| games).sum::<u64>(), perft(&mut board, 2));
        let mut grid = Grid::from_position(&row.position());
        let legal: Vec<Point> = grid
            .clone()
            .empties()
            .filter(|&p| grid.get(p) == Cell::Empty && !grid.verdict(p, Reading::Literal).is_foul())
            .collect();
        assert_eq!(divided.iter().map(|&(p, _)| p).collect::<Vec<_>>(), legal);
    }
}
