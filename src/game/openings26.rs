//! The 26 canonical Renju openings: the classes of three-move openings with Black's first stone in the centre, White's
//! beside it and Black's second within the central five by five.
//!
//! The images shown have White's stone above the centre (direct openings, D) or above and right of it (indirect, I).
//! Coordinates agree in four independent public tables; names are the Japanese ones in Hepburn spelling
//! without marks for long vowels.

use super::point::{Point, Size};
use super::position::{Move, Position};
use super::symmetry::Canonical;

/// One of the 26 openings, on the 15x15 board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The RIF code, `D1` to `D13` or `I1` to `I13`.
    pub code: &'static str,
    /// The three moves.
    pub moves: [Point; 3],
    /// The Japanese name in Latin letters.
    pub romaji: &'static str,
    /// The Japanese name.
    pub kanji: &'static str,
    /// Translation of the name.
    pub english: &'static str,
}

/// The openings in the order of their codes, direct ones first.
pub static OPENINGS: [Opening; 26] = [
    direct("D1", "h10", "Kansei", "寒星", "Cold Star"),
    direct("D2", "i10", "Keigetsu", "渓月", "Valley Moon"),
    direct("D3", "j10", "Sosei", "疎星", "Sparse (distant) Star"),
    direct("D4", "i9", "Kagetsu", "花月", "Flower Moon"),
    direct("D5", "j9", "Zangetsu", "残月", "Remaining (waning, morning) Moon"),
    direct("D6", "i8", "Ugetsu", "雨月", "Rain Moon"),
    direct("D7", "j8", "Kinsei", "金星", "Gold Star (Venus)"),
    direct("D8", "h7", "Shogetsu", "松月", "Pine Moon"),
    direct("D9", "i7", "Kyugetsu", "丘月", "Hill Moon"),
    direct("D10", "j7", "Shingetsu", "新月", "New Moon"),
    direct("D11", "h6", "Zuisei", "瑞星", "Lucky Star"),
    direct("D12", "i6", "Sangetsu", "山月", "Mountain Moon"),
    direct("D13", "j6", "Yusei", "遊星", "Wandering Star (planet)"),
    indirect("I1", "j10", "Chosei", "長星", "Long Star"),
    indirect("I2", "j9", "Kyogetsu", "峡月", "Gorge Moon"),
    indirect("I3", "j8", "Kosei", "恒星", "Fixed (constant) Star"),
    indirect("I4", "j7", "Suigetsu", "水月", "Water Moon"),
    indirect("I5", "j6", "Ryusei", "流星", "Meteor (shooting star)"),
    indirect("I6", "i8", "Ungetsu", "雲月", "Cloud Moon"),
    indirect("I7", "i7", "Hogetsu", "浦月", "Bay Moon"),
    indirect("I8", "i6", "Rangetsu", "嵐月", "Storm Moon"),
    indirect("I9", "h7", "Gingetsu", "銀月", "Silver Moon"),
    indirect("I10", "h6", "Myojo", "明星", "Bright Star"),
    indirect("I11", "g7", "Shagetsu", "斜月", "Slanting Moon"),
    indirect("I12", "g6", "Meigetsu", "名月", "Famous Moon"),
    indirect("I13", "f6", "Suisei", "彗星", "Comet"),
];

impl Opening {
    /// Returns the opening with this code, in upper case.
    pub fn from_code(code: &str) -> Option<&'static Opening> {
        OPENINGS.iter().find(|opening| opening.code == code)
    }

    /// Returns the opening, in any of its images, with which the moves of a 15x15 game began, Black moving first.
    pub fn of_position(position: &Position) -> Option<&'static Opening> {
        let key_of = |moves: &[Move]| {
            let mut start = Position::new(Size::S15);
            moves.iter().try_for_each(|&m| start.push(m)).ok()?;
            Some(Canonical::of_position(&start).key)
        };
        if position.size() != Size::S15 || !position.is_of_moves() {
            return None;
        }
        let key = key_of(position.moves().first_chunk::<3>()?)?;
        OPENINGS.iter().find(|o| key_of(&o.moves.map(Move::Place)) == Some(key))
    }
}

const fn direct(
    code: &'static str,
    third: &str,
    romaji: &'static str,
    kanji: &'static str,
    english: &'static str,
) -> Opening {
    Opening { code, moves: [point("h8"), point("h9"), point(third)], romaji, kanji, english }
}

const fn indirect(
    code: &'static str,
    third: &str,
    romaji: &'static str,
    kanji: &'static str,
    english: &'static str,
) -> Opening {
    Opening { code, moves: [point("h8"), point("i9"), point(third)], romaji, kanji, english }
}

/// Returns a point of the table above; a misspelt one does not compile.
const fn point(name: &str) -> Point {
    let (column, row) = match *name.as_bytes() {
        [column, row] => (column, row - b'0'),
        [column, tens, row] => (column, (tens - b'0') * 10 + row - b'0'),
        _ => panic!("not a point"),
    };
    Point::new((column - b'a') as usize, (row - 1) as usize)
}
