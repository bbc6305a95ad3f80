//! Captures of the relatives of Renju, and rows that captures break or leave; each statement with a position that shows it.

use kagetsu::game::Color;
use kagetsu_games::{Cell, Kind, Options, Outcome, Reason, notation};

use super::positions::{BLACK, WHITE, after, cell, end, game, refusal};

const PAIR: &str = "9/9/9/9/1xoo5/9/9/9/9 x";
/// Black stones on c5 and d5 between white ones once Black is on d5.
const SAFE: &str = "9/9/9/9/1ox1o4/9/9/9/9 x";

#[test]
fn captures() {
    use Kind::*;
    for kind in [Ninuki, Pente, KeryoPente] {
        let mut game = game(kind, &[], PAIR);
        assert_eq!(after(game.as_mut(), "e5"), "goes on");
        assert_eq!((cell(&*game, "c5"), cell(&*game, "d5")), (Cell::Empty, Cell::Empty), "{kind}");
        assert_eq!(game.captured(), [2, 0]);
        let mut game = self::game(kind, &[], SAFE);
        assert_eq!(after(game.as_mut(), "d5"), "goes on");
        assert_eq!((cell(&*game, "c5"), cell(&*game, "d5")), (BLACK, BLACK), "{kind}: between is safe");
    }
    // Several pairs at once, in all directions.
    let star = "9/1x2x2x1/2o1o1o2/3ooo3/1xoo1oox1/3ooo3/2o1o1o2/1x2x2x1/9 x";
    let mut star = game(Pente, &[], star);
    assert_eq!(after(star.as_mut(), "e5"), "black wins by captures");
    assert_eq!(star.captured(), [16, 0]);
    // Three stones are captured in Keryo-Pente only, one and four nowhere.
    let row = |n: usize| format!("9/9/9/9/1x{}{}/9/9/9/9 x", "o".repeat(n), 7 - n);
    for (kind, n, expected) in [
        (Pente, 3, 0),
        (KeryoPente, 3, 3),
        (Pente, 1, 0),
        (KeryoPente, 1, 0),
        (KeryoPente, 4, 0),
        (Ninuki, 3, 0),
    ] {
        let mut game = game(kind, &[], &row(n));
        let point = format!("{}5", (b'c' + n as u8) as char);
        after(game.as_mut(), &point);
        assert_eq!(game.captured(), [expected, 0], "{kind} {n}");
    }
}

#[test]
fn captures_that_win() {
    let with = |captured: &str| format!("{PAIR} captured={captured}");
    assert_eq!(end(Kind::Pente, &[], &with("8-0"), "e5"), "black wins by captures");
    assert_eq!(end(Kind::Pente, &[], &with("6-8"), "e5"), "goes on");
    assert_eq!(end(Kind::Ninuki, &[], &with("8-0"), "e5"), "black wins by captures");
    assert_eq!(end(Kind::KeryoPente, &[], &with("12-0"), "e5"), "goes on");
    assert_eq!(end(Kind::KeryoPente, &[], &with("13-0"), "e5"), "black wins by captures");
    assert_eq!(
        game(Kind::Pente, &[], &with("8-0")).notes(),
        ["captured stones: by black 8, by white 0 of 10"]
    );
}

#[test]
fn repensi_turns_pairs() {
    let mut game = game(Kind::Repensi, &[], PAIR);
    assert_eq!(after(game.as_mut(), "e5"), "goes on");
    assert_eq!((cell(&*game, "c5"), cell(&*game, "d5")), (BLACK, BLACK));
    game.undo();
    assert_eq!((cell(&*game, "c5"), cell(&*game, "d5")), (WHITE, WHITE));
    // A stone that changed completes a five in another line.
    let column = "9/9/2x6/2x6/1xoo5/2x6/2x6/9/9 x";
    assert_eq!(end(Kind::Repensi, &[], column, "e5"), "black wins by a row");
    // The stones make an overline there: a foul, although the new stone alone is not.
    let long = "9/2x6/2x6/2x6/1xoo5/2x6/2x6/9/9 x";
    assert_eq!(end(Kind::Repensi, &[], long, "e5"), "white wins by black's foul (6)");
    assert_eq!(end(Kind::Repensi, &[], SAFE, "d5"), "goes on");
    assert_eq!(end(Kind::Repensi, &[("captures_win", "1")], PAIR, "e5"), "black wins by captures");
    // A capture that wins is no foul.
    let choices = [("captures_win", "1"), ("foul", "illegal")];
    assert_eq!(end(Kind::Repensi, &choices, long, "e5"), "black wins by captures");
    assert_eq!(refusal(Kind::Repensi, &choices[1..], long, "e5"), "e5 is forbidden (6)");
}

/// White breaks the five on row 5 by a capture of c5 and c6, from c4.
const BREAKABLE: &str = "9/9/2o6/2x6/1xxxx4/9/9/9/oxx6 x";

#[test]
fn perfect_fives_of_ninuki() {
    let five = |captured: &str| {
        let mut game = game(Kind::Ninuki, &[], &format!("{BREAKABLE} captured={captured}"));
        assert_eq!(after(game.as_mut(), "f5"), "goes on");
        assert!(game.notes().contains(&"black has a five that a capture can break".to_owned()));
        game
    };
    // The five has survived one reply.
    assert_eq!(after(five("0-0").as_mut(), "a9"), "black wins by a row");
    // The reply breaks the five.
    let mut broken = five("0-0");
    assert_eq!(after(broken.as_mut(), "c4"), "goes on");
    assert_eq!(cell(&*broken, "c5"), Cell::Empty);
    // Another capture does not break it, unless it is the fifth.
    assert_eq!(after(five("0-0").as_mut(), "d1"), "black wins by a row");
    assert_eq!(after(five("0-8").as_mut(), "d1"), "white wins by captures");
    assert_eq!(end(Kind::Ninuki, &[("perfect", "no")], BREAKABLE, "f5"), "black wins by a row");
    // White's last stone makes the five. Black could break it by a capture on c3, but has placed its eight stones.
    let last = "x1x1x1x1x/9/2x6/2o6/1oooo4/9/9/9/xoo5x o";
    let stones = |number| [("stones", number)];
    assert_eq!(end(Kind::Ninuki, &stones("8"), last, "f5"), "white wins by a row");
    assert_eq!(end(Kind::Ninuki, &stones("9"), last, "f5"), "goes on");
}

#[test]
fn shortened_overlines_of_ninuki() {
    let six = "9/9/6x2/6o2/1oooooo2/9/9/9/9 x";
    assert_eq!(end(Kind::Ninuki, &[], six, "g4"), "white wins by a row");
    let last = format!("{six} captured=8-0");
    assert_eq!(end(Kind::Ninuki, &[], &last, "g4"), "draw: a row of one side, the last capture of the other");
}

/// Black makes a five on column g and captures g8 and g9, which leaves White exactly five on row 8. Black's five comes first,
/// but White breaks it by a capture on h4, far from its own.
#[test]
fn a_five_that_a_capture_left_waits_for_the_broken_one() {
    let position = "11/6x4/6o4/1oooooo4/11/6x4/6x4/4oxx4/6x4/11/11 x";
    let mut game = game(Kind::Ninuki, &[], position);
    assert_eq!(after(game.as_mut(), "g7"), "goes on");
    // The setup string of the position waits, too.
    let mut again = self::game(Kind::Ninuki, &[], &notation::print_setup(&*game));
    for game in [&mut game, &mut again] {
        assert_eq!(after(game.as_mut(), "a1"), "black wins by a row");
        game.undo();
        assert_eq!(after(game.as_mut(), "h4"), "white wins by a row");
    }
}

/// A position printed as a setup and read again still waits for the reply to a five that a capture can break.
#[test]
fn a_setup_keeps_a_five_that_can_be_broken() {
    let mut options = Options::new(Kind::Ninuki);
    options.set_size(9).unwrap();
    options.set("opening", "free").unwrap();
    let game = notation::parse("b5c7c5a1d5i1e5i9c6a9f5", &options).unwrap();
    let mut again = notation::parse(&notation::print_setup(&*game), &options).unwrap();
    assert_eq!((again.outcome(), again.notes()), (game.outcome(), game.notes()));
    assert_eq!(again.outcome(), None);
    notation::play_moves("g1", &mut *again).unwrap();
    assert_eq!(again.outcome(), Some(Outcome::win(Color::Black, Reason::Row)));
}

/// The end of a game after some moves, and of its setup string.
fn ends(choices: &[(&str, &str)], position: &str, moves: &str) -> [String; 2] {
    let mut played = game(Kind::Ninuki, choices, position);
    notation::play_moves(moves, played.as_mut()).unwrap();
    let again = game(Kind::Ninuki, choices, &notation::print_setup(&*played));
    [played, again].map(|game| game.outcome().map_or_else(String::new, |outcome| outcome.to_string()))
}

/// A finished game that is printed as a setup and read again has the same end.
#[test]
fn a_setup_keeps_the_end_of_a_game() {
    // A capture on c4 could break the five, but f3 and f4 were the fifth pair.
    let captures = "9/9/2o6/2x6/1xxxx4/5o3/5o3/5x3/9 x captured=8-0";
    assert_eq!(ends(&[], captures, "f5"), ["black wins by captures"; 2]);
    // White captures the fifth pair on d1 while the five stands.
    assert_eq!(ends(&[], &format!("{BREAKABLE} captured=0-8"), "f5d1"), ["white wins by captures"; 2]);
    // White's six becomes a five.
    let six = "9/9/6x2/6o2/1oooooo2/9/9/9/9 x captured=8-0";
    for perfect in ["yes", "no"] {
        let found = ends(&[("perfect", perfect)], six, "g4");
        assert_eq!(found, ["draw: a row of one side, the last capture of the other"; 2], "{perfect}");
    }
}
