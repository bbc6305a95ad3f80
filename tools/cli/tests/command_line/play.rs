//! `kagetsu play` without a terminal: commands from stdin.

#[cfg(unix)]
use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
#[cfg(target_os = "linux")]
use std::time::Duration;

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};

use super::{command, finished, run, run_unread, wrong_usage};
#[cfg(unix)]
use crate::common::cli::act_on;

fn play(args: &[&str], input: &str) -> String {
    let output = run(&[&["play", "--threads", "1", "--hash", "4M", "--level", "20"], args].concat(), input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_engine_answers_moves() {
    let text = play(&[], "h8\nh8\nnonsense\nundo\nlevel 30\nquit\n");
    // The answer may lie on the same row.
    let row = |line: &str| line.trim_start().strip_prefix("8 ").is_some_and(|row| row.contains('x'));
    assert!(text.lines().any(row) && text.contains("[o]"), "{text}");
    assert!(text.contains("h8 is occupied\n") && text.contains("\nlevel 30\n"), "{text}");
    assert!(text.contains("h8 plays there; pass, undo, hint"), "what can be said: {text}");
    assert!(text.contains("renju, 15x15, level 30\nyou are black (x)\nyour move\n"), "{text}");
}

#[test]
fn a_won_game_ends_and_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let text = play(&["d4a1e4a2f4a3g4a4", "--save", path.to_str().unwrap()], "h4\n");
    assert!(text.contains("\ngame over: black wins by a row\n"), "{text}");
    let saved = std::fs::read_to_string(path).unwrap();
    assert!(saved.contains("RE[B+1]") && saved.contains("PW[kagetsu level 20]"), "{saved}");
}

#[test]
fn the_engine_begins_if_it_is_black() {
    let text = play(&["--side", "white", "--rule", "freestyle", "--time", "10m"], "resign\n");
    // White's clock has run for a moment.
    assert!(text.contains("[x]") && text.contains("\nwhite   9:59\n"), "{text}");
    assert!(text.contains("\ngame over: black wins: white resigns\n"), "{text}");
}

#[test]
fn a_game_is_kept_though_nobody_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let args = ["play", "h8h9", "--level", "0", "--threads", "1", "--hash", "4M", "--save"];
    let args: Vec<&str> = args.into_iter().chain(path.to_str()).collect();
    let output = run_unread(&args, "quit\n");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(&path).unwrap().contains(";B[hh]"));
    // A name that tells no format, before the game.
    let output = run(&["play", "--save", "game.unknown"], "");
    assert!(String::from_utf8(output.stderr).unwrap().contains("game.sgf or game.psq"));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

/// A game of two people that a file keeps, after a move of Black. It was started with this action on SIGHUP.
#[cfg(unix)]
fn begun(path: &str, hangup: libc::sighandler_t) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let args = ["play", "h8h9", "--two", "--threads", "1", "--hash", "4M", "--save", path];
    let mut command = command(&args);
    act_on(&mut command, libc::SIGHUP, hangup);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"i8\n").unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("[x]") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it ended by itself");
    }
    (child, input, said)
}

/// The system shuts down while the player thinks. The input stays open: its end would end the game too.
#[cfg(unix)]
#[test]
fn a_game_is_kept_when_the_process_is_told_to_end() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        let (child, input, said) = begun(path.to_str().unwrap(), libc::SIG_DFL);
        kill_process(Pid::from_child(&child), signal).unwrap();
        // The output stays open here: closing it would end the command too.
        let status = finished(child).status;
        drop((input, said));
        assert_eq!(status.code(), Some(1), "{signal:?}: {status}");
        assert!(std::fs::read_to_string(path).unwrap().contains(";B[ih]"), "{signal:?}");
    }
}

/// `nohup` starts a command with SIGHUP ignored, and the terminal ends.
#[cfg(target_os = "linux")]
#[test]
fn a_command_of_nohup_goes_on_without_its_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let (mut child, mut input, said) = begun(path.to_str().unwrap(), libc::SIG_IGN);
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(child.try_wait().unwrap(), None, "the signal has ended it");
    input.write_all(b"quit\n").unwrap();
    let status = finished(child).status;
    drop(said);
    assert!(status.success(), "{status}");
}

/// A terminal without control sequences is written to in lines.
#[cfg(target_os = "linux")]
#[test]
fn a_dumb_terminal_gets_lines() {
    use std::io::Read;

    let mut screen = Screen::on("dumb", 40, &["h8h9", "--two"]);
    screen.press("quit\n");
    let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
    // The end of a terminal whose programs have gone is an error.
    while let Ok(read @ 1..) = screen.person.read(&mut buffer) {
        text.extend(&buffer[..read]);
    }
    assert!(screen.child.wait().unwrap().success());
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("your move") && !text.contains('\u{1b}'), "{text:?}");
}

/// A game on a terminal, with the person's end of it.
#[cfg(target_os = "linux")]
struct Screen {
    person: std::fs::File,
    child: std::process::Child,
}

#[cfg(target_os = "linux")]
impl Screen {
    fn new(rows: u16, args: &[&str]) -> Screen {
        Screen::on("xterm", rows, args)
    }

    /// A terminal of this kind. It controls the program: that of the person who runs the tests has no part in them.
    fn on(kind: &str, rows: u16, args: &[&str]) -> Screen {
        use std::process::Command;

        let (person, program) = super::terminal::with_rows(rows);
        let stream = || Stdio::from(program.try_clone().unwrap());
        let mut command = Command::new("setsid");
        command
            .args(["--ctty", env!("CARGO_BIN_EXE_kagetsu"), "play", "--threads", "1", "--hash", "4M"])
            .args(args)
            .env("TERM", kind)
            .stdin(stream())
            .stdout(stream())
            .stderr(Stdio::null());
        super::common::cli::unaffected(&mut command);
        act_on(&mut command, libc::SIGHUP, libc::SIG_DFL);
        Screen { person, child: command.spawn().unwrap() }
    }

    /// Waits until the program has written a text. It draws several times a second, so no read waits for long.
    fn wait_for(&mut self, text: &str) {
        use std::io::Read;
        use std::time::Instant;

        let (mut drawn, mut buffer) = (Vec::new(), [0; 4096]);
        let start = Instant::now();
        while !String::from_utf8_lossy(&drawn).contains(text) {
            assert!(start.elapsed() < Duration::from_secs(60), "{text} is not shown");
            let read = self.person.read(&mut buffer).unwrap();
            drawn.extend(&buffer[..read]);
        }
    }

    fn press(&mut self, keys: &str) {
        self.person.write_all(keys.as_bytes()).unwrap();
    }

    /// Reads until the program ends, which could not go on writing otherwise; returns its status.
    fn ended(mut self) -> std::process::ExitStatus {
        use std::io::Read;

        let mut buffer = [0; 4096];
        // The end of a terminal is an error.
        while matches!(self.person.read(&mut buffer), Ok(1..)) {}
        finished(self.child).status
    }
}

/// The window of the terminal is closed while the player thinks: every read of it then ends at once.
#[cfg(target_os = "linux")]
#[test]
fn a_game_is_kept_when_the_terminal_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let mut screen = Screen::new(40, &["h8h9", "--two", "--save", path.to_str().unwrap()]);
    // Before the first picture the terminal would change the enter key.
    screen.wait_for("black (x) to move");
    screen.press("i8\r");
    screen.wait_for("white (o) to move");
    // The end of a picture: the program waits for a key now. While it draws, it would notice by itself.
    screen.wait_for("> _");
    let Screen { person, child } = screen;
    // The system sends a hangup to the program, which this terminal controls.
    drop(person);
    let status = finished(child).status;
    assert_eq!(status.code(), Some(1), "{status}");
    assert!(std::fs::read_to_string(&path).unwrap().contains(";B[ih]"));
}

/// The engine has not finished its move when the player leaves.
#[cfg(target_os = "linux")]
#[test]
fn a_move_that_ctrl_c_cut_short_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let save = ["--save", path.to_str().unwrap()];
    let mut screen = Screen::new(40, &[&["h8", "--level", "100", "--no-book"], &save[..]].concat());
    screen.wait_for("the engine is thinking");
    screen.press("\u{3}");
    assert!(screen.ended().success());
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains(";B[hh]") && !saved.contains(";W["), "{saved}");
}

/// The board of 22x22 and the lines below it do not fit into 24 rows.
#[cfg(target_os = "linux")]
#[test]
fn typed_text_is_visible_on_a_small_screen() {
    let mut screen = Screen::new(24, &["--two", "--size", "22", "--rule", "freestyle"]);
    screen.wait_for("> _");
    screen.press("k11");
    screen.wait_for("> k11_");
    screen.press("\r");
    screen.wait_for("white (o) to move");
    screen.press("quit\r");
    assert!(screen.ended().success());
}

#[test]
fn a_book_without_use_is_named() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/kagetsu.book");
    for (level, is_named) in [("50", true), ("100", false)] {
        let args = ["play", "--book", book, "--level", level, "--threads", "1", "--hash", "4M"];
        let output = run(&args, "quit\n");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.contains("plays without a book") == is_named, "{said}");
    }
}

#[test]
fn features_that_the_file_lacks_are_reported_before_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let stones = "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o";
    for (name, more, reason) in [
        ("g.rec", &[][..], "it holds only 20x20 boards"),
        ("g.lib", &["--size", "20"], "it holds only 15x15 boards"),
        ("g.bin", &["--rule", "caro"], "freestyle, standard or renju"),
        ("g.psq", &[stones], "setup stones"),
        ("g.txt", &[stones], "moves after setup stones"),
        ("missing/g.sgf", &[], "cannot write"),
    ] {
        let output = run(&[&["play", "--save", &path(name)], more].concat(), "");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(reason) && message.contains(name), "{message}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{name}");
    }
    // These formats cannot hold an empty board, but can hold the game later.
    for name in ["g.txt", "g.bin"] {
        play(&["--save", &path(name)], "h8\nquit\n");
    }
    let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name());
    let mut files: Vec<_> = files.collect();
    files.sort();
    assert_eq!(files, ["g.bin", "g.txt"]);
}

#[test]
fn a_move_is_picked_from_a_file_alone() {
    for args in [&["play", "--move", "3"][..], &["play", "--game", "2", "--opening-rule", "pro"]] {
        let said = wrong_usage(args);
        assert!(said.contains("--game and --move: expected a game file with them"), "{said}");
    }
}
