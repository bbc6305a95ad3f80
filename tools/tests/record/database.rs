//! Databases of positions, and libraries exported from one, as Rapfi writes them.
//!
//! `rapfi.db` and `rapfi-lz4.db` are Rapfi's import of `openings26.lib`, `rapfi.lib` its export of that database.
//! `rapfi-values.db` was made there record by record; the values below are those of its own listing.

use kagetsu::game::notation::moves;
use kagetsu::game::openings26::Opening;
use kagetsu::game::{Color, RuleKind, Size};
use kagetsu_tools::record::{Charset, Format, Game, NodeId, Note, ReadOptions, Step};

const OPENINGS: &[u8] = include_bytes!("../../../tests/data/openings26.lib");
const IMPORTED: &[u8] = include_bytes!("../../../tests/data/rapfi.db");
const PACKED: &[u8] = include_bytes!("../../../tests/data/rapfi-lz4.db");
const EXPORTED: &[u8] = include_bytes!("../../../tests/data/rapfi.lib");
const VALUES: &[u8] = include_bytes!("../../../tests/data/rapfi-values.db");

fn read(format: Format, bytes: &[u8]) -> Vec<Game> {
    format.read(bytes, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn nodes(game: &Game) -> impl Iterator<Item = NodeId> + '_ {
    game.tree.walk().filter_map(|step| if let Step::Enter(id) = step { Some(id) } else { None })
}

/// Checks that each node of three stones has the code and the name of its opening, and gives their number.
fn named_openings(game: &Game) -> usize {
    let mut found = 0;
    for id in nodes(game) {
        let position = game.position(id).unwrap();
        if position.moves().len() == 3 {
            let opening = Opening::of_position(&position).expect("all are openings");
            let texts: Vec<_> = game.tree.notes(id).filter(|n| matches!(n, Note::BoardText(_))).collect();
            assert_eq!(texts, [Note::BoardText(opening.code)], "{}", moves::print(position.moves()));
            assert_eq!(game.tree.comment(id).map(str::trim_start), Some(opening.romaji));
            found += 1;
        }
    }
    found
}

#[test]
fn an_imported_library_is_the_library() {
    let games = read(Format::Db, IMPORTED);
    assert_eq!((games.len(), games[0].rule, games[0].size), (1, Some(RuleKind::Renju), Size::S15));
    // The empty board, h8, its two answers, 13 openings after each.
    assert_eq!(games[0].tree.len(), 1 + 1 + 2 + 26);
    assert_eq!(named_openings(&games[0]), 26);
    assert_eq!(read(Format::Db, PACKED), games);
}

#[test]
fn our_import_is_theirs_byte_for_byte() {
    let mut games = read(Format::Lib, OPENINGS);
    games[0].rule = Some(RuleKind::Renju);
    let written = Format::Db.write(&games, Charset::AUTO, false).unwrap();
    assert!(written == IMPORTED);
}

/// The export has every move of a position that leads to one in the database: all images of the openings.
#[test]
fn an_exported_library() {
    let games = read(Format::Lib, EXPORTED);
    // h8, then 4 + 4 answers, and after each the openings with their mirror images.
    assert_eq!(games[0].tree.len(), 1 + 193);
    assert_eq!(nodes(&games[0]).filter(|&id| games[0].position(id).unwrap().moves().len() == 2).count(), 8);
    let third: Vec<_> =
        nodes(&games[0]).filter(|&id| games[0].position(id).unwrap().moves().len() == 3).collect();
    assert_eq!(third.len(), 193 - 1 - 8);
    for id in third {
        let position = games[0].position(id).unwrap();
        let opening = Opening::of_position(&position).expect("all are openings");
        assert_eq!(games[0].tree.comment(id).map(str::trim_start), Some(opening.romaji));
        let code = games[0]
            .tree
            .notes(id)
            .find_map(|n| if let Note::BoardText(text) = n { Some(text) } else { None });
        // Only one of two mirror images has the text.
        assert!(code.is_none_or(|code| code == opening.code), "{code:?} for {}", opening.code);
    }
}

#[test]
fn values_passes_and_positions_alone() {
    let games = read(Format::Db, VALUES);
    let facts = |game: &Game, id| {
        let note = game
            .tree
            .notes(id)
            .find_map(|n| if let Note::Property("DB", v) = n { Some(v.to_owned()) } else { None });
        (moves::print(game.position(id).unwrap().moves()), note.unwrap_or_default())
    };
    let listed = |game: &Game| nodes(game).map(|id| facts(game, id)).collect::<Vec<_>>();
    let all = |of: &[(&str, &str)]| of.iter().map(|&(m, v)| (m.to_owned(), v.to_owned())).collect::<Vec<_>>();
    assert_eq!(games.len(), 3);
    assert_eq!((games[0].rule, games[0].size.side()), (Some(RuleKind::Freestyle), 6));
    // a1 in their listing, which counts rows from the top.
    assert_eq!(listed(&games[0]), all(&[("", ""), ("a6", "null 0 0 none")]));
    assert_eq!((games[1].rule, games[1].first), (Some(RuleKind::Renju), Color::Black));
    let renju = [
        ("", "null 0 0 none"),
        ("h8", "w -29980 12 exact"),
        ("h8g8", "l 120 20 upper"),
        ("h8g8f9", "d 0 0 none"),
        ("h8g8--", "! 35 -3 lower"),
    ];
    let mut found = listed(&games[1]);
    found.sort();
    let mut expected = all(&renju);
    expected.sort();
    assert_eq!(found, expected);
    let h8 = games[1].tree.first_child(NodeId::ROOT).unwrap();
    let labels: Vec<_> = games[1].tree.notes(h8).map(|n| format!("{n:?}")).collect();
    assert_eq!(labels[..1], ["Label(h9, \"B@b\")"]);
    let g8 = games[1].tree.children(h8).next().unwrap();
    assert_eq!(games[1].tree.notes(g8).next(), Some(Note::BoardText("A")));
    let texts: Vec<_> = nodes(&games[1]).filter_map(|id| games[1].tree.comment(id)).collect();
    assert!(texts.contains(&"五子棋") && texts.contains(&"after a pass"));
    assert_eq!(
        (games[2].rule, games[2].setup.len(), games[2].first),
        (Some(RuleKind::Standard), 5, Color::White)
    );
    assert_eq!(games[2].tree.comment(NodeId::ROOT), Some("alone"));
    assert_eq!(listed(&games[2]), all(&[("", "x 7 1 exact"), ("f15", "(5) 0 0 none")]));
    let written = Format::Db.write(&games, Charset::AUTO, false).unwrap();
    assert_eq!(written, VALUES, "the order of records and texts is kept");
}

/// A node without a move is the position of the node before it, not a pass. The text of the next move belongs there.
#[test]
fn nodes_without_a_move_are_no_passes() {
    let games = read(Format::Sgf, b"(;RU[4]SZ[15];B[hh];C[good];W[hg]LB[hg:x])");
    let bytes = Format::Db.write(&games, Charset::AUTO, false).unwrap();
    let game = &read(Format::Db, &bytes)[0];
    let facts = |id| {
        let notes: Vec<_> = game.tree.notes(id).map(|note| format!("{note:?}")).collect();
        (moves::print(game.position(id).unwrap().moves()), notes.join(" "))
    };
    let expected = [("", ""), ("h8", "Comment(\"good\")"), ("h8h9", "BoardText(\"x\")")];
    let expected = expected.map(|(moves, notes)| (moves.to_owned(), notes.to_owned()));
    assert_eq!(nodes(game).map(facts).collect::<Vec<_>>(), expected);
}

/// A database has positions, not games: without the empty board nothing would be left of a game that has no moves.
#[test]
fn a_game_without_moves_is_its_empty_board() {
    let games = read(Format::Sgf, b"(;RU[4]SZ[15])");
    let bytes = Format::Db.write(&games, Charset::AUTO, false).unwrap();
    let found = read(Format::Db, &bytes);
    assert_eq!((found.len(), found[0].rule, found[0].size), (1, Some(RuleKind::Renju), Size::S15));
    assert_eq!(found[0].tree.len(), 1);
    assert_eq!(Format::Db.write(&found, Charset::AUTO, false).unwrap(), bytes);
}

/// The texts of the empty board have an order too: here the one at the next move comes first.
#[test]
fn the_order_of_texts_at_the_root_goes_through_sgf() {
    let games = read(Format::Sgf, b"(;RU[4]SZ[15]LB[aa:b]DBO[h8 a15];B[hh]LB[hh:a])");
    let database = Format::Db.write(&games, Charset::AUTO, false).unwrap();
    let text = Format::Sgf.write(&read(Format::Db, &database), Charset::AUTO, false).unwrap();
    assert!(String::from_utf8_lossy(&text).contains("DBO[h8 a15]"), "{}", String::from_utf8_lossy(&text));
    assert_eq!(Format::Db.write(&read(Format::Sgf, &text), Charset::AUTO, false).unwrap(), database);
}

/// Two ways to a position: what each says of it must be the same.
#[test]
fn a_position_has_one_record() {
    let written = |first: &str, second: &str| {
        let ways = format!("(;B[hh];W[hg];B[ig]DB[{first}])(;B[ig];W[hg];B[hh]DB[{second}])");
        let games = read(Format::Sgf, format!("(;RU[4]SZ[15]{ways})").as_bytes());
        Format::Db.write(&games, Charset::AUTO, true).map_err(|error| error.to_string())
    };
    assert!(written("w 1 2 exact", "w 1 2 exact").is_ok());
    let refusal = "it cannot hold both 'w 1 2 exact' and 'l 3 4 exact' for one position";
    assert_eq!(written("w 1 2 exact", "l 3 4 exact"), Err(refusal.to_owned()));
}

/// A file may have more labels than a record has room for. The first label too many is an error.
#[test]
fn too_much_text_at_a_position_is_an_error() {
    let labels = |count: usize| (0..count).map(|i| format!("[hh:{i:0>98}]")).collect::<String>();
    let written = |count| {
        let game = format!("(;RU[4]SZ[15]LB{})", labels(count));
        Format::Db.write(&read(Format::Sgf, game.as_bytes()), Charset::AUTO, false)
    };
    assert!(written(600).is_ok());
    let error = written(5000).unwrap_err().to_string();
    assert_eq!(error, "it cannot hold more than 65530 bytes of text at one position");
}

#[test]
fn broken_files_say_the_byte() {
    let error = |bytes: &[u8]| Format::Db.read(bytes, &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(error(b"\x01\0"), "byte 2: the file ends where the number of records was expected");
    let cut = &IMPORTED[..IMPORTED.len() - 1];
    assert_eq!(error(cut), "byte 872: the file ends where the rest of a record was expected");
    assert_eq!(error(&[IMPORTED, b"x"].concat()), "byte 873: more bytes after the last record");
    // The first record, of the file's encoding, takes 27 bytes; then come the length of h8's key and the key.
    let changed = |at: usize, byte: u8| {
        let mut bytes = IMPORTED.to_vec();
        bytes[at] = byte;
        error(&bytes)
    };
    assert_eq!(changed(33, 3), "byte 33: rule: 0, 1 or 2 was expected");
    assert_eq!(changed(34, 16), "byte 34: a 16x15 board: only square boards are supported");
    assert_eq!(changed(36, 15), "byte 36: row 7, column 15 is off the 15x15 board");
    let record = |key: &[u8]| [&b"\x01\0\0\0"[..], &[key.len() as u8, 0], key, b"\0\0"].concat();
    assert_eq!(error(&record(b"\x02\x0f")), "byte 6: a rule and a board's width and height were expected");
    assert_eq!(error(&record(b"\x02\x04\x04")), "byte 7: board size 4 is not supported: expected 5 to 22");
    assert_eq!(error(&record(b"\x02\x0f\x0f\x07")), "byte 9: half a stone: a row was expected");
    assert_eq!(error(&record(b"\x02\x0f\x0f\x07\x07\x07\x07")), "byte 11: h8 is occupied");
    assert_eq!(error(&record(b"\x02\x0f\x0f\xff\xff\x07\x07\x01\x01")), "byte 11: a stone behind a pass");
    let passes = b"\x02\x0f\x0f\xff\xff\xff\xff\x07\x07";
    assert_eq!(error(&record(passes)), "byte 11: a second pass");
    // The same position twice, the second one turned over.
    let both =
        [&b"\x02\0\0\0"[..], b"\x05\0\x02\x0f\x0f\0\0\0\0", b"\x05\0\x02\x0f\x0f\x0e\x0e\0\0"].concat();
    assert_eq!(error(&both), "byte 13: the position of this record came before");
    let end = PACKED.len() - 20;
    assert!(
        error(&PACKED[..end]).ends_with("(counted in the unpacked content)"),
        "{}",
        error(&PACKED[..end])
    );
}
