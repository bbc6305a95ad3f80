//! The program from outside: every subcommand, what it prints, the files it writes and how it exits.

mod analyze;
mod balanced;
mod book;
mod bounded;
mod cli;
#[path = "../common/mod.rs"]
mod common;
mod convert;
mod documented;
mod ends;
mod errors;
mod examples;
mod figures;
#[path = "../../../../tests/common/files.rs"]
mod files;
mod game;
mod games;
mod generate;
mod hostile;
mod kills;
mod lore;
mod nets;
mod outputs;
mod pauses;
mod play;
mod prove;
mod regulated;
mod selfplay;
mod show;
mod sift;
mod solve;
mod suite;
mod terminal;
mod tournament;
mod waiting;
mod walk;
mod web;

use std::io::Write;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use common::cli::{command, printed as kagetsu};

/// Runs `kagetsu` with some text as its input.
fn run(args: &[&str], input: &str) -> Output {
    let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
    // A program that needs no input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Returns the error of a failing command.
fn failure(args: &[&str]) -> String {
    let output = run(args, "");
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Returns what is said of wrong usage.
fn wrong_usage(args: &[&str]) -> String {
    let output = run(args, "");
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Runs `kagetsu` with some text as its input, and with an output that nobody reads any more.
fn run_unread(args: &[&str], input: &str) -> Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child = command(args).stdin(Stdio::piped()).stdout(writer).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Returns the output of a program that must end by itself within two minutes.
fn finished(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("it goes on");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}
