//! Games that are over: fouls, draws by every code, passes.

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
        let shown = kagetsu(&["show", position, "--fouls", "--force", "--svg", svg.to_str().unwrap()]);
        assert!(shown.contains("9 stones, game over: white wins by black's foul (33)\n"), "{shown}");
        assert!(std::fs::read_to_string(&svg).unwrap().contains(">9<"), "the foul has its number");
        let asked = kagetsu(&["fouls", position]);
        assert!(asked.contains("[x]") && asked.contains("fouls for black: "), "{asked}");
        assert!(kagetsu(&["fouls", position, "--json"]).starts_with("{\"id\":1,\"fouls\":"));
    }
}

#[test]
fn commands_after_a_foul_say_that_the_game_is_over() {
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

/// Black has only the foul c6 left, and neither side can make a row any more.
const FULL_BUT_A_FOUL: &str = "xx1xxx/xxxooo/xoxooo/oooxxx/oxoxox/xoooxo x";
/// Black has only the foul d1 left (six in a row), where White would make five.
const ONLY_FOULS: &str = "xooxooo/ooxxxxo/xooooxx/xxxoxox/xoooxox/oxxoxoo/xxx1xxx x";
const LIMITS: [&str; 6] = ["--nodes", "1000", "--threads", "1", "--hash", "4M"];

fn analysis_fails(args: &[&str]) -> String {
    failure(&[&["analyze"], args, &LIMITS[..]].concat())
}

#[test]
fn fouls_alone_are_one_draw_everywhere() {
    let draw = "draw: black has only foul points left";
    for position in [FULL_BUT_A_FOUL, ONLY_FOULS] {
        assert!(kagetsu(&["show", position]).contains(&format!("game over: {draw}\n")));
        let said = format!("kagetsu: the game is over: {draw}\n");
        assert_eq!(analysis_fails(&[position]), said);
        for command in [&["solve", "vcf"][..], &["play"], &["play", "--side", "white"]] {
            assert_eq!(failure(&[command, &[position]].concat()), said, "{command:?}");
        }
        let batch = run(&["analyze", "--batch", "-", "--nodes", "1000"], position);
        let answer = format!("{{\"id\":1,\"error\":\"the game is over: {draw}\"}}\n");
        assert_eq!(String::from_utf8(batch.stdout).unwrap(), answer);
    }
    // The same stones with White to move.
    let white = ONLY_FOULS.replace(" x", " o");
    assert!(kagetsu(&[&["analyze", &white], &LIMITS[..]].concat()).contains("+M1    wins  d1"));
}

#[test]
fn codes_differ_on_fouls_alone() {
    let said = analysis_fails(&[FULL_BUT_A_FOUL, "--ends", "rif"]);
    assert_eq!(said, "kagetsu: the game is over: draw: neither side can make a winning row any more\n");
    let said = analysis_fails(&[ONLY_FOULS, "--ends", "rif"]);
    assert!(said.starts_with("kagetsu: black has only fouls left and must pass"), "{said}");
    let white = ["analyze", ONLY_FOULS, "--ends", "rif", "--side", "white"];
    assert!(kagetsu(&[&white[..], &LIMITS].concat()).contains("+M1    wins  d1"));
    let said = analysis_fails(&[ONLY_FOULS, "--ends", "gomocup"]);
    assert_eq!(said, "kagetsu: black has only fouls left, and every move loses\n");
}

#[test]
fn limits_are_draws() {
    for (limit, reason) in
        [(["--draw-after", "4"], "the move limit is reached"), (["--stones", "2"], "the stones are used up")]
    {
        let said = analysis_fails(&["h8h9i8i9", limit[0], limit[1]]);
        assert_eq!(said, format!("kagetsu: the game is over: draw: {reason}\n"));
        let goes_on = ["analyze", "h8h9i8", limit[0], limit[1]];
        assert!(kagetsu(&[&goes_on[..], &LIMITS].concat()).contains("white to move"));
    }
    let played = play(&["h8h9i8", "--draw-after", "5"], "o1\n");
    assert!(played.contains("\ngame over: draw: the move limit is reached\n"), "{played}");
}

/// A game in lines of text.
fn play(args: &[&str], input: &str) -> String {
    let engine = ["--threads", "1", "--hash", "4M", "--level", "20"];
    let output = run(&[&["play"], args, &engine[..]].concat(), input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn black_with_fouls_alone_passes_or_loses_as_the_code_has_it() {
    // The engine as Black, then the person.
    let rif = play(&[ONLY_FOULS, "--ends", "rif", "--side", "white"], "d1\n");
    assert!(rif.contains("pass") && rif.contains("\ngame over: white wins by a row\n"), "{rif}");
    let rif = play(&[ONLY_FOULS, "--ends", "rif"], "d1\nhint\npass\n");
    assert!(rif.contains("d1 is a foul for black (6)\n"), "{rif}");
    assert!(rif.contains("black has only fouls left and must pass\n"), "{rif}");
    assert!(rif.contains("\ngame over: white wins by a row\n"), "{rif}");
    let foul = "\ngame over: white wins by black's foul (6)\n";
    let gomocup = play(&[ONLY_FOULS, "--ends", "gomocup", "--side", "white"], "");
    assert!(gomocup.contains(foul), "{gomocup}");
    let gomocup = play(&[ONLY_FOULS, "--ends", "gomocup"], "pass\nd1\n");
    assert!(gomocup.contains("nobody may pass in this game\n") && gomocup.contains(foul), "{gomocup}");
}

/// Black has an open four, whoever is to move.
const OPEN_FOUR: &str = "h8a1i8c1j8e1k8g1";

#[test]
fn two_passes_are_a_draw() {
    let shown = kagetsu(&["show", "h8 h9 i9 j9 k9 g7 -- --"]);
    assert!(shown.contains("6 stones, game over: draw: both sides passed\n"), "{shown}");
    assert!(
        kagetsu(&["show", "h8 h9 -- -- i9"]).contains("3 stones, white to move\n"),
        "passes may be anywhere"
    );
    let said = "kagetsu: the game is over: draw: both sides passed\n";
    assert_eq!(analysis_fails(&["h8h9----"]), said);
    assert!(
        kagetsu(&[&["analyze", "h8h9----", "--ends", "gomocup"], &LIMITS[..]].concat())
            .contains("black to move")
    );
    // One pass, followed by a question about the other side, does not count as two passes.
    assert!(
        kagetsu(&[&["analyze", "h8h9i9--", "--side", "black"], &LIMITS[..]].concat())
            .contains("black to move")
    );
    // The engine is lost and takes the draw.
    let played = play(&[OPEN_FOUR], "pass\n");
    assert!(played.contains("\ngame over: draw: both sides passed\n"), "{played}");
}

#[test]
fn passes_are_for_games_that_have_them() {
    let early = play(&["h8h9i9g9"], "pass\nquit\n");
    assert!(early.contains("nobody may pass with fewer than 6 stones on the board\n"), "{early}");
    for flags in [&["--rule", "freestyle"][..], &["--passes", "never"], &["--ends", "gomocup"]] {
        let refused = play(&[&[OPEN_FOUR], flags].concat(), "pass\nquit\n");
        assert!(refused.contains("nobody may pass in this game\n"), "{refused}");
    }
    let allowed = play(&[OPEN_FOUR, "--rule", "freestyle", "--passes", "0"], "--\n");
    assert!(allowed.contains("\ngame over: draw: both sides passed\n"), "{allowed}");
}

#[test]
fn a_game_with_passes_is_kept_in_any_case() {
    let folder = tempfile::tempdir().unwrap();
    let [sgf, psq] = ["game.sgf", "game.psq"].map(|name| folder.path().join(name));
    play(&[OPEN_FOUR, "--save", sgf.to_str().unwrap()], "pass\n");
    let saved = std::fs::read_to_string(&sgf).unwrap();
    assert!(saved.contains(";B[]") && saved.contains(";W[]") && saved.contains("RE["), "{saved}");
    let said = play(&[OPEN_FOUR, "--save", psq.to_str().unwrap()], "pass\n");
    assert!(said.contains("game.psq.sgf"), "{said}");
    assert!(std::fs::read_to_string(folder.path().join("game.psq.sgf")).unwrap().contains(";W[]"));
}

#[test]
fn a_draw_by_passes_is_annotated_as_one() {
    let (_folder, path) =
        file("passes.sgf", "(;GM[4]SZ[15]RU[4];B[hh];W[hg];B[ig];W[jg];B[kg];W[gi];B[];W[])");
    let rows = kagetsu(&[&["analyze", &path, "--json"], &LIMITS[..]].concat());
    let rows: Vec<serde_json::Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 8);
    for row in &rows[6..] {
        assert_eq!((&row["verdict"], &row["score"]), (&"good".into(), &0.into()), "{row}");
    }
    let text = kagetsu(&[&["analyze", &path], &LIMITS[..]].concat());
    assert!(text.contains("\nend: draw: both sides passed\n"), "{text}");
}
