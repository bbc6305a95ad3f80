//! Why a black stone is legal or a foul under Renju: the verdict with all its grounds, as a tree.
//!
//! A node names the fives, overlines, fours and threes that the stone makes. Below each three stand its extension
//! points, each again with the node that says why it extends the three or does not. [`Board::foul_kinds`] gives the same
//! verdicts much faster and without grounds.

use std::fmt;

use super::board::Board;
use super::color::Color;
use super::foul::FoulKinds;
use super::lines::Lines;
use super::point::{Direction, Point, PointSet, Size};
use super::rule::{Reading, Renju, Rule};
use super::rule_kind::Five;
use super::shape::{Shape, ShapeTable, Window};

/// FoulVerdict on a black stone on an empty point, with its grounds.
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
}

/// FoulVerdict on a black stone.
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
    /// Explanation of a stone there, with the three's stones on the board. `None` for a lone three below the first
    /// level: it makes no double three, whether real or not.
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
        let mut explainer = Explainer {
            lines: self.lines().clone(),
            black: *self.stones_of(Color::Black),
            size: self.size(),
            reading: self.reading(),
            table: Renju::shapes(),
        };
        explainer.explain(p, true)
    }
}

/// The position under examination: the board's, plus the stones of the nodes above.
struct Explainer {
    lines: Lines,
    black: PointSet,
    size: Size,
    reading: Reading,
    table: &'static ShapeTable,
}

impl Explainer {
    /// Explains a stone on `p`; `ask_all` also examines a lone three.
    fn explain(&mut self, p: Point, ask_all: bool) -> Explanation {
        let shapes = self.lines.shapes(p, self.table);
        let of_shape = |wanted: fn(Shape) -> bool| {
            Direction::ALL.into_iter().filter(move |&d| wanted(shapes.get(Color::Black, d)))
        };
        let fives: Vec<Row> = of_shape(|s| s == Shape::Five).map(|d| self.row(p, d)).collect();
        if !fives.is_empty() {
            let (overlines, fours, threes) = (Vec::new(), Vec::new(), Vec::new());
            return Explanation { point: p, verdict: FoulVerdict::Five, fives, overlines, fours, threes };
        }
        let overlines: Vec<Row> = of_shape(|s| s == Shape::Overline).map(|d| self.row(p, d)).collect();
        let fours: Vec<Four> = of_shape(|s| s.fours() > 0).flat_map(|d| self.fours(p, d)).collect();
        let mut threes: Vec<Three> = of_shape(Shape::is_three).map(|d| self.three(p, d)).collect();
        if ask_all || threes.len() >= 2 {
            self.ask(p, &mut threes);
        }
        let kinds = FoulKinds {
            overline: !overlines.is_empty(),
            double_four: fours.len() >= 2,
            double_three: threes.iter().filter(|three| three.is_real() == Some(true)).count() >= 2,
        };
        let verdict = if kinds.any() { FoulVerdict::Foul(kinds) } else { FoulVerdict::Legal };
        Explanation { point: p, verdict, fives, overlines, fours, threes }
    }

    /// Examines which extension points make the threes of a stone on `p` real.
    fn ask(&mut self, p: Point, threes: &mut [Three]) {
        self.toggle(p);
        for extension in threes.iter_mut().flat_map(|three| &mut three.extensions) {
            let reason = self.explain(extension.point, false);
            extension.extends = match reason.verdict {
                FoulVerdict::Five => self.reading == Reading::FiveExtends,
                FoulVerdict::Foul(_) => false,
                FoulVerdict::Legal => true,
            };
            extension.reason = Some(reason);
        }
        self.toggle(p);
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

impl fmt::Display for FoulVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FoulVerdict::Five => f.write_str("five"),
            FoulVerdict::Foul(kinds) => write!(f, "foul {kinds}"),
            FoulVerdict::Legal => f.write_str("legal"),
        }
    }
}

/// Writes the tree as indented lines, without a line break at the end.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.point, self.verdict)?;
        self.fmt_grounds(f, 1)
    }
}

impl Explanation {
    /// Writes the patterns that the stone makes, each on its own line, `depth` levels in.
    fn fmt_grounds(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        for (name, rows) in [("five", &self.fives), ("overline", &self.overlines)] {
            for row in rows {
                write!(f, "{}{name} {}, {}", NewLine(depth), Names(&row.stones), row.direction.name())?;
            }
        }
        for four in &self.fours {
            let (name, completions) = match four.completions.len() {
                2 => ("straight four", &four.completions),
                _ => ("four", &four.completions),
            };
            write!(f, "{}{name} {}, {}", NewLine(depth), Names(&four.stones), four.direction.name())?;
            write!(f, ", completed by {}", Names(completions))?;
        }
        for three in &self.threes {
            let real = match three.is_real() {
                Some(true) => ": real",
                Some(false) => ": false",
                None => "",
            };
            write!(f, "{}three {}, {}", NewLine(depth), Names(&three.stones), three.direction.name())?;
            f.write_str(real)?;
            for Extension { point, reason, extends } in &three.extensions {
                let Some(reason) = reason else { continue };
                let verb = if *extends { "extends it" } else { "does not extend it" };
                write!(f, "{}{point} {verb}: {}", NewLine(depth + 1), reason.verdict)?;
                reason.fmt_grounds(f, depth + 2)?;
            }
        }
        Ok(())
    }
}

/// A line break and the indentation of the next line.
struct NewLine(usize);

impl fmt::Display for NewLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{:1$}", "", 2 * self.0)
    }
}

/// Points separated by blanks.
struct Names<'a>(&'a [Point]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, p) in self.0.iter().enumerate() {
            let blank = if i > 0 { " " } else { "" };
            write!(f, "{blank}{p}")?;
        }
        Ok(())
    }
}
