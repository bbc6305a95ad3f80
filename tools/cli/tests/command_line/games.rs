//! The games' part of the command line from outside.

use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::cli::{command, failure, objects, printed, run, run_with_input};
use crate::finished;
use serde_json::{Value, json};

fn object(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).unwrap()
}

#[test]
fn every_game_is_listed_and_has_rules() {
    let list = objects(&run(&["games", "list", "--json"]));
    let names: Vec<&str> = list.iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "renju",
            "freestyle",
            "standard",
            "russian",
            "anti-renju",
            "bipartisan",
            "atomic",
            "repensi",
            "ninuki",
            "pente",
            "keryo-pente",
            "gomoku-33",
            "connect6",
            "reversi"
        ]
    );
    assert_eq!(printed(&["games", "list"]).lines().count(), names.len());
    for name in names {
        let rules = printed(&["games", "rules", name]);
        assert!(
            rules.starts_with(&format!("{name}\n")) && rules.lines().all(|line| line.chars().count() <= 86),
            "{rules}"
        );
    }
}

const SHOWN: &str = " 1 . . . . . . . .
 2 . . . . . . . .
 3 . .[o]x . . . .
 4 . . . o x . . .
 5 . . . x o . . .
 6 . . . . . . . .
 7 . . . . . . . .
 8 . . . . . . . .
   a b c d e f g h
";

#[test]
fn positions_are_shown() {
    let shown = printed(&["games", "show", "--game", "reversi", "d3 c3"]);
    assert!(shown.starts_with(SHOWN), "{shown}");
    assert!(shown.contains("\nreversi, 8x8, othello start, black to move\n"), "{shown}");
    assert!(shown.ends_with("moves: d3c3\nsetup: 8/8/2ox4/3ox3/3xo3/8/8/8 x\n"), "{shown}");
    let position = object(&["games", "show", "--game", "pente", "--json", "j10 k10 a1 l10 m10"]);
    assert_eq!(
        position["setup"],
        "19/19/19/19/19/19/19/19/19/9x2x6/19/19/19/19/19/19/19/19/x18 o captured=2-0"
    );
    assert_eq!((&position["side"], &position["outcome"]), (&json!("white"), &Value::Null));
    // A file's games are picked by number, its moves by ply.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    std::fs::write(&file, "# two games\nd3c3\nf5d6c3\n").unwrap();
    let file = file.to_str().unwrap();
    let second = printed(&["games", "show", "--game", "reversi", file, "--number", "2", "--move", "2"]);
    assert!(second.contains("moves: f5d6\n"), "{second}");
    let (status, message) = failure(&["games", "show", "--game", "reversi", file, "--number", "3"]);
    assert_eq!((status, message), (1, format!("kagetsu: {file} has no position 3: expected 1 to 2\n")));
}

#[test]
fn counts_equal_published_ones() {
    let counts = |args: &[&str]| -> Vec<u64> {
        let all = [&["games", "perft", "--json", "--game", "reversi"], args].concat();
        objects(&run(&all)).iter().map(|line| line["games"].as_u64().unwrap()).collect()
    };
    assert_eq!(counts(&["5", "--size", "8"]), [1, 4, 12, 56, 244, 1396]);
    assert_eq!(counts(&["4", "--size", "6", "--start", "parallel"]), [1, 4, 14, 68, 292]);
    assert_eq!(counts(&["8", "--size", "4"]), [1, 4, 12, 44, 128, 424, 1256, 3624, 9116]);
}

#[test]
fn small_boards_are_solved() {
    for (args, value) in [
        (&["--size", "4"][..], -8),
        (&["--size", "4", "--start", "parallel"], -3),
        (&["--size", "4", "--anti"], 3),
        (&["--size", "4", "--anti", "--start", "parallel"], 0),
    ] {
        let solved = object(&[&["games", "solve", "--game", "reversi", "--json"], args].concat());
        assert_eq!(solved["value"], value, "{args:?}");
    }
    // A hole is an edge, and empty squares may count for the winner.
    let hole = object(&["games", "solve", "--game", "reversi", "--json", "--size", "4", "--hole", "a1"]);
    assert!(hole["value"].is_i64());
    let words = printed(&["games", "solve", "--game", "reversi", "--size", "4"]);
    assert!(words.contains("\nwhite wins by 8 discs\n"), "{words}");
    let end = "xx2/x3/o3/4 o";
    let value = |args: &[&str]| {
        object(&[&["games", "solve", "--game", "reversi", "--json", end], args].concat())["value"].as_i64()
    };
    assert_eq!((value(&[]), value(&["--empties", "winner"])), (Some(-5), Some(-16)));
}

#[test]
fn batches_go_on_after_a_bad_line() {
    let input = "# test\nxx2/x3/o3/4 o\n{\"id\":\"a\",\"position\":\"d3d3\",\"size\":8}\n{\"position\":1}\nnonsense\n";
    let output = run_with_input(&["games", "solve", "--game", "reversi", "--batch", "-"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let answers = objects(&output);
    assert_eq!(answers[0]["value"], -5);
    assert_eq!(
        (&answers[1]["id"], &answers[1]["error"]),
        (&json!("a"), &json!("move 2 (d3): d3 is occupied"))
    );
    assert_eq!((&answers[2]["id"], &answers[2]["error"]), (&json!(4), &json!("position must be a string")));
    assert_eq!(answers[3]["id"], 5);
    let solved = run_with_input(
        &["games", "solve", "--game", "pente", "--batch", "-"],
        b"{\"game\":\"reversi\",\"position\":\"xx2/x3/o3/4 o\"}\n",
    );
    assert_eq!(objects(&solved)[0]["value"], -5);
    let analysed = run_with_input(
        &["games", "analyze", "--game", "pente", "--nodes", "500", "--batch", "-"],
        b"j10k10\n{\"game\":\"connect6\",\"position\":\"j10\"}\n",
    );
    assert_eq!(analysed.status.code(), Some(0), "{}", String::from_utf8_lossy(&analysed.stderr));
    let games: Vec<Value> = objects(&analysed).iter().map(|answer| answer["game"].clone()).collect();
    assert_eq!(games, ["pente", "connect6"]);
    for command in ["solve", "analyze"] {
        let help = printed(&["games", command, "--help"]);
        let help: Vec<&str> = help.split_whitespace().collect();
        assert!(help.join(" ").contains("an object with position and perhaps id, game, size"), "{command}");
    }
}

#[test]
fn analysis_finds_a_win() {
    let found = object(&[
        "games",
        "analyze",
        "--game",
        "ninuki",
        "--nodes",
        "2000",
        "--json",
        "9/9/9/9/oxxxx4/9/3o5/9/9 x",
    ]);
    assert_eq!((&found["best"], &found["mate"]), (&json!("f5"), &json!(1)));
    let (status, message) = failure(&["games", "analyze", "--game", "pente", "9/9/9/9/xxxxx4/9/9/9/9 o"]);
    assert_eq!((status, message.as_str()), (1, "kagetsu: the game is over: black wins by a row\n"));
}

#[test]
fn a_game_is_played_in_words() {
    let args = ["games", "play", "--game", "reversi", "--size", "6", "--depth", "2", "--side", "black"];
    let output = run_with_input(&args, b"moves\nz9\na1\nc2\nundo\nrules\nquit\n");
    let said = String::from_utf8(output.stdout).unwrap();
    for expected in [
        "c2 b3 e4 d5",
        "expected a column of the board",
        "a1 turns no disc",
        "kagetsu plays ",
        "Black moves first.",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(said.ends_with("moves: \nsetup: 6/6/2ox2/2xo2/6/6 x\n"), "the move was taken back: {said}");
}

/// The last words hold the whole position: the moves alone would be those of another game.
#[test]
fn a_game_from_a_given_position_is_not_lost() {
    let args = ["games", "play", "--game", "reversi", "--two", "xx2/x3/o3/4 o"];
    let output = run_with_input(&args, "\u{feff}pass\n".as_bytes());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.ends_with("moves: --\nsetup: xx2/x3/o3/4 x\n"), "{said}");
}

#[test]
fn a_match_is_counted() {
    let args = [
        "games",
        "match",
        "--game",
        "reversi",
        "--opponent",
        "random",
        "--games",
        "2",
        "--nodes",
        "200",
        "--json",
    ];
    let result = object(&args);
    assert_eq!(result["games"], 2);
    let sum: u64 = ["wins", "draws", "losses"].iter().map(|key| result[key].as_u64().unwrap()).sum();
    assert_eq!(sum, 2);
}

#[test]
fn protocols_are_spoken() {
    let gtp =
        run_with_input(&["gtp", "--game", "reversi", "--depth", "1"], b"name\n7 play b d3\nfly\nquit\n");
    assert_eq!(String::from_utf8(gtp.stdout).unwrap(), "= Kagetsu\n\n=7\n\n? unknown command\n\n=\n\n");
    let nboard = run_with_input(&["nboard"], b"nboard 2\nset depth 1\nping 3\n");
    assert_eq!(String::from_utf8(nboard.stdout).unwrap(), "set myname Kagetsu\npong 3\n");
}

/// Editors of Windows begin a script with a byte-order mark, which belongs to no command.
#[test]
fn a_byte_order_mark_before_a_protocol_is_skipped() {
    let gtp = run_with_input(&["gtp", "--game", "reversi"], "\u{feff}7 name\nquit\n".as_bytes());
    assert_eq!(String::from_utf8(gtp.stdout).unwrap(), "=7 Kagetsu\n\n=\n\n");
    let nboard = run_with_input(&["nboard"], "\u{feff}nboard 2\nping 3\n".as_bytes());
    assert_eq!(String::from_utf8(nboard.stdout).unwrap(), "set myname Kagetsu\npong 3\n");
}

/// A search that runs stops for a ping and answers it.
#[test]
fn a_ping_stops_the_search() {
    let output =
        run_with_input(&["nboard", "--threads", "1"], b"nboard 2\nset depth 60\nhint 1\nping 4\nquit\n");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.lines().any(|line| line == "pong 4"), "{said}");
}

/// The input stays open, so only the write that fails can end a hint that would take hours.
#[test]
fn a_hint_ends_when_nobody_reads_it() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child = command(&["nboard", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(writer)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"set depth 60\nhint 1\n").unwrap();
    let output = finished(child);
    drop(input);
    assert!(output.status.success());
}

/// The end of the input does not cut a short hint, and nothing waits after its answer.
#[test]
fn a_script_gets_its_hint() {
    let start = Instant::now();
    let output = run_with_input(&["nboard", "--threads", "1"], b"set depth 4\nhint 1\n");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.lines().any(|line| line.starts_with("search ") && line.ends_with(" 0 4")), "{said}");
    assert!(start.elapsed() < Duration::from_secs(25), "{:?}", start.elapsed());
}

/// A hint that would take hours ends some time after the end of the input, with its answer.
#[test]
#[ignore = "half a minute"]
fn a_hint_ends_after_the_input() {
    let mut child = command(&["nboard", "--threads", "1"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"set depth 60\nhint 1\n").unwrap();
    let output = finished(child);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("\nsearch ") && said.ends_with("\nstatus\n"), "{said}");
}

const NOT_SOLVED: &str =
    "kagetsu: only reversi on boards up to 8x8 is solved; `kagetsu games analyze` searches the others\n";
const LARGE: &str = "10/10/10/10/4ox4/4xo4/10/10/10/10 x";

#[test]
fn bad_usage_is_explained() {
    for (status, args, expected) in [
        (
            2,
            &["games", "show", "--game", "reversi", "--size", "7"][..],
            "kagetsu: reversi: a board of size 7: expected even, 4 to 16\n",
        ),
        (
            2,
            &["games", "show", "--game", "reversi", "--hole", "d4"],
            "kagetsu: the hole cannot be on d4: expected a square of the board other than the four in the middle\n",
        ),
        (
            2,
            &["games", "show", "--game", "pente", "--anti"],
            "kagetsu: pente has no option 'anti'; `kagetsu games rules pente` lists its options\n",
        ),
        (
            2,
            &["games", "show", "--game", "pente", "--option", "stones"],
            "kagetsu: --option stones: expected NAME=VALUE, e.g. foul=loss\n",
        ),
        (
            1,
            &["games", "show", "--game", "pente", "5/5/5/5/5 x fuel=1"],
            "kagetsu: a position of pente has no field 'fuel'\n",
        ),
        (2, &["games", "solve", "--game", "pente"], NOT_SOLVED),
        (2, &["games", "solve", "--game", "reversi", "--size", "10"], NOT_SOLVED),
        // The size is that of the position, not of the arguments.
        (1, &["games", "solve", "--game", "reversi", LARGE], NOT_SOLVED),
        (
            1,
            &["games", "solve", "--game", "reversi", "--nodes", "1000"],
            "kagetsu: not solved within the limits\n",
        ),
        (
            2,
            &["games", "match", "--game", "reversi", "--size", "4", "--opening", "20"],
            "kagetsu: --opening: each opening of 20 random moves ended the game: expected fewer moves or a larger board\n",
        ),
        (
            1,
            &["games", "show", "--game", "pente", "j10", "--move", "2"],
            "kagetsu: there is no move 2: the position has 1\n",
        ),
    ] {
        assert_eq!(failure(args), (status, expected.to_owned()));
    }
    // Flags that would have no effect.
    for args in [
        &["games", "match", "--game", "pente", "--games", "1", "--nodes", "10", "--json", "--verbose"][..],
        &["games", "show", "--game", "pente", "--json", "--legal"],
    ] {
        assert_eq!(failure(args).0, 2, "{args:?}");
    }
    let (status, message) = failure(&["games", "show", "--game", "chess"]);
    assert_eq!(status, 2);
    assert!(message.contains("expected one of renju, freestyle"), "{message}");
}

/// The same stones mean something else in another game, and an answer does not depend on the questions before it.
#[test]
fn answers_of_a_batch_depend_on_their_question_alone() {
    let stones = "9/9/9/3xo4/3ox4/4x4/9/9/9 o";
    let question = |game: &str| format!("{{\"game\":\"{game}\",\"position\":\"{stones}\"}}\n");
    let answers = |games: &[&str]| -> Vec<Value> {
        let input: String = games.iter().map(|game| question(game)).collect();
        let args =
            ["games", "analyze", "--game", "pente", "--nodes", "3000", "--threads", "1", "--batch", "-"];
        let mut answers = objects(&run_with_input(&args, input.as_bytes()));
        for answer in &mut answers {
            ["id", "ms", "nps"].into_iter().for_each(|key| drop(answer[key].take()));
        }
        answers
    };
    let alone = ["russian", "anti-renju", "gomoku-33"].map(|game| answers(&[game]).remove(0));
    assert_eq!(answers(&["russian", "anti-renju", "gomoku-33"]), alone);
    assert_eq!(answers(&["russian", "russian"])[1], alone[0]);
}

/// The main engine's tables have a largest size. The search of the other games may have tables of any size.
#[test]
fn memory_that_the_main_engine_does_not_use_is_named() {
    let warning = "kagetsu: warning: --hash: the tables of a search take at most 64G; the rest is not used\n";
    let analyze = ["games", "analyze", "--nodes", "10", "--threads", "1"];
    for (more, warnings) in [
        (["--game", "renju", "--hash", "64G", "h8h9i9"], 0),
        (["--game", "renju", "--hash", "65G", "h8h9i9"], 1),
        (["--game", "pente", "--hash", "65G", "j10k10"], 0),
    ] {
        let output = run(&[&analyze[..], &more].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said), (Some(0), warning.repeat(warnings)), "{more:?}");
    }
    // A batch warns once, and only if one of its games is played by the main engine.
    let line = |game: &str| format!("{{\"game\":\"{game}\",\"position\":\"h8\"}}\n");
    let input = ["russian", "renju", "standard"].map(line).concat();
    let batch = [&analyze[..], &["--game", "pente", "--hash", "65G", "--batch", "-"]].concat();
    let output = run_with_input(&batch, input.as_bytes());
    assert_eq!((output.status.code(), objects(&output).len()), (Some(0), 3));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), warning);
    let freestyle = ["--game", "freestyle", "--hash", "65G", "--nodes", "10", "--threads", "1"];
    let a_match = ["games", "match", "--size", "5", "--games", "1"];
    for output in [
        run_with_input(&[&["gtp"][..], &freestyle].concat(), b"quit\n"),
        run_with_input(&[&["games", "play"][..], &freestyle].concat(), b"quit\n"),
        run(&[&a_match[..], &freestyle].concat()),
    ] {
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.as_str()), (Some(0), warning));
    }
    let help = printed(&["games", "analyze", "--help"]);
    let help: Vec<&str> = help.split_whitespace().collect();
    assert!(help.join(" ").contains("in renju, freestyle and standard a search uses at most 64G"));
}

/// An id comes back exactly, however large it is and whatever the order of its keys, as in the other commands.
#[test]
fn an_id_comes_back_as_it_was() {
    let ids = ["12345678901234567890123", "{\"b\":1,\"a\":2}", "null"];
    let input: String = ids.map(|id| format!("{{\"id\":{id},\"position\":\"d3\"}}\n")).concat();
    let args = ["games", "analyze", "--game", "reversi", "--depth", "1", "--batch", "-"];
    let output = run_with_input(&args, input.as_bytes());
    let said = String::from_utf8(output.stdout).unwrap();
    for (line, id) in said.lines().zip(ids) {
        assert!(line.starts_with(&format!("{{\"id\":{id},\"game\":")), "{line}");
    }
    assert_eq!(said.lines().count(), 3);
}

/// `kagetsu games show <(…)`.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_a_file_of_positions() {
    let args = ["games", "show", "--game", "reversi", "--number", "2", "/dev/stdin"];
    let output = run_with_input(&args, b"d3\nd3c3\n");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("moves: d3c3\n"), "{said}");
}

/// Empty input, which a failed command before the pipe leaves, is not the start of the game.
#[test]
fn empty_standard_input_is_no_position() {
    for command in ["show", "analyze"] {
        let output = run_with_input(&["games", command, "--game", "reversi", "-"], b" \n");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("kagetsu: there is no position on stdin: "), "{said}");
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{command}");
    }
}

/// A line that is too long is answered, and so are the lines after it.
#[test]
fn a_line_that_is_too_long_ends_no_conversation() {
    let long = "x".repeat((1 << 20) + 1);
    let problem = "cannot read standard input, line 2: the line is longer than 1048576 bytes";
    let said = |args: &[&str], [first, last]: [&str; 2]| {
        let output = crate::run(args, &format!("{first}\n{long}\n{last}\n"));
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        said(&["nboard"], ["nboard 2", "ping 3"]),
        format!("set myname Kagetsu\nstatus {problem}\npong 3\n")
    );
    assert_eq!(
        said(&["gtp", "--game", "reversi"], ["name", "2 protocol_version"]),
        format!("= Kagetsu\n\n? {problem}\n\n=2 2\n\n")
    );
    let game = said(&["games", "play", "--game", "reversi", "--two"], ["d3", "c3"]);
    assert!(game.contains(problem) && game.contains("moves: d3c3\n"), "{game}");
}
