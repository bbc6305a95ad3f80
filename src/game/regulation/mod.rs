//! Opening regulations: who may do what before the game goes on with free moves.
//!
//! A [`Regulation`] starts an [`Opening`], which says who acts ([`Opening::seat`]), what may be done
//! ([`Opening::choices`]) and does it ([`Opening::apply`]). [`script`] writes each regulation as a sequence of steps,
//! [`fifths`] says which fifth moves count as one, [`Chooser`] makes the decisions. Fouls are not checked
//! here, because Black cannot make one before the ninth move. If Super Sakata adds stones beyond that, or if
//! there is a row of five at the end, the game's own rules judge the position.

mod action;
mod area;
mod choice;
mod chooser;
pub mod fifths;
mod opening;
mod refusal;
mod script;
mod seat;

use std::fmt;
use std::str::FromStr;

pub use action::{Action, ActionError};
pub use area::{Area, Openings};
pub use choice::{Choice, Zone};
pub use chooser::{Chooser, RandomChooser};
pub use opening::Opening;
pub use refusal::Refusal;
pub use seat::Seat;

use super::point::Size;
use super::quote::quoted;
use crate::invalid::Invalid;

/// An opening regulation. K1, K3, … are the central squares of 1x1, 3x3, … points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Regulation {
    /// No regulation except the first stone: in the centre, or anywhere if it is `free`.
    Plain {
        /// The first stone may be put anywhere.
        free: bool,
    },
    /// Classical Renju, 1996 to 2008: an opening, a swap, the fourth stone, two fifths.
    Rif,
    /// The swap rule of 1989 to 1995: as [`Regulation::Rif`], but the players put the opening's stones in turn. Two
    /// openings were not allowed. Which two is not known for certain, so the user can choose them.
    SwapRenju {
        /// The openings that are not allowed: never all direct or all indirect ones.
        excluded: Openings,
    },
    /// World championships 2009 to 2015: the number of fifths is declared with the opening.
    Yamaguchi,
    /// World championships since 2017, with up to 8 fifths: their number is declared with the fourth stone, and the
    /// colours may be swapped once more.
    Soosorv(usize),
    /// A swap after each of five stones, in K1, K3, K5, K7, K9.
    Tarannikov,
    /// Like [`Regulation::Tarannikov`], but after the fourth stone this number of fifths anywhere may be offered
    /// instead.
    Taraguchi(usize),
    /// Like [`Regulation::Taraguchi`], with the stones 2 to 5 in K5, K7, K9, K9.
    SuperTaraguchi(usize),
    /// Like [`Regulation::Rif`], with one fifth, in K7. Known from one secondary source only.
    Sakata,
    /// An opening, two stones of the opponent, and then a choice of colour or two more stones, again and again.
    SuperSakata,
    /// LianHuan (China, 2011): of the first five stones a player puts one or two; after two the opponent may swap.
    LianHuan,
    /// Three stones anywhere, then the opponent chooses the colour.
    Swap,
    /// One stone anywhere, then the opponent chooses the colour.
    Swap1,
    /// Three stones anywhere; the opponent chooses the colour, or puts two more and leaves the choice to the first.
    Swap2,
    /// A swap after each of five stones, anywhere.
    Swap5,
    /// The first stone in the centre, the third outside K5.
    Pro,
    /// The first stone in the centre, the third outside K7.
    LongPro,
}

/// A board that is too small for a regulation, or a regulation without a fifth move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{regulation} cannot be played on a {size} board: expected {}", self.expected())]
pub struct TooSmall {
    regulation: Regulation,
    size: Size,
}

impl TooSmall {
    fn expected(&self) -> &'static str {
        if self.regulation.fifths() == Some(0) {
            "at least one fifth move"
        } else {
            "a larger board or fewer fifth moves"
        }
    }
}

/// Largest number of fifth moves in the name of a regulation: no board up to 20x20 is sure to have more.
const MOST_FIFTHS: usize = 99;

impl Regulation {
    /// The spellings of all regulations, for help texts; `N` is a number of fifth moves.
    pub const SPELLINGS: [&str; 18] = [
        "plain",
        "plain:free",
        "rif",
        "swap-renju[:D13,I13]",
        "yamaguchi",
        "soosorv[:N]",
        "tarannikov",
        "taraguchi[:N]",
        "super-taraguchi[:N]",
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

    /// An opening by this regulation on an empty board.
    ///
    /// # Errors
    /// If the board has no room for a third stone outside the middle, or not surely for as many fifth moves, or if
    /// the number of fifth moves is zero.
    pub fn start(self, size: Size) -> Result<Opening, TooSmall> {
        let most = fifths::fewest(size);
        let has_room = match self {
            Regulation::Pro => size.side() > 5,
            Regulation::LongPro => size.side() > 7,
            _ => self.fifths().is_none_or(|number| (1..=most).contains(&number)),
        };
        if !has_room {
            return Err(TooSmall { regulation: self, size });
        }
        Ok(Opening::new(self, size, script::steps(self, most)))
    }

    /// The number of fifth moves that the regulation is named with.
    fn fifths(self) -> Option<usize> {
        match self {
            Regulation::Soosorv(n) | Regulation::Taraguchi(n) | Regulation::SuperTaraguchi(n) => Some(n),
            _ => None,
        }
    }

    /// The name without a number.
    fn name(self) -> &'static str {
        match self {
            Regulation::Plain { .. } => "plain",
            Regulation::Rif => "rif",
            Regulation::SwapRenju { .. } => "swap-renju",
            Regulation::Yamaguchi => "yamaguchi",
            Regulation::Soosorv(_) => "soosorv",
            Regulation::Tarannikov => "tarannikov",
            Regulation::Taraguchi(_) => "taraguchi",
            Regulation::SuperTaraguchi(_) => "super-taraguchi",
            Regulation::Sakata => "sakata",
            Regulation::SuperSakata => "super-sakata",
            Regulation::LianHuan => "lianhuan",
            Regulation::Swap => "swap",
            Regulation::Swap1 => "swap1",
            Regulation::Swap2 => "swap2",
            Regulation::Swap5 => "swap5",
            Regulation::Pro => "pro",
            Regulation::LongPro => "longpro",
        }
    }

    /// The regulation of this name, with the usual number where it has one.
    fn of_name(name: &str) -> Option<Regulation> {
        let all = [
            Regulation::Plain { free: false },
            Regulation::Rif,
            Regulation::SwapRenju { excluded: Openings::NONE },
            Regulation::Yamaguchi,
            Regulation::Soosorv(8),
            Regulation::Tarannikov,
            Regulation::Taraguchi(10),
            Regulation::SuperTaraguchi(10),
            Regulation::Sakata,
            Regulation::SuperSakata,
            Regulation::LianHuan,
            Regulation::Swap,
            Regulation::Swap1,
            Regulation::Swap2,
            Regulation::Swap5,
            Regulation::Pro,
            Regulation::LongPro,
        ];
        let name = if name == "soosyrv" { "soosorv" } else { name };
        all.into_iter().find(|regulation| regulation.name() == name)
    }
}

impl fmt::Display for Regulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Regulation::Plain { free: true } => f.write_str(":free"),
            Regulation::SwapRenju { excluded } if !excluded.is_empty() => write!(f, ":{excluded}"),
            Regulation::Soosorv(n) | Regulation::Taraguchi(n) | Regulation::SuperTaraguchi(n) => {
                write!(f, ":{n}")
            }
            _ => Ok(()),
        }
    }
}

impl FromStr for Regulation {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Regulation, Invalid> {
        let lower = s.trim().to_ascii_lowercase();
        // A number may also follow a dash, as in the rules' own names: Taraguchi-10.
        let number = |(_, number): &(&str, &str)| number.starts_with(|c: char| c.is_ascii_digit());
        let (name, option) = match lower.split_once(':').or(lower.rsplit_once('-').filter(number)) {
            Some((name, option)) => (name, Some(option)),
            None => (lower.as_str(), None),
        };
        let regulation = Regulation::of_name(name).ok_or_else(|| {
            let spellings = Regulation::SPELLINGS.join(", ");
            format!("{} is not an opening regulation: expected {spellings}", quoted(s))
        })?;
        let Some(option) = option else { return Ok(regulation) };
        let number = || match option.parse() {
            Ok(n) if (1..=MOST_FIFTHS).contains(&n) => Ok(n),
            _ => Err(format!("{}: expected a number of fifth moves, 1 to {MOST_FIFTHS}", quoted(s)).into()),
        };
        match regulation {
            // The only version there is, as tournaments name it.
            Regulation::LianHuan if option == "2011" => Ok(regulation),
            Regulation::Plain { .. } if option == "free" => Ok(Regulation::Plain { free: true }),
            Regulation::SwapRenju { .. } => {
                let excluded: Openings = option.parse()?;
                if excluded.is_all_of_a_kind() {
                    let expected = "one of D1 to D13 and one of I1 to I13 to be left for the third stone";
                    return Err(format!("{}: expected {expected}", quoted(s)).into());
                }
                Ok(Regulation::SwapRenju { excluded })
            }
            Regulation::Soosorv(_) => number().map(Regulation::Soosorv),
            Regulation::Taraguchi(_) => number().map(Regulation::Taraguchi),
            Regulation::SuperTaraguchi(_) => number().map(Regulation::SuperTaraguchi),
            _ => Err(format!("{}: nothing can follow {name}:", quoted(s)).into()),
        }
    }
}
