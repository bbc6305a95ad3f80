//! A game file with variations: read, walked, extended, and written in other formats.
//!
//! Run with `cargo run -p kagetsu-tools --example variations`.

use kagetsu::game::notation::{self, parse_point};
use kagetsu::game::{Color, Move, RuleKind};
use kagetsu_tools::record::{Charset, Format, Note, ReadOptions, Step};

/// White has two answers to the first move; one of them has a comment.
const FILE: &[u8] = b"(;GM[4]SZ[15]RU[renju];B[hh](;W[hg];B[if])(;W[ig]C[The indirect openings.];B[jf]))";

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Format::Sgf.read(FILE, &ReadOptions::default())?.remove(0);
    assert_eq!(game.rule, Some(RuleKind::Renju));

    // The walk is depth first, and enters the main line before its variations.
    let mut depth = 0;
    let mut ends = Vec::new();
    for step in game.tree.walk() {
        match step {
            Step::Enter(node) => {
                let turn = game.tree.turn(node).map_or("start".to_owned(), |(_, m)| m.to_string());
                println!("{:depth$}{turn} {}", "", game.tree.comment(node).unwrap_or_default());
                if game.tree.first_child(node).is_none() {
                    ends.push(notation::print(&game.position(node)?));
                }
                depth += 2;
            }
            Step::Leave(_) => depth -= 2,
        }
    }
    assert_eq!(ends, ["h8h9i10", "h8i9j10"]);

    // A third answer: a child of the first move, which stands behind the root on the main line.
    let first = game.tree.main_line().nth(1).ok_or("a move was expected")?;
    let reply = Move::Place(parse_point("j8", game.size)?);
    let added = game.tree.add(first, Some((Color::White, reply)));
    game.tree.annotate(added, [Note::Comment("Not one of the 26 openings.")]);
    assert_eq!(game.tree.children(first).count(), 3);

    let games = [game];
    let sgf = Format::Sgf.write(&games, Charset::default(), false)?;
    println!("{}", String::from_utf8_lossy(&sgf));
    assert_eq!(Format::Sgf.read(&sgf, &ReadOptions::default())?, games);

    // No loss is silent: Piskvork's format has one line of moves, so its writer must be told to
    // leave out the rest.
    println!("PSQ: {}", Format::Psq.write(&games, Charset::default(), false).unwrap_err());
    let psq = String::from_utf8(Format::Psq.write(&games, Charset::default(), true)?)?;
    assert!(psq.contains("\n8,8,0\n8,7,0\n9,6,0\n"), "{psq}");
    Ok(())
}
