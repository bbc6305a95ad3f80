//! The pages of `docs` name what there is: every key of an answer in JSON, every format, regulation and command, and every
//! key of `INFO`.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::Arc;

use kagetsu::book::Shelf;
use kagetsu::clock::SystemClock;
use kagetsu::game::regulation::Regulation;
use kagetsu::protocol;
use kagetsu_tools::record::Format;
use serde_json::Value;

use crate::common::cli::{objects, run};

const JSON: &str = include_str!("../../../../docs/json.md");
const FORMATS: &str = include_str!("../../../../docs/formats.md");
const GAMES: &str = include_str!("../../../../docs/games.md");
const OPENINGS: &str = include_str!("../../../../docs/openings.md");
const PROTOCOL: &str = include_str!("../../../../docs/protocol.md");
const WEB: &str = include_str!("../../../../docs/web.md");

/// The paragraphs and tables about a command, without the examples: from the one that begins with this text
/// to the next command.
fn part(begin: &str) -> Vec<&'static str> {
    let mut blocks = JSON.split("\n\n").skip_while(|block| !block.starts_with(begin));
    let first = blocks.next().unwrap_or_else(|| panic!("no part of docs/json.md begins with {begin}"));
    let is_other = |block: &str| block.starts_with("## ") || block.starts_with("`kagetsu ");
    let rest = blocks.take_while(|block| !is_other(block)).filter(|block| !block.starts_with("```"));
    std::iter::once(first).chain(rest).collect()
}

/// Returns the texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    quoted(text).flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

/// Returns the keys in a part's table.
fn table(begin: &str) -> BTreeSet<&'static str> {
    let rows = part(begin).into_iter().flat_map(str::lines).filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| words(row.split('|').nth(1).unwrap_or_default())).collect()
}

/// Adds the keys of all objects within a value. The points of a board may be keys too.
fn keys<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(object) => {
            let is_point = |key: &str| key.len() > 1 && key[1..].bytes().all(|digit| digit.is_ascii_digit());
            found.extend(object.keys().map(String::as_str).filter(|key| !is_point(key)));
            object.values().for_each(|value| keys(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// Asserts that the part of `docs/json.md` that begins with this text names every key of the answers. `id` is
/// explained for all of them.
#[track_caller]
pub fn assert_documented(begin: &str, answers: &[Value]) {
    let part = part(begin);
    let known: BTreeSet<&str> = part.iter().flat_map(|block| words(block)).chain(["id"]).collect();
    let mut found = BTreeSet::new();
    answers.iter().for_each(|answer| keys(answer, &mut found));
    let unknown: Vec<&&str> = found.difference(&known).collect();
    assert!(unknown.is_empty() && !found.is_empty(), "docs/json.md, {begin}: {unknown:?}");
}

#[test]
fn answers_have_the_keys_of_the_tables() {
    for (begin, args) in [
        ("## `kagetsu fouls`", &["fouls", "--json", "f8a1g8a3h9a5h10a7"][..]),
        (
            "## `kagetsu analyze`",
            &["analyze", "--json", "h8h9", "--nodes", "1", "--threads", "1", "--hash", "4M"],
        ),
        ("## `kagetsu solve", &["solve", "vcf", "--json", "h8h9i8i9j8", "--side", "black", "--tree"]),
    ] {
        let answers = objects(&run(args));
        let found: BTreeSet<&str> = answers[0].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(found, &table(begin) | &BTreeSet::from(["id"]), "{args:?}");
    }
}

/// Each row has a key of the innermost objects too, which no answer without such objects would have.
#[test]
fn every_key_of_an_answer_is_documented() {
    let dir = tempfile::tempdir().unwrap();
    let game = dir.path().join("game.sgf");
    std::fs::write(&game, "(;SZ[15]RU[4];B[hh];W[hg])").unwrap();
    let game = game.to_str().unwrap();
    for (begin, args, inner) in [
        ("## `kagetsu fouls`", &["fouls", "--json", "f8a1g8a3h9a5h10a7", "--point", "h8"][..], "reason"),
        ("## `kagetsu fouls`", &["fouls", "--json", "e8a1f8a3g8a5", "--point", "h8"], "completions"),
        (
            "## `kagetsu analyze`",
            &["analyze", "--json", game, "--nodes", "1", "--threads", "1", "--hash", "4M"],
            "best_score",
        ),
        ("## `kagetsu solve", &["solve", "vct", "--json", "h8h9i8i9j8", "--defend"], "undecided"),
        (
            "## `kagetsu solve",
            &["solve", "vcf", "--json", "h8h9i8i9j8", "--side", "black", "--tree"],
            "otherwise",
        ),
        ("`kagetsu net info", &["net", "info", "--json"], "kernels"),
        ("`kagetsu book probe", &["book", "probe", "--json", "h8"], "agreed"),
        ("`kagetsu book probe", &["book", "stats", "--json"], "evaluation"),
        ("`kagetsu bench --json`", &["bench", "--json", "--depth", "1"], "signature"),
        ("`kagetsu openings --json`", &["openings", "--json", "D8"], "chinese"),
        (
            "`kagetsu openings walk",
            &["openings", "walk", "--json", "rif", "D4", "swap", "g9", "offer h10 i7"],
            "fifths",
        ),
    ] {
        let answers = objects(&run(args));
        assert_documented(begin, &answers);
        let mut found = BTreeSet::new();
        answers.iter().for_each(|answer| keys(answer, &mut found));
        assert!(found.contains(inner), "{args:?}: {answers:?}");
    }
}

#[test]
fn the_pages_name_every_format() {
    let rows = FORMATS.lines().skip_while(|line| !line.starts_with("| format |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let extensions: BTreeSet<&str> = rows.flat_map(|row| quoted(row.split('|').nth(2).unwrap())).collect();
    // The second name of a format.
    assert_eq!(extensions, &BTreeSet::from(Format::NAMES) | &BTreeSet::from(["rif"]));
    let (_, shown) = WEB.split_once("every format (`").unwrap();
    let shown = shown.split('`').next().unwrap().split_whitespace();
    assert_eq!(shown.collect::<BTreeSet<_>>(), BTreeSet::from(Format::NAMES));
}

#[test]
fn the_pages_name_every_regulation() {
    let name = |text: &'static str| text.split([':', '[']).next().unwrap();
    let rows = OPENINGS.lines().filter(|line| line.starts_with("| `"));
    let named: BTreeSet<&str> =
        rows.flat_map(|row| quoted(row.split('|').nth(1).unwrap())).map(name).collect();
    assert_eq!(named, Regulation::SPELLINGS.map(name).into());
}

/// Two numbers with a hyphen between them end the names of a row of commands.
#[test]
fn the_engine_knows_every_documented_command() {
    let rows = PROTOCOL.lines().skip_while(|line| !line.starts_with("| group |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|') && !line.contains("`INFO` keys"));
    let mut words: Vec<String> = Vec::new();
    for text in rows.flat_map(quoted) {
        let Ok(last) = text.parse::<u8>() else {
            words.extend(text.split(' ').next().map(str::to_owned));
            continue;
        };
        let first = words.last().unwrap().clone();
        let (name, number) = first.split_at(first.len() - 1);
        words.extend((number.parse::<u8>().unwrap() + 1..=last).map(|number| format!("{name}{number}")));
    }
    assert!(words.len() > 60, "{words:?}");
    for word in words {
        let lines = format!("INFO max_node 20\nINFO max_memory 40000000\nSTART 15\n{word}\n");
        let mut said = Vec::new();
        let clock = Arc::new(SystemClock::new());
        protocol::run(Cursor::new(lines.into_bytes()), &mut said, clock, Shelf::Empty).unwrap();
        let said = String::from_utf8(said).unwrap();
        assert!(said.starts_with("OK") && !said.contains("UNKNOWN"), "{word}: {said}");
    }
}

#[test]
fn the_page_names_every_key_of_info() {
    let row = PROTOCOL.lines().find(|line| line.starts_with("| `INFO` keys |")).unwrap();
    let named: BTreeSet<&str> = quoted(row.split('|').nth(2).unwrap()).collect();
    assert_eq!(named, protocol::info_keys().collect::<BTreeSet<_>>());
}

/// The shapes in `docs/games.md`, whose ellipses stand for more of the same.
#[test]
fn answers_about_other_games_have_the_documented_keys() {
    for (name, args) in [
        ("list", &[][..]),
        ("show", &["--game", "pente", "j10"]),
        ("moves", &["--game", "pente", "j10"]),
        ("analyze", &["--game", "pente", "--nodes", "50", "j10"]),
        ("perft", &["--game", "reversi", "1"]),
        ("solve", &["--game", "reversi", "xx2/x3/o3/4 o"]),
        ("match", &["--game", "reversi", "--opponent", "random", "--games", "2", "--nodes", "20"]),
    ] {
        let row = GAMES.lines().find(|line| line.contains(&format!("`{name} --json`"))).expect(name);
        let shape = quoted(row).last().unwrap().replace(",…", "").replace('…', "");
        let shape: Value = serde_json::from_str(&shape).unwrap();
        let answers = objects(&run(&[&["games", name, "--json"], args].concat()));
        let (mut documented, mut found) = (BTreeSet::new(), BTreeSet::new());
        keys(&shape, &mut documented);
        keys(&answers[0], &mut found);
        assert_eq!(found, documented, "{name}");
    }
}
