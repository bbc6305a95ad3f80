//! Opening regulations for the help of [`super::openings`] and [`super::play`]: which there are, and how actions are written.

/// The regulations, for help texts.
pub const REGULATIONS: &str = "\
Regulations:
  plain                  the first stone in the centre; plain:free: anywhere
  rif                    an opening, a swap, stone 4, two fifths (1996-2008)
  swap-renju             the same with the stones put in turn (1989-95);
                         swap-renju:D13,I13 does not allow these openings
  yamaguchi              the number of fifths is declared with the opening
  soosorv:8              up to 8 fifths, declared with stone 4; two swaps
  tarannikov             a swap after each of five stones
  taraguchi:10           the same, or 10 fifths instead of stone 5
  super-taraguchi:10     the same in wider squares
  sakata                 stone 5 in the central 7x7 (from one secondary source)
  super-sakata           two stones of the opponent, then a choice of colour
  lianhuan               of the first five stones one or two at a time; after two
                         the opponent may swap (China, 2011)
  swap, swap1, swap2     three stones, one stone, three or five stones anywhere
  swap5                  a swap after each of five stones anywhere
  pro, longpro           stone 3 outside the central 5x5, 7x7";

/// The actions, for help texts.
pub const ACTIONS: &str = "
  h8 h9 i9               stones; D4 stands for an opening's three
  h8 h9 i9 declare 3     stones and a number of fifth moves
  keep, swap             colours
  offer g8 i7            points for the fifth stone, no two symmetric
  choose g8 i10          the fifth stone chosen, and the sixth";
