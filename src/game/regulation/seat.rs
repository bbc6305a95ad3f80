//! The two players of an opening, whatever colour they have at the moment.

use std::fmt;

/// One of the players, whatever the colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// The player who sits as Black at the start.
    P1,
    /// The other player.
    P2,
}

impl Seat {
    /// 0 for the first player, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl std::ops::Not for Seat {
    type Output = Seat;

    fn not(self) -> Seat {
        match self {
            Seat::P1 => Seat::P2,
            Seat::P2 => Seat::P1,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Seat::P1 => "P1",
            Seat::P2 => "P2",
        })
    }
}
