//! Gomoku in which only double threes are forbidden.

use kagetsu::game::{Forbid33, RuleKind, Size};

use super::super::rules::{Ban, Rules};
use crate::kind::{About, Kind};

/// Five or more wins, double threes are forbidden.
pub const RULES: Rules = Rules {
    ban: Ban::DoubleThree(Forbid33::Black),
    ..Rules::plain(Kind::Gomoku33, Size::S15, RuleKind::Freestyle)
};

/// The rules in words.
pub static ABOUT: About = About {
    name: "gomoku-33",
    title: "Gomoku of about 1900: five or more wins, double threes are forbidden",
    size: 15,
    sizes: "5 to 22",
    rules: "\
Five or more in a row wins for both sides. A double three is forbidden to Black (from
1903 on) or to both (1899), unless the move makes five. Double fours and overlines
are allowed.

Options
  forbid33=black|both      to whom double threes are forbidden  [black]
  foul=illegal|loss        a double three cannot be played, or loses  [illegal]
  stones=N|none            stones of each side; no more stones is a draw  [none]
  opening=free|center|pro  where the first stones may be  [free]

Source: T. Maltell, The rules of Renju and their history (renju.se).
Readings: a three and its extension as in today's rules of Renju, with five or more
in place of exactly five; a line counts once; a line that holds a four counts as a
four only; a stone that 131,072 others looked at do not show to be a double three
is none.",
};
