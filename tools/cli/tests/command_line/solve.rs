//! `kagetsu solve` from outside: its answers in JSON, on positions with independently known answers, and its threads.

use crate::common::cli::{Conversation, command, failure, objects, printed, run, run_with_input};
use crate::common::puzzle::puzzles;
use kagetsu::game::{Board, Color, Renju, Rule};
use kagetsu::solve::proof_io::Flat;
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vcf, Verdict};
use kagetsu::with_rule;
use serde_json::{Value, json};

/// Returns the only answer to a question, with 0 for the figures that depend on the machine or the search.
fn answer(args: &[&str]) -> String {
    let line = printed(&[&["solve", "--json"], args].concat());
    let (start, figures) = line.split_once("\"nodes\":").expect("nodes");
    let (nodes, ms) = figures.trim_end_matches("}\n").split_once(",\"ms\":").expect("ms");
    assert!(nodes.parse::<u64>().is_ok() && ms.parse::<f64>().is_ok(), "{line}");
    format!("{start}\"nodes\":0,\"ms\":0}}")
}

/// Returns the rows of the data file that `pick` chooses, unchanged.
fn rows(pick: impl Fn(&crate::common::puzzle::Puzzle) -> bool) -> String {
    let text = include_str!("../../../../tests/data/puzzles.jsonl");
    let chosen = text.lines().zip(puzzles()).filter(|(_, puzzle)| pick(puzzle));
    chosen.map(|(line, _)| format!("{line}\n")).collect()
}

/// Answers to a batch, without the time that each took.
fn batch(args: &[&str], input: &str) -> Vec<Value> {
    let output = run_with_input(&[&["solve", "--batch", "-"], args].concat(), input.as_bytes());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut answers = objects(&output);
    for answer in &mut answers {
        if let Some(ms) = answer.get_mut("ms") {
            ms.take();
        }
    }
    answers
}

#[test]
fn every_kind_of_end() {
    let four = "15/15/15/15/15/15/15/3oxxxx7/15/15/15/15/15/15/15 x";
    assert_eq!(
        answer(&["vcf", four]),
        r#"{"id":1,"kind":"vcf","result":"win","by":"vcf","attacker":"black","length":1,"shortest":true,"end":"five","foul":null,"line":["i8"],"nodes":0,"ms":0}"#
    );
    // Black's three in row 8 has white stones two points from either end: only one of its extensions is open to both sides.
    let three = "15/15/15/15/15/15/15/3o1xxx2o4/15/15/15/15/15/15/15 x";
    assert_eq!(
        answer(&["vct", three]),
        r#"{"id":1,"kind":"vct","result":"win","by":"vcf","attacker":"black","length":3,"shortest":true,"end":"straight_four","foul":null,"line":["i8"],"nodes":0,"ms":0}"#
    );
    // White's rows e8-g8 and h9-h11 are both closed at one end and cross at h8.
    let cross = "15/15/15/7x7/7o7/7o7/7o7/3xooo8/15/15/15/15/15/15/15 o";
    assert_eq!(
        answer(&["vcf", cross, "--shortest"]),
        r#"{"id":1,"kind":"vcf","result":"win","by":"vcf","attacker":"white","length":3,"shortest":true,"end":"double_four","foul":null,"line":["h8"],"nodes":0,"ms":0}"#
    );
    assert_eq!(
        answer(&["vcf", "h8", "--side", "black"]),
        r#"{"id":1,"kind":"vcf","result":"no_win","by":null,"attacker":"black","length":null,"shortest":false,"end":null,"foul":null,"line":[],"nodes":0,"ms":0}"#
    );
}

/// The puzzle with the longest win is not solved by one stone.
#[test]
fn a_limit_makes_an_answer_unknown() {
    let longest = puzzles().iter().filter_map(|puzzle| puzzle.win_len).max();
    let answers = batch(&["vcf", "--nodes", "1"], &rows(|puzzle| puzzle.win_len == longest));
    assert_eq!((&answers[0]["result"], &answers[0]["by"]), (&json!("unknown"), &Value::Null));
    assert_eq!((&answers[0]["length"], &answers[0]["line"]), (&Value::Null, &json!([])));
}

#[test]
fn puzzles_have_the_known_answers() {
    let input = rows(|puzzle| puzzle.kind == "none" || puzzle.win_len.is_some_and(|n| n < 25));
    let answers = batch(&["vcf", "--shortest", "--threads", "2"], &input);
    assert!(answers.len() > 80);
    for answer in &answers {
        let puzzle = puzzles().into_iter().find(|puzzle| answer["id"] == puzzle.id.as_str()).expect("its id");
        assert_eq!(answer["attacker"], puzzle.side().to_string(), "{answer}");
        let Some(length) = puzzle.win_len else {
            assert_eq!((&answer["result"], &answer["by"]), (&json!("no_win"), &Value::Null), "{answer}");
            continue;
        };
        assert_eq!((&answer["result"], &answer["by"]), (&json!("win"), &json!("vcf")), "{answer}");
        assert_eq!((&answer["length"], &answer["shortest"]), (&json!(length), &json!(true)), "{answer}");
        let line = answer["line"].as_array().expect("a line");
        assert_eq!(line.len(), length - 2, "{answer}");
        assert_eq!(answer["end"] == "foul", answer["foul"].is_object(), "{answer}");
    }
}

#[test]
fn one_thing_is_singular() {
    let text = printed(&["solve", "vcf", "h8a1i8a3j8a5k8a7"]);
    assert!(text.contains("\nblack wins by vcf in 1 ply, the shortest, ending with a five\n"), "{text}");
    let text = printed(&["analyze", "h8h9i9", "--nodes", "1", "--threads", "1", "--hash", "4M"]);
    assert!(text.contains("\n1 node, "), "{text}");
}

/// These positions have no win by fours; if it is `-`, the defender has one.
#[test]
fn wins_by_threats() {
    let input = rows(|puzzle| ["P0125", "P0134", "P0140", "P0157"].contains(&puzzle.id.as_str()));
    let answers = batch(&["vct"], &input);
    assert_eq!(answers.len(), 4);
    for answer in &answers {
        assert_eq!((&answer["result"], &answer["by"]), (&json!("win"), &json!("vct")), "{answer}");
        assert!(answer["length"].as_u64().expect("a length") % 2 == 1, "{answer}");
        let line = answer["line"].as_array().expect("a line");
        assert!(line.iter().step_by(2).all(|p| p != "-") && line.len() % 2 == 1, "{answer}");
    }
}

/// Wins by threats that take 13, 9 and 17 plies if the first one found is taken. The test checks without the solver for
/// threats that none is shorter: after every move, some reply leaves no win by so few fours.
#[test]
fn the_shortest_win_by_threats() {
    let wanted = [("P0155", 5), ("P0124", 7), ("P0126", 7)];
    let of = |id: &str| puzzles().into_iter().find(|puzzle| puzzle.id == id).expect("the puzzle");
    for (id, length) in wanted {
        let input = rows(|puzzle| puzzle.id == id);
        let (first, answer) = (batch(&["vct"], &input), batch(&["vct", "--shortest"], &input));
        assert!(first[0]["length"].as_u64() > Some(length), "{first:?}");
        assert_eq!(
            (&answer[0]["length"], &answer[0]["shortest"]),
            (&json!(length), &json!(true)),
            "{answer:?}"
        );
        let puzzle = of(id);
        let (position, attacker) = (puzzle.position(), puzzle.side());
        with_rule!(puzzle.rule(), R => {
            let mut board = Board::<R>::from_position(&position).expect("a board");
            assert!(!wins_in_plies(&mut board, attacker, length - 2), "{id}: a shorter win");
        });
    }
}

/// Returns whether the attacker, to move, has a five on the board within this number of plies (1, 3 or 5) whatever the
/// defender does: by any move, and then by fours.
fn wins_in_plies<R: Rule>(board: &mut Board<R>, attacker: Color, plies: u64) -> bool {
    let mut vcf = Vcf::<R>::new(1 << 16);
    let mut by_fours = |board: &Board<R>, fours| {
        vcf.within(board, attacker, fours, &mut Budget::unlimited()) == Verdict::Win
    };
    board.set_side(attacker);
    if plies < 5 {
        return by_fours(board, plies as usize / 2);
    }
    let moves: Vec<_> = board.empty().iter().collect();
    moves.iter().any(|&p| {
        if board.is_foul(p, attacker) {
            return false;
        }
        board.play(p);
        let won = board.winner() == Some(attacker)
            || moves.iter().filter(|&&reply| reply != p).all(|&reply| {
                if board.is_foul(reply, !attacker) {
                    return true;
                }
                board.play(reply);
                let won = board.winner().is_none() && by_fours(board, 1);
                board.undo();
                won
            });
        board.undo();
        won
    })
}

/// A limit that stops the search for a shorter win does not lose the win already found.
#[test]
fn a_win_found_survives_the_search_for_a_shorter_one() {
    let input = rows(|puzzle| puzzle.id == "P0013");
    let found = batch(&["vct"], &input);
    let nodes = (found[0]["nodes"].as_u64().expect("nodes") + 1000).to_string();
    let answer = batch(&["vct", "--shortest", "--nodes", &nodes], &input);
    assert_eq!((&answer[0]["result"], &answer[0]["shortest"]), (&json!("win"), &json!(false)), "{answer:?}");
}

#[test]
fn the_tree_is_a_proof() {
    let puzzle = puzzles().into_iter().find(|puzzle| puzzle.id == "P0134").expect("the puzzle");
    let answers = batch(&["vct", "--tree"], &rows(|p| p.id == puzzle.id));
    let tree: Flat = serde_json::from_value(answers[0]["tree"].clone()).expect("a tree");
    let mut board = Board::<Renju>::from_position(&puzzle.position()).expect("a board");
    let proof = tree.proof().expect("a proof");
    assert_eq!(verify(&mut board, puzzle.side(), &proof, &mut Budget::unlimited()), Ok(()));
}

/// An open three with room on both sides is stopped only at its two ends, unless the defender has a four.
#[test]
fn defences_against_an_open_three() {
    let three =
        r#"{"id":"t","rule":"freestyle","black":["a1","o15"],"white":["h8","i8","j8"],"side":"white"}"#;
    let none =
        r#"{"id":"n","rule":"freestyle","black":["a1","o15"],"white":["h8","i8","k2"],"side":"white"}"#;
    let input = format!("{three}\n{none}\n");
    for threads in ["1", "3"] {
        let answers = batch(&["vcf", "--defend", "--jobs", "1", "--threads", threads], &input);
        assert_eq!(answers[0]["result"], "win");
        assert_eq!((&answers[0]["defences"], &answers[0]["undecided"]), (&json!(["g8", "k8"]), &json!([])));
        assert_eq!((&answers[1]["result"], &answers[1]["defences"]), (&json!("no_win"), &json!([])));
        let position = "15/15/15/15/15/15/15/7ooo5/15/15/15/15/15/15/xx13 x";
        let text =
            printed(&["solve", "vct", position, "--rule", "freestyle", "--defend", "--threads", threads]);
        assert!(text.contains("\nmoves that stop white: g8 k8\n"), "{text}");
    }
}

/// Bad lines among good ones, and more lines than threads.
#[test]
fn threads_change_no_answer() {
    let good = rows(|puzzle| puzzle.kind == "vcf");
    let mut lines: Vec<&str> = good.lines().collect();
    lines.insert(3, "# a comment");
    lines.insert(5, "h8 h8");
    lines.push("{broken");
    let input = lines.join("\n");
    let answers = batch(&["vcf", "--nodes", "20000"], &input);
    assert_eq!(answers.len(), 98);
    assert_eq!((&answers[4]["id"], &answers[4]["error"]), (&json!(6), &json!("move 2: h8 is occupied")));
    for threads in ["2", "7"] {
        assert_eq!(batch(&["vcf", "--nodes", "20000", "--threads", threads], &input), answers);
    }
    assert_eq!(batch(&["vcf", "--nodes", "20000", "--threads", "4", "--jobs", "2"], &input), answers);
    let output = run_with_input(&["solve", "vcf", "--batch", "-", "--threads", "2"], b"h8\nz99\n");
    assert_eq!((output.status.code(), objects(&output).len()), (Some(1), 2));
}

/// The answer to a line does not wait for the next line, with several threads too.
#[test]
fn side_by_side_answers_come_as_soon_as_they_can() {
    let mut batch = Conversation::start(command(&["solve", "vcf", "--batch", "-", "--threads", "2"]));
    (0..3).for_each(|_| batch.ask("h8"));
    batch.end();
}

#[test]
fn threads_without_use_are_named() {
    let output = run(&["solve", "vcf", "h8", "--threads", "2"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && message.contains("searched for by one thread"), "{message}");
    assert_eq!(failure(&["solve", "vcf", "h8", "--threads", "0"]).0, 2);
}

/// The tables then have their largest size. These few nodes touch little of them.
#[test]
fn more_memory_than_there_is_does_no_harm() {
    let much = ["h8h9i9", "--nodes", "10", "--hash", "4000G"];
    for args in [&["solve", "vct"][..], &["solve", "vct", "--defend"], &["analyze", "--threads", "1"]] {
        printed(&[args, &much].concat());
    }
}

/// The tables of a search have a largest size, and a quarter of a study's memory is for the solvers. The workers of a batch
/// share the memory, and the tables of `solve` may have any size.
#[test]
fn memory_that_no_search_uses_is_named() {
    let most = kagetsu::engine::MAX_HASH >> 30;
    let limits = ["--nodes", "10", "--threads", "1", "--hash"];
    for (command, hash, is_named) in [
        (&["analyze", "h8h9i9"][..], "85G", false),
        (&["analyze", "h8h9i9"], "86G", true),
        (&["analyze", "--batch", "-", "--jobs", "2"], "170G", false),
        (&["analyze", "--batch", "-", "--jobs", "2"], "172G", true),
        (&["show", "h8h9i9", "--candidates", "1"], "86G", true),
        (&["solve", "vct", "h8h9i9"], "4000G", false),
    ] {
        let args = [command, &limits, &[hash]].concat();
        let is_batch = command.contains(&"--batch");
        let output = if is_batch { run_with_input(&args, b"h8h9i9\n") } else { run(&args) };
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = format!("kagetsu: warning: --hash: the tables of a search take at most {most}G");
        assert!(output.status.success() && said.starts_with(&expected) == is_named, "{args:?}: {said}");
    }
    for command in
        [&["analyze"][..], &["show"], &["openings", "walk"], &["play"], &["web"], &["bench", "find"]]
    {
        let help = printed(&[command, &["--help"]].concat());
        let help: Vec<&str> = help.split_whitespace().collect();
        assert!(help.join(" ").contains(&format!("a search uses at most {most}G")), "{command:?}");
    }
}

#[test]
fn finished_games_are_refused() {
    let (status, message) = failure(&["solve", "vcf", "d4a1e4a2f4a3g4a4h4"]);
    assert_eq!((status, message.as_str()), (1, "kagetsu: the game is over: black wins by a row\n"));
}

/// A position without a VCF may have a VCT, for which there was no budget.
#[test]
fn without_a_budget_nothing_is_known() {
    for kind in ["vcf", "vct"] {
        for position in ["h8h9", "h8a1i8a2"] {
            let answer =
                objects(&run(&["solve", kind, position, "--side", "black", "--nodes", "0", "--json"]));
            let expected = if kind == "vcf" { ["no_win", "unknown"] } else { ["unknown", "unknown"] };
            assert!(
                expected.contains(&answer[0]["result"].as_str().unwrap()),
                "{kind} {position}: {answer:?}"
            );
        }
    }
}

/// Longer than the time after which long work shows its progress.
#[cfg(target_os = "linux")]
const LONG: std::time::Duration = std::time::Duration::from_millis(2100);

/// After two seconds there is a line of progress if stderr is a terminal, and nothing otherwise.
#[cfg(target_os = "linux")]
#[test]
fn long_batches_show_that_they_go_on() {
    use std::io::Read;

    let (mut person, terminal) = crate::terminal::open();
    let batch = || command(&["solve", "vcf", "--batch", "-"]);
    let mut on_terminal = batch();
    on_terminal.env("TERM", "xterm").stderr(terminal);
    let (mut shown, mut quiet) = (Conversation::start(on_terminal), Conversation::start(batch()));
    // Even on a fast machine, a batch lasts as long as its input.
    for both in [&mut shown, &mut quiet] {
        both.ask("h8");
    }
    std::thread::sleep(LONG);
    for both in [&mut shown, &mut quiet] {
        both.ask("h8h9");
    }
    assert!(quiet.end().is_empty());
    shown.end();
    let mut text = Vec::new();
    // The end of a terminal whose programs have gone is an error.
    let _ = person.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("2 answered"), "{text:?}");
}
