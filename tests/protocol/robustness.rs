//! Positions without a good move, bad input, limits of the process.

use std::io::{Cursor, Read};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
#[cfg(target_os = "linux")]
use std::time::Instant;

use kagetsu::book::Shelf;
use kagetsu::clock::SystemClock;
use kagetsu::protocol;
use proptest::prelude::*;

use crate::manager::{Manager, board, command, square};

/// `BOARD` with the stones of a diagram in rows from the top; the engine has the stones of `own`.
fn stones(diagram: &str, own: char) -> String {
    let rows = diagram.split_whitespace().enumerate();
    let cells = rows.flat_map(|(y, row)| row.chars().enumerate().map(move |(x, c)| (x, y, c)));
    let line = |(x, y, c)| format!("{x},{y},{}\n", if c == own { 1 } else { 2 });
    format!("BOARD\n{}DONE", cells.filter(|cell| cell.2 != '.').map(line).collect::<String>())
}

/// No row of five or more, and one empty point, where Black (X) would make six.
const ONLY_A_FOUL: &str = "
    XXX.XXO
    XXOXOOO
    OXOXOOO
    XOOOOXX
    XOXXXOO
    OXOOOXX
    XOXOOXX";

#[test]
fn answers_where_there_is_no_good_move() {
    let mut engine = Manager::game(7, 4, 50);
    assert_eq!(engine.ask(&stones(ONLY_A_FOUL, 'X')), (3, 0));
    engine.refused("BEGIN");
    engine.refused(&stones(&ONLY_A_FOUL.replace('.', "X"), 'O'));
    // The same point is a win in freestyle.
    engine.send("INFO rule 0");
    assert_eq!(engine.ask(&stones(ONLY_A_FOUL, 'X')), (3, 0));
    engine.end();
}

#[test]
fn answers_when_the_game_is_over() {
    let mut engine = Manager::game(15, 0, 50);
    let mut moves: Vec<(usize, usize)> = (0..4).flat_map(|i| [(3 + i, 3), (3 + i, 9)]).collect();
    moves.push((7, 3));
    let answer = engine.ask(&board(&moves));
    assert!(!moves.contains(&answer));
    engine.ask("TURN 14,14");
    engine.end();
}

#[test]
fn impossible_boards() {
    let mut engine = Manager::game(15, 4, 50);
    for lines in ["7,7,1\n7,7,2", "15,3,2", "3,3,3\n4,4,2", "hello", "7,7", "1,1,9", "BEGIN"] {
        engine.refused(&format!("BOARD\n{lines}\nDONE"));
    }
    engine.ask("BOARD\nDONE");
    // The engine has passed.
    let answer = engine.ask("BOARD\n3,3,2\n5,5,2\nDONE");
    assert!(answer != (3, 3) && answer != (5, 5));
    engine.end();
}

#[test]
fn commands_before_the_first_start() {
    let mut engine = Manager::start();
    for lines in
        ["BEGIN", "TURN 7,7", "BOARD\n7,7,2\nDONE", "RESTART", "TAKEBACK 7,7", "YXSHOWFORBID", "PLAY 1,1"]
    {
        engine.refused(lines);
    }
    engine.end();
}

#[test]
fn strange_input() {
    let mut engine = Manager::start();
    engine.raw(b"\r\n\n  \t\r\n\n");
    engine.silent();
    for line in [&b"\xff\xfe\x00\x80\xc3\x28abc\x00"[..], b"TURN \xff,\xfe", &[b'X'; 100_000]] {
        engine.raw(&[line, b"\n"].concat());
        let reply = engine.reply();
        assert!(reply.starts_with("ERROR ") || reply.starts_with("UNKNOWN "), "{reply}");
    }
    for piece in [&b"STA"[..], b"RT 1", b"5\nINFO timeout_turn 50\r", b"\nBEG", b"IN\r\n"] {
        engine.raw(piece);
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(engine.reply(), "OK");
    engine.square();
    engine.end();
}

#[test]
fn info_is_never_answered() {
    let mut engine = Manager::start();
    engine.send(
        "INFO\nINFO x\nINFO rule\nINFO rule x\nINFO rule 77\nINFO timeout_turn abc\nINFO max_memory -1\n\
         INFO max_memory 99999999999999999999\nINFO timeout_match 9999999999\nINFO time_left 9999999999\n\
         INFO evaluate 3,4\nINFO folder /no/such dir\nINFO hash_size 99999999999\nINFO thread_num 64",
    );
    engine.silent();
    engine.send("INFO timeout_turn 50\nSTART 15");
    assert_eq!(engine.reply(), "OK");
    // The rule is not supported: the next command with an answer reports it.
    engine.refused("BEGIN");
    engine.ask("INFO rule 0\nBEGIN");
    engine.end();
}

#[test]
fn a_manager_that_does_not_listen() {
    let mut child = command().spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The engine may end, and close its input, at any time.
    let _ = std::io::Write::write_all(&mut input, b"ABOUT\nSTART 15\nINFO timeout_turn 50\nBEGIN\nEND\n");
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(child.wait().unwrap().success() && errors.is_empty(), "{errors}");
}

/// A figure of a process in bytes: its resident size `VmRSS`, or the largest one so far, `VmHWM`.
#[cfg(target_os = "linux")]
fn memory(id: u32, figure: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':')).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10
}

/// Waits until the resident size is as expected.
#[track_caller]
#[cfg(target_os = "linux")]
fn wait_for_memory(id: u32, expected: impl Fn(u64) -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !expected(memory(id, "VmRSS")) {
        assert!(Instant::now() < end, "{} bytes", memory(id, "VmRSS"));
        thread::sleep(Duration::from_millis(5));
    }
}

/// The first move need not wait for the tables' memory.
#[test]
#[cfg(target_os = "linux")]
fn the_tables_are_taken_before_the_first_move() {
    let mut engine = Manager::start();
    engine.send("INFO max_memory 167772160\nSTART 15\nINFO timeout_turn 1000");
    assert_eq!(engine.reply(), "OK");
    wait_for_memory(engine.id(), |bytes| bytes > 120 << 20);
    engine.send("INFO max_memory 83886080\nABOUT");
    assert!(engine.reply().starts_with("name="));
    wait_for_memory(engine.id(), |bytes| bytes < 80 << 20);
    wait_for_memory(engine.id(), |bytes| bytes > 50 << 20);
    engine.ask("BEGIN");
    assert!(memory(engine.id(), "VmRSS") < 80 << 20);
    engine.end();
}

/// A judge may freeze the process at any time, and look at how much memory it has.
#[test]
#[cfg(target_os = "linux")]
fn no_memory_is_taken_before_the_limit_is_known() {
    let mut engine = Manager::start();
    engine.send("START 15\nINFO timeout_turn 1000\nINFO max_memory 52428800");
    assert_eq!(engine.reply(), "OK");
    wait_for_memory(engine.id(), |bytes| bytes > 25 << 20);
    thread::sleep(Duration::from_millis(300));
    let peak = memory(engine.id(), "VmHWM");
    assert!(peak < 50 << 20, "{peak} bytes");
    engine.end();
}

#[test]
#[cfg(target_os = "linux")]
fn stays_within_its_memory() {
    for limit in [25 << 20, 80 << 20, 350 << 20] {
        let mut engine = Manager::start();
        engine.send(&format!("INFO max_memory {limit}\nINFO timeout_turn 300\nSTART 20"));
        assert_eq!(engine.reply(), "OK");
        for (rule, turn) in [(0, "10,10"), (4, "3,3"), (4, "15,4"), (9, "16,4")] {
            engine.ask(&format!("INFO rule {rule}\nTURN {turn}"));
        }
        assert!(memory(engine.id(), "VmHWM") < limit, "{} of {limit}", memory(engine.id(), "VmHWM"));
        engine.end();
    }
}

/// Games by one rule after another in one process: the memory of a rule is freed for the next.
#[test]
#[cfg(target_os = "linux")]
fn new_rules_take_no_more_memory() {
    for limit in [60 << 20, 70 << 20] {
        let mut engine = Manager::start();
        for rule in [0, 1, 4, 8, 9, 0] {
            engine.send("START 15");
            assert_eq!(engine.reply(), "OK");
            engine.send(&format!("INFO rule {rule}\nINFO timeout_turn 50\nINFO max_memory {limit}"));
            for square in ["3,3", "10,10", "12,3", "3,12"] {
                engine.ask(&format!("TURN {square}"));
            }
            let taken = memory(engine.id(), "RssAnon");
            assert!(taken < limit, "{taken} of {limit} under rule {rule}");
        }
        engine.end();
    }
}

/// The replies to this input, without the reports.
fn converse(input: Vec<u8>) -> Vec<String> {
    let mut output = Vec::new();
    protocol::run(Cursor::new(input), &mut output, Arc::new(SystemClock::new()), Shelf::Empty).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines().filter(|line| !line.starts_with("MESSAGE ")).map(str::to_owned).collect()
}

fn is_reply(line: &str) -> bool {
    ["ERROR ", "UNKNOWN ", "FORBID ", "name=\""].iter().any(|start| line.starts_with(start))
        || ["OK", "SWAP"].contains(&line)
        || line.split(' ').all(|part| square(part).is_some())
        // Stones and a number of fifths.
        || line.rsplit_once(' ').is_some_and(|(stones, n)| is_reply(stones) && n.parse::<u8>().is_ok())
}

/// A command, and how many replies it gets.
fn any_command() -> impl Strategy<Value = (String, usize)> {
    let turn = "(TURN|turn|TAKEBACK|PLAY) (-1|[0-7]),[0-7]";
    let fixed = "(BEGIN|ABOUT|RESTART|START [4-8]|YXSHOWFORBID|YXNBEST 2|FOO|DONE|[0-7],[0-7])";
    let block = "BOARD\n([0-6],[0-6],[12]\n){0,6}DONE";
    let swap = "(SWAP2BOARD|SWAPBOARD|RIFSTEP[1-4]|SOOSYRVSTEP[1-5] [0-3]|PROBOARD|TARANNIKOVSTEP[12])\n\
                ([2-4],[2-4]\n){0,5}DONE";
    let balance = "(YXBALANCEONE|YXBALANCETWO) [0-9]{0,3}";
    let quiet = "(INFO rule [0-9]|INFO time_left [0-9]{1,3}|INFO|YXSTOP|YXHASHCLEAR| )";
    prop_oneof![
        4 => turn.prop_map(|s| (s, 1)),
        3 => fixed.prop_map(|s| (s, 1)),
        2 => block.prop_map(|s| (s, 1)),
        2 => swap.prop_map(|s| (s, 1)),
        1 => balance.prop_map(|s| (s, 1)),
        2 => quiet.prop_map(|s| (s, 0)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_command_gets_its_reply(commands in prop::collection::vec(any_command(), 1..24)) {
        let mut input = "INFO timeout_turn 0\nINFO max_node 200\nINFO max_memory 33554432\nSTART 7\n".to_owned();
        let mut expected = 1;
        for (text, replies) in &commands {
            input += text;
            input += "\n";
            expected += replies;
        }
        let replies = converse(input.clone().into_bytes());
        prop_assert!(replies.iter().all(|line| is_reply(line)), "{input}{replies:?}");
        prop_assert_eq!(replies.len(), expected, "{}{:?}", input, replies);
    }

    #[test]
    fn any_bytes_leave_it_working(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut input = bytes;
        input.extend(b"\nSTART 9\nINFO timeout_turn 0\nTURN 4,4\n");
        let replies = converse(input);
        prop_assert!(replies.iter().all(|line| is_reply(line)), "{replies:?}");
        prop_assert!(replies.ends_with(&["OK".to_owned(), replies[replies.len() - 1].clone()]));
        prop_assert!(square(&replies[replies.len() - 1]).is_some());
    }
}
