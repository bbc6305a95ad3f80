//! Replies to threats are complete, even if a stone far from the three refutes the threat because it makes the
//! straight-four point a foul.

use crate::common::data::point;
use crate::common::exhaustive::Exhaustive;
use crate::common::random::Random;
use crate::common::reference::Grid;
use kagetsu::game::{Board, Color, Direction, Point, Position, Renju, RuleKind, Shape, Size};
use kagetsu::solve::defend::{Defences, defences};
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};

/// The known position, moved to a smaller board for the brute force's sake.
///
/// Black has a three on the diagonal from d2 whose only straight-four point e3 is legal; a white stone on d6, off that
/// diagonal, makes it a double three.
const BLACK: [&str; 9] = ["d2", "e2", "e5", "f3", "f4", "g5", "g6", "h3", "h4"];
const WHITE: [&str; 1] = ["j4"];

fn size() -> Size {
    Size::new(11).unwrap()
}

fn stones() -> Vec<(Point, Color)> {
    let of = |names: &[&str], c| names.iter().map(|n| (point(n), c)).collect::<Vec<_>>();
    [of(&BLACK, Color::Black), of(&WHITE, Color::White)].concat()
}

fn stops(stones: &[(Point, Color)]) -> Option<(Position, Defences)> {
    let position = Position::from_stones(size(), stones.iter().copied(), Color::White).ok()?;
    let board = Board::<Renju>::from_position(&position).unwrap();
    if board.find_row().is_some() {
        return None;
    }
    let mut solvers = [(); 2].map(|()| Vcf::new(1 << 16));
    let found = defences(&mut solvers, &board, &mut Budget::unlimited(), || ());
    Some((position, found))
}

/// Every legal reply of White's, each judged by brute force.
fn stops_by_brute_force(position: &Position) -> Option<Vec<Point>> {
    let mut slow = Exhaustive::any(Grid::from_position(position), Color::Black, RuleKind::Renju, 3000);
    let replies: Vec<Point> = slow.grid.empties().collect();
    let mut found = Vec::new();
    for p in replies {
        slow.nodes = 0;
        slow.grid.set(p, crate::common::reference::Cell::Stone(Color::White));
        let white_wins = slow.grid.has_won(Color::White, RuleKind::Renju);
        let stopped = white_wins || slow.solve().is_none();
        slow.grid.set(p, crate::common::reference::Cell::Empty);
        if slow.gave_up() {
            return None;
        }
        if stopped {
            found.push(p);
        }
    }
    Some(found)
}

/// White replies off the line of the three that make its straight-four point a foul.
fn distant_replies(position: &Position) -> Vec<Point> {
    let mut board = Board::<Renju>::from_position(position).unwrap();
    let mut vcf = Vcf::new(1 << 16);
    vcf.solve(&board, Color::Black, &mut Budget::unlimited());
    let Some(first) = vcf.line().next() else { return Vec::new() };
    let straight = |&d: &Direction| board.shapes(first).get(Color::Black, d) == Shape::StraightFour;
    let Some(three) = Direction::ALL.into_iter().find(straight) else { return Vec::new() };
    let on_three = |p: Point| (-5..=5).any(|n| first.offset(three, n, size()) == Some(p));
    let empty = *board.empty();
    let distant = empty.iter().filter(|&p| p != first && !on_three(p));
    distant
        .filter(|&p| {
            board.play(p);
            let foul = board.is_foul(first, Color::Black);
            board.undo();
            foul
        })
        .collect()
}

#[test]
fn a_stone_off_the_line_makes_the_extension_a_foul() {
    let (position, found) = stops(&stones()).unwrap();
    assert_eq!(found.threat, Verdict::Win);
    assert!(distant_replies(&position).contains(&point("d6")));
    assert_eq!(stops_by_brute_force(&position), Some(found.stops));
    assert!(earlier_wins_are_proofs(&stones()) > 0);
}

/// Similar positions, found by adding stones. On each, the solver's list of defences equals that of a search that tries
/// every reply, and Black's wins by threats one move earlier pass the verifier, which tries every reply too.
#[test]
fn more_such_positions_found_by_search() {
    let mut random = Random::new(10);
    let base = stones();
    let (mut positions, mut wins) = (0, 0);
    while positions < 10 {
        let mut stones = base.clone();
        for _ in 0..1 + random.below(5) {
            stones.push((random.point(size()), Color::BOTH[random.below(2)]));
        }
        let Some((position, found)) = stops(&stones) else { continue };
        if found.threat != Verdict::Win || distant_replies(&position).is_empty() {
            continue;
        }
        let Some(expected) = stops_by_brute_force(&position) else { continue };
        assert_eq!(found.stops, expected, "{stones:?}");
        positions += 1;
        wins += earlier_wins_are_proofs(&stones);
    }
    assert!(wins >= positions, "{wins} wins");
}

/// Takes one black stone away and makes Black, to move, look for a win by threats. Returns how often there was one.
fn earlier_wins_are_proofs(stones: &[(Point, Color)]) -> usize {
    let mut wins = 0;
    for (i, _) in stones.iter().enumerate().filter(|(_, s)| s.1 == Color::Black) {
        let mut fewer = stones.to_vec();
        fewer.remove(i);
        let position = Position::from_stones(size(), fewer, Color::Black).unwrap();
        let mut board = Board::<Renju>::from_position(&position).unwrap();
        let mut vct = Vct::new(1 << 20);
        if vct.solve(&board, Color::Black, &mut Budget::nodes(20_000)) == Verdict::Win {
            let proof = vct.proof(&mut Budget::unlimited()).unwrap();
            assert_eq!(
                verify(&mut board, Color::Black, &proof, &mut Budget::unlimited()),
                Ok(()),
                "{position:?}"
            );
            wins += 1;
        }
    }
    wins
}
