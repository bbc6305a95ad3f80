//! Anti-Renju (S. Zanchenko, 1987).

use kagetsu::game::{RuleKind, Size};

use super::super::rules::{Ban, Beginning, Rules};
use crate::kind::{About, Kind};

/// Straight fours are forbidden, everything else is free.
pub const RULES: Rules = Rules {
    ban: Ban::StraightFour,
    beginning: Beginning::Center,
    stones: Some(50),
    ..Rules::plain(Kind::AntiRenju, Size::S15, RuleKind::Freestyle)
};

/// The rules in words.
pub static ABOUT: About = About {
    name: "anti-renju",
    title: "Anti-Renju: straight fours are forbidden to both sides",
    size: 15,
    sizes: "5 to 22",
    rules: "\
No restriction of Renju holds for Black. A straight four, four in an unbroken row
that can become a five at either end, is forbidden to both sides. Five or more in a
row wins; a move that makes five is always allowed. Black begins in the centre.

Options
  foul=illegal|loss        a straight four cannot be played, or loses  [illegal]
  exact5=yes|no            exactly five wins; a row that could only become six at
                           one end is then no straight four  [no]
  stones=N|none            stones of each side; no more stones is a draw  [50]
  opening=free|center|pro  where the first stones may be  [center]

Source: M. Carpignano, Astratti PerGioco 24 (July 2022), on S. Zanchenko's game.
Readings: the source does not say what a straight four costs; only one through the
new stone can be made; without restrictions an overline is a row that wins. Broken
fours and double fours are allowed. Where every empty point is forbidden, the game
is a draw.",
};
