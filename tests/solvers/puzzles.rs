//! The puzzles: their wins by fours are found and proven shortest, and puzzles without a win have none.

use crate::common::puzzle::{Puzzle, puzzles};
use kagetsu::game::{Board, Rule};
use kagetsu::solve::{Budget, Vcf, Verdict};
use kagetsu::with_rule;

fn first_win<R: Rule>(puzzle: &Puzzle) {
    let board = Board::<R>::from_position(&puzzle.position()).unwrap();
    let mut vcf = Vcf::new(1 << 20);
    let expected = if puzzle.kind == "vcf" { Verdict::Win } else { Verdict::NoWin };
    let verdict = vcf.solve(&board, puzzle.side(), &mut Budget::nodes(2_000_000));
    assert_eq!(verdict, expected, "{}", puzzle.id);
}

fn shortest<R: Rule>(puzzle: &Puzzle) {
    let board = Board::<R>::from_position(&puzzle.position()).unwrap();
    let mut vcf = Vcf::new(1 << 22);
    let verdict = vcf.shortest(&board, puzzle.side(), &mut Budget::nodes(20_000_000));
    assert_eq!(verdict, (Verdict::Win, true), "{}", puzzle.id);
    assert_eq!(Some(vcf.line().len() + 2), puzzle.win_len, "{}", puzzle.id);
}

#[test]
fn wins_by_fours_are_found_where_there_are_any() {
    for puzzle in puzzles() {
        with_rule!(puzzle.rule(), R => first_win::<R>(&puzzle));
    }
}

#[test]
fn shortest_wins_by_fours_have_the_known_length() {
    for puzzle in puzzles().iter().filter(|p| p.kind == "vcf") {
        with_rule!(puzzle.rule(), R => shortest::<R>(puzzle));
    }
}
