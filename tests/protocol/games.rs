//! The commands of a game.

use std::time::{Duration, Instant};

use crate::manager::{Manager, board, command};

/// Whether the last of the moves won. A count of the row is enough; fouls are not checked.
pub fn is_won(moves: &[(usize, usize)], rule: u32) -> bool {
    let Some((last, _)) = moves.split_last() else { return false };
    let stone = |x: i64, y: i64| {
        let at = moves.iter().position(|&(a, b)| (a as i64, b as i64) == (x, y))?;
        Some(at % 2 == (moves.len() - 1) % 2)
    };
    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
        let ray = |sign: i64| {
            let at = |n: i64| stone(last.0 as i64 + sign * n * dx, last.1 as i64 + sign * n * dy);
            let length = (1..).take_while(|&n| at(n) == Some(true)).count();
            (length, at(length as i64 + 1) == Some(false))
        };
        let ((a, closed_a), (b, closed_b)) = (ray(1), ray(-1));
        let (length, closed) = (a + b + 1, closed_a && closed_b);
        match rule {
            0 => length >= 5,
            1 => length == 5,
            4 => length == 5 || length > 5 && moves.len().is_multiple_of(2),
            8 => length > 5 || length == 5 && !closed,
            9 => length == 5 && !closed,
            _ => panic!("no rule {rule}"),
        }
    })
}

#[test]
fn starts_and_introduces_itself() {
    let mut engine = Manager::start();
    engine.send("ABOUT");
    let about = engine.reply();
    for key in ["name", "version", "author", "country"] {
        assert!(about.contains(&format!("{key}=\"")), "{about}");
    }
    for line in ["START 15", "start  20 ", "START 5", "START 22", "RECTSTART 15,15", "RESTART"] {
        engine.send(line);
        assert_eq!(engine.reply(), "OK", "{line}");
    }
    for line in ["START", "START 4", "START 23", "START 1000", "START x", "START 20x20", "RECTSTART 20,15"] {
        engine.refused(line);
    }
    engine.end();
}

#[test]
fn plays_turn_by_turn() {
    for (size, rule) in [(5, 0), (15, 4), (20, 1), (22, 9)] {
        let mut engine = Manager::game(size, rule, 20);
        let mut moves = vec![engine.ask("BEGIN")];
        let other = (0..size * size).map(|i| (i % size, i / size)).step_by(3);
        for (x, y) in other.take(8) {
            if moves.contains(&(x, y)) || is_won(&moves, rule) {
                break;
            }
            moves.push((x, y));
            let (x, y) = engine.ask(&format!("TURN {x},{y}"));
            assert!(x < size && y < size && !moves.contains(&(x, y)), "{x},{y} after {moves:?}");
            moves.push((x, y));
        }
        engine.silent();
        engine.end();
    }
}

#[test]
fn a_refused_turn_changes_nothing() {
    let mut engine = Manager::game(15, 0, 20);
    engine.refused("BEGINNING");
    let (x, y) = engine.ask("TURN 7,7");
    for turn in
        ["7,7", &format!("{x},{y}"), "15,0", "0,15", "-1,3", "99999999999999999999,0", "5", "5;6", "x,y", ""]
    {
        engine.refused(&format!("TURN {turn}"));
    }
    engine.refused("TAKEBACK 0,0");
    for stone in [(x, y), (7, 7)] {
        engine.send(&format!("TAKEBACK {},{}", stone.0, stone.1));
        assert_eq!(engine.reply(), "OK");
    }
    engine.ask("TURN 7,7");
    engine.end();
}

#[test]
fn lines_that_come_while_thinking_are_not_lost() {
    let mut engine = Manager::game(15, 0, 300);
    engine.send("BEGIN\nTURN 0,0\nABOUT\nINFO timeout_turn 0\nTURN 14,0\nFOO");
    let first = engine.square();
    let second = engine.square();
    assert!(engine.reply().contains("name=\"kagetsu\""));
    let third = engine.square();
    assert!(first != second && second != third && third != first);
    assert_eq!(engine.reply(), "UNKNOWN command");
    engine.end();
}

/// Piskvork's "Continue" while the engine thinks.
#[test]
fn moves_at_once_when_its_time_is_taken() {
    let mut engine = Manager::game(15, 0, 600_000);
    engine.send("INFO book 0\nBEGIN");
    assert_eq!(engine.reply_within(Duration::from_millis(300)), None, "it thinks");
    engine.send("INFO timeout_turn 0");
    engine.square();
    engine.send("INFO timeout_turn 50");
    assert_ne!(engine.ask("TURN 0,0"), (0, 0), "the game goes on");
    engine.end();
}

#[test]
fn a_command_sent_ahead_has_the_whole_time_of_a_move() {
    let mut engine = Manager::game(15, 0, 1000);
    engine.send("INFO book 0\nTURN 7,7\nTURN 0,0");
    engine.square();
    let start = Instant::now();
    engine.square();
    // The answer before it may have been heard late.
    assert!(start.elapsed() > Duration::from_millis(300), "{:?}", start.elapsed());
    engine.end();
}

#[test]
fn the_judge_sends_everything_at_once() {
    let mut engine = Manager::start();
    let info = "INFO timeout_turn 100\nINFO timeout_match 180000\nINFO max_memory 367001600\nINFO game_type 3\n\
                INFO rule 0\nINFO folder C:\\Program Files\\x\nINFO time_left 180000";
    engine.send(&format!("START 20\n{info}\nBOARD\n10,10,2\nDONE"));
    assert_eq!(engine.reply(), "OK");
    assert_ne!(engine.square(), (10, 10));
    engine.end();
}

#[test]
fn moves_at_once_without_time() {
    for info in ["timeout_turn 0", "time_left 0", "time_left -500", "timeout_turn -7"] {
        let mut engine = Manager::game(15, 0, 60_000);
        engine.send(&format!("INFO {info}"));
        let start = Instant::now();
        engine.ask("TURN 7,7");
        // Far below the minute that it would otherwise have.
        assert!(start.elapsed() < Duration::from_secs(30), "{info}");
        engine.end();
    }
}

#[test]
fn stops_thinking_when_told() {
    for (stop, answers) in [("STOP", true), ("YXSTOP", true), ("END", false)] {
        let mut engine = Manager::game(15, 0, 600_000);
        engine.send("TURN 7,7");
        engine.silent();
        engine.send(stop);
        if answers {
            engine.square();
            engine.send("END");
        }
        let (status, rest, errors) = engine.wait();
        assert!(status.success() && errors.is_empty());
        assert!(rest.iter().all(|line| line.starts_with("MESSAGE ")), "{rest:?}");
    }
}

#[test]
fn a_script_is_answered_before_it_ends() {
    let mut engine = Manager::start();
    engine.raw(b"START 15\nINFO timeout_turn 100\nBEGIN\nTURN 0,0\nEND\nABOUT\n");
    assert_eq!(engine.reply(), "OK");
    assert_ne!(engine.square(), engine.square());
    let (status, rest, errors) = engine.wait();
    assert!(status.success() && errors.is_empty() && rest.is_empty(), "{status} {errors} {rest:?}");
    // Endless searches end early, although the pipe stays open.
    let mut engine = Manager::game(15, 0, 600_000);
    engine.raw(b"BEGIN\nTURN 0,0\nEND\n");
    assert_ne!(engine.square(), engine.square());
    assert!(engine.wait().0.success());
}

#[test]
fn a_closed_input_ends_it_after_its_answers() {
    let mut engine = Manager::game(15, 0, 600_000);
    engine.raw(b"TURN 7,7\r\nABOUT");
    engine.close();
    engine.square();
    assert!(engine.reply().contains("kagetsu"));
    let (status, rest, errors) = engine.wait();
    assert!(status.success() && errors.is_empty() && rest.is_empty(), "{status} {errors} {rest:?}");
}

#[test]
fn reports_are_readable_and_few() {
    let mut engine = Manager::game(15, 0, 1200);
    engine.ask(&board(&[(7, 7), (8, 8), (6, 8)]));
    let messages = engine.messages.clone();
    assert!((1..=20).contains(&messages.len()), "{}", messages.len());
    for line in messages {
        let words: Vec<&str> = line.split(' ').collect();
        let keys: Vec<&str> = [1, 3, 5, 7, 9, 11].into_iter().filter_map(|i| words.get(i).copied()).collect();
        assert_eq!(keys, ["depth", "ev", "n", "n/ms", "tm", "pv"], "{line}");
        assert!(words.len() > 12 && words[2].contains('-'), "{line}");
    }
    engine.end();
}

#[test]
fn the_version_is_one_line() {
    let output = command().arg("--version").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.starts_with("kagetsu ") && text.lines().count() == 1, "{text}");
}
