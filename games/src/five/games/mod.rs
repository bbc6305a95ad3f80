//! The games of the family: one file each, with the rules in words, their sources and readings.

mod anti_renju;
mod atomic;
mod bipartisan;
mod gomoku;
mod gomoku33;
mod ninuki;
mod pente;
mod repensi;
mod russian;

use super::rules::Rules;
use crate::kind::{About, Kind};

/// Returns the rules of a game at its usual size; `None` if it is not of the family.
pub fn rules(kind: Kind) -> Option<Rules> {
    Some(match kind {
        Kind::Renju => gomoku::RENJU,
        Kind::Freestyle => gomoku::FREESTYLE,
        Kind::Standard => gomoku::STANDARD,
        Kind::Russian => russian::RULES,
        Kind::AntiRenju => anti_renju::RULES,
        Kind::Bipartisan => bipartisan::RULES,
        Kind::Atomic => atomic::RULES,
        Kind::Repensi => repensi::RULES,
        Kind::Ninuki => ninuki::RULES,
        Kind::Pente => pente::PENTE,
        Kind::KeryoPente => pente::KERYO,
        Kind::Gomoku33 => gomoku33::RULES,
        Kind::Connect6 | Kind::Reversi => return None,
    })
}

/// Returns the description of a game of the family; `None` if it is not one.
pub fn about(kind: Kind) -> Option<&'static About> {
    Some(match kind {
        Kind::Renju => &gomoku::ABOUT_RENJU,
        Kind::Freestyle => &gomoku::ABOUT_FREESTYLE,
        Kind::Standard => &gomoku::ABOUT_STANDARD,
        Kind::Russian => &russian::ABOUT,
        Kind::AntiRenju => &anti_renju::ABOUT,
        Kind::Bipartisan => &bipartisan::ABOUT,
        Kind::Atomic => &atomic::ABOUT,
        Kind::Repensi => &repensi::ABOUT,
        Kind::Ninuki => &ninuki::ABOUT,
        Kind::Pente => &pente::ABOUT_PENTE,
        Kind::KeryoPente => &pente::ABOUT_KERYO,
        Kind::Gomoku33 => &gomoku33::ABOUT,
        Kind::Connect6 | Kind::Reversi => return None,
    })
}
