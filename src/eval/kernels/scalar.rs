//! The kernels in plain integers: the specification. The other kernels are this code compiled for wider vectors, and a
//! test holds them equal to it.

use crate::eval::arch::{
    CHANNELS, HIDDEN, HIDDEN_ONE, INPUT_ONE, INPUT_SHIFT, INPUTS, LARGEST, LOGIT_ONE, POLICY_CHANNELS,
    POLICY_HIDDEN, POLICY_WIDTH, REGIONS, SECOND, TOTAL_SCALE, WEIGHT_ONE,
};
use crate::eval::net::{Head, Pair, PolicyHead, PolicyRow, Row};

/// Returns the vector of an empty point, from the rows of its two codes.
#[inline(always)]
fn vector(black: &Row, white: &Row) -> [i16; CHANNELS] {
    let mut vector = [0; CHANNELS];
    for c in 0..CHANNELS {
        vector[c] = (black.0[c] + white.0[c]).clamp(0, LARGEST);
    }
    vector
}

/// Adds a point's vector to a sum.
#[inline(always)]
pub fn add(sum: &mut Row, black: &Row, white: &Row) {
    let v = vector(black, white);
    for c in 0..CHANNELS {
        sum.0[c] = sum.0[c].wrapping_add(v[c]);
    }
}

/// Subtracts a point's vector from a sum.
#[inline(always)]
pub fn remove(sum: &mut Row, black: &Row, white: &Row) {
    let v = vector(black, white);
    for c in 0..CHANNELS {
        sum.0[c] = sum.0[c].wrapping_sub(v[c]);
    }
}

/// Replaces a point's vector in a sum: the rows before, then the rows after.
#[inline(always)]
pub fn replace(sum: &mut Row, before: [&Row; 2], after: [&Row; 2]) {
    let (old, new) = (vector(before[0], before[1]), vector(after[0], after[1]));
    for c in 0..CHANNELS {
        sum.0[c] = sum.0[c].wrapping_add(new[c].wrapping_sub(old[c]));
    }
}

/// Neurons of the first layer computed together.
pub const TOGETHER: usize = 4;

/// Weights of the neurons computed together, one row for each.
pub type Rows = [[i16; INPUTS]; TOGETHER];

/// Returns the dot products of the weights of some neurons with the inputs.
#[inline(always)]
pub fn dots(weights: &Rows, inputs: &[i16; INPUTS]) -> [i32; TOGETHER] {
    weights.map(|row| row.iter().zip(inputs).map(|(&w, &x)| i32::from(w) * i32::from(x)).sum())
}

/// Half of `2^shift`: added before a shift to the right, it makes the shift round to the nearest number.
const fn half(shift: u32) -> i16 {
    1 << shift >> 1
}

/// Returns the inputs of the first layers, from a position's region sums. They are rounded, because truncated inputs
/// would shift the sum of every neuron by half a unit times all its weights.
#[inline(always)]
fn inputs(regions: &[Row; REGIONS]) -> [i16; INPUTS] {
    const TOTAL_SHIFT: u32 = INPUT_SHIFT + (TOTAL_SCALE as u32).trailing_zeros();
    let mut inputs = [0i16; INPUTS];
    let (whole, parts) = inputs.split_at_mut(CHANNELS);
    let mut total = [0i32; CHANNELS];
    let parts = parts.as_chunks_mut::<CHANNELS>().0;
    for r in 0..REGIONS {
        for c in 0..CHANNELS {
            parts[r][c] = (regions[r].0[c] + half(INPUT_SHIFT)) >> INPUT_SHIFT;
            total[c] += i32::from(regions[r].0[c]);
        }
    }
    for c in 0..CHANNELS {
        whole[c] = ((total[c] + i32::from(half(TOTAL_SHIFT))) >> TOTAL_SHIFT) as i16;
    }
    inputs
}

/// Integer that stands for 1 in the sums of a first layer.
const FIRST_ONE: i32 = INPUT_ONE * WEIGHT_ONE;

/// Computes a first layer, before its outputs are clamped: a row of weights and a bias for each neuron.
#[inline(always)]
fn first_layer<const N: usize>(
    w1: &[i16],
    b1: &[i32; N],
    inputs: &[i16; INPUTS],
    dots: impl Fn(&Rows, &[i16; INPUTS]) -> [i32; TOGETHER],
) -> [i32; N] {
    const { assert!(N.is_multiple_of(TOGETHER)) };
    let mut sums = *b1;
    let rows = w1.as_chunks::<INPUTS>().0.as_chunks::<TOGETHER>().0;
    for group in 0..N / TOGETHER {
        let products = dots(&rows[group], inputs);
        for i in 0..TOGETHER {
            sums[group * TOGETHER + i] += products[i];
        }
    }
    sums
}

/// The outputs of a first layer, clamped between 0 and 1.
#[inline(always)]
fn clamped<const N: usize>(sums: &[i32; N]) -> [i16; N] {
    let mut outputs = [0; N];
    for i in 0..N {
        outputs[i] = unit(sums[i], FIRST_ONE);
    }
    outputs
}

/// Returns the logit of a position, in [`LOGIT_ONE`], from its region sums. `dots` is [`dots`] or an equal function.
#[inline(always)]
pub fn forward(
    head: &Head,
    regions: &[Row; REGIONS],
    dots: impl Fn(&Rows, &[i16; INPUTS]) -> [i32; TOGETHER],
) -> i32 {
    let sums = first_layer(&head.w1, &head.b1, &inputs(regions), dots);
    let mut hidden = [0; SECOND];
    let (plain, squares) = hidden.split_at_mut(HIDDEN);
    plain.copy_from_slice(&clamped(&sums));
    for j in 0..HIDDEN {
        let z = i32::from(unit(sums[j].clamp(-FIRST_ONE, FIRST_ONE).abs(), FIRST_ONE));
        squares[j] = ((z * z + HIDDEN_ONE / 2) / HIDDEN_ONE) as i16;
    }
    let mut out = head.b3;
    for j in 0..HIDDEN {
        let z: i32 = head.w2[j].iter().zip(&hidden).map(|(&w, &h)| i32::from(w) * i32::from(h)).sum();
        out += i32::from(head.w3[j]) * i32::from(unit(z + head.b2[j], LOGIT_ONE));
    }
    out
}

/// Returns the policy outputs of a position, in [`LOGIT_ONE`], from its region sums. `dots` is as for [`forward`];
/// `second` is [`second_layer`] or an equal function.
#[inline(always)]
pub fn policy(
    head: &PolicyHead,
    regions: &[Row; REGIONS],
    dots: impl Fn(&Rows, &[i16; INPUTS]) -> [i32; TOGETHER],
    second: impl Fn(&mut [i32; POLICY_WIDTH], &[Pair], &[i16; POLICY_HIDDEN]),
) -> [i32; POLICY_WIDTH] {
    let hidden = clamped(&first_layer(&head.w1, &head.b1, &inputs(regions), dots));
    let mut out = head.b2;
    second(&mut out, &head.w2, &hidden);
    out
}

/// Adds the products of the policy's hidden neurons with their weights, two neurons at a time.
#[inline(always)]
pub fn second_layer(out: &mut [i32; POLICY_WIDTH], weights: &[Pair], hidden: &[i16; POLICY_HIDDEN]) {
    for (weights, pair) in weights.iter().zip(hidden.as_chunks::<2>().0) {
        for (out, w) in out.iter_mut().zip(weights) {
            *out += i32::from(w[0]) * i32::from(pair[0]) + i32::from(w[1]) * i32::from(pair[1]);
        }
    }
}

/// Clamps `z` between 0 and 1, where `one` stands for 1; in the result, which is rounded, [`HIDDEN_ONE`] stands for 1.
#[inline(always)]
fn unit(z: i32, one: i32) -> i16 {
    let step = one / HIDDEN_ONE;
    ((z.clamp(0, one) + step / 2) / step) as i16
}

/// Returns the dot product of a point's policy vector, from the rows of its two codes, with the channel weights.
#[inline(always)]
pub fn prior(channels: &[i16; POLICY_CHANNELS], black: &PolicyRow, white: &PolicyRow) -> i32 {
    let v = black.0.iter().zip(&white.0).map(|(b, w)| b.saturating_add(*w).max(0));
    v.zip(channels).map(|(v, &c)| i32::from(v) * i32::from(c)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference is the division of real numbers, rounded.
    #[test]
    fn inputs_and_outputs_are_rounded() {
        for sum in [0, 3, 4, 11, 12, 500, 64 * LARGEST] {
            let mut regions = [Row([0; CHANNELS]); REGIONS];
            for r in 0..REGIONS {
                regions[r].0[r] = sum;
                regions[r].0[CHANNELS - 1] = sum;
            }
            let found = inputs(&regions);
            let nearest = |x: f64, one: i32| (x / f64::from(one)).round() as i16;
            let one = 1 << INPUT_SHIFT;
            let eighth = one * TOTAL_SCALE as i32;
            assert_eq!(found[0], nearest(f64::from(sum), eighth), "{sum}");
            assert_eq!(found[CHANNELS - 1], nearest(f64::from(sum) * REGIONS as f64, eighth), "{sum}");
            assert_eq!(found[CHANNELS], nearest(f64::from(sum), one), "{sum}");
        }
        let step = FIRST_ONE / HIDDEN_ONE;
        for (z, expected) in [
            (-step, 0),
            (step / 2 - 1, 0),
            (step / 2, 1),
            (step, 1),
            (FIRST_ONE, HIDDEN_ONE),
            (i32::MAX, HIDDEN_ONE),
        ] {
            assert_eq!(i32::from(unit(z, FIRST_ONE)), expected, "{z}");
        }
    }
}
