//! Sets of squares as machine words: 64 bits for boards up to 8x8, 256 for those up to 16x16.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::mix::mix;

/// A set of squares; square `(x, y)` is bit `y * STRIDE + x`.
pub trait Bits:
    Copy
    + Eq
    + Send
    + Sync
    + std::fmt::Debug
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + 'static
{
    /// Bits from one row to the next, which is also the largest side length.
    const STRIDE: usize;
    /// The empty set.
    const ZERO: Self;

    /// The set of one square.
    fn bit(i: usize) -> Self;
    /// Each square moved to the one `n` numbers higher.
    fn up(self, n: usize) -> Self;
    /// Each square moved to the one `n` numbers lower.
    fn down(self, n: usize) -> Self;
    /// Number of squares.
    fn count(self) -> u32;
    /// The square of the lowest number.
    fn first(self) -> Option<usize>;
    /// The set as one word, if it is one.
    fn word(self) -> Option<u64>;
    /// A mixed key of the set.
    fn mix(self, seed: u64) -> u64;

    /// Whether it holds a square.
    fn has(self, i: usize) -> bool {
        self & Self::bit(i) != Self::ZERO
    }

    /// The squares, lowest number first.
    fn iter(self) -> Squares<Self> {
        Squares(self)
    }
}

/// The squares of a set, lowest number first.
#[derive(Clone, Copy, Debug)]
pub struct Squares<B>(B);

impl<B: Bits> Iterator for Squares<B> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let i = self.0.first()?;
        self.0 = self.0 ^ B::bit(i);
        Some(i)
    }
}

impl Bits for u64 {
    const STRIDE: usize = 8;
    const ZERO: u64 = 0;

    fn bit(i: usize) -> u64 {
        1 << i
    }
    fn up(self, n: usize) -> u64 {
        self << n
    }
    fn down(self, n: usize) -> u64 {
        self >> n
    }
    fn count(self) -> u32 {
        self.count_ones()
    }
    fn first(self) -> Option<usize> {
        (self != 0).then(|| self.trailing_zeros() as usize)
    }
    fn word(self) -> Option<u64> {
        Some(self)
    }
    fn mix(self, seed: u64) -> u64 {
        mix(self, seed)
    }
}

/// 256 squares: the lower and the higher 128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide(u128, u128);

macro_rules! bitwise {
    ($trait:ident, $method:ident, $op:tt) => {
        impl $trait for Wide {
            type Output = Wide;
            fn $method(self, other: Wide) -> Wide {
                Wide(self.0 $op other.0, self.1 $op other.1)
            }
        }
    };
}
bitwise!(BitAnd, bitand, &);
bitwise!(BitOr, bitor, |);
bitwise!(BitXor, bitxor, ^);

impl Not for Wide {
    type Output = Wide;
    fn not(self) -> Wide {
        Wide(!self.0, !self.1)
    }
}

impl Bits for Wide {
    const STRIDE: usize = 16;
    const ZERO: Wide = Wide(0, 0);

    fn bit(i: usize) -> Wide {
        if i < 128 { Wide(1 << i, 0) } else { Wide(0, 1 << (i - 128)) }
    }
    fn up(self, n: usize) -> Wide {
        Wide(self.0 << n, self.1 << n | self.0 >> (128 - n))
    }
    fn down(self, n: usize) -> Wide {
        Wide(self.0 >> n | self.1 << (128 - n), self.1 >> n)
    }
    fn count(self) -> u32 {
        self.0.count_ones() + self.1.count_ones()
    }
    fn first(self) -> Option<usize> {
        if self.0 != 0 {
            Some(self.0.trailing_zeros() as usize)
        } else {
            (self.1 != 0).then(|| 128 + self.1.trailing_zeros() as usize)
        }
    }
    fn word(self) -> Option<u64> {
        None
    }
    fn mix(self, seed: u64) -> u64 {
        [self.0, self.0 >> 64, self.1, self.1 >> 64].into_iter().fold(seed, |key, word| mix(word as u64, key))
    }
}
