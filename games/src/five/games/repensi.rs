//! Repensi.

use super::super::rules::{Captures, Rules};
use crate::kind::{About, Kind};

/// Renju with captures that change the colour.
pub const RULES: Rules = Rules { captures: Captures::Flip, ..Rules::renju_like(Kind::Repensi) };

/// The rules in words.
pub static ABOUT: About = About {
    name: "repensi",
    title: "Repensi: Renju in which enclosed pairs change their colour",
    size: 15,
    sizes: "5 to 22",
    rules: "\
Renju with the captures of Pente, but the stones are not removed: two stones of the
opponent, next to each other in a line between the new stone and another own stone,
change their colour, in any of the eight directions and several at once. A stone
may be placed between two of the opponent's without being captured. Black begins in
the centre.

Options
  captures_win=N|none      this number of captured pairs wins  [none]
  foul=loss|illegal        a forbidden move loses, or cannot be played  [loss]
  stones=N|none            stones of each colour on the board; no more is a draw  [50]
  opening=free|center|pro  where the first stones may be  [center]

Source: M. Carpignano, Astratti PerGioco 24 (July 2022); fouls as in Renju (RIF).
Readings: rows are looked for through the new stone and through every stone that
changed; any five of Black's wins before fouls count, and so does the last pair that
captures_win asks for. Only the new stone captures. Fouls are judged on the position
after the captures, for the new stone, and an overline through a stone that changed
is one too; what a three could become is judged without further captures. The source
names no number of captures that wins.",
};
