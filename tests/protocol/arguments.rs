//! Arguments of `pbrain-kagetsu`.

use std::io::Write;
use std::process::Output;

use kagetsu::book::{Book, Candidate, Entry, Key, Recipe};
use kagetsu::game::{Point, Position, RuleKind, Size};

use crate::files;
use crate::manager::{Manager, command};

/// Starts the engine with these arguments and lets it answer a few lines.
fn start(arguments: &[&str]) -> Output {
    let mut child = command().args(arguments).spawn().unwrap();
    // The engine may end because of its arguments, before it reads anything.
    let _ = child.stdin.take().unwrap().write_all(b"ABOUT\r\nSTART 15\r\nEND\r\n");
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn managers_give_no_arguments_and_people_known_ones() {
    for arguments in
        [&[][..], &["--net", "hand"], &["--net=hand"], &["--no-book"], &["--net", "hand", "--no-book"]]
    {
        let output = start(arguments);
        let said = text(&output.stdout);
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
        assert!(
            said.starts_with("name=\"kagetsu\"") && said.trim_end().ends_with("OK"),
            "{arguments:?}: {said}"
        );
    }
}

/// Yixin-Board on Windows starts its engine with this option, and ends if the engine does.
#[test]
fn the_option_of_yixin_board_changes_nothing() {
    let (with, without) = (start(&["--force-utf8"]), start(&[]));
    assert!(with.status.success() && with.stderr.is_empty(), "{with:?}");
    assert_eq!(text(&with.stdout), text(&without.stdout));
}

#[test]
fn both_forms_of_an_option_are_read() {
    // A second net for the same rule is refused, which shows that both files were read as nets.
    for arguments in [&["--net=hand", "--net=hand"][..], &["--net", "hand", "--net=hand"]] {
        let output = start(arguments);
        let said = text(&output.stdout);
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        assert!(said.starts_with("ERROR ") && output.stderr.is_empty(), "{said}");
    }
    for arguments in [&["--net", "no.such.net"][..], &["--net=no.such.net"]] {
        let output = start(arguments);
        assert!(
            text(&output.stdout).starts_with("ERROR cannot read no.such.net: "),
            "{arguments:?}: {output:?}"
        );
    }
    // A line break in a name would look like an answer to the manager.
    let output = start(&["--net", "no\n1,1"]);
    let said = text(&output.stdout);
    assert!(said.starts_with("ERROR cannot read no\\n1,1: ") && said.lines().count() == 1, "{said}");
    for arguments in [&["--book", "no.such.book"][..], &["--book=no.such.book"]] {
        let output = start(arguments);
        let said = text(&output.stdout);
        assert!(said.starts_with("MESSAGE ") && said.contains("no.such.book"), "{arguments:?}: {said}");
        assert!(output.status.success() && said.trim_end().ends_with("OK"), "{arguments:?}: {said}");
    }
}

#[test]
fn other_arguments_are_refused_with_what_is_expected() {
    for (arguments, expected) in [
        (&["--nett=a.net"][..], "--net"),
        (&["--nett", "a.net"], "--net"),
        (&["a.net"], "Usage: pbrain-kagetsu"),
        (&["--net"], "--net <FILE>"),
        (&["--book"], "--book <FILE>"),
        (&["--no-book=1"], "--no-book"),
        (&["--book=a.book", "--no-book"], "--no-book"),
    ] {
        let output = start(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            output.stdout.is_empty() && text(&output.stderr).contains(expected),
            "{arguments:?}: {output:?}"
        );
    }
}

#[test]
fn help_and_version_are_printed() {
    for argument in ["-h", "--help", "-V", "--version"] {
        let output = start(&[argument]);
        let said = text(&output.stdout);
        assert!(output.status.success() && output.stderr.is_empty(), "{argument}: {output:?}");
        assert!(said.contains(env!("CARGO_PKG_VERSION")), "{argument}: {said}");
        let is_help = ["-h", "--help"].contains(&argument);
        assert_eq!(
            ["--net <FILE>", "--book <FILE>", "--no-book"].map(|option| said.contains(option)),
            [is_help; 3]
        );
    }
}

/// The last report of a search of this number of nodes under a rule: depth, score, nodes and line.
fn report(arguments: &[&str], rule: u32) -> String {
    let mut engine = Manager::start_with(arguments);
    engine.send(&format!(
        "START 15\nINFO rule {rule}\nINFO max_node 2000\nINFO thread_num 1\nINFO max_memory 41943040"
    ));
    assert_eq!(engine.reply(), "OK");
    engine.ask("TURN 7,7");
    let last = engine.messages.last().unwrap().clone();
    engine.end();
    let words: Vec<&str> = last.split(' ').collect();
    // Its speed and its time are left out.
    [&words[..7], &words[11..]].concat().join(" ")
}

/// The weights of caro in a file that says it is for Renju: they change the evaluation of Renju, and of no other rule.
#[test]
fn a_net_of_a_file_is_used_for_its_rule() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("other.net");
    std::fs::write(&path, files::caro_net_for_renju()).unwrap();
    let net = ["--net", path.to_str().unwrap()];
    let (renju, standard) = (4, 1);
    assert_ne!(report(&net, renju), report(&[], renju));
    assert_ne!(report(&net, renju), report(&["--net", "hand"], renju));
    assert_eq!(report(&net, standard), report(&[], standard));
    assert_ne!(report(&["--net", "hand"], standard), report(&[], standard));
    std::fs::write(&path, b"kagetsu net\n{}").unwrap();
    let output = start(&net);
    let said = text(&output.stdout);
    assert!(!output.status.success() && said.starts_with("ERROR ") && said.contains("other.net"), "{said}");
}

/// Standard error stays empty too, since managers take it for replies.
#[test]
fn the_log_goes_to_the_file_that_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log");
    let log = |levels: Option<&str>| {
        let mut command = command();
        command.env("KAGETSU_LOG", &path).env_remove("RUST_LOG");
        if let Some(levels) = levels {
            command.env("RUST_LOG", levels);
        }
        let mut child = command.spawn().unwrap();
        let lines = b"START 15\r\nINFO max_node 500\r\nINFO rule 4\r\nNONSENSE\r\nBEGIN\r\nEND\r\n";
        child.stdin.take().unwrap().write_all(lines).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        text
    };
    let all = log(None);
    let version = concat!("kagetsu ", env!("CARGO_PKG_VERSION"));
    let expected = [
        version,
        "> START 15",
        "< OK",
        "> INFO max_node 500",
        "WARN  kagetsu::protocol::printer] < UNKNOWN command",
        "rule: Renju",
        "nodes Some(500)",
        "< 7,7",
    ];
    for part in expected {
        assert!(all.contains(part), "{part}: {all}");
    }
    // Each line has its time, to the millisecond.
    let is_dated = |line: &str| line.starts_with("[20") && line.find(['.', 'Z']) == Some(20);
    assert!(all.lines().all(is_dated), "{all}");
    let warnings = log(Some("warn"));
    assert!(warnings.contains("UNKNOWN") && !warnings.contains("START"), "{warnings}");
    // An error in RUST_LOG is reported in the log.
    let all = log(Some("kagetsu=loud"));
    assert!(all.contains("RUST_LOG is ignored: ") && all.contains("> START 15"), "{all}");
}

/// The engine plays on, and says what it cannot write.
#[test]
fn a_log_that_cannot_be_written_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = command().env("KAGETSU_LOG", dir.path()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"START 15\r\nEND\r\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stdout);
    assert!(said.starts_with("MESSAGE cannot write the log ") && said.contains("\nOK"), "{said}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// Under the first two limits a book may have a few bytes only.
#[test]
fn a_book_above_the_memory_limit_is_reported_and_comes_back() {
    let mut book = Book::default();
    let standard = Recipe::new(RuleKind::Standard, Size::S15, "test");
    // A move that no search would find.
    let corner = Candidate { point: Point::new(1, 2), score: 12, agreed: true };
    let entry = Entry::new(12, 9, false, 10_000, vec![corner]);
    book.section_mut(&standard).unwrap().add(Key::of(&Position::new(Size::S15)).0, entry);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("own.book");
    std::fs::write(&path, book.to_bytes()).unwrap();
    let mut engine = Manager::start_with(&["--book", path.to_str().unwrap()]);
    for (memory, is_used) in [(25_165_832, false), (25_165_840, false), (100_000_000, true)] {
        engine.send(&format!("START 15\nINFO rule 1\nINFO timeout_turn 50\nINFO max_memory {memory}"));
        assert_eq!(engine.reply(), "OK");
        let (x, y) = engine.ask("BEGIN");
        assert_eq!(
            x.min(14 - x) == 1 && y.min(14 - y) == 2 || x.min(14 - x) == 2 && y.min(14 - y) == 1,
            is_used
        );
        let told = engine.messages.iter().filter(|line| line.contains("own.book: the book takes more than "));
        assert_eq!(told.count(), 1, "once: {:?}", engine.messages);
    }
    engine.end();
}
