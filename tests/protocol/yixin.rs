//! The Yixin-Board extension.

use crate::manager::Manager;

#[test]
fn sets_a_position_without_a_move() {
    let mut engine = Manager::start();
    engine.send(
        "info show_detail 1\nyxshowinfo\nstart 15 15\ninfo timeout_turn 50\nyxboard\n7,7,2\n8,8,1\ndone",
    );
    assert_eq!(engine.reply(), "OK");
    engine.silent();
    assert!(engine.messages.iter().any(|m| m.starts_with("MESSAGE INFO MAX_THREAD_NUM ")));
    assert!(engine.messages.iter().any(|m| m.starts_with("MESSAGE INFO MAX_HASH_SIZE ")));
    let answer = engine.ask("turn 9,9");
    assert!(![(7, 7), (8, 8), (9, 9)].contains(&answer));
    assert!(engine.messages.iter().any(|m| m.starts_with("MESSAGE REALTIME BEST ")));
    engine.send("yxstop\nyxhashclear");
    engine.silent();
    engine.end();
}

/// A board offers hash sizes up to the largest that the engine reports, a power of two.
#[test]
#[cfg(target_os = "linux")]
fn the_largest_hash_size_fits_into_half_of_the_memory() {
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap();
    let kib: u64 = memory.split_whitespace().nth(1).unwrap().parse().unwrap();
    let mut engine = Manager::start();
    engine.send("YXSHOWINFO\nABOUT");
    assert!(engine.reply().starts_with("name="));
    let told = engine.messages.iter().find_map(|line| line.strip_prefix("MESSAGE INFO MAX_HASH_SIZE "));
    let largest = 1 << told.unwrap().parse::<u32>().unwrap();
    // A container may allow less memory than the machine has.
    let useful = kagetsu::engine::max_hash() >> 10;
    assert!(useful <= kib / 2, "{useful} of {kib} KiB");
    assert!(largest <= useful && largest > useful / 2, "{largest} of {useful} KiB");
    engine.end();
}

#[test]
fn lists_fouls() {
    let mut engine = Manager::start();
    engine.send(
        "START 15\nINFO rule 2\nYXBOARD\n6,7,1\n1,1,2\n8,7,1\n13,1,2\n7,6,1\n1,13,2\n7,8,1\n13,13,2\nDONE",
    );
    assert_eq!(engine.reply(), "OK");
    for (rule, fouls) in [(2, "FORBID 0707."), (0, "FORBID ."), (4, "FORBID 0707.")] {
        engine.send(&format!("INFO rule {rule}\nYXSHOWFORBID"));
        assert_eq!(engine.reply(), fouls, "rule {rule}");
    }
    engine.end();
}

#[test]
fn gives_several_lines() {
    for (command, lines) in [("YXNBEST 3", 3), ("YXSEARCHDEFEND", 15 * 15 - 3)] {
        let mut engine = Manager::start();
        engine.send(
            "START 15\nINFO timeout_turn 2000000\nINFO max_depth 2\nYXBOARD\n7,7,2\n8,8,1\n6,8,2\nDONE",
        );
        assert_eq!(engine.reply(), "OK");
        engine.send(command);
        engine.square();
        let has = |k: usize| engine.messages.iter().any(|m| m.contains(&format!(" multipv {k} ev ")));
        assert!((1..=lines).all(has) && !has(lines + 1), "{command}: {:?}", engine.messages);
        engine.end();
    }
}

#[test]
fn depth_and_nodes_bound_a_search() {
    for bound in ["max_depth 2", "max_node 2000", "thread_num 2\nINFO max_depth 3"] {
        let mut engine = Manager::game(15, 0, 600_000);
        engine.ask(&format!("INFO {bound}\nTURN 7,7"));
        engine.end();
    }
}

#[test]
fn long_times_mean_no_limit() {
    let mut engine = Manager::start();
    engine.send("YXSHOWINFO\nSTART 15\nINFO timeout_turn 2000000\nINFO timeout_match 100000000\nINFO time_left 100000000");
    assert_eq!(engine.reply(), "OK");
    engine.send("TURN 7,7");
    engine.silent();
    engine.ask("YXSTOP");
    engine.end();
}

/// Yixin-Board asks for its database after each move, unless its user has switched that off.
#[test]
fn an_unsupported_command_with_lines_is_answered_once() {
    let mut engine = Manager::game(15, 0, 50);
    engine.ask("TURN 7,7");
    engine.send("YXQUERYDATABASEALL\n7,7\n8,8\nDONE\nYXHASHLOAD\ntable.dat\nABOUT");
    assert_eq!([engine.reply(), engine.reply()], ["UNKNOWN command"; 2]);
    assert!(engine.reply().starts_with("name="));
    engine.end();
}

/// Yixin-Board sends a comment to its database at every change, with the line breaks that its user types.
#[test]
fn a_line_of_a_comment_is_no_command() {
    let mut engine = Manager::game(15, 0, 50);
    engine.ask("TURN 7,7");
    engine.send("YXEDITTEXTDATABASE \"a\nEnd of the game\nRestart with h8\nbegin\"7,7\nDONE\nABOUT");
    assert_eq!(engine.reply(), "UNKNOWN command");
    assert!(engine.reply().starts_with("name="));
    engine.refused("TURN 7,7");
    engine.end();
}

/// The nodes of a single move are too few here: they would not finish an iteration for each position that is
/// compared.
#[test]
fn a_weak_level_decides_openings_by_search() {
    let mut engine = Manager::game(15, 0, 5_000);
    engine.send("INFO strength 0\nSWAP2BOARD\n7,7\n0,0\n6,8\nDONE");
    assert_eq!(engine.reply(), "SWAP", "Black's stones stand in the middle, White's in a corner");
    assert!(
        engine.messages.iter().any(|m| m.starts_with("MESSAGE opening: swap ev ")),
        "{:?}",
        engine.messages
    );
    engine.send("YXBALANCETWO 0");
    assert_eq!(engine.reply().split(' ').count(), 2);
    assert!(engine.messages.iter().any(|m| m.starts_with("MESSAGE balance ev ")), "{:?}", engine.messages);
    engine.end();
}

#[test]
fn excluded_squares_are_not_chosen() {
    let mut engine = Manager::game(15, 0, 2_000);
    engine.send("INFO max_node 2000");
    // Black has a four that can be stopped at 11,7 alone.
    let four = "BOARD\n7,7,2\n0,0,1\n8,7,2\n6,7,1\n9,7,2\n14,0,1\n10,7,2\nDONE";
    assert_eq!(engine.ask(four), (11, 7));
    engine.send("YXBLOCK\n11,7\nDONE");
    engine.silent();
    assert_ne!(engine.ask(four), (11, 7));
    engine.send("YXBLOCKRESET");
    assert_eq!(engine.ask(four), (11, 7));
    engine.end();
}

#[test]
fn an_answer_comes_even_if_all_squares_are_excluded() {
    let mut engine = Manager::game(5, 0, 50);
    let all: String = (0..25).map(|i| format!("{},{}\n", i % 5, i / 5)).collect();
    engine.send(&format!("YXBLOCK\n{all}DONE"));
    engine.ask("TURN 2,2");
    engine.end();
}

#[test]
fn pondering_sends_no_answer_and_stops_at_once() {
    let mut engine = Manager::game(15, 4, 30);
    engine.send("INFO pondering 1\nINFO thread_num 1\nINFO show_detail 1");
    engine.ask("TURN 7,7");
    let heard = engine.messages.len();
    engine.silent();
    assert_eq!(engine.messages.len(), heard, "what it ponders is not said");
    // `YXSTOP` has no answer of its own, and a command with an answer does not wait for an endless search.
    engine.send("YXSTOP");
    engine.silent();
    engine.ask("TURN 3,3");
    engine.ask("TURN 11,11");
    engine.send("ABOUT");
    assert!(engine.reply().starts_with("name="));
    // The end comes while it ponders.
    engine.ask("TURN 11,3");
    engine.end();
}

/// Processor time of a process in hundredths of a second.
#[cfg(target_os = "linux")]
fn processor_time(id: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    // The name of the program, in brackets, is the second field.
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn pondering_goes_on_after_a_line_in_between() {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let mut engine = Manager::game(15, 4, 30);
    engine.send("INFO pondering 1\nINFO thread_num 1");
    engine.ask("TURN 7,7");
    engine.send("INFO time_left 60000\nABOUT");
    assert!(engine.reply().starts_with("name="));
    let (before, end) = (processor_time(engine.id()), Instant::now() + Duration::from_secs(30));
    while processor_time(engine.id()) < before + 20 {
        assert!(Instant::now() < end, "it does not think");
        sleep(Duration::from_millis(10));
    }
    engine.send("YXSTOP\nABOUT");
    assert!(engine.reply().starts_with("name="));
    let before = processor_time(engine.id());
    sleep(Duration::from_millis(400));
    assert!(processor_time(engine.id()) < before + 10, "a stop ends it for good");
    engine.end();
}

#[test]
fn pondering_ends_with_the_input() {
    let mut engine = Manager::game(15, 0, 30);
    engine.send("INFO pondering 1");
    engine.ask("TURN 7,7");
    engine.close();
    assert!(engine.wait().0.success());
}

#[test]
fn a_draw_is_accepted_by_a_side_that_does_not_win() {
    for (row, others, answer) in [(1, 4, "refused"), (2, 3, "accepted")] {
        let mut engine = Manager::start();
        // Four stones in a row, and others apart; the engine has as many stones as the opponent, or one fewer.
        let four: String = (7..11).map(|x| format!("{x},7,{row}\n")).collect();
        let apart: String = [(0, 0), (3, 2), (6, 0), (9, 2)][..others]
            .iter()
            .map(|(x, y)| format!("{x},{y},{}\n", 3 - row))
            .collect();
        engine.send("START 15");
        assert_eq!(engine.reply(), "OK");
        engine.send("INFO max_node 2000\nYXDRAW\nABOUT");
        engine.reply();
        assert_eq!(engine.messages.pop().unwrap(), "MESSAGE the draw is refused", "it has not looked yet");
        engine.ask(&format!("BOARD\n{four}{apart}DONE"));
        engine.send("YXDRAW\nABOUT");
        engine.reply();
        assert_eq!(engine.messages.last().unwrap(), &format!("MESSAGE the draw is {answer}"));
        engine.send("START 15\nYXDRAW\nABOUT");
        assert_eq!(engine.reply(), "OK");
        engine.reply();
        assert_eq!(engine.messages.last().unwrap(), "MESSAGE the draw is refused", "another game");
        engine.end();
    }
}

/// Sends lines and an offer of a draw. Returns the answer to the offer.
fn answer_to_a_draw(engine: &mut Manager, lines: &str) -> String {
    engine.send(&format!("{lines}YXDRAW\nABOUT"));
    while !engine.reply().starts_with("name=") {}
    engine.messages.last().unwrap().clone()
}

/// Yixin-Board sends the game again before it asks for fouls.
#[test]
fn a_draw_is_accepted_only_in_the_game_that_was_searched() {
    let mut engine = Manager::start();
    // The opponent has a straight four.
    let stones = "7,7,2\n0,0,1\n8,7,2\n3,2,1\n9,7,2\n6,0,1\n10,7,2\n";
    engine.send("START 15");
    assert_eq!(engine.reply(), "OK");
    let (x, y) = engine.ask(&format!("INFO max_node 2000\nBOARD\n{stones}DONE"));
    let same = format!("START 15\nYXBOARD\n{stones}{x},{y},1\nDONE\n");
    let without_the_answer = format!("START 15\nYXBOARD\n{stones}DONE\n");
    for (lines, answer) in [
        ("", "accepted"),
        ("INFO rule 1\n", "refused"),
        ("INFO rule 0\n", "accepted"),
        (same.as_str(), "accepted"),
        (without_the_answer.as_str(), "refused"),
        ("RESTART\n", "refused"),
        (same.as_str(), "accepted"),
        ("PLAY 14,14\n", "refused"),
    ] {
        let said = answer_to_a_draw(&mut engine, lines);
        assert_eq!(said, format!("MESSAGE the draw is {answer}"), "after {lines:?}");
    }
    engine.end();
}
