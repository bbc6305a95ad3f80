//! Positions whose answer is known.

use crate::manager::{Manager, board, squares};

/// Sends a position under a rule, and expects one of the moves.
#[track_caller]
fn solve(size: usize, rule: u32, moves: &str, answers: &str) {
    let mut engine = Manager::game(size, rule, 1500);
    let (x, y) = engine.ask(&board(&squares(moves)));
    assert!(squares(answers).contains(&(x, y)), "rule {rule}, {moves}: {x},{y}, not one of {answers}");
    engine.end();
}

const LEAGUES: [(usize, u32); 6] = [(20, 0), (15, 0), (15, 1), (15, 4), (15, 8), (15, 9)];

// The positions on which the Gomocup organisers test a new engine before they accept it (GomocupJudge).

#[test]
fn acceptance_takes_a_five() {
    for (size, rule) in LEAGUES {
        solve(size, rule, "h8h9i8i9j8j9k8k9", "g8l8");
    }
}

#[test]
fn acceptance_standard_stops_a_three_and_makes_no_six() {
    solve(15, 1, "h8h9i8h10g8h11j13h12g14h14i15", "f8j8");
}

#[test]
fn acceptance_renju_plays_no_foul() {
    let mut engine = Manager::game(15, 4, 1500);
    let answer = engine.ask(&board(&squares("h8h9i7i9h10i6i11i12")));
    assert_ne!(answer, squares("g9")[0]);
    engine.end();
}

#[test]
fn acceptance_caro_stops_a_three_and_makes_no_closed_five() {
    for rule in [8, 9] {
        solve(15, rule, "h8f8g8f9i8f7j8l8", "f5f6f10f11");
    }
}

/// The organisers' last test: the engine against itself, to the end.
#[test]
fn acceptance_a_game_against_itself() {
    for (size, rule) in LEAGUES {
        let last = size - 1;
        let mut moves = vec![(last - 1, last - 1), (last - 4, last - 1), (last - 4, last - 2)];
        let mut engines = [Manager::game(size, rule, 15), Manager::game(size, rule, 15)];
        while moves.len() < size * size && !crate::games::is_won(&moves, rule) {
            let (x, y) = engines[moves.len() % 2].ask(&board(&moves));
            assert!(x < size && y < size && !moves.contains(&(x, y)), "rule {rule}: {x},{y} after {moves:?}");
            moves.push((x, y));
        }
        engines.into_iter().for_each(Manager::end);
    }
}

#[test]
fn seven_in_a_row() {
    // A win in freestyle; nothing under the standard rule, where the four must be stopped.
    solve(15, 0, "d8d11e8e11f8f11h8g11i8n2j8n4", "g8");
    solve(15, 1, "d8d11e8e11f8f11h8g11i8n2j8n4c11b4", "h11");
    // Under Renju a win for White, and a foul for Black.
    solve(15, 4, "d11d8e11e8f11f8g11h8n2i8n4j8b4", "g8");
}

#[test]
fn a_closed_five_is_nothing_in_caro() {
    // White's own four has both ends closed. Black's four is stopped on its fifth point, or beyond that point, which
    // closes the row.
    for rule in [8, 9] {
        solve(15, rule, "c8d8i8e8d11f8e11g8f11c11g11", "h11i11");
    }
    solve(15, 1, "c8d8i8e8d11f8e11g8f11c11g11", "h8");
}

/// Four in a row: the engine's own, with room on both sides, and then the opponent's, with room on one.
#[test]
fn fives_are_made_and_stopped_at_every_level() {
    let (own, others) = ("h8h9i8i9j8j9k8k9", "g8h8a1i8a3j8a5k8");
    let mut engine = Manager::game(15, 0, 1500);
    for (rule, level) in [(0, 0), (4, 0), (0, 10), (4, 10), (0, 25), (4, 25), (0, 50), (4, 50)] {
        engine.send(&format!("INFO rule {rule}\nINFO strength {level}"));
        let (five, stop) = (engine.ask(&board(&squares(own))), engine.ask(&board(&squares(others))));
        assert!(squares("g8l8").contains(&five), "rule {rule}, level {level}: {five:?}");
        assert_eq!(stop, squares("l8")[0], "rule {rule}, level {level}");
    }
    engine.end();
}

#[test]
fn the_rule_can_change_in_mid_game() {
    let mut engine = Manager::game(15, 4, 500);
    let position = "d11d8e11e8f11f8g11g8";
    let answer = engine.ask(&board(&squares(position)));
    assert!(squares("c11h11").contains(&answer));
    // Black's seven: a foul under Renju, a win in freestyle.
    let position = board(&squares("d8d11e8e11f8f11h8g11i8c3j8n2"));
    let foul = engine.ask(&position);
    assert_ne!(foul, (6, 7));
    assert_eq!(engine.ask(&format!("INFO rule 0\n{position}")), (6, 7));
    engine.end();
}
