use super::*;
use crate::game::Color;

/// Returns the replies to these lines. Each task is answered by the first empty point.
fn converse(lines: &[&str]) -> Vec<String> {
    let mut session = Session::default();
    let mut said = Vec::new();
    for line in lines {
        match session.line(line) {
            Response::None | Response::ClearHash => {}
            Response::Say(text) => said.push(text),
            Response::Think(task) => {
                let p = task.position.size().points().find(|&p| task.position.is_free(p));
                said.push(session.answer(Answer::Move(p), Duration::from_secs(1)));
            }
            Response::Quit => said.push("quit".to_owned()),
        }
    }
    said
}

fn task(lines: &[&str]) -> Task {
    let mut session = Session::default();
    let (last, first) = lines.split_last().unwrap();
    first.iter().for_each(|line| drop(session.line(line)));
    match session.line(last) {
        Response::Think(task) => *task,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wrong_start_ends_a_block() {
    let said =
        converse(&["START 15", "BOARD", "7,7,1", "start 99", "ABOUT", "BOARD", "RECTSTART 10,12", "BEGIN"]);
    assert_eq!(said[..2], ["OK", "ERROR unsupported board size: expected 5 to 22, such as 15 or 20"]);
    assert!(said[2].starts_with("name="), "{said:?}");
    assert_eq!(said[3..], ["ERROR only square boards are supported", "0,14"]);
}

#[test]
fn a_refused_command_changes_nothing() {
    let said = converse(&["START 15", "TURN 7,7", "TURN 7,7", "TURN 15,0", "START 99", "FOO", "TURN 7,6"]);
    assert_eq!(
        said,
        [
            "OK",
            "0,14",
            "ERROR 7,7 is occupied",
            "ERROR 15,0 is off the board",
            "ERROR unsupported board size: expected 5 to 22, such as 15 or 20",
            "UNKNOWN command",
            "1,14"
        ]
    );
    let said = converse(&["START 15", "INFO rule 12", "TURN 7,7", "INFO rule 1", "TURN 7,7"]);
    assert_eq!(said, ["OK", "ERROR rule 12 is not supported: expected 0, 1, 4, 8 or 9", "0,14"]);
}

#[test]
fn a_block_is_answered_once() {
    let said = converse(&["START 15", "BOARD", "hello", "1,2", "3,3,9", "ABOUT", "DONE"]);
    assert_eq!(said, ["OK", "ERROR expected x,y,field"]);
    let said = converse(&["BOARD", "7,7,2", "DONE", "SWAP2BOARD", "DONE"]);
    assert_eq!(said, ["ERROR no game: START comes first"; 2]);
}

#[test]
fn commands_that_make_a_block_pointless_end_it() {
    assert_eq!(converse(&["START 15", "BOARD", "7,7,2", "START 20", "TURN 7,7"]), ["OK", "OK", "0,19"]);
    assert_eq!(converse(&["START 15", "BOARD", "7,7,2", "END"]), ["OK", "quit"]);
    let task = task(&["START 15", "BOARD", "7,7,2", "INFO rule 4", "done"]);
    assert_eq!((task.options.rule, task.position.moves().len()), (RuleKind::Renju, 1));
}

#[test]
fn settings_outlive_games() {
    let task = task(&["INFO rule 1", "INFO timeout_turn 70", "START 15", "BEGIN", "START 20", "BEGIN"]);
    assert_eq!(task.options.rule, RuleKind::Standard);
    assert_eq!(task.limits.turn, Some(Duration::from_millis(70)));
    assert_eq!(task.position, Position::new(Size::S20));
}

/// The highest level of Yixin-Board is a number of nodes that otherwise means no limit.
#[test]
fn a_move_without_time_has_any_number_of_nodes_as_its_limit() {
    let nodes = |lines: &[&str]| {
        let level = ["START 15", "YXSHOWINFO", "INFO timeout_turn 2000000", "INFO max_node 1000000000"];
        task(&[&level[..], lines].concat()).limits.nodes
    };
    assert_eq!((nodes(&["BEGIN"]), nodes(&["YXNBEST 3"])), (Some(1_000_000_000), Some(1_000_000_000)));
    // Decisions that compare many positions have a time of their own.
    assert_eq!((nodes(&["YXBALANCEONE"]), nodes(&["SWAP2BOARD", "DONE"])), (None, None));
}

/// An answer of any kind uses up the time of the game, and a new game has all of it.
#[test]
fn every_answer_is_charged_to_the_game() {
    let mut session = Session::default();
    let mut left = |lines: &[&str], answer: Answer, used: u64| {
        let (last, first) = lines.split_last().unwrap();
        first.iter().for_each(|line| drop(session.line(line)));
        let Response::Think(task) = session.line(last) else { panic!("{last}") };
        session.answer(answer, Duration::from_secs(used));
        task.limits.left.map(|left| left.as_secs())
    };
    let at = |x, y| Answer::Move(Some(Point::new(x, y)));
    assert_eq!(left(&["START 15", "INFO timeout_match 60000", "BEGIN"], at(7, 7), 10), Some(60));
    assert_eq!(left(&["SWAP2BOARD", "DONE"], Answer::Opening("SWAP".to_owned()), 15), Some(50));
    assert_eq!(left(&["YXBALANCEONE 0"], Answer::Balance(Vec::new()), 5), Some(35));
    assert_eq!(left(&["TURN 0,0"], at(8, 8), 40), Some(30));
    assert_eq!(left(&["TURN 1,0"], at(9, 9), 1), Some(0), "more was used than there was");
    for start in ["RESTART", "START 15"] {
        assert_eq!(left(&[start, "BEGIN"], at(7, 7), 10), Some(60), "{start}");
    }
}

/// A board sends the size with every move.
#[test]
fn tables_that_are_too_large_are_told_of_once() {
    let said = converse(&["INFO hash_size 67108864", "INFO hash_size 67108865", "START 15"]);
    assert_eq!(said, ["MESSAGE hash_size: the tables take at most 67108864 (64 GiB)", "OK"]);
    let large = "INFO hash_size 9223372036854775807";
    let said = converse(&[large, large, "START 15", "BOARD", large, "DONE", "INFO hash_size 1024", large]);
    assert_eq!((said.len(), said[1].as_str(), said[2].as_str()), (4, "OK", "0,14"));
    assert_eq!(said[0], said[3]);
}

/// Yixin-Board's "New" sends nothing else.
#[test]
fn a_first_step_of_an_opening_begins_a_game() {
    let mut session = Session::default();
    let long = Duration::from_secs(50);
    ["START 15", "INFO timeout_match 60000", "BEGIN"].iter().for_each(|line| drop(session.line(line)));
    session.answer(Answer::Move(Some(Point::new(7, 7))), long);
    let is_error = |response: Response| matches!(response, Response::Say(text) if text.starts_with("ERROR "));
    assert!(is_error(session.line("YXSOOSORVSTEP1 x")));
    assert!(is_error(session.line("TURN 7,7")), "a step that is refused begins nothing");
    let mut seeds = Vec::new();
    for step in ["YXSWAP2STEP1", "YXSOOSORVSTEP1"] {
        let Response::Think(task) = session.line(step) else { panic!("{step}") };
        assert_eq!(task.limits.left, Some(Duration::from_secs(60)), "{step}");
        seeds.push(task.options.seed);
        session.answer(Answer::Opening(String::new()), long);
    }
    assert_ne!(seeds[0], seeds[1]);
    let Response::Think(task) = session.line("TURN 7,7") else { panic!("the board is empty") };
    assert_eq!(task.limits.left, Some(Duration::from_secs(10)), "the same game");
}

/// Random choices differ from game to game, but not within one.
#[test]
fn every_game_has_its_seed() {
    let seed = |lines: &[&str]| task(lines).options.seed;
    let first = seed(&["START 15", "BEGIN"]);
    assert_eq!(seed(&["START 15", "BEGIN", "TURN 7,7"]), first);
    let second = seed(&["START 15", "BEGIN", "START 15", "BEGIN"]);
    assert_ne!(second, first);
    assert_ne!(seed(&["START 15", "START 15", "START 15", "BEGIN"]), second);
}

#[test]
fn a_yixin_command_changes_the_meaning_of_rule_2() {
    let rule = |lines: &[&str]| task(lines).options.rule;
    assert_eq!(rule(&["START 15", "INFO rule 2", "BEGIN"]), RuleKind::Freestyle);
    assert_eq!(rule(&["YXSHOWINFO", "START 15", "INFO rule 2", "BEGIN"]), RuleKind::Renju);
    assert_eq!(rule(&["START 15", "INFO rule 2", "YXHASHCLEAR", "BEGIN"]), RuleKind::Renju);
    // Unknown and wrong commands of the dialect are signs of it too.
    for line in ["yxsetnothing", "YXNBEST x", "YXSWAP2STEP1"] {
        assert_eq!(rule(&["START 15", "INFO rule 2", line, "BEGIN"]), RuleKind::Renju, "{line}");
    }
    for line in ["YXSTOP", "yxstop", "FOO", "Y"] {
        assert_eq!(rule(&["START 15", "INFO rule 2", line, "BEGIN"]), RuleKind::Freestyle, "{line}");
    }
}

/// Yixin-Board sends these after each move.
#[test]
fn unsupported_commands_take_their_lines_with_them() {
    let said = converse(&["YXQUERYDATABASEALL", "7,7", "7,8", "done", "START 15", "BEGIN"]);
    assert_eq!(said, ["UNKNOWN command", "OK", "0,14"]);
    let said = converse(&["START 15", "yxsetdatabase", "C:\\books\\my book.db", "ABOUT"]);
    assert_eq!(said[..2], ["OK", "UNKNOWN command"]);
    assert!(said.len() == 3 && said[2].starts_with("name="), "{said:?}");
    let said = converse(&["YXBLOCKPATHRESET", "YXEDITTVDDATABASE 1 5 0 0", "7,7", "START 15"]);
    assert_eq!(said, ["UNKNOWN command", "OK"], "a new game ends the lines");
    for lines in [
        &["yxquerydatabaseallt", "7,7", "7,8", "done"][..],
        &["yxquerydatabasetext", "done"],
        &["yxdbtotxtall", "C:\\books\\my book.txt"],
        &["yxlibtodb", "begin"],
        &["yxdbsplit", "part.db"],
        &["yxdbmerge", "part.db"],
    ] {
        are_answered_once(lines);
    }
}

/// Yixin-Board sends a comment as its user types it, and no line end behind it.
#[test]
fn a_text_ends_with_its_quotation_mark() {
    for lines in [
        &["yxedittextdatabase \"\"done"][..],
        &["yxedittextdatabase \"a note\"7,7", "7,8", "done"],
        &["yxedittextdatabase \"a \\\"note\\\" \\\\\"7,7", "done"],
        &["yxedittextdatabase \"a note", "begin", "done\"7,7", "done"],
        &["yxedittextdatabase \"a", "note\"done"],
        &["yxedittextdatabase \"a", "End of the game", "Restart", "start 9", "Start with a three", "b\"done"],
        &["yxedittextdatabase \"a", "info on it\"done"],
        &["yxedittextdatabase \u{fffd}", "Start with a three", "b\"7,7", "done"],
        &["yxedittextdatabase \u{fffd}", "7,7", "done"],
        &["yxedittextdatabase \"a", "\u{fffd}", "7,7", "done"],
        &["yxedittextdatabase", "7,7", "done"],
    ] {
        are_answered_once(lines);
    }
}

/// Checks that these lines are one unknown command, and that the line behind them is another command.
#[track_caller]
fn are_answered_once(lines: &[&str]) {
    let said = converse(&[&["START 15"], lines, &["ABOUT"]].concat());
    assert_eq!(said[..2], ["OK", "UNKNOWN command"], "{lines:?}");
    assert!(said.len() == 3 && said[2].starts_with("name="), "{lines:?}: {said:?}");
}

#[test]
fn excluded_squares_stay_so_until_they_are_admitted() {
    let excluded = |lines: &[&str]| {
        let task = task(&[&["START 15"], lines, &["TURN 7,7"]].concat());
        task.limits.excluded.iter().map(|p| Square::of(p, Size::S15).to_string()).collect::<Vec<_>>()
    };
    let block = ["yxblock", "3,3", "0,14", "3,3", "done"];
    assert_eq!(excluded(&[]), [""; 0]);
    assert_eq!(excluded(&block), ["0,14", "3,3"]);
    assert_eq!(excluded(&[&block[..], &["START 15"]].concat()), ["0,14", "3,3"], "one START for each move");
    assert_eq!(excluded(&[&block[..], &["START 20", "START 15"]].concat()), [""; 0]);
    assert_eq!(excluded(&[&block[..], &["YXBLOCKUNDO", "3,3", "5,5", "DONE"]].concat()), ["0,14"]);
    assert_eq!(excluded(&[&block[..], &["YXBLOCKRESET"]].concat()), [""; 0]);
    let balance = task(&[&["START 15"], &block[..], &["YXBALANCEONE 0"]].concat());
    assert_eq!(balance.limits.excluded.len(), 2);
    let said = converse(&["START 15", "YXBLOCK", "3,3,1", "DONE", "YXBLOCK", "15,0", "DONE"]);
    assert_eq!(said, ["OK", "ERROR expected a square as x,y", "ERROR 15,0 is off the board"]);
}

#[test]
fn pondering_is_asked_for_and_never_in_tournaments() {
    let ponders = |lines: &[&str]| {
        let mut session = Session::default();
        ["START 15", "INFO thread_num 1"].iter().chain(lines).for_each(|line| drop(session.line(line)));
        // The opponent thinks about an answer that changes nothing.
        session.answer(Answer::Move(None), Duration::ZERO);
        session.ponder()
    };
    assert!(ponders(&[]).is_none());
    assert!(ponders(&["INFO pondering 0"]).is_none());
    for kind in [2, 3] {
        assert!(ponders(&["INFO pondering 1", &format!("INFO game_type {kind}")]).is_none());
    }
    assert!(ponders(&["INFO pondering 1", "INFO rule 12"]).is_none());
    let over = ["7,7,1", "1,1,2", "8,7,1", "2,1,2", "9,7,1", "3,1,2", "10,7,1", "4,1,2", "11,7,1", "0,0,2"];
    let lines = [&["INFO pondering 1", "YXBOARD"][..], &over, &["DONE"]].concat();
    assert!(ponders(&lines).is_none(), "the game is over");
    let wanted =
        ["INFO pondering 1", "INFO timeout_turn 5", "YXBLOCK", "3,3", "DONE", "YXBOARD", "7,7,1", "DONE"];
    let task = ponders(&wanted).unwrap();
    assert_eq!(task.position.moves().len(), 1);
    assert_eq!((task.limits.turn, task.limits.left, task.limits.nodes), (None, None, None));
    assert!(task.limits.excluded.is_empty(), "they are the engine's");
    // The stones of an opening are not those of the game.
    let mut session = Session::default();
    ["INFO pondering 1", "START 15", "SWAP2BOARD", "7,7", "8,8", "9,7", "DONE"]
        .iter()
        .for_each(|line| drop(session.line(line)));
    session.answer(Answer::Opening("SWAP".to_owned()), Duration::ZERO);
    assert!(session.ponder().is_none());
}

#[test]
fn pondering_goes_on_after_lines_that_leave_the_game_alone() {
    let mut session = Session::default();
    let answered = |session: &mut Session| {
        ["START 15", "INFO pondering 1", "BEGIN"].iter().for_each(|line| drop(session.line(line)));
        assert!(session.ponder().is_none(), "it is the engine's turn");
        session.answer(Answer::Move(Some(Point::new(7, 7))), Duration::ZERO);
        assert!(session.ponder().is_some());
    };
    answered(&mut session);
    for line in [
        "INFO rule 4",
        "ABOUT",
        "YXSHOWINFO",
        "YXSHOWFORBID",
        "YXDRAW",
        "YXHASHCLEAR",
        "YXBLOCKRESET",
        "FOO",
        "TURN",
        "YXQUERYDATABASEALL",
        "7,7",
        "DONE",
    ] {
        session.line(line);
        assert!(session.ponder().is_some(), "{line}");
    }
    for line in ["YXSTOP", "STOP", "START 15", "BOARD", "YXBOARD", "YXBLOCK", "PLAY 3,3", "TAKEBACK 7,7"] {
        answered(&mut session);
        session.line(line);
        session.line("INFO rule 0");
        assert!(session.ponder().is_none(), "{line}");
    }
}

#[test]
fn moves_are_taken_back_and_played_for_the_engine() {
    let said =
        converse(&["START 15", "TURN 7,7", "TAKEBACK 0,14", "TAKEBACK 7,7", "TAKEBACK 7,7", "PLAY 0,14"]);
    let error = "ERROR no stone on 7,7: expected an occupied square";
    assert_eq!(said, ["OK", "0,14", "OK", "OK", error, "0,14"]);
}

/// Any stone can be taken back, not only the last: by the protocol's page the named stone is removed, and Piskvork sends
/// a command for each of several stones.
#[test]
fn any_stone_is_taken_back() {
    let start = ["START 15", "YXBOARD", "7,7,1", "7,6,2", "8,7,1", "8,6,2", "DONE"];
    let taken = ["TAKEBACK 7,7", "TAKEBACK 7,6", "TAKEBACK 8,6", "TAKEBACK 8,7", "TAKEBACK 8,7"];
    let said = converse(&[&start[..], &taken].concat());
    assert_eq!(said, ["OK", "OK", "OK", "OK", "OK", "ERROR no stone on 8,7: expected an occupied square"]);
    // The other stones stay, and the colour with fewer stones is to move.
    let task = task(&[&start[..], &["TAKEBACK 7,7", "TURN 0,14"]].concat());
    let mut stones: Vec<(Point, Color)> = task.position.stones().collect();
    stones.sort_by_key(|(p, _)| p.index());
    let at = |x, y: usize| Point::new(x, 14 - y);
    let expected = [(at(0, 14), Color::Black), (at(8, 7), Color::Black)]
        .into_iter()
        .chain([(at(7, 6), Color::White), (at(8, 6), Color::White)]);
    assert!(expected.clone().all(|stone| stones.contains(&stone)) && stones.len() == 4, "{stones:?}");
}
