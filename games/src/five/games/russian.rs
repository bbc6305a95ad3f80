//! The Russian variant of gomoku.

use kagetsu::game::{RuleKind, Size};

use super::super::rules::{Beginning, Rules};
use crate::kind::{About, Kind};

/// Exactly five, with the third stone outside the centre.
pub const RULES: Rules =
    Rules { beginning: Beginning::Pro, ..Rules::plain(Kind::Russian, Size::S15, RuleKind::Standard) };

/// The rules in words.
pub static ABOUT: About = About {
    name: "russian",
    title: "Russian gomoku: exactly five, Black's second stone far from the centre",
    size: 15,
    sizes: "5 to 22",
    rules: "\
Exactly five in a row wins for both sides. Six or more do not win and are not
forbidden; double threes and double fours are allowed. Black begins in the centre,
White answers anywhere, Black's second stone must be outside the central 5x5.

Options
  stones=N|none            stones of each side; no more stones is a draw  [none]
  opening=free|center|pro  where the first stones may be  [pro]

Source: M. Carpignano, Astratti PerGioco 24 (July 2022), on V. Sapronov's variant.
Reading: the source states no limit of stones.",
};
