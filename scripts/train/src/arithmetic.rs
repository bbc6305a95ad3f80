//! Arithmetic shared by the value ([`crate::model`]) and the moves ([`crate::policy`]).

use kagetsu::eval::arch::{CHANNELS, HIDDEN};

use crate::layout::Layout;

/// A dot product in lanes, which the compiler can vectorise; the lengths are multiples of [`LANES`].
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for i in 0..LANES {
            lanes[i] += a[i] * b[i];
        }
    }
    lanes.iter().sum()
}

const LANES: usize = 16;
const _: () = assert!(CHANNELS.is_multiple_of(LANES) && HIDDEN.is_multiple_of(LANES));

/// The sum of a point's two rows, between zero and a limit.
pub fn combine<const N: usize>(layout: &Layout, first: &[f32], second: &[f32], limit: f32) -> [f32; N] {
    let mut v = [0.0; N];
    if layout.tied {
        let half = N / 2;
        for c in 0..half {
            v[c] = (first[c] + second[c + half]).clamp(0.0, limit);
            v[c + half] = (first[c + half] + second[c]).clamp(0.0, limit);
        }
    } else {
        for c in 0..N {
            v[c] = (first[c] + second[c]).clamp(0.0, limit);
        }
    }
    v
}

/// The image of a region under a symmetry of the board.
pub fn turned(region: u8, symmetry: u8) -> usize {
    let (mut x, mut y) = (region % 3, region / 3);
    if symmetry & 1 != 0 {
        (x, y) = (y, x);
    }
    if symmetry & 2 != 0 {
        x = 2 - x;
    }
    if symmetry & 4 != 0 {
        y = 2 - y;
    }
    usize::from(y * 3 + x)
}

/// Slope of the clamp outside its range.
pub const OUTSIDE: f32 = 0.02;

/// Returns the slope of the clamp. It is a little above zero outside the range, so that every neuron can still learn.
pub fn slope(h: f32) -> f32 {
    if h > 0.0 && h < 1.0 { 1.0 } else { OUTSIDE }
}
