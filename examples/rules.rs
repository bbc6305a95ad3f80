//! The rules core from Rust: positions from text, boards, legal moves, fouls with their reasons, ends of games.
//!
//! Run with `cargo run --example rules`.

use kagetsu::game::notation::{self, moves, setup};
use kagetsu::game::symmetry::Canonical;
use kagetsu::game::{Board, Color, Diagram, Endings, Freestyle, Move, Reading, Renju, RuleKind, Size};
use kagetsu::with_rule;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A position has stones and moves and knows no rule. It can be parsed from any notation.
    let mut position = notation::parse("D4 g9 i8", None)?;
    println!("{}", Diagram::of(&position));
    println!("moves {}, setup {}", moves::print(position.moves()), setup::print(&position));
    println!("the same in all its images: {:016x}", Canonical::of_position(&position).key);

    // Errors say what is wrong and where.
    println!("error: {}", notation::parse("h8i9h8", None).unwrap_err());
    position.push(Move::Place(notation::parse_point("j10", Size::S15)?))?;
    notation::validate(&position, RuleKind::Renju, Reading::Literal)?;

    // A board knows one rule, chosen at compile time, and keeps the line shapes of every point up to date.
    let mut board = Board::<Renju>::from_position(&position)?;
    let reply = notation::parse_point("h10", Size::S15)?;
    println!("{reply} for black: {:?}, legal: {}", board.level(reply, Color::Black), board.is_legal(reply));
    board.play(reply);
    board.undo();

    // Fouls, to any depth of the rule.
    let three_three = notation::parse("f8a1g8a3h9a5h10a7", None)?;
    let board = Board::<Renju>::from_position(&three_three)?;
    for p in board.fouls().iter() {
        println!("{p} is a foul: {}", board.foul_kinds(p));
    }
    assert_eq!(board.fouls().len(), 1);

    // A game ends by the rule, and by the additional ends that the players agreed on.
    let won = notation::parse("d4a1e4a2f4a3g4a4h4", None)?;
    let endings = Endings { two_passes: true, ..Endings::default() };
    let outcome = Board::<Freestyle>::from_position(&won)?.outcome(&endings);
    println!("outcome: {}", outcome.map_or("none yet".to_string(), |outcome| outcome.to_string()));

    // A rule chosen at run time becomes a type once, at the entry point.
    for rule in RuleKind::ALL {
        let legal = with_rule!(rule, R => {
            let board = Board::<R>::from_position(&three_three)?;
            board.empty().iter().filter(|&p| board.is_legal(p)).count()
        });
        println!("{rule}: {legal} legal moves");
    }
    Ok(())
}
