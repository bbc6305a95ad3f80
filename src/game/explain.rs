//! Explanation of a black stone under Renju, whether legal or a foul: the verdict with all its grounds, as a tree.
//!
//! A node names the fives, overlines, fours and threes that the stone makes. Below each three stand its extension
//! points, each again with the node that says why it extends the three or does not.
//!
//! The tree would grow exponentially if every node went into every extension point. So only the first node does; the
//! nodes below it stop at the grounds that suffice for their verdict, and the tree ends at [`MOST_NODES`] nodes. The rules
//! give all verdicts ([`super::foul`]), so a tree that ends early shows the right ones too.

mod text;

use super::board::Board;
use super::color::Color;
use super::foul::{FoulKinds, FoulTables};
use super::level::Level;
use super::lines::Lines;
use super::point::{Direction, Point, PointSet, Size};
use super::rule::{Reading, Rule};
use super::rule_kind::Five;
use super::shape::{Shape, Window};

/// Largest number of nodes of which the threes are examined.
pub const MOST_NODES: usize = 500;

/// Verdict on a black stone on an empty point, with its grounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The point.
    pub point: Point,
    /// Conclusion from the grounds below.
    pub verdict: FoulVerdict,
    /// Exact fives. If there are any, they decide and nothing else is listed.
    pub fives: Vec<Row>,
    /// Rows of six or more.
    pub overlines: Vec<Row>,
    /// Fours, by their stones.
    pub fours: Vec<Four>,
    /// Threes by their stones, real or false.
    pub threes: Vec<Three>,
    /// Whether the threes are left unexamined because the tree has [`MOST_NODES`] nodes. The verdict counts them.
    pub is_cut: bool,
}

/// Verdict on a black stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoulVerdict {
    /// The stone wins, whatever else it makes.
    Five,
    /// The stone is forbidden, for at least one reason.
    Foul(FoulKinds),
    /// The stone may be played.
    Legal,
}

/// Contiguous stones in a line, the new one among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The line.
    pub direction: Direction,
    /// All stones of the row.
    pub stones: Vec<Point>,
}

/// Four stones that one more stone makes an exact five.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Four {
    /// The line.
    pub direction: Direction,
    /// The stones, the new one among them.
    pub stones: Vec<Point>,
    /// Points that complete the five: two for a straight four, else one.
    pub completions: Vec<Point>,
}

/// Three stones that one more stone makes a straight four.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Three {
    /// The line.
    pub direction: Direction,
    /// The stones, the new one among them.
    pub stones: Vec<Point>,
    /// The one or two points that make the straight four.
    pub extensions: Vec<Extension>,
}

/// A point that makes a three a straight four.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extension {
    /// The point.
    pub point: Point,
    /// Explanation of a stone there, with the three's stones on the board. `None` below the first level where the
    /// verdict does not need it: a lone three makes no double three, whether real or not; one legal extension makes a
    /// three real; and two real threes make a foul.
    pub reason: Option<Explanation>,
    /// Whether the extension makes the three real; `false` without an explanation.
    pub extends: bool,
}

impl Three {
    /// Returns whether the three is real, if that was examined.
    pub fn is_real(&self) -> Option<bool> {
        let asked = self.extensions.iter().any(|e| e.reason.is_some());
        asked.then(|| self.extensions.iter().any(|e| e.extends))
    }
}

impl<R: Rule> Board<R> {
    /// Explains the verdict of Renju on a black stone on the empty point `p`, whatever the board's own rule and side to
    /// move.
    pub fn explain(&self, p: Point) -> Explanation {
        Explainer::new(self).explain(p, true)
    }
}

/// The position under examination: the board's, plus the stones of the nodes above.
struct Explainer {
    lines: Lines,
    black: PointSet,
    size: Size,
    reading: Reading,
    judge: FoulTables,
    /// Number of nodes that may still be examined.
    left: usize,
}

impl Explainer {
    fn new<R: Rule>(board: &Board<R>) -> Explainer {
        Explainer {
            lines: board.lines().clone(),
            black: *board.stones_of(Color::Black),
            size: board.size(),
            reading: board.reading(),
            judge: FoulTables::new(board.reading()),
            left: MOST_NODES,
        }
    }

    /// Explains a stone on `p`. The first node examines every three, the nodes below only those that their
    /// verdict needs.
    fn explain(&mut self, p: Point, is_first: bool) -> Explanation {
        let shapes = self.lines.shapes(p, self.judge.shapes);
        let of_shape = |wanted: fn(Shape) -> bool| {
            Direction::ALL.into_iter().filter(move |&d| wanted(shapes.get(Color::Black, d)))
        };
        let fives: Vec<Row> = of_shape(|s| s == Shape::Five).map(|d| self.row(p, d)).collect();
        if !fives.is_empty() {
            let verdict = FoulVerdict::Five;
            let (overlines, fours, threes) = (Vec::new(), Vec::new(), Vec::new());
            return Explanation { point: p, verdict, fives, overlines, fours, threes, is_cut: false };
        }
        let overlines: Vec<Row> = of_shape(|s| s == Shape::Overline).map(|d| self.row(p, d)).collect();
        let fours: Vec<Four> = of_shape(|s| s.fours() > 0).flat_map(|d| self.fours(p, d)).collect();
        let mut threes: Vec<Three> = of_shape(Shape::is_three).map(|d| self.three(p, d)).collect();
        let kinds = self.judge.kinds(&mut self.lines, p, shapes);
        let verdict = if kinds.any() { FoulVerdict::Foul(kinds) } else { FoulVerdict::Legal };
        let is_cut = threes.len() >= 2 && self.left == 0;
        if is_first || threes.len() >= 2 && !is_cut {
            self.left = self.left.saturating_sub(1);
            self.toggle(p);
            if is_first {
                threes.iter_mut().flat_map(|three| &mut three.extensions).for_each(|e| self.examine(e));
            } else {
                self.examine_needed(kinds, &mut threes);
            }
            self.toggle(p);
        }
        Explanation { point: p, verdict, fives, overlines, fours, threes, is_cut }
    }

    /// Examines the extension points that prove the verdict of a stone on the board: a legal one of each real three, two
    /// such threes at most, and for a legal stone all of each false three.
    fn examine_needed(&mut self, kinds: FoulKinds, threes: &mut [Three]) {
        if kinds.any() && !kinds.double_three {
            return;
        }
        let mut real = 0;
        for Three { extensions, .. } in threes {
            if let Some(extension) = extensions.iter_mut().find(|e| self.is_legal_four(e.point)) {
                self.examine(extension);
                real += 1;
                if real == 2 {
                    break;
                }
            } else if !kinds.double_three {
                extensions.iter_mut().for_each(|e| self.examine(e));
            }
        }
    }

    /// Whether a three with this extension point is real by it.
    fn is_legal_four(&mut self, p: Point) -> bool {
        let shapes = self.lines.shapes(p, self.judge.shapes);
        match self.judge.level(shapes) {
            Level::Five => self.reading == Reading::FiveExtends,
            _ => !self.judge.is_foul(&mut self.lines, p, shapes),
        }
    }

    /// Explains an extension point of a three, whose stones are on the board.
    fn examine(&mut self, extension: &mut Extension) {
        let reason = self.explain(extension.point, false);
        extension.extends = match reason.verdict {
            FoulVerdict::Five => self.reading == Reading::FiveExtends,
            FoulVerdict::Foul(_) => false,
            FoulVerdict::Legal => true,
        };
        extension.reason = Some(reason);
    }

    fn toggle(&mut self, p: Point) {
        self.lines.toggle(p, Color::Black);
        self.black.toggle(p);
    }

    /// Returns the row that a stone on `p` is part of.
    fn row(&self, p: Point, direction: Direction) -> Row {
        let walk = |sign: i32| {
            (1..).map_while(move |n| {
                p.offset(direction, sign * n, self.size).filter(|&q| self.black.contains(q))
            })
        };
        let mut stones: Vec<Point> = walk(-1).chain([p]).chain(walk(1)).collect();
        stones.sort_by_key(|q| (q.x(), q.y()));
        Row { direction, stones }
    }

    /// The fours in one line of a stone on `p`.
    fn fours(&self, p: Point, direction: Direction) -> Vec<Four> {
        let mut fours: Vec<Four> = Vec::new();
        for (stones, completion) in self.window(p, direction).fours(Five::Exactly) {
            let stones = self.points(p, direction, stones);
            let completions = self.points(p, direction, completion);
            match fours.iter_mut().find(|four| four.stones == stones) {
                Some(four) => four.completions.extend(completions),
                None => fours.push(Four { direction, stones, completions }),
            }
        }
        fours
    }

    /// Returns the three in one line of a stone on `p`, without a verdict on its extensions.
    fn three(&self, p: Point, direction: Direction) -> Three {
        let mut three = Three { direction, stones: Vec::new(), extensions: Vec::new() };
        for (stones, extension) in self.window(p, direction).threes(Five::Exactly) {
            three.stones = self.points(p, direction, stones);
            let points = self.points(p, direction, extension).into_iter();
            three.extensions.extend(points.map(|point| Extension { point, reason: None, extends: false }));
        }
        three
    }

    fn window(&self, p: Point, direction: Direction) -> Window {
        self.lines.window_with_stone(p, direction, Color::Black)
    }

    /// The points of a window's cells, left to right or upwards.
    fn points(&self, p: Point, direction: Direction, cells: u32) -> Vec<Point> {
        let cells = (0..11).filter(|i| cells >> i & 1 != 0);
        cells.filter_map(|i| p.offset(direction, i - 5, self.size)).collect()
    }
}

#[cfg(test)]
mod tests;
