//! Bipartisan Renju.

use super::super::rules::Rules;
use crate::kind::{About, Kind};

/// Renju with a centre stone of both colours.
pub const RULES: Rules = Rules { wild_center: true, ..Rules::renju_like(Kind::Bipartisan) };

/// The rules in words.
pub static ABOUT: About = About {
    name: "bipartisan",
    title: "Bipartisan Renju: the stone in the centre is of both colours",
    size: 15,
    sizes: "odd, 5 to 21",
    rules: "\
Renju, in which the stone in the centre counts as Black's on Black's turn and as
White's on White's turn. Black begins there. On Black's turn this applies to fouls
too: overlines, fours and threes may contain the centre.

Options
  foul=loss|illegal        a forbidden move loses, or cannot be played  [loss]
  stones=N|none            stones of each side; no more stones is a draw  [50]
  opening=free|center|pro  where the first stones may be  [center]

Source: M. Carpignano, Astratti PerGioco 24 (July 2022); fouls as in Renju (RIF).
Readings: the centre counts among Black's stones. Only rows through the stone just
placed are looked at, which finds every row. A stone placed in the centre later on
(opening=free) may complete a row of the opponent, who then wins.",
};
