//! Notations: printing and parsing are inverse, every text gets an answer, and errors name the place.

use kagetsu::game::notation::{self, gomocup, moves, setup};
use kagetsu::game::openings26::OPENINGS;
use kagetsu::game::symmetry::{Canonical, Symmetry};
use kagetsu::game::{Color, Move, Point, Position, Reading, RuleKind, Size};
use proptest::prelude::*;

fn size() -> impl Strategy<Value = Size> {
    (5usize..=22).prop_map(|n| Size::new(n).unwrap())
}

/// Moves on distinct points, with passes among them.
fn game() -> impl Strategy<Value = Position> {
    (size(), prop::collection::vec((0usize..22 * 22, 0u8..10), 0..60)).prop_map(|(size, picks)| {
        let mut position = Position::new(size);
        for (n, kind) in picks {
            let n = n % size.area();
            let p = Point::new(n % size.side(), n / size.side());
            let m = if kind == 0 { Move::Pass } else { Move::Place(p) };
            // Occupied points are left out.
            let _ = position.push(m);
        }
        position
    })
}

fn stones(position: &Position) -> Vec<(Point, Color)> {
    let mut stones: Vec<_> = position.stones().collect();
    stones.sort();
    stones
}

proptest! {
    #[test]
    fn move_strings(game in game()) {
        let text = moves::print(game.moves());
        prop_assert_eq!(notation::parse(&text, Some(game.size())), Ok(game.clone()));
        // In upper case the first move could be an opening code.
        if !text.starts_with(['d', 'i']) {
            prop_assert_eq!(notation::parse(&text.to_uppercase(), Some(game.size())), Ok(game));
        }
    }

    #[test]
    fn move_strings_with_separators(game in game(), separator in "[ ,\t]{1,2}|-|, - ") {
        let words: Vec<String> = game.moves().iter().map(|&m| moves::print(&[m])).collect();
        // A single dash next to a pass would be part of it.
        let separator = if words.iter().any(|w| w == "--") { " ".to_string() } else { separator };
        prop_assert_eq!(notation::parse(&words.join(&separator), Some(game.size())), Ok(game));
    }

    #[test]
    fn setup_strings(game in game()) {
        let text = setup::print(&game);
        let again = notation::parse(&text, None).unwrap();
        prop_assert_eq!((again.size(), again.side()), (game.size(), game.side()));
        prop_assert_eq!(stones(&again), stones(&game));
        prop_assert_eq!(setup::print(&again), text);
    }

    #[test]
    fn gomocup_notations(game in game(), n in 0usize..22 * 22) {
        let size = game.size();
        let p = Point::new(n % size.side(), n / 22 % size.side());
        prop_assert_eq!(gomocup::parse_point(&gomocup::print_point(p, size), size), Ok(p));
        let mut game = game;
        while game.moves().contains(&Move::Pass) {
            game.pop();
        }
        prop_assert_eq!(gomocup::parse_offsets(&gomocup::print_offsets(&game), size), Ok(game));
    }

    #[test]
    fn point_names(size in size(), n in 0usize..22 * 22) {
        let p = Point::new(n % size.side(), n / 22 % size.side());
        prop_assert_eq!(notation::parse_point(&p.to_string(), size), Ok(p));
    }

    #[test]
    fn any_text_gets_an_answer(text in any::<String>(), size in size()) {
        let size = Some(size);
        for parsed in [notation::parse(&text, size), setup::parse(&text)] {
            if let Err(error) = parsed {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn likely_texts_get_an_answer(text in "[a-zA-Z0-9/xo, -]{0,40}", size in size()) {
        let parsed = [notation::parse(&text, Some(size)), gomocup::parse_offsets(&text, size)];
        for position in parsed.into_iter().flatten() {
            for rule in RuleKind::ALL {
                let _ = notation::validate(&position, rule, Reading::Literal);
            }
        }
    }

    #[test]
    fn symmetric_games_share_their_canonical_key(game in game()) {
        let canonical = Canonical::of_position(&game);
        for s in Symmetry::ALL {
            let image = s.apply_position(&game);
            prop_assert_eq!(s.inverse().apply_position(&image), game.clone());
            prop_assert_eq!(Canonical::of_position(&image).key, canonical.key);
        }
    }
}

#[test]
fn errors_name_the_place() {
    let error = |text: &str| notation::parse(text, None).unwrap_err().to_string();
    assert_eq!(error("h8 i?"), "character 5: '?' where a row number was expected");
    assert_eq!(error("h8i"), "it ends where a row number was expected");
    assert_eq!(error("h8é"), "character 3: 'é' where a column letter was expected");
    assert_eq!(error("h8\u{7}"), "character 3: '\\u{7}' where a column letter was expected");
    assert_eq!(error("h8p16"), "move 2: p16 is off the 15x15 board");
    assert_eq!(error("h0"), "move 1: h0 is off the 15x15 board");
    assert_eq!(error("H99999999999999999999999"), "move 1: H99999999999999999999999 is off the 15x15 board");
    assert_eq!(error("h8--h8"), "move 3: h8 is occupied");
    assert_eq!(error("D4 h9"), "move 4: h9 is occupied");
    assert_eq!(error("5/5/5/5/4 x"), "row 5 from the top has 4 points instead of 5");
    assert_eq!(error("5/5/5x/5/5 x"), "row 3 from the top has 6 points instead of 5");
    assert_eq!(error("5/5/5/5 x"), "4 rows: board size 4 is not supported: expected 5 to 22");
    assert_eq!(error("5/5/5/5/5"), "it ends where a blank and the side to move was expected");
    assert_eq!(error("5/5/5/5/5 b"), "character 11: 'b' where the side to move, x or o was expected");
    assert_eq!(error("5/5/5/5/5 x x"), "character 12: ' ' where the end was expected");
    assert_eq!(error("5/5/2b2/5/5 x"), "character 6: 'b' where x, o, a number or '/' was expected");
    let sized = |text: &str, n| notation::parse(text, Size::new(n).ok()).unwrap_err().to_string();
    assert_eq!(sized("5/5/5/5/5 x", 15), "the position is 5x5, but size 15 was asked for");
    assert_eq!(sized("D4", 20), "opening D4 belongs to the 15x15 board, not to 20x20");
    let offsets = |text: &str| gomocup::parse_offsets(text, Size::S15).unwrap_err().to_string();
    assert_eq!(offsets("0,0 1,1"), "character 5: '1' where ',' was expected");
    assert_eq!(offsets("0,0, 8,0"), "move 2: offset 8,0 is off the 15x15 board");
}

#[test]
fn dashes_separate_or_pass() {
    let moves = |text: &str| moves::print(notation::parse(text, None).unwrap().moves());
    assert_eq!(moves("h8-i8"), "h8i8");
    assert_eq!(moves("h8--i8"), "h8--i8");
    assert_eq!(moves("h8---i8"), "h8--i8");
    assert_eq!(moves("h8----i8"), "h8----i8");
    assert_eq!(moves("h8 - - i8"), "h8i8");
    assert_eq!(moves(" ,- "), "");
}

#[test]
fn opening_codes_are_first_and_upper_case() {
    let moves = |text: &str| moves::print(notation::parse(text, None).unwrap().moves());
    assert_eq!(moves("D4"), "h8h9i9");
    assert_eq!(moves(" D4\n"), "h8h9i9");
    assert_eq!(moves("D4 g9"), "h8h9i9g9");
    assert_eq!(moves("D4,g9"), "h8h9i9g9");
    assert_eq!(moves("D4-g9"), "h8h9i9g9");
    assert_eq!(moves("D1"), "h8h9h10");
    assert_eq!(moves("I13"), "h8i9f6");
    // Everything else is a move.
    assert_eq!(moves("d4"), "d4");
    assert_eq!(moves("D4g9"), "d4g9");
    assert_eq!(moves("D4--g9"), "d4--g9");
    assert_eq!(moves("D14"), "d14");
    assert_eq!(moves("h8 D4"), "h8d4");
    let on_20 = notation::parse("d4", Some(Size::S20)).unwrap();
    assert_eq!(on_20.moves(), [Move::Place(Point::new(3, 3))]);
}

#[test]
fn opening_table_equals_the_published_one() {
    let text = include_str!("../data/openings26.json");
    let published: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
    assert_eq!(published.len(), OPENINGS.len());
    for (opening, published) in OPENINGS.iter().zip(&published) {
        assert_eq!(published["code"], opening.code);
        let moves: Vec<String> = opening.moves.iter().map(|p| p.to_string()).collect();
        assert_eq!(published["moves"], serde_json::json!(moves));
        assert_eq!(published["romaji"], opening.romaji);
        assert_eq!(published["kanji"], opening.kanji);
        assert_eq!(published["english"], opening.english);
    }
    let keys: std::collections::HashSet<u64> = OPENINGS
        .iter()
        .map(|o| Canonical::of_position(&notation::parse(o.code, None).unwrap()).key)
        .collect();
    assert_eq!(keys.len(), 26, "no opening is the image of another");
}

#[test]
fn gomocup_counts_rows_from_the_top() {
    let p = |name| notation::parse_point(name, Size::S15).unwrap();
    assert_eq!(gomocup::point(0, 0, Size::S15), Some(p("a15")));
    assert_eq!(gomocup::coordinates(p("h8"), Size::S15), (7, 7));
    assert_eq!(gomocup::parse_point(" 3, 14", Size::S15), Ok(p("d1")));
    assert_eq!(gomocup::point(15, 0, Size::S15), None);
    // The first opening of Piskvork's list, and where it lies on 20x20 as x,y from the top left.
    let opening = gomocup::parse_offsets("0,0, 1,0, 1,3", Size::S20).unwrap();
    let xy: Vec<_> = opening.stones().map(|(p, _)| gomocup::coordinates(p, Size::S20)).collect();
    assert_eq!(xy, [(10, 10), (11, 10), (11, 13)]);
}

#[test]
fn validation_finds_the_first_bad_move() {
    let check = |text: &str, rule| {
        let position = notation::parse(text, None).unwrap();
        notation::validate(&position, rule, Reading::Literal).map_err(|e| e.to_string())
    };
    // Black's fifth move makes a row of five: fine as the last move, the end for any other.
    let five = "d4a1e4a2f4a3g4a4h4";
    assert_eq!(check(five, RuleKind::Renju), Ok(()));
    for next in ["b1", "--"] {
        assert_eq!(
            check(&format!("{five}{next}"), RuleKind::Renju),
            Err("move 10: the game is over: black wins by a row".into())
        );
    }
    // A double three at h8 ends the game as a row does.
    let double_three = "f8a1g8a3h9a5h10a7h8";
    assert_eq!(check(double_three, RuleKind::Renju), Ok(()));
    for next in ["b1", "--"] {
        let over = "move 10: the game is over: white wins by black's foul (33)";
        assert_eq!(check(&format!("{double_three}{next}"), RuleKind::Renju), Err(over.into()));
        assert_eq!(check(&format!("{double_three}{next}"), RuleKind::Standard), Ok(()));
    }
    assert_eq!(check("h8--------h9--", RuleKind::Renju), Ok(()), "passes may be anywhere");
    // Setup stones may be anything, a standing five included.
    assert_eq!(check("xxxxx/5/5/5/5 o", RuleKind::Renju), Ok(()));
}
