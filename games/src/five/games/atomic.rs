//! Atomic Renju.

use super::super::rules::Rules;
use crate::kind::{About, Kind};

/// Renju with one bomb for each side.
pub const RULES: Rules = Rules { bombs: true, ..Rules::renju_like(Kind::Atomic) };

/// The rules in words.
pub static ABOUT: About = About {
    name: "atomic",
    title: "Atomic Renju: once a game, a stone that removes all stones around it",
    size: 15,
    sizes: "5 to 22",
    rules: "\
Renju, in which each player may once place a bomb: a stone of his colour that
removes all stones, of either colour, on the eight points next to it. Written @h8.
Black begins in the centre.

Options
  foul=loss|illegal        a forbidden move loses, or cannot be played  [loss]
  stones=N|none            stones of each side; no more stones is a draw  [50]
  opening=free|center|pro  where the first stones may be  [center]

Source: M. Carpignano, Astratti PerGioco 24 (July 2022); fouls as in Renju (RIF).
Readings: the bomb's own stone stays. Stones are removed first, then rows and fouls
are looked at: a bomb has no neighbours, so that it makes no row, and is a foul of
Black's only by broken fours or threes. A bomb among empty points is allowed and
used up. Removed stones go back to their owner, who may place them again. A bomb
may be used from the first move on.",
};
