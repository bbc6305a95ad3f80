//! Accumulators: vector sums over the board's points, updated lazily when a position is evaluated.
//!
//! Each ply of a line has a layer: the changes since the ply before, as the board reported them, and the sums once they
//! are computed. Many positions are never evaluated because the threat rules or the transposition table decide them;
//! they only record their changes.

use super::features::{Change, Sums};
use super::kernels;
use super::linear::Tables;
use super::net::Net;
use super::region::regions;
use crate::game::{Board, BoardObserver, Codes, Color, POINTS, Point, Rule};

impl Sums {
    /// Computes the sums of a board from scratch.
    pub fn of<R: Rule>(net: &Net, board: &Board<R>) -> Sums {
        let regions = regions(board.size());
        let mut sums = Sums::ZERO;
        for p in board.empty().iter() {
            kernels::add_point(net, &mut sums, regions[p.index()], board.codes(p));
        }
        sums
    }
}

/// Points that one stone changes, itself included: 41 at most, and one place to spare.
const MOST_CHANGES: usize = 42;

struct Layer {
    known: bool,
    count: usize,
    changes: [Change; MOST_CHANGES],
    sums: Sums,
}

/// Layers of a line, one for each ply.
pub struct Accumulators {
    layers: Box<[Layer]>,
    regions: Box<[u8; POINTS]>,
}

/// Observer that records the changes of one ply as the board reports them.
pub struct Changes<'a> {
    layer: &'a mut Layer,
    regions: &'a [u8; POINTS],
    linear: Option<&'a Tables>,
}

impl BoardObserver for Changes<'_> {
    #[inline(always)]
    fn placed(&mut self, p: Point, _: Color, codes: Codes) {
        match self.linear {
            Some(tables) => self.add([0; 2], tables.value(codes)),
            None => self.push(p, codes, None),
        }
    }

    #[inline(always)]
    fn changed(&mut self, p: Point, old: Codes, new: Codes) {
        match self.linear {
            Some(tables) => self.add(tables.value(new), tables.value(old)),
            None => self.push(p, old, Some(new)),
        }
    }
}

impl Changes<'_> {
    #[inline(always)]
    fn add(&mut self, new: [i32; 2], old: [i32; 2]) {
        let sums = &mut self.layer.sums.linear;
        for side in 0..2 {
            sums[side] += new[side] - old[side];
        }
    }

    #[inline(always)]
    fn push(&mut self, p: Point, before: Codes, after: Option<Codes>) {
        self.layer.changes[self.layer.count] = Change { region: self.regions[p.index()], before, after };
        self.layer.count += 1;
    }
}

impl Accumulators {
    /// Creates layers for lines of up to `plies` plies.
    pub fn new(plies: usize) -> Accumulators {
        let change = Change { region: 0, before: Codes::default(), after: None };
        let layer = || Layer { known: false, count: 0, changes: [change; MOST_CHANGES], sums: Sums::ZERO };
        Accumulators { layers: (0..=plies).map(|_| layer()).collect(), regions: Box::new([0; POINTS]) }
    }

    /// Starts a line: makes a board its first ply.
    pub fn start<R: Rule>(&mut self, net: &Net, board: &Board<R>) {
        *self.regions = regions(board.size());
        self.layers[0].sums = Sums::of(net, board);
        self.layers[0].known = true;
    }

    /// Returns the region of every point of the board, by [`Point::index`].
    pub fn regions(&self) -> &[u8; POINTS] {
        &self.regions
    }

    /// Returns the observer for the move that leads to `ply`; the ply before must have been started or followed. With
    /// `linear` tables the sums are updated eagerly, and regions are not used.
    #[inline]
    pub fn follow<'a>(&'a mut self, ply: usize, linear: Option<&'a Tables>) -> Changes<'a> {
        let (head, tail) = self.layers.split_at_mut(ply);
        let layer = &mut tail[0];
        layer.known = linear.is_some();
        layer.count = 0;
        layer.sums.linear = head[ply - 1].sums.linear;
        Changes { layer, regions: &self.regions, linear }
    }

    /// Drops the sums of all plies but the first, so that they are computed again.
    #[cfg(test)]
    pub fn forget(&mut self) {
        self.layers[1..].iter_mut().for_each(|layer| layer.known = false);
    }

    /// Returns the sums of a ply, computed from the nearest earlier ply whose sums are known.
    #[inline]
    pub fn sums(&mut self, net: &Net, kernels: &kernels::Kernels, ply: usize) -> &Sums {
        let mut known = ply;
        while !self.layers[known].known {
            known -= 1;
        }
        for i in known + 1..=ply {
            let (head, tail) = self.layers.split_at_mut(i);
            let layer = &mut tail[0];
            (kernels.update)(net, &head[i - 1].sums, &mut layer.sums, &layer.changes[..layer.count]);
            layer.known = true;
        }
        &self.layers[ply].sums
    }
}
