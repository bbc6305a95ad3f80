//! `kagetsu analyze` from outside: which results it proves, and how it prints them.

use std::process::Stdio;

use serde_json::{Value, json};

use super::{command, finished, kagetsu};

fn puzzles() -> Vec<Value> {
    let text = std::fs::read_to_string("../../tests/data/puzzles.jsonl").unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The limit is in nodes, and a second is more than enough for them, so that the test does not depend on the machine.
#[test]
fn the_puzzles_are_shown_as_proven() {
    let puzzles = puzzles();
    let answers = kagetsu(&[
        "analyze",
        "--batch",
        "../../tests/data/puzzles.jsonl",
        "--nodes",
        "600000",
        "--threads",
        "1",
        "--hash",
        "16M",
    ]);
    let (mut wins, mut proven, mut shortest) = (0, 0, 0);
    for (puzzle, line) in puzzles.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(line).unwrap();
        let id = &puzzle["id"];
        assert_eq!(id, &answer["id"]);
        let wins_in = answer["mate"].as_i64().filter(|&n| n > 0);
        assert!(answer["proven"] != "vcf" || wins_in.is_none() || puzzle["kind"] == "vcf", "{id}");
        if puzzle["kind"] == "none" {
            continue;
        }
        wins += 1;
        proven += usize::from(wins_in.is_some() && answer["proven"] != Value::Null);
        if answer["proven"] == "vcf" {
            // The data's lengths are proven to be the shortest; within so few nodes not every one is found.
            assert!(wins_in >= puzzle["win_len"].as_i64(), "{id}");
            shortest += usize::from(wins_in == puzzle["win_len"].as_i64());
            assert_eq!(answer["pv"].as_array().unwrap().len() as i64, (wins_in.unwrap() - 2).max(1), "{id}");
        }
    }
    assert_eq!(wins, 137);
    assert!(proven * 100 >= wins * 95, "{proven} of {wins}");
    assert!(shortest >= 80, "{shortest} of 96");
}

/// Black has two open threes far apart: whatever White does, one of them becomes a straight four.
#[test]
fn a_loss_is_proven_too() {
    let position = "15/13o1/15/3x11/3x11/3x11/15/15/7xxx5/15/15/15/15/1o11o1/15 o";
    let args = ["analyze", position, "--rule", "freestyle", "--depth", "2", "--threads", "1"];
    let answer: Value = serde_json::from_str(&kagetsu(&[&args[..], &["--json"]].concat())).unwrap();
    assert_eq!((&answer["mate"], &answer["proven"]), (&json!(-4), &json!("vcf")), "{answer}");
    assert_eq!(answer["win_rate"], 0.0);
    let text = kagetsu(&args);
    assert!(text.contains("\nproven by vcf: black wins in 4 plies\n"), "{text}");
    assert!(text.contains("\nblack threatens to win by vcf in 3 plies; nothing stops it\n"), "{text}");
}

/// By fours alone White needs 19 plies; with a three among them, fewer.
#[test]
fn a_shorter_win_is_looked_for_when_asked() {
    let position = "g9g10f7d10d8g8h6f9h7f10h10e10c10e8d7e7e9f11h9h8f12h11i12g12d9";
    let args = [
        "analyze",
        position,
        "--rule",
        "freestyle",
        "--size",
        "20",
        "--nodes",
        "50000",
        "--threads",
        "1",
        "--json",
    ];
    let first: Value = serde_json::from_str(&kagetsu(&args)).unwrap();
    assert_eq!((&first["mate"], &first["proven"]), (&json!(19), &json!("vcf")), "{first}");
    let short: Value = serde_json::from_str(&kagetsu(&[&args[..], &["--mate", "13"]].concat())).unwrap();
    assert!(short["mate"].as_i64().is_some_and(|n| (1..=13).contains(&n)), "{short}");
    assert_eq!(short["proven"], "search", "{short}");
    assert_eq!(short["lines"].as_array().map(Vec::len), Some(1), "{short}");
}

/// One open three, which White stops at its ends.
#[test]
fn threats_and_fouls_are_named() {
    let position = "15/15/15/15/15/15/15/6xxx6/15/15/15/15/15/1o9oo2/15 o";
    let text = kagetsu(&["analyze", position, "--rule", "standard", "--nodes", "20000", "--threads", "1"]);
    assert!(text.contains("; only f8 j8 stop it\n"), "{text}");
    let text = kagetsu(&["analyze", "f8a1g8a3h9a5h10a7", "--nodes", "5000", "--threads", "1"]);
    assert!(text.contains("\nfouls for black: h8 (33)\n") && text.contains(" x x ! ."), "{text}");
}

/// Before a win by fours nothing is searched. A win by threats is looked for after a first search, and the answer has
/// the depth of that search.
#[test]
fn the_depth_is_that_of_the_search() {
    let answer = |kind: &str| -> Value {
        let puzzle = puzzles().into_iter().find(|p| p["kind"] == kind).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), puzzle.to_string()).unwrap();
        let limits = ["--nodes", "600000", "--threads", "1", "--hash", "16M"];
        let path = file.path().to_str().unwrap();
        serde_json::from_str(&kagetsu(&[&["analyze", "--batch", path][..], &limits].concat())).unwrap()
    };
    let fours = answer("vcf");
    assert_eq!((&fours["proven"], &fours["depth"]), (&json!("vcf"), &json!(0)), "{fours}");
    assert_eq!(fours["hash_permille"], Value::Null, "{fours}");
    let threats = answer("vct");
    assert!(threats["proven"] != Value::Null && threats["depth"].as_u64() > Some(0), "{threats}");
    assert!(threats["hash_permille"].is_u64(), "{threats}");
}

/// With several lines the proven one leads, and the others are searched.
#[test]
fn other_lines_beside_a_proven_one() {
    let args = ["analyze", "h8h9i8i9j8", "--side", "black", "--nodes", "20000", "--threads", "1"];
    let answer: Value =
        serde_json::from_str(&kagetsu(&[&args[..], &["--multipv", "3", "--json"]].concat())).unwrap();
    let lines = answer["lines"].as_array().unwrap();
    assert_eq!((lines.len(), &answer["mate"], &answer["proven"]), (3, &json!(3), &json!("vcf")));
    let moves: Vec<&Value> = lines.iter().map(|line| &line["pv"][0]).collect();
    assert!(moves[0] != moves[1] && moves[0] != moves[2] && moves[1] != moves[2], "{moves:?}");
}

/// Solver and search at the same time, and a win by threats that ends both.
#[test]
fn several_threads() {
    let puzzles = puzzles();
    let vct: Vec<&Value> = puzzles.iter().filter(|p| p["kind"] == "vct").take(3).collect();
    let input: String = vct.iter().map(|p| format!("{p}\n")).collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), input).unwrap();
    let path = file.path().to_str().unwrap();
    // A proof ends a search; the time is for machines that are slow or busy.
    let answers = kagetsu(&["analyze", "--batch", path, "--time", "5m", "--threads", "3", "--hash", "64M"]);
    assert_eq!(answers.lines().count(), 3);
    for line in answers.lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert!(answer["mate"].as_i64().unwrap() > 0 && answer["proven"] != Value::Null, "{line}");
    }
}

/// The first answer has no reader, so the search beside it, which would take hours, must end.
#[test]
fn a_batch_ends_when_nobody_reads_it() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "h8h9i8i9j8j9k8k9\nD4\n").unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let input = file.path().to_str().unwrap();
    let args =
        ["analyze", "--jobs", "2", "--depth", "40", "--threads", "1", "--hash", "8M", "--batch", input];
    let child = command(&args).stdout(writer).stderr(Stdio::null()).spawn().unwrap();
    assert!(finished(child).status.success());
}

/// The second result would replace the first or, without --force, be refused after the work for both.
#[cfg(unix)]
#[test]
fn every_result_needs_a_file_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let [game, out, around, link, picture] =
        ["game.sgf", "out.svg", "folder/../out.svg", "link.svg", "link.png"].map(path);
    std::fs::write(&game, "(;GM[4]SZ[15];B[hh];W[ih])").unwrap();
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    for link in [&link, &picture] {
        std::os::unix::fs::symlink("out.svg", link).unwrap();
    }
    let analyze = ["analyze", game.as_str(), "--nodes", "50", "--threads", "1", "--hash", "4M"];
    for content in [None, Some("a diary")] {
        if let Some(content) = content {
            std::fs::write(&out, content).unwrap();
        }
        for [sgf, svg] in [[&out, &out], [&around, &out], [&out, &link]] {
            for force in [&[] as &[&str], &["--force"]] {
                let said = super::wrong_usage(&[&analyze[..], &["--sgf", sgf, "--svg", svg], force].concat());
                assert!(said.contains("--sgf and --svg: expected two files, but both"), "{said}");
            }
        }
        let said = super::wrong_usage(&["show", "h8", "--svg", &out, "--png", &picture, "--force"]);
        assert!(said.contains("--svg and --png: expected two files, but both"), "{said}");
        assert_eq!(std::fs::read_to_string(&out).ok().as_deref(), content);
    }
    let other = path("other.png");
    std::fs::hard_link(&out, &other).unwrap();
    let said = super::wrong_usage(&["show", "h8", "--svg", &out, "--png", &other, "--force"]);
    assert!(said.contains("--svg and --png: expected two files, but both"), "{said}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "a diary");
}

/// Returns what an interrupted command prints and says, if the interrupt after so many milliseconds has not come too early
/// for an answer.
#[cfg(unix)]
fn interrupted(args: &[&str], wait: u64) -> Option<(String, String)> {
    let child = command(args).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(wait));
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let is_late = output.status.code() == Some(1) && said.starts_with("kagetsu: interrupted: ");
    is_late.then_some((String::from_utf8(output.stdout).unwrap(), said))
}

/// The search has hours. A busy machine takes longer to begin it.
#[cfg(unix)]
#[test]
fn an_interrupted_search_gives_its_answer() {
    let args = ["analyze", "h8h9", "--rule", "freestyle", "--time", "10h", "--threads", "1", "--hash", "4M"];
    for form in [&["--json"][..], &[]] {
        let args = [&args[..], form].concat();
        let found = (0..7).find_map(|n| interrupted(&args, 500 << n));
        let (shown, _) = found.expect("the search should begin within a minute");
        if form.is_empty() {
            let title = "\nfreestyle, 15x15, black to move\n";
            assert!(shown.contains(title) && shown.contains("\n1. "), "{shown}");
        } else {
            let answer: Value = serde_json::from_str(&shown).unwrap();
            assert_eq!(answer["best"], answer["pv"][0], "{answer}");
        }
    }
}

/// The first position and the last are searched for hours. The answer to the second waits for that to the first.
#[cfg(unix)]
#[test]
fn an_interrupted_batch_writes_the_answers_that_wait() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "D4\nh8h9i8i9j8j9k8k9\nD5\n").unwrap();
    let input = file.path().to_str().unwrap();
    let args =
        ["analyze", "--jobs", "2", "--time", "10h", "--threads", "1", "--hash", "8M", "--batch", input];
    // A busy machine takes longer to answer the second.
    let is_answered = |(shown, _): &(String, String)| shown.contains("\"best\"");
    let found = (0..7).find_map(|n| interrupted(&args, 500 << n).filter(is_answered));
    let (shown, said) = found.expect("the second position should be answered within a minute");
    assert_eq!(said, "kagetsu: interrupted: not every line is answered\n");
    let answers: Vec<Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cut_short = |id: u64| json!({"id": id, "error": "interrupted"});
    assert_eq!(answers[0], cut_short(1));
    assert_eq!((&answers[1]["id"], &answers[1]["mate"]), (&json!(2), &json!(1)));
    assert!(answers[2..].iter().all(|answer| *answer == cut_short(3)), "{shown}");
}

/// The last move makes an open four, so that it is judged in a moment. The first positions are searched for hours.
#[cfg(unix)]
#[test]
fn an_interrupted_annotation_keeps_what_is_judged() {
    let dir = tempfile::tempdir().unwrap();
    let [game, sgf, svg] = ["game.sgf", "out.sgf", "out.svg"].map(|name| dir.path().join(name));
    std::fs::write(&game, "(;SZ[15];B[hh];W[aa];B[ih];W[ac];B[jh];W[ae];B[kh])").unwrap();
    let [game, sgf, svg] = [&game, &sgf, &svg].map(|path| path.to_str().unwrap());
    let args =
        ["analyze", game, "--rule", "freestyle", "--time", "10h", "--sgf", sgf, "--svg", svg, "--json"];
    // A busy machine takes longer to judge a move.
    let judged = (0..7).find_map(|n| interrupted(&args, 1000 << n));
    let (rows, said) = judged.expect("a move should be judged within a minute");
    let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows.last().unwrap()["move"], 7);
    let unjudged = 7 - rows.len();
    assert_eq!(rows[0]["move"], unjudged + 1);
    assert!(said.contains(&format!("{unjudged} moves not judged")), "{said}");
    let written = std::fs::read_to_string(sgf).unwrap();
    assert_eq!(written.matches("Score ").count(), rows.len(), "{written}");
    assert!(std::fs::read_to_string(svg).unwrap().contains("</svg>"));
}
