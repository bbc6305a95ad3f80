//! What is written is read again, for everything that a format can hold.

use kagetsu::game::{Color, RuleKind, Size};
use kagetsu::record::{Charset, Feature, Format, Game, ReadOptions};
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

/// Formats of moves alone, on the boards that they are for.
fn moves_only(format: Format, seed: u64, size: Size) -> Result<(), TestCaseError> {
    let mut generator = Generator::new(seed, format.holds());
    let mut games = vec![generator.game(size, 100)];
    if format.holds().contains(&Feature::SeveralGames) {
        games.push(generator.game(size, 3));
    }
    // A list has no line for nothing, and none for moves after setup stones.
    let writable = |game: &Game| game.tree.len() > 1 && game.setup.is_empty() && game.first == Color::Black;
    games.retain(|game| matches!(format, Format::Pos | Format::Sav) || writable(game));
    let bytes = format.write(&games, Charset::AUTO, false).expect("the format holds moves");
    let options = ReadOptions { size: Some(size), ..ReadOptions::default() };
    let read = format.read(&bytes, &options);
    prop_assert!(read.as_ref() == Ok(&games), "{format}: {:?}", read.err());
    Ok(())
}

/// Samples have a rule that has a number of three bits, and a last move.
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

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let game = Generator::new(1, Format::Sgf.holds()).game(Size::S20, 80);
    let refused = |format: Format, lossy| {
        format.write(std::slice::from_ref(&game), Charset::AUTO, lossy).unwrap_err().to_string()
    };
    assert!(refused(Format::Lib, true).contains("only 15x15"));
    assert!(refused(Format::Psq, true).contains("passes"), "{}", refused(Format::Psq, true));
    let mut holds = Format::Psq.holds().to_vec();
    holds.extend([Feature::Comments, Feature::Variations]);
    let game = Generator::new(2, &holds).game(Size::S15, 80);
    let error = Format::Psq.write(std::slice::from_ref(&game), Charset::AUTO, false).unwrap_err();
    assert_eq!(error.to_string(), "it cannot hold variations, comments");
    let text = Format::Psq.write(std::slice::from_ref(&game), Charset::AUTO, true).unwrap();
    let read = &Format::Psq.read(&text, &ReadOptions::default()).unwrap()[0];
    assert_eq!(read.main_position(None), game.main_position(None));
}
