//! The games that the main engine plays, so that every front end of this crate offers them too.

use kagetsu::game::{RuleKind, Size};

use super::super::rules::{Beginning, Rules};
use crate::kind::{About, Kind};

/// Renju; fouls lose. Without an opening rule.
pub const RENJU: Rules = Rules { beginning: Beginning::Free, stones: None, ..Rules::renju_like(Kind::Renju) };
/// Five or more wins.
pub const FREESTYLE: Rules = Rules::plain(Kind::Freestyle, Size::S15, RuleKind::Freestyle);
/// Exactly five wins.
pub const STANDARD: Rules = Rules::plain(Kind::Standard, Size::S15, RuleKind::Standard);

const SIZES: &str = "5 to 22";

/// Renju in words.
pub static ABOUT_RENJU: About = About {
    name: "renju",
    title: "Renju, played by the main engine",
    size: 15,
    sizes: SIZES,
    rules: "\
Black wins by exactly five in a row, White by five or more. Overlines, double fours
and double threes are forbidden to Black; a five has precedence. No opening rule.

Options
  foul=loss|illegal  a forbidden move loses, or cannot be played  [loss]
  stones=N|none      stones of each side  [none]
  opening=free|center|pro  the first stone in the centre, the third outside the
                     central 5x5  [free]

Source: The International Rules of Renju (RIF).",
};

/// Freestyle gomoku in words.
pub static ABOUT_FREESTYLE: About = About {
    name: "freestyle",
    title: "Gomoku, five or more wins, played by the main engine",
    size: 15,
    sizes: SIZES,
    rules: "\
Five or more in a row wins for both sides. Nothing is forbidden.

Options
  stones=N|none, opening=free|center|pro  as in renju  [none, free]",
};

/// Standard gomoku in words.
pub static ABOUT_STANDARD: About = About {
    name: "standard",
    title: "Gomoku, exactly five wins, played by the main engine",
    size: 15,
    sizes: SIZES,
    rules: "\
Exactly five in a row wins for both sides; six or more is nothing.

Options
  stones=N|none, opening=free|center|pro  as in renju  [none, free]",
};
