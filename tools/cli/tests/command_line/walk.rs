//! `kagetsu openings walk`: regulations step by step.

use crate::common::cli::objects;
use crate::documented::assert_documented;
use crate::{failure, kagetsu, run, wrong_usage};

#[test]
fn arguments_are_actions() {
    let text = kagetsu(&["openings", "walk", "rif", "D4", "swap", "g9", "offer h10 i7", "choose i7 g7"]);
    for expected in [
        "rif on 15x15",
        "P1 (black) may put stones 1 to 3 in the centre, then in the central 3x3, then in the central 5x5",
        "P2 (white) may keep\n            or swap",
        "P1 (white) may put stone 4, white's, anywhere",
        "P2 (black) may offer 2 points for stone 5, no two symmetric",
        "P1 (white) may choose stone 5 from h10, i7 and put stone 6 anywhere",
        "moves: h8h9i9g9i7g7\nblack: P2, white: P1\nthe opening is over: P2 (black) moves",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn lines_are_actions_and_objects_the_answer() {
    let output =
        run(&["openings", "walk", "soosorv:8", "--json"], "# an opening\nh8h9i9\n\nkeep\na1 declare 3\n");
    assert!(output.status.success());
    let lines = objects(&output);
    assert_eq!(lines.len(), 4);
    let keys: Vec<_> = lines[0].as_object().unwrap().keys().collect();
    for line in &lines {
        assert_eq!(line.as_object().unwrap().keys().collect::<Vec<_>>(), keys, "every key is always there");
    }
    let zones = lines[0]["choices"][0]["zones"].as_array().unwrap();
    let points: Vec<_> = zones.iter().map(|zone| zone.as_array().unwrap().len()).collect();
    assert_eq!(points, [1, 9, 25]);
    assert_eq!((&lines[0]["acts"], &lines[1]["acts"]), (&"P1".into(), &"P2".into()));
    assert_eq!((&lines[3]["action"], &lines[3]["declared"]), (&"a1 declare 3".into(), &3.into()));
    assert_eq!(lines[3]["choices"][1]["kind"], "swap");
}

#[test]
fn refusals_are_said_with_their_place() {
    let said = failure(&["openings", "walk", "tarannikov", "h8", "h9"]);
    assert!(
        said.contains("action 2, 'h9': P2, holding white, is to keep, or swap; not to put a stone"),
        "{said}"
    );
    let output = run(&["openings", "walk", "pro"], "h8\n\na1\ni9\n");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("line 4, 'i9': stone 3 must be put outside the central 5x5"), "{said}");
    let said = failure(&["openings", "walk", "swap2", "h8 h9 i9", "swpa"]);
    assert!(said.contains("action 2, 'swpa': expected keep, swap, offer"), "{said}");
    let said = wrong_usage(&["openings", "walk", "longpro", "--size", "7"]);
    assert!(said.contains("longpro cannot be played on a 7x7 board"), "{said}");
    let output = run(&["openings", "walk", "swap3"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("expected plain, plain:free, rif"));
}

#[test]
fn the_engine_decides() {
    let text = kagetsu(&["openings", "walk", "swap2", "--nodes", "3000", "a1 h8 o15", "decide"]);
    assert!(text.contains("the engine decides: "), "{text}");
    assert!(text.contains("black: P1, white: P2"), "stones in the corners are nobody's wish: {text}");
    let output = run(&["openings", "walk", "rif", "--decide", "--nodes", "5000", "--json"], "");
    let lines = objects(&output);
    assert_documented("`kagetsu openings walk --json`", &lines);
    assert_eq!((lines.len(), &lines[5]["over"]), (6, &true.into()));
    assert_eq!(lines[0]["reasons"].as_array().unwrap().len(), 0);
    let reason = &lines[2]["reasons"][0];
    assert_eq!(reason["action"], lines[2]["action"]);
    assert!(reason["score"].as_i64().unwrap() >= 0, "one of the sides is not worse");
    assert!(reason["mate"].is_null(), "{reason}");
}
