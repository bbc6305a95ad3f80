//! One level of the search stack: an attacker's turn, the fours tried there and the defender's replies.

use crate::game::{Color, Point, zobrist};

/// Most replies to one four: its completion, and one row end in each direction.
const MAX_REPLIES: usize = 5;

/// Replies in a fixed-size array.
#[derive(Clone, Copy, Default)]
pub(super) struct Replies {
    points: [Option<Point>; MAX_REPLIES],
    len: usize,
}

impl Replies {
    #[inline(always)]
    pub fn push(&mut self, p: Point) {
        self.points[self.len] = Some(p);
        self.len += 1;
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<Point> {
        self.len = self.len.checked_sub(1)?;
        self.points[self.len]
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Attacker's turn on the search stack.
pub(super) struct Frame {
    pub key: u64,
    /// Candidates not yet tried: `moves[first..end]`.
    pub first: usize,
    pub end: usize,
    /// Number of fours that the attacker may still play.
    pub fours: u8,
    /// Whether some line was given up because of that limit.
    pub cut: bool,
    /// The four being tried, the reply being refuted, and the replies still to be refuted.
    pub point: Point,
    pub reply: Point,
    pub waiting: Replies,
    /// Length of the longest line among the replies refuted so far; the line lies at the end of `Vcf::longest`.
    pub longest: usize,
}

impl Frame {
    #[inline(always)]
    pub fn new(key: u64, fours: u8, first: usize, end: usize) -> Frame {
        let none = Point::new(0, 0);
        let waiting = Replies::default();
        Frame { key, first, end, fours, cut: false, point: none, reply: none, waiting, longest: 0 }
    }

    /// Returns the key of the attacker's next turn.
    #[inline(always)]
    pub fn child_key(&self, point: Point, reply: Point, attacker: Color) -> u64 {
        self.key ^ zobrist::stone(point, attacker) ^ zobrist::stone(reply, !attacker)
    }
}
