//! Areas where a stone of the opening may be put.

use std::fmt;
use std::str::FromStr;

use crate::game::openings26::{OPENINGS, Opening};
use crate::game::point::{Point, PointSet, Size};
use crate::game::position::{Move, Position};
use crate::game::quote::quoted;
use crate::invalid::Invalid;

/// A part of the board, as regulations describe it. The board's edges cut it off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Area {
    /// The whole board.
    Anywhere,
    /// The square of this odd number of lines about the centre; 1 is the centre itself.
    Central(u8),
    /// The points beyond that square.
    Outside(u8),
    /// The central five by five, for a third stone that makes none of these openings.
    Third(Openings),
}

impl Area {
    /// The points of the area where a stone can be put after `position`.
    pub fn free_points(self, position: &Position) -> PointSet {
        position.size().points().filter(|&p| position.is_free(p) && self.contains(p, position)).collect()
    }

    fn contains(self, p: Point, position: &Position) -> bool {
        let size = position.size();
        match self {
            Area::Anywhere => true,
            Area::Central(side) => distance(p, size) <= usize::from(side) / 2,
            Area::Outside(side) => distance(p, size) > usize::from(side) / 2,
            Area::Third(excluded) => {
                Area::Central(5).contains(p, position) && !excluded.contains_third(p, position)
            }
        }
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Area::Anywhere => f.write_str("anywhere"),
            Area::Central(1) => f.write_str("in the centre"),
            Area::Central(side) => write!(f, "in the central {side}x{side}"),
            Area::Outside(side) => write!(f, "outside the central {side}x{side}"),
            Area::Third(excluded) if excluded.is_empty() => Area::Central(5).fmt(f),
            Area::Third(excluded) => write!(f, "in the central 5x5 without {excluded}"),
        }
    }
}

/// Lines from the centre, along the board or diagonally.
fn distance(p: Point, size: Size) -> usize {
    p.distance(size.center())
}

/// A set of the 26 openings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Openings(u32);

impl Openings {
    /// The set with no opening.
    pub const NONE: Openings = Openings(0);

    /// Returns whether the set holds no opening.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set holds all direct or all indirect openings: any third stone after some second stones makes one
    /// of them.
    pub(super) fn is_all_of_a_kind(self) -> bool {
        let count = |kind: char| self.iter().filter(|opening| opening.code.starts_with(kind)).count();
        ['D', 'I'].into_iter().any(|kind| count(kind) == OPENINGS.len() / 2)
    }

    fn iter(self) -> impl Iterator<Item = &'static Opening> {
        OPENINGS.iter().enumerate().filter(move |(i, _)| self.0 >> i & 1 != 0).map(|(_, opening)| opening)
    }

    /// Returns whether `p` as the third stone makes one of the openings, on a board of any size.
    fn contains_third(self, p: Point, position: &Position) -> bool {
        let [Move::Place(first), Move::Place(second)] = *position.moves() else { return false };
        self.iter().any(|opening| opening.is_made_by([first, second, p]))
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, opening) in self.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { "," }, opening.code)?;
        }
        Ok(())
    }
}

impl FromStr for Openings {
    type Err = Invalid;

    /// Codes between commas, as `D13,I13`.
    fn from_str(s: &str) -> Result<Openings, Invalid> {
        let mut set = 0;
        for code in s.split(',') {
            let upper = code.trim().to_ascii_uppercase();
            let Some(i) = OPENINGS.iter().position(|o| o.code == upper) else {
                let code = quoted(code);
                return Err(format!("{code} is not one of the 26 openings, D1 to D13 and I1 to I13").into());
            };
            set |= 1 << i;
        }
        Ok(Openings(set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::{parse, parse_point};

    #[test]
    fn areas_of_the_15_board() {
        let count = |area: Area| area.free_points(&Position::new(Size::S15)).len();
        assert_eq!([1, 3, 5, 7, 9].map(|n| count(Area::Central(n))), [1, 9, 25, 49, 81]);
        assert_eq!(count(Area::Outside(5)), 200);
        assert_eq!(count(Area::Outside(7)), 176);
        let k5 = Area::Central(5).free_points(&Position::new(Size::S15));
        let corners = ["f6", "j10"].map(|p| parse_point(p, Size::S15).unwrap());
        assert_eq!([k5.iter().next(), k5.iter().last()], corners.map(Some));
    }

    #[test]
    fn excluded_openings_are_excluded_in_every_image() {
        let excluded: Openings = "D13,I13".parse().unwrap();
        assert_eq!(excluded.to_string(), "D13,I13");
        let third = |moves: &str| {
            let all = Area::Central(5).free_points(&parse(moves, None).unwrap());
            let left = Area::Third(excluded).free_points(&parse(moves, None).unwrap());
            all.without(&left).iter().map(|p| p.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(third("h8h9"), ["f6", "j6"]);
        assert_eq!(third("h8g8"), ["j6", "j10"]);
        assert_eq!(third("h8i9"), ["f6"]);
        assert!("D14".parse::<Openings>().is_err() && "".parse::<Openings>().is_err());
    }
}
