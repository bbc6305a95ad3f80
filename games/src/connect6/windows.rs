//! The windows of six points and their contents, updated incrementally with each stone.
//!
//! A window without a stone of the other side can still become six in a row: it is open. Per side the following are
//! kept: the worth of the open windows, their number by stones, the windows that a turn of two stones completes
//! (threats), and for each point a summary of the open windows through it. A stone changes at most 24 windows.

use kagetsu::game::{Color, Direction, POINTS, Point, Size};

use super::ROW;

/// Worth of an open window by its stones; six have ended the game.
const WORTH: [i32; ROW + 1] = [0, 2, 7, 18, 45, 50, 0];
/// Least number of stones in a threat: a turn of two stones completes the window.
pub const THREAT: usize = 4;

/// Promise: the gain of a stone on a point for one side. The lower half holds the worth of the open windows
/// through the point once the stone is there. The upper half holds four numbers of eight bits: the windows
/// that have 2, 3, 4 and 5 stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Promise(u64);

impl Promise {
    /// Contribution of a window with this number of stones.
    const fn of(stones: usize) -> Promise {
        let gain = match stones {
            1..THREAT => WORTH[stones + 1] as u64,
            THREAT | 5 => WORTH[5] as u64,
            _ => 0,
        };
        let count = if stones >= 2 && stones < ROW { 1 << (16 + 8 * stones) } else { 0 };
        Promise(gain | count)
    }

    /// Worth of the windows.
    pub fn worth(self) -> i32 {
        self.0 as u32 as i32
    }

    /// Whether a window through the point has at least this number of stones, 2 to 5.
    pub fn has(self, stones: usize) -> bool {
        self.0 >> (16 + 8 * stones) != 0
    }
}

const PROMISE: [Promise; ROW + 1] = {
    let mut table = [Promise(0); ROW + 1];
    let mut stones = 0;
    while stones <= ROW {
        table[stones] = Promise::of(stones);
        stones += 1;
    }
    table
};

/// Threat: the empty points of a window where it can be stopped. A single empty point is stored twice.
pub type Threat = [Point; 2];

const WINDOWS: usize = 4 * POINTS;

/// The windows of a board, numbered by direction and first point.
#[derive(Clone)]
pub struct Windows {
    size: Size,
    /// Stones of both sides.
    stones: Vec<[u8; 2]>,
    promise: [Vec<Promise>; 2],
    worth: [i32; 2],
    /// Number of open windows by stones.
    open: [[u16; ROW + 1]; 2],
    /// Open windows with [`THREAT`] stones or more, one bit each.
    threats: [[u64; WINDOWS / 64]; 2],
}

impl Windows {
    /// Windows of an empty board.
    pub fn new(size: Size) -> Windows {
        Windows {
            size,
            stones: vec![[0; 2]; WINDOWS],
            promise: [vec![Promise::default(); POINTS], vec![Promise::default(); POINTS]],
            worth: [0; 2],
            open: [[0; ROW + 1]; 2],
            threats: [[0; WINDOWS / 64]; 2],
        }
    }

    /// Places a stone on an empty point.
    pub fn place(&mut self, p: Point, color: Color) {
        let (own, other) = (color.index(), (!color).index());
        self.through(p, |windows, window, d| {
            let (m, n) = (windows.stones[window][own], windows.stones[window][other]);
            windows.stones[window][own] += 1;
            match (m, n) {
                (_, 0) => windows.change(own, window, d, m, m + 1),
                (0, _) => windows.change(other, window, d, n, 0),
                _ => {}
            }
        });
    }

    /// Removes a stone.
    pub fn remove(&mut self, p: Point, color: Color) {
        let (own, other) = (color.index(), (!color).index());
        self.through(p, |windows, window, d| {
            windows.stones[window][own] -= 1;
            let (m, n) = (windows.stones[window][own], windows.stones[window][other]);
            match (m, n) {
                (_, 0) => windows.change(own, window, d, m + 1, m),
                (0, _) => windows.change(other, window, d, 0, n),
                _ => {}
            }
        });
    }

    /// Calls `act` with each window through a point.
    #[inline]
    fn through(&mut self, p: Point, mut act: impl FnMut(&mut Windows, usize, Direction)) {
        let last = self.size.side() - 1;
        let (x, y) = (p.x(), p.y());
        for d in Direction::ALL {
            // Points of the line before and after this one.
            let (before, after) = match d {
                Direction::Horizontal => (x, last - x),
                Direction::Vertical => (y, last - y),
                Direction::Rising => (x.min(y), (last - x).min(last - y)),
                Direction::Falling => (x.min(last - y), (last - x).min(y)),
            };
            for back in (ROW - 1).saturating_sub(after)..=before.min(ROW - 1) {
                let first = p.index().wrapping_add_signed(-(back as isize) * d.step());
                act(self, d as usize * POINTS + first, d);
            }
        }
    }

    /// Updates the counts for a window of a side whose number of stones changes from `from` to `to`. A closed window
    /// counts as one with 0 stones.
    #[inline]
    fn change(&mut self, side: usize, window: usize, d: Direction, from: u8, to: u8) {
        let (from, to) = (usize::from(from), usize::from(to));
        self.worth[side] += WORTH[to] - WORTH[from];
        self.open[side][from] = self.open[side][from].wrapping_sub(1);
        self.open[side][to] = self.open[side][to].wrapping_add(1);
        if from.max(to) >= THREAT {
            let bit = 1 << (window % 64);
            let word = &mut self.threats[side][window / 64];
            *word = if (THREAT..ROW).contains(&to) { *word | bit } else { *word & !bit };
        }
        let difference = PROMISE[to].0.wrapping_sub(PROMISE[from].0);
        let first = window % POINTS;
        for n in 0..ROW {
            let promise = &mut self.promise[side][first.wrapping_add_signed(n as isize * d.step())];
            promise.0 = promise.0.wrapping_add(difference);
        }
    }

    /// Whether a window is full of a side's stones.
    pub fn has_row(&self, color: Color) -> bool {
        self.open[color.index()][ROW] > 0
    }

    /// Number of open windows with this number of stones, at least 1.
    pub fn open(&self, color: Color, stones: usize) -> u16 {
        self.open[color.index()][stones]
    }

    /// Whether a turn of two stones would complete a window.
    pub fn has_threat(&self, color: Color) -> bool {
        let open = &self.open[color.index()];
        open[THREAT] + open[THREAT + 1] > 0
    }

    /// Worth of the open windows.
    pub fn worth(&self, color: Color) -> i32 {
        self.worth[color.index()]
    }

    /// Returns the gain of a stone on the empty point `p`.
    #[inline]
    pub fn promise(&self, color: Color, p: Point) -> Promise {
        self.promise[color.index()][p.index()]
    }

    /// Replaces `list` by the threats of a side.
    pub fn threats(&self, color: Color, is_empty: impl Fn(Point) -> bool, list: &mut Vec<Threat>) {
        list.clear();
        for (i, &word) in self.threats[color.index()].iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let window = i * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                let step = Direction::ALL[window / POINTS].step();
                let point = |n: usize| (window % POINTS).wrapping_add_signed(n as isize * step);
                let mut empty = (0..ROW).filter_map(|n| Point::from_index(point(n))).filter(|&p| is_empty(p));
                if let Some(first) = empty.next() {
                    list.push([first, empty.next().unwrap_or(first)]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kagetsu::random::{Random, RngExt, SeedableRng};

    use super::*;

    /// Counts everything anew from the stones, to compare with the incremental update.
    fn counted(size: Size, stones: &[(Point, Color)]) -> ([i32; 2], [[u16; ROW + 1]; 2], Vec<[u64; 2]>) {
        let (mut worth, mut open) = ([0; 2], [[0; ROW + 1]; 2]);
        let mut promise = vec![[0; 2]; POINTS];
        for d in Direction::ALL {
            for first in size.points() {
                let window: Option<Vec<Point>> = (0..ROW as i32).map(|n| first.offset(d, n, size)).collect();
                let Some(window) = window else { continue };
                let of = |color| stones.iter().filter(|(p, c)| *c == color && window.contains(p)).count();
                let counts = Color::BOTH.map(of);
                for side in [0, 1] {
                    if counts[1 - side] == 0 && counts[side] > 0 {
                        worth[side] += WORTH[counts[side]];
                        open[side][counts[side]] += 1;
                        window.iter().for_each(|p| promise[p.index()][side] += PROMISE[counts[side]].0);
                    }
                }
            }
        }
        (worth, open, promise)
    }

    #[test]
    fn windows_are_kept_up_to_date() {
        let size = Size::new(9).unwrap();
        let mut random = Random::seed_from_u64(6);
        let mut windows = Windows::new(size);
        let mut stones: Vec<(Point, Color)> = Vec::new();
        for _ in 0..300 {
            if stones.len() < 40 && random.random_ratio(2, 3) {
                let p = Point::new(random.random_range(0..9), random.random_range(0..9));
                if !stones.iter().any(|(q, _)| *q == p) {
                    let color = if random.random_ratio(1, 2) { Color::Black } else { Color::White };
                    stones.push((p, color));
                    windows.place(p, color);
                }
            } else if let Some((p, color)) = stones.pop() {
                windows.remove(p, color);
            }
            let (worth, open, promise) = counted(size, &stones);
            for color in Color::BOTH {
                let side = color.index();
                assert_eq!(windows.worth(color), worth[side]);
                (1..=ROW).for_each(|n| assert_eq!(windows.open(color, n), open[side][n]));
                assert_eq!(windows.has_row(color), open[side][ROW] > 0);
                size.points().for_each(|p| assert_eq!(windows.promise(color, p).0, promise[p.index()][side]));
                let mut threats = Vec::new();
                windows.threats(color, |p| !stones.iter().any(|(q, _)| *q == p), &mut threats);
                assert_eq!(threats.len(), usize::from(open[side][4] + open[side][5]));
            }
        }
    }
}
