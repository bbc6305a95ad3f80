//! A solver's proof: a win by continuous fours, checked by a verifier that knows only the rules, and written as a tree.
//!
//! Run with `cargo run --example proof`.

use kagetsu::game::{Board, Color, Diagram, Freestyle, notation};
use kagetsu::solve::proof_io::to_sgf;
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vcf, Verdict};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two rows of three black stones, each closed at one end, meet at h8.
    let position = notation::parse("e8d8f8h4g8a1h5a3h6a5h7a7", None)?;
    println!("{}", Diagram::of(&position));
    let mut board = Board::<Freestyle>::from_position(&position)?;

    // A solver has a table of its own, here of a mebibyte, and works within a budget of nodes, time, or both.
    let mut vcf = Vcf::<Freestyle>::new(1 << 20);
    let mut budget = Budget::nodes(100_000);
    let (verdict, is_shortest) = vcf.shortest(&board, Color::Black, &mut budget);
    assert!(verdict == Verdict::Win && is_shortest);
    let proof = vcf.proof(&board, Color::Black, &mut budget).ok_or("the budget is used up")?;
    let line: Vec<_> = proof.line().iter().map(|p| p.map_or("any".into(), |p| p.to_string())).collect();
    println!("Black wins in {} plies: {}", proof.length(), line.join(" "));
    assert_eq!((proof.length(), line[0].as_str()), (3, "h8"));

    // The proof covers every reply. The verifier plays all of them.
    verify(&mut board, Color::Black, &proof, &mut Budget::unlimited())?;
    println!("{}", to_sgf(&proof, &position, Color::Black));
    Ok(())
}
