//! Decides whether a stone is a double three, by proof-number search.
//!
//! A three is real if a stone on one of its extension points, the first stone placed, is none itself; so one
//! question leads to others, each with a stone more. In a fixed order they lead far away, although stones
//! near by could decide: their number grows exponentially with the board, and all points of a lattice of
//! pairs took seconds on 17x17. So the next stone looked at is always one that may take part in both the
//! cheapest proof and the cheapest disproof of the first question.
//!
//! CITE: Allis, van der Meulen and van den Herik, "Proof-number search", Artificial Intelligence 66 (1994).

use std::ops::Range;

use arrayvec::ArrayVec;

use super::super::color::Color;
use super::super::foul::Three;
use super::super::lines::Lines;
use super::super::point::{Direction, Point};
use super::super::rule_kind::Five;
use super::super::shape::Shapes;
use super::{DoubleThrees, count_threes};

/// Work of a proof that is impossible.
const NEVER: u32 = u32::MAX;

/// A suspect, on the board with the stones of the questions that led to it.
struct Node {
    point: Point,
    shapes: Shapes,
    /// Stones that at least must be looked at still to show that it is a double three; 0 if that is shown.
    foul: u32,
    /// The same for showing that it is none.
    legal: u32,
    /// Threes that are real by the shapes of their extension points.
    real: usize,
    /// Number of suspects of each open three. There are none before the stone is looked at, and none if that
    /// settles it.
    open: ArrayVec<u8, 4>,
    /// Index of the first of these suspects. The others follow it.
    first: usize,
}

impl Node {
    fn new(point: Point, shapes: Shapes, color: Color) -> Node {
        // Two threes must be real, or all but one of them false.
        let legal = count_threes(shapes, color) as u32 - 1;
        Node { point, shapes, foul: 2, legal, real: 0, open: ArrayVec::new(), first: 0 }
    }

    /// Returns the numbers of open threes that must be real for a double three, and false for none.
    fn needed(&self) -> (usize, usize) {
        let real = 2 - self.real;
        (real, self.open.len() + 1 - real)
    }

    /// The suspects of each open three.
    fn suspects(&self) -> impl Iterator<Item = Range<usize>> {
        self.open.iter().scan(self.first, |next, &size| {
            let start = *next;
            *next += usize::from(size);
            Some(start..*next)
        })
    }
}

/// The question about a suspect, and those that it has led to so far.
pub(super) struct Proof<'a> {
    board: &'a DoubleThrees,
    color: Color,
    /// The first is the one to decide.
    nodes: Vec<Node>,
    /// Indices from the first node to the one before that which is looked at.
    path: Vec<usize>,
    /// Number of stones looked at.
    pub looked: u32,
}

impl<'a> Proof<'a> {
    /// For a stone with these shapes that is a suspect.
    pub fn new(board: &'a DoubleThrees, color: Color, p: Point, shapes: Shapes) -> Proof<'a> {
        Proof { board, color, nodes: vec![Node::new(p, shapes, color)], path: Vec::new(), looked: 0 }
    }

    /// Returns whether the stone is a double three; `None` if `most` stones looked at do not decide it.
    /// `lines` are those of the board, and are restored before it returns.
    pub fn settle(&mut self, lines: &mut Lines, most: u32) -> Option<bool> {
        loop {
            let first = &self.nodes[0];
            if first.foul == 0 || first.legal == 0 {
                return Some(first.foul == 0);
            }
            if self.looked >= most {
                return None;
            }
            self.step(lines);
        }
    }

    /// Looks at one more stone.
    fn step(&mut self, lines: &mut Lines) {
        let mut i = 0;
        while !self.nodes[i].open.is_empty() {
            lines.toggle(self.nodes[i].point, self.color);
            self.path.push(i);
            i = self.decisive(i);
        }
        self.look(i, lines);
        while let Some(i) = self.path.pop() {
            lines.toggle(self.nodes[i].point, self.color);
            self.update(i);
        }
    }

    /// Judges the threes of a stone by the shapes of their extension points, and lists the suspects among
    /// these.
    fn look(&mut self, i: usize, lines: &mut Lines) {
        self.looked += 1;
        let (point, shapes, color) = (self.nodes[i].point, self.nodes[i].shapes, self.color);
        let threes = Direction::ALL.map(|d| {
            let is_three = shapes.get(color, d).is_three();
            is_three.then(|| lines.extensions(point, d, color, Five::AtLeast))
        });
        let first = self.nodes.len();
        let (mut real, mut open) = (0, ArrayVec::new());
        lines.toggle(point, color);
        for extensions in threes.into_iter().flatten() {
            match self.board.judge_three(lines, extensions, color) {
                Three::Real => real += 1,
                Three::False => {}
                Three::Open(suspects) => {
                    open.push(suspects.len() as u8);
                    self.nodes.extend(suspects.into_iter().map(|(e, shapes)| Node::new(e, shapes, color)));
                }
            }
        }
        lines.toggle(point, color);
        let node = &mut self.nodes[i];
        if real < 2 && real + open.len() >= 2 {
            (node.real, node.open, node.first) = (real, open, first);
            self.update(i);
        } else {
            (node.foul, node.legal) = if real >= 2 { (0, NEVER) } else { (NEVER, 0) };
            self.nodes.truncate(first);
        }
    }

    /// Computes the work left for a stone whose threes are open from that of their suspects.
    fn update(&mut self, i: usize) {
        let (mut to_real, mut to_false): (ArrayVec<u32, 4>, ArrayVec<u32, 4>) = self.work(i).unzip();
        let node = &mut self.nodes[i];
        let (real, unreal) = node.needed();
        (node.foul, node.legal) = (least(&mut to_real, real), least(&mut to_false, unreal));
    }

    /// The work left to show that each open three is real, and that it is false.
    fn work(&self, i: usize) -> impl Iterator<Item = (u32, u32)> {
        self.nodes[i].suspects().map(move |suspects| {
            let suspects = &self.nodes[suspects];
            let to_real = suspects.iter().map(|suspect| suspect.legal).min().unwrap_or(NEVER);
            (to_real, sum(suspects.iter().map(|suspect| suspect.foul)))
        })
    }

    /// Returns the suspect to look at next below a stone that is not settled. Its three is among those by
    /// which the stone would be shown a double three with the least work, and among those by which it would
    /// be shown to be none.
    fn decisive(&self, i: usize) -> usize {
        let node = &self.nodes[i];
        let work: ArrayVec<(u32, u32), 4> = self.work(i).collect();
        let (real, unreal) = node.needed();
        let mut by_real: ArrayVec<usize, 4> = (0..work.len()).collect();
        let mut by_false = by_real.clone();
        by_real.sort_unstable_by_key(|&k| (work[k].0, k));
        by_false.sort_unstable_by_key(|&k| (work[k].1, k));
        // Both kinds together are more threes than there are.
        let shared = by_real[..real].iter().find(|k| by_false[..unreal].contains(k));
        let three = *shared.expect("of so many threes one is of both kinds");
        let suspects = node.suspects().nth(three).unwrap_or_default();
        suspects.min_by_key(|&k| self.nodes[k].legal).expect("an open three has a suspect")
    }
}

/// The sum of the `count` least numbers.
fn least(numbers: &mut [u32], count: usize) -> u32 {
    numbers.sort_unstable();
    sum(numbers[..count].iter().copied())
}

/// A sum in which [`NEVER`] stays what it is.
fn sum(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0, u32::saturating_add)
}
