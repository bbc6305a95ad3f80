//! NBoard sessions, as in its manual.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu_games::nboard;

fn nboard(lines: &[&str]) -> Vec<String> {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let mut session = nboard::Session::new(1, 1 << 20, &clock, &stop);
    let mut said = Vec::new();
    for line in lines {
        session.line(line, &mut |text| said.push(text.to_owned()));
    }
    said
}

/// The session of the protocol's manual.
const GAME: &str = "set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 \
    ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)";

#[test]
fn nboard_answers_the_manuals_session() {
    let said = nboard(&["nboard 2", GAME, "set depth 2", "ping 1", "go"]);
    assert_eq!(said[..2], ["set myname Kagetsu", "pong 1"]);
    let found = said.iter().find(|line| line.starts_with("=== ")).unwrap();
    let parts: Vec<&str> = found[4..].split('/').collect();
    assert_eq!(parts.len(), 3, "{found}");
    assert!(parts[1].parse::<f64>().is_ok() && parts[2].parse::<f64>().is_ok());
    // The move is legal, and the engine has not played it on its own board.
    let again = nboard(&[GAME, &format!("move {}", parts[0]), "ping 2"]);
    assert_eq!(again, ["pong 2"]);
    assert!(
        said.iter().any(|line| line.starts_with("search "))
            && said.iter().any(|line| line.starts_with("nodestats "))
    );
}

#[test]
fn nboard_gives_hints_for_several_moves() {
    let said = nboard(&["nboard 2", GAME, "set depth 3", "hint 3"]);
    let last: Vec<&String> =
        said.iter().filter(|line| line.starts_with("search ") && line.ends_with(" 0 3")).collect();
    let moves: std::collections::BTreeSet<&str> = last.iter().map(|line| &line[7..9]).collect();
    assert_eq!(moves.len(), 3, "{said:?}");
}

#[test]
fn nboard_ignores_unknown_commands() {
    assert!(nboard(&["", "set contempt 3", "fly", "set", "set depth many", "\u{1b}[2J"]).is_empty());
    assert_eq!(nboard(&["learn"]), ["learned"]);
    let bad = nboard(&["set game (;GM[Othello]BO[8 --- *];)", "move Z9", "move A1"]);
    assert!(bad.iter().all(|line| line.starts_with("status ")) && bad.len() == 3, "{bad:?}");
}

/// A part of a game could be another game, so the session keeps the one that it has. After GAME the point f5 is taken.
#[test]
fn nboard_refuses_incomplete_games() {
    let long = format!("set game (;C[{}]BO[4 *O-------------- O];)", "x".repeat(100_000));
    for (game, problem) in [
        ("set game garbage", "'garbage': expected a tag, as B[f5]"),
        ("set game (;)", "expected a game in GGF"),
        ("set game [x]", "'[x]': expected a tag of capitals before ["),
        ("set game garbage[x]", "'garbage[x]': expected a tag of capitals before ["),
        ("set game (;GM[Othello]BO[8 ***", "'BO[8 ***': expected ] at the end"),
        ("set game (;BO[4 *O-------------- O]B[C1", "'B[C1': expected ] at the end"),
        (&long, "status the line is longer than 100000 bytes"),
    ] {
        let said = nboard(&[GAME, game, "move F5"]);
        let [refusal, taken] = &said[..] else { panic!("{said:?}") };
        assert!(refusal.ends_with(problem), "{refusal}");
        assert!(taken.starts_with("status illegal move f5"), "{taken}");
    }
}

/// The colour of a move is that of the side to move, after a pass that the record may leave out.
#[test]
fn nboard_compares_the_colour_of_moves() {
    let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let read = |moves: &str| nboard(&[&format!("set game (;{start}{moves};)")]);
    assert_eq!(read("W[F5]"), ["status the game cannot be read: W[F5]: it is black's turn"]);
    assert_eq!(read("B[F5]B[D6//1.5]"), ["status the game cannot be read: B[D6]: it is white's turn"]);
    assert!(read("B[F5]W[D6]").is_empty());
    // White cannot move at first.
    let pass = |color: char| nboard(&[&format!("set game (;BO[4 *O-------------- O]{color}[C1];)")]);
    assert!(pass('B').is_empty());
    assert_eq!(pass('W'), ["status the game cannot be read: W[C1]: it is black's turn"]);
}

/// White cannot move at first. `OsMove.java` of NBoard reads any beginning of the word as a pass, and two dashes.
#[test]
fn nboard_reads_passes() {
    let start = "set game (;BO[4 *O-------------- O]";
    for pass in ["PA", "pass", "P", "--", "--/0.50/1"] {
        assert!(nboard(&[&format!("{start}W[{pass}]B[C1];)")]).is_empty(), "{pass}");
        assert!(nboard(&[&format!("{start};)"), &format!("move {pass}"), "move C1"]).is_empty(), "{pass}");
    }
    // Black cannot move to a4, so White has not passed.
    let said = nboard(&[&format!("{start};)"), "move A4", "move PA", "move C1"]);
    assert_eq!(said, ["status illegal move a4: a4 turns no disc"]);
}

/// The type holds for a board that comes before it: in the anti game the side with fewer discs wins.
#[test]
fn nboard_reads_the_type_of_a_game_first() {
    let board = "BO[4 ****************  *]";
    let analysis = |tags: &str| nboard(&[&format!("set game (;{tags};)"), "analyze"]);
    assert_eq!(analysis(&format!("{board}TY[4a]")), analysis(&format!("TY[4a]{board}")));
    assert_ne!(analysis(&format!("{board}TY[4a]")), analysis(board));
}

/// A game with a pass of White, which the record leaves out and which counts as a move. Black takes White's only disc, and has
/// three discs to none. Every position is judged from the view of the side to move, the last first.
#[test]
fn nboard_judges_a_game() {
    let said = nboard(&["set depth 3", "set game (;BO[4 *O-------------- O]B[C1];)", "analyze"]);
    let judged: Vec<_> = said.iter().filter(|line| line.starts_with("analysis ")).collect();
    assert_eq!(judged, ["analysis 2 -3.00", "analysis 1 3.00", "analysis 0 -3.00"]);
}

/// NBoard writes `TI` only where both clocks are equal, else `TB` and `TW` (`COsGame.java`). The depth is never reached; a game
/// without a clock has 30 seconds for a move.
#[test]
fn nboard_reads_the_clock_of_each_side() {
    let clock = SystemClock::new();
    let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
    for (clocks, moves) in [
        ("TB[0:03]TW[15:00]", ""),
        ("TB[15:00//02:00]TW[3]", "B[F5]"),
        ("TI[0:03]", "B[F5]"),
        ("TI[3.5]", ""),
        // Black has a second left of ten minutes.
        ("TI[10:00]", "B[F5/1.20/599]W[D6]"),
    ] {
        let begun = clock.now();
        let said = nboard(&[&format!("set game (;{clocks}{start}{moves};)"), "set depth 60", "go"]);
        assert!(said.iter().any(|line| line.starts_with("=== ")), "{said:?}");
        assert!(clock.now() - begun < Duration::from_secs(15), "{clocks}");
    }
    // NBoard sends a single move without the game.
    let begun = clock.now();
    let game = format!("set game (;TI[10:00]{start};)");
    let said = nboard(&[&game, "move F5//599", "move D6", "set depth 60", "go"]);
    assert!(said.iter().any(|line| line.starts_with("=== ")), "{said:?}");
    assert!(clock.now() - begun < Duration::from_secs(15));
}

/// A client that interrupts wants no more values, and would take those of searches that are cut short for full ones. The
/// session keeps its game.
#[test]
fn nboard_ends_an_analysis_that_is_interrupted() {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let mut session = nboard::Session::new(1, 1 << 20, &clock, &stop);
    for line in ["set depth 2", GAME] {
        session.line(line, &mut |text| panic!("{text}"));
    }
    let mut values_of = |limit: usize| {
        stop.store(false, Relaxed);
        let mut values = 0;
        session.line("analyze", &mut |text| {
            values += usize::from(text.starts_with("analysis "));
            stop.store(values >= limit, Relaxed);
        });
        values
    };
    assert_eq!(values_of(3), 3);
    assert_eq!(values_of(usize::MAX), 9);
}
