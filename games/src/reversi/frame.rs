//! The geometry of a board, and where discs can be placed and turned.

use super::bits::Bits;

/// Frame: the playable squares of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<B> {
    /// Side length, even.
    pub side: usize,
    /// All squares but the hole.
    pub squares: B,
    /// Squares that lie in neither the first nor the last column of the widest board: discs there can be turned along
    /// rows and diagonals. On narrower boards no disc is right of the last column, so that nothing wraps around.
    inner: B,
}

impl<B: Bits> Frame<B> {
    /// A board of a side length up to `B::STRIDE`, with or without a hole.
    pub fn new(side: usize, hole: Option<usize>) -> Frame<B> {
        let mut frame = Frame { side, squares: B::ZERO, inner: B::ZERO };
        for i in (0..side * side).map(|i| i / side * B::STRIDE + i % side) {
            frame.squares = frame.squares | B::bit(i);
            if !matches!(i % B::STRIDE, 0) && i % B::STRIDE != B::STRIDE - 1 {
                frame.inner = frame.inner | B::bit(i);
            }
        }
        if let Some(hole) = hole {
            frame.squares = frame.squares & !B::bit(hole);
        }
        frame
    }

    /// The four axes: the step of each, with the opponent's discs that can be turned along it.
    #[inline(always)]
    fn lines(&self, opponent: B) -> [(usize, B); 4] {
        let inner = opponent & self.inner;
        let w = B::STRIDE;
        [(1, inner), (w, opponent), (w + 1, inner), (w - 1, inner)]
    }

    /// Squares where the side with the discs `own` can move.
    #[inline]
    pub fn moves(&self, own: B, opponent: B) -> B {
        let mut found = B::ZERO;
        for (n, between) in self.lines(opponent) {
            let (mut up, mut down) = (own.up(n) & between, own.down(n) & between);
            for _ in 3..self.side {
                up = up | up.up(n) & between;
                down = down | down.down(n) & between;
            }
            found = found | up.up(n) | down.down(n);
        }
        found & self.squares & !(own | opponent)
    }

    /// Discs turned by a disc on square `i`.
    #[inline]
    pub fn turned(&self, own: B, opponent: B, i: usize) -> B {
        let (mut all, disc) = (B::ZERO, B::bit(i));
        for (n, between) in self.lines(opponent) {
            let (mut up, mut down) = (disc.up(n) & between, disc.down(n) & between);
            for _ in 3..self.side {
                up = up | up.up(n) & between;
                down = down | down.down(n) & between;
            }
            if up.up(n) & own != B::ZERO {
                all = all | up;
            }
            if down.down(n) & own != B::ZERO {
                all = all | down;
            }
        }
        all
    }
}
