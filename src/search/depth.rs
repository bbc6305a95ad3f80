//! Search depth in fractions of a ply, for reductions and extensions smaller than one ply.

/// A search depth in sixty-fourths of a ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Depth(i32);

impl Depth {
    /// The horizon: no depth left.
    pub const ZERO: Depth = Depth(0);

    /// Converts from whole plies.
    pub const fn plies(n: i32) -> Depth {
        Depth(n * 64)
    }

    /// Converts from sixty-fourths of a ply.
    pub const fn from_raw(raw: i32) -> Depth {
        Depth(raw)
    }

    /// Returns the depth in sixty-fourths of a ply.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Returns whole plies, rounded down.
    pub const fn floor(self) -> i32 {
        self.0 >> 6
    }
}

impl std::ops::Add for Depth {
    type Output = Depth;

    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl std::ops::Sub for Depth {
    type Output = Depth;

    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}
