//! Text of others on its way to a terminal, an XML reader or a file: names and comments of games, names of files,
//! arguments and output of engines. None of it may act as a control sequence.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;

use kagetsu::book::{Book, Recipe};
use kagetsu::game::{RuleKind, Size};

use crate::common::cli::command;
use crate::terminal;

/// Clears the screen, sets the title, hides the text that follows, reverses it; as 7-bit and 8-bit codes.
const HOSTILE: &str = "x\u{1b}[2J\u{1b}]0;mine\u{7}\u{9b}8m\u{202e}y\u{7f}";
/// Characters that a terminal would interpret, or show in another order.
const OBEYED: [&[u8]; 6] = [b"\x1b[2J", b"\x1b]", b"\x07", b"\xc2\x9b", b"\xe2\x80\xae", b"\x7f"];

/// Runs a command with all its streams on a terminal, types this, and returns all that it wrote.
fn on_terminal(args: &[&str], typed: &str) -> Vec<u8> {
    let (mut master, slave) = terminal::open();
    let stream = || Stdio::from(slave.try_clone().unwrap());
    let mut child = command(args)
        .env("TERM", "xterm")
        .stdin(if typed.is_empty() { Stdio::null() } else { Stdio::piped() })
        .stdout(stream())
        .stderr(stream())
        .spawn()
        .unwrap();
    drop(slave);
    if let Some(mut input) = child.stdin.take() {
        input.write_all(typed.as_bytes()).unwrap();
    }
    let mut written = Vec::new();
    let mut buffer = [0; 4096];
    // The end of a terminal is an error.
    while let Ok(read @ 1..) = master.read(&mut buffer) {
        written.extend(&buffer[..read]);
    }
    child.wait().unwrap();
    written
}

#[track_caller]
fn assert_tame(what: &str, bytes: &[u8]) {
    for bad in OBEYED {
        let found = bytes.windows(bad.len()).any(|window| window == bad);
        assert!(!found, "{what}: {}", String::from_utf8_lossy(bytes).escape_debug());
    }
}

fn sgf(folder: &Path) -> String {
    let path = folder.join(format!("{HOSTILE}.sgf"));
    let said = HOSTILE.replace(']', "\\]");
    let text = format!("(;GM[4]SZ[15]RU[0]PB[{said}]PW[b]EV[{said}]C[{said}];B[hh]C[{said}];W[gh];B[hg])");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn control_sequences_of_others_do_not_reach_a_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let game = sgf(dir.path());
    let bad = dir.path().join(format!("{HOSTILE}.txt"));
    fs::write(&bad, format!("h8{HOSTILE}\n")).unwrap();
    let bad = bad.to_str().unwrap();
    let games = dir.path().join(format!("{HOSTILE}.games")).to_str().unwrap().to_owned();
    let made = [
        "selfplay",
        "make",
        &games,
        "--rule",
        "caro",
        "--size",
        "9",
        "--games",
        "1",
        "--nodes",
        "20",
        "--threads",
        "1",
    ];
    assert_tame("selfplay make", &on_terminal(&made, ""));
    let mut book = Book::default();
    book.section_mut(&Recipe::new(RuleKind::Renju, Size::S15, HOSTILE)).unwrap();
    let book_path = dir.path().join("x.book");
    fs::write(&book_path, book.to_bytes()).unwrap();
    let book = book_path.to_str().unwrap();
    let few = ["--nodes", "20", "--threads", "1", "--hash", "4M"];
    let engine =
        format!("name='{HOSTILE}' /bin/sh -c 'read a; printf \"\\033[2J\\033]0;mine\\007\\n\"; read b'");
    let saved = dir.path().join(format!("saved {HOSTILE}.sgf")).to_str().unwrap().to_owned();
    let lines: Vec<(Vec<&str>, &str, bool)> = vec![
        ([&["analyze", &game], &few[..]].concat(), "", true),
        (vec!["show", &game], "", false),
        (vec!["show", HOSTILE], "", true),
        (vec!["show", "h8", "--mark", HOSTILE], "", true),
        (vec!["show", bad], "", true),
        (vec![HOSTILE], "", true),
        (vec!["analyze", "h8", "--nodes", HOSTILE], "", true),
        (vec!["convert", bad, "/dev/null", "--to", "sgf"], "", true),
        (vec!["convert", bad, "/dev/null", "--to", "sgf", "--skip-bad"], "", true),
        (vec!["convert", &game, HOSTILE], "", true),
        (vec!["convert", &game, "-", "--to", "sgf"], "", true),
        (vec!["fouls", "--batch", bad], "", true),
        (vec!["openings", "walk", "swap2"], HOSTILE, true),
        (vec!["openings", "walk", "swap2", HOSTILE], "", true),
        (vec!["play", "--save", HOSTILE], "", true),
        (vec!["play", "--level", "0", "--threads", "1", "--hash", "4M", "--save", &saved], "", true),
        (vec!["play", "--level", "0", "--threads", "1", "--hash", "4M"], HOSTILE, true),
        (vec!["selfplay", "stats", &games], "", true),
        (vec!["selfplay", "verify", &games], "", true),
        (vec!["selfplay", "stats", bad], "", true),
        (vec!["net", "info", bad], "", true),
        (vec!["book", "probe", HOSTILE], "", true),
        (vec!["book", "merge", HOSTILE, bad], "", true),
        (vec!["book", "stats", "--book", bad], "", true),
        (vec!["book", "stats", "--book", book], "", true),
        (vec!["prove", "--check", bad], "", true),
        (vec!["prove", HOSTILE], "", true),
        (
            vec![
                "match",
                "--engine",
                &engine,
                "--engine",
                "name=b /bin/true",
                "--games",
                "2",
                "--time",
                "1s",
            ],
            "",
            true,
        ),
        (vec!["match", "--engine", HOSTILE, "--engine", HOSTILE, "--games", "2"], "", true),
        (vec!["match", "--resume", HOSTILE], "", true),
    ];
    for (args, typed, shown) in lines {
        let written = on_terminal(&args, typed);
        assert_tame(&format!("{args:?}"), &written);
        let text = String::from_utf8_lossy(&written);
        assert!(!shown || text.contains(r"\u{"), "{args:?} does not show it: {}", text.escape_debug());
    }
}

/// Messages of an engine are kept in files too.
#[test]
fn a_hostile_engine_leaves_tame_files() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("games");
    let engine = |name: &str| {
        format!(
            "name='{name}{HOSTILE}' /bin/sh -c 'printf \"MESSAGE \\033[2J\\007\\000\\n\\033]0;mine\\007\\n\" ; while read a; do printf \"OK\\n\\033[2J9,9\\n\"; done'"
        )
    };
    let (a, b) = (engine("a"), engine("b"));
    let args = [
        "match",
        "--engine",
        &a,
        "--engine",
        &b,
        "--games",
        "2",
        "--psq",
        "--time",
        "1s",
        "--out",
        out.to_str().unwrap(),
    ];
    command(&args).output().unwrap();
    let mut files = Vec::new();
    for folder in [out.clone(), out.join("psq"), out.join("failed")] {
        files.extend(
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()),
        );
    }
    assert!(files.len() >= 4 + 2, "{files:?}");
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let what = path.display();
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{what}: {}", text.escape_debug());
        // A name in a game file may be of a script that runs from the right.
        if !path.extension().is_some_and(|extension| extension == "sgf" || extension == "psq") {
            assert_tame(&what.to_string(), text.as_bytes());
        }
    }
}

/// An independent XML reader must accept every SVG and XML that a command writes of such text.
#[test]
fn pages_are_well_formed() {
    let dir = tempfile::tempdir().unwrap();
    let game = sgf(dir.path());
    let out = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (course, board, xml) = (out("course.svg"), out("board.svg"), out("games.xml"));
    let few = ["--nodes", "20", "--threads", "1", "--hash", "4M"];
    for (args, path) in [
        ([&["analyze", &game, "--svg", &course], &few[..]].concat(), &course),
        (vec!["show", "h8", "--mark", "a1=<\u{1b}&", "--svg", &board], &board),
        (vec!["convert", &game, &xml, "--rule", "renju", "--lossy"], &xml),
    ] {
        let output = command(&args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(path).unwrap();
        let in_xml = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(text.chars().all(in_xml), "{args:?}: XML 1.0, production 2");
        assert_tame(&format!("{args:?}"), text.as_bytes());
        let mut reader = quick_xml::Reader::from_str(&text);
        reader.config_mut().check_end_names = true;
        let mut elements = 0;
        loop {
            match reader.read_event().unwrap_or_else(|error| panic!("{args:?}: {error}")) {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Start(element) | quick_xml::events::Event::Empty(element) => {
                    elements += 1;
                    assert!(element.attributes().all(|attribute| attribute.is_ok()), "{args:?}");
                }
                _ => {}
            }
        }
        assert!(elements > 3, "{args:?}");
    }
}
