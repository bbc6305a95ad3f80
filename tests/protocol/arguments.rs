//! What `pbrain-kagetsu` does with its arguments.

use std::io::Write;
use std::process::Output;

use crate::manager::command;

/// Starts the engine with these arguments and lets it answer a few lines.
fn start(arguments: &[&str]) -> Output {
    let mut child = command().args(arguments).spawn().unwrap();
    // With some arguments it is gone before it reads anything.
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

#[test]
fn both_forms_of_an_option_are_read() {
    // A second net for the same rule is refused, so both were taken for nets.
    for arguments in [&["--net=hand", "--net=hand"][..], &["--net", "hand", "--net=hand"]] {
        let output = start(arguments);
        let said = text(&output.stdout);
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
        assert!(said.starts_with("ERROR ") && output.stderr.is_empty(), "{said}");
    }
    for arguments in [&["--net", "no.such.net"][..], &["--net=no.such.net"]] {
        let output = start(arguments);
        assert!(text(&output.stdout).starts_with("ERROR no.such.net"), "{arguments:?}: {output:?}");
    }
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
fn help_and_version_are_told() {
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
