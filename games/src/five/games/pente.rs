//! Pente and Keryo-Pente.

use kagetsu::game::{RuleKind, Size};

use super::super::rules::{Beginning, Captures, Rules};
use crate::kind::{About, Kind};

const S19: Size = match Size::new(19) {
    Ok(size) => size,
    Err(_) => panic!("19 is a size of a board"),
};

/// Five or more, or five pairs.
pub const PENTE: Rules = Rules {
    captures: Captures::Pairs,
    captured_to_win: Some(10),
    beginning: Beginning::Pro,
    ..Rules::plain(Kind::Pente, S19, RuleKind::Freestyle)
};

/// Five or more, or fifteen stones in pairs and triples.
pub const KERYO: Rules = Rules {
    captures: Captures::PairsAndTriples,
    captured_to_win: Some(15),
    beginning: Beginning::Pro,
    ..Rules::plain(Kind::KeryoPente, S19, RuleKind::Freestyle)
};

/// Pente in words.
pub static ABOUT_PENTE: About = About {
    name: "pente",
    title: "Pente: five in a row, or five captured pairs",
    size: 19,
    sizes: "5 to 22",
    rules: "\
Two stones of the opponent, next to each other in a line between the new stone and
another own stone, are captured and removed, in any of the eight directions and
several pairs at once. A stone may be placed between two of the opponent's without
being captured. Five captured pairs win, and so do five or more in a row, at once.
The first player begins in the centre; the first player's second stone must be
outside the central 5x5 (tournament rule).

Options
  opening=free|center|pro  where the first stones may be  [pro]
  stones=N|none            stones of each side; no more stones is a draw  [none]

Source: G. Gabrel 1977; tournament rule as on pente.org.
Reading: the first player is Black here.",
};

/// Keryo-Pente in words.
pub static ABOUT_KERYO: About = About {
    name: "keryo-pente",
    title: "Keryo-Pente: Pente in which triples are captured too",
    size: 19,
    sizes: "5 to 22",
    rules: "\
Pente in which three stones in a row are captured as well as two, and fifteen
captured stones win instead of ten. Five or more in a row wins at once.

Options
  opening=free|center|pro  where the first stones may be  [pro]
  stones=N|none            stones of each side; no more stones is a draw  [none]

Source: R. Tesh 1983; rules as on pente.org.",
};
