//! `kagetsu prove`: proofs of small positions, open ones that stay open, interruptions, files, damage.

use std::path::Path;

use crate::common::cli::{command, failure, objects, printed, run};
use crate::common::puzzle::{Puzzle, puzzles};
use crate::documented::assert_documented;
use kagetsu::game::{Board, Rule};
use kagetsu::solve::proof::{After, Proof};
use kagetsu::solve::verify::verify;
use kagetsu::solve::{Budget, Vct, Verdict};
use kagetsu::with_rule;
use serde_json::Value;

/// White to move; after a pass Black wins by threats. Dozens of replies need answers of their own.
const DEFENCE: &str = "h8h9i9i10j10k11g7f6g8";
/// Enough to prove some of them lost.
const NODES: &str = "1500000";

fn json(args: &[&str]) -> Value {
    let answer = serde_json::from_str(&printed(&[&["prove", "--json"], args].concat())).unwrap();
    assert_documented("`kagetsu prove --json`", std::slice::from_ref(&answer));
    answer
}

fn check(path: &Path) -> Value {
    json(&["--check", path.to_str().unwrap()])
}

/// Every legal reply that a proof does not name is covered if and only if the verifier accepts the proof after it.
fn covers_what_the_verifier_accepts<R: Rule>(puzzle: &Puzzle) -> Option<usize> {
    let attacker = puzzle.side();
    let mut board = Board::<R>::from_position(&puzzle.position()).unwrap();
    let mut vct = Vct::new(1 << 22);
    let mut budget = Budget::nodes(20_000);
    if vct.solve(&board, attacker, &mut budget) != Verdict::Win {
        return None;
    }
    let proof = vct.proof(&mut budget).filter(|proof| proof.size() < 60)?;
    board.set_side(!attacker);
    let covered = vct.covered(&board, attacker, &proof, &mut Budget::unlimited());
    let mut tried = 0;
    for p in board.empty().iter().filter(|&p| !board.is_foul(p, !attacker)) {
        if names(&proof, p) {
            assert!(!covered.contains(p), "{}: {p} is named", puzzle.id);
            continue;
        }
        let mut after = board.clone();
        after.play(p);
        let holds = after.winner().is_none()
            && verify(&mut after, attacker, &proof, &mut Budget::unlimited()).is_ok();
        assert_eq!(covered.contains(p), holds, "{}: {p}", puzzle.id);
        tried += usize::from(!holds);
    }
    Some(tried)
}

fn names(proof: &Proof, p: kagetsu::game::Point) -> bool {
    proof.order().into_iter().any(|id| {
        let turn = proof.turns().get(id);
        let listed = match &turn.after {
            After::Replies { listed, .. } => &listed[..],
            After::Five => &[],
        };
        turn.point == p || listed.iter().any(|l| l.0 == p)
    })
}

#[test]
fn covered_replies_are_those_after_which_the_proof_holds() {
    let (mut tried, mut disturbing) = (0, 0);
    for puzzle in puzzles().iter().filter(|p| p.kind != "none" && p.size() <= 15).step_by(3) {
        if let Some(n) = with_rule!(puzzle.rule(), R => covers_what_the_verifier_accepts::<R>(puzzle)) {
            tried += 1;
            disturbing += n;
        }
    }
    assert!(tried > 20 && disturbing > 50, "{tried} proofs, {disturbing} replies that disturb them unnamed");
}

/// The search is above the solver: White's replies one by one, and behind some of them another quiet move.
#[test]
fn a_defence_is_proven_and_its_library_verified() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("proof.lib");
    let out = path.to_str().unwrap();
    let position = format!("{DEFENCE}k8f8");
    let answer = json(&[&position, "--out", out]);
    assert_eq!((&answer["result"], &answer["end"]), (&"proven".into(), &"proven".into()));
    let proof = &answer["proofs"][0];
    assert_eq!((&proof["verified"], &proof["move"]), (&true.into(), &"f8".into()), "{proof}");
    let checked = check(&path);
    assert_eq!(checked["proofs"].as_array().unwrap().len(), 1);
    for what in ["length", "turns"] {
        assert_eq!(checked["proofs"][0][what], proof[what], "{what}");
    }
    let text = printed(&["prove", "--check", out]);
    assert!(text.contains("black wins within") && text.contains("1 proof of"), "{text}");
    // The name of a library needs no extension.
    let unnamed = dir.path().join("proof");
    std::fs::copy(&path, &unnamed).unwrap();
    assert_eq!(check(&unnamed)["valid"], true);
    // Other programs see moves and comments.
    let moves = printed(&["convert", out, "-", "--to", "sgf"]);
    assert!(moves.contains("the whole is proven: black wins within"), "{moves}");
}

/// For an open position every reply is accounted for, and everything proven on the way is in the library.
#[test]
fn open_positions_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("open.lib");
    let answer = json(&[DEFENCE, "--nodes", NODES, "--out", path.to_str().unwrap()]);
    assert_eq!(answer["result"], "open");
    let root = &answer["defences"][0];
    let count = |key: &str| root[key].as_array().unwrap().len();
    assert_eq!(root["covered"].as_u64().unwrap() as usize + count("proven") + count("open"), 225 - 9);
    let proofs = answer["proofs"].as_array().unwrap();
    assert!(count("proven") > 0 && proofs.iter().all(|proof| proof["verified"] == true), "{answer}");
    assert_eq!(check(&path)["proofs"].as_array().unwrap().len(), proofs.len());
    let moves = printed(&["convert", path.to_str().unwrap(), "-", "--to", "sgf"]);
    assert!(moves.contains("lost as after a pass: ") && moves.contains("not proven: "), "{moves}");
}

#[test]
fn positions_without_a_win_stay_open() {
    let open = json(&["5/5/2x2/5/5 o", "--rule", "freestyle", "--nodes", "200000"]);
    assert_eq!((&open["result"], &open["end"]), (&"open".into(), &"limit".into()));
    assert_eq!(open["proofs"].as_array().unwrap().len(), 0);
    // White has a straight four.
    let lost = json(&["h8a2h10a3h12a4o15a5"]);
    assert_eq!((&lost["result"], &lost["end"]), (&"open".into(), &"hopeless".into()));
}

/// Three points are empty. White's a4 threatens b4 and c4, where Black would make seven in a row; but Black has no other move
/// either, and the game is drawn.
#[test]
fn black_with_fouls_only_does_not_lose() {
    let drawn = "xxxoooo/oxxoooo/oxxxxoo/3ooxx/oxxxxox/xxxooox/oxxoxoo o";
    let said = printed(&["prove", drawn, "--attacker", "white"]);
    assert!(said.contains("white does not win: every move is met by fours or leads to a draw\n"), "{said}");
    let answer = objects(&run(&["solve", "vct", drawn, "--json"])).remove(0);
    assert_eq!(answer["result"], "no_win", "{answer}");
}

/// Stones without an order are judged as they stand: no move of an invented order counts as a foul.
#[test]
fn setup_positions_have_no_last_move() {
    // Two threes of Black's cross at h8, which would have been a foul as the last move; White, to move, has nothing.
    let won = json(&["o13o/15/15/15/15/5x1x7/6xx7/7x7/15/15/15/15/15/15/o13o o"]);
    let proof = &won["proofs"][0];
    assert_eq!((&won["result"], &proof["verified"]), (&"proven".into(), &true.into()), "{won}");
    assert_ne!(proof["move"], "h8");
    // Here White has a double four at a4.
    let lost = json(&["15/15/15/15/15/5x1x7/6xx7/7x7/o14/15/o14/15/o14/15/o14 o"]);
    assert_eq!((&lost["result"], &lost["end"]), (&"open".into(), &"hopeless".into()));
}

/// Black has two open threes far apart, and White is to move, but not because Black has just moved.
#[test]
fn a_proof_begins_without_a_last_move() {
    let stones = "15/15/15/3x11/3x11/3x11/15/15/7xxx5/15/15/15/15/15/15 o";
    let passed = "d12a1d11o1d10a15h7o15i7a8j7o8--";
    for position in [stones, passed] {
        let answer = json(&[position]);
        let proof = &answer["proofs"][0];
        assert_eq!((&answer["result"], &proof["verified"]), (&"proven".into(), &true.into()), "{answer}");
        let first = proof["move"].as_str().unwrap();
        assert!(["d12", "d11", "d10", "h7", "i7", "j7"].contains(&first), "it stands there: {answer}");
        // A library cannot hold a proof that does not follow from its moves.
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("proof.lib");
        let (status, message) = failure(&["prove", position, "--out", out.to_str().unwrap()]);
        assert!(
            status == 1 && message.contains("a RenLib library needs a position reached by alternating moves"),
            "{message}"
        );
    }
    let (status, message) = failure(&["prove", EMPTY, "--attacker", "white", "--nodes", "1000"]);
    assert!(status == 1 && message.contains("the last move must be a stone of white"), "{message}");
}

/// The empty board.
const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x";

#[test]
fn a_search_says_why_it_ended() {
    let said = printed(&["prove", "h8h9", "--nodes", "1000"]);
    assert!(said.contains("\nthe search ended at the limit of time or nodes\n"), "{said}");
}

/// Returns the output of a run without times and sources of answers.
fn content(mut answer: Value) -> Value {
    for key in ["ms", "check_ms", "answers", "recalled"] {
        answer.as_object_mut().unwrap().remove(key);
    }
    answer
}

#[test]
fn a_killed_run_goes_on_and_comes_to_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, killed) = (dir.path().join("whole"), dir.path().join("killed"));
    let args = |state: &Path, nodes| {
        let args = ["prove", "--json", DEFENCE, "--nodes", nodes, "--state", state.to_str().unwrap()];
        args.map(str::to_owned)
    };
    let run = |state, nodes| {
        let args = args(state, nodes);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        serde_json::from_str::<Value>(&printed(&args)).unwrap()
    };
    let expected = run(&whole, NODES);
    assert!(expected["proofs"].as_array().is_some_and(|proofs| !proofs.is_empty()), "{expected}");
    for _ in 0..3 {
        let before = std::fs::metadata(&killed).map_or(0, |m| m.len());
        let args = args(&killed, NODES);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut child = command(&args).spawn().unwrap();
        // Waits until the search has stored something that could be lost.
        while child.try_wait().unwrap().is_none()
            && std::fs::metadata(&killed).map_or(0, |m| m.len()) <= before.max(300)
        {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let _ = child.kill();
        child.wait().unwrap();
    }
    let resumed = run(&killed, NODES);
    assert!(resumed["recalled"].as_u64().unwrap() > 0);
    assert_eq!(content(resumed), content(expected.clone()));
    // Another run has nothing left to find.
    let again = run(&killed, NODES);
    assert_eq!((&again["answers"], content(again.clone())), (&0.into(), content(expected)));
}

/// A run with smaller limits still has all answers of the runs before, and so has its library. If the memory does not
/// suffice for them, the library stays.
#[test]
fn a_shorter_run_keeps_the_library() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("proofs.lib");
    let run = |limits: &[&str]| {
        let args = [&["prove", "--json", DEFENCE, "--out", out.to_str().unwrap()], limits].concat();
        let output = command(&args).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{limits:?}: {said}");
        (serde_json::from_slice::<Value>(&output.stdout).unwrap(), said)
    };
    let (first, _) = run(&["--nodes", NODES]);
    let answers = first["answers"].as_u64().unwrap();
    let library = std::fs::read(&out).unwrap();
    let (second, _) = run(&["--nodes", "1"]);
    assert_eq!(second["recalled"].as_u64().unwrap(), answers);
    assert_eq!(content(second), content(first));
    assert!(std::fs::read(&out).unwrap() == library);
    let (third, _) = run(&["--time", "1ms"]);
    assert!(
        third["recalled"].as_u64().unwrap() == answers && std::fs::read(&out).unwrap().len() >= library.len()
    );
    let before = std::fs::read(&out).unwrap();
    let (_, said) = run(&["--hash", "1"]);
    assert!(said.contains("the library is left as it was"), "{said}");
    assert!(std::fs::read(&out).unwrap() == before);
}

/// Runs a search without end, and interrupts it once it has kept some of its state. Its output may have a reader or not.
#[cfg(unix)]
fn interrupted(out: &Path, is_read: bool) -> std::process::Output {
    let state = out.with_extension("lib.state");
    let mut child = command(&["prove", "--json", DEFENCE, "--out", out.to_str().unwrap()]).spawn().unwrap();
    while std::fs::metadata(&state).map_or(0, |m| m.len()) <= 300 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    if !is_read {
        drop(child.stdout.take());
    }
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_so_and_keeps_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("open.lib");
    let output = interrupted(&out, true);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["end"]), (Some(1), &"interrupted".into()), "{answer}");
    assert_eq!(output.stderr, b"kagetsu: interrupted; run the same command to continue\n");
    assert!(out.exists());
}

/// `| tee log`, interrupted: tee is gone first, and a script must not take the run for a finished one.
#[cfg(unix)]
#[test]
fn an_interrupted_run_that_nobody_reads_is_no_success() {
    let dir = tempfile::tempdir().unwrap();
    let output = interrupted(&dir.path().join("open.lib"), false);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stderr, b"kagetsu: interrupted; run the same command to continue\n");
}

#[test]
fn a_check_takes_no_flags_of_a_search() {
    for flags in [["--nodes", "5"], ["--threads", "1"], ["--attacker", "white"], ["--out", "b.lib"]] {
        let (status, message) = failure(&[&["prove", "--check", "a.lib"], &flags[..]].concat());
        assert!(
            status == 2 && message.contains("cannot be used with") && message.contains("--check <FILE>"),
            "{message}"
        );
    }
}

#[test]
fn several_threads_prove_the_same_position() {
    let position = format!("{DEFENCE}k8f8");
    let answer = json(&[&position, "--threads", "3"]);
    assert_eq!((&answer["result"], &answer["proofs"][0]["verified"]), (&"proven".into(), &true.into()));
}

#[test]
fn damaged_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("d.state");
    let name = path.to_str().unwrap();
    let args = ["prove", "--json", DEFENCE, "--nodes", "100000", "--state", name];
    printed(&args);
    let bytes = std::fs::read(&path).unwrap();
    for at in [20, bytes.len() / 2, bytes.len() - 2] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        std::fs::write(&path, &damaged).unwrap();
        let (status, message) = failure(&args);
        assert!(status == 1 && message.contains("damaged at byte"), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), damaged, "it is left as it was");
    }
    // A record that was cut off is made again.
    std::fs::write(&path, &bytes[..bytes.len() - 2]).unwrap();
    printed(&args);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let (_, message) = failure(&["prove", "--json", "D4", "--state", name]);
    assert!(message.contains("another proof"), "{message}");
    std::fs::write(
        &path,
        "my thesis, which is longer than the beginning of a file of this command would be, so that \
        nobody takes it for one that was cut off within its first record",
    )
    .unwrap();
    let (_, message) = failure(&args);
    assert!(message.contains("not a state of a proof: the first line is not 'kagetsu proof'"), "{message}");
}

/// f8 makes a row of six: a win in freestyle, a foul in Renju.
#[test]
fn a_library_is_checked_by_its_own_rule() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("six.lib");
    let out = path.to_str().unwrap();
    let answer = json(&["c8a1d8a3e8a5g8a7h8a9", "--rule", "freestyle", "--out", out]);
    assert_eq!((&answer["result"], &answer["proofs"][0]["move"]), (&"proven".into(), &"f8".into()));
    let checked = check(&path);
    assert_eq!((&checked["rule"], &checked["valid"]), (&"freestyle".into(), &true.into()), "{checked}");
    assert!(printed(&["prove", "--check", out]).contains("all verified under freestyle, "));
    let (status, message) = failure(&["prove", "--check", out, "--rule", "renju"]);
    assert!(status == 1 && message.contains("does not hold under renju: "), "{message}");
    assert!(!message.contains("please report"), "{message}");
    // A file with a place for the rule has it there.
    let sgf = dir.path().join("six.sgf");
    let sgf = sgf.to_str().unwrap();
    printed(&["convert", out, sgf, "--rule", "standard"]);
    let (_, message) = failure(&["prove", "--check", sgf]);
    assert!(message.contains("does not hold under standard: "), "{message}");
}

#[test]
fn false_libraries_do_not_pass() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("proof.lib");
    let out = path.to_str().unwrap();
    json(&[&format!("{DEFENCE}k8f8"), "--out", out]);
    let sgf = printed(&["convert", out, "-", "--to", "sgf"]);
    let changed = dir.path().join("changed.sgf");
    let check = || failure(&["prove", "--check", changed.to_str().unwrap()]);
    // Another winning move than the proof is for.
    assert!(sgf.contains(";B[fh]"), "{sgf}");
    std::fs::write(&changed, sgf.replacen(";B[fh]", ";B[ah]", 1)).unwrap();
    assert!(check().1.contains("does not hold under renju: "), "{}", check().1);
    // A reference to nothing.
    std::fs::write(&changed, sgf.replacen("turn 1", "turn 100000", 1)).unwrap();
    assert!(check().1.contains("no such turn"), "{}", check().1);
    // A library without a claim.
    std::fs::write(&changed, "(;FF[4]GM[4]SZ[15];B[hh])").unwrap();
    assert!(check().1.contains("it has no proof"), "{}", check().1);
}
