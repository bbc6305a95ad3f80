//! The games by name: the register of all games.
//!
//! The register and its entries know each other: [`Kind::about`] finds a game's description in the game's own module, and
//! each game says its [`Kind`]. So do [`crate::options`] and [`crate::notation`], which know the games' options and state.

use std::fmt;
use std::str::FromStr;

/// A game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Renju.
    Renju,
    /// Gomoku, five or more wins.
    Freestyle,
    /// Gomoku, exactly five wins.
    Standard,
    /// The Russian variant of gomoku.
    Russian,
    /// Anti-Renju.
    AntiRenju,
    /// Bipartisan Renju.
    Bipartisan,
    /// Atomic Renju.
    Atomic,
    /// Repensi.
    Repensi,
    /// Ninuki-Renju.
    Ninuki,
    /// Pente.
    Pente,
    /// Keryo-Pente.
    KeryoPente,
    /// Gomoku in which double threes are forbidden.
    Gomoku33,
    /// Connect6.
    Connect6,
    /// Reversi, also called Othello.
    Reversi,
}

/// Description of a game.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Lower-case name, as the command line spells it.
    pub name: &'static str,
    /// In one line.
    pub title: &'static str,
    /// Side of the board where none is asked for.
    pub size: usize,
    /// The sides that a board may have, in words.
    pub sizes: &'static str,
    /// The rules in words, with their sources, the readings of what they leave open, and the options.
    pub rules: &'static str,
}

impl Kind {
    /// All games.
    pub const ALL: [Kind; 14] = [
        Kind::Renju,
        Kind::Freestyle,
        Kind::Standard,
        Kind::Russian,
        Kind::AntiRenju,
        Kind::Bipartisan,
        Kind::Atomic,
        Kind::Repensi,
        Kind::Ninuki,
        Kind::Pente,
        Kind::KeryoPente,
        Kind::Gomoku33,
        Kind::Connect6,
        Kind::Reversi,
    ];

    /// Returns its description.
    pub fn about(self) -> &'static About {
        match self {
            Kind::Connect6 => &crate::connect6::ABOUT,
            _ => crate::five::games::about(self).unwrap_or(&crate::reversi::ABOUT),
        }
    }

    /// Lower-case name, as the command line spells it.
    pub fn name(self) -> &'static str {
        self.about().name
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no game has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no game of this name; expected one of {}", Kind::ALL.map(Kind::name).join(", "))]
pub struct NoSuchGame;

impl FromStr for Kind {
    type Err = NoSuchGame;

    fn from_str(text: &str) -> Result<Kind, NoSuchGame> {
        Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(text)).ok_or(NoSuchGame)
    }
}
