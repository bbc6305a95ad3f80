//! A foul explained: which threes and fours a black stone makes under Renju, and why each three counts or does not.
//!
//! Run with `cargo run --example fouls`.

use kagetsu::game::explain::FoulVerdict;
use kagetsu::game::{Board, Color, Diagram, Move, Renju, notation};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two threes of Black's cross at h8.
    let mut position = notation::parse("f8a1g8a3h9a5h10a7", None)?;
    let h8 = notation::parse_point("h8", position.size())?;
    let mut diagram = Diagram::of(&position);
    diagram.mark(h8, '!');
    println!("{diagram}");

    let board = Board::<Renju>::from_position(&position)?;
    let explanation = board.explain(h8);
    println!("{explanation}");
    let FoulVerdict::Foul(kinds) = explanation.verdict else { return Err("a foul was expected".into()) };
    assert_eq!((kinds.to_string().as_str(), explanation.threes.len()), ("33", 2));
    // The quick answers for a search agree.
    assert!(board.is_foul(h8, position.side()) && board.foul_kinds(h8) == kinds);

    // White stops one of the threes on both sides. Then the other is the only three, and the stone is legal.
    position.set_side(Color::White);
    for name in ["e8", "o1", "i8"] {
        position.push(Move::Place(notation::parse_point(name, position.size())?))?;
    }
    let explanation = Board::<Renju>::from_position(&position)?.explain(h8);
    println!("after e8 o1 i8\n{explanation}");
    assert_eq!(explanation.verdict, FoulVerdict::Legal);
    Ok(())
}
