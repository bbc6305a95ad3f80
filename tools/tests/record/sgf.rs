//! SGF as programs and servers write it.

use kagetsu::game::notation::{moves, setup};
use kagetsu::game::{Color, RuleKind};
use kagetsu_tools::record::{Charset, Format, Game, GameResult, Mark, NodeId, Note, sgf};

fn read(text: &str) -> Vec<Game> {
    sgf::read(text.as_bytes(), Charset::AUTO).unwrap_or_else(|error| panic!("{error}"))
}

fn moves_of(game: &Game) -> String {
    moves::print(game.main_position(None).unwrap().moves())
}

#[test]
fn a_manager_s_games() {
    let text = "(;FF[4]GM[4]GN[1]EV[x]DT[2024.01.01]RO[1]RU[4]SZ[15]PB[one]PW[two]RE[W+1]TE[five]\n\
                ;B[hh]C[opening move];W[ig]C[171ms])\n(;FF[4]GM[4]RU[0]SZ[20]RE[0];B[aa])";
    let games = read(text);
    assert_eq!(games.len(), 2);
    assert_eq!(moves_of(&games[0]), "h8i9");
    assert_eq!(games[0].rule, Some(RuleKind::Renju));
    assert_eq!(games[0].result, Some(GameResult::Win(Color::White)));
    assert_eq!(games[0].property("PW"), Some("two"));
    assert_eq!((moves_of(&games[1]).as_str(), games[1].result), ("a20", Some(GameResult::Draw)));
}

#[test]
fn dialects() {
    assert_eq!(moves_of(&read("(;GM[5];B[h8];W[H9];B[a1])")[0]), "h8h9a1", "points by name");
    assert_eq!(moves_of(&read("(;B[hh];W[tt];B[];W[aa])")[0]), "h8----a15", "passes");
    assert_eq!(moves_of(&read("(;GameMove[4]BoardSZ[15];Black[hh])")[0]), "h8", "lower case in names");
    let tt = &read("(;SZ[20];B[tt])")[0];
    assert_eq!(moves_of(tt), "t1", "a point of this board");
    assert_eq!(read("(;GM[1];B[ss])")[0].size.side(), 19);
    assert_eq!(read("(;RU[RIF];B[hh])")[0].rule, Some(RuleKind::Renju));
    assert_eq!(moves_of(&read("(;B[hh]W[ih])")[0]), "h8i8", "two moves in a node");
    for (text, result) in [("B+R", Color::Black), ("W+T", Color::White), ("B+", Color::Black)] {
        assert_eq!(read(&format!("(;RE[{text}])"))[0].result, Some(GameResult::Win(result)));
    }
    // A trail byte of this Shift_JIS character is a backslash.
    let japanese = b"(;CA[shift_jis]C[\x95\x5c];B[hh])";
    assert_eq!(sgf::read(japanese, Charset::AUTO).unwrap()[0].tree.comment(NodeId::ROOT), Some("表"));
}

/// A comment may speak of encodings. A collection has that of the first root that names one.
#[test]
fn a_comment_names_no_encoding() {
    let comment = |file: &[u8], number: usize| {
        let games = sgf::read(file, Charset::AUTO).unwrap();
        games[number].tree.comment(NodeId::ROOT).map(str::to_owned)
    };
    assert_eq!(comment("(;C[é: CA[gbk];B[hh])".as_bytes(), 0).as_deref(), Some("é: CA[gbk"));
    assert_eq!(comment(b"(;C[\xce\xe5: CA[utf-8]CA[gbk];B[hh])", 0).as_deref(), Some("五: CA[utf-8"));
    assert_eq!(comment(b"(;B[hh])(;CA[gbk]C[\xce\xe5])", 1).as_deref(), Some("五"));
}

fn written(text: &str) -> String {
    sgf::write(&read(text))
}

/// The kind of win is an ordinary text, and may be missing.
#[test]
fn results_come_back_as_they_were_said() {
    for said in ["W+T", "B+R", "W+2", "Void"] {
        let text = written(&format!("(;SZ[15]PB[a]RE[{said}];B[hh])"));
        assert!(text.contains(&format!("SZ[15]PB[a]RE[{said}]\n")), "{text}");
        assert_eq!(read(&text), read(&format!("(;PB[a]RE[{said}];B[hh])")));
    }
    for (said, plain) in [("B+", "B+1"), ("B+1", "B+1"), ("W+", "W+1"), ("Draw", "0")] {
        let text = written(&format!("(;SZ[15]PB[a]RE[{said}];B[hh])"));
        assert!(text.contains(&format!("SZ[15]RE[{plain}]PB[a]\n")), "{text}");
    }
    for several in ["[W+1][B+R]", "[B+R][W+1]", "[B+1][B+1]", "[?][W+][W+R]"] {
        let games = read(&format!("(;RE{several};B[hh])"));
        assert_eq!(read(&sgf::write(&games)), games, "{several}");
    }
    assert_eq!(read("(;RE[B+R][W+1])")[0].result, Some(GameResult::Win(Color::Black)), "the first one");
    // Other formats have no place for it, and say so.
    let games = read("(;SZ[15]RE[B+R];B[hh])");
    let error = Format::Psq.write(&games, Charset::AUTO, false).unwrap_err();
    assert_eq!(error.to_string(), "it cannot hold other facts about the game");
}

/// By the standard, a node has each property once, and a list of labels has each point once.
#[test]
fn properties_are_named_once() {
    let text = written("(;SZ[15];B[hh]N[Main line]LB[hh:1];W[hg]C[a]XX[1]DD[aa]C[b]DD[bb])");
    assert!(text.contains(";B[hh]LB[hh:1]N[Main line]\n"), "{text}");
    assert!(text.ends_with("\n;W[hg]C[a\nb]XX[1]DD[aa][bb])\n"), "{text}");
    let games = read(&text);
    let first = games[0].tree.first_child(NodeId::ROOT).unwrap();
    let notes: Vec<_> = games[0].tree.notes(first).collect();
    assert_eq!(notes, [Note::BoardText("1"), Note::Property("N", "Main line")]);
    // Without a stone a text on the board has no other place.
    assert!(written("(;SZ[15];N[name]AB[hh])").ends_with("\n;AB[hh]N[name])\n"));
}

/// Texts that a fuzzer found to change in a round trip.
#[test]
fn strange_properties_come_back() {
    let two_results = "(;RE[W+2][unknown]RU[4][Some rule]DB[w 1 2 exact]V[3]AB[aa])";
    let game = &read(two_results)[0];
    assert_eq!((game.result, game.rule), (Some(GameResult::Win(Color::White)), Some(RuleKind::Renju)));
    assert_eq!(read(&sgf::write(std::slice::from_ref(game)))[0], *game);
    let named = &read("(;RU[8][Tarannikov][1])")[0];
    assert_eq!((named.rule, named.property("RU")), (Some(RuleKind::Caro6), Some("Tarannikov")));
    assert_eq!(read(&sgf::write(std::slice::from_ref(named)))[0], *named);
    let mut game = game.clone();
    game.tree.annotate(NodeId::ROOT, [Note::Comment("a\rb\r\nc")]);
    assert_eq!(read(&sgf::write(&[game]))[0].tree.comment(NodeId::ROOT), Some("a\nb\nc"));
}

#[test]
fn setup_marks_and_variations() {
    let game =
        &read("(;SZ[5]AB[aa:ba][ee]AW[ca]PL[W]TR[aa];W[cc]LB[cc:A][dd:B\\]](;B[dd])(;B[db]CR[aa:bb]))")[0];
    assert_eq!(setup::print(&game.main_position(Some(0)).unwrap()), "xxo2/5/5/5/4x o");
    assert_eq!(moves_of(game), "c3d2");
    // Without moves and without PL the stones tell the side to move.
    let sides =
        [("AB[aa][ab]AW[bb]", "o"), ("AB[aa]AW[bb]", "x"), ("AB[aa][ab]AW[bb]PL[B]", "x"), ("AB[aa]", "o")];
    for (stones, side) in sides {
        let game = &read(&format!("(;SZ[5]{stones})"))[0];
        let text = setup::print(&game.main_position(None).unwrap());
        assert!(text.ends_with(side), "{stones}: {text}");
        assert_eq!(read(&sgf::write(std::slice::from_ref(game)))[0], *game, "{stones}");
    }
    let first = game.tree.first_child(NodeId::ROOT).unwrap();
    let notes: Vec<_> = game.tree.notes(first).map(|n| format!("{n:?}")).collect();
    assert_eq!(notes, ["BoardText(\"A\")", "Label(d2, \"B]\")"]);
    let second = game.tree.children(first).nth(1).unwrap();
    assert_eq!(moves::print(game.position(second).unwrap().moves()), "c3d4");
    let circles = game.tree.notes(second).filter(|n| matches!(n, Note::Mark(_, Mark::Circle)));
    assert_eq!(circles.count(), 4);
}

/// An endless file gives its games one by one, and the reader holds only one of them.
#[test]
fn collections_are_read_game_by_game() {
    struct Endless(u64);

    impl std::io::Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let game = b"(;FF[4]CA[gbk]C[\xce\xe5\\](];B[hh];W[ii])\n";
            for byte in out.iter_mut() {
                *byte = game[(self.0 % game.len() as u64) as usize];
                self.0 += 1;
            }
            Ok(out.len())
        }
    }

    let input = std::io::BufReader::new(Endless(0));
    let games = sgf::games(input, Charset::AUTO).unwrap();
    for game in games.take(10_000) {
        let game = game.unwrap();
        assert_eq!((game.tree.comment(NodeId::ROOT), moves_of(&game)), (Some("五]("), "h8i7".to_string()));
    }
}

#[test]
fn games_behind_a_wrong_one_are_read() {
    let file =
        "From: (me)\n(;B[hh])\n(;B[hh]\n;W[hh];C[(])\n(;SZ[?](;B[aa]))C[x](;\nB[ii])\n)\n(;B[zz])(;B[hh]";
    let found: Vec<String> = sgf::games(file.as_bytes(), Charset::AUTO)
        .unwrap()
        .map(|game| game.map_or_else(|error| error.to_string(), |game| moves_of(&game)))
        .collect();
    let expected = [
        "h8",
        "line 4: h8 is occupied",
        "line 5: SZ[?]: a number was expected",
        "i7",
        "line 7: ')' without its '('",
        "line 8: 'zz' is off the 15x15 board",
        "line 8: the file ends where ')' was expected",
    ];
    assert_eq!(found, expected);
}

#[test]
fn broken_files_say_the_line() {
    let error = |text: &str| sgf::read(text.as_bytes(), Charset::AUTO).unwrap_err().to_string();
    assert_eq!(error(""), "line 1: no game: '(;' was expected");
    assert_eq!(error("(;B[hh]\n;W[hh])"), "line 2: h8 is occupied");
    assert_eq!(error("(;\n\nB[hp])"), "line 3: 'hp' is off the 15x15 board");
    assert_eq!(error("(;B[hh"), "line 1: ']' of this value is missing");
    assert_eq!(error("(;B[hh]\n"), "line 2: the file ends where ')' was expected");
    assert!(error("(;SZ[40])").starts_with("line 1: SZ[40]: board size 40"));
    assert!(error("(;SZ[15:10])").contains("square"));
    assert!(error("(;B[hh]?)").starts_with("line 1: '?' where"));
    assert_eq!(error("(;SZ[15];B[hh]\n;W\n;B[ii])"), "line 2: a value in '[ ]' was expected after W");
    assert_eq!(error("(;B[hh]\nKO\nC[x])"), "line 2: a value in '[ ]' was expected after KO");
    for end in [")", "(;W[ii])(;W[gg]))"] {
        assert_eq!(error(&format!("(;B[hh]N{end}")), "line 1: a value in '[ ]' was expected after N");
    }
    let long = format!("(;B[hh]\n{}[x][x][x])", "A".repeat(100_000));
    assert_eq!(error(&long), "line 2: a property's name of more than 64 characters");
    assert!(error(&format!("(;SZ[22]{})", ";AB[aa:vv]".repeat(1000))).contains("rectangles"));
}
