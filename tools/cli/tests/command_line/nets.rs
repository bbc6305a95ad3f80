//! `--net FILE` and `kagetsu net info FILE`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{failure, files, kagetsu, wrong_usage};

/// Names of the nets in use, by rule.
fn names(options: &[&str]) -> BTreeMap<String, String> {
    let text = kagetsu(&[options, &["net", "info", "--json"]].concat());
    let net = |line: &str| -> (String, String) {
        let net: Value = serde_json::from_str(line).unwrap();
        let word = |key: &str| net[key].as_str().unwrap().to_owned();
        (word("rule"), word("name"))
    };
    text.lines().map(net).collect()
}

/// Returns the result of a search, without its times.
fn answer(options: &[&str], rule: &str) -> Value {
    let search = ["analyze", "h8i9i8", "--nodes", "2000", "--threads", "1", "--hash", "4M", "--json"];
    let text = kagetsu(&[options, &search, &["--rule", rule]].concat());
    let mut answer: Value = serde_json::from_str(&text).unwrap();
    answer["ms"].take();
    answer["nps"].take();
    answer
}

/// The weights of caro in a file that says it is for Renju.
#[test]
fn a_net_of_a_file_takes_the_place_of_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("other.net");
    std::fs::write(&path, files::caro_net_for_renju()).unwrap();
    let path = path.to_str().unwrap();
    let net = ["--net", path];
    let built_in = names(&[]);
    // A name is the rule and a checksum of the weights.
    let name = built_in["caro"].replace("caro-", "renju-");
    assert_ne!(name, built_in["renju"]);
    let mut expected = built_in.clone();
    expected.insert("renju".into(), name.clone());
    assert_eq!(names(&net), expected);
    assert!(kagetsu(&["net", "info", path]).starts_with(&format!("{name}\n")));

    assert_ne!(answer(&net, "renju"), answer(&[], "renju"));
    assert_ne!(answer(&net, "renju"), answer(&["--net", "hand"], "renju"));
    assert_eq!(answer(&net, "standard"), answer(&[], "standard"));

    let said = failure(&[&net[..], &net, &["net", "info"]].concat());
    assert!(said.contains("other.net: there is a net for renju already"), "{said}");
}

#[test]
fn a_net_is_refused_where_none_is_used() {
    for args in [
        &["fouls", "h8"][..],
        &["solve", "vcf", "h8"],
        &["perft", "1"],
        &["prove", "h8"],
        &["openings", "D4"],
        &["man"],
        &["book", "stats"],
        &["selfplay", "stats", "x"],
        &["show", "h8", "--fouls"],
        &["net", "info", "x"],
        &["games", "list"],
        &["games", "solve", "--game", "reversi", "--size", "4"],
    ] {
        let output = crate::run(&[&["--net", "hand"], args].concat(), "");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("--net: this command takes no net"), "{args:?}: {said}");
    }
    let said = wrong_usage(&["--net", "hand", "match", "--engine", "./a", "--engine", "./b"]);
    assert!(said.contains("--engine 'pbrain-kagetsu --net=FILE'"), "{said}");
}

#[test]
fn a_damaged_net_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("other.net");
    let mut bytes = files::caro_net_for_renju();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap();
    for args in [&["--net", path, "net", "info"][..], &["net", "info", path]] {
        let said = failure(args);
        assert!(said.contains("other.net: the net is damaged"), "{said}");
    }
}
