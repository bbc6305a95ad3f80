//! Game files on the command line: `kagetsu convert`, and files as positions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const OPENINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings26.lib");

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Exit status, stdout and stderr.
fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kagetsu")).args(args).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn entries(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn a_library_goes_through_sgf_unchanged() {
    let folder = folder("library");
    assert_eq!(run(&folder, &["convert", OPENINGS, "a.sgf"]), (0, String::new(), String::new()));
    assert_eq!(run(&folder, &["convert", "a.sgf", "b.lib"]), (0, String::new(), String::new()));
    assert!(fs::read(folder.join("b.lib")).unwrap() == fs::read(OPENINGS).unwrap());
    assert_eq!(entries(&folder), ["a.sgf", "b.lib"]);
}

#[test]
fn what_cannot_be_held_is_refused_and_nothing_written() {
    let folder = folder("refused");
    let (status, _, message) = run(&folder, &["convert", OPENINGS, "a.psq"]);
    let refusal =
        "kagetsu: psq: it cannot hold variations, comments, board texts (--lossy leaves them out)\n";
    assert_eq!((status, message.as_str()), (1, refusal));
    assert!(entries(&folder).is_empty());
    assert_eq!(run(&folder, &["convert", OPENINGS, "a.psq", "--lossy"]).0, 0);
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,7,0\n8,6,0\n-1\n";
    assert_eq!(fs::read_to_string(folder.join("a.psq")).unwrap(), psq);

    fs::write(folder.join("list.txt"), "h8h9\nh8--i8\n").unwrap();
    let (status, _, message) = run(&folder, &["convert", "list.txt", "a.psq"]);
    assert_eq!(
        (status, message.as_str()),
        (1, "kagetsu: psq: it holds one game, and there are 2: choose one with --game\n")
    );
    let (_, _, message) = run(&folder, &["convert", "list.txt", "a.psq", "--game", "2"]);
    assert_eq!(message, "kagetsu: psq: it cannot hold passes\n");
    let (_, _, message) = run(&folder, &["convert", "list.txt", "a.psq", "--game", "3"]);
    assert_eq!(message, "kagetsu: list.txt: there is no game 3: there are 2\n");
    assert_eq!(fs::read_to_string(folder.join("a.psq")).unwrap(), psq, "the old file is untouched");

    fs::write(folder.join("broken.sgf"), "(;B[hh]\n;W[hh])").unwrap();
    let (status, _, message) = run(&folder, &["convert", "broken.sgf", "a.psq"]);
    assert_eq!((status, message.as_str()), (1, "kagetsu: broken.sgf: line 2: h8 is occupied\n"));
    assert!(run(&folder, &["convert", "list.txt", "somewhere"]).2.contains("say --to psq|"));
}

#[test]
fn files_are_positions() {
    let folder = folder("positions");
    fs::write(folder.join("two.sgf"), "(;SZ[15];B[hh];W[hg])(;SZ[5];B[aa];W[bb];B[cc])").unwrap();
    let (status, text, _) = run(&folder, &["show", "two.sgf", "--game", "2", "--move", "2"]);
    assert_eq!(status, 0);
    assert!(text.ends_with("moves: a5b4\nsetup: x4/1o3/5/5/5 x\n"), "{text}");
    let failure = |args: &[&str]| {
        let (status, _, message) = run(&folder, args);
        assert_eq!(status, 1);
        message
    };
    assert!(failure(&["show", "two.sgf", "--move", "3"]).contains("no move 3: the game has 2"));
    assert!(
        failure(&["show", "two.sgf", "--game", "2", "--size", "15"])
            .contains("the board is 5x5, but size 15")
    );
    assert!(failure(&["show", "h8h9", "--move", "1"]).contains("for game files"));
    assert!(failure(&["show", "none.lib"]).contains("none.lib: cannot read it"));
}
