//! Stable discs, which can never be turned: they bound the result of the other side.
//!
//! A disc is stable if along each of the four axes its line is full, or one of its two neighbours is off the board or
//! stable and of its colour. CITE: G. Andersson, "Writing an Othello program" (radagast.se/othello), on stability.

/// The maximal lines of a board along the four axes; a hole ends them, as an edge does.
pub struct Lines {
    squares: u64,
    lines: [Vec<u64>; 4],
}

const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

impl Lines {
    /// The lines of a set of squares.
    pub fn new(squares: u64) -> Lines {
        let has =
            |x: i32, y: i32| (0..8).contains(&x) && (0..8).contains(&y) && squares >> (8 * y + x) & 1 != 0;
        let lines = STEPS.map(|(dx, dy)| {
            let starts = (0..64).map(|i| (i % 8, i / 8)).filter(|&(x, y)| has(x, y) && !has(x - dx, y - dy));
            starts
                .map(|(x, y)| {
                    (0..)
                        .map(|n| (x + n * dx, y + n * dy))
                        .take_while(|&(x, y)| has(x, y))
                        .fold(0, |line, (x, y)| line | 1 << (8 * y + x))
                })
                .collect()
        });
        Lines { squares, lines }
    }

    /// A lower bound of the number of stable discs of `own`.
    pub fn stable(&self, own: u64, other: u64) -> u32 {
        let occupied = own | other;
        // Along each axis: discs that no neighbour can turn along it.
        let mut safe = [0u64; 4];
        for (axis, lines) in self.lines.iter().enumerate() {
            for &line in lines {
                if line & !occupied == 0 {
                    safe[axis] |= line;
                }
            }
        }
        let off = !self.squares;
        // The sides beyond the first and the last column are off the board too.
        const LEFT: u64 = 0x0101_0101_0101_0101;
        let right = LEFT << 7;
        let mut stable = 0u64;
        loop {
            let firm = stable | off;
            let to_left = |set: u64| (set << 1 & !LEFT) | LEFT;
            let to_right = |set: u64| (set >> 1 & !right) | right;
            let (below, above) = (|set: u64| set << 8 | 0xff, |set: u64| set >> 8 | 0xff << 56);
            let axes = [
                to_left(firm) | to_right(firm),
                below(firm) | above(firm),
                to_left(below(firm)) | to_right(above(firm)),
                to_right(below(firm)) | to_left(above(firm)),
            ];
            let next = own & (0..4).fold(u64::MAX, |all, i| all & (safe[i] | axes[i]));
            if next == stable {
                return stable.count_ones();
            }
            stable = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reversi::bits::Bits;
    use crate::reversi::frame::Frame;
    use kagetsu::random::{IndexedRandom, Random, SeedableRng};

    /// Stable discs stay in every continuation.
    #[test]
    fn stable_discs_are_never_turned() {
        let mut random = Random::seed_from_u64(9);
        let mut seen = 0;
        for (side, hole) in [(8, None), (6, None), (8, Some(2)), (4, None)] {
            let frame = Frame::<u64>::new(side, hole);
            let lines = Lines::new(frame.squares);
            for _ in 0..300 {
                let m = side / 2;
                let at = |x: usize, y: usize| 1u64 << (8 * y + x);
                let mut sets = [at(m, m - 1) | at(m - 1, m), at(m, m) | at(m - 1, m - 1)];
                let mut passes = 0;
                let mut least = [0, 0];
                while passes < 2 {
                    let moves = frame.moves(sets[0], sets[1]);
                    passes = if moves == 0 { passes + 1 } else { 0 };
                    if moves != 0 {
                        let list: Vec<usize> = moves.iter().collect();
                        let i = *list.choose(&mut random).unwrap();
                        let turned = frame.turned(sets[0], sets[1], i);
                        sets = [sets[0] | turned | 1 << i, sets[1] & !turned];
                    }
                    sets.swap(0, 1);
                    least.swap(0, 1);
                    for i in 0..2 {
                        let stable = lines.stable(sets[i], sets[1 - i]);
                        assert!(stable >= least[i], "{sets:x?}");
                        least[i] = stable;
                        seen += stable;
                    }
                }
            }
        }
        assert!(seen > 10_000);
    }
}
