//! Help texts of [`super::openings`] and [`super::play`]: the list of opening regulations, and the notation
//! of actions.

/// The regulations, for help texts.
pub const REGULATIONS: &str = "\
Regulations (a swap is the right to exchange the colours; fifths are points offered
for the fifth stone, of which the opponent chooses one):
  plain                  the first stone in the centre; plain:free: anywhere
  rif                    one of the 26 openings, a swap, stone 4, two fifths
                         (1996-2008)
  swap-renju             as rif, with the opening's stones put in turn (1989-95);
                         swap-renju:D13,I13 does not allow these openings
  yamaguchi              as rif, with the number of fifths declared with the opening
  soosorv:8              as rif, with up to 8 fifths, declared with stone 4, and
                         another swap after stone 4
  tarannikov             a swap after each of five stones, in growing central squares
  taraguchi:10           as tarannikov; after stone 4 ten fifths anywhere may be
                         offered instead
  super-taraguchi:10     as taraguchi, in wider squares
  sakata                 as rif, with one fifth, in the central 7x7 (known from one
                         secondary source)
  super-sakata           one of the 26 openings, two stones of the opponent, then a
                         choice of colour or two more stones
  lianhuan               the players put the first five stones, one or two a turn;
                         after two the opponent may swap (China, 2011)
  swap                   three stones anywhere, a swap
  swap1                  one stone anywhere, a swap
  swap2                  three stones anywhere; then a colour, or two more stones and
                         the choice of the first player
  swap5                  a swap after each of five stones anywhere
  pro, longpro           stone 1 in the centre, stone 3 outside the central 5x5 (pro)
                         or 7x7 (longpro)
Other numbers of fifths are possible; a name without a number has the one above.";

/// The actions, for help texts.
pub const ACTIONS: &str = "
  h8 h9 i9               stones; D4 stands for an opening's three
  h8 h9 i9 declare 3     stones and a number of fifth moves
  keep, swap             colours
  offer g8 i7            points for the fifth stone, no two symmetric
  choose g8 i10          the chosen fifth stone, and the sixth";
