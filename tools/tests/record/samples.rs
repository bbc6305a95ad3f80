//! Files that c-gomoku-cli wrote: a game as SGF, and training samples of the same game.

use kagetsu::game::RuleKind;
use kagetsu::game::notation::moves;
use kagetsu_tools::record::samples::{write_bin, write_binpack};
use kagetsu_tools::record::{Charset, Format, Game, GameResult, ReadOptions, sgf};

const SGF: &[u8] = include_bytes!("../../../tests/data/manager.sgf");
const BIN: &[u8] = include_bytes!("../../../tests/data/manager.bin");
const BINPACK: &[u8] = include_bytes!("../../../tests/data/manager.binpack");

fn read(format: Format, bytes: &[u8]) -> Vec<Game> {
    format.read(bytes, &ReadOptions::default()).unwrap()
}

fn moves_of(game: &Game) -> String {
    moves::print(game.main_position(None).unwrap().moves())
}

#[test]
fn the_sgf_of_a_manager() {
    let games = sgf::read(SGF, Charset::AUTO).unwrap();
    assert_eq!(games.len(), 1);
    // Its own text: B[hh] W[hg] B[gg] W[ii] B[fh] W[ig] B[ij] W[ih] B[gf] W[hf] B[ge] W[gh].
    assert_eq!(moves_of(&games[0]), "h8h9g9i7f8i9i6i8g10h10g11g8");
    assert_eq!((games[0].rule, games[0].result), (Some(RuleKind::Renju), Some(GameResult::Draw)));
    assert_eq!(games[0].property("TE"), Some("Draw by adjudication"));
}

#[test]
fn samples_are_the_beginnings_of_the_game() {
    let game = &sgf::read(SGF, Charset::AUTO).unwrap()[0];
    let samples = read(Format::Bin, BIN);
    assert_eq!(samples.len(), 12);
    for (i, sample) in samples.iter().enumerate() {
        assert_eq!(sample.main_position(None), game.main_position(Some(i + 1)));
        assert_eq!((sample.rule, sample.result), (game.rule, game.result));
    }
    // The manager sets a bit above the point in White's sampled moves (bit 13 of the second word); we do not.
    let mut bytes = BIN.to_vec();
    let mut at = 0;
    for ply in 0..12 {
        bytes[at + 3] &= !0x20;
        at += 4 + 2 * ply;
    }
    assert_eq!(write_bin(&samples).unwrap(), bytes);
}

#[test]
fn packed_games() {
    let games = read(Format::Binpack, BINPACK);
    assert_eq!(games.len(), 1);
    // Decoded by hand: each word is 64 times a point and 7.
    assert_eq!(moves_of(&games[0]), "h8h9g10f8i9g7g11i10j11e9d10g8");
    assert_eq!((games[0].rule, games[0].result), (Some(RuleKind::Renju), Some(GameResult::Draw)));
    assert_eq!(write_binpack(&games).unwrap(), BINPACK);
}

/// SGF has scores from Black's view, a packed game from the mover's: there Black's may be 32767 at most.
#[test]
fn scores_beyond_16_bits_are_refused() {
    let write = |moves: &str| {
        let games = read(Format::Sgf, format!("(;SZ[15]RU[4]{moves})").as_bytes());
        Format::Binpack.write(&games, Charset::AUTO, true).map_err(|error| error.to_string())
    };
    for (moves, score) in
        [(";B[hh]V[1.5]", "1.5"), (";B[hh]V[32768]", "32768"), (";B[hh];W[hg]V[-32768]", "-32768")]
    {
        let refusal =
            format!("it cannot hold the score {score}: expected a whole number from -32768 to 32767");
        assert_eq!(write(moves), Err(refusal));
    }
    for moves in [";B[hh]V[-32768]", ";B[hh];W[hg]V[32768]"] {
        assert!(write(moves).unwrap().ends_with(&i16::MIN.to_le_bytes()), "{moves}");
    }
}

/// By Rapfi's source, its reader takes the first move of a packed game without looking whether there is one.
#[test]
fn games_without_moves_are_refused() {
    let games = read(Format::Sgf, b"(;SZ[15]RU[4]RE[0])");
    for format in [Format::Bin, Format::Binpack] {
        let error = format.write(&games, Charset::AUTO, false).unwrap_err().to_string();
        assert_eq!(error, "it cannot hold a game without moves", "{format}");
    }
}
