//! The rules in words.

use crate::kind::About;

/// Text that `games rules reversi` prints.
pub static ABOUT: About = About {
    name: "reversi",
    title: "Reversi (Othello): turn the discs that you enclose",
    size: 8,
    sizes: "even, 4 to 16",
    rules: "\
Board 8x8, or n x n with n even, 4 to 16. Columns are letters from the left, rows
numbers from the top. Black moves first.

A disc must turn at least one disc: every line of the opponent's discs that lies
between the new disc and another own disc, in any of the eight directions, is
turned. Discs that were turned turn nothing further. A side that has a move must
play one; a side that has none passes. The game ends when neither side has a move.
The side with more discs wins; an equal number is a draw. Empty squares are not
counted.

Options
  start=othello|parallel  the four discs of the beginning: equal colours on the
                          diagonals (d5 and e4 black) or side by side (White in
                          the upper row, Black in the lower)  [othello]
  anti=yes|no             fewer discs win  [no]
  hole=POINT              this square cannot be played, and nothing is captured
                          across it: it acts as an edge. None of the four squares
                          of the beginning  [none]

Sources: the article Reversi of the English Wikipedia: rules, sizes, the anti game,
the parallel start of other sizes, the variant with a black hole.
Readings: the source does not say which row is whose in the parallel start; all
choices are the same up to rotation, reflection and exchange of the colours' rows.
The hole of the source is drawn at random; here it is named.",
};
