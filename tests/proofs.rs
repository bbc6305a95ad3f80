//! Every win on the puzzles has a proof that the verifier accepts, and that files keep.

mod common;

use common::puzzle::{Puzzle, puzzles};
use kagetsu::game::{Board, Rule};
use kagetsu::solve::proof::{After, Turn};
use kagetsu::solve::proof_io::{Flat, from_sgf, to_sgf};
use kagetsu::solve::verify::{Flaw, verify};
use kagetsu::solve::{Budget, Vcf, Vct, Verdict};
use kagetsu::with_rule;

fn vcf_proof<R: Rule>(puzzle: &Puzzle, shortest: bool) -> (Board<R>, Turn) {
    let board = Board::<R>::from_position(&puzzle.position()).unwrap();
    let mut vcf = Vcf::new(1 << 20);
    let mut budget = Budget::unlimited();
    let verdict = if shortest {
        vcf.shortest(&board, puzzle.side(), &mut budget).0
    } else {
        vcf.solve(&board, puzzle.side(), &mut budget)
    };
    assert_eq!(verdict, Verdict::Win, "{}", puzzle.id);
    let proof = vcf.proof(&board, puzzle.side(), &mut budget).unwrap();
    (board, proof)
}

fn check_vcf<R: Rule>(puzzle: &Puzzle) {
    let (mut board, proof) = vcf_proof::<R>(puzzle, false);
    assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()), "{}", puzzle.id);
    let (mut board, proof) = vcf_proof::<R>(puzzle, true);
    assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()), "{}", puzzle.id);
    assert_eq!(Some(proof.length()), puzzle.win_len, "{}", puzzle.id);
    check_files(puzzle, &proof);
}

fn check_files(puzzle: &Puzzle, proof: &Turn) {
    let flat = serde_json::to_string(&Flat::of(proof)).unwrap();
    assert_eq!(serde_json::from_str::<Flat>(&flat).unwrap().turn().as_ref(), Ok(proof));
    let sgf = to_sgf(proof, &puzzle.position(), puzzle.side());
    assert_eq!(from_sgf(&sgf, puzzle.position().size(), puzzle.side()).as_ref(), Ok(proof));
}

fn check_vct<R: Rule>(puzzle: &Puzzle) {
    let mut board = Board::<R>::from_position(&puzzle.position()).unwrap();
    let mut vct = Vct::new(1 << 24);
    let mut budget = Budget::nodes(500_000);
    match vct.solve(&board, puzzle.side(), &mut budget) {
        Verdict::Win => {}
        // A hard one; a run without limits finds it.
        Verdict::Unknown => return,
        Verdict::NoWin => panic!("{}", puzzle.id),
    }
    let proof = vct.proof(&mut Budget::unlimited()).unwrap();
    assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()), "{}", puzzle.id);
    check_files(puzzle, &proof);
}

#[test]
fn wins_by_fours_are_proven() {
    for puzzle in puzzles().iter().filter(|p| p.kind == "vcf") {
        with_rule!(puzzle.rule(), R => check_vcf::<R>(puzzle));
    }
}

#[test]
fn wins_by_threats_are_proven() {
    for puzzle in puzzles().iter().filter(|p| p.kind == "vct") {
        with_rule!(puzzle.rule(), R => check_vct::<R>(puzzle));
    }
}

/// Drops the answer to one reply at a time, changes moves, and wants the verifier to notice.
#[test]
fn damaged_proofs_are_refused() {
    let all = puzzles();
    let puzzle = all.iter().find(|p| p.kind == "vcf" && p.win_len >= Some(11)).unwrap();
    with_rule!(puzzle.rule(), R => {
        let (mut board, proof) = vcf_proof::<R>(puzzle, true);
        let mut cut = proof.clone();
        let After::Replies { listed, .. } = &mut cut.after else { panic!() };
        let (reply, answer) = listed.remove(0);
        assert_eq!(verify(&mut board, puzzle.side(), &cut).unwrap_err().flaw, Flaw::Unanswered(reply));
        let occupied = puzzle.position().stones().next().unwrap().0;
        let moved = Turn { point: occupied, after: proof.after.clone() };
        assert_eq!(verify(&mut board, puzzle.side(), &moved).unwrap_err().flaw, Flaw::NotFree(occupied));
        let claimed = Turn::five(proof.point);
        assert_eq!(verify(&mut board, puzzle.side(), &claimed).unwrap_err().flaw, Flaw::NoFive(proof.point));
        // The answer's stones belong to another position: played at once they prove nothing.
        assert!(verify(&mut board, puzzle.side(), &answer).is_err());
        assert_eq!(verify(&mut board, puzzle.side(), &proof), Ok(()));
    });
}
