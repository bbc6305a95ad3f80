//! Replies to threats: complete also where a stone far from the three refutes it, because it makes the straight-four
//! point a foul.

mod common;

use common::data::point;
use common::exhaustive::{Exhaustive, MAX_NODES};
use common::random::Random;
use common::reference::Grid;
use kagetsu::game::{Board, Color, Direction, Point, Position, Renju, RuleKind, Size};
use kagetsu::solve::defend::{Defences, defences};
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};

/// Black has a three on the diagonal i4 to m8 whose only straight-four point is j5; a white stone on i8, off that
/// diagonal, makes j5 a double three.
const BLACK: [&str; 9] = ["i4", "j4", "j7", "k5", "k6", "l7", "l8", "m5", "m6"];
const WHITE: [&str; 1] = ["o6"];

fn stones() -> Vec<(Point, Color)> {
    let of = |names: &[&str], c| names.iter().map(|n| (point(n), c)).collect::<Vec<_>>();
    [of(&BLACK, Color::Black), of(&WHITE, Color::White)].concat()
}

fn stops(stones: &[(Point, Color)]) -> Option<(Position, Defences)> {
    let position = Position::from_stones(Size::S15, stones.iter().copied(), Color::White).ok()?;
    let mut board = Board::<Renju>::from_position(&position).unwrap();
    if board.find_row().is_some() {
        return None;
    }
    let mut vcf = Vcf::new(1 << 16);
    let found = defences(&mut vcf, &mut board, &mut Budget::unlimited(), || ());
    Some((position, found))
}

/// Every legal reply of White's, each judged by brute force.
fn stops_by_brute_force(position: &Position) -> Option<Vec<Point>> {
    let mut slow = Exhaustive::new(Grid::from_position(position), Color::Black, RuleKind::Renju);
    let replies: Vec<Point> = slow.grid.empties().collect();
    let mut found = Vec::new();
    for p in replies {
        slow.nodes = 0;
        slow.grid.set(p, common::reference::Cell::Stone(Color::White));
        let white_wins = slow.grid.has_won(Color::White, RuleKind::Renju);
        let stopped = white_wins || slow.solve().is_none();
        slow.grid.set(p, common::reference::Cell::Empty);
        if slow.nodes > MAX_NODES {
            return None;
        }
        if stopped {
            found.push(p);
        }
    }
    Some(found)
}

#[test]
fn a_stone_off_the_line_of_the_three_refutes_it() {
    let (position, found) = stops(&stones()).unwrap();
    assert_eq!(found.threat, Verdict::Win);
    assert!(found.stops.contains(&point("i8")));
    assert_eq!(stops_by_brute_force(&position), Some(found.stops));
}

fn on_one_line(a: Point, b: Point) -> bool {
    let near = |d| (-5..=5).any(|n| a.offset(d, n, Size::S15) == Some(b));
    Direction::ALL.into_iter().any(near)
}

/// Whether a quiet white reply far from every point of Black's line stops it.
fn has_distant_stop(position: &Position, found: &Defences) -> bool {
    let board = Board::<Renju>::from_position(position).unwrap();
    let mut vcf = Vcf::new(1 << 16);
    vcf.solve(&board, Color::Black, &mut Budget::unlimited());
    let line: Vec<Point> = vcf.line().collect();
    let quiet = |p: &&Point| !board.level(**p, Color::White).makes_four();
    found.stops.iter().filter(quiet).any(|&p| !line.iter().any(|&q| on_one_line(p, q)))
}

/// Positions like it, found by adding stones; on each the solver's list equals the brute-force one, and Black's wins by
/// threats one move earlier pass the verifier, which tries every reply.
#[test]
fn more_such_positions_found_by_search() {
    let mut random = Random::new(10);
    let base = stones();
    let mut found_positions = 0;
    while found_positions < 12 {
        let mut stones = base.clone();
        for _ in 0..1 + random.below(4) {
            stones.push((random.point(Size::S15), Color::BOTH[random.below(2)]));
        }
        let Some((position, found)) = stops(&stones) else { continue };
        if found.threat != Verdict::Win || !has_distant_stop(&position, &found) {
            continue;
        }
        let Some(expected) = stops_by_brute_force(&position) else { continue };
        assert_eq!(found.stops, expected, "{stones:?}");
        found_positions += 1;
        earlier_wins_are_proofs(&stones);
    }
}

/// Takes one black stone away and lets Black, to move, look for a win by threats.
fn earlier_wins_are_proofs(stones: &[(Point, Color)]) {
    for (i, _) in stones.iter().enumerate().filter(|(_, s)| s.1 == Color::Black) {
        let mut fewer = stones.to_vec();
        fewer.remove(i);
        let position = Position::from_stones(Size::S15, fewer, Color::Black).unwrap();
        let mut board = Board::<Renju>::from_position(&position).unwrap();
        let mut vct = Vct::new(1 << 20);
        if vct.solve(&board, Color::Black, &mut Budget::nodes(20_000)) == Verdict::Win {
            let proof = vct.proof(&mut Budget::unlimited()).unwrap();
            assert_eq!(verify(&mut board, Color::Black, &proof), Ok(()), "{position:?}");
        }
    }
}
