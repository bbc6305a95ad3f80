//! The 26 canonical Renju openings: the classes of three-move openings with Black's first stone in the centre, White's
//! beside it and Black's second within the central five by five.
//!
//! The images shown have White's stone above the centre (direct openings, D) or above and right of it (indirect, I).
//! Coordinates agree in four independent public tables; names are the Japanese ones in Hepburn spelling. [`assessment`]
//! holds published verdicts on the openings; [`lookup`] finds an opening by its code or name.

pub mod assessment;
pub mod lookup;

use super::color::Color;
use super::point::{Point, Size};
use super::position::{Move, Position};
use super::rule_kind::RuleKind;
use super::symmetry::Symmetry;

pub use assessment::{Assessment, Assessments};
pub use lookup::Codes;

/// One of the 26 openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The RIF code, `D1` to `D13` or `I1` to `I13`.
    pub code: &'static str,
    /// The three moves on the 15x15 board; [`Self::moves_on`] gives those of other boards.
    pub moves: [Point; 3],
    /// The Japanese name in Latin letters, long vowels unmarked.
    pub romaji: &'static str,
    /// The same with long vowels marked.
    pub macron: &'static str,
    /// The Japanese name.
    pub kanji: &'static str,
    /// The same in traditional characters, as Chinese texts have it.
    pub traditional: &'static str,
    /// The name's meaning in English.
    pub english: &'static str,
    /// The name in Czech, made from the Russian one.
    pub czech: &'static str,
    /// Published assessments of the opening.
    pub worth: Assessments,
}

/// The openings in the order of their codes, direct ones first.
pub static OPENINGS: [Opening; 26] = table();

#[rustfmt::skip]
const fn table() -> [Opening; 26] {
    use Assessment::*;
    [
        direct("D1", "h10", ["Kansei", "Kansei", "寒星", "寒星"], "Cold Star", "studená hvězda", [BlackAdvantage, BlackWins, BlackWins]),
        direct("D2", "i10", ["Keigetsu", "Keigetsu", "渓月", "溪月"], "Valley Moon", "Údolí", [BlackAdvantage, BlackWins, BlackWins]),
        direct("D3", "j10", ["Sosei", "Sosei", "疎星", "疏星"], "Sparse (distant) Star", "Vzdálená hvězda", [Equal, WhiteSlight, WhiteSlight]),
        direct("D4", "i9", ["Kagetsu", "Kagetsu", "花月", "花月"], "Flower Moon", "Květ", [BlackWins, BlackWins, BlackWins]),
        direct("D5", "j9", ["Zangetsu", "Zangetsu", "残月", "殘月"], "Remaining (waning, morning) Moon", "Zbytek", [BlackAdvantage, BlackAdvantage, BlackAdvantage]),
        direct("D6", "i8", ["Ugetsu", "Ugetsu", "雨月", "雨月"], "Rain Moon", "Déšť", [BlackAdvantage, BlackWins, BlackWins]),
        direct("D7", "j8", ["Kinsei", "Kinsei", "金星", "金星"], "Gold Star (Venus)", "Zlatá hvězda; Venuše", [BlackAdvantage, BlackWins, BlackWins]),
        direct("D8", "h7", ["Shogetsu", "Shōgetsu", "松月", "松月"], "Pine Moon", "Borovice", [BlackSlight, BlackSlight, BlackAdvantage]),
        direct("D9", "i7", ["Kyugetsu", "Kyūgetsu", "丘月", "丘月"], "Hill Moon", "Kopec", [Equal, BlackSlight, BlackSlight]),
        direct("D10", "j7", ["Shingetsu", "Shingetsu", "新月", "新月"], "New Moon", "Nový měsíc", [BlackAdvantage, BlackAdvantage, BlackWins]),
        direct("D11", "h6", ["Zuisei", "Zuisei", "瑞星", "瑞星"], "Lucky Star", "Šťastná hvězda", [Equal, Equal, Equal]),
        direct("D12", "i6", ["Sangetsu", "Sangetsu", "山月", "山月"], "Mountain Moon", "Hora", [BlackSlight, BlackAdvantage, BlackAdvantage]),
        direct("D13", "j6", ["Yusei", "Yūsei", "遊星", "游星"], "Wandering Star (planet)", "Procházka", [WhiteWins, WhiteWins, WhiteWins]),
        indirect("I1", "j10", ["Chosei", "Chōsei", "長星", "長星"], "Long Star", "Asteroid", [WhiteSlight, WhiteSlight, WhiteAdvantage]),
        indirect("I2", "j9", ["Kyogetsu", "Kyōgetsu", "峡月", "峽月"], "Gorge Moon", "Rokle", [BlackAdvantage, BlackWins, BlackWins]),
        indirect("I3", "j8", ["Kosei", "Kōsei", "恒星", "恆星"], "Fixed (constant) Star", "Konstantní", [BlackAdvantage, BlackWins, BlackWins]),
        indirect("I4", "j7", ["Suigetsu", "Suigetsu", "水月", "水月"], "Water Moon", "Voda", [BlackWins, BlackWins, BlackWins]),
        indirect("I5", "j6", ["Ryusei", "Ryūsei", "流星", "流星"], "Meteor (shooting star)", "Meteor", [WhiteSlight, WhiteSlight, WhiteAdvantage]),
        indirect("I6", "i8", ["Ungetsu", "Ungetsu", "雲月", "雲月"], "Cloud Moon", "Mrak", [BlackAdvantage, BlackWins, BlackWins]),
        indirect("I7", "i7", ["Hogetsu", "Hogetsu", "浦月", "浦月"], "Bay Moon", "Záliv", [BlackWins, BlackWins, BlackWins]),
        indirect("I8", "i6", ["Rangetsu", "Rangetsu", "嵐月", "嵐月"], "Storm Moon", "Bouřka", [BlackAdvantage, BlackWins, BlackWins]),
        indirect("I9", "h7", ["Gingetsu", "Gingetsu", "銀月", "銀月"], "Silver Moon", "Stříbrný měsíc", [BlackAdvantage, BlackAdvantage, BlackAdvantage]),
        indirect("I10", "h6", ["Myojo", "Myōjō", "明星", "明星"], "Bright Star", "Lesk", [BlackAdvantage, BlackWins, BlackWins]),
        indirect("I11", "g7", ["Shagetsu", "Shagetsu", "斜月", "斜月"], "Slanting Moon", "Sklon", [Equal, BlackSlight, BlackSlight]),
        indirect("I12", "g6", ["Meigetsu", "Meigetsu", "名月", "名月"], "Famous Moon", "Sláva", [BlackAdvantage, BlackAdvantage, BlackAdvantage]),
        indirect("I13", "f6", ["Suisei", "Suisei", "彗星", "彗星"], "Comet", "Kometa", [WhiteWins, WhiteWins, WhiteWins]),
    ]
}

/// Boards on which the openings have their names: that of Renju, and the larger one that the game was played on before.
const NAMED_ON: [usize; 2] = [15, 19];

impl Opening {
    /// The meaning without its alternatives, to be put in brackets: `Remaining Moon` for D5.
    pub fn meaning(&self) -> String {
        match self.english.split_once(" (") {
            Some((before, rest)) => before.to_owned() + rest.split_once(')').map_or("", |(_, after)| after),
            None => self.english.to_owned(),
        }
    }

    /// The opening with this code, in upper case.
    pub fn from_code(code: &str) -> Option<&'static Opening> {
        OPENINGS.iter().find(|opening| opening.code == code)
    }

    /// The three moves about the centre of a board of this size; `None` if the openings have no names there.
    pub fn moves_on(&self, size: Size) -> Option<[Point; 3]> {
        NAMED_ON.contains(&size.side()).then(|| {
            let (from, to) = (Size::S15.center(), size.center());
            self.moves.map(|p| Point::new(p.x() + to.x() - from.x(), p.y() + to.y() - from.y()))
        })
    }

    /// Returns the opening of a game under this rule. Only Renju and its relatives have openings with names.
    pub fn of_game(position: &Position, rule: RuleKind) -> Option<&'static Opening> {
        if rule == RuleKind::Renju { Opening::of_position(position) } else { None }
    }

    /// The opening, in any of its images, that the first three stones make: those of the setup, then those of the moves.
    /// Setup stones have no order, so that more than three of them have no opening.
    pub fn of_position(position: &Position) -> Option<&'static Opening> {
        let size = position.size();
        let moves = position.moves().len().min(3usize.saturating_sub(position.setup().len()));
        let stones = position.setup().len() + moves;
        let is_placed = |m: &Move| m.point().is_some();
        if !NAMED_ON.contains(&size.side()) || stones != 3 || !position.moves()[..moves].iter().all(is_placed)
        {
            return None;
        }
        let stones_of = |color| -> Vec<Point> {
            let own = position.stones().take(3).filter(|&(_, c)| c == color);
            own.map(|(p, _)| p).collect()
        };
        let center = size.center();
        let [second] = stones_of(Color::White)[..] else { return None };
        let third = match stones_of(Color::Black)[..] {
            [first, other] if first == center => other,
            [other, first] if first == center => other,
            _ => return None,
        };
        OPENINGS.iter().find(|opening| opening.is_made_by([center, second, third]))
    }

    /// Returns whether three moves make this opening in one of its images, wherever they lie on a board.
    pub(super) fn is_made_by(&self, moves: [Point; 3]) -> bool {
        let steps = |[first, second, third]: [Point; 3]| [step(first, second), step(first, third)];
        let made = steps(moves);
        Symmetry::ALL.iter().any(|s| steps(self.moves.map(|p| s.apply(p, Size::S15))) == made)
    }
}

/// Columns and rows from one point to another.
fn step(from: Point, to: Point) -> (i32, i32) {
    (to.x() as i32 - from.x() as i32, to.y() as i32 - from.y() as i32)
}

const fn direct(
    code: &'static str,
    third: &str,
    japanese: [&'static str; 4],
    english: &'static str,
    czech: &'static str,
    worth: [Assessment; 3],
) -> Opening {
    let [romaji, macron, kanji, traditional] = japanese;
    let moves = [point("h8"), point("h9"), point(third)];
    let worth = Assessments { rif: worth[0], english: worth[1], chinese: worth[2] };
    Opening { code, moves, romaji, macron, kanji, traditional, english, czech, worth }
}

const fn indirect(
    code: &'static str,
    third: &str,
    japanese: [&'static str; 4],
    english: &'static str,
    czech: &'static str,
    worth: [Assessment; 3],
) -> Opening {
    let opening = direct(code, third, japanese, english, czech, worth);
    Opening { moves: [point("h8"), point("i9"), point(third)], ..opening }
}

/// A point of the table above; a misspelt one does not compile.
const fn point(name: &str) -> Point {
    let (column, row) = match *name.as_bytes() {
        [column, row] => (column, row - b'0'),
        [column, tens, row] => (column, (tens - b'0') * 10 + row - b'0'),
        _ => panic!("not a point"),
    };
    Point::new((column - b'a') as usize, (row - 1) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meanings_have_no_brackets() {
        let meaning = |code| Opening::from_code(code).unwrap().meaning();
        assert_eq!(
            [meaning("D4"), meaning("D5"), meaning("D7")],
            ["Flower Moon", "Remaining Moon", "Gold Star"]
        );
        assert!(OPENINGS.iter().all(|o| !o.meaning().contains(['(', ')']) && !o.meaning().is_empty()));
    }
}
