//! Round trips: everything that a format can hold is written and read again.

use std::collections::{BTreeMap, BTreeSet};

use kagetsu::game::symmetry::Canonical;
use kagetsu::game::{Color, Move, RuleKind, Size};
use kagetsu_tools::record::{Charset, Feature, Format, Game, NodeId, Note, ReadOptions, Step, features};
use proptest::prelude::*;

use super::generate::{Generator, sorted_by};

fn back(format: Format, games: &[Game]) -> Vec<Game> {
    let bytes = format.write(games, Charset::AUTO, false).expect("the format holds what it says");
    format.read(&bytes, &ReadOptions::default()).unwrap_or_else(|error| {
        panic!("{format}: {error}\n{}", String::from_utf8_lossy(&bytes));
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sgf(seed: u64, side in 5usize..=22) {
        let mut generator = Generator::new(seed, Format::Sgf.holds());
        let size = Size::new(side).unwrap();
        let games = [generator.game(size, 60), generator.game(size, 5)];
        prop_assert!(back(Format::Sgf, &games) == games);
    }

    #[test]
    fn psq(seed: u64, side in 5usize..=22) {
        let mut generator = Generator::new(seed, Format::Psq.holds());
        let games = [generator.game(Size::new(side).unwrap(), 60)];
        prop_assert!(back(Format::Psq, &games) == games);
    }

    #[test]
    fn lib(seed: u64) {
        let mut generator = Generator::new(seed, Format::Lib.holds());
        // RenLib keeps siblings sorted from the top of the board.
        let key = |p: Option<kagetsu::game::Point>| p.map_or(0, |p| 1 + 16 * (14 - p.y()) + p.x());
        let games = [sorted_by(&generator.game(Size::S15, 200), key)];
        prop_assert!(back(Format::Lib, &games) == games);
    }
}

/// All facts are there, or those that the format adds are.
fn with_rule_and_number(mut game: Game) -> Game {
    game.rule = Some(RuleKind::Renju);
    if game.property("GN").is_none() {
        game.add_property("GN", "1");
    }
    game
}

proptest! {
    #[test]
    fn rec(seed: u64) {
        let games = [Generator::new(seed, Format::Rec.holds()).game(Size::S20, 60)];
        prop_assert!(back(Format::Rec, &games) == games);
    }

    #[test]
    fn xml(seed: u64) {
        let mut generator = Generator::new(seed, Format::Xml.holds());
        let games = [generator.game(Size::S15, 60), generator.game(Size::S15, 5)].map(with_rule_and_number);
        let mut read = back(Format::Xml, &games);
        // The order of the facts is the format's.
        let sorted = |game: &Game| {
            let mut game = game.clone();
            game.properties.sort();
            game
        };
        read.iter_mut().for_each(|game| *game = sorted(game));
        prop_assert_eq!(read, games.map(|game| sorted(&game)).to_vec());
    }

    #[test]
    fn db(seed: u64, side in 5usize..=22, rule in 0usize..3) {
        // Positions that are reached by passes or setup need not have a number of stones that the format has.
        let left_out = [Feature::Passes, Feature::OutOfTurn, Feature::Setup];
        let holds: Vec<_> = Format::Db.holds().iter().filter(|f| !left_out.contains(f)).copied().collect();
        let mut generator = Generator::new(seed, &holds).with_labels_on_free_points();
        let mut game = generator.game(Size::new(side).unwrap(), 60);
        game.rule = Some(RuleKind::ALL[rule]);
        let read = back(Format::Db, std::slice::from_ref(&game));
        prop_assert!(read.len() <= 1, "all positions come from the empty board");
        let read = read.first().cloned().unwrap_or(Game { rule: game.rule, ..Game::new(game.size) });
        prop_assert_eq!((read.rule, read.size), (game.rule, game.size));
        let (wanted, found) = (knowledge(&game), knowledge(&read));
        prop_assert_eq!(wanted.len(), read.tree.len(), "each position once");
        prop_assert_eq!(wanted, found);
    }
}

/// Record of a position.
#[derive(PartialEq, Debug, Default)]
struct Known {
    /// The lines of its comments.
    comments: BTreeSet<String>,
    /// Texts at the position's points. They have no other notes if symmetry makes them equal.
    texts: BTreeSet<String>,
    record: Option<String>,
}

/// Returns the records of a game's positions, by whatever moves they are reached.
fn knowledge(game: &Game) -> BTreeMap<u64, Known> {
    let mut all: BTreeMap<u64, Known> = BTreeMap::new();
    for step in game.tree.walk() {
        let Step::Enter(id) = step else { continue };
        let key = |id| Canonical::of_position(&game.position(id).unwrap()).key;
        all.entry(key(id)).or_default();
        for note in game.tree.notes(id) {
            let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
            match note {
                Note::Comment(text) => all.entry(key(id)).or_default().comments.extend(lines(text)),
                Note::Label(_, text) => {
                    all.entry(key(id)).or_default().texts.insert(text.replace('\n', " "));
                }
                Note::BoardText(text) if id == NodeId::ROOT => {
                    all.entry(key(id)).or_default().comments.extend(lines(text));
                }
                Note::BoardText(text) => {
                    let parent = key(game.tree.parent(id).expect("a move"));
                    all.entry(parent).or_default().texts.insert(text.replace('\n', " "));
                }
                // The reader marks the empty board of a database, which need not have a record.
                Note::Property("DB", "none 0 0 none") => {}
                Note::Property("DB", value) => {
                    all.entry(key(id)).or_default().record = Some(value.to_owned())
                }
                _ => {}
            }
        }
    }
    all
}

/// Formats of moves alone, on the boards that they are for.
fn moves_only(format: Format, seed: u64, size: Size) -> Result<(), TestCaseError> {
    let mut generator = Generator::new(seed, format.holds());
    let mut games = vec![generator.game(size, 100)];
    if format.holds().contains(&Feature::SeveralGames) {
        games.push(generator.game(size, 3));
    }
    // A list has no line for an empty game, and none for moves after setup stones.
    let writable = |game: &Game| game.tree.len() > 1 && game.setup.is_empty() && game.first == Color::Black;
    games.retain(|game| matches!(format, Format::Pos | Format::Sav) || writable(game));
    // A list does not state the size; the reader is told it.
    let lossy = !format.holds().contains(&Feature::BoardSize);
    let bytes = format.write(&games, Charset::AUTO, lossy).expect("the format holds moves");
    let options = ReadOptions { size: Some(size), ..ReadOptions::default() };
    let read = format.read(&bytes, &options);
    prop_assert!(read.as_ref() == Ok(&games), "{format}: {:?}", read.err());
    Ok(())
}

/// Samples need a rule with a three-bit number, and a last move.
fn samples(seed: u64, size: Size) -> Result<(), TestCaseError> {
    for format in [Format::Bin, Format::Binpack] {
        let mut generator = Generator::new(seed, format.holds());
        let mut games = vec![generator.game(size, 100), generator.game(size, 10)];
        games.retain(|game| game.tree.len() > 1);
        games.iter_mut().for_each(|game| game.rule = Some(RuleKind::ALL[(seed % 3) as usize]));
        prop_assert!(back(format, &games) == games, "{format}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn moves_alone(seed: u64, side in 5usize..=22) {
        let size = Size::new(side).unwrap();
        moves_only(Format::Pos, seed, Size::S15)?;
        samples(seed, size)?;
        for format in [Format::Sav, Format::Txt, Format::Offset, Format::PosTop] {
            moves_only(format, seed, size)?;
        }
    }
}

/// The first random game that is as wanted.
fn game_with(holds: &[Feature], size: Size, wanted: impl Fn(&Game) -> bool) -> Game {
    let mut games = (1..100).map(|seed| Generator::new(seed, holds).game(size, 80));
    games.find(|game| wanted(game)).expect("one of a hundred is wanted")
}

/// SGF alone holds several facts of the same name.
#[test]
fn a_second_fact_of_a_name_is_refused() {
    for (format, text) in [
        (Format::Xml, "(;SZ[15]RU[4][Soosorv-8][Swap2]PB[A];B[hh])"),
        (Format::Psq, "(;SZ[15]PB[A][B];B[hh])"),
        (Format::Psq, "(;SZ[15]EV[A][B];B[hh])"),
        (Format::Rec, "(;SZ[20]PW[A][A];B[hh])"),
    ] {
        let games = Format::Sgf.read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let error = format.write(&games, Charset::AUTO, false).unwrap_err().to_string();
        assert_eq!(error, "it cannot hold other facts about the game", "{text}");
        assert!(format.write(&games, Charset::AUTO, true).is_ok(), "{text}");
        assert_eq!(back(Format::Sgf, &games), games);
    }
}

/// The database states no rule: readers take each of its games as Renju.
#[test]
fn only_games_of_renju_become_a_database_of_renjunet() {
    for text in ["(;SZ[15];B[hh])", "(;SZ[15]RU[0];B[hh])"] {
        let games = Format::Sgf.read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let error = Format::Xml.write(&games, Charset::AUTO, true).unwrap_err().to_string();
        assert_eq!(error, "the format stores only these rules: renju", "{text}");
    }
}

/// The first game would be number 1, which the second one has; the next free number is beyond the four games, and beyond the
/// number of the third.
#[test]
fn no_two_games_of_a_database_get_one_number() {
    let text = ["", "GN[1]", "GN[5]", ""].map(|number| format!("(;SZ[15]RU[4]{number};B[hh])")).concat();
    let games = Format::Sgf.read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let games = back(Format::Xml, &games);
    let numbers: Vec<_> = games.iter().map(|game| game.property("GN")).collect();
    assert_eq!(numbers, [Some("6"), Some("1"), Some("5"), Some("4")]);
}

#[test]
fn features_that_a_format_lacks_are_refused() {
    let game = game_with(Format::Sgf.holds(), Size::S20, |game| {
        let mut turns = game.tree.main_line().map(|node| game.tree.turn(node));
        turns.any(|turn| matches!(turn, Some((_, Move::Pass))))
    });
    let refused = |format: Format, lossy| {
        format.write(std::slice::from_ref(&game), Charset::AUTO, lossy).unwrap_err().to_string()
    };
    assert!(refused(Format::Lib, true).contains("only 15x15"));
    assert!(refused(Format::Psq, true).contains("passes"), "{}", refused(Format::Psq, true));
    let mut holds = Format::Psq.holds().to_vec();
    let lacking = [Feature::Comments, Feature::Variations];
    holds.extend(lacking);
    let game =
        game_with(&holds, Size::S15, |game| lacking.iter().all(|feature| features(game).contains(feature)));
    let error = Format::Psq.write(std::slice::from_ref(&game), Charset::AUTO, false).unwrap_err();
    assert_eq!(error.to_string(), "it cannot hold variations, comments");
    let text = Format::Psq.write(std::slice::from_ref(&game), Charset::AUTO, true).unwrap();
    let read = &Format::Psq.read(&text, &ReadOptions::default()).unwrap()[0];
    assert_eq!(read.main_position(None), game.main_position(None));
}

/// The moves would be others without them: they are refused even where a loss is allowed.
#[test]
fn features_that_change_the_moves_are_never_left_out() {
    let read = |text: &str| Format::Sgf.read(text.as_bytes(), &ReadOptions::default()).unwrap();
    for (text, name) in [
        ("(;SZ[15]AB[aa];W[hh])", "setup stones or White to move first"),
        ("(;SZ[15]PL[W];W[hh])", "setup stones or White to move first"),
        ("(;SZ[15];B[hh];AW[aa];W[hg])", "stones set in mid-game"),
        ("(;SZ[15];B[hh];W[];B[hg])", "passes"),
        ("(;SZ[15];B[hh];B[hg])", "moves out of turn"),
    ] {
        for format in [Format::Psq, Format::Sav, Format::Pos, Format::Offset] {
            let error = format.write(&read(text), Charset::AUTO, true).unwrap_err().to_string();
            assert_eq!(error, format!("it cannot hold {name}"), "{format}: {text}");
        }
    }
    // The pass is in another line than the main one, which alone is written.
    let games = read("(;SZ[15];B[hh](;W[hg])(;W[];B[ig]))");
    let text = Format::Psq.write(&games, Charset::AUTO, true).unwrap();
    let written = Format::Psq.read(&text, &ReadOptions::default()).unwrap();
    assert_eq!(written[0].main_position(None), games[0].main_position(None));
}
