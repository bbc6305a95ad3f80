//! The command line from outside: its output, the form of the output, and its exit status.

use std::io::Write;
use std::process::Stdio;

use crate::common::cli::{Conversation, command, failure, objects, printed, run, run_with_input};
use crate::documented::assert_documented;
use proptest::prelude::*;
use serde_json::{Value, json};

const SHOWN: &str = "\
15 . . . . . . . . . . . . . . .
14 . . . . . . . . . . . . . . .
13 . . . . . . . . . . . . . . .
12 . . . . . . . . . . . . . . .
11 . . . . . . . . . . . . . . .
10 . . . . . . . . . . . . . . .
 9 . . . . . .[o]o x . . . . . .
 8 . . . . . . . x . . . . . . .
 7 . . . . . . . . . . . . . . .
 6 . . . . . . . . . . . . . . .
 5 . . . . . . . . . . . . . . .
 4 . . . . . . . . . . . . . . .
 3 . . . . . . . . . . . . . . .
 2 . . . . . . . . . . . . . . .
 1 . . . . . . . . . . . . . . .
   a b c d e f g h i j k l m n o

renju, 15x15, 4 stones, black to move
opening: D4 Kagetsu 花月 (Flower Moon)
moves: h8h9i9g9
setup: 15/15/15/15/15/15/6oox6/7x7/15/15/15/15/15/15/15 x
";

#[test]
fn show_draws_and_names_a_position() {
    assert_eq!(printed(&["show", "D4 g9"]), SHOWN);
    let from_stdin = run_with_input(&["show", "-"], b"H8,h9 i9-g9\n");
    assert_eq!(String::from_utf8(from_stdin.stdout).unwrap(), SHOWN);
    // An image of the same opening, found by symmetry; a larger board has no openings.
    assert!(printed(&["show", "h8i8i7"]).contains("opening: D4 "));
    assert!(!printed(&["show", "h8h9i9", "--size", "20"]).contains("opening"));
    let over = printed(&["show", "xxxxx/5/5/5/5 o", "--rule", "standard"]);
    assert!(over.contains("standard, 5x5, 5 stones, game over: black wins by a row"), "{over}");
    assert!(!over.contains("moves:"), "a setup has no moves");
}

/// `h8i8i7` is D4 mirrored at the diagonal.
#[test]
fn openings_are_named_in_any_image() {
    assert_eq!(printed(&["openings"]).lines().count(), 26);
    for image in ["D4", "h8i8i7", "h8h9i9 a1"] {
        let text = printed(&["openings", image]);
        assert!(text.starts_with("D4   h8h9i9 ") && text.lines().count() == 1, "{image}: {text}");
    }
    // Like every position, it may stand in a file or come from the standard input.
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("game.sgf");
    std::fs::write(&file, "(;GM[4]SZ[15];B[hh];W[ih];B[ii];W[aa])").unwrap();
    let named = printed(&["openings", "h8i8i7"]);
    assert_eq!(printed(&["openings", file.to_str().unwrap()]), named);
    assert_eq!(printed(&["openings", file.to_str().unwrap(), "--move", "3"]), named);
    assert_eq!(run_with_input(&["openings", "-"], b"h8i8i7\n").stdout, named.as_bytes());
    for flags in [&["openings", "--move", "3"][..], &["openings", "--balanced", "1", "--game", "1"]] {
        assert!(failure(flags).1.contains("expected a game file"), "{flags:?}");
    }
    let (status, message) = failure(&["openings", "h8h9a1"]);
    assert_eq!(
        (status, message.as_str()),
        (1, "kagetsu: h8h9a1 begins with none of the 26 openings of Renju\n")
    );
}

const FOULS: &str = "
fouls for black:                h8 (33)
only look like double threes:   none
make a five:                    none
depends on the interpretation:  none
";

#[test]
fn fouls_in_words() {
    let text = printed(&["fouls", "f8a1g8a3h9a5h10a7"]);
    assert!(text.contains("\n 8 . . . . . x x ! . . . . . . .\n"), "{text}");
    assert!(text.ends_with(FOULS), "{text}");
    let none = printed(&["fouls", "f8a1g8a3h9a5h10a7", "--rule", "standard"]);
    assert!(none.ends_with(&FOULS.replace("h8 (33)", "none")), "{none}");
    // The foul is on the board: the game is over.
    let played = printed(&["fouls", "f8a1g8a3h9a5h10a7h8"]);
    let over = format!("\n{:<32}white wins by black's foul (33)", "game over:");
    assert!(played.ends_with(&(over + &FOULS.replace("h8 (33)", "none"))), "{played}");
}

/// A three of a split shape with one way to grow, and one that grows into nothing but an overline.
#[test]
fn fouls_explained() {
    let text = printed(&["fouls", "f8a1g8a3h9a5h10a7", "--point", "H8"]);
    assert!(text.contains("\n 8 . . . . . x x ! . . . . . . .\n"), "{text}");
    let tree = text.split_once("\n\n").unwrap().1;
    assert!(
        tree.starts_with("h8: foul 33\n  three f8 g8 h8, horizontal: real\n    e8 extends it: legal\n"),
        "{tree}"
    );
    assert!(tree.contains("\n  three h8 h9 h10, vertical: real\n"), "{tree}");
    // The second example of recursion in the rule text: c7 is a foul only through a false double three at a deeper level.
    let deep =
        printed(&["fouls", "15/15/15/15/15/6x8/2x2x9/2x12/4xx9/4x1x8/15/15/15/15/15 x", "--point", "c7"]);
    let tree = deep.split_once("\n\n").unwrap().1;
    assert!(tree.starts_with("c7: foul 33\n"), "{tree}");
    for reason in ["    d7 extends it: legal\n", " e8 does not extend it: foul 33\n"] {
        assert!(tree.contains(reason), "{reason}: {tree}");
    }
    assert!(printed(&["fouls", "h8", "--point", "i8"]).contains("[x]+"));
    assert_eq!(
        failure(&["fouls", "h8", "--point", "h8"]),
        (1, "kagetsu: expected an empty point: h8 is occupied\n".into())
    );
    assert_eq!(
        failure(&["fouls", "h8", "--point", "p8"]),
        (1, "kagetsu: point 'p8': p8 is off the 15x15 board\n".into())
    );
    let (status, message) = failure(&["fouls", "h8", "--point", "i8", "--rule", "caro"]);
    assert_eq!(
        (status, message.as_str()),
        (1, "kagetsu: there are no fouls to explain under the rule caro\n")
    );
}

#[test]
fn fouls_in_json() {
    let line = printed(&["fouls", "--json", "f8a1g8a3h9a5h10a7"]);
    assert_eq!(
        line,
        "{\"id\":1,\"fouls\":{\"h8\":\"33\"},\"false_fouls\":[],\"fives\":[],\"readings_differ\":[]}\n"
    );
    // The first position of the data file: points and keys come in board order, k5 before f8 before e14.
    let text = std::fs::read_to_string("../../tests/data/fouls.jsonl").unwrap();
    let output = run_with_input(&["fouls", "--batch", "-"], text.lines().next().unwrap().as_bytes());
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "{\"id\":\"P00000\",\"fouls\":{\"k5\":\"33\",\"f8\":\"6\",\"e14\":\"44\"},\"false_fouls\":[],\
         \"fives\":[\"k12\"],\"readings_differ\":[]}\n"
    );
}

/// The tree for one point agrees with the rule's text. The expected parts were read off the rules by hand: for this
/// position, in which two threes meet in h8, and for one in which the second three is not real.
#[test]
fn one_point_is_explained_in_json() {
    let node: Value =
        serde_json::from_str(&printed(&["fouls", "f8a1g8a3h9a5h10a7", "--point", "h8", "--json"])).unwrap();
    assert_eq!(
        (&node["point"], &node["verdict"], &node["kinds"]),
        (&json!("h8"), &json!("foul"), &json!("33"))
    );
    let threes = node["threes"].as_array().unwrap();
    assert_eq!(threes.len(), 2);
    for (three, stones) in threes.iter().zip([["f8", "g8", "h8"], ["h8", "h9", "h10"]]) {
        assert_eq!((&three["stones"], &three["real"]), (&json!(stones), &json!(true)), "{node}");
        let extends: Vec<&Value> =
            three["extensions"].as_array().unwrap().iter().filter(|e| e["extends"] == true).collect();
        assert!(!extends.is_empty() && extends.iter().all(|e| e["reason"]["verdict"] == "legal"), "{three}");
    }
    // The same by --batch, the point in the object or for all.
    let input = "{\"id\":\"a\",\"position\":\"f8a1g8a3h9a5h10a7\",\"point\":\"h8\"}\nf8a1g8a3h9a5h10a7\n";
    let output = run_with_input(&["fouls", "--batch", "-", "--point", "i8"], input.as_bytes());
    let answers = objects(&output);
    assert_eq!((&answers[0]["id"], &answers[0]["threes"]), (&json!("a"), &node["threes"]));
    assert_eq!((&answers[1]["point"], &answers[1]["verdict"]), (&json!("i8"), &json!("legal")));
    let occupied = run_with_input(&["fouls", "--batch", "-", "--point", "h9"], b"f8a1g8a3h9a5h10a7\n");
    assert_eq!(objects(&occupied)[0]["error"], "expected an empty point: h9 is occupied");
}

/// A false three carries the reason, as deep as it goes.
#[test]
fn the_tree_of_a_point_is_whole() {
    let rows = std::fs::read_to_string("../../tests/data/fouls.jsonl").unwrap();
    let mut deepest = 0;
    for row in rows.lines().take(40) {
        let row: Value = serde_json::from_str(row).unwrap();
        for (name, kinds) in row["forbidden"].as_object().unwrap() {
            let output =
                run_with_input(&["fouls", "--batch", "-", "--point", name], row.to_string().as_bytes());
            let node = &objects(&output)[0];
            assert_eq!((&node["verdict"], &node["kinds"]), (&json!("foul"), kinds), "{row}");
            deepest = deepest.max(depth(node));
        }
    }
    assert!(deepest > 1, "no foul of the file needs a reason");
}

/// Returns the nesting depth of an explanation: 1 without reasons.
fn depth(node: &Value) -> usize {
    let reasons = |three: &Value| -> Vec<Value> {
        three["extensions"].as_array().unwrap().iter().map(|e| e["reason"].clone()).collect()
    };
    let below = node["threes"].as_array().into_iter().flatten().flat_map(reasons).filter(|r| !r.is_null());
    1 + below.map(|reason| depth(&reason)).max().unwrap_or(0)
}

/// The data file is a batch as it stands: its objects have `id`, `black`, `white`, `side` and keys to ignore.
#[test]
fn fouls_of_the_data_positions() {
    let text = std::fs::read_to_string("../../tests/data/fouls.jsonl").unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let literal = run(&["fouls", "--batch", "../../tests/data/fouls.jsonl"]);
    let loose = run_with_input(&["fouls", "--batch", "-", "--reading", "five-extends"], text.as_bytes());
    assert!(literal.status.success() && loose.status.success());
    let (literal, loose) = (objects(&literal), objects(&loose));
    assert_eq!((literal.len(), loose.len()), (rows.len(), rows.len()));
    for ((row, literal), loose) in rows.iter().zip(&literal).zip(&loose) {
        let id = &row["id"];
        assert_eq!((id, id), (&literal["id"], &loose["id"]));
        if row["terminal"] == json!(true) {
            continue;
        }
        assert_eq!(row["forbidden"], literal["fouls"], "{id}");
        assert_eq!(sorted(&row["fives"]), sorted(&literal["fives"]), "{id}");
        assert_eq!(sorted(&row["pseudo"]), sorted(&literal["false_fouls"]), "{id}");
        assert_eq!(literal["readings_differ"], loose["readings_differ"], "{id}");
        for (point, verdict) in row["five_ext_alt"].as_object().into_iter().flatten() {
            let foul = loose["fouls"].get(point).map_or("legal", |kinds| kinds.as_str().unwrap());
            assert_eq!(foul == "legal", verdict == "legal", "{id} {point}");
        }
    }
}

fn sorted(names: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = names.as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn batches_answer_every_line_in_order() {
    let input = "\
h8

# a comment
{\"id\":\"a\",\"position\":\"D4\",\"extra\":[1]}
h8 h8
{\"id\":12345678901234567890123,\"black\":[\"h8\"],\"white\":[],\"side\":\"o\"}
{\"id\":null,\"position\":\"h8\",\"rule\":\"chess\"}
{\"id\":7,\"black\":[\"h8\",\"H8\"]}
{\"position\":\"d4\",\"size\":20,\"rule\":\"caro\",\"side\":\"white\"}
{\"position\":\"5/5/5/5/5 x\",\"size\":6}
{\"id\":[1,\t2],\"position\":5}
{\"side\":\"red\",\"position\":\"h8\"}
{\"side\":\"x\"}
{broken
tests/data/fouls.jsonl
\u{1F600}\r
--
";
    let mut bytes = input.as_bytes().to_vec();
    bytes.extend(b"h\xff8\nh8i9");
    let output = run_with_input(&["fouls", "--batch", "-"], &bytes);
    assert_eq!(output.status.code(), Some(1), "some lines are bad");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let expected: [(&str, Option<&str>); 17] = [
        ("1", None),
        ("\"a\"", None),
        ("5", Some("move 2: h8 is occupied")),
        ("12345678901234567890123", None),
        ("null", Some("'chess' is not a rule: expected freestyle, standard, renju, caro or caro6")),
        ("7", Some("h8 is occupied")),
        ("9", None),
        ("10", Some("the position is 5x5, but size 6 was asked for")),
        ("[1, 2]", Some("position must be a string")),
        ("12", Some("'red' is not a colour: expected black or white")),
        ("13", Some("expected the key position, or black and white")),
        ("14", Some("bad JSON: key must be a string at line 1 column 2")),
        ("15", Some("15 rows: ")),
        ("16", Some("character 1: '\u{1F600}' where a column letter was expected")),
        ("17", None),
        ("18", Some("character 2: '\u{fffd}' where a row number was expected")),
        ("19", None),
    ];
    assert_eq!(text.lines().count(), expected.len(), "{text}");
    for (line, (id, error)) in text.lines().zip(expected) {
        match error {
            None => assert!(line.starts_with(&format!("{{\"id\":{id},\"fouls\":")), "{line}"),
            // A batch line that names a file is not opened. It is read as a position like any other text, and is a
            // wrong one.
            Some("15 rows: ") => assert!(line.starts_with("{\"id\":15,\"error\":\"3 rows: "), "{line}"),
            Some(error) => assert_eq!(line, format!("{{\"id\":{id},\"error\":{}}}", json!(error))),
        }
    }
}

/// Only `fouls` asks about a point.
#[test]
fn keys_that_a_command_has_no_use_for_are_ignored() {
    let line = br#"{"position":"h8","point":5,"extra":[1]}"#;
    let analyze = ["analyze", "--depth", "1", "--threads", "1", "--hash", "4M"];
    let refused = Some("point must be a string");
    for (command, error) in [(&["solve", "vcf"][..], None), (&analyze, None), (&["fouls"], refused)] {
        let answers = objects(&run_with_input(&[command, &["--batch", "-"]].concat(), line));
        assert_eq!(answers[0]["error"].as_str(), error, "{command:?}");
    }
}

/// Windows editors and shells write a byte-order mark first.
#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let mark = |text: &str| format!("\u{feff}{text}").into_bytes();
    let shown = run_with_input(&["show", "-"], &mark("H8,h9 i9-g9\n"));
    assert_eq!(String::from_utf8(shown.stdout).unwrap(), SHOWN);
    for command in [&["fouls"][..], &["solve", "vcf"], &["analyze", "--depth", "1"]] {
        for (input, id) in [("# a comment\nh8\n", 2), ("{\"position\":\"h8\"}", 1)] {
            let output = run_with_input(&[command, &["--batch", "-"]].concat(), &mark(input));
            assert!(output.status.success() && objects(&output)[0]["id"] == id, "{command:?}");
        }
    }
    let play = ["play", "--level", "0", "--threads", "1", "--hash", "4M"];
    let played = run_with_input(&play, &mark("resign\n"));
    let played = String::from_utf8(played.stdout).unwrap();
    assert!(played.contains("game over: white wins: black resigns"), "{played}");
    let walked = run_with_input(&["openings", "walk", "pro"], &mark("h8\n"));
    assert!(walked.status.success(), "{}", String::from_utf8_lossy(&walked.stderr));
}

#[test]
fn batches_answer_as_soon_as_they_can() {
    let mut batch = Conversation::start(command(&["fouls", "--batch", "-"]));
    (0..3).for_each(|_| batch.ask("h8"));
    batch.end();
}

#[test]
fn analyze_finds_and_proves_a_five() {
    let line = printed(&["analyze", "h8h9i8i9j8j9k8k9", "--rule", "standard", "--depth", "2", "--json"]);
    let answer: Value = serde_json::from_str(&line).unwrap();
    // The answers that the Gomocup organisers accept.
    assert!(["g8", "l8"].contains(&answer["best"].as_str().unwrap()), "{line}");
    assert_eq!((&answer["mate"], &answer["win_rate"]), (&json!(1), &json!(1.0)), "{line}");
    assert_eq!((&answer["proven"], &answer["hash_permille"]), (&json!("vcf"), &Value::Null));
    assert_eq!(answer["pv"], json!([answer["best"]]));
    assert_eq!(answer["lines"][0]["pv"], answer["pv"]);
    let text = printed(&["analyze", "h8h9i8i9j8j9k8k9", "--rule", "standard", "--depth", "2"]);
    assert!(text.contains("\nproven by vcf: black wins in 1 ply\n"), "{text}");
}

#[test]
fn analyze_under_limits() {
    let analyze = |args: &[&str]| -> Value {
        let args = [&["analyze", "--json", "--hash", "4M"], args].concat();
        serde_json::from_str(&printed(&args)).unwrap()
    };
    let quiet = analyze(&["D4", "--depth", "3", "--multipv", "2"]);
    assert_eq!((&quiet["depth"], &quiet["mate"], &quiet["proven"]), (&json!(3), &Value::Null, &Value::Null));
    assert_eq!(quiet["lines"].as_array().unwrap().len(), 2);
    assert!(quiet["hash_permille"].as_u64().is_some_and(|share| share <= 1000), "{quiet}");
    // Threads read each other's node counts only now and then, so with many threads the bound would depend on the
    // machine.
    let bounded = analyze(&["D4", "--nodes", "3000", "--threads", "1"]);
    assert!(bounded["nodes"].as_u64().unwrap() < 10_000, "{bounded}");
    // Common flags are taken everywhere they can mean something.
    analyze(&["h8", "--time", "50ms", "--threads", "1", "--size", "20", "--rule", "freestyle"]);
    // White to move has only to complete his row.
    let white = analyze(&["a1h8a3i8a5j8a7k8", "--side", "white", "--depth", "1"]);
    assert!(["g8", "l8"].contains(&white["best"].as_str().unwrap()), "{white}");
}

#[test]
fn the_same_nodes_give_the_same_answer() {
    let analyze = || {
        let mut answer: Value = serde_json::from_str(&printed(&[
            "analyze",
            "D6",
            "--nodes",
            "5000",
            "--json",
            "--hash",
            "4M",
            "--threads",
            "1",
        ]))
        .unwrap();
        answer["ms"].take();
        answer["nps"].take();
        answer
    };
    assert_eq!(analyze(), analyze());
}

#[test]
fn analyze_says_that_a_game_is_over() {
    let (status, message) = failure(&["analyze", "d4a1e4a2f4a3g4a4h4"]);
    assert_eq!((status, message.as_str()), (1, "kagetsu: the game is over: black wins by a row\n"));
    let (status, message) = failure(&["analyze", "xxoox/ooxxo/xxoox/ooxxo/xxoox o", "--rule", "freestyle"]);
    assert_eq!((status, message.as_str()), (1, "kagetsu: the game is over: draw: the board is full\n"));
}

#[test]
fn perft_of_the_empty_board() {
    let text = printed(&["perft", "3", "--rule", "renju"]);
    let counts: Vec<&str> = text.lines().map(|line| line.split(" game").next().unwrap()).collect();
    assert_eq!(counts, ["depth 0: 1", "depth 1: 225", "depth 2: 50400", "depth 3: 11239200"]);
    // A standing row of the setup has ended the game, whoever is to move.
    assert!(printed(&["perft", "1", "xxxxx/5/5/5/5 x"]).contains("depth 1: 0 games"));
}

/// The first figures are those of one thread, however the threads share the work.
#[test]
fn bench_compares_threads() {
    let bench = |more: &[&str]| -> Value {
        serde_json::from_str(&printed(&[&["bench", "--depth", "9", "--json"], more].concat())).unwrap()
    };
    let (one, two) = (bench(&[]), bench(&["--threads", "2"]));
    assert_eq!((&one["signature"], &one["nodes"]), (&two["signature"], &two["nodes"]));
    assert!(one.get("threads").is_none() && two["threads"] == 2, "{one} {two}");
    assert_documented("`kagetsu bench --json`", std::slice::from_ref(&two));
    assert!(two["compared"].as_u64().is_some_and(|n| (1..=30).contains(&n)), "{two}");
    // Even on a single core the second thread does not make it ten times slower.
    assert!(two["speedup"].as_f64().is_some_and(|x| x > 0.1 && x < 100.0), "{two}");
}

#[test]
fn bench_repeats_itself() {
    let bench = || -> Value { serde_json::from_str(&printed(&["bench", "--depth", "1", "--json"])).unwrap() };
    let (first, second) = (bench(), bench());
    assert!(first["nodes"].as_u64().unwrap() > 0 && first["signature"].as_u64().is_some());
    assert_eq!((&first["nodes"], &first["signature"]), (&second["nodes"], &second["signature"]));
    let deeper = printed(&["bench", "--depth", "2"]);
    assert!(!deeper.contains(&first["signature"].to_string()), "{deeper}");
}

#[test]
fn help_and_version() {
    for subcommand in ["analyze", "fouls", "show", "perft", "bench"] {
        let help = printed(&[subcommand, "--help"]);
        assert!(help.contains(&format!("  kagetsu {subcommand}")), "{help}");
    }
    let version = printed(&["--version"]);
    assert!(version.starts_with(concat!("kagetsu ", env!("CARGO_PKG_VERSION"), "\n")), "{version}");
    assert!(version.contains("book: "), "{version}");
    // `net info` reads the same nets whole.
    for line in printed(&["net", "info", "--json"]).lines() {
        let net: Value = serde_json::from_str(line).unwrap();
        let expected = format!("{} (from {} positions)", net["rule"].as_str().unwrap(), net["positions"]);
        assert!(version.contains(&expected), "{version}");
    }
}

#[test]
fn no_colour_without_a_terminal() {
    assert!(!printed(&["fouls", "f8a1g8a3h9a5h10a7"]).contains('\u{1b}'));
}

/// `kagetsu … | head`: whoever reads may stop reading.
#[cfg(unix)]
#[test]
fn a_closed_stdout_is_no_fault() {
    for args in [&["fouls", "--batch", "-"][..], &["show", "-"]] {
        let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        child.stdin.take().unwrap().write_all(b"h8i9").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[cfg(unix)]
    #[test]
    fn any_argument_is_answered(argument in prop_oneof![
        prop::collection::vec(1u8.., 0..30),
        "[a-zA-Z0-9/xo, -]{0,30}".prop_map(String::into_bytes),
    ]) {
        use std::os::unix::ffi::OsStrExt;
        let output = command(&["fouls"]).arg(std::ffi::OsStr::from_bytes(&argument)).output().unwrap();
        prop_assert!(matches!(output.status.code(), Some(0..=2)), "{:?}", output.status);
        prop_assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    }

    #[test]
    fn any_input_is_answered(input in prop::collection::vec(any::<u8>(), 0..200)) {
        let output = run_with_input(&["fouls", "--batch", "-"], &input);
        prop_assert!(matches!(output.status.code(), Some(0 | 1)), "{:?}", output.status);
        prop_assert!(output.stderr.is_empty());
        let lines = input.split(|b| *b == b'\n').filter(|line| {
            let line = String::from_utf8_lossy(line);
            !line.trim().is_empty() && !line.trim().starts_with('#')
        });
        prop_assert_eq!(objects(&output).len(), lines.count());
    }
}
