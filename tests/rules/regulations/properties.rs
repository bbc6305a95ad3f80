//! Properties that hold for all regulations, in random openings on boards of all sizes.

use kagetsu::game::notation::{parse, parse_point};
use kagetsu::game::regulation::fifths::{Pattern, fewest};
use kagetsu::game::regulation::{Action, Choice, Chooser, RandomChooser, Refusal, Regulation, Seat};
use kagetsu::game::symmetry::Symmetry;
use kagetsu::game::{Color, Error, Point, Size};
use proptest::prelude::*;

const ALL: [&str; 21] = [
    "plain",
    "plain:free",
    "rif",
    "swap-renju",
    "swap-renju:D13,I13",
    "yamaguchi",
    "soosorv:1",
    "soosorv:4",
    "soosorv:8",
    "tarannikov",
    "taraguchi:10",
    "super-taraguchi:5",
    "sakata",
    "super-sakata",
    "lianhuan",
    "swap",
    "swap1",
    "swap2",
    "swap5",
    "pro",
    "longpro",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_openings_end_and_keep_their_stones(name in 0..ALL.len(), side in 8usize..=22, seed: u64) {
        let size = Size::new(side).unwrap();
        let mut opening = ALL[name].parse::<Regulation>().unwrap().start(size).unwrap();
        let mut chooser = RandomChooser::new(seed);
        let mut black = Seat::P1;
        while let Some(action) = chooser.choose(&opening) {
            let before = opening.clone();
            prop_assert_eq!(&Action::parse(&action.to_string(), size).unwrap(), &action);
            let words = ["keep", "swap", "offer", "choose", "declare"];
            let capital = words.iter().fold(action.to_string(), |text, w| text.replace(w, &w.to_uppercase()));
            prop_assert_eq!(&Action::parse(&capital, size).unwrap(), &action);
            prop_assert_eq!(opening.apply(&Action::Pass), Err(Refusal::Pass));
            opening.apply(&action).unwrap();
            let (old, new) = (before.position().moves(), opening.position().moves());
            prop_assert!(new.starts_with(old));
            let placed = match &action {
                Action::Place { stones, .. } => stones.len(),
                Action::Choose { .. } => 2,
                _ => 0,
            };
            prop_assert_eq!(new.len() - old.len(), placed);
            // Two stones at once leave the colours to the opponent.
            let hands_over = matches!(&action, Action::Place { stones, .. } if stones.len() == 2);
            if action == Action::Swap || hands_over {
                black = !black;
            }
            prop_assert_eq!(opening.holder(Color::Black), black);
            prop_assert_eq!(opening.color_of(black), Color::Black);
            prop_assert_eq!(opening.color_of(!black), Color::White);
        }
        prop_assert!(opening.is_over());
        prop_assert_eq!(opening.apply(&Action::Keep), Err(Refusal::Over));
        prop_assert_eq!(opening.seat(), opening.holder(opening.position().side()));
    }

    /// Symmetry of fifth moves is an equivalence that the symmetries of the board and the order of a colour's stones
    /// leave alone, and no class is larger than four.
    #[test]
    fn symmetric_fifths_are_classes(indices in prop::collection::hash_set(0usize..225, 5), by in 0usize..8) {
        let points: Vec<Point> = indices.iter().map(|i| Point::new(i % 15, i / 15)).collect();
        let (a, b, c, d, p) = (points[0], points[1], points[2], points[3], points[4]);
        let pattern = Pattern::of([a, b, c, d]);
        let class = pattern.class(p, Size::S15);
        prop_assert!(class.contains(p) && class.len() <= 4);
        for q in Size::S15.points() {
            prop_assert_eq!(class.contains(q), pattern.are_symmetric(p, q));
            if class.contains(q) {
                prop_assert_eq!(pattern.class(q, Size::S15), class);
            }
        }
        prop_assert_eq!(Pattern::of([c, d, a, b]).class(p, Size::S15), class);
        let turn = |p: Point| Symmetry::ALL[by].apply(p, Size::S15);
        let turned = Pattern::of([a, b, c, d].map(turn));
        let image = Symmetry::ALL[by].apply_set(&class, Size::S15);
        prop_assert_eq!(turned.class(turn(p), Size::S15), image);
    }
}

#[test]
fn names_are_read_and_written() {
    for name in ALL {
        assert_eq!(name.parse::<Regulation>().unwrap().to_string(), name);
    }
    for (other, name) in [
        ("Soosyrv:8", "soosorv:8"),
        ("soosorv", "soosorv:8"),
        ("TARAGUCHI", "taraguchi:10"),
        ("Soosyrv-5", "soosorv:5"),
        ("super-taraguchi-10", "super-taraguchi:10"),
        ("taraguchi:99", "taraguchi:99"),
        ("LianHuan-2011", "lianhuan"),
        ("Plain:Free", "plain:free"),
    ] {
        assert_eq!(other.parse::<Regulation>().unwrap().to_string(), name);
    }
    for wrong in [
        "",
        "swap3",
        "rif:2",
        "soosorv:0",
        "soosorv:100",
        "soosorv:x",
        "taraguchi:",
        "swap-renju:D14",
        "plain:fre",
        "lianhuan-2012",
    ] {
        assert!(wrong.parse::<Regulation>().is_err(), "{wrong}");
    }
}

/// After a direct second stone every third in the central square makes one of the direct openings, and so with the indirect
/// ones: with all of a kind excluded the opening could not go on.
#[test]
fn a_third_stone_is_left_after_every_second() {
    for (kind, other, second) in [('D', 'I', "h9"), ('I', 'D', "i9")] {
        let codes = |kind: char, numbers: std::ops::RangeInclusive<usize>| {
            numbers.map(|n| format!("{kind}{n}")).collect::<Vec<_>>().join(",")
        };
        let regulation = |excluded: &str| format!("swap-renju:{excluded}").parse::<Regulation>();
        let all = codes(kind, 1..=13);
        assert!(regulation(&all).is_err());
        assert!(regulation(&format!("{},{all}", codes(other, 1..=1))).is_err());
        let most = [codes(kind, 2..=13), codes(other, 2..=13)].join(",");
        let mut opening = regulation(&most).unwrap().start(Size::S15).unwrap();
        for stone in ["h8", second] {
            opening.apply(&Action::parse(stone, Size::S15).unwrap()).unwrap();
        }
        let choices = opening.choices();
        let [Choice::Place { zones, .. }] = &choices[..] else { panic!("{choices:?}") };
        assert_eq!(zones[0].points.len(), 1, "{kind}");
    }
}

/// An action made by a program may name any point.
#[test]
fn points_off_the_board_are_refused() {
    let size = Size::new(9).unwrap();
    let at = |name| parse_point(name, size).unwrap();
    let out = Point::new(9, 3);
    let mut opening = "rif".parse::<Regulation>().unwrap().start(size).unwrap();
    for (wrong, right) in [
        (Action::place([at("e5"), at("e6"), out]), "e5 e6 f6"),
        (Action::place([out]), "a1"),
        (Action::Offer(vec![at("c3"), out]), "offer c3 d3"),
        (Action::Choose { fifth: at("c3"), sixth: out }, "choose c3 i9"),
    ] {
        let before = opening.clone();
        assert_eq!(opening.apply(&wrong), Err(Refusal::Point(Error::OffBoard(out, size))), "{wrong}");
        assert_eq!(opening, before);
        opening.apply(&Action::parse(right, size).unwrap()).unwrap();
        if opening.choices().contains(&Choice::Keep) {
            opening.apply(&Action::Keep).unwrap();
        }
    }
    assert!(opening.is_over());
}

/// Text never gives a regulation without fifth moves, but a program can build one.
#[test]
fn an_offer_has_at_least_one_point() {
    for none in [Regulation::Soosorv(0), Regulation::Taraguchi(0), Regulation::SuperTaraguchi(0)] {
        let said = none.start(Size::S15).unwrap_err().to_string();
        let expected = ":0 cannot be played on a 15x15 board: expected at least one fifth move";
        assert!(said.ends_with(expected), "{said}");
    }
    assert!(Regulation::Soosorv(1).start(Size::S15).is_ok());
}

/// Starting fails with an error if a board has no room; otherwise the promised number of points can always be offered.
#[test]
fn boards_that_are_too_small() {
    let start = |name: &str, side| name.parse::<Regulation>().unwrap().start(Size::new(side).unwrap());
    for (name, too_small, large_enough) in [
        ("pro", 5, 6),
        ("longpro", 7, 8),
        ("soosorv:8", 5, 6),
        ("taraguchi:10", 6, 7),
        ("soosorv:56", 14, 15),
    ] {
        assert!(start(name, too_small).is_err(), "{name}");
        assert!(start(name, large_enough).is_ok(), "{name}");
    }
    // A pattern with all four symmetries, about the centre of the board: the fewest classes there can be.
    let size = Size::new(5).unwrap();
    let pattern = Pattern::of_position(&parse("b3c2d3c4", Some(size)).unwrap()).unwrap();
    let mut left = kagetsu::game::PointSet::full(size);
    for stone in ["b3", "c2", "d3", "c4"] {
        left.remove(parse_point(stone, size).unwrap());
    }
    let mut classes = 0;
    while let Some(p) = left.first() {
        left = left.without(&pattern.class(p, size));
        classes += 1;
    }
    assert!(classes >= fewest(size), "{classes}");
}

#[test]
fn refusals_say_what_is_wrong() {
    let refused = |name: &str, actions: &[&str]| {
        let mut opening = name.parse::<Regulation>().unwrap().start(Size::S15).unwrap();
        let (last, before) = actions.split_last().unwrap();
        for text in before {
            opening.apply(&Action::parse(text, Size::S15).unwrap()).unwrap();
        }
        opening.apply(&Action::parse(last, Size::S15).unwrap()).unwrap_err().to_string()
    };
    let to_offer = ["h8h9h7", "keep", "h6"];
    let offer = |text| refused("rif", &[&to_offer[..], &[text]].concat());
    assert_eq!(offer("offer g8 i7"), "g8 and i7 are symmetric: they count as one fifth move");
    assert_eq!(offer("offer g8 h7"), "h7 is occupied");
    assert_eq!(offer("offer g8"), "expected 2 points for the fifth stone, not 1");
    assert_eq!(
        offer("keep"),
        "P1, holding black, is to offer 2 points for stone 5, no two symmetric; not to keep"
    );
    assert_eq!(
        refused("rif", &["h8h9h7", "keep", "h6", "offer g8 g9", "choose i8 a1"]),
        "i8 was not offered for the fifth stone: choose from g8, g9"
    );
    assert_eq!(refused("rif", &["h8h9k8"]), "stone 3 must be put in the central 5x5: k8 is not allowed");
    assert_eq!(
        refused("yamaguchi", &["D4"]),
        "the number of fifth moves must be declared with the stones, 1 to 56"
    );
    assert_eq!(
        refused("pro", &["h8", "h9", "h10"]),
        "stone 3 must be put outside the central 5x5: h10 is not allowed"
    );
    assert_eq!(refused("tarannikov", &["h8", "pass"]), "no pass is allowed in the opening");
    assert_eq!(
        refused("swap2", &["a1b1c1", "keep"]),
        "P2, holding white, is to put stone 4, white's, anywhere, or swap, or put stones 4 to 5 anywhere; not to keep"
    );
}
