//! RenLib libraries.

use kagetsu::game::notation::{self, moves};
use kagetsu::game::{Color, Move, Point, Size};
use kagetsu_tools::record::{Charset, Format, Game, NodeId, Note, ReadOptions, renlib};

use crate::generate::sorted_by;

/// All 26 openings with their names and codes. Another program has imported it: 29 nodes, each text at its point.
const OPENINGS: &[u8] = include_bytes!("../../../tests/data/openings26.lib");

#[test]
fn the_openings_library_comes_back_byte_for_byte() {
    let game = renlib::read(OPENINGS, Charset::AUTO).unwrap();
    assert_eq!(renlib::write(&game, Charset::AUTO).unwrap(), OPENINGS);
    // h8, its two answers, 13 openings after each.
    assert_eq!(game.tree.len(), 1 + 1 + 2 + 26);
}

#[test]
fn the_openings_library_has_the_openings() {
    let game = renlib::read(OPENINGS, Charset::AUTO).unwrap();
    for opening in kagetsu::game::openings26::OPENINGS {
        let found = (0..game.tree.len()).find_map(|i| {
            let id = game.tree.walk().filter_map(|step| match step {
                kagetsu_tools::record::Step::Enter(id) if id.index() == i => Some(id),
                _ => None,
            });
            let id = id.last()?;
            game.tree.notes(id).any(|n| n == Note::BoardText(opening.code)).then_some(id)
        });
        let id = found.unwrap_or_else(|| panic!("{} is there", opening.code));
        let position = game.position(id).unwrap();
        assert_eq!(position.moves(), opening.moves.map(Move::Place), "{}", opening.code);
        assert_eq!(game.tree.comment(id), Some(opening.romaji), "{}", opening.code);
    }
}

/// From the format's description: `h8` with a comment of two parts, a leaf.
#[test]
fn comments_of_several_lines_and_old_files() {
    let file = b"\x78\x48one\x08two\r\nthree\0\0";
    let game = renlib::read(file, Charset::AUTO).unwrap();
    let first = game.tree.first_child(NodeId::ROOT).unwrap();
    assert_eq!(game.tree.comment(first), Some("one\ntwo\nthree"));
    let written = renlib::write(&game, Charset::AUTO).unwrap();
    assert_eq!(written[20..], file[..]);
    let old_comment = b"\x78\x60ab\x01\x80";
    assert_eq!(renlib::read(old_comment, Charset::AUTO).unwrap().tree.len(), 2);
    let legacy = b"\x78\x48\xce\xe5\0\0";
    let game = renlib::read(legacy, "gbk".parse().unwrap()).unwrap();
    assert_eq!(game.tree.comment(first), Some("五"));
    assert_eq!(renlib::write(&game, "gbk".parse().unwrap()).unwrap()[20..], legacy[..]);
}

/// RenLib has one comment and one text at a node.
#[test]
fn several_texts_of_a_node_are_joined() {
    let mut game = Game::new(Size::S15);
    let node = game.tree.add(NodeId::ROOT, Some((Color::Black, Move::Place(Size::S15.center()))));
    let texts = [Note::Comment("one"), Note::BoardText("a"), Note::Comment("two"), Note::BoardText("b")];
    game.tree.annotate(node, texts);
    assert_eq!(renlib::write(&game, Charset::AUTO).unwrap()[20..], *b"\x78\x49\0\x01one\x08two\0a b\0");
}

/// Header of version 3.4.
const HEADER: [u8; 20] = *b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";

fn library(nodes: &[u8]) -> Vec<u8> {
    [&HEADER[..], nodes].concat()
}

/// By RenLib's source, flag 0x20 announces a comment of characters of 7 bits, the last of which has the eighth; '}' is å.
#[test]
fn comments_of_early_versions_are_read() {
    let game = renlib::read(b"\x78\x60a}\x08b\xe3\0", Charset::AUTO).unwrap();
    let first = game.tree.first_child(NodeId::ROOT).unwrap();
    assert_eq!(game.tree.comment(first), Some("aå\nbc"));
}

/// By RenLib's source, a text at a free point is a child with flag 0x02, no move: here A at h9, and h8 is the first move.
#[test]
fn a_text_at_a_free_point_is_a_label_of_the_position() {
    let h9 = notation::parse_point("h9", Size::S15).unwrap();
    let file = library(b"\0\0\x68\xc3\0\x01A\0\x78\x40");
    let game = renlib::read(&file, Charset::AUTO).unwrap();
    assert_eq!(moves::print(game.main_position(None).unwrap().moves()), "h8");
    assert_eq!(game.tree.len(), 2);
    assert_eq!(game.tree.notes(NodeId::ROOT).collect::<Vec<_>>(), [Note::Label(h9, "A")]);
    assert_eq!(Format::Lib.write(&[game], Charset::AUTO, false).unwrap(), file);
    // A deleted move leaves its comment too.
    let deleted = library(b"\0\0\x68\x4b\0\x01c\0A\0");
    let game = renlib::read(&deleted, Charset::AUTO).unwrap();
    let first = game.tree.first_child(NodeId::ROOT).unwrap();
    assert_eq!(game.tree.turn(first), None);
    assert_eq!(game.tree.notes(first).collect::<Vec<_>>(), [Note::Comment("c"), Note::Label(h9, "A")]);
}

/// RenLib reads any first node. Rapfi writes libraries without a root whose first moves, here g8 and h8, are siblings.
#[test]
fn a_library_without_a_root_may_begin_anywhere() {
    let game = renlib::read(&library(b"\x77\xc0\x78\x40"), Charset::AUTO).unwrap();
    let points: Vec<_> = game.tree.children(NodeId::ROOT).filter_map(|id| game.tree.point(id)).collect();
    assert_eq!(points, ["g8", "h8"].map(|name| notation::parse_point(name, Size::S15).unwrap()));
}

/// By RenLib's source, the moves that lead to a saved branch keep the flag of a sibling, 0x80, but the sibling is left out.
#[test]
fn branches_that_renlib_saved_are_read() {
    for (nodes, moves) in [(&b"\0\0\x78\x80\x68\x40"[..], 2), (b"\0\0\x78\x80\x67\xc0\x68\x40", 3)] {
        let game = renlib::read(&library(nodes), Charset::AUTO).unwrap();
        assert_eq!(game.tree.len(), 1 + moves, "{nodes:?}");
    }
    // The siblings of a move without children, and those of moves behind it, are never left out.
    for nodes in [&b"\0\0\x78\0\x67\xc0"[..], b"\0\0\x78\x80\x67\xc0\x68\0\x77\xc0"] {
        let error = renlib::read(&library(nodes), Charset::AUTO).unwrap_err().to_string();
        assert!(error.ends_with("the file ends where a node was expected"), "{nodes:?}: {error}");
    }
}

/// RenLib takes every node for a turn: behind one without a move it would exchange the colours.
#[test]
fn notes_without_a_move_go_to_the_move_before() {
    let file = b"(;SZ[15];C[a];B[hh]C[b];N[c]C[d]LB[aa:e];W[hg])";
    let games = Format::Sgf.read(file, &ReadOptions::default()).unwrap();
    let bytes = Format::Lib.write(&games, Charset::AUTO, false).unwrap();
    let nodes = b"\0\x08a\0\x78\x08b\x08d\r\nc\0\0\x01\xc3\0\x01e\0\x68\x40";
    assert_eq!(bytes, library(nodes));
}

/// RenLib takes the first node without a point for the root, and would lose a pass in that place.
#[test]
fn a_library_with_a_pass_has_a_root() {
    let mut game = Game::new(Size::S15);
    let h9 = notation::parse_point("h9", Size::S15).unwrap();
    let mut node = NodeId::ROOT;
    for turn in [
        (Color::Black, Move::Place(Size::S15.center())),
        (Color::White, Move::Pass),
        (Color::Black, Move::Place(h9)),
    ] {
        node = game.tree.add(node, Some(turn));
    }
    assert_eq!(renlib::write(&game, Charset::AUTO).unwrap(), library(b"\0\0\x78\0\0\0\x68\x40"));
}

#[test]
fn broken_files_say_the_byte() {
    let error = |bytes: &[u8]| renlib::read(bytes, Charset::AUTO).unwrap_err().to_string();
    assert_eq!(error(b""), "byte 0: the header of a RenLib file was expected");
    assert_eq!(error(&OPENINGS[..20]), "byte 20: the file ends where a node was expected");
    assert_eq!(error(&OPENINGS[..21]), "byte 21: the file ends where a node was expected");
    assert!(error(&OPENINGS[..10]).contains("byte 10"));
    assert!(error(b"\x78\x00\x78\x40").starts_with("byte 2: h8 is occupied"));
    assert!(error(b"\x78\x00\xf1\x40").starts_with("byte 2: 0xf1 is not a point"));
    assert!(error(b"\x78\x40\x78\x40").starts_with("byte 2: 2 more bytes"));
    let mut newer = OPENINGS.to_vec();
    newer[8] = 4;
    assert!(error(&newer).starts_with("byte 8: version 4.4"));
}

/// A tree of `width` children a node down to a depth, each annotated now and then.
fn big_tree(nodes: usize) -> Game {
    let mut game = Game::new(Size::S15);
    let mut level =
        vec![(game.tree.add(NodeId::ROOT, Some((Color::Black, Move::Place(Size::S15.center())))), 0usize)];
    let mut color = Color::White;
    let free: Vec<Point> = Size::S15.points().filter(|&p| p != Size::S15.center()).collect();
    while game.tree.len() < nodes {
        let mut next = Vec::new();
        for (parent, used) in level {
            // Points beyond those of the ancestors: no stone on another, and sorted siblings.
            for i in (used..free.len()).take(if next.is_empty() { 20 } else { 12 }) {
                if game.tree.len() == nodes {
                    break;
                }
                let node = game.tree.add(parent, Some((color, Move::Place(free[i]))));
                if game.tree.len().is_multiple_of(10) {
                    game.tree.annotate(node, [Note::Comment("good")]);
                }
                next.push((node, i + 1));
            }
        }
        level = next;
        color = !color;
    }
    game
}

#[test]
fn a_million_nodes() {
    let game = big_tree(1_000_000);
    let bytes = Format::Lib.write(std::slice::from_ref(&game), Charset::AUTO, false).unwrap();
    let read = renlib::read(&bytes, Charset::AUTO).unwrap();
    let key = |p: Option<Point>| p.map_or(0, |p| 1 + 16 * (14 - p.y()) + p.x());
    assert!(read.tree.len() == 1_000_000 && read == sorted_by(&game, key));
}
