//! Actions of a player in an opening, and how they are written.
//!
//! | action | written |
//! |---|---|
//! | stones | `h8 h9 i9`, `D4` |
//! | stones and a number of fifth moves | `h8 h9 i9 declare 3` |
//! | keep or swap colours | `keep`, `swap` |
//! | points for the fifth stone | `offer g8 i7` |
//! | the fifth stone chosen, and the sixth | `choose g8 i10` |
//! | pass, which no opening allows | `pass` |

use std::fmt;

use crate::game::Error;
use crate::game::notation::{NotationError, moves};
use crate::game::point::{Point, Size};
use crate::game::position::Move;
use crate::game::quote::quoted;

/// A player's action at one step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Put stones, one after another, of alternating colours.
    Place {
        /// The stones in their order.
        stones: Vec<Point>,
        /// The number of fifth moves that Black shall offer, where the regulation asks for one.
        declare: Option<usize>,
    },
    /// Leave the colours as they are.
    Keep,
    /// Exchange the colours of the players; the stones stay.
    Swap,
    /// Offer points for the fifth stone.
    Offer(Vec<Point>),
    /// Choose one of the points offered, and put the sixth stone.
    Choose {
        /// The fifth stone, Black's.
        fifth: Point,
        /// The sixth stone, White's.
        sixth: Point,
    },
    /// No stone. Refused until the opening is over.
    Pass,
}

/// Reason why a text is not an action.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActionError {
    /// The points are wrong.
    #[error(transparent)]
    Points(#[from] NotationError),
    /// The same point again.
    #[error("{0} is named twice")]
    Twice(Point),
    /// A pass among points.
    #[error("a pass among stones: expected points only")]
    Pass,
    /// The text is empty.
    #[error("expected stones, keep, swap, offer or choose")]
    Nothing,
    /// No number after `declare`.
    #[error("{} is not a number of fifth moves: expected declare N", quoted(.0))]
    Number(String),
    /// `choose` without exactly two points.
    #[error("choose takes two points, the fifth stone and the sixth, not {0}")]
    Choose(usize),
}

impl Action {
    /// Stones without a number.
    pub fn place(stones: impl Into<Vec<Point>>) -> Action {
        Action::Place { stones: stones.into(), declare: None }
    }

    /// Reads an action as it is written.
    ///
    /// # Errors
    /// Says what is wrong with the text; whether the action is legal is another question.
    pub fn parse(text: &str, size: Size) -> Result<Action, ActionError> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => Err(ActionError::Nothing),
            ("keep", "") => Ok(Action::Keep),
            ("swap", "") => Ok(Action::Swap),
            ("pass", "") => Ok(Action::Pass),
            ("offer", rest) => Ok(Action::Offer(points(rest, size)?)),
            ("choose", rest) => match points(rest, size)?[..] {
                [fifth, sixth] => Ok(Action::Choose { fifth, sixth }),
                ref other => Err(ActionError::Choose(other.len())),
            },
            _ => match find_word(text, "declare") {
                Some((stones, number)) => {
                    let number = number.trim();
                    let declare = Some(number.parse().map_err(|_| ActionError::Number(number.to_string()))?);
                    Ok(Action::Place { stones: points(stones, size)?, declare })
                }
                None => Ok(Action::place(points(text, size)?)),
            },
        }
    }

    /// The action in three words at most, for messages.
    pub(super) fn kind(&self) -> String {
        match self {
            Action::Place { stones, .. } if stones.len() == 1 => "put a stone".to_string(),
            Action::Place { stones, .. } => format!("put {} stones", stones.len()),
            Action::Keep => "keep".to_string(),
            Action::Swap => "swap".to_string(),
            Action::Offer(_) => "offer points".to_string(),
            Action::Choose { .. } => "choose".to_string(),
            Action::Pass => "pass".to_string(),
        }
    }
}

/// Splits a text around a word in any case.
fn find_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    // Lower case of ASCII keeps every byte in its place.
    let start = text.to_ascii_lowercase().find(word)?;
    Some((text.get(..start)?, text.get(start + word.len()..)?))
}

/// Points in the order they are written.
fn points(text: &str, size: Size) -> Result<Vec<Point>, ActionError> {
    let position = moves::parse(text, size).map_err(|error| match error {
        NotationError::Move { error: Error::Occupied(p), .. } => ActionError::Twice(p),
        other => other.into(),
    })?;
    position.moves().iter().map(|m| m.point().ok_or(ActionError::Pass)).collect()
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Place { stones, declare } => {
                write!(f, "{}", joined(stones, " "))?;
                declare.map_or(Ok(()), |number| write!(f, " declare {number}"))
            }
            Action::Keep => f.write_str("keep"),
            Action::Swap => f.write_str("swap"),
            Action::Offer(points) => write!(f, "offer {}", joined(points, " ")),
            Action::Choose { fifth, sixth } => write!(f, "choose {fifth} {sixth}"),
            Action::Pass => f.write_str("pass"),
        }
    }
}

/// Points in a row.
pub(super) fn joined(points: &[Point], separator: &str) -> String {
    points.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}

impl From<Move> for Action {
    fn from(m: Move) -> Action {
        m.point().map_or(Action::Pass, |p| Action::place([p]))
    }
}
