//! Discs turned on boards of up to 8x8, by rays: the squares of each direction from each square.
//!
//! Along a ray to higher numbers a carry runs through the opponent's discs to the first other square; along a ray to lower
//! numbers the highest other square ends the run. CITE: chessprogramming.org/Kogge-Stone_Algorithm and
//! /Subtracting_a_Rook_from_a_Blocking_Piece for both ideas.

use std::sync::OnceLock;

/// For each square the four rays to higher and the four to lower numbers.
pub type Rays = [([u64; 4], [u64; 4]); 64];

/// The rays of the 8x8 board; on smaller boards they end early because no disc is beyond the edge.
pub fn rays() -> &'static Rays {
    static RAYS: OnceLock<Box<Rays>> = OnceLock::new();
    RAYS.get_or_init(|| {
        let mut all = Box::new([([0; 4], [0; 4]); 64]);
        for (square, (up, down)) in all.iter_mut().enumerate() {
            let (x, y) = (square as i32 % 8, square as i32 / 8);
            for (i, (dx, dy)) in [(1, 0), (-1, 1), (0, 1), (1, 1)].into_iter().enumerate() {
                let ray = |sign: i32| {
                    (1..8)
                        .map(|n| (x + sign * n * dx, y + sign * n * dy))
                        .take_while(|(x, y)| (0..8).contains(x) && (0..8).contains(y))
                        .fold(0u64, |ray, (x, y)| ray | 1 << (8 * y + x))
                };
                (up[i], down[i]) = (ray(1), ray(-1));
            }
        }
        all
    })
}

/// Discs that a disc of `own` on a square turns.
#[inline]
pub fn turned(rays: &Rays, own: u64, other: u64, square: usize) -> u64 {
    let (up, down) = &rays[square & 63];
    let mut all = 0;
    for ray in up {
        // The carry passes through all squares off the ray and through the opponent's discs.
        let end = (other | !ray).wrapping_add(1) & own & ray;
        all |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in down {
        let ends = ray & !other;
        let first = (1u64 << 63) >> (ends | 1).leading_zeros();
        // The squares of the ray above its first end.
        let run = ray & !(first | first.wrapping_sub(1));
        all |= if first & own & ray != 0 { run } else { 0 };
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reversi::frame::Frame;
    use kagetsu::random::{Random, RngExt, SeedableRng};

    #[test]
    fn rays_agree_with_shifts() {
        let mut random = Random::seed_from_u64(5);
        let frame = Frame::<u64>::new(8, None);
        for _ in 0..20_000 {
            let mut sets = [0u64; 2];
            let share = random.random_range(2..=5);
            for i in 0..64 {
                match random.random_range(0..share) {
                    0 => sets[0] |= 1 << i,
                    1 => sets[1] |= 1 << i,
                    _ => {}
                }
            }
            let [own, other] = sets;
            for i in (0..64).filter(|i| (own | other) >> i & 1 == 0) {
                let expected = frame.turned(own, other, i);
                assert_eq!(turned(rays(), own, other, i), expected, "{own:x} {other:x} {i}");
                assert_eq!(frame.moves(own, other) >> i & 1 != 0, expected != 0);
            }
        }
    }
}
