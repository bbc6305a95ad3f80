//! Regions of the board: thirds in both directions, so that boards of all sizes have the same nine.

use crate::game::{POINTS, Point, Size};

/// The region of a point, 0 to 8, rows of three from the bottom left.
pub fn region(p: Point, size: Size) -> usize {
    let third = |at: usize| at * 3 / size.side();
    third(p.y()) * 3 + third(p.x())
}

/// The region of every point of a board, by [`Point::index`].
pub fn regions(size: Size) -> [u8; POINTS] {
    let mut table = [0; POINTS];
    for p in size.points() {
        table[p.index()] = region(p, size) as u8;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MAX_SIZE, MIN_SIZE};

    #[test]
    fn no_region_has_more_than_64_points_and_mirror_images_are_as_large() {
        for side in MIN_SIZE..=MAX_SIZE {
            let size = Size::new(side).unwrap();
            let mut counts = [0; 9];
            size.points().for_each(|p| counts[region(p, size)] += 1);
            assert!(counts.iter().all(|&n| (1..=64).contains(&n)), "{side}: {counts:?}");
        }
    }
}
