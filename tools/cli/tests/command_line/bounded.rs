//! Every input is fed from an endless source under a memory limit, and each command must end with an error, soon. The
//! engine must play on if the system grants hardly any memory.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::cli::{engine, unaffected};

/// Address space of a command, in KiB. The longest game that is read has 256 MiB, and some readers need a multiple of it.
const LIMIT: u64 = 1 << 20;
/// Bytes of input before whose end a command must have ended.
const ENOUGH: u64 = 4 << 30;

/// A program under a memory limit.
fn limited(kib: u64, program: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v $0; exec \"$@\"", &kib.to_string()]).arg(program).args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    unaffected(&mut command);
    command
}

/// Feeds `begin`, then `again` without end. Returns how many bytes the command took before it ended, and its outcome.
fn feed(args: &[&str], begin: &[u8], again: &[u8]) -> (u64, Output) {
    let mut child = limited(LIMIT, Path::new(env!("CARGO_BIN_EXE_kagetsu")), args).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let chunk = again.repeat((1 << 20) / again.len());
    let begin = begin.to_vec();
    let writer = std::thread::spawn(move || {
        let mut taken = begin.len() as u64;
        let mut write = input.write_all(&begin);
        while write.is_ok() && taken < ENOUGH {
            write = input.write_all(&chunk);
            taken += chunk.len() as u64;
        }
        taken
    });
    let output = child.wait_with_output().unwrap();
    (writer.join().unwrap(), output)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Arguments, the beginning of the input, the part repeated without end, and the expected error.
type Case<'a> = (Vec<&'a str>, &'a [u8], &'a [u8], &'a str);

#[test]
fn endless_input_is_refused() {
    let sgf = &["convert", "-", "/dev/null", "--from", "sgf", "--to", "txt"][..];
    let small = &["--max-game", "4M"][..];
    let library = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/openings26.lib")).unwrap();
    let nodes = [&b"(;SZ[15]"[..], &b";B[]".repeat(300_000), b")"].concat();
    let values = [&b"(;SZ[15]AB"[..], &b"[]".repeat(20_000), b")"].concat();
    let from = |format: &'static str| {
        [&["convert", "-", "/dev/null", "--to", "txt", "--lossy", "--from", format], small].concat()
    };
    let cases: Vec<Case> = vec![
        (vec!["fouls", "--batch", "-"], b"", b"x", "line 1: the line is longer than 1048576 bytes"),
        (vec!["analyze", "--batch", "-"], b"h8\n", b"x", "line 2: the line is longer"),
        (vec!["analyze", "--batch", "-", "--jobs", "2"], b"", b"x", "line 1: the line is longer"),
        (vec!["openings", "walk", "swap2"], b"", b"x", "the line is longer"),
        (vec!["show", "-"], b"", b"h8 ", "it has more than 1048576 bytes"),
        (vec!["analyze", "-"], b"", b"\0", "it has more than 1048576 bytes"),
        (vec!["prove", "-"], b"", b" ", "it has more than 1048576 bytes"),
        (sgf.to_vec(), b"(;C[", b"x", "a value of too many bytes: at most 16777216 are read; --max-game"),
        ([sgf, small].concat(), &nodes, b" ", "a game of too many nodes: at most 262144 are read"),
        ([sgf, small].concat(), &values, b" ", "a node of too many values: at most 16384 are read"),
        ([sgf, small].concat(), b"(;", b" ", "a game of too many bytes: at most 4194304 are read"),
        (sgf.to_vec(), b"", b"x", "no game: '(;' was expected before so many bytes: at most 16777216"),
        (from("txt"), b"", b"x", "the line is longer than 1048576 bytes"),
        (from("offset"), b"", b"x", "the line is longer than 1048576 bytes"),
        (from("psq"), b"Piskvorky 15x15, 1:1, 0\n", b"8,8,0\n", "a file of too many bytes"),
        (from("rec"), b"", b"x", "a file of too many bytes"),
        (from("sav"), b"", b"x", "a file of too many bytes"),
        (from("pos"), b"", b"\x01", "a file of too many bytes"),
        (from("lib"), &library, b"\0", "a file of too many bytes"),
        (from("xml"), b"<database><game><move>", b"h8 ", "too many bytes of a game"),
        (from("xml"), b"<database ", b"a='b' ", "too many bytes of a game"),
        (from("db"), b"\xff\xff\xff\xff", b"\x03\0\0\x0f\x0f\0\0", "the position of this record came before"),
        (from("bin"), b"", b"\xff", "byte 0: board size 31 is not supported"),
        (from("binpack"), b"", b"\xff", "byte 0: board size 31 is not supported"),
    ];
    for (args, begin, again, reason) in cases {
        let (taken, output) = feed(&args, begin, again);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", said(&output));
        assert!(said(&output).contains(reason), "{args:?}: {}", said(&output));
        assert!(taken < ENOUGH, "{args:?} takes everything");
    }
}

/// The questions before a broken line are answered, also by several workers, and the error is the first one.
#[test]
fn questions_before_a_broken_line_are_answered() {
    let args =
        ["analyze", "--batch", "-", "--jobs", "3", "--threads", "1", "--hash", "8M", "--nodes", "20000"];
    let (_, output) = feed(&args, b"h8\nh8 i9\nh8 i8\n", b"x");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("line 4: the line is longer"), "{}", said(&output));
    let answers = String::from_utf8(output.stdout).unwrap();
    let ids: Vec<u64> = answers
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_u64().unwrap())
        .collect();
    assert_eq!(ids, [1, 2, 3]);
}

/// Packs `begin`, then `again` so many times.
fn packed(begin: &[u8], again: &[u8], times: usize) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(begin).unwrap();
    gzip.write_all(&again.repeat(times)).unwrap();
    gzip.finish().unwrap()
}

/// Compressed input, of which a few bytes become many.
#[test]
fn bombs_are_refused() {
    let mut frame = lz4_flex::frame::FrameEncoder::new(Vec::new());
    frame.write_all(b"").unwrap();
    let frames = frame.finish().unwrap().repeat(1_000_000);
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes, reason) in [
        ("value.sgf.gz", packed(b"(;C[", b"\0", 100 << 20), "a value of too many bytes"),
        ("game.psq.gz", packed(b"", b"\0", 300 << 20), "a file of too many bytes"),
        (
            "lines.psq.gz",
            packed(b"Piskvorky 15x15, 1:1, 0\n8,8,0\n", b"a\n", 50 << 20),
            "line 6: 'a' where the end was expected",
        ),
        // Passes of a library: two bytes a node.
        (
            "nodes.lib.gz",
            packed(b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0", b"\0", 100 << 20),
            "a library of too many nodes",
        ),
        ("frames.txt.lz4", frames, "LZ4 frames without content"),
    ] {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        let args = ["convert", path.to_str().unwrap(), "/dev/null", "--to", "txt"];
        let output = limited(LIMIT, Path::new(env!("CARGO_BIN_EXE_kagetsu")), &args).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {}", said(&output));
        assert!(said(&output).contains(reason), "{name}: {}", said(&output));
    }
}

/// Games are read one at a time, and no more of them than a match can start from.
#[test]
fn openings_of_many_games_take_little_memory() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.sgf.gz");
    fs::write(&path, packed(b"", b"(;SZ[20])", 8 << 20)).unwrap();
    let games = path.to_str().unwrap();
    let args = ["match", "--engine", "a", "--engine", "b", "--openings", games];
    let output = limited(LIMIT, Path::new(env!("CARGO_BIN_EXE_kagetsu")), &args).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let expected = "too many openings: at most 1048576 are read";
    assert!(said(&output).contains(expected), "{}", said(&output));
}

/// Endless files, for every argument that names a file.
#[test]
fn endless_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| {
        let path = dir.path().join(name);
        if !path.exists() {
            symlink("/dev/zero", &path).unwrap();
        }
        path.to_str().unwrap().to_owned()
    };
    let out = dir.path().join("out").to_str().unwrap().to_owned();
    let (zero, sgf, lib) = (path("zero"), path("zero.sgf"), path("zero.lib"));
    for args in [
        &["match", "--engine", "a", "--engine", "b", "--games", "2", "--openings", &zero][..],
        &["match", "--resume", &zero],
        &["book", "merge", &out, &zero],
        &["book", "probe", "h8", "--book", &zero],
        &["book", "stats", "--book", &zero],
        &["book", "build", &zero, "--positions", "5"],
        &["book", "import", &out, &lib],
        &["selfplay", "stats", &zero],
        &["selfplay", "verify", &zero],
        &["selfplay", "make", &zero, "--games", "1"],
        &["selfplay", "merge", &out, &zero],
        &["net", "info", &zero],
        &["--net", &zero, "net", "info"],
        &["prove", "h8", "--state", &zero],
        &["prove", "--check", &lib],
        &["fouls", "--batch", &zero],
        &["show", &sgf],
        &["show", &lib],
        &["analyze", &sgf],
    ] {
        let output = limited(LIMIT, Path::new(env!("CARGO_BIN_EXE_kagetsu")), args).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", said(&output));
        assert!(said(&output).starts_with("kagetsu: "), "{args:?}: {}", said(&output));
    }
}

/// Two moves of a game under every limit from the smallest that a process can start in: no crash.
#[test]
fn the_engine_plays_under_a_hard_memory_limit() {
    for mib in [60, 64, 70, 80, 100, 200] {
        let mut child = limited(mib << 10, &engine(), &[]).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input
            .write_all(
                b"INFO timeout_turn 100\nINFO rule 4\nSTART 15\nTURN 0,0\nTURN 14,14\nSTART 20\nBEGIN\n",
            )
            .unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let replies: Vec<&str> = text.lines().filter(|line| !line.starts_with("MESSAGE")).collect();
        assert!(
            output.status.success() && replies.len() == 5,
            "{mib} MiB: {text} {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!((replies[0], replies[3]), ("OK", "OK"), "{mib} MiB: {text}");
    }
}
