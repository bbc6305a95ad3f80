//! Ninuki-Renju.

use kagetsu::game::{Forbid33, RuleKind, Size};

use super::super::rules::{Ban, Beginning, Captures, Rules};
use crate::kind::{About, Kind};

/// Exactly five or five pairs, with perfect fives and Black's double threes forbidden.
pub const RULES: Rules = Rules {
    ban: Ban::DoubleThree(Forbid33::Black),
    captures: Captures::Pairs,
    captured_to_win: Some(10),
    perfect_five: true,
    beginning: Beginning::Center,
    ..Rules::plain(Kind::Ninuki, Size::S15, RuleKind::Standard)
};

/// The rules in words.
pub static ABOUT: About = About {
    name: "ninuki",
    title: "Ninuki-Renju: exactly five, or five captured pairs",
    size: 15,
    sizes: "5 to 22",
    rules: "\
Two stones of the opponent, next to each other in a line between the new stone and
another own stone, are captured and removed, in any of the eight directions and
several pairs at once. A stone may be placed between two of the opponent's without
being captured. Five captured pairs win. Exactly five in a row wins; six or more is
nothing. Black begins in the centre.

A five that the opponent can break by capturing a pair of it does not win yet: it
must survive one reply. If the reply leaves a five, it has won; a reply that
captures the fifth pair wins first. If a capture turns an overline of the opponent
into exactly five, the opponent wins; if that capture is also the fifth pair, the
game is a draw. A double three is forbidden to Black, unless the move captures.

Options
  perfect=yes|no            whether a five must survive a capture  [yes]
  forbid33=none|black|both  to whom double threes are forbidden  [black]
  foul=illegal|loss         a forbidden move cannot be played, or loses  [illegal]
  stones=N|none             stones of each side; no more stones is a draw  [none]
  opening=free|center|pro   where the first stones may be  [center]
The plain game of the first source is perfect=no with forbid33=none.

Sources: M. Carpignano, Astratti PerGioco 24 (July 2022); hannover-go.de/Ninuki;
the list of rules in forum thread 1710 of pente.org; gamerz.net/pbmserv/ninuki;
de.wikipedia.org/wiki/Ninuki-Renju.
Readings: the sources disagree on double threes (forbidden to Black, to all, or to
nobody). A three is one of gomoku with five or more, and a move that makes five or
more in a row is no double three. An own five comes before what a capture does to
the opponent's rows, unless it is the draw above; if the opponent breaks that five,
the row that the capture left to it counts.",
};
