//! Any bytes: an answer or an error, soon and without a panic.

use kagetsu::game::{RuleKind, Size};
use kagetsu_tools::record::{Charset, Feature, Format, ReadOptions};
use proptest::prelude::*;

use super::generate::Generator;

fn read_all(bytes: &[u8]) {
    for format in Format::ALL {
        if let Ok(games) = format.read(bytes, &ReadOptions::default()) {
            // Games that were read can be looked at and written.
            for game in &games {
                let _ = game.main_position(None);
            }
            let _ = Format::Sgf.write(&games, Charset::AUTO, true);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_all(&bytes);
    }

    #[test]
    fn random_texts(text in "[(;)\\[\\]BWACPLESZ0-9a-h:,\\\\ \n-]{0,200}") {
        read_all(text.as_bytes());
    }

    /// Files of each format with a few bytes changed, cut out or doubled.
    #[test]
    fn damaged_files(seed: u64, which in 0..Format::ALL.len(), edits in proptest::collection::vec(any::<(u16, u8, u8)>(), 1..6)) {
        let format = Format::ALL[which];
        let mut game = Generator::new(seed, format.holds()).game(format.sizes().unwrap_or(Size::S15), 40);
        game.rule = format.holds().contains(&Feature::Rule).then_some(RuleKind::Renju);
        let Ok(mut bytes) = format.write(&[game], Charset::AUTO, true) else { return Ok(()) };
        for (at, byte, kind) in edits {
            let at = usize::from(at) % bytes.len().max(1);
            match kind % 4 {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, byte),
                2 if at < bytes.len() => bytes[at] = byte,
                _ => bytes.extend_from_within(at.min(bytes.len())..),
            }
        }
        read_all(&bytes);
    }
}

/// Shapes that are slow or deep in careless readers.
#[test]
fn tall_and_wide_files() {
    let n = 200_000;
    let deep = format!("(;{}{}", "(;".repeat(n), ")".repeat(n + 1));
    let wide = format!("(;{})", "(;B[aa])".repeat(n));
    let open = "(".repeat(n);
    let brackets = format!("(;C{}", "[".repeat(n));
    let labels = format!("(;LB{})", "[aa:x]TR[bb]LB".repeat(n) + "[aa:x]");
    for text in [deep, wide, open, brackets, labels] {
        read_all(text.as_bytes());
    }
    let mut comments = vec![0, 0];
    comments.extend([0u8, 2].repeat(n));
    read_all(&comments);
    let mut siblings = b"\x78\x00".to_vec();
    siblings.extend([0x11, 0xc0].repeat(n));
    siblings.extend([0x11, 0x40]);
    read_all(&siblings);
}

/// Every beginning of a file is an error or readable. In these formats it is always an error, because no part of them
/// may be missing.
#[test]
fn truncated_files() {
    for format in Format::ALL {
        let mut game = Generator::new(7, &[]).game(format.sizes().unwrap_or(Size::S15), 12);
        game.rule = format.holds().contains(&Feature::Rule).then_some(RuleKind::Renju);
        let bytes = format.write(&[game], Charset::AUTO, false).unwrap();
        let whole = [
            Format::Sgf,
            Format::Lib,
            Format::Pos,
            Format::Sav,
            Format::Bin,
            Format::Binpack,
            Format::Db,
            Format::Xml,
        ];
        // The end of an SGF, SAV or XML file may be missing, except for its last character.
        let end = bytes.trim_ascii_end().len();
        let end = if [Format::Sgf, Format::Sav, Format::Xml].contains(&format) { end } else { bytes.len() };
        for len in 0..end {
            let games = format.read(&bytes[..len], &ReadOptions::default());
            let nothing = matches!((format, len), (Format::Bin | Format::Binpack, 0));
            assert!(games.is_err() || nothing || !whole.contains(&format), "{format}, {len} bytes");
        }
        assert!(format.read(&bytes, &ReadOptions::default()).is_ok(), "{format}");
    }
}
