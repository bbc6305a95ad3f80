//! Errors of the command line: exit status, the value that is wrong, and what is expected.

use crate::common::cli::{failure, run};
use kagetsu_tools::record::Format;

#[test]
fn bad_positions_fail_with_status_1() {
    let cases: [(&[&str], &str); 6] = [
        (&["show", "h8z9"], "move 2: z9 is off the 15x15 board"),
        (&["fouls", "f8a1g8a3h9a5h10a7h8b1"], "move 10: the game is over: white wins by black's foul (33)"),
        (&["analyze", "d4a1e4a2f4a3g4a4h4b1"], "move 10: the game is over: black wins by a row"),
        (
            &["perft", "1", "D4", "--size", "20"],
            "opening D4 has a place on 15x15 and 19x19 boards, not on 20x20",
        ),
        (&["show", "game.psq"], "cannot read game.psq: "),
        (&["fouls", "--batch", "no such file"], "cannot open no such file: "),
    ];
    for (args, message) in cases {
        let (status, text) = failure(args);
        assert_eq!(status, 1, "{args:?}");
        assert!(text.starts_with(&format!("kagetsu: {message}")), "{args:?}: {text}");
    }
}

/// Every wrong value is answered by the flag and by what is expected, never by a parser's own words.
#[test]
fn wrong_values_are_told_what_is_expected() {
    let unit = "expected a number with a unit, e.g. 200ms, 5s or 1m30s";
    let cases: [(&[&str], &str, &str); 13] = [
        (&["openings", "--balanced", "0"], "'0' for '--balanced <N>'", "expected 1 to 4294967295"),
        (&["perft", "h8"], "'h8' for '<DEPTH>'", "expected a whole number"),
        (&["analyze", "h8", "--nodes", "many"], "'many' for '--nodes <N>'", "expected a whole number"),
        (&["analyze", "h8", "--time", "abc"], "'abc' for '--time <TIME>'", unit),
        (&["analyze", "h8", "--time", "5"], "'5' for '--time <TIME>'", unit),
        (&["analyze", "h8", "--threads", "0"], "'0' for '--threads <T>'", "expected 1 to 1024"),
        (&["play", "--level", "101"], "'101' for '--level <N>'", "expected 0 to 100"),
        (&["match", "--games", "0"], "'0' for '--games <N>'", "expected 1 to 4294967295"),
        (
            &["web", "--listen", "here"],
            "'here' for '--listen <IP>'",
            "expected an IP address, e.g. 127.0.0.1",
        ),
        (&["show", "h8", "--size", "abc"], "'abc' for '--size <N>'", "expected a number, 5 to 22"),
        (
            &["analyze", "h8", "--hash", "1X"],
            "'1X' for '--hash <SIZE>'",
            "'X' is not a unit: expected K, M or G, e.g. 256M",
        ),
        (
            &["analyze", "h8", "--hash", "x"],
            "'x' for '--hash <SIZE>'",
            "expected a number of bytes, e.g. 256M",
        ),
        // The value may read as the parser's own words do.
        (
            &["perft", "invalid digit found in string"],
            "'invalid digit found in string' for",
            "expected a whole number",
        ),
    ];
    for (args, value, expected) in cases {
        let (status, text) = failure(args);
        let line = text.lines().next().unwrap();
        assert_eq!(status, 2, "{args:?}");
        assert!(line.contains(value) && line.ends_with(&format!(": {expected}")), "{args:?}: {text}");
    }
}

#[test]
fn numbers_that_are_out_of_range_are_told_so() {
    let many = "99999999999999999999";
    let time = "expected a shorter time, or fewer digits after the point";
    for (args, expected) in [
        (["show", "x.sgf", "--game", many], "expected a smaller number"),
        (["analyze", "h8", "--time", "99999999999999999999h"], time),
        // A second more than a time can have.
        (["analyze", "h8", "--time", "18446744073709551615s1000ms"], time),
        // Less than a nanosecond.
        (["analyze", "h8", "--time", "0.0000000000001s"], time),
        (["selfplay", "make", "x.games", "--threads=1025"], "expected 1 to 1024"),
        (["selfplay", "make", "x.games", "--threads=0"], "expected 1 to 1024"),
        (["openings", "--balanced", "1", "--threads=1025"], "expected 1 to 1024"),
        (["openings", "sift", "1", "--threads=0"], "expected 1 to 1024"),
        (["bench", "find", "1", "--threads=1025"], "expected 1 to 1024"),
    ] {
        let (status, text) = failure(&args);
        assert_eq!(status, 2, "{args:?}");
        assert!(text.lines().next().unwrap().ends_with(expected), "{args:?}: {text}");
    }
}

#[test]
fn a_choice_in_a_file_needs_the_file() {
    for args in [
        &["web", "--game", "3"][..],
        &["openings", "Kagetsu", "--move", "3"],
        &["perft", "1", "--move", "3"],
        &["play", "--game", "2"],
        &["show", "h8h9", "--move", "1"],
    ] {
        let expected = "kagetsu: --game and --move: expected a game file with them\n";
        assert_eq!(failure(args), (2, expected.into()), "{args:?}");
    }
}

#[test]
fn an_empty_text_is_no_position() {
    for args in [&["fouls", ""][..], &["show", " "], &["fouls", "-"]] {
        let (status, text) = failure(args);
        assert!(status == 1 && text.contains("expected a position"), "{args:?}: {text}");
    }
    let batch = crate::run(&["fouls", "--batch", "-"], "-\n{\"position\":\"-\"}\n{\"position\":\"\"}\n");
    let answers = String::from_utf8(batch.stdout).unwrap();
    assert!(answers.lines().count() == 3, "{answers}");
    assert!(answers.lines().all(|line| line.contains("there is no move")), "{answers}");
    assert!(run(&["show", "5/5/5/5/5 x"]).status.success(), "the empty board");
}

#[test]
fn mistyped_paths_are_no_setup_strings() {
    let (_, text) = failure(&["fouls", "dir/opening1"]);
    assert_eq!(text, "kagetsu: 'dir/opening1': there is no such file, and it is no setup string\n");
    let (_, text) = failure(&["fouls", "3/3/3"]);
    assert!(text.contains("3 rows: "), "{text}");
}

/// A file called `-` does not take the place of standard input.
#[test]
fn a_dash_is_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("-"), "a1a2a3\n").unwrap();
    let mut command = crate::common::cli::command(&["show", "-"]);
    let mut child = command.current_dir(folder.path()).stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"h8\n").unwrap();
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(text.contains("1 stone"), "{text}");
}

/// `kagetsu show <(…)`.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_a_file() {
    let mut command = crate::common::cli::command(&["show", "/dev/stdin"]);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"h8h9\n").unwrap();
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(text.contains("2 stones"), "{text}");
}

/// Warnings have the form of errors; the log that `RUST_LOG` asks for has time and module.
#[test]
fn warnings_have_a_plain_form() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.sgf");
    std::fs::write(&game, "(;GM[4]SZ[15]RU[Renju];B[hh])").unwrap();
    let args = ["show", game.to_str().unwrap(), "--rule", "freestyle"];
    let said = String::from_utf8(run(&args).stderr).unwrap();
    assert!(said.starts_with("kagetsu: warning: ") && said.ends_with("taken as freestyle\n"), "{said}");
    let logged = crate::common::cli::command(&args).env("RUST_LOG", "warn").output().unwrap();
    let logged = String::from_utf8(logged.stderr).unwrap();
    assert!(logged.contains("WARN  kagetsu_console::input]"), "{logged}");
}

/// Errors about files and engines name them once, with the reason and what is expected.
#[test]
fn wrong_files_are_told_what_is_expected() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    let (file, junk) = (format!("{dir}/none/x.svg"), format!("{dir}/junk.book"));
    std::fs::write(&junk, "junk").unwrap();
    let cases: [(i32, &[&str], String); 19] = [
        (
            1,
            &["prove", "nosuch"],
            "'nosuch': expected a position, e.g. h8h9i8 or D4, or a game file that exists".into(),
        ),
        (
            2,
            &["prove", "D4", "--out", "x.sgf"],
            "--out x.sgf: the proof is written as a RenLib library: expected a name in .lib, not .sgf".into(),
        ),
        (
            2,
            &["convert", "-", "x.sgf"],
            format!("- has no extension that names a format: expected --from {}", Format::NAMES.join("|")),
        ),
        (
            1,
            &["match", "--engine", "./a", "--engine", "./b", "--out", &junk],
            format!("{junk} is a file: expected a new directory"),
        ),
        (1, &["show", dir], format!("{dir}: it is a directory: expected a game file or a position")),
        (
            1,
            &["show", "h8", "--svg", &file],
            format!("cannot write {file}: the folder {dir}/none does not exist"),
        ),
        (2, &["show", "h8", "--svg", "x.png"], "x.png: the name of a picture by --svg ends with .svg".into()),
        (
            1,
            &["solve", "vcf", "h8h9", "--tree", "sgf"],
            "black has no win, so that there is no tree to print".into(),
        ),
        (1, &["fouls", "h8", "--point", "h8"], "expected an empty point: h8 is occupied".into()),
        (1, &["fouls", "h8", "--point", "z99"], "point 'z99': z99 is off the 15x15 board".into()),
        (
            1,
            &["play", "--book", &junk],
            format!("{junk}: not a kagetsu book: the first line is not 'kagetsu book'"),
        ),
        (
            2,
            &["match", "--engine", "time=abc ./a", "--engine", "./b"],
            "--engine 'time=abc ./a': time=abc: expected a number with a unit, e.g. 200ms, 5s or 1m30s"
                .into(),
        ),
        (
            2,
            &["match", "--engine", "nodes=x ./a", "--engine", "./b"],
            "--engine 'nodes=x ./a': nodes=x: expected a whole number above 0".into(),
        ),
        (
            2,
            &["match", "--engine", "./a", "--engine", "./b", "--sprt", "elo0=a"],
            "--sprt: elo0=a: expected a number".into(),
        ),
        (
            2,
            &["match", "--engine", "./a", "--engine", "./b", "--sprt", "elo0=5", "elo1=0"],
            "--sprt: expected elo0 and a greater elo1, e.g. elo0=0 elo1=5".into(),
        ),
        (
            2,
            &["match", "--engine", "./a", "--engine", "./b", "--sprt", "elo0=0", "elo1=5", "elo0=3"],
            "--sprt: elo0 was given twice".into(),
        ),
        (
            2,
            &["match", "--engine", "time=1s time=2s ./a", "--engine", "./b"],
            "--engine 'time=1s time=2s ./a': time was given twice".into(),
        ),
        (
            2,
            &["games", "show", "--game", "renju", "--option", "foul=loss", "--option", "foul=illegal"],
            "option foul was given twice".into(),
        ),
        (
            2,
            &["games", "show", "--game", "reversi", "--hole", "a1", "--option", "hole=a2"],
            "option hole was given twice".into(),
        ),
    ];
    for (status, args, message) in cases {
        assert_eq!(failure(args), (status, format!("kagetsu: {message}\n")), "{args:?}");
    }
    let (_, text) = failure(&["book", "stats", "--book", "no such file"]);
    assert_eq!(text.matches("no such file").count(), 1, "{text}");
    let (_, text) = failure(&["match", "--resume", "no such directory"]);
    assert!(text.contains("expected a directory that 'kagetsu match --out' made"), "{text}");
    let (_, text) = failure(&["games", "solve", "--game", "reversi", "--batch", dir]);
    assert!(text.contains(&format!("{dir}, line 1: ")), "{text}");
    let (_, text) = failure(&["book", "build", "no such folder/x.part", "--positions", "1"]);
    assert_eq!(text.matches("no such folder/x.part").count(), 1, "{text}");
    let list = format!("{dir}/list.txt");
    std::fs::write(&list, "# a comment\nh8\nh8h8\n").unwrap();
    let (_, text) = failure(&["games", "show", "--game", "renju", &list, "--number", "2"]);
    assert_eq!(text, format!("kagetsu: {list}, position 2: move 2 (h8): h8 is occupied\n"));
    let missing = ["book", "import", "x.part", "missing"];
    let (_, text) = failure(&missing);
    assert!(text.contains("missing: No such file") || text.contains("missing: The system"), "{text}");
    let (_, text) = failure(&["book", "build", "x.part"]);
    assert!(text.contains("--positions") && text.contains("--time") && text.contains("--loss"), "{text}");
}

/// Colours are asked for, as on a terminal: control sequences of an argument must not pass as the parser's own.
#[test]
fn wrong_usage_escapes_control_sequences() {
    let hostile = "\u{1b}]0;title\u{7}";
    let cases: [&[&str]; 4] = [
        &[hostile],
        &["show", "h8", "--rule", hostile],
        &["perft", hostile],
        &["convert", "a", "b", "--to", hostile],
    ];
    for args in cases {
        let output = crate::common::cli::command(args).env("CLICOLOR_FORCE", "1").output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            text.contains(r"\u{1b}]0;title\u{7}") && !text.contains(['\u{1b}', '\u{7}']),
            "{args:?}: {text}"
        );
    }
}

#[test]
fn times_of_more_than_a_day_are_no_periods() {
    let expected = "expected PERIODSxTIME or a time, at most a day, as 3x30s or 30s";
    let (status, text) = failure(&["play", "--byoyomi", "3y30s"]);
    assert_eq!(status, 2);
    assert!(text.contains(expected), "{text}");
}

#[test]
fn files_to_convert_are_whole_and_no_directories() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, cut, out) = (path("games.sgf"), path("cut.psq"), path("out.sgf"));
    std::fs::create_dir(&games).unwrap();
    std::fs::write(&cut, "Piskvorky 15x15, 11:11, 1\n8,8,0\n9").unwrap();
    let message = format!("kagetsu: {games}: it is a directory: expected a game file\n");
    assert_eq!(failure(&["convert", &games, &out]), (1, message));
    let message = format!("kagetsu: {cut}: line 3: the file ends within a move, after '9'\n");
    assert_eq!(failure(&["convert", &cut, &out]), (1, message));
    assert!(!std::path::Path::new(&out).exists());
}

/// Programs made for Go write GM[1] for every game.
#[test]
fn games_that_say_they_are_others_are_warned_of_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, out) = (path("games.sgf"), path("out.txt"));
    for (game, warning) in [("1", "GM[1] is Go"), ("2", "GM[2] is another game")] {
        std::fs::write(&games, format!("(;GM[4]SZ[15];B[hh])\n(;GM[{game}]SZ[15];B[hh])").repeat(2)).unwrap();
        let output = run(&["convert", &games, &out, "--force"]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && text.lines().count() == 1, "{text}");
        assert!(
            text.contains(&format!("line 2: {warning}; read as five in a row, which is GM[4]")),
            "{text}"
        );
    }
}

#[test]
fn a_position_without_quotes_is_explained() {
    for (args, is_told) in [
        (&["show", "h8", "h9"][..], true),
        (&["solve", "vcf", "1.", "h8", "2.", "h9"], true),
        (&["analyze", "D4", "G9", "--json"], true),
        (&["show", "h8", "now"], false),
        (&["show", "h8", "--h9"], false),
    ] {
        let (status, said) = failure(args);
        assert_eq!((status, said.contains("put it in quotes")), (2, is_told), "{args:?}: {said}");
    }
}

#[test]
fn bad_usage_fails_with_status_2() {
    let cases: [&[&str]; 56] = [
        &[],
        &["nothing"],
        &["show"],
        &["fouls", "h8", "--batch", "-"],
        &["show", "h8", "--rule", "chess"],
        &["show", "h8", "--size", "23"],
        &["analyze", "h8", "--time", "5"],
        &["analyze", "h8", "--hash", "1T"],
        &["perft", "many"],
        // Flags that would have no effect.
        &["fouls", "--batch", "-", "--move", "3"],
        &["solve", "vcf", "--batch", "-", "--game", "2"],
        &["solve", "vcf", "h8", "--jobs", "2"],
        &["analyze", "h8", "--jobs", "2"],
        &["openings", "--seed", "2"],
        &["openings", "--bias", "20"],
        &["openings", "D4", "--seed", "2"],
        &["openings", "--json", "--bias", "20"],
        &["openings", "--russian", "--stones", "3", "5"],
        &["openings", "--balanced", "1", "--russian"],
        &["openings", "--balanced", "1", "--scale", "2"],
        &["openings", "Kagetsu", "--scale", "2"],
        &["openings", "--scale", "2", "--seed", "2"],
        &["openings", "--force"],
        &["openings", "--balanced", "1", "--force"],
        &["show", "h8", "--force"],
        &["analyze", "h8", "--force", "--nodes", "1"],
        &["play", "--force"],
        &["prove", "h8", "--force", "--nodes", "1"],
        &["man", "--force"],
        &["openings", "Kagetsu", "--size", "19"],
        &["openings", "--size", "19"],
        &["show", "h8", "--time", "3s"],
        &["show", "h8", "--png", "x.png", "--hash", "4M"],
        &["show", "h8", "--scale", "1"],
        &["show", "h8", "--candidates", "3", "--no-coordinates"],
        &["play", "--two", "--seed", "1"],
        &["play", "--two", "--no-book"],
        // No machine has this address, so a command that took the flags would fail when it begins to listen.
        &["web", "--rule", "caro", "--listen", "192.0.2.1"],
        &["web", "--size", "19", "--listen", "192.0.2.1"],
        &["bench", "--hash", "4M"],
        &["bench", "--depth", "1", "--hash", "4M"],
        &["bench", "--threads", "2", "--rule", "renju"],
        &["bench", "--suite", "--depth", "1"],
        // The commands themselves find these errors, after the parser of arguments.
        &["match", "--engine", "./a"],
        &["match", "--engine", "./a", "--engine", "./b", "--increment", "1s"],
        &["match", "--engine", "./a", "--engine", "./b", "--rounds", "2", "--games", "3"],
        &["match", "--engine", "./a", "--engine", "./b", "--check-memory", "--memory", "0"],
        &["match", "--engine", "./a", "--engine", "./b", "--opening-rule", "sakata"],
        &["openings", "sift", "1", "--engine", "fast=1 ./a", "--out", "x"],
        &["openings", "--balanced", "1", "--stones", "1", "2"],
        &["play", "--increment", "1s"],
        &["play", "--opening-rule", "longpro", "--size", "7"],
        &["book", "export", "x.book"],
        &["show", "h8", "--mark", "h9=long"],
        &["games", "match", "--game", "pente", "--opening", "21"],
        &["games", "show", "--game", "pente", "-", "--number", "2"],
    ];
    for args in cases {
        assert_eq!(failure(args).0, 2, "{args:?}");
    }
}
