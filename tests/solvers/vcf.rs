//! Wins by fours against an exhaustive search that shares only the stones, the winner test and the literal foul rule.

use crate::common::data::point;
use crate::common::exhaustive::Exhaustive;
use crate::common::random::Random;
use crate::common::reference::Grid;
use kagetsu::game::{Board, Caro, Color, Position, Rule, RuleKind, Size};
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vcf, Verdict};
use kagetsu::with_rule;

/// Compares one position; returns whether there is a win, or `None` if the exhaustive search was too large.
fn compare<R: Rule>(position: &Position, attacker: Color) -> Option<bool> {
    let grid = Grid::from_position(position);
    if Color::BOTH.into_iter().any(|c| grid.has_won(c, R::KIND)) {
        return None;
    }
    let mut slow = Exhaustive::shortest(grid, attacker, R::KIND, 400);
    let expected = slow.solve();
    if slow.gave_up() {
        return None;
    }
    let board = Board::<R>::from_position(position).unwrap();
    let mut vcf = Vcf::<R>::new(1 << 16);
    let first = vcf.solve(&board, attacker, &mut Budget::unlimited());
    let stones: Vec<String> = position.stones().map(|(p, c)| format!("{c} {p}")).collect();
    let at = format!("{} {attacker} {stones:?}", R::KIND);
    assert_eq!(first == Verdict::Win, expected.is_some(), "{at}");
    if let Some(length) = expected {
        // Search first with the table that the first search has filled, then with a cleared one.
        for _ in 0..2 {
            assert_eq!(vcf.shortest(&board, attacker, &mut Budget::unlimited()), (Verdict::Win, true));
            let moves = vcf.line().len() as u32;
            let five_at_once = !slow.wins(attacker).is_empty();
            assert_eq!(if five_at_once { 1 } else { moves + 2 }, length, "{at}");
            let proof = vcf.proof(&board, attacker, &mut Budget::unlimited()).unwrap();
            assert_eq!(
                verify(&mut board.clone(), attacker, &proof, &mut Budget::unlimited()),
                Ok(()),
                "{at}"
            );
            assert_eq!(proof.length() as u32, length, "{at}");
            vcf.clear();
        }
    }
    Some(expected.is_some())
}

#[test]
fn agrees_with_an_exhaustive_search() {
    let mut random = Random::new(4);
    for kind in RuleKind::ALL {
        let (mut wins, mut none) = (0, 0);
        while wins < 40 || none < 40 {
            let size = Size::new([7, 8, 9][random.below(3)]).unwrap();
            let stones = 10 + random.below(size.area() / 2);
            let position = random.position(size, stones);
            let attacker = Color::BOTH[random.below(2)];
            match with_rule!(kind, R => compare::<R>(&position, attacker)) {
                Some(true) => wins += 1,
                Some(false) => none += 1,
                None => {}
            }
        }
    }
}

/// Under caro a four has several replies. The proof against those off the main line may not be longer than that line.
#[test]
fn a_shortest_win_has_a_proof_as_short() {
    let black = "a3 a5 d5 g5 a6 e6 f6 a7 b7 d7 f7 h7 d8 f8 d9 g9 h9 i10 c11 e11";
    let white = "h3 a4 b5 f5 d6 g6 e7 g7 a8 c8 g8 c9 e9 d10 f10 g10 f11 g11 e12";
    let of = |names: &str, c| names.split(' ').map(|name| (point(name), c)).collect::<Vec<_>>();
    let stones = [of(black, Color::Black), of(white, Color::White)].concat();
    let position = Position::from_stones(Size::S15, stones, Color::White).unwrap();
    let board = Board::<Caro>::from_position(&position).unwrap();
    let mut vcf = Vcf::new(1 << 20);
    assert_eq!(vcf.shortest(&board, Color::White, &mut Budget::unlimited()), (Verdict::Win, true));
    let length = vcf.line().len() + 2;
    let proof = vcf.proof(&board, Color::White, &mut Budget::unlimited()).unwrap();
    assert_eq!(proof.length(), length);
    assert_eq!(verify(&mut board.clone(), Color::White, &proof, &mut Budget::unlimited()), Ok(()));
}
