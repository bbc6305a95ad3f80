//! The games by name: the register of all games.
//!
//! The register and the games depend on each other: [`Kind::about`] finds the description in the game's own module, and
//! each game returns its [`Kind`]. [`crate::options`] and [`crate::notation`] depend on the games in the same way, for
//! their options and state.

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
    /// Summary in one line.
    pub title: &'static str,
    /// Default side length of the board.
    pub size: usize,
    /// The allowed side lengths, in words.
    pub sizes: &'static str,
    /// The rules in words, with their sources, our readings where the sources are silent, and the options.
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

/// Error: no game has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no game of this name; expected one of {}", Kind::ALL.map(Kind::name).join(", "))]
pub struct NoSuchGame;

impl FromStr for Kind {
    type Err = NoSuchGame;

    fn from_str(text: &str) -> Result<Kind, NoSuchGame> {
        Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(text)).ok_or(NoSuchGame)
    }
}
