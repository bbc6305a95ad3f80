//! Regions of the board: thirds in both directions, so that boards of all sizes have the same nine. If the side is not
//! a multiple of three, the middle third is the larger or smaller one, so that every symmetry of the board maps regions
//! to regions.

use crate::game::{POINTS, Point, Size};

/// Returns the region of a point, 0 to 8, in rows of three from the bottom left.
pub fn region(p: Point, size: Size) -> usize {
    // Thirds are counted by the centre of the point's square.
    let third = |at: usize| (2 * at + 1) * 3 / (2 * size.side());
    third(p.y()) * 3 + third(p.x())
}

/// Returns the region of every point of a board, by [`Point::index`].
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
    fn no_region_has_more_than_64_points_and_mirror_images_of_regions_are_regions() {
        for side in MIN_SIZE..=MAX_SIZE {
            let size = Size::new(side).unwrap();
            let mut counts = [0; 9];
            for p in size.points() {
                counts[region(p, size)] += 1;
                let mirrored = Point::new(side - 1 - p.x(), p.y());
                assert_eq!(region(mirrored, size) % 3, 2 - region(p, size) % 3, "{side}: {p}");
                assert_eq!(
                    region(Point::new(p.y(), p.x()), size),
                    region(p, size) % 3 * 3 + region(p, size) / 3
                );
            }
            assert!(counts.iter().all(|&n| (1..=64).contains(&n)), "{side}: {counts:?}");
        }
    }
}
