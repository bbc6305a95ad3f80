//! Candidate points: the empty points close enough to a stone to be worth searching.

use crate::game::{Direction, POINTS, Point, PointSet, Size};

/// For each point, the points that a stone there makes candidates: the 5x5 square around it, and four steps along each
/// line.
#[derive(Clone)]
pub struct Neighbourhoods {
    around: std::sync::Arc<[PointSet]>,
}

impl Neighbourhoods {
    /// Computes the sets of a board size.
    pub fn new(size: Size) -> Neighbourhoods {
        let full = PointSet::full(size);
        let mut around = vec![PointSet::EMPTY; POINTS];
        for p in size.points() {
            let mut set = PointSet::from_iter([p]).dilate().dilate() & full;
            for d in Direction::ALL {
                for n in (-4..=4).filter_map(|n| p.offset(d, n, size)) {
                    set.insert(n);
                }
            }
            around[p.index()] = set;
        }
        Neighbourhoods { around: around.into() }
    }

    /// Returns the candidates around a stone on `p`.
    #[inline(always)]
    pub fn of(&self, p: Point) -> &PointSet {
        &self.around[p.index()]
    }
}

/// The candidates of a position, updated as stones are added.
#[derive(Clone)]
pub struct Candidates {
    neighbourhoods: Neighbourhoods,
    points: PointSet,
    stones: PointSet,
}

impl Candidates {
    /// Returns the candidates of an empty board: none.
    pub fn new(size: Size) -> Candidates {
        let neighbourhoods = Neighbourhoods::new(size);
        Candidates { neighbourhoods, points: PointSet::EMPTY, stones: PointSet::EMPTY }
    }

    /// Adds a stone on `p`.
    pub fn add(&mut self, p: Point) {
        self.points = self.points | *self.neighbourhoods.of(p);
        self.stones.insert(p);
    }

    /// Returns the empty points near a stone.
    pub fn points(&self) -> PointSet {
        self.points.without(&self.stones)
    }
}
