//! `kagetsu openings sift`: openings chosen by the engine's own games.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use kagetsu::game::Size;
use kagetsu::game::notation::parse;
use kagetsu::game::symmetry::Canonical;

use super::{failure, kagetsu, run};

/// Black has four in a row and the move: Black wins every game at once.
const WON: &str = "a1a3b1b3c1c4d1d5";
/// Every line of the board has stones of both colours: every game is a draw.
const DRAWN: &str = "a1a2b3b4c5c1d2d3e4e5";

/// A command with tiny searches and games.
fn words(more: &[&str]) -> Vec<String> {
    let engine = format!("name=own '{}'", crate::common::cli::engine().display());
    let limits = ["--nodes", "300", "--quick", "30:40", "--long", "50:60"];
    let words = ["openings", "sift"].into_iter().chain(more.iter().copied());
    words.chain(["--engine", engine.as_str(), "--memory", "40M"]).chain(limits).map(str::to_owned).collect()
}

fn sift(more: &[&str]) -> String {
    kagetsu(&words(more).iter().map(String::as_str).collect::<Vec<_>>())
}

fn lists(folder: &Path) -> [String; 2] {
    ["tuning.txt", "testing.txt"].map(|name| std::fs::read_to_string(folder.join(name)).unwrap())
}

/// Interrupted after the first opening, with a line that a crash has torn, and continued with other threads.
#[test]
fn a_list_does_not_depend_on_interruptions_and_threads() {
    let dir = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| dir.path().join(name));
    let board = ["--rule", "caro", "--size", "9", "--candidate-nodes", "100", "--bias", "400"];
    sift(&[&["4", "--out", whole.to_str().unwrap()], &board[..]].concat());
    let name = parts.to_str().unwrap();
    sift(&[&["1", "--out", name], &board[..]].concat());
    let journal = parts.join("candidates.jsonl");
    std::fs::OpenOptions::new().append(true).open(&journal).unwrap().write_all(b"{\"number\":").unwrap();
    let output = run(&["openings", "sift", "4", "--resume", name, "--threads", "2"], "");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    let warning = format!("warning: {}: 10 bytes of an unfinished line were cut off\n", journal.display());
    assert!(said.contains(&warning), "{said}");
    let [tuning, testing] = lists(&whole);
    assert_eq!(lists(&parts), [tuning.clone(), testing.clone()]);

    let openings = |list: &str| -> Vec<u64> {
        let lines = list.lines().filter(|line| !line.starts_with('#'));
        let key = |line| Canonical::of_position(&parse(line, Size::new(9).ok()).unwrap()).key;
        lines.map(key).collect()
    };
    let both = [openings(&tuning), openings(&testing)];
    assert_eq!(both.each_ref().map(Vec::len), [2, 2], "{tuning}{testing}");
    assert_eq!(both.concat().into_iter().collect::<HashSet<u64>>().len(), 4, "{tuning}{testing}");
    assert!(tuning.starts_with("# 2 openings for tuning, caro 9x9, chosen by outcome"), "{tuning}");
    assert!(
        tuning.contains("\n# settings: 4 openings in both lists, --rule caro --size 9 --seed 1"),
        "{tuning}"
    );
    assert!(tuning.contains(&format!(" --memory {} --engine own\n", 40 << 20)), "{tuning}");
    // A shorter list is the beginning of a longer one, and needs no more games.
    let before = std::fs::read(&journal).unwrap();
    kagetsu(&["openings", "sift", "2", "--resume", name]);
    assert_eq!(std::fs::read(&journal).unwrap(), before);
    let first = |list: &str| openings(list)[..1].to_vec();
    assert_eq!(lists(&parts).map(|list| openings(&list)), [first(&tuning), first(&testing)]);
    // An edited list stays as it is.
    std::fs::write(parts.join("testing.txt"), "mine").unwrap();
    let said = failure(&["openings", "sift", "2", "--resume", name]);
    assert!(said.contains("testing.txt: it was edited since the run wrote it"), "{said}");
    assert_eq!(lists(&parts)[1], "mine");
}

/// Of two candidates one is won by Black whatever the nodes. Its games reject it, even if `--bias` accepts
/// any advantage.
#[test]
fn openings_that_one_colour_wins_are_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("list.txt");
    std::fs::write(&list, format!("# both\n{WON}\n{DRAWN}\n")).unwrap();
    for (bias, verdict, games) in [("1000000", "quick_one_sided", 2), ("5000", "unbalanced", 0)] {
        let folder = dir.path().join(verdict);
        let (folder_name, list) = (folder.to_str().unwrap(), list.to_str().unwrap());
        let board = ["--rule", "freestyle", "--size", "5", "--candidates", list, "--bias", bias];
        let text = sift(&[&["1", "--out", folder_name], &board[..]].concat());
        assert!(text.starts_with("2 candidates\n     0 gave no opening\n"), "{text}");
        let journal = std::fs::read_to_string(folder.join("candidates.jsonl")).unwrap();
        let candidates: Vec<serde_json::Value> =
            journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(candidates[0]["verdict"], verdict);
        let played = candidates[0]["games"].as_array().unwrap();
        assert_eq!(played.len(), games, "{journal}");
        assert!(played.iter().all(|game| game["result"] == "1-0"), "{journal}");
        assert_eq!(candidates[1]["verdict"], "kept");
        let sides = |i: usize| -> Vec<_> {
            let games = candidates[i]["games"].as_array().unwrap().iter();
            games.map(|game| (game["black"].as_u64().unwrap(), game["white"].as_u64().unwrap())).collect()
        };
        // The colours exchange their nodes; after a draw the second game of a pair cannot change the verdict.
        assert_eq!(sides(0), [(30, 40), (40, 30)][..games]);
        assert_eq!(sides(1), [(30, 40), (50, 60)]);
        let [tuning, testing] = lists(&folder);
        assert_eq!((tuning.lines().last(), testing.lines().count()), (Some(DRAWN), 2));
        let said = failure(&["openings", "sift", "2", "--resume", folder_name]);
        assert!(said.contains("the candidates are used up: 1 of 2 openings kept"), "{said}");
    }
}

/// The settings of a run that is continued are those of its directory.
#[test]
fn flags_of_a_new_run_are_refused_with_resume() {
    let output = run(&["openings", "sift", "1", "--engine", "x", "--out", "new", "--changed-engines"], "");
    assert_eq!(output.status.code(), Some(2), "it is a flag of --resume");
    let flags = [
        &["--rule", "caro"][..],
        &["--size", "9"],
        &["--engine", "x"],
        &["--candidates", "list.txt"],
        &["--seed", "1"],
        &["--candidate-nodes", "1"],
        &["--stones", "3", "4"],
        &["--nodes", "1"],
        &["--bias", "80"],
        &["--even", "0"],
        &["--quick", "1:2"],
        &["--long", "1:2"],
        &["--memory", "1M"],
        &["--out", "new"],
    ];
    for flag in flags {
        let output = run(&[&["openings", "sift", "1", "--resume", "no-such-directory"], flag].concat(), "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flag:?}: {said}");
        assert!(said.contains("cannot be used with") && said.contains(flag[0]), "{flag:?}: {said}");
    }
}

/// An engine that is built anew keeps its name. This one is a script, of which a comment changes.
#[cfg(unix)]
#[test]
fn candidates_are_not_judged_by_a_changed_program_unasked() {
    let dir = tempfile::tempdir().unwrap();
    let [list, script, folder] = ["list.txt", "engine", "run"].map(|name| dir.path().join(name));
    std::fs::write(&list, format!("{DRAWN}\n{WON}\n")).unwrap();
    let build = |version| crate::common::cli::write_script(&script, version);
    build("one");
    let engine = format!("name=own '{}'", script.display());
    let [list, name] = [&list, &folder].map(|path| path.to_str().unwrap());
    let board = ["--rule", "freestyle", "--size", "5", "--candidates", list, "--bias", "1000000"];
    let limits = ["--nodes", "300", "--quick", "30:40", "--long", "50:60", "--memory", "40M"];
    let begin = ["openings", "sift", "1", "--engine", &engine, "--out", name];
    kagetsu(&[&begin[..], &board, &limits].concat());
    let journal = folder.join("candidates.jsonl");
    let judged = || std::fs::read_to_string(&journal).unwrap().lines().count();
    // The second candidate, which is not kept, is left to be judged.
    let forget = || {
        let lines = std::fs::read_to_string(&journal).unwrap();
        std::fs::write(&journal, lines.split_inclusive('\n').next().unwrap()).unwrap();
    };
    let resume = |wanted: &str, more: &[&str]| {
        let args = [&["openings", "sift", wanted, "--resume", name], more].concat();
        String::from_utf8(run(&args, "").stderr).unwrap()
    };
    let changed = "the program of own has changed since the run began: ";
    let used_up = "the candidates are used up: 1 of 2 openings kept";

    build("two");
    forget();
    assert!(!resume("1", &[]).contains(changed), "no game is played");
    // A run without a candidate does not go on either: the next call would not know whose candidates it finds.
    let first = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, "").unwrap();
    let said = resume("1", &[]);
    assert!(said.starts_with(&format!("kagetsu: {changed}")) && judged() == 0, "{said}");
    std::fs::write(&journal, first).unwrap();
    let said = resume("2", &[]);
    assert!(said.starts_with(&format!("kagetsu: {changed}")) && said.contains("--changed-engines"), "{said}");
    assert_eq!(judged(), 1);
    let said = resume("2", &["--changed-engines"]);
    assert!(said.contains(&format!("warning: {changed}")) && said.contains(used_up), "{said}");
    assert_eq!(judged(), 2);

    build("one");
    forget();
    let said = resume("2", &[]);
    assert!(!said.contains(changed) && said.contains(used_up), "it is the old program again: {said}");
    // Settings of earlier versions do not say which program it was.
    build("three");
    forget();
    let settings = folder.join("sift.json");
    let text = std::fs::read_to_string(&settings).unwrap();
    let mut older: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(older["engines"][0].as_object_mut().unwrap().remove("stamp").is_some(), "{older}");
    std::fs::write(&settings, older.to_string()).unwrap();
    let said = resume("2", &[]);
    assert!(!said.contains(changed) && said.contains(used_up), "{said}");
    assert_eq!(judged(), 2);
}

/// The program ends at once, and is no engine.
#[test]
fn the_candidate_of_a_failed_game_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let [list, folder] = ["list.txt", "run"].map(|name| dir.path().join(name).to_str().unwrap().to_owned());
    std::fs::write(&list, format!("{DRAWN}\n")).unwrap();
    let engine = format!("name=own '{}' --version", env!("CARGO_BIN_EXE_kagetsu"));
    let words = ["openings", "sift", "1", "--rule", "freestyle", "--size", "5", "--candidates", &list];
    let more = ["--bias", "5000", "--nodes", "50", "--engine", &engine, "--out", &folder];
    let said = failure(&[&words[..], &more].concat());
    assert!(said.contains(&format!("candidate 0: own failed in a game from {DRAWN}: ")), "{said}");
}

#[test]
fn runs_that_could_not_work_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("work");
    let name = folder.to_str().unwrap();
    let same = run(&["openings", "sift", "1", "--engine", "x", "--out", name, "--quick", "50:50"], "");
    assert_eq!(same.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&same.stderr).contains("both games of a pair would be the same"));

    let list = dir.path().join("list.txt");
    std::fs::write(&list, DRAWN).unwrap();
    let list = ["--rule", "freestyle", "--size", "5", "--candidates", list.to_str().unwrap()];
    let missing = ["openings", "sift", "1", "--engine", "./no-such-engine", "--out", name, "--bias", "5000"];
    let said = failure(&[&missing[..], &list, &["--nodes", "50"]].concat());
    assert!(said.contains("cannot start no-such-engine"), "{said}");
    assert!(!folder.exists(), "the same command with another engine must work");
    sift(&[&["1", "--out", name, "--bias", "5000"], &list[..]].concat());
    let said = failure(&[&missing[..], &list].concat());
    assert!(said.contains("--resume") && said.contains("already holds a run"), "{said}");
    let said = failure(&["openings", "sift", "1", "--resume", name, "--net", "hand"]);
    assert!(said.contains("were judged with the net"), "{said}");
    let said = failure(&["openings", "sift", "1", "--resume", dir.path().to_str().unwrap()]);
    assert!(said.contains("cannot read") && said.contains("sift.json"), "{said}");
    assert!(said.contains("expected a directory that 'kagetsu openings sift --out' made"), "{said}");
}
