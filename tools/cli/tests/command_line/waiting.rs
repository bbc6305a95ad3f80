//! Commands that catch signals, to keep what they have done, while they still wait for their input: they have done nothing
//! yet, and a signal ends them.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::finished;
use crate::common::cli::command;

#[test]
fn a_signal_ends_a_command_that_waits_for_its_input() {
    let dir = tempfile::tempdir().unwrap();
    let [pipe, part] = ["pipe.sgf", "part"].map(|name| dir.path().join(name).to_str().unwrap().to_owned());
    // No process writes to this pipe.
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let build =
        ["book", "build", part.as_str(), "--rule", "renju", "--positions", "1", "--roots", pipe.as_str()];
    let import = ["book", "import", part.as_str(), pipe.as_str(), "--rule", "renju"];
    for args in [
        &["prove", "-"][..],
        &["prove", "--check", pipe.as_str()],
        &["analyze", "-"],
        &["analyze", "-", "--json"],
        &["solve", "vct", "-"],
        &build,
        &import,
    ] {
        let child = command(args).stdin(Stdio::piped()).spawn().unwrap();
        // Handlers of signals that are set before the input is read are set by then.
        std::thread::sleep(Duration::from_millis(500));
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let output = finished(child);
        assert_eq!(output.status.code(), None, "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A batch that has answered its first line may have more to write: it ends by itself.
#[test]
fn a_signal_ends_a_batch_that_waits_for_its_next_line() {
    for args in [&["solve", "vcf", "--batch", "-"][..], &["analyze", "--batch", "-", "--jobs", "2"]] {
        let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.as_mut().unwrap().write_all(b"h8h9i8i9j8j9k8k9\n").unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.starts_with("{\"id\":1,"), "{args:?}: {answer}");
        // The next line is not whole.
        child.stdin.as_mut().unwrap().write_all(b"h8h9i").unwrap();
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let output = finished(child);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        assert_eq!(said, "kagetsu: interrupted: not every line is answered\n", "{args:?}");
        assert_eq!(answers.lines().count(), 0, "{args:?}");
    }
}
