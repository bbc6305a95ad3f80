//! Games that are over: fouls, as files and as move strings.

use super::{failure, kagetsu, run};

/// The double three at h8 of the README, played: move 9.
const FOUL: &str = "f8a1g8a3h9a5h10a7h8";
const FOUL_OVER: &str = "the game is over: white wins by black's foul (33)";

/// A file with this text in a folder of its own, and its name.
fn file(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// The game of [`FOUL`] as a file.
fn foul_file() -> (tempfile::TempDir, String) {
    let moves = ["fh", "ao", "gh", "am", "hg", "ak", "hf", "ai", "hh"];
    let turns: String =
        moves.iter().zip(["B", "W"].iter().cycle()).map(|(m, c)| format!(";{c}[{m}]")).collect();
    file("foul.sgf", &format!("(;GM[4]SZ[15]RU[4]RE[W+F]{turns})"))
}

#[test]
fn a_game_lost_by_a_foul_is_shown_drawn_and_asked_about() {
    let (folder, path) = foul_file();
    let svg = folder.path().join("a.svg");
    for position in [FOUL, &path] {
        let shown = kagetsu(&["show", position, "--fouls", "--svg", svg.to_str().unwrap()]);
        assert!(shown.contains("9 stones, game over: white wins by black's foul (33)\n"), "{shown}");
        assert!(std::fs::read_to_string(&svg).unwrap().contains(">9<"), "the foul has its number");
        let asked = kagetsu(&["fouls", position]);
        assert!(asked.contains("[x]") && asked.contains("fouls for black: "), "{asked}");
        assert!(kagetsu(&["fouls", position, "--json"]).starts_with("{\"id\":1,\"fouls\":"));
    }
}

#[test]
fn what_would_go_on_after_a_foul_says_that_the_game_is_over() {
    let (_folder, path) = foul_file();
    let said = format!("kagetsu: {FOUL_OVER}\n");
    for position in [FOUL, &path] {
        for command in [&["solve", "vcf"][..], &["solve", "vct", "--defend"], &["play"]] {
            assert_eq!(failure(&[command, &[position]].concat()), said, "{command:?}");
        }
    }
    assert_eq!(failure(&["analyze", FOUL]), said);
    assert_eq!(failure(&["analyze", &path, "--move", "9"]), said);
    // Another side to move does not bring the game back.
    for side in ["black", "white"] {
        assert_eq!(failure(&["analyze", FOUL, "--side", side]), said);
        assert_eq!(failure(&["solve", "vcf", FOUL, "--side", side]), said);
    }
    let batch = run(&["analyze", "--batch", "-", "--nodes", "1000"], FOUL);
    let expected = format!("{{\"id\":1,\"error\":\"{FOUL_OVER}\"}}\n");
    assert_eq!(String::from_utf8(batch.stdout).unwrap(), expected);
}

#[test]
fn no_move_follows_a_foul() {
    let said = failure(&["show", &format!("{FOUL}o15")]);
    assert_eq!(said, format!("kagetsu: move 10: {FOUL_OVER}\n"));
    assert!(
        kagetsu(&["show", &format!("{FOUL}o15"), "--rule", "standard"]).contains("10 stones, black to move")
    );
}
