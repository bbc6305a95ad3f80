//! Points that stop threats.
//!
//! A threat is stopped by a stone on one of its one or two empty points. With the points as vertices and the threats as
//! edges, stones that stop all threats are a vertex cover.

use kagetsu::game::{Point, PointSet};

use super::windows::Threat;

/// Returns the points from which a defender with `left` stones can stop all threats. With one stone the point must lie
/// in every threat. With two, the threats that the first stone does not stop must share a point.
pub fn stops(threats: &[Threat], left: u8) -> PointSet {
    let points = || threats.iter().flatten().copied();
    if left == 1 {
        return points().filter(|&p| is_stop(p, threats.iter())).collect();
    }
    let leaves_a_stop = |p: &Point| {
        let mut rest = threats.iter().filter(|threat| !threat.contains(p));
        let Some(&[a, b]) = rest.next() else { return true };
        is_stop(a, rest.clone()) || is_stop(b, rest)
    };
    points().filter(leaves_a_stop).collect()
}

fn is_stop<'a>(p: Point, mut threats: impl Iterator<Item = &'a Threat>) -> bool {
    threats.all(|threat| threat.contains(&p))
}

/// Returns the number of stones that it takes to stop the threats; 3 means 3 or more.
pub fn needed(threats: &[Threat]) -> i32 {
    match () {
        () if threats.is_empty() => 0,
        () if !stops(threats, 1).is_empty() => 1,
        () if !stops(threats, 2).is_empty() => 2,
        () => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> Point {
        Point::new(usize::from(name.as_bytes()[0] - b'a'), name[1..].parse::<usize>().unwrap() - 1)
    }

    fn threats(text: &str) -> Vec<Threat> {
        let points: Vec<Point> = text.split(' ').map(point).collect();
        points.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
    }

    fn names(points: PointSet) -> String {
        points.iter().map(|p| p.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The threats of four in a row with room at both ends, c1 to f1 on an empty row: the windows a-f, b-g, c-h.
    #[test]
    fn a_straight_four_takes_two_stones() {
        let four = threats("a1 b1 b1 g1 g1 h1");
        assert_eq!((needed(&four), names(stops(&four, 1))), (2, String::new()));
        // b1 with g1, or with h1; a1 with g1.
        assert_eq!(names(stops(&four, 2)), "a1 b1 g1 h1");
    }

    #[test]
    fn stones_needed() {
        assert_eq!(needed(&[]), 0);
        assert_eq!(needed(&threats("f1 f1")), 1);
        assert_eq!(needed(&threats("f1 g1 g1 h1")), 1);
        assert_eq!(needed(&threats("f1 g1 a5 b5")), 2);
        assert_eq!(needed(&threats("f1 g1 a5 b5 k9 k9")), 3);
        // Three threats in a triangle take two stones.
        assert_eq!(needed(&threats("a1 b1 b1 c1 c1 a1")), 2);
    }
}
