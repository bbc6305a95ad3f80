//! `kagetsu analyze GAME`: a whole game annotated.

use std::path::PathBuf;

use kagetsu_tools::record::{Format, Game, NodeId};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{failure, kagetsu, run, run_unread, wrong_usage};

/// A file with this text in a folder of its own.
fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// Freestyle. Black has an open four at move 9 and plays elsewhere. White blocks one end, but Black still wins, two
/// moves later than possible.
const MISSED: &str = "(;GM[4]SZ[15]RU[0]PB[Anna]PW[Bert];B[hh];W[aa];B[ih];W[ac];B[jh];W[ae];B[kh];W[ag]\n\
    ;B[oo]C[said before];W[gh];B[lh])";

fn rows(args: &[&str]) -> Vec<Value> {
    let limits = ["--nodes", "4000", "--threads", "1", "--hash", "4M", "--json"];
    let text = kagetsu(&[&["analyze"], args, &limits].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_missed_win_is_found() {
    let (_folder, path) = file("game.sgf", MISSED);
    let rows = rows(&[path.to_str().unwrap()]);
    assert_eq!(rows.len(), 11);
    let ninth = &rows[8];
    assert_eq!((&ninth["move"], &ninth["side"], &ninth["point"]), (&json!(9), &json!("black"), &json!("o1")));
    // The five was there at once; after the move Black still wins, in three plies, so the win was not missed.
    assert_eq!((&ninth["best_mate"], &ninth["proven"]), (&json!(1), &json!("vcf")));
    assert_eq!((&ninth["mate"], &ninth["verdict"]), (&json!(2), &json!("good")));
    let last = &rows[10];
    assert_eq!(
        (&last["mate"], &last["win_rate"], &last["verdict"]),
        (&json!(0), &json!(1.0), &json!("good"))
    );
    // White's first move is far away and loses the game: some later move must be called a blunder.
    assert!(rows.iter().any(|row| row["side"] == "white" && row["verdict"] == "blunder"));
}

/// SGF cannot hold RenLib's marks of nodes. The second byte of a RenLib node has its flags.
#[test]
fn features_that_sgf_lacks_do_not_cost_the_work() {
    let mut bytes = include_bytes!("../../../../tests/data/openings26.lib").to_vec();
    bytes[21] |= 0x10;
    let (folder, path) = file("marked.lib", "");
    std::fs::write(&path, bytes).unwrap();
    let sgf = folder.path().join("out.sgf");
    let limits = ["--nodes", "20", "--threads", "1", "--hash", "4M"];
    let files = [path.to_str().unwrap(), "--sgf", sgf.to_str().unwrap()];
    let output = crate::run(&[&["analyze"], &files[..], &limits].concat(), "");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains("sgf cannot hold marks of nodes: left out"), "{said}");
    assert!(std::fs::read_to_string(sgf).unwrap().starts_with("(;FF[4]"));
}

#[test]
fn the_file_gets_comments_values_and_better_lines() {
    let (folder, path) = file("game.sgf", MISSED);
    let [sgf, svg, png] = ["out.sgf", "out.svg", "out.png"].map(|name| folder.path().join(name));
    let text = kagetsu(&[
        "analyze",
        path.to_str().unwrap(),
        "--nodes",
        "4000",
        "--threads",
        "1",
        "--hash",
        "4M",
        "--sgf",
        sgf.to_str().unwrap(),
        "--svg",
        svg.to_str().unwrap(),
        "--png",
        png.to_str().unwrap(),
    ]);
    assert!(text.starts_with("Anna - Bert, freestyle, 15x15\n"), "the file says the rule: {text}");
    assert!(text.contains("\nturned by ") && text.contains("\nblack had a proven win from move "), "{text}");
    assert!(text.ends_with("\nend: black wins by a row\n"), "{text}");
    let game = read(&sgf);
    let original = read(&path);
    let moves = |game: &Game| game.main_position(None).unwrap();
    assert_eq!(moves(&game), moves(&original));
    let line: Vec<NodeId> = game.tree.main_line().skip(1).collect();
    assert!(game.tree.comment(line[8]).unwrap().starts_with("said before\n\nScore +M2 (100 % for Black)."));
    assert!(line.iter().all(|&id| game.tree.comment(id).is_some_and(|text| text.contains("Score "))));
    assert!(line.iter().any(|&id| game.tree.next_sibling(id).is_some()), "a better line");
    assert!(std::fs::read_to_string(svg).unwrap().contains("Anna - Bert"));
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
}

/// Freestyle. After the setup stones Black has a four with one open end and nothing else, and plays elsewhere.
#[test]
fn stones_put_down_between_moves_count() {
    let text = "(;GM[4]SZ[15]RU[0];B[hh];W[gh];AB[ih][jh][kh]AW[ig][jg][ii][ji];B[oo];W[lh])";
    let (_folder, path) = file("edited.sgf", text);
    let rows = rows(&[path.to_str().unwrap()]);
    assert_eq!(rows.len(), 4);
    // White left one stone, not the four.
    assert_eq!((&rows[1]["point"], &rows[1]["mate"]), (&json!("g8"), &Value::Null));
    let third = &rows[2];
    assert_eq!((&third["best"], &third["best_mate"]), (&json!("l8"), &json!(1)), "{third}");
    assert_eq!(third["verdict"], "missed_win");
}

/// The same before the first move: the better line begins after the node with the stones.
#[test]
fn better_lines_hang_where_the_stones_are() {
    let text = "(;GM[4]SZ[15]RU[0];AB[hh][ih][jh][kh]AW[gh][ig][jg][ii][ji];B[oo];W[lh])";
    let (folder, path) = file("setup.sgf", text);
    let sgf = folder.path().join("out.sgf");
    let sgf = sgf.to_str().unwrap();
    rows(&[path.to_str().unwrap(), "--sgf", sgf]);
    let game = read(sgf.as_ref());
    let tree = &game.tree;
    assert_eq!(tree.children(NodeId::ROOT).count(), 1);
    let setup = tree.first_child(NodeId::ROOT).unwrap();
    let names: Vec<String> =
        tree.children(setup).filter_map(|id| Some(tree.point(id)?.to_string())).collect();
    assert_eq!(names, ["o1", "l8"]);
    let played = tree.first_child(setup).unwrap();
    assert!(tree.comment(played).unwrap().contains("missed win"), "the comment is the move's");
    assert_eq!(tree.comment(setup), None);
}

#[test]
fn endless_games_are_refused() {
    let (_folder, path) = file("passes.sgf", &format!("(;GM[4]SZ[15]{})", ";B[];W[]".repeat(600)));
    let said = failure(&["analyze", path.to_str().unwrap(), "--nodes", "1", "--threads", "1"]);
    assert!(said.contains("the game has 1200 moves"), "{said}");
}

/// The pipe of `kagetsu analyze … | head -1` breaks.
#[test]
fn files_are_written_for_nobody_to_read_the_rest() {
    let (folder, path) = file("game.sgf", MISSED);
    let [sgf, svg] = ["out.sgf", "out.svg"].map(|name| folder.path().join(name));
    let files = ["--sgf", sgf.to_str().unwrap(), "--svg", svg.to_str().unwrap()];
    let args = ["analyze", path.to_str().unwrap(), "--nodes", "1000", "--threads", "1", "--hash", "4M"];
    for format in [None, Some("--json")] {
        let args: Vec<&str> = args.into_iter().chain(files).chain(format).collect();
        let output = run_unread(&args, "");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for path in [&sgf, &svg] {
            std::fs::remove_file(path).unwrap();
        }
    }
}

/// The error comes before the game is analysed, not after it.
#[test]
fn a_wrong_name_of_a_picture_is_told_first() {
    let (folder, path) = file("game.sgf", MISSED);
    let sgf = folder.path().join("out.sgf");
    let args = ["analyze", path.to_str().unwrap(), "--nodes", "1000", "--threads", "1", "--hash", "4M"];
    let files = ["--sgf", sgf.to_str().unwrap(), "--svg", "course.txt"];
    let output = run(&[&args[..], &files].concat(), "");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("ends with .svg"), "{message}");
    assert!(output.stdout.is_empty() && !sgf.exists());
}

fn read(path: &std::path::Path) -> Game {
    Format::Sgf.read(&std::fs::read(path).unwrap(), &Default::default()).unwrap().remove(0)
}

/// The double three of the README, played. The move after it does not count.
#[test]
fn forbidden_moves_end_the_game() {
    let moves = ["fh", "ao", "gh", "am", "hg", "ak", "hf", "ai", "hh", "oo"];
    let turns: String =
        moves.iter().zip(["B", "W"].iter().cycle()).map(|(m, c)| format!(";{c}[{m}]")).collect();
    let (_folder, path) = file("foul.sgf", &format!("(;GM[4]SZ[15]RU[4]{turns})"));
    let path = path.to_str().unwrap();
    let rows = rows(&[path]);
    assert_eq!(rows.len(), 9);
    assert_eq!(
        (&rows[8]["verdict"], &rows[8]["foul"], &rows[8]["win_rate"]),
        (&json!("forbidden"), &json!("33"), &json!(0.0))
    );
    let text = kagetsu(&["analyze", path, "--nodes", "1000", "--threads", "1", "--hash", "4M"]);
    assert!(text.contains("\nforbidden moves: 9 h8\n"), "{text}");
    assert!(text.contains("\n1 move after the end of the game left out\n"), "{text}");
}

#[test]
fn files_stand_for_positions_too() {
    let (_folder, path) = file("game.sgf", MISSED);
    let path = path.to_str().unwrap();
    let text = kagetsu(&["analyze", path, "--move", "4", "--nodes", "1000", "--threads", "1"]);
    assert!(text.contains("\nfreestyle, 15x15, black to move\n"), "{text}");
    let said = wrong_usage(&["analyze", "h8", "--svg", "x.svg"]);
    assert!(said.contains("--sgf, --svg and --png are for whole games"), "{said}");
    let said = wrong_usage(&["analyze", "--batch", path, "--svg", "x.svg"]);
    assert!(said.contains("--sgf, --svg and --png are for whole games"), "{said}");
    let said = wrong_usage(&["analyze", path, "--multipv", "3", "--nodes", "1000", "--threads", "1"]);
    assert!(said.contains("--multipv is for single positions"), "{said}");
    let (_folder, empty) = file("empty.sgf", "(;GM[4]SZ[15])");
    assert!(failure(&["analyze", empty.to_str().unwrap()]).contains("the game has no moves"));
}
