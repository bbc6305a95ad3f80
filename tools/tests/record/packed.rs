//! Files that are packed, by any of the programs that do that.

use std::io::Write;

use kagetsu::game::{RuleKind, Size};
use kagetsu_tools::record::{Charset, Feature, Format, Game, ReadError, ReadOptions};

use super::generate::Generator;

const BINPACK: &[u8] = include_bytes!("../../../tests/data/manager.binpack");

fn read(format: Format, bytes: &[u8]) -> Result<Vec<Game>, ReadError> {
    format.read(bytes, &ReadOptions::default())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn every_format_may_be_packed() {
    for format in Format::ALL {
        let mut game = Generator::new(7, &[]).game(format.sizes().unwrap_or(Size::S15), 12);
        game.rule = format.holds().contains(&Feature::Rule).then_some(RuleKind::Renju);
        let bytes = format.write(&[game], Charset::AUTO, false).unwrap();
        let games = read(format, &bytes);
        assert_eq!(games.as_ref().map(Vec::len), Ok(1), "{format}");
        for packed in [gzip(&bytes), lz4(&bytes)] {
            assert_eq!(read(format, &packed), games, "{format}");
        }
    }
}

/// Bit 0 of a move says that it is the first choice of its position, bit 1 that it is the last.
#[test]
fn choices_out_of_order_are_refused() {
    let mut game = Generator::new(7, &[]).game(Size::S15, 12);
    game.rule = Some(RuleKind::Renju);
    let bytes = Format::Binpack.write(&[game], Charset::AUTO, true).unwrap();
    for (at, bit, problem) in [
        (8, 0, "the first choice of a position was expected"),
        (8, 1, "a further choice of the position was expected"),
        (12, 0, "the first choice of a position was expected"),
    ] {
        let mut bad = bytes.clone();
        bad[at] ^= 1 << bit;
        let said = read(Format::Binpack, &bad).unwrap_err().to_string();
        assert!(said.contains(problem), "{at}, {bit}: {said}");
    }
}

/// Packed files may follow one another in a file, like unpacked ones. A cut is noticed at any place.
#[test]
fn packed_files_one_after_another() {
    for pack in [gzip, lz4] {
        let one = pack(BINPACK);
        let games = read(Format::Binpack, &[&one[..], &one].concat()).unwrap();
        assert_eq!(games, [BINPACK, BINPACK].map(|bytes| read(Format::Binpack, bytes).unwrap().remove(0)));
        for cut in [1, 4, 5] {
            let error = read(Format::Binpack, &one[..one.len() - cut]).unwrap_err();
            assert!(error.to_string().ends_with("(counted in the unpacked content)"), "{cut}: {error}");
        }
    }
}

/// 0x22 is row 2 from the top, column 4; 0x4d row 5, column 2; 0x18 row 1, column 9; 0x70 row 7, column 7.
#[test]
fn a_game_that_begins_as_a_frame_does() {
    let game = &read(Format::Pos, b"\x04\x22\x4d\x18\x70").unwrap()[0];
    let moves = kagetsu::game::notation::moves::print(game.main_position(None).unwrap().moves());
    assert_eq!(moves, "e13c10j14h8");
}
