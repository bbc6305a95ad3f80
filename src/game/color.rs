//! The two colours.

use std::fmt;
use std::ops::Not;

use super::quote::quoted;
use crate::invalid::Invalid;

/// A player's stones. Black moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The first player; the only one with fouls under Renju.
    Black,
    /// The second player.
    White,
}

impl Color {
    /// Both colours, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

impl std::str::FromStr for Color {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Color, Invalid> {
        match s.to_ascii_lowercase().as_str() {
            "black" | "x" | "b" => Ok(Color::Black),
            "white" | "o" | "w" => Ok(Color::White),
            _ => Err(format!("{} is not a colour: expected black or white", quoted(s)).into()),
        }
    }
}
