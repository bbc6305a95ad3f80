//! The rules of the relatives of Renju, each statement with a position that shows it.

use std::sync::atomic::AtomicBool;

use kagetsu::clock::SystemClock;
use kagetsu::game::notation::setup;
use kagetsu::game::{Color, Point, Position, Size};
use kagetsu_games::players::Searcher;
use kagetsu_games::search::Limits;
use kagetsu_games::table::Table;
use kagetsu_games::{Cell, Game, Illegal, Kind, Move, Options, notation};

use super::positions::{BLACK, after, at, cell, end, game, refusal};

const FOUR: &str = "9/9/9/9/1xxxx4/9/9/9/9 x";
const SIX: &str = "9/9/9/9/1xxx1xx2/9/9/9/9 x";

#[test]
fn rows_that_win() {
    use Kind::*;
    for kind in [Russian, AntiRenju, Bipartisan, Atomic, Repensi, Ninuki, Pente, KeryoPente, Gomoku33] {
        assert_eq!(end(kind, &[], FOUR, "f5"), "black wins by a row", "{kind}");
    }
    for (kind, expected) in [
        (Russian, "goes on"),
        (Ninuki, "goes on"),
        (AntiRenju, "black wins by a row"),
        (Pente, "black wins by a row"),
        (KeryoPente, "black wins by a row"),
        (Gomoku33, "black wins by a row"),
        (Atomic, "white wins by black's foul (6)"),
        (Repensi, "white wins by black's foul (6)"),
    ] {
        assert_eq!(end(kind, &[], SIX, "e5"), expected, "{kind}");
    }
    // White's six wins where only Black is restricted.
    let white = SIX.replace('x', "o");
    assert_eq!(end(Atomic, &[], &white, "e5"), "white wins by a row");
    assert_eq!(end(Russian, &[], &white, "e5"), "goes on");
    assert_eq!(refusal(Atomic, &[("foul", "illegal")], SIX, "e5"), "e5 is forbidden (6)");
}

/// Words of one game are not offered in another: bombs in Atomic alone, passes in Reversi alone.
#[test]
fn tables_offer_the_words_of_their_game() {
    let stop = AtomicBool::new(false);
    let clock = SystemClock::new();
    for (kind, expected) in [
        (Kind::Atomic, "a move as h8, @h8 for a bomb; "),
        (Kind::Reversi, "a move as d3, pass; "),
        (Kind::Pente, "a move as j10; "),
    ] {
        let player = Searcher::new(Limits::default(), 1 << 16, &clock, &stop);
        let table = Table::new(game(kind, &[], ""), player, None);
        assert_eq!(table.help(), format!("{expected}undo, hint, moves, rules, quit"), "{kind}");
    }
}

#[test]
fn beginnings() {
    use Kind::*;
    for kind in [Russian, AntiRenju, Bipartisan, Atomic, Repensi, Ninuki] {
        assert_eq!(
            refusal(kind, &[], "", "h9"),
            "h9 is not allowed: the first stone is placed in the centre",
            "{kind}"
        );
        assert_eq!(game(kind, &[], "").legal()[0], at("h8"));
        assert_eq!(game(kind, &[("opening", "free")], "").check(at("a1")), Ok(()));
    }
    let pro = "the third stone must be outside the central 5x5";
    assert_eq!(refusal(Russian, &[], "h8a1", "j10"), format!("j10 is not allowed: {pro}"));
    assert_eq!(end(Russian, &[], "h8a1", "k8"), "goes on");
    assert_eq!(refusal(Pente, &[], "j10k10", "l12"), format!("l12 is not allowed: {pro}"));
    assert_eq!(end(Pente, &[], "j10k10", "m10"), "goes on");
    assert_eq!(end(Pente, &[("opening", "center")], "j10k10", "l12"), "goes on");
    // White has no fouls here, and Black has none in the other games.
    assert_eq!(end(Russian, &[], "h8", "h9"), "goes on");
    assert_eq!(end(Atomic, &[], "h8a1", "h9"), "goes on");
}

#[test]
fn straight_fours_of_anti_renju() {
    let three = "9/9/9/9/2xxx4/9/9/9/9 x";
    for point in ["b5", "f5"] {
        assert_eq!(
            refusal(Kind::AntiRenju, &[], three, point),
            format!("{point} is forbidden (straight four)")
        );
    }
    // Rows that count for both sides; a broken four and a four at the edge do not count.
    let white = three.replace('x', "o");
    assert_eq!(refusal(Kind::AntiRenju, &[], &white, "b5"), "b5 is forbidden (straight four)");
    assert_eq!(end(Kind::AntiRenju, &[], three, "g5"), "goes on");
    assert_eq!(end(Kind::AntiRenju, &[], "9/9/9/9/xxx6/9/9/9/9 x", "d5"), "goes on");
    // A five that is made together with a straight four in another line.
    let both = "9/4x4/4x4/4x4/xxxx1o3/9/9/9/9 x";
    assert_eq!(end(Kind::AntiRenju, &[], both, "e5"), "black wins by a row");
    let loss = [("foul", "loss")];
    assert_eq!(end(Kind::AntiRenju, &loss, three, "f5"), "white wins by black's foul (straight four)");
    // One end would only make six, which is not a five if exactly five wins.
    let six = "9/9/9/9/x1xxx4/9/9/9/9 x";
    assert_eq!(refusal(Kind::AntiRenju, &[], six, "f5"), "f5 is forbidden (straight four)");
    assert_eq!(end(Kind::AntiRenju, &[("exact5", "yes")], six, "f5"), "goes on");
}

#[test]
fn the_centre_stone_counts_for_both_colours() {
    let white = "9/9/9/9/1ooox4/9/9/9/9 o";
    assert_eq!(end(Kind::Bipartisan, &[], white, "f5"), "white wins by a row");
    assert_eq!(end(Kind::Renju, &[], white, "f5"), "goes on");
    assert_eq!(end(Kind::Bipartisan, &[], "9/9/9/9/1xxxx4/9/9/9/9 x", "f5"), "black wins by a row");
    // On Black's turn the centre stone is black for fouls too: an overline, and a double three through the centre.
    assert_eq!(
        end(Kind::Bipartisan, &[], "9/9/9/9/1xxxx1x2/9/9/9/9 x", "f5"),
        "white wins by black's foul (6)"
    );
    // A stone that is placed in the centre late is White's on White's turn, and completes White's row.
    let late = "9/9/9/9/2oo1oo2/9/9/9/9 x";
    assert_eq!(end(Kind::Bipartisan, &[], late, "e5"), "white wins by a row");
    assert_eq!(end(Kind::Bipartisan, &[], late, "e6"), "goes on");
    let threes = "11/11/11/11/11/4xx5/11/6x4/6x4/11/11 x";
    assert_eq!(end(Kind::Bipartisan, &[], threes, "g6"), "white wins by black's foul (33)");
    let other = notation::parse("10/10/10/10/10/10/10/10/10/10 x", &Options::new(Kind::Bipartisan));
    let message = other.err().map(|error| error.to_string());
    assert_eq!(message.as_deref(), Some("bipartisan: a board of size 10: expected odd, 5 to 21"));
}

#[test]
fn bombs() {
    let ring = "9/9/9/3xox3/3o1o3/3xxo3/9/9/9 x bombs=xo";
    let mut game = game(Kind::Atomic, &[], ring);
    let before = game.hash();
    assert_eq!(after(game.as_mut(), "@e5"), "goes on");
    for y in 3..6 {
        for x in 3..6 {
            let expected = if (x, y) == (4, 4) { BLACK } else { Cell::Empty };
            assert_eq!(game.cell(Point::new(x, y)), expected);
        }
    }
    assert_eq!(game.notes(), ["bombs left: white"]);
    assert_eq!(after(game.as_mut(), "a1"), "goes on");
    assert_eq!(game.check(at("@a9")), Err(Illegal::BombUsed(Color::Black)));
    assert!(game.legal().iter().all(|m| matches!(m, Move::Place(_))));
    assert_eq!(after(game.as_mut(), "a9"), "goes on");
    // Among empty points it is allowed and used up.
    assert_eq!(after(game.as_mut(), "@i9"), "goes on");
    assert_eq!(game.notes(), ["bombs left: none"]);
    (0..4).for_each(|_| assert!(game.undo().is_some()));
    assert_eq!(game.hash(), before);
    assert_eq!(refusal(Kind::Russian, &[], "", "@h8"), "this game has no bombs");
    // A bomb where a stone would be an overline is not a foul.
    assert_eq!(end(Kind::Atomic, &[], SIX, "@e5"), "goes on");
}

/// A bomb on h8 removes i8 and h9. Behind these points Black has rows, which the bomb continues with a gap.
#[test]
fn bombs_are_fouls_by_broken_fours_and_threes() {
    let fours = "15/15/15/7x7/7x7/7x7/7o7/8oxxx3/15/15/15/15/15/15/15 x";
    let threes = "15/15/15/15/7x7/7x7/7o7/8oxx4/15/15/15/15/15/15/15 x";
    let four_and_three = "15/15/15/15/7x7/7x7/7o7/8oxxx3/15/15/15/15/15/15/15 x";
    let swapped = |c| match c {
        'x' => 'o',
        'o' => 'x',
        _ => c,
    };
    let whites: String = fours.chars().map(swapped).collect();
    for (position, expected) in [
        (fours, "white wins by black's foul (44)"),
        (threes, "white wins by black's foul (33)"),
        (four_and_three, "goes on"),
        (whites.as_str(), "goes on"),
    ] {
        assert_eq!(end(Kind::Atomic, &[], position, "@h8"), expected, "{position}");
        assert_eq!(end(Kind::Atomic, &[], position, "h8"), "goes on", "{position}");
        let illegal = game(Kind::Atomic, &[("foul", "illegal")], position);
        assert_eq!(illegal.check(at("@h8")).is_ok(), expected == "goes on", "{position}");
        assert_eq!(illegal.legal().contains(&at("@h8")), expected == "goes on", "{position}");
    }
    assert_eq!(refusal(Kind::Atomic, &[("foul", "illegal")], fours, "@h8"), "h8 is forbidden (44)");
}

/// Stones that a bomb removes may be placed again by their owners.
#[test]
fn supplies() {
    let two = [("stones", "2")];
    let mut game = game(Kind::Russian, &two, "h8a1a9");
    assert_eq!(after(game.as_mut(), "b1"), "draw: the stones are used up");
    let mut game = self::game(Kind::Atomic, &two, "h8g8@h7");
    assert_eq!(
        (cell(&*game, "h8"), cell(&*game, "g8"), cell(&*game, "h7")),
        (Cell::Empty, Cell::Empty, BLACK)
    );
    assert_eq!(after(game.as_mut(), "a1"), "goes on");
    assert_eq!(after(game.as_mut(), "a9"), "goes on");
    assert_eq!(after(game.as_mut(), "b1"), "draw: the stones are used up");
    let one = [("stones", "1"), ("opening", "free")];
    assert_eq!(end(Kind::Pente, &one, "a1", "b1"), "draw: the stones are used up");
    for value in ["0", "-1", "many"] {
        let mut options = Options::new(Kind::Renju);
        let error = options.set("stones", value).unwrap_err().to_string();
        assert_eq!(error, "option stones: expected a number from 1 to 65535, or none");
    }
}

#[test]
fn full_boards_and_only_fouls() {
    let full = "xxoox/ooxxo/xxoox/ooxxo/xxoo1 x";
    for kind in [Kind::Russian, Kind::Gomoku33] {
        assert_eq!(end(kind, &[], full, "e1"), "draw: the board is full");
    }
    // The last point makes an overline. The game is a draw where fouls cannot be played; where fouls lose, the overline
    // must be played.
    let stuck = "ooxxoox/xxooxxo/ooxxoox/xxx1xxx/ooxxoox/xxooxxo/ooxxoox x";
    let illegal = game(Kind::Renju, &[("foul", "illegal")], stuck);
    assert_eq!(illegal.outcome().unwrap().to_string(), "draw: every empty point is forbidden");
    let loss = game(Kind::Renju, &[], stuck);
    assert_eq!(loss.legal(), [at("d4")]);
    assert_eq!(end(Kind::Renju, &[], stuck, "d4"), "white wins by black's foul (6)");
}

#[test]
fn double_threes() {
    let threes = "15/15/15/15/15/7x7/7x7/5xx8/15/15/15/15/15/15/15 x";
    let white = threes.replace('x', "o");
    for kind in [Kind::Ninuki, Kind::Gomoku33] {
        assert_eq!(refusal(kind, &[], threes, "h8"), "h8 is forbidden (33)");
        assert_eq!(end(kind, &[], &white, "h8"), "goes on");
        assert_eq!(refusal(kind, &[("forbid33", "both")], &white, "h8"), "h8 is forbidden (33)");
        assert_eq!(end(kind, &[("foul", "loss")], threes, "h8"), "white wins by black's foul (33)");
    }
    assert_eq!(end(Kind::Ninuki, &[("forbid33", "none")], threes, "h8"), "goes on");
    // A move that captures may make a double three.
    let captures = "15/15/15/15/15/7x7/7x7/5xx8/8o6/9o5/10x4/15/15/15/15 x";
    assert_eq!(end(Kind::Ninuki, &[], captures, "h8"), "goes on");
    assert_eq!(refusal(Kind::Gomoku33, &[], captures, "h8"), "h8 is forbidden (33)");
    assert_eq!(end(Kind::Russian, &[], threes, "h8"), "goes on");
    assert_eq!(end(Kind::AntiRenju, &[], threes, "h8"), "goes on");
}

/// Black's pairs a knight's move apart: every empty point makes threes, whose extensions make threes, and so
/// on across the board. Asked in a fixed order, the questions whether they are real grow exponentially with
/// the board.
fn board_of_threes(side: usize) -> Box<dyn Game> {
    let size = Size::new(side).unwrap();
    let is_stone = |p: &Point| (p.x() as i32 - 3 - 2 * p.y() as i32).rem_euclid(5) < 2;
    let stones = size.points().filter(is_stone).map(|p| (p, Color::Black));
    let position = Position::from_stones(size, stones, Color::Black).unwrap();
    game(Kind::Gomoku33, &[("forbid33", "both")], &setup::print(&position))
}

/// A stone on h2 or j3 is no double three, but about a hundred others must be looked at to show it. On boards made for it
/// the list of all legal moves would take longer than a search has.
#[test]
fn searches_leave_out_moves_that_take_long_to_judge() {
    let board = board_of_threes(12);
    let (legal, chosen) = (board.legal(), board.root_moves());
    for point in ["h2", "j3"] {
        assert_eq!(board.check(at(point)), Ok(()), "{point}");
        assert!(legal.contains(&at(point)) && !chosen.contains(&at(point)), "{point}");
    }
    assert!(!chosen.is_empty() && chosen.iter().all(|m| legal.contains(m)));
    // In other positions and games they are the legal moves.
    let threes = "15/15/15/15/15/7x7/7x7/5xx8/15/15/15/15/15/15/15 x";
    let kinds = [Kind::Renju, Kind::Gomoku33, Kind::Ninuki, Kind::Atomic, Kind::Repensi, Kind::Connect6];
    for (kind, position) in kinds.map(|kind| (kind, threes)).into_iter().chain([(Kind::Reversi, "")]) {
        let game = game(kind, &[], position);
        assert_eq!(game.root_moves(), game.legal(), "{kind}");
    }
}

#[test]
fn a_board_of_threes_is_judged_and_played() {
    let game = board_of_threes(22);
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let limits = Limits { nodes: Some(50), ..Limits::default() };
    let report = Searcher::new(limits, 1 << 16, &clock, &stop).report(&*game, &mut |_| {});
    assert_eq!(game.check(report.lines[0].moves[0]), Ok(()));
}

#[test]
fn turns_of_connect6() {
    let mut game = game(Kind::Connect6, &[], "j10a1b1c1");
    let sides: Vec<Color> = game.history().into_iter().map(|(color, _)| color).collect();
    assert_eq!(sides, [Color::Black, Color::White, Color::White, Color::Black]);
    assert_eq!((game.side(), game.notes()), (Color::Black, vec!["stones left in this turn: 1".to_owned()]));
    game.undo();
    assert_eq!((game.side(), game.notes()), (Color::Black, vec!["stones left in this turn: 2".to_owned()]));
    // Six and seven in a row win, even with the first stone of a turn; five in a row does not win.
    assert_eq!(end(Kind::Connect6, &[], "9/9/9/9/1xxxxx3/9/9/9/9 x", "g5"), "black wins by a row");
    assert_eq!(end(Kind::Connect6, &[], "9/9/9/9/1xxx1xxx1/9/9/9/9 x left=1", "e5"), "black wins by a row");
    assert_eq!(end(Kind::Connect6, &[], FOUR, "f5"), "goes on");
    let full = "xxooxx/ooxxoo/xxooxx/ooxxoo/xxooxx/ooxxo1 o";
    assert_eq!(end(Kind::Connect6, &[], full, "f1"), "draw: the board is full");
}

/// The state beyond the stones is in the setup string.
#[test]
fn setups_hold_the_state() {
    for (kind, moves, expected) in [
        (Kind::Atomic, "h8@h9", "15/15/15/15/15/15/7o7/15/15/15/15/15/15/15/15 x bombs=x"),
        (Kind::Connect6, "j10a1", "19/19/19/19/19/19/19/19/19/9x9/19/19/19/19/19/19/19/19/o18 o left=1"),
        (
            Kind::Pente,
            "j10k10a1l10m10",
            "19/19/19/19/19/19/19/19/19/9x2x6/19/19/19/19/19/19/19/19/x18 o captured=2-0",
        ),
    ] {
        let game = game(kind, &[], moves);
        assert_eq!(notation::print_setup(&*game), expected);
        let read = self::game(kind, &[], expected);
        assert_eq!(notation::print_setup(&*read), expected);
        assert_eq!(read.legal(), game.legal());
    }
}

#[test]
fn bad_fields_and_options_are_explained() {
    for (kind, position, expected) in [
        (
            Kind::Pente,
            "9/9/9/9/9/9/9/9/9 x captured=many",
            "option captured: expected two even numbers of stones below 1000, as 2-4",
        ),
        (
            Kind::Pente,
            "9/9/9/9/9/9/9/9/9 x captured=+2-4",
            "option captured: expected two even numbers of stones below 1000, as 2-4",
        ),
        (
            Kind::Ninuki,
            "9/9/9/9/9/9/9/9/9 x captured=2-3",
            "option captured: expected two even numbers of stones below 1000, as 2-4",
        ),
        (
            Kind::KeryoPente,
            "9/9/9/9/9/9/9/9/9 x captured=1-3",
            "option captured: expected two numbers of stones below 1000, neither of them 1, as 2-3",
        ),
        (Kind::Pente, "9/9/9/9/9/9/9/9/9 x bombs=x", "a position of pente has no field 'bombs'"),
        (Kind::Atomic, "9/9/9/9/9/9/9/9/9 x bombs=z", "option bombs: expected x, o, xo or -"),
        (Kind::Atomic, "9/9/9/9/9/9/9/9/9 x bombs=", "option bombs: expected x, o, xo or -"),
        (Kind::Atomic, "9/9/9/9/9/9/9/9/9 x bombs=x-", "option bombs: expected x, o, xo or -"),
        (Kind::Connect6, "9/9/9/9/9/9/9/9/9 x left=3", "option left: expected 1 or 2"),
        (
            Kind::Pente,
            "9/9/9/9/9/9/9/9/9 x captured=2-0 captured=4-0",
            "a second field 'captured': expected one at most",
        ),
        (Kind::Pente, "4#4/9/9/9/9/9/9/9/9 x", "a board of pente has no hole"),
        (Kind::Pente, "4#4/9/9/9/9/9/9/9/#8 x", "a board of pente has no hole"),
        // The wrong word is a sign of the rows, too.
        (Kind::Pente, "5/5/1xo2/5/5 x o", "character 16: expected KEY=VALUE"),
        (Kind::Pente, "j10j10", "move 2 (j10): j10 is occupied"),
        (Kind::Pente, "j10--", "move 2 (--): no pass is allowed here"),
        (Kind::Pente, "k10", "move 1 (k10): k10 is not allowed: the first stone is placed in the centre"),
        (Kind::Pente, "j10t1", "character 4: expected a column of the board"),
    ] {
        let error = notation::parse(position, &Options::new(kind)).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(expected), "{position}");
    }
    for (kind, name) in [(Kind::Pente, "foul"), (Kind::Connect6, "stones"), (Kind::Russian, "exact5")] {
        let error = Options::new(kind).set(name, "yes").unwrap_err().to_string();
        assert!(error.ends_with("lists its options"), "{error}");
    }
}

/// Every option that the rules name can be set, and no other.
#[test]
fn rules_name_their_options() {
    for kind in Kind::ALL {
        let rules = kind.about().rules;
        for name in [
            "stones",
            "opening",
            "foul",
            "exact5",
            "captures_win",
            "forbid33",
            "perfect",
            "start",
            "anti",
            "hole",
        ] {
            let is_known = ["1", "yes", "free", "loss", "black", "othello", "a1"]
                .iter()
                .any(|value| Options::new(kind).set(name, value).is_ok());
            assert_eq!(rules.contains(&format!("{name}=")), is_known, "{kind} {name}");
        }
    }
}
