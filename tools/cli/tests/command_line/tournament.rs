//! `kagetsu match` with the engine itself, in games whose course is known: its output, its files, and how it continues.

use std::path::Path;

use super::{failure, kagetsu, run};
#[cfg(target_os = "linux")]
use crate::common::cli::command;
use crate::documented::assert_documented;

/// Black has four in a row, free on both sides: the engine with Black wins with the first move.
const WON: &str = "e5a1f5a3g5a5h5a7\n";

/// A match with few nodes on a small board between engines of these names.
fn play(names: &[&str], opening: &str, more: &[&str]) -> String {
    played(names, opening, more, kagetsu)
}

/// The same, by a function that runs the command of these arguments.
fn played(names: &[&str], opening: &str, more: &[&str], run: impl FnOnce(&[&str]) -> String) -> String {
    let engine = |name: &&str| format!("name={name} '{}'", crate::common::cli::engine().display());
    let engines: Vec<String> = names.iter().map(engine).collect();
    between(&engines, opening, more, run)
}

/// The same, between engines of these commands.
fn between(engines: &[String], opening: &str, more: &[&str], run: impl FnOnce(&[&str]) -> String) -> String {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("openings.txt");
    std::fs::write(&list, opening).unwrap();
    let engines = engines.iter().flat_map(|engine| ["--engine", engine.as_str()]);
    let board = ["--rule", "freestyle", "--size", "9", "--openings", list.to_str().unwrap()];
    let limits = ["--nodes", "50", "--memory", "40M", "--threads", "1", "--startup", "1m"];
    let args: Vec<&str> =
        ["match"].into_iter().chain(engines).chain(board).chain(limits).chain(more.iter().copied()).collect();
    run(&args)
}

const SUMMARY: [&str; 6] = [
    "a - b: 2 games, +1 =0 -1 (50.0 %)",
    "as Black +1 =0 -0 (100.0 %), as White +0 =0 -1 (0.0 %)",
    "pairs by points 0, 1/2, 1, 3/2, 2: 0 0 1 0 0; decisive pairs 0:0",
    "no estimate of Elo yet: it needs at least 10 pairs",
    "Black scores 100.0 %; 1 of 1 pair (100 %) went to one colour twice",
    "ends: five 2",
];

/// Whether a text ends with these lines. Of the line with the ratings only the beginning is given.
#[track_caller]
fn ends_with(text: &str, summary: &[&str]) {
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len() - summary.len()..];
    for (found, expected) in last.iter().zip(summary) {
        let is_begun = expected.ends_with(' ') && found.starts_with(expected);
        assert!(found == expected || is_begun, "{text}");
    }
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_match_is_summed_up_and_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("games");
    let name = folder.to_str().unwrap();
    let text = play(&["a", "b"], WON, &["--out", name, "--psq"]);
    for game in [1, 2] {
        let line = text.lines().find(|line| line.starts_with(&format!("game {game}: "))).unwrap();
        assert!(line.ends_with(" 1-0 (five, 1 move, opening 1)"), "{line}");
    }
    ends_with(&text, &SUMMARY);
    assert_eq!(files(&folder), ["games.jsonl", "games.sgf", "plan.json", "psq", "stamps.json"]);
    assert_eq!(files(&folder.join("psq")), ["00001.psq", "00002.psq"]);
    let games = || std::fs::read_to_string(folder.join("games.sgf")).unwrap();
    assert_eq!(games().matches("RE[B+").count(), 2);

    // First no game is left to play; then the second game is.
    let text = kagetsu(&["match", "--resume", name]);
    assert!(text.starts_with("going on after 2 games\n") && !text.contains("\ngame "), "{text}");
    ends_with(&text, &SUMMARY);
    forget_all_but_one(&folder);
    let text = kagetsu(&["match", "--resume", name]);
    let anew = "going on after 1 game\nthe engines start anew: ";
    assert!(text.starts_with(anew) && text.contains("\ngame 2: "), "{text}");
    ends_with(&text, &SUMMARY);
    assert_eq!(games().matches("RE[B+").count(), 2);
}

/// Leaves the first game of a tournament in its folder, as if it had been interrupted.
fn forget_all_but_one(folder: &Path) {
    let journal = folder.join("games.jsonl");
    let lines = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, lines.split_inclusive('\n').next().unwrap()).unwrap();
}

/// The arguments name the engine by its place in the folder where the tournament began.
#[cfg(unix)]
#[test]
fn engines_run_where_the_tournament_began() {
    let [here, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    crate::common::cli::write_script(&here.path().join("engine"), "one");
    let run_in = |place: &Path, args: &[&str]| {
        let output = crate::common::cli::command(args).current_dir(place).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let folder = here.path().join("games");
    let name = folder.to_str().unwrap();
    let engines = ["name=a sh ./engine".to_owned(), "name=b sh ./engine".to_owned()];
    between(&engines, WON, &["--out", name], |args| run_in(here.path(), args));
    forget_all_but_one(&folder);
    let text = run_in(elsewhere.path(), &["match", "--resume", name]);
    assert!(text.contains("\ngame 2: "), "{text}");
    ends_with(&text, &SUMMARY);
}

/// An engine that is built anew keeps its name. This one is a script, of which a comment changes.
#[cfg(unix)]
#[test]
fn results_of_a_changed_program_are_not_added_up_unasked() {
    let dir = tempfile::tempdir().unwrap();
    let (script, folder) = (dir.path().join("engine"), dir.path().join("games"));
    let engine = crate::common::cli::engine();
    let build = |version| crate::common::cli::write_script(&script, version);
    build("one");
    let engines = [format!("name=a '{}'", script.display()), format!("name=b '{}'", engine.display())];
    let resume = ["match", "--resume", folder.to_str().unwrap()];
    between(&engines, WON, &["--out", resume[2]], kagetsu);

    build("two");
    // The results can be looked at, for no game is left.
    ends_with(&kagetsu(&resume), &SUMMARY);
    let names = "kagetsu: the program of a has changed since the tournament began: ";
    // A tournament without a game does not go on either: the next call would not know whose games it finds.
    let journal = folder.join("games.jsonl");
    let games = || std::fs::read_to_string(&journal).unwrap();
    let both = games();
    std::fs::write(&journal, "").unwrap();
    let said = failure(&resume);
    assert!(said.starts_with(names) && games().is_empty(), "{said}");
    std::fs::write(&journal, both).unwrap();
    forget_all_but_one(&folder);
    let said = failure(&resume);
    assert!(said.starts_with(names) && said.contains("--changed-engines"), "{said}");
    assert_eq!(games().lines().count(), 1);
    let text = kagetsu(&[&resume[..], &["--changed-engines"]].concat());
    let begin = "going on after 1 game\nthe program of a has changed since the tournament began: ";
    assert!(text.starts_with(begin) && text.contains("\ngame 2: "), "{text}");
    ends_with(&text, &SUMMARY);

    build("one");
    forget_all_but_one(&folder);
    assert!(!kagetsu(&resume).contains("has changed"), "it is the old program again");
    // Plans of earlier versions do not say which program it was.
    build("three");
    forget_all_but_one(&folder);
    let plan = folder.join("plan.json");
    let mut older: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&plan).unwrap()).unwrap();
    for contestant in older["contestants"].as_array_mut().unwrap() {
        assert!(contestant.as_object_mut().unwrap().remove("stamp").is_some(), "{contestant}");
    }
    std::fs::write(&plan, older.to_string()).unwrap();
    ends_with(&kagetsu(&resume), &SUMMARY);
}

/// Only standard error is on a terminal, as with `> log`.
#[cfg(target_os = "linux")]
#[test]
fn a_log_has_the_games() {
    let text = played(&["a", "b"], WON, &[], |args| {
        let (_person, program) = super::terminal::open();
        let output = command(args).env("TERM", "xterm").stderr(program).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    });
    assert!(text.contains("game 1: ") && text.contains("game 2: "), "{text}");
    ends_with(&text, &SUMMARY);
}

/// The settings of a tournament that is continued are those of its directory: a flag that changed nothing would mislead.
#[test]
fn flags_of_a_new_tournament_are_refused_with_resume() {
    let output = run(&["match", "--engine", "a", "--engine", "b", "--changed-engines"], "");
    assert_eq!(output.status.code(), Some(2), "it is a flag of --resume");
    let flags: [&[&str]; 14] = [
        &["--engine", "x"],
        &["--rule", "caro"],
        &["--size", "9"],
        &["--games", "2"],
        &["--time", "1s"],
        &["--nodes", "1"],
        &["--memory", "350M"],
        &["--threads", "1"],
        &["--openings", "list.txt"],
        &["--ends", "rif"],
        &["--draw-after", "50"],
        &["--resign", "1:1"],
        &["--sprt", "elo1=5"],
        &["--restart"],
    ];
    for flag in flags {
        let output = run(&[&["match", "--resume", "no-such-directory"], flag].concat(), "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flag:?}: {said}");
        assert!(said.contains("cannot be used with") && said.contains(flag[0]), "{flag:?}: {said}");
    }
}

/// Somebody who means megabytes and gives bytes would measure engines without tables.
#[test]
fn a_memory_limit_without_a_unit_is_refused() {
    let engines = ["match", "--engine", "a", "--engine", "b"];
    let output = run(&[&engines[..], &["--memory", "350"]].concat(), "");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("350 bytes are too few for an engine: expected at least 1M"), "{said}");
}

/// The last line of the summary is an object with the figures that the text has.
#[test]
fn pairs_of_one_colour_are_counted_in_json() {
    let text = play(&["a", "b"], WON, &["--json", "--sprt", "elo1=5", "--games", "2"]);
    let events: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The record of a game is that of the games file.
    let figures: Vec<_> = events.iter().filter(|event| event["event"] != "game").cloned().collect();
    assert_documented("`kagetsu match --json`", &figures);
    assert_eq!(figures.len(), 1 + 2 + 1);
    let end = events.last().unwrap();
    assert_eq!((&end["event"], &end["black"]["wins"]), (&"end".into(), &2.into()), "{end}");
    assert_eq!(end["one_coloured"], serde_json::json!({"pairs": 1, "of": 1}));
}

#[test]
fn a_single_game_is_no_pair() {
    let text = play(&["a", "b"], WON, &["--games", "1"]);
    let summary = [
        "a - b: 1 game, +1 =0 -0 (100.0 %)",
        "as Black +1 =0 -0 (100.0 %), as White +0 =0 -0 (0.0 %)",
        "pairs by points 0, 1/2, 1, 3/2, 2: 0 0 0 0 0; decisive pairs 0:0",
        "no estimate of Elo yet: it needs at least 10 pairs",
        "Black scores 100.0 %; no pair is complete",
        "ends: five 1",
    ];
    ends_with(&text, &summary);
}

/// Of seven stones none can be five of a colour.
#[test]
fn draws_are_summed_up() {
    let text = play(&["a", "b"], "e5\n", &["--draw-after", "7"]);
    let summary = [
        "a - b: 2 games, +0 =2 -0 (50.0 %)",
        "as Black +0 =1 -0 (50.0 %), as White +0 =1 -0 (50.0 %)",
        "pairs by points 0, 1/2, 1, 3/2, 2: 0 0 1 0 0; decisive pairs 0:0",
        "no estimate of Elo yet: it needs at least 10 pairs",
        "Black scores 50.0 %; 0 of 1 pair (0 %) went to one colour twice",
        "ends: drawn by length 2",
    ];
    ends_with(&text, &summary);
}

/// Everybody wins with Black and loses with White. Two pairs that ended alike say nothing of the error of a rating.
#[test]
fn several_engines_have_a_cross_table() {
    let text = play(&["alpha", "b", "c"], WON, &["--concurrency", "2"]);
    let table: Vec<&str> = text.lines().skip_while(|line| !line.trim_start().starts_with("engine")).collect();
    assert_eq!(table.len(), 6, "{text}");
    let mut names = Vec::new();
    for (rank, row) in (1..).zip(&table[1..4]) {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!((words[0], words[3]), (&*rank.to_string(), "?"), "{text}");
        assert_eq!((words[4], words[5]), ("4", "50.0%"), "{text}");
        let mut cells = ["1-0-1"; 3];
        cells[rank - 1] = "-";
        assert_eq!(words[6..], cells, "{text}");
        names.push(words[1]);
    }
    names.sort_unstable();
    assert_eq!(names, ["alpha", "b", "c"]);
    ends_with(
        &text,
        &["Black scores 100.0 %; 3 of 3 pairs (100 %) went to one colour twice", "ends: five 6"],
    );
}

#[test]
fn an_engine_that_cannot_start_leaves_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("games");
    let engine = format!("'{}'", crate::common::cli::engine().display());
    let engines = ["match", "--engine", engine.as_str(), "--engine", "./no-such-engine"];
    let said = failure(&[&engines[..], &["--out", folder.to_str().unwrap()]].concat());
    assert!(said.contains("cannot start no-such-engine"), "{said}");
    assert!(!folder.exists(), "{said}");
}
