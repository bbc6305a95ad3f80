//! Fouls: every position of the data files, by the fast form and by the reference; then fast form against reference on
//! random, dense and adversarial points.

use std::collections::BTreeMap;

use crate::common::data::{FoulRow, figures, foul_rows, point, worst_fouls};
use crate::common::random::Random;
use crate::common::reference::{Cell, Expected, Grid};
use kagetsu::game::{Board, Color, Level, Point, PointSet, Position, Reading, Renju, Size, fouls_of};

/// Returns the verdict of the fast form on a point.
fn fast(board: &Board<Renju>, p: Point) -> Expected {
    match board.level(p, Color::Black) {
        Level::Five => Expected::Five,
        _ => Expected::Other(board.foul_kinds(p)),
    }
}

fn expected(row: &FoulRow, name: &str) -> String {
    if row.fives.iter().any(|p| p == name) {
        return "five".into();
    }
    row.forbidden.get(name).cloned().unwrap_or_else(|| "legal".into())
}

fn text(verdict: Expected) -> String {
    match verdict {
        Expected::Five => "five".into(),
        Expected::Other(kinds) if kinds.any() => kinds.to_string(),
        Expected::Other(_) => "legal".into(),
    }
}

#[test]
fn data_positions_have_exactly_their_fouls() {
    let rows = foul_rows();
    assert_eq!(rows.len(), 621);
    for row in &rows {
        let board = Board::<Renju>::from_position(&row.position()).unwrap();
        let mut grid = Grid::from_position(&row.position());
        for p in board.empty().iter() {
            let want = expected(row, &p.to_string());
            assert_eq!(text(fast(&board, p)), want, "{} {p}", row.id);
            assert_eq!(text(grid.verdict(p, Reading::Literal)), want, "{} {p}: reference", row.id);
            assert_eq!(board.is_foul(p, Color::Black), row.forbidden.contains_key(&p.to_string()));
            assert!(!board.is_foul(p, Color::White));
            let pseudo = row.pseudo.contains(&p.to_string());
            assert_eq!(board.is_false_foul(p), pseudo, "{} {p}: false foul", row.id);
            assert_eq!(grid.is_pseudo(p, Reading::Literal), pseudo, "{} {p}: false foul, reference", row.id);
        }
    }
}

#[test]
fn other_reading_differs_exactly_where_the_data_says() {
    let mut differences = 0;
    for row in &foul_rows() {
        let mut board = Board::<Renju>::from_position(&row.position()).unwrap();
        board.set_reading(Reading::FiveExtends);
        let mut grid = Grid::from_position(&row.position());
        for p in board.empty().iter() {
            let name = p.to_string();
            let found = text(fast(&board, p));
            assert_eq!(text(grid.verdict(p, Reading::FiveExtends)), found, "{} {p}: reference", row.id);
            assert_eq!(board.is_foul(p, Color::Black), found != "five" && found != "legal");
            match row.five_ext_alt.get(&name) {
                Some(other) => assert_eq!(&found, other, "{} {p}", row.id),
                // The kinds may differ, because a foul for two reasons may lose one. The verdict is the same.
                None => assert_eq!(found == "legal", expected(row, &name) == "legal", "{} {p}", row.id),
            }
        }
        differences += row.five_ext_alt.len();
    }
    assert!(differences > 60);
}

#[test]
fn textbook_figures() {
    let figures = figures();
    assert_eq!(figures.len(), 27);
    for figure in &figures {
        let p = point(&figure.point);
        let board = Board::<Renju>::from_position(&figure.position()).unwrap();
        let mut grid = Grid::from_position(&figure.position());
        let name = format!("figure {} {}: {}", figure.fig, figure.label, figure.desc);
        assert_eq!(text(fast(&board, p)), figure.verdict_for_black, "{name}");
        assert_eq!(text(grid.verdict(p, Reading::Literal)), figure.verdict_for_black, "{name}: reference");
    }
}

/// Compares all empty points of a position, in both readings; counts the comparisons by verdict in `seen`.
fn compare(position: &Position, seen: &mut BTreeMap<String, usize>) {
    let mut board = Board::<Renju>::from_position(position).unwrap();
    let mut grid = Grid::from_position(position);
    for reading in [Reading::Literal, Reading::FiveExtends] {
        board.set_reading(reading);
        for p in board.empty().iter() {
            let want = grid.verdict(p, reading);
            assert_eq!(fast(&board, p), want, "{p} {reading:?} {position:?}");
            assert_eq!(board.is_foul(p, Color::Black), want.is_foul(), "{p} {reading:?} {position:?}");
            *seen.entry(text(want)).or_default() += 1;
        }
        // The forms that answer for the whole board.
        let fouls: PointSet = board.empty().iter().filter(|&p| board.is_foul(p, Color::Black)).collect();
        assert_eq!(board.fouls(), fouls);
        let stones = Color::BOTH.map(|c| board.stones_of(c));
        assert_eq!(fouls_of(board.size(), stones, reading), fouls);
    }
}

#[test]
fn the_deepest_recursions_are_right() {
    let mut seen = BTreeMap::new();
    // The reference would take minutes for larger boards. There a unit test compares with the rule word by word.
    let positions: Vec<Position> = worst_fouls().into_iter().filter(|p| p.size() == Size::S15).collect();
    assert!(positions.len() >= 5);
    positions.iter().for_each(|position| compare(position, &mut seen));
    assert!(seen["33"] > 20, "{seen:?}");
}

/// Compares at least `wanted` points of positions made from `seed`.
fn compare_many(seed: u64, wanted: usize) {
    let rows: Vec<Position> = foul_rows().iter().map(FoulRow::position).collect();
    let mut random = Random::new(seed);
    let mut seen = BTreeMap::new();
    let mut positions = 0;
    while seen.values().sum::<usize>() < wanted {
        let position = match positions % 4 {
            0 => {
                let size = Size::new(5 + random.below(18)).unwrap();
                let stones = random.below(size.area() * 2 / 3);
                random.position(size, stones)
            }
            1 => black_cluster(&mut random),
            _ => {
                let row = random.below(rows.len());
                perturbed(&rows[row], &mut random)
            }
        };
        compare(&position, &mut seen);
        positions += 1;
    }
    println!("{positions} positions, points by verdict: {seen:?}");
    // The sample is large enough: every kind and mixture of kinds is in it.
    for verdict in ["five", "6", "44", "33", "6+44", "6+33", "44+33"] {
        assert!(seen.get(verdict).is_some_and(|&n| n > 0), "no {verdict} among {seen:?}");
    }
}

/// Black stones close together with a few white ones among them. Such positions do not come up in games.
fn black_cluster(random: &mut Random) -> Position {
    let side = 5 + random.below(7);
    let (left, bottom) = (random.below(16 - side), random.below(16 - side));
    let black = 15 + random.below(30);
    let white = random.below(8);
    let mut stones: Vec<(Point, Color)> = Vec::new();
    for p in Size::S15.points() {
        let inside = (left..left + side).contains(&p.x()) && (bottom..bottom + side).contains(&p.y());
        match random.below(100) {
            n if inside && n < black => stones.push((p, Color::Black)),
            n if inside && n < black + white => stones.push((p, Color::White)),
            _ => {}
        }
    }
    Position::from_stones(Size::S15, stones, Color::Black).unwrap()
}

/// A position of the data turned, shifted, and changed by a few stones, on a board of any size that holds it.
fn perturbed(position: &Position, random: &mut Random) -> Position {
    let size = Size::new(*random.choose(&[12, 13, 14, 15, 15, 15, 16, 20, 22])).unwrap();
    let (flip_x, flip_y, swap) = (random.below(2) == 1, random.below(2) == 1, random.below(2) == 1);
    let shift = |random: &mut Random| if random.below(2) == 0 { 0 } else { random.below(5) as i32 - 2 };
    let (dx, dy) = (shift(random), shift(random));
    let mut grid = Grid::new(size);
    for (p, color) in position.stones() {
        let (x, y) = if swap { (p.y(), p.x()) } else { (p.x(), p.y()) };
        let x = if flip_x { 14 - x } else { x } as i32 + dx;
        let y = if flip_y { 14 - y } else { y } as i32 + dy;
        if x >= 0 && y >= 0 && size.contains(x as usize, y as usize) {
            grid.set(Point::new(x as usize, y as usize), Cell::Stone(color));
        }
    }
    for _ in 0..random.below(4) {
        let stones: Vec<(Point, Color)> = grid.stones().collect();
        if !stones.is_empty() && random.below(2) == 0 {
            grid.set(random.choose(&stones).0, Cell::Empty);
        }
        let color = if random.below(3) == 0 { Color::White } else { Color::Black };
        if let (true, Some(p)) = (random.below(2) == 0, random.empty_point(&grid)) {
            grid.set(p, Cell::Stone(color));
        }
    }
    Position::from_stones(size, grid.stones(), Color::Black).unwrap()
}

#[test]
fn fast_form_equals_the_reference() {
    compare_many(1, 200_000);
}

#[test]
#[ignore = "12 million points, about half a minute: the whole of fast_form_equals_the_reference"]
fn fast_form_equals_the_reference_on_twelve_million_points() {
    compare_many(2, 12_000_000);
}
