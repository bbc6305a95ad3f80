//! The choice of an opening: a dialogue for each regulation.

use std::time::Duration;

use kagetsu::game::regulation::{Action, Opening, Regulation};
use kagetsu::game::{Point, Size};

use crate::manager::{Manager, board, square};

/// One engine that answers for both players, and the opening that results.
struct Dialogue {
    engine: Manager,
    opening: Opening,
    /// The squares of the stones so far, as they were sent.
    stones: Vec<String>,
}

impl Dialogue {
    fn new(regulation: &str, rule: u32) -> Dialogue {
        let engine = Manager::game(15, rule, 60);
        let opening = regulation.parse::<Regulation>().unwrap().start(Size::S15).unwrap();
        Dialogue { engine, opening, stones: Vec::new() }
    }

    /// Sends a command with the stones so far, and the lines after `DONE`.
    fn ask(&mut self, command: &str, after: &str) -> String {
        let stones: String = self.stones.iter().map(|s| format!("{s}\n")).collect();
        self.engine.send(&format!("{command}\n{stones}DONE{after}"));
        self.engine.reply()
    }

    /// Applies the action of the player to act, which must be legal.
    #[track_caller]
    fn act(&mut self, action: &Action) {
        self.opening.apply(action).unwrap_or_else(|e| panic!("{e}: {action} after {:?}", self.stones));
    }

    /// Puts the stones of an answer on the board.
    #[track_caller]
    fn put(&mut self, squares: &str, declare: Option<usize>) {
        self.stones.extend(squares.split(' ').map(str::to_owned));
        self.act(&Action::Place { stones: points(squares), declare });
    }

    /// Applies the answer to a choice of colours: `SWAP`, or the next step of a player who keeps. Returns whether it
    /// was a swap.
    #[track_caller]
    fn choose(&mut self, reply: &str) -> bool {
        let swapped = reply == "SWAP";
        self.act(if swapped { &Action::Swap } else { &Action::Keep });
        swapped
    }

    /// Ends the opening: the engine must find a move in the game that follows.
    fn end(mut self) {
        assert!(self.opening.is_over());
        let moves: Vec<(usize, usize)> = self.stones.iter().map(|s| square(s).unwrap()).collect();
        let answer = self.engine.ask(&board(&moves));
        assert!(!moves.contains(&answer));
        self.engine.end();
    }
}

#[track_caller]
fn points(squares: &str) -> Vec<Point> {
    let point = |s| {
        let (x, y) = square(s).unwrap_or_else(|| panic!("{squares:?} are no squares"));
        Point::new(x, 14 - y)
    };
    squares.split(' ').map(point).collect()
}

/// Squares and the number after them.
#[track_caller]
fn numbered(reply: &str) -> (&str, usize) {
    let (squares, number) = reply.rsplit_once(' ').unwrap();
    (squares, number.parse().unwrap_or_else(|_| panic!("{reply:?} ends with no number")))
}

#[test]
fn swap2board() {
    for rule in [0, 1] {
        let mut game = Dialogue::new("swap2", rule);
        let reply = game.ask("SWAP2BOARD", "");
        game.put(&reply, None);
        let reply = game.ask("SWAP2BOARD", "");
        if reply == "SWAP" {
            game.act(&Action::Swap);
        } else {
            game.put(&reply, None);
            if !game.opening.is_over() {
                let reply = game.ask("SWAP2BOARD", "");
                if reply == "SWAP" { game.act(&Action::Swap) } else { game.put(&reply, None) }
            }
        }
        assert!(game.engine.messages.iter().any(|m| m.starts_with("MESSAGE opening: ")));
        game.end();
    }
}

#[test]
fn one_choice_of_colours() {
    for (regulation, command, stones) in [("swap1", "SWAP1STBOARD", 1), ("swap", "SWAPBOARD", 3)] {
        let mut game = Dialogue::new(regulation, 0);
        let reply = game.ask(command, "");
        game.put(&reply, None);
        assert_eq!(game.stones.len(), stones);
        let reply = game.ask(command, "");
        if !game.choose(&reply) {
            game.stones.push(reply);
        }
        game.end();
    }
}

#[test]
fn stones_with_swaps_between() {
    for (regulation, first, choice, next) in [
        ("swap5", "SWAP5STEP1", "SWAP5STEP2", "SWAP5STEP3"),
        ("tarannikov", "TARANNIKOVSTEP1", "TARANNIKOVSTEP2", "TARANNIKOVSTEP1"),
        ("tarannikov", "TARAGUCHISTEP1 10", "TARAGUCHISTEP2 10", "TARAGUCHISTEP1 10"),
    ] {
        let mut game = Dialogue::new(regulation, 4);
        let mut reply = game.ask(first, "");
        for _ in 0..5 {
            game.put(&reply, None);
            reply = game.ask(choice, "");
            if game.choose(&reply) {
                reply = game.ask(next, "");
            }
        }
        if regulation == "swap5" {
            game.stones.push(reply);
        } else {
            game.put(&reply, None);
        }
        game.end();
    }
}

#[test]
fn stones_outside_the_middle() {
    for (regulation, command) in [("pro", "PROBOARD"), ("longpro", "LONGPROBOARD")] {
        let mut game = Dialogue::new(regulation, 1);
        for _ in 0..3 {
            let reply = game.ask(command, "");
            game.put(&reply, None);
        }
        assert_eq!(game.stones[0], "7,7");
        game.end();
    }
}

/// From the fourth stone on: the offer, and the choice.
fn fifths(mut game: Dialogue, offer: &str, choose: &str, count: usize) {
    let offered = game.ask(offer, "");
    finish(game, &offered, choose, count);
}

fn finish(mut game: Dialogue, offered: &str, choose: &str, count: usize) {
    assert_eq!(offered.split(' ').count(), count, "{offered}");
    game.act(&Action::Offer(points(offered)));
    let reply = game.ask(choose, &format!("\n{offered}"));
    let chosen = points(&reply);
    game.act(&Action::Choose { fifth: chosen[0], sixth: chosen[1] });
    game.stones.extend(reply.split(' ').map(str::to_owned));
    game.end();
}

#[test]
fn rif() {
    let mut game = Dialogue::new("rif", 4);
    let reply = game.ask("RIFSTEP1", "");
    game.put(&reply, None);
    let mut reply = game.ask("RIFSTEP2", "");
    if game.choose(&reply) {
        reply = game.ask("RIFSTEP3", "");
    }
    game.put(&reply, None);
    fifths(game, "RIFSTEP4", "RIFSTEP5", 2);
}

#[test]
fn yamaguchi() {
    let mut game = Dialogue::new("yamaguchi", 4);
    let reply = game.ask("YAMAGUCHISTEP1", "");
    let (stones, number) = numbered(&reply);
    game.put(stones, Some(number));
    let mut reply = game.ask(&format!("YAMAGUCHISTEP2 {number}"), "");
    if game.choose(&reply) {
        reply = game.ask(&format!("YAMAGUCHISTEP3 {number}"), "");
    }
    game.put(&reply, None);
    fifths(game, &format!("YAMAGUCHISTEP4 {number}"), &format!("YAMAGUCHISTEP5 {number}"), number);
}

#[test]
fn soosyrv() {
    let mut game = Dialogue::new("soosorv:8", 4);
    let reply = game.ask("SOOSYRVSTEP1 8", "");
    game.put(&reply, None);
    let mut reply = game.ask("SOOSYRVSTEP2 8", "");
    if game.choose(&reply) {
        reply = game.ask("SOOSYRVSTEP3 8", "");
    }
    let (stones, number) = numbered(&reply);
    game.put(stones, Some(number));
    let mut offered = game.ask(&format!("SOOSYRVSTEP4 {number}"), "");
    if game.choose(&offered) {
        offered = game.ask(&format!("SOOSYRVSTEP5 {number}"), "");
    }
    finish(game, &offered, &format!("SOOSYRVSTEP6 {number}"), number);
}

#[test]
fn taraguchi_offers() {
    let mut game = Dialogue::new("taraguchi:5", 4);
    for squares in ["7,7", "7,6", "8,6", "6,5"] {
        game.put(squares, None);
        if game.stones.len() < 4 {
            game.act(&Action::Keep);
        }
    }
    fifths(game, "TARAGUCHISTEP3 5", "TARAGUCHISTEP4 5", 5);
}

#[test]
fn sakata() {
    let mut game = Dialogue::new("super-sakata", 4);
    let reply = game.ask("SAKATASTEP1", "");
    game.put(&reply, None);
    let reply = game.ask("SAKATASTEP2", "");
    game.put(&reply, None);
    let reply = game.ask("SAKATASTEP3", "");
    if reply == "SWAP" {
        game.act(&Action::Swap)
    } else {
        game.put(&reply, None)
    }
    game.end();
}

#[test]
fn lianhuan() {
    let mut game = Dialogue::new("lianhuan", 4);
    // After two stones at once the other player may swap. The player who continues then puts one or two.
    game.put("7,7 7,6", None);
    let mut two = true;
    while !game.opening.is_over() {
        let reply = game.ask(if two { "LIANHUANSTEP2" } else { "LIANHUANSTEP1" }, "");
        if two && reply == "SWAP" {
            game.act(&Action::Swap);
            two = false;
        } else {
            game.put(&reply, None);
            two = reply.contains(' ');
        }
    }
    assert!((5..=6).contains(&game.stones.len()));
    game.end();
}

#[test]
fn wrong_steps_are_refused_and_forgotten() {
    let mut engine = Manager::game(15, 4, 50);
    for wrong in [
        "SWAP2BOARD\n7,7\nDONE",
        "SWAP2BOARD\n7,7\n7,7\n8,8\nDONE",
        "SWAP2BOARD\n15,0\n7,7\n8,8\nDONE",
        "RIFSTEP2\n7,7\n7,6\nDONE",
        "RIFSTEP2\n0,0\n7,6\n8,8\nDONE",
        "RIFSTEP2 x\nDONE",
        "YAMAGUCHISTEP2 0\n7,7\n7,6\n8,8\nDONE",
        "RIFSTEP5\n7,7\n7,6\n8,6\n6,5\nDONE\n3,3 3,3",
        "RIFSTEP5\n7,7\n7,6\n8,6\n6,5\nDONE\n3,3",
        "RIFSTEP5\n7,7\n7,6\n8,6\n6,5\nDONE\nhello",
        "SOOSYRVSTEP6 2\n7,7\n7,6\n8,6\n6,5\nDONE\n7,7 3,3",
        "TARANNIKOVSTEP1\n0,0\nDONE",
        "YXSWAP2STEP3",
        "YXSOOSORVSTEP6\n7,7\n7,6\n8,6\n6,5\nDONE",
        "SWAP3BOARD",
    ] {
        engine.send(wrong);
        let reply = engine.reply();
        assert!(reply.starts_with("ERROR ") || reply.starts_with("UNKNOWN "), "{wrong:?}: {reply}");
        engine.silent();
    }
    // The fifths may also come before `DONE`, and `PLAY` may stand for `DONE`.
    for right in ["3,3 4,4\nDONE", "PLAY\n3,3 4,4"] {
        engine.send(&format!("YAMAGUCHISTEP5 2\n7,7\n7,6\n8,6\n6,5\n{right}"));
        let reply = engine.reply();
        assert!(reply.starts_with("3,3 ") || reply.starts_with("4,4 "), "{reply}");
    }
    // A line that makes the command pointless ends it.
    engine.send("RIFSTEP5\n7,7\n7,6\n8,6\n6,5\nDONE\nSTART 15");
    assert_eq!(engine.reply(), "OK");
    engine.end();
}

/// Yixin-Board does not check that its user's fifths are different.
#[test]
fn symmetric_fifths_of_a_board_count_as_one() {
    let mut engine = Manager::game(15, 4, 50);
    // The column of the four stones is an axis: 6,7 and 8,7 are symmetric.
    engine.send("YXSOOSORVSTEP6\n7,7\n7,6\n7,8\n7,5\n6,7\n8,7\n3,3\nDONE\nABOUT");
    assert!(engine.reply().starts_with("name="));
    let chosen = engine.messages.iter().filter_map(|m| m.strip_prefix("MESSAGE SOOSORV MOVE5C "));
    let chosen: Vec<&str> = chosen.collect();
    assert!(chosen == ["6 7"] || chosen == ["3 3"], "{:?}", engine.messages);
    engine.end();
}

#[test]
fn refusals_name_squares_as_the_protocol_does() {
    let mut engine = Manager::game(15, 4, 50);
    for (wrong, reason) in [
        ("RIFSTEP2\n0,0\n7,6\n8,8\nDONE", "0,0 is not allowed"),
        ("RIFSTEP5\n7,7\n7,6\n7,8\n7,5\nDONE\n6,7 8,7", "6,7 and 8,7 are symmetric"),
    ] {
        engine.send(wrong);
        let reply = engine.reply();
        assert!(reply.starts_with("ERROR ") && reply.contains(reason), "{wrong:?}: {reply}");
    }
    engine.end();
}

#[test]
fn a_step_is_answered_when_it_is_told_to_stop() {
    let mut engine = Manager::game(15, 0, 600_000);
    engine.send("SWAP2BOARD\nDONE\nABOUT\nYXSTOP");
    assert_eq!(engine.reply().split(' ').count(), 3);
    assert!(engine.reply().starts_with("name="), "what comes meanwhile waits");
    engine.send("YXBALANCETWO 0\nYXSTOP");
    assert_eq!(engine.reply().split(' ').count(), 2);
    engine.end();
}

#[test]
fn a_step_leaves_time_for_the_game() {
    let mut engine = Manager::game(15, 0, 600_000);
    for left in [600, 1, -5] {
        engine.send(&format!("INFO timeout_match 600000\nINFO time_left {left}\nSWAP2BOARD\nDONE"));
        let reply = engine.reply_within(Duration::from_secs(30)).expect("an answer in time");
        assert_eq!(points(&reply).len(), 3);
    }
    engine.end();
}
