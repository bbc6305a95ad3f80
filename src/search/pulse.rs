//! Progress of a search between two reports, for a display that is redrawn several times a second.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::game::Point;

/// Progress of the first thread of a search. That thread writes it; any other may read it at any time. The values may
/// belong to moments a few milliseconds apart.
#[derive(Debug, Default)]
pub struct Pulse {
    /// Nodes used before the search.
    base: AtomicU64,
    nodes: AtomicU64,
    /// Depth of the current iteration in plies, 0 before the first.
    depth: AtomicU32,
    /// The root move that is being searched: its number from 1 in the upper half, the index of its point in the lower.
    root_move: AtomicU32,
}

/// State of a [`Pulse`] at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beat {
    /// Moves made on the board, including those before the search.
    pub nodes: u64,
    /// Depth of the current iteration in plies, 0 before the first.
    pub depth: u32,
    /// The root move that is being searched, with its number in the move order from 1.
    pub root_move: Option<(u32, Point)>,
}

impl Pulse {
    /// Starts a search before which `base` nodes were used.
    pub fn start(&self, base: u64) {
        self.base.store(base, Relaxed);
        self.nodes.store(0, Relaxed);
        self.depth.store(0, Relaxed);
        self.root_move.store(0, Relaxed);
    }

    /// Returns the present state.
    pub fn read(&self) -> Beat {
        let packed = self.root_move.load(Relaxed);
        let (number, index) = (packed >> 16, packed & 0xffff);
        let point = Point::from_index(index as usize).filter(|_| number > 0);
        Beat {
            nodes: self.base.load(Relaxed) + self.nodes.load(Relaxed),
            depth: self.depth.load(Relaxed),
            root_move: point.map(|p| (number, p)),
        }
    }

    pub(super) fn nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Relaxed);
    }

    pub(super) fn iteration(&self, depth: u32) {
        self.depth.store(depth, Relaxed);
        self.root_move.store(0, Relaxed);
    }

    pub(super) fn root_move(&self, number: u32, p: Point) {
        self.root_move.store(number << 16 | p.index() as u32, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MAX_SIZE;

    #[test]
    fn values_written_are_read_back() {
        let pulse = Pulse::default();
        assert_eq!(pulse.read(), Beat { nodes: 0, depth: 0, root_move: None });
        pulse.start(100);
        pulse.nodes(23);
        pulse.iteration(9);
        assert_eq!(pulse.read(), Beat { nodes: 123, depth: 9, root_move: None });
        let corner = Point::new(MAX_SIZE - 1, 0);
        pulse.root_move(484, corner);
        assert_eq!(pulse.read().root_move, Some((484, corner)));
        pulse.iteration(10);
        assert_eq!(pulse.read().root_move, None);
    }
}
