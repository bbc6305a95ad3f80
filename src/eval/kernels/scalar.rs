//! What the kernels compute, in plain integers: the specification. The other kernels are this code, compiled for
//! processors with wider vectors.

use crate::eval::arch::{
    CHANNELS, HIDDEN, HIDDEN_ONE, INPUT_ONE, INPUT_SHIFT, INPUTS, LARGEST, LOGIT_ONE, MOVE_ONE, REGIONS,
    TOTAL_SCALE, WEIGHT_ONE,
};
use crate::eval::net::{Head, Row};

/// The vector of an empty point, from the rows of its two codes.
#[inline(always)]
fn vector(black: &Row, white: &Row) -> [i16; CHANNELS] {
    std::array::from_fn(|c| (black.0[c] + white.0[c]).clamp(0, LARGEST))
}

/// Adds a point's vector to a sum.
#[inline(always)]
pub fn add(sum: &mut Row, black: &Row, white: &Row) {
    let v = vector(black, white);
    sum.0.iter_mut().zip(v).for_each(|(sum, v)| *sum = sum.wrapping_add(v));
}

/// Takes a point's vector from a sum.
#[inline(always)]
pub fn remove(sum: &mut Row, black: &Row, white: &Row) {
    let v = vector(black, white);
    sum.0.iter_mut().zip(v).for_each(|(sum, v)| *sum = sum.wrapping_sub(v));
}

/// Replaces a point's vector in a sum: the rows before, then the rows after.
#[inline(always)]
pub fn replace(sum: &mut Row, before: [&Row; 2], after: [&Row; 2]) {
    let (old, new) = (vector(before[0], before[1]), vector(after[0], after[1]));
    for c in 0..CHANNELS {
        sum.0[c] = sum.0[c].wrapping_add(new[c].wrapping_sub(old[c]));
    }
}

/// The product of a neuron's weights and its inputs.
#[inline(always)]
pub fn dot<const N: usize>(weights: &[i16; N], inputs: &[i16; N]) -> i32 {
    weights.iter().zip(inputs).map(|(&w, &x)| i32::from(w) * i32::from(x)).sum()
}

/// The logit of a position, in [`LOGIT_ONE`], from its region sums; `dot` is the product of a neuron's weights and its
/// inputs.
#[inline(always)]
pub fn forward(
    head: &Head,
    regions: &[Row; REGIONS],
    dot: impl Fn(&[i16; INPUTS], &[i16; INPUTS]) -> i32,
) -> i32 {
    const TOTAL_SHIFT: u32 = INPUT_SHIFT + (TOTAL_SCALE as u32).trailing_zeros();
    let mut inputs = [0i16; INPUTS];
    let (whole, parts) = inputs.split_at_mut(CHANNELS);
    let mut total = [0i32; CHANNELS];
    for (input, region) in parts.as_chunks_mut::<CHANNELS>().0.iter_mut().zip(regions) {
        for c in 0..CHANNELS {
            input[c] = region.0[c] >> INPUT_SHIFT;
            total[c] += i32::from(region.0[c]);
        }
    }
    for c in 0..CHANNELS {
        whole[c] = (total[c] >> TOTAL_SHIFT) as i16;
    }
    let mut hidden = [0i16; HIDDEN];
    for ((hidden, weights), bias) in hidden.iter_mut().zip(head.w1.as_chunks::<INPUTS>().0).zip(head.b1) {
        *hidden = unit(dot(weights, &inputs) + bias, INPUT_ONE * WEIGHT_ONE);
    }
    let mut out = head.b3;
    for j in 0..HIDDEN {
        let z: i32 = head.w2[j].iter().zip(&hidden).map(|(&w, &h)| i32::from(w) * i32::from(h)).sum();
        out += i32::from(head.w3[j]) * i32::from(unit(z + head.b2[j], LOGIT_ONE));
    }
    out
}

/// A number clamped between zero and one, `one` being one; the result has [`HIDDEN_ONE`] as one.
#[inline(always)]
fn unit(z: i32, one: i32) -> i16 {
    (z.clamp(0, one) / (one / HIDDEN_ONE)) as i16
}

/// What a point's vector adds to the score of a move there, in [`MOVE_ONE`].
#[inline(always)]
pub fn prior(move_vector: &Row, black: &Row, white: &Row) -> i32 {
    let v = vector(black, white);
    let mut lanes = [0i32; CHANNELS / 2];
    for c in 0..CHANNELS / 2 {
        lanes[c] = i32::from(v[2 * c]) * i32::from(move_vector.0[2 * c])
            + i32::from(v[2 * c + 1]) * i32::from(move_vector.0[2 * c + 1]);
    }
    const SHIFT: u32 = (crate::eval::arch::EMBEDDING_ONE * WEIGHT_ONE / MOVE_ONE).trailing_zeros();
    lanes.iter().sum::<i32>() >> SHIFT
}
