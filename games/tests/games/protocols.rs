//! GTP sessions as GoGui and other clients send them.

use std::sync::atomic::AtomicBool;

use kagetsu::clock::SystemClock;
use kagetsu_games::search::Limits;
use kagetsu_games::{Kind, Options, gtp};

/// The answers to commands, each without its status sign and the empty line.
fn answers(kind: Kind, choices: &[(&str, &str)], commands: &[&str]) -> Vec<String> {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let mut options = Options::new(kind);
    choices.iter().for_each(|(name, value)| options.set(name, value).unwrap());
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let mut session = gtp::Session::new(options, limits, 1 << 20, &clock, &stop);
    commands.iter().filter_map(|command| session.answer(command)).map(|reply| reply.text).collect()
}

fn transcript(kind: Kind, expected: &[(&str, &str)]) {
    let commands: Vec<&str> = expected.iter().map(|(command, _)| *command).collect();
    let found = answers(kind, &[], &commands);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((command, expected), found) in expected.iter().zip(found) {
        assert_eq!(found, format!("{expected}\n\n"), "{command}");
    }
}

/// A point at the end of a line that was cut could be read as another one.
#[test]
fn gtp_refuses_long_lines() {
    let number = format!("7 play b A{}8", "0".repeat(10_000));
    let said = answers(Kind::Reversi, &[], &[&number, &format!("name{}#", " ".repeat(9_000))]);
    assert_eq!(said, ["?7 syntax error: the line is longer than 10000 bytes\n\n", "= Kagetsu\n\n"]);
}

/// The commands that GoGui sends when a program that knows the rules of its game is attached.
#[test]
fn reversi_as_gogui_asks() {
    transcript(
        Kind::Reversi,
        &[
            ("list_commands", {
                "= protocol_version\nname\nversion\nknown_command\nlist_commands\nquit\nboardsize\nclear_board\nkomi\nplay\n\
                genmove\nreg_genmove\nundo\nshowboard\nfinal_score\ntime_settings\ntime_left\ngogui-analyze_commands\n\
                gogui-rules_game_id\ngogui-rules_board\ngogui-rules_board_size\ngogui-rules_legal_moves\n\
                gogui-rules_side_to_move\ngogui-rules_final_result\ngogui-rules_captured_count\nkagetsu-bomb\nkagetsu-genmove\n\
                kagetsu-position\nkagetsu-rules"
            }),
            ("0 protocol_version", "=0 2"),
            ("1 name", "=1 Kagetsu"),
            ("boardsize 8", "="),
            ("clear_board", "="),
            ("gogui-rules_game_id", "= Othello"),
            ("gogui-rules_board_size", "= 8"),
            ("gogui-rules_side_to_move", "= black"),
            ("gogui-rules_legal_moves", "= D3 C4 F5 E6"),
            (
                "gogui-rules_board",
                "= . . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . X O . . .\n. . . O X . . .\n. . . . . . . .\n\
                . . . . . . . .\n. . . . . . . .",
            ),
            ("play b D3", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("play w pass", "? illegal move"),
            ("play w D3", "? illegal move"),
            ("play b C5", "? illegal move"),
            ("genmove b", "? illegal move: it is white's turn"),
            ("play w E3", "="),
            ("undo", "="),
            ("undo", "="),
            ("undo", "? cannot undo"),
            ("final_score", "? the game is not over"),
            ("gogui-rules_final_result", "= the game is not over"),
            ("kagetsu-position", "= 8/8/8/3ox3/3xo3/8/8/8 x"),
            ("known_command gogui-rules_board", "= true"),
            ("known_command fly", "= false"),
            ("komi 6.5", "="),
            ("time_settings 60 0 0", "="),
            ("time_left b 30 0", "="),
            ("17 quit", "=17"),
        ],
    );
}

/// GoGui skips signs that it does not know, which would shift the rest of the board.
#[test]
fn boards_for_gogui_have_all_their_points() {
    for (kind, choices) in
        Kind::ALL.map(|kind| (kind, vec![])).into_iter().chain([(Kind::Reversi, vec![("hole", "a1")])])
    {
        let said = answers(kind, &choices, &["gogui-rules_board_size", "gogui-rules_board"]);
        let body = |text: &str| text.trim_start_matches("= ").trim_end().to_owned();
        let size: usize = body(&said[0]).parse().unwrap();
        let board = body(&said[1]);
        assert_eq!(board.lines().count(), size, "{kind}");
        for row in board.lines() {
            let signs: Vec<&str> = row.split(' ').collect();
            assert_eq!(signs.len(), size, "{kind}: {row}");
            assert!(signs.iter().all(|sign| ["X", "O", "."].contains(sign)), "{kind}: {row}");
        }
    }
}

/// GoGui's manual: the name of a game begins with an upper-case letter and goes on in lower-case letters.
#[test]
fn games_have_names_for_gogui() {
    let mut names = std::collections::BTreeSet::new();
    for kind in Kind::ALL {
        let answer = answers(kind, &[], &["gogui-rules_game_id"]).pop().unwrap();
        let name = answer.trim_start_matches("= ").trim_end();
        let (first, rest) = name.split_at(1);
        assert!(first.chars().all(|c| c.is_ascii_uppercase()), "{name}");
        assert!(!rest.is_empty() && rest.chars().all(|c| c.is_ascii_lowercase()), "{name}");
        assert!(names.insert(name.to_owned()), "{name} names two games");
    }
}

#[test]
fn bad_commands_are_refused_and_change_nothing() {
    transcript(
        Kind::Pente,
        &[
            ("fly", "? unknown command"),
            ("play", "? syntax error: expected a colour and a point"),
            ("play b", "? syntax error: expected a colour and a point"),
            ("play red A1", "? syntax error: expected a colour, b or w"),
            ("play b I9", "? syntax error: expected a point of the board"),
            ("play b U1", "? syntax error: expected a point of the board"),
            ("play b A20", "? syntax error: expected a point of the board"),
            ("play b A+1", "? syntax error: expected a point of the board"),
            ("play b \u{e9}1", "? syntax error: expected a point of the board"),
            ("play b A1", "? illegal move"),
            ("kagetsu-bomb b K10", "? illegal move: this game has no bombs"),
            ("boardsize 40", "? unacceptable size"),
            ("boardsize x", "? syntax error: expected a size"),
            ("time_settings 1 2", "? syntax error: expected three numbers"),
            ("genmove", "? syntax error: expected a colour"),
            ("9", "?9 missing command"),
            ("kagetsu-position", "= 19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 x"),
            ("genmove b", "= K10"),
        ],
    );
    assert!(answers(Kind::Pente, &[], &["", "  # a comment", "\u{1}\t"]).is_empty());
}

/// Columns without I: the tenth of Connect6 is K, and two stones a turn are two plays of one colour.
#[test]
fn connect6_plays_twice() {
    transcript(
        Kind::Connect6,
        &[
            ("play b K10", "="),
            ("play w J10", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("play w T19", "="),
            ("gogui-rules_side_to_move", "= black"),
            ("kagetsu-position", "= 18o/19/19/19/19/19/19/19/19/8ox9/19/19/19/19/19/19/19/19/19 x"),
        ],
    );
}

#[test]
fn captures_and_bombs() {
    transcript(
        Kind::Pente,
        &[
            ("play b K10", "="),
            ("play w L10", "="),
            ("play b A1", "="),
            ("play w M10", "="),
            ("play b N10", "="),
            ("gogui-rules_captured_count", "= 2 0"),
        ],
    );
    transcript(
        Kind::Atomic,
        &[
            ("play b H8", "="),
            ("kagetsu-bomb w H9", "="),
            ("kagetsu-position", "= 15/15/15/15/15/15/7o7/15/15/15/15/15/15/15/15 x bombs=x"),
            ("play b A1", "="),
            ("kagetsu-bomb w A2", "? illegal move: white has used its bomb"),
        ],
    );
}

/// White would make two threes on F12. The bomb there comes first in the static order, and a search that ends at once knows no
/// other.
#[test]
fn genmove_considers_only_moves_that_it_can_express() {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let mut session = gtp::Session::new(Options::new(Kind::Atomic), limits, 1 << 16, &clock, &stop);
    let mut ask = |command: &str| session.answer(command).unwrap().text;
    for [black, white] in [["H8", "E11"], ["A15", "G11"], ["P15", "E13"], ["P1", "G13"]] {
        assert_eq!(ask(&format!("play b {black}")), "=\n\n");
        assert_eq!(ask(&format!("play w {white}")), "=\n\n");
    }
    assert_eq!(ask("kagetsu-genmove b"), "= bomb F12\n\n");
    assert_eq!(ask("undo"), "=\n\n");
    assert_eq!(ask("genmove b"), "= F12\n\n");
}

/// A client of Go plays until both sides pass. After the end of the game the program passes too, and `undo` takes these
/// passes back.
#[test]
fn a_whole_game_by_genmove() {
    for kind in [Kind::Reversi, Kind::AntiRenju, Kind::Atomic] {
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let mut options = Options::new(kind);
        options.set_size(6).unwrap();
        let limits = Limits { nodes: Some(200), ..Limits::default() };
        let mut session = gtp::Session::new(options, limits, 1 << 16, &clock, &stop);
        let mut ask = |command: &str| session.answer(command).unwrap().text;
        let (mut moves, mut passes) = (0, 0);
        while passes < 2 {
            let side = ask("gogui-rules_side_to_move");
            let answer = ask(&format!("genmove {}", side.trim_start_matches("= ").trim()));
            assert!(answer.starts_with("= "), "{answer}");
            moves += 1;
            passes = if answer == "= PASS\n\n" { passes + 1 } else { 0 };
            assert!(moves < 80);
        }
        let score = ask("final_score");
        assert!(score.starts_with("= "), "{score}");
        for _ in 0..moves {
            assert_eq!(ask("undo"), "=\n\n");
        }
        assert_eq!(ask("undo"), "? cannot undo\n\n");
    }
}

#[test]
fn the_board_is_shown_with_gtp_letters() {
    let shown = answers(Kind::Pente, &[("opening", "free")], &["boardsize 9", "play b J1", "showboard"])
        .pop()
        .unwrap();
    assert!(shown.contains("\n   A B C D E F G H J\n"), "{shown}");
    assert!(shown.contains("\n 1 . . . . . . . .[x]\n"), "{shown}");
    assert!(shown.ends_with("white to move\n\n"), "{shown}");
    // The first row has a line of its own, because behind `= ` it would be shifted by two columns. No empty line ends the
    // answer early.
    assert!(shown.starts_with("= \n 9 . . . . . . . . .\n 8 "), "{shown}");
    assert!(!shown.trim_end().contains("\n\n"), "{shown}");
}

/// The largest number of stones that a client can send.
#[test]
fn a_clock_for_very_many_stones_gives_a_move() {
    let said = answers(Kind::Reversi, &[], &["time_left b 10 4294967295", "genmove b"]);
    assert_eq!(said[0], "=\n\n");
    assert!(["= D3\n\n", "= C4\n\n", "= F5\n\n", "= E6\n\n"].contains(&said[1].as_str()), "{said:?}");
}

/// On the smaller board the hole would be off the board, or in the middle.
#[test]
fn a_refused_size_changes_nothing() {
    for (hole, command) in [("h8", "boardsize 6"), ("c3", "boardsize 4")] {
        let commands = [command, "clear_board", "gogui-rules_board_size"];
        let said = answers(Kind::Reversi, &[("hole", hole)], &commands);
        assert_eq!(said, ["? unacceptable size\n\n", "=\n\n", "= 8\n\n"], "{command}");
    }
}

/// GTP has no column I: its K10 is j10 elsewhere. A refusal names the point that the client sent.
#[test]
fn refused_points_have_the_names_of_gtp() {
    transcript(
        Kind::Atomic,
        &[
            ("play b H8", "="),
            ("play w K10", "="),
            ("kagetsu-bomb b K10", "? illegal move: k10 is occupied"),
            ("kagetsu-bomb b h8", "? illegal move: h8 is occupied"),
        ],
    );
}

/// Sabaki (`enginesyncer.js`) and GoGui (`GtpSynchronizer.java`) send the stones of a position that was set up as plays, those
/// of one colour after the other, and take them back by `undo`.
#[test]
fn stones_are_set_up_by_plays() {
    transcript(
        Kind::Freestyle,
        &[
            ("play b H8", "="),
            ("play b J8", "="),
            ("play b K8", "="),
            ("play b L8", "="),
            ("play w A1", "="),
            ("play w A2", "="),
            ("play w A2", "? illegal move"),
            ("play b A2", "? illegal move"),
            ("kagetsu-position", "= 15/15/15/15/15/15/15/7xxxx4/15/15/15/15/15/o14/o14 x"),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= black"),
            ("kagetsu-position", "= 15/15/15/15/15/15/15/7xxxx4/15/15/15/15/15/15/o14 x"),
            ("play w A15", "="),
            ("undo", "="),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("play b M8", "="),
            ("gogui-rules_final_result", "= black wins by a row"),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("kagetsu-position", "= 15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o"),
            ("undo", "="),
            ("undo", "? cannot undo"),
            ("gogui-rules_side_to_move", "= black"),
            ("play w B2", "="),
            ("gogui-rules_side_to_move", "= black"),
            ("undo", "="),
            ("kagetsu-position", "= 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x"),
        ],
    );
}

/// The colour that the command names moves, whichever moved last. The position keeps its numbers of captured
/// stones.
#[test]
fn the_colour_that_is_named_moves() {
    let four = ["play b H8", "play b J8", "play b K8", "play b L8"];
    let ask = |command| {
        let asked = ["gogui-rules_side_to_move", "kagetsu-position"];
        answers(Kind::Freestyle, &[], &[&four[..], &[command], &asked].concat())
    };
    for (command, side) in
        [("genmove b", "= white\n\n"), ("reg_genmove b", "= white\n\n"), ("genmove w", "= black\n\n")]
    {
        let said = ask(command);
        assert!(["= G8\n\n", "= M8\n\n"].contains(&said[4].as_str()), "{command}: {said:?}");
        assert_eq!(said[5], side, "{command}");
        assert_eq!(said[6].contains("xxxxx"), command == "genmove b", "{command}: {said:?}");
    }
    let captured = ["play b K10", "play w L10", "play b A1", "play w M10", "play b N10", "play b A5"];
    let said = answers(Kind::Pente, &[], &[&captured[..], &["gogui-rules_captured_count"]].concat());
    assert_eq!(said[6], "= 2 0\n\n", "{said:?}");
    for kind in [Kind::Connect6, Kind::Reversi] {
        let said = answers(kind, &[], &["genmove w", "kagetsu-bomb w A1"]);
        assert_eq!(said, ["? illegal move: it is black's turn\n\n"; 2], "{kind}");
    }
}

/// gomill (`gtp_games.py`) lets the side that moved lose if the answer is "illegal move", and the side that answered if it is
/// anything else. A move after the end of the game is refused so, too.
#[test]
fn an_illegal_move_is_refused_in_the_words_of_the_specification() {
    let row = ["A1", "A3", "B1", "B3", "C1", "C3", "D1", "D3", "E1"];
    let mut commands: Vec<String> = Vec::new();
    for (i, point) in row.iter().enumerate() {
        commands.push(format!("play {} {point}", ["b", "w"][i % 2]));
    }
    commands.extend(["play w E3", "play w pass", "play b A1"].map(str::to_owned));
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let said = answers(Kind::Freestyle, &[], &commands);
    assert!(said[..9].iter().all(|answer| answer == "=\n\n"), "{said:?}");
    assert_eq!(said[9..], ["? illegal move\n\n", "=\n\n", "? illegal move\n\n"]);
    let said = answers(Kind::Freestyle, &[], &["play b H8", "play w H8", "play w pass"]);
    assert_eq!(said, ["=\n\n", "? illegal move\n\n", "? illegal move\n\n"]);
}
