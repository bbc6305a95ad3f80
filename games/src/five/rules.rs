//! Differences between the relatives of Renju.

use kagetsu::game::{Forbid33, RuleKind, Size};

use crate::kind::Kind;
use crate::options::{OptionsError, flag};

/// Shapes that are forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ban {
    /// No shape.
    None,
    /// Black's overlines, double fours and double threes, as in Renju.
    Renju,
    /// A straight four, to both sides.
    StraightFour,
    /// A double three.
    DoubleThree(Forbid33),
}

/// Sanction of a forbidden move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanction {
    /// The move cannot be made.
    Illegal,
    /// The move loses.
    Loss,
}

/// Captures: the stones that are captured when enclosed by the new stone and another own stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Captures {
    /// No stones.
    None,
    /// Two stones: they are removed.
    Pairs,
    /// Two or three stones: they are removed.
    PairsAndTriples,
    /// Two stones: they change their colour.
    Flip,
}

impl Captures {
    /// Reads the numbers of stones that Black and White have captured, as `2-4`.
    ///
    /// # Errors
    /// If these are not two numbers, or captures cannot add up to them.
    pub fn parse_numbers(self, text: &str) -> Result<[u16; 2], OptionsError> {
        let number = |text: &str| {
            let is_plain = text.bytes().all(|b| b.is_ascii_digit());
            text.parse::<u16>().ok().filter(|&stones| is_plain && stones < 1000 && self.can_be(stones))
        };
        let numbers = text.split_once('-').and_then(|(black, white)| Some([number(black)?, number(white)?]));
        let expected = match self {
            Captures::PairsAndTriples => "two numbers of stones below 1000, neither of them 1, as 2-3",
            Captures::None | Captures::Pairs | Captures::Flip => {
                "two even numbers of stones below 1000, as 2-4"
            }
        };
        numbers.ok_or(OptionsError::Value { name: "captured", expected })
    }

    /// Whether captures can add up to this number of stones.
    fn can_be(self, stones: u16) -> bool {
        match self {
            Captures::None => stones == 0,
            Captures::Pairs | Captures::Flip => stones.is_multiple_of(2),
            Captures::PairsAndTriples => stones != 1,
        }
    }
}

/// Opening rule: the points allowed for the first stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beginning {
    /// Anywhere.
    Free,
    /// The first stone is in the centre.
    Center,
    /// The first stone is in the centre, and the third outside the central 5x5.
    Pro,
}

/// The rules of a game of the family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The game.
    pub kind: Kind,
    /// Side length.
    pub size: Size,
    /// Rows that win, for each colour.
    pub rows: RuleKind,
    /// Forbidden moves.
    pub ban: Ban,
    /// Sanction of a forbidden move.
    pub sanction: Sanction,
    /// Captures.
    pub captures: Captures,
    /// Captured stones that win.
    pub captured_to_win: Option<u16>,
    /// Whether a five that a capture can break must survive one reply.
    pub perfect_five: bool,
    /// Whether the stone in the centre counts for the side to move (Bipartisan Renju).
    pub wild_center: bool,
    /// Whether each side has a bomb.
    pub bombs: bool,
    /// Rule of the opening: points for the first stones.
    pub beginning: Beginning,
    /// Number of stones that each side may place; `None` for no limit.
    pub stones: Option<u16>,
}

impl Rules {
    /// A game in which only rows of the rule win.
    pub const fn plain(kind: Kind, size: Size, rows: RuleKind) -> Rules {
        Rules {
            kind,
            size,
            rows,
            ban: Ban::None,
            sanction: Sanction::Illegal,
            captures: Captures::None,
            captured_to_win: None,
            perfect_five: false,
            wild_center: false,
            bombs: false,
            beginning: Beginning::Free,
            stones: None,
        }
    }

    /// Renju, the base of other games: fouls lose, 50 stones a side, the first stone in the centre.
    pub const fn renju_like(kind: Kind) -> Rules {
        Rules {
            ban: Ban::Renju,
            sanction: Sanction::Loss,
            beginning: Beginning::Center,
            stones: Some(50),
            ..Rules::plain(kind, Size::S15, RuleKind::Renju)
        }
    }

    /// Chooses an option.
    ///
    /// # Errors
    /// If the game has no such option, or the option no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionsError> {
        let wrong = |name, expected| OptionsError::Value { name, expected };
        match (name, self.kind) {
            ("stones", _) => self.stones = number("stones", value)?,
            ("opening", _) => {
                self.beginning = match value {
                    "free" => Beginning::Free,
                    "center" => Beginning::Center,
                    "pro" => Beginning::Pro,
                    _ => return Err(wrong("opening", "free, center or pro")),
                }
            }
            ("foul", _) if self.ban != Ban::None || self.kind == Kind::Ninuki => {
                self.sanction = match value {
                    "illegal" => Sanction::Illegal,
                    "loss" => Sanction::Loss,
                    _ => return Err(wrong("foul", "illegal or loss")),
                }
            }
            ("exact5", Kind::AntiRenju) => {
                self.rows = if flag("exact5", value)? { RuleKind::Standard } else { RuleKind::Freestyle };
            }
            ("captures_win", Kind::Repensi) => {
                self.captured_to_win = number("captures_win", value)?.map(|pairs| pairs.saturating_mul(2));
            }
            ("forbid33", Kind::Ninuki | Kind::Gomoku33) => {
                self.ban = match value {
                    "none" if self.kind == Kind::Ninuki => Ban::None,
                    "black" => Ban::DoubleThree(Forbid33::Black),
                    "both" => Ban::DoubleThree(Forbid33::Both),
                    _ if self.kind == Kind::Ninuki => return Err(wrong("forbid33", "none, black or both")),
                    _ => return Err(wrong("forbid33", "black or both")),
                }
            }
            ("perfect", Kind::Ninuki) => self.perfect_five = flag("perfect", value)?,
            _ => return Err(OptionsError::Unknown { kind: self.kind, name: name.to_owned() }),
        }
        Ok(())
    }

    /// The rules in words, beyond the name.
    pub fn describe(&self) -> String {
        let mut words = vec![self.size.to_string()];
        let mut note = |holds: bool, text: String| words.extend(holds.then_some(text));
        note(self.kind == Kind::AntiRenju && self.rows == RuleKind::Standard, "exactly five wins".into());
        note(self.ban != Ban::None && self.sanction == Sanction::Loss, "a foul loses".into());
        match self.ban {
            Ban::DoubleThree(ban) => note(true, format!("double threes forbidden to {ban}")),
            Ban::StraightFour => note(true, "straight fours forbidden".into()),
            Ban::None | Ban::Renju => {}
        }
        note(self.kind == Kind::Ninuki && !self.perfect_five, "any five wins at once".into());
        if let (Captures::Flip, Some(stones)) = (self.captures, self.captured_to_win) {
            note(true, format!("{} pairs win", stones / 2));
        }
        note(self.beginning == Beginning::Pro, "pro opening".into());
        if let Some(stones) = self.stones {
            note(true, format!("{stones} stones a side"));
        }
        words.join(", ")
    }
}

/// Reads a number of stones, or `none`.
fn number(name: &'static str, value: &str) -> Result<Option<u16>, OptionsError> {
    match value {
        "none" => Ok(None),
        _ => match value.parse() {
            Ok(number @ 1..) => Ok(Some(number)),
            _ => Err(OptionsError::Value { name, expected: "a number from 1 to 65535, or none" }),
        },
    }
}
