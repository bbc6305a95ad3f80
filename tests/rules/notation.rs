//! Notations: printing and parsing are inverse, every text gets an answer, and errors name the place.

use kagetsu::game::notation::{self, gomocup, moves, setup};
use kagetsu::game::openings26::{OPENINGS, Opening};
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
    let long = format!("h{}", "9".repeat(1000));
    assert_eq!(error(&long), format!("move 1: {}… is off the 15x15 board", &long[..40]));
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
    assert_eq!(sized("D4", 20), "opening D4 has a place on 15x15 and 19x19 boards, not on 20x20");
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
    // Any other text is a move.
    assert_eq!(moves("d4"), "d4");
    assert_eq!(moves("D4g9"), "d4g9");
    assert_eq!(moves("D4--g9"), "d4--g9");
    assert_eq!(moves("D14"), "d14");
    // The number comes first: no move begins with a number. Cyrillic letters mark Russian codes.
    assert_eq!(moves("4D g9"), "h8h9i9g9");
    assert_eq!(moves("4d"), "h8h9i9");
    assert_eq!(moves("4I-a1"), "h8i9j7a1");
    assert_eq!([moves("4В"), moves("4Д"), moves("4V")], ["h8h9i9", "h8i9j7", "h8h9i9"]);
    let on_19 = notation::parse("D4 a1", Some(Size::new(19).unwrap())).unwrap();
    assert_eq!(moves::print(on_19.moves()), "j10j11k11a1");
    assert!(notation::parse("D4", Some(Size::S20)).is_err());
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
        assert_eq!(published["kanji_variant"], opening.traditional);
        assert_eq!(published["name_cs"], opening.czech);
        // The table lacks the mark on two long vowels; without marks both are the same.
        let unmarked = |text: &str| text.to_lowercase().replace('ō', "o").replace('ū', "u");
        let macron = published["romaji_macron"].as_str().unwrap();
        assert_eq!(unmarked(macron), unmarked(opening.macron));
        assert!(macron == opening.macron.to_lowercase() || ["I3", "I5"].contains(&opening.code), "{macron}");
        assert_eq!(published["advantage_rif"], opening.worth.rif.name());
        let second = published["wiki_advantage"].as_str().unwrap();
        let [english, chinese] = [opening.worth.english, opening.worth.chinese].map(|worth| worth.name());
        assert!(second.starts_with(english), "{second}");
        assert!(
            second == english && english == chinese || second.ends_with(&format!("{chinese}(zh)")),
            "{second}"
        );
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
    // Black's fifth move makes a row of five: allowed as the last move, not followed by another.
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

#[test]
fn an_opening_is_named_however_its_stones_came() {
    let of = |text: &str, side| {
        let position = notation::parse(text, Size::new(side).ok()).unwrap();
        Opening::of_game(&position, RuleKind::Renju).map(|opening| opening.code)
    };
    for opening in &OPENINGS {
        for side in [15, 19] {
            let position = notation::parse(opening.code, Size::new(side).ok()).unwrap();
            assert_eq!(of(&notation::print(&position), side), Some(opening.code));
            // The position as a setup, turned by each symmetry.
            for s in Symmetry::ALL {
                let stones = position.stones().map(|(p, c)| (s.apply(p, position.size()), c));
                let setup = Position::from_stones(position.size(), stones, Color::White).unwrap();
                let named = Opening::of_game(&setup, RuleKind::Renju).map(|o| o.code);
                assert_eq!(named, Some(opening.code), "{s:?} {side}");
            }
        }
    }
    // Two stones of the setup, then moves; and moves that go on.
    let size = Size::S15;
    let p = |name| notation::parse_point(name, size).unwrap();
    let mut mixed =
        Position::from_stones(size, [(p("h8"), Color::Black), (p("h9"), Color::White)], Color::Black)
            .unwrap();
    assert_eq!(Opening::of_position(&mixed), None);
    mixed.push(Move::Place(p("i9"))).unwrap();
    mixed.push(Move::Place(p("a1"))).unwrap();
    assert_eq!(Opening::of_position(&mixed).map(|o| o.code), Some("D4"));
    for other in ["h8h9", "h8--i9", "h8h9a1", "g8g9h9", "i8h9h7"] {
        assert_eq!(of(other, 15), None, "{other}");
    }
    assert_eq!(of("j10j11k11", 19), Some("D4"));
    assert_eq!(of("h8h9i9", 13), None);
    let freestyle = notation::parse("D4", None).unwrap();
    assert_eq!(Opening::of_game(&freestyle, RuleKind::Freestyle), None);
}
