//! `kagetsu bench --suite` and `kagetsu bench find`: hard positions, and where they come from.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde_json::Value;

use super::{failure, kagetsu};
use crate::documented::assert_documented;

/// Black has an open three and the move; then a verdict that no search confirms, and a win with one good move.
const LIST: &str = "# three\nfreestyle 15 win h8a1i8c1j8e1 # open three\n\nrenju 15 loss h8 # no\n\
    freestyle 15 best k8 h8a1i8a2j8a3g8a4b6f8\n";

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn measured(args: &[&str]) -> Value {
    let limits = ["--nodes", "2000", "--hash", "4M", "--json"];
    let answer = serde_json::from_str(&kagetsu(&[&["bench", "--suite"], args, &limits].concat())).unwrap();
    assert_documented("`kagetsu bench --suite --json`", std::slice::from_ref(&answer));
    answer
}

#[test]
fn a_suite_counts_nodes_to_the_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let list = write(dir.path(), "list.txt", LIST);
    let answer = measured(&[&list]);
    let nodes: Vec<Option<u64>> =
        answer["positions"].as_array().unwrap().iter().map(|p| p["nodes"].as_u64()).collect();
    assert!(matches!(nodes[..], [Some(win), None, Some(best)] if win < 2000 && best < 2000), "{answer}");
    assert_eq!((&answer["nodes"], &answer["hash"]), (&2000.into(), &(4 << 20).into()));
    let all = &answer["all"];
    assert_eq!((&all["positions"], &all["solved"]), (&3.into(), &2.into()), "{answer}");
    assert_eq!(answer["positions"][2]["verdict"], "best k8");
    let rules: Vec<_> = answer["rules"].as_array().unwrap().iter().map(|rule| &rule["rule"]).collect();
    assert_eq!(rules, ["freestyle", "renju"]);
    assert_eq!(measured(&[&list, "--jobs", "3"]), answer, "whatever the threads");
    let turned = measured(&[&list, "--symmetry", "3"]);
    assert_eq!((&turned["symmetry"], &turned["all"]["solved"]), (&3.into(), &2.into()), "as hard as before");
    assert_eq!(turned["positions"][2]["position"], answer["positions"][2]["position"], "shown as it was");
    let renju = measured(&[&list, "--rule", "renju"]);
    assert_eq!((&renju["all"]["positions"], &renju["all"]["median"]), (&1.into(), &2000.into()), "a miss");
    let table = kagetsu(&["bench", "--suite", &list, "--nodes", "2000"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..3], ["rule", "positions", "solved"], "{table}");
    assert_eq!(rows[2], ["renju", "1", "0", "2000", "2000"], "{table}");
    assert_eq!(rows[3][..3], ["all", "3", "2"], "{table}");
}

#[test]
fn bad_suites_are_told_what_is_expected() {
    let dir = tempfile::tempdir().unwrap();
    let list = write(dir.path(), "bad.txt", "# one\nrenju 15 won h8\n");
    let said = failure(&["bench", "--suite", &list]);
    let expected = "bad.txt:2: 'won' is not a verdict: expected 'win', 'loss' or 'best' and a point";
    assert!(said.contains(expected), "{said}");
    let list = write(dir.path(), "list.txt", LIST);
    let said = failure(&["bench", "--suite", &list, "--rule", "caro"]);
    assert!(
        said.contains(
            "--rule: the suite has no position of this rule; expected one of the rules in the suite"
        ),
        "{said}"
    );
    let said = failure(&["bench", "--suite", dir.path().join("none").to_str().unwrap()]);
    assert!(said.contains("cannot read"), "{said}");
}

/// The built-in suite is read and searched; so few nodes prove next to nothing.
#[test]
fn the_built_in_suite_is_hard() {
    let answer: Value =
        serde_json::from_str(&kagetsu(&["bench", "--suite", "--nodes", "300", "--hash", "4M", "--json"]))
            .unwrap();
    let all = &answer["all"];
    let (positions, solved) = (all["positions"].as_u64().unwrap(), all["solved"].as_u64().unwrap());
    assert!(positions >= 50 && solved * 10 < positions, "{all}");
}

/// Openings of a small board, most of them fights in its middle.
const OPENINGS: &str = "f4d6f6\ne5e4f4d6f6\ne5f5e4f4d4\ne5f6d6f4c7\ne5e6f6d4g7\n\
                        e5d5d6c7f4\ne5f4f6d6d4\nd5e5d6e6c7\nd5f5e6e4d7f3\ne5d6f6d4f4\n";

fn find(more: &[&str]) -> String {
    let limits = ["--games", "60:80", "--short", "30", "--long", "2000", "--promise", "-30000"];
    let rest = ["--compare", "0", "--hash", "4M", "--rule", "freestyle", "--size", "9"];
    kagetsu(&[&["bench", "find"], more, &limits, &rest].concat())
}

/// Interrupted after the first position, with a line that a crash has torn, and continued with other threads.
#[test]
fn the_list_does_not_depend_on_interruptions_and_threads() {
    let dir = tempfile::tempdir().unwrap();
    let openings = write(dir.path(), "openings.txt", OPENINGS);
    let [whole, parts] = ["whole", "parts"].map(|name| dir.path().join(name));
    let said = find(&["2", "--openings", &openings, "--out", whole.to_str().unwrap()]);
    assert!(said.contains("suite.txt: 2 hard positions of "), "{said}");
    let name = parts.to_str().unwrap();
    find(&["1", "--openings", &openings, "--out", name]);
    let journal = parts.join("games.jsonl");
    fs::OpenOptions::new().append(true).open(&journal).unwrap().write_all(b"{\"number\":").unwrap();
    kagetsu(&["bench", "find", "2", "--resume", name, "--threads", "2"]);
    let list = |folder: &Path| fs::read_to_string(folder.join("suite.txt")).unwrap();
    assert_eq!(list(&parts), list(&whole));
    assert!(list(&whole).starts_with("# 2 hard positions, freestyle 9x9, made by kagetsu "));
    // Each verdict is confirmed by a search as long as the one that gave it, and by no shorter one.
    let suite = whole.join("suite.txt");
    let answer = measured(&[suite.to_str().unwrap()]);
    for position in answer["positions"].as_array().unwrap() {
        assert!(position["nodes"].as_u64().is_some_and(|nodes| nodes > 30), "{answer}");
    }
    let said = failure(&["bench", "find", "1000", "--resume", name]);
    assert!(said.contains("the openings are used up: "), "{said}");
}

#[test]
fn files_of_others_and_impossible_settings_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let openings = write(dir.path(), "openings.txt", OPENINGS);
    let name = dir.path().to_str().unwrap();
    let new = ["bench", "find", "1", "--size", "9", "--openings", &openings, "--out", name];
    let said = failure(&[&new[..], &["--short", "10", "--long", "10"]].concat());
    assert!(said.contains("--long 10: expected more nodes than --short 10"), "{said}");
    write(dir.path(), "suite.txt", "mine");
    let said = failure(&new);
    assert!(said.contains("has a suite.txt already: expected a new directory"), "{said}");
    assert_eq!(fs::read_to_string(dir.path().join("suite.txt")).unwrap(), "mine");
    let said = failure(&["bench", "find", "1", "--resume", name]);
    assert!(said.contains("expected a directory that 'kagetsu bench find --out' made"), "{said}");
}
