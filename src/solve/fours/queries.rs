//! Queries on windows: fives, fours, and the points that stop them.

use super::windows::{Bits, MARGIN, cells, containing, half, lone_windows, point_at};
use super::{Fours, LineSet};
use crate::game::{Color, Direction, LINES, Point, PointSet, Rule, locate};

/// A move that makes a four, as the lines alone show it (not checked for fouls).
#[derive(Clone, Copy)]
pub struct FourMove {
    pub point: Point,
    /// One point that completes the five.
    pub completion: Point,
    /// Number of points that complete it.
    pub completions: u32,
    /// Ordering score: how much else the move does.
    pub score: i32,
}

impl<R: Rule> Fours<R> {
    /// Returns whether a stone of `color` could make a five now.
    #[inline(always)]
    pub fn has_five(&self, color: Color) -> bool {
        let [a, b, c, d] = self.summary.one[color.index()];
        a | b | c | d != 0
    }

    /// Returns the points where a stone of `color` makes a five.
    pub fn five_points(&self, color: Color) -> PointSet {
        self.collect(&self.summary.one[color.index()], |d, line| half(self.lines[d][line].one, color))
    }

    #[inline(always)]
    fn empty_cells(&self, d: usize, line: usize) -> u32 {
        let word = self.lines[d][line].stones | self.walls[d][line];
        !(word as u32 | (word >> 32) as u32)
    }

    /// Returns the four that a stone of `color` on the empty point `p` makes, with the direction of the first one.
    #[inline(always)]
    pub fn four_at(&self, p: Point, color: Color) -> Option<(FourMove, usize)> {
        let mut first = None;
        let mut completions = 0;
        let mut score = 0;
        for d in 0..4 {
            let (line, cell) = locate(p, d);
            let bit = cell as u32 + MARGIN;
            let here = &self.lines[d][line];
            let fours = containing(half(here.two, color), bit);
            if fours != 0 {
                let found = cells(fours) & self.empty_cells(d, line) & !(1 << bit);
                completions += found.count_ones();
                first = first.or(Some((point_at(d, line, found.trailing_zeros()), d)));
            }
            score += containing(half(here.three, color), bit).count_ones() as i32;
        }
        let (completion, d) = first?;
        Some((FourMove { point: p, completion, completions, score }, d))
    }

    /// Calls `f` once for every move of `color` that makes a four.
    #[inline(always)]
    pub fn for_each_four(&self, color: Color, mut f: impl FnMut(FourMove)) {
        for d in 0..4 {
            for line in Bits(self.summary.two[color.index()][d]) {
                let line = line as usize;
                let mut found = cells(half(self.lines[d][line].two, color)) & self.empty_cells(d, line);
                while found != 0 {
                    let p = point_at(d, line, found.trailing_zeros());
                    found &= found - 1;
                    if let Some((candidate, first)) = self.four_at(p, color)
                        && first == d
                    {
                        f(candidate);
                    }
                }
            }
        }
    }

    /// Returns the empty points in the windows of a line that `pick` selects, over all lines.
    #[inline(always)]
    fn collect(&self, lines: &LineSet, pick: impl Fn(usize, usize) -> u32) -> PointSet {
        let mut points = PointSet::EMPTY;
        for (d, &set) in lines.iter().enumerate() {
            for line in Bits(set) {
                let line = line as usize;
                let mut found = cells(pick(d, line)) & self.empty_cells(d, line);
                while found != 0 {
                    points.insert(point_at(d, line, found.trailing_zeros()));
                    found &= found - 1;
                }
            }
        }
        points
    }

    /// Returns the points where a stone of `color` makes a four.
    pub fn four_points(&self, color: Color) -> PointSet {
        self.collect(&self.summary.two[color.index()], |d, line| half(self.lines[d][line].two, color))
    }

    /// Returns the empty points that share an open window with at least `stones` stones of `color`, one or two.
    pub fn growth_points(&self, color: Color, stones: usize) -> PointSet {
        let all = [(1 << LINES) - 1; 4];
        self.collect(&all, |d, line| {
            let here = &self.lines[d][line];
            let many = half(here.three | here.two, color);
            if stones > 1 {
                many
            } else {
                many | half(lone_windows::<R>(here.stones, self.walls[d][line]), color)
            }
        })
    }

    /// Returns the number of open windows with two stones of `color` that contain `p`.
    pub fn growth_at(&self, p: Point, color: Color) -> u32 {
        (0..4)
            .map(|d| {
                let (line, cell) = locate(p, d);
                containing(half(self.lines[d][line].three, color), cell as u32 + MARGIN).count_ones()
            })
            .sum()
    }

    /// Returns whether `p` is empty.
    pub fn is_empty_point(&self, p: Point) -> bool {
        let (line, cell) = locate(p, 0);
        self.empty_cells(0, line) >> (cell as u32 + MARGIN) & 1 != 0
    }

    /// Returns whether a stone of `color` on the empty point `p` makes a four.
    #[inline(always)]
    pub fn makes_four(&self, p: Point, color: Color) -> bool {
        (0..4).any(|d| {
            let (line, cell) = locate(p, d);
            containing(half(self.lines[d][line].two, color), cell as u32 + MARGIN) != 0
        })
    }

    /// Returns whether the empty point `p` is a foul for `color`, or looks like one so that stones elsewhere may decide
    /// it.
    pub fn is_suspect(&self, p: Point, color: Color) -> bool {
        R::fouls(color) && self.fouls.level(self.keys.shapes(p, self.fouls.shapes)).is_suspect()
    }

    /// Returns whether the empty point `p` is a foul for `color`.
    #[inline(always)]
    pub fn is_foul(&mut self, p: Point, color: Color) -> bool {
        if !R::fouls(color) {
            return false;
        }
        let shapes = self.keys.shapes(p, self.fouls.shapes);
        self.fouls.is_foul(&mut self.keys, p, shapes)
    }

    /// Returns whether `color` has a legal move.
    pub fn has_legal_move(&mut self, color: Color) -> bool {
        self.size.points().any(|p| self.is_empty_point(p) && !self.is_foul(p, color))
    }

    /// Returns the legal points where the opponent of `color`, which threatens fives, stops all of them.
    pub fn answers(&mut self, color: Color) -> PointSet {
        let fives = self.five_points(color);
        let Some(five) = fives.first() else { return PointSet::EMPTY };
        let mut points = PointSet::from_iter([five]);
        if R::CLOSABLE {
            points = points | self.closing_points(five, color);
        }
        let stops = |p: &Point| {
            self.play(*p, !color);
            let stopped = !self.has_five(color);
            self.undo();
            stopped && !self.is_foul(*p, !color)
        };
        points.iter().filter(stops).collect()
    }

    /// Returns the points besides `p` that may stop a five on `p`, under rules in which a row closed at both ends does
    /// not win: the free end of a row whose other end the opponent holds. Some of them may not help.
    pub fn closing_points(&self, p: Point, color: Color) -> PointSet {
        let mut points = PointSet::EMPTY;
        for d in Direction::ALL {
            let (line, cell) = locate(p, d as usize);
            let here = &self.lines[d as usize][line];
            let theirs = half(here.stones, !color);
            let empty = self.empty_cells(d as usize, line);
            let mut found = containing(half(here.one, color), cell as u32 + MARGIN);
            while found != 0 {
                let start = found.trailing_zeros();
                found &= found - 1;
                for (closed, free) in [(start - 1, start + 5), (start + 5, start - 1)] {
                    if theirs >> closed & 1 != 0 && empty >> free & 1 != 0 {
                        points.insert(point_at(d as usize, line, free));
                    }
                }
            }
        }
        points
    }
}
