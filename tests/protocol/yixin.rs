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
    let mut engine = Manager::start();
    engine.send("START 15\nINFO timeout_turn 2000000\nINFO max_depth 2\nYXBOARD\n7,7,2\n8,8,1\n6,8,2\nDONE\nYXNBEST 3");
    assert_eq!(engine.reply(), "OK");
    engine.square();
    for k in 1..=3 {
        let tag = format!(" multipv {k} ev ");
        assert!(engine.messages.iter().any(|m| m.contains(&tag)), "{:?}", engine.messages);
    }
    engine.end();
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
