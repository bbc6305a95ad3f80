//! Errors in game files.

use std::fmt;

use super::Feature;
use kagetsu::game::{Error, Size};

/// Place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte of a binary file, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(n) => write!(f, "line {n}"),
            Place::Byte(n) => write!(f, "byte {n}"),
        }
    }
}

/// Reason why a file is not a game file of its format: the place, and the expected content.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ReadError {
    /// The place.
    pub place: Place,
    /// The problem.
    pub problem: String,
    /// Whether nothing after the error can be read. Otherwise only one game of several is wrong.
    pub fatal: bool,
}

impl ReadError {
    /// An error in a line, counted from 1.
    pub fn line(line: usize, problem: impl fmt::Display) -> ReadError {
        ReadError { place: Place::Line(line), problem: problem.to_string(), fatal: false }
    }

    /// An error at a byte, counted from 0.
    pub fn byte(offset: usize, problem: impl fmt::Display) -> ReadError {
        ReadError { place: Place::Byte(offset), problem: problem.to_string(), fatal: false }
    }

    /// The error of a file that cannot be read on.
    #[must_use]
    pub fn fatal(self) -> ReadError {
        ReadError { fatal: true, ..self }
    }
}

/// Reason why games cannot be written in a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// The format holds one game.
    #[error("it holds one game, and there {}", games(*.0))]
    Games(usize),
    /// The format is for other board sizes.
    #[error("it holds only {expected} boards, and this one is {size}")]
    Size {
        /// The game's board.
        size: Size,
        /// The size that the format has.
        expected: Size,
    },
    /// The format cannot store something that belongs to the game.
    #[error("it cannot hold {}", list(.0))]
    Essential(Vec<Feature>),
    /// The format has no place for something that may be left out.
    #[error("it cannot hold {}", list(.0))]
    Optional(Vec<Feature>),
    /// The format has no number for the game's rule, or the game has no rule and the format needs one.
    #[error("the format stores only these rules: {0}")]
    Rule(&'static str),
    /// A text cannot be written in this encoding.
    #[error("a text has characters that {0} lacks")]
    Charset(&'static str),
    /// The format has no place for something in this game.
    #[error("it cannot hold {0}")]
    Other(String),
    /// The game's own moves cannot be made.
    #[error("the game is impossible: {0}")]
    Position(Error),
}

fn list(features: &[Feature]) -> String {
    let names: Vec<_> = features.iter().map(|f| f.name()).collect();
    names.join(", ")
}

fn games(count: usize) -> String {
    if count == 0 { "is none".to_owned() } else { format!("are {count}: choose one") }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, ReadOptions};

    #[test]
    fn long_lines_are_quoted_in_part() {
        let long = "五".repeat(100_000);
        let is_short = |error: &str| error.contains("五…' ") && error.chars().count() < 150;
        for (format, before, after) in [
            (Format::Psq, "", "\n"),
            (Format::Psq, "Piskvorky 15x15, 11:11, 0\n8,8,0\n", "\n"),
            (Format::Psq, "Piskvorky 15x15, 11:11, 0\n8,8,0\na\n9,9,", "\n"),
            (Format::Psq, "Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n0\n", "\n"),
            (Format::Rec, "a\n9,9,", "\n"),
            (Format::Rec, "a\nb\n", "\n"),
            (Format::Rec, "a\nb\n-1\n", "\n"),
            (Format::Sav, "", "\n"),
            (Format::Sav, "15\n15\n1\n", "\n"),
            (Format::Sgf, "(;B[", "])"),
        ] {
            let text = format!("{before}{long}{after}");
            let error = format.read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
            assert!(is_short(&error), "{format}, {before:?}: {error:.300}");
        }
    }
}
