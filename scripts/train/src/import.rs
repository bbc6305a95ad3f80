//! Converts the engine's integers back to floating point, for a training that continues from a net: the inverse of
//! [`super::export`].

use kagetsu::eval::Net;
use kagetsu::eval::arch::{
    CHANNELS, EMBEDDING_ONE, HIDDEN, INPUT_ONE, INPUTS, LINEAR_ONE, LOGIT_ONE, MOVE_ONE, POLICY_CHANNELS,
    POLICY_HIDDEN, POLICY_ONE, POLICY_OUTPUTS, SECOND, WEIGHT_ONE,
};
use kagetsu::game::CODES;

use crate::layout::Layout;

fn real(x: impl Into<i32>, one: i32) -> f32 {
    x.into() as f32 / one as f32
}

/// Returns the parameters of a net. Their input means are zero, as in the engine.
pub fn dequantize(layout: &Layout, net: &Net) -> Vec<f32> {
    let mut params = vec![0.0; layout.len];
    // If the colours share their weights, those of Black and of Black to move are complete.
    let count = if layout.tied { 1 } else { 2 };
    for color in 0..count {
        for code in 0..CODES {
            let row = &mut params[layout.row(color == 1, code as u16)..][..CHANNELS];
            row.iter_mut().zip(net.embedding[color][code].0).for_each(|(p, q)| *p = real(q, EMBEDDING_ONE));
            let row = &mut params[layout.policy_row(color == 1, code as u16)..][..POLICY_CHANNELS];
            row.iter_mut().zip(net.policy[color][code].0).for_each(|(p, q)| *p = real(q, POLICY_ONE));
        }
    }
    for side in 0..count {
        for (color, second) in [(0, false), (1, true)] {
            for code in 0..CODES {
                let at = |base| Layout::weight(base, side as u8, second, code as u16);
                params[at(layout.linear)] = real(net.linear[color][code][side], LINEAR_ONE);
                params[at(layout.moves)] = real(net.moves[color][code][side], MOVE_ONE);
            }
        }
        dequantize_head(layout, net, side, &mut params);
        dequantize_policy(layout, net, side, &mut params);
    }
    params
}

fn dequantize_head(layout: &Layout, net: &Net, side: usize, params: &mut [f32]) {
    let q = &net.heads[side];
    let mut fill = |at: usize, values: &mut dyn Iterator<Item = f32>| {
        params[at..].iter_mut().zip(values).for_each(|(p, x)| *p = x);
    };
    fill(layout.w1 + side * HIDDEN * INPUTS, &mut q.w1.iter().map(|&w| real(w, WEIGHT_ONE)));
    fill(layout.b1 + side * HIDDEN, &mut q.b1.iter().map(|&b| real(b, INPUT_ONE * WEIGHT_ONE)));
    fill(layout.w2 + side * HIDDEN * SECOND, &mut q.w2.as_flattened().iter().map(|&w| real(w, WEIGHT_ONE)));
    fill(layout.b2 + side * HIDDEN, &mut q.b2.iter().map(|&b| real(b, LOGIT_ONE)));
    fill(layout.w3 + side * HIDDEN, &mut q.w3.iter().map(|&w| real(w, WEIGHT_ONE)));
    params[layout.b3 + side] = real(q.b3, LOGIT_ONE);
}

fn dequantize_policy(layout: &Layout, net: &Net, side: usize, params: &mut [f32]) {
    let q = &net.policy_heads[side];
    for j in 0..POLICY_HIDDEN {
        let row = &mut params[layout.policy_w1 + (side * POLICY_HIDDEN + j) * INPUTS..][..INPUTS];
        row.iter_mut().zip(&q.w1[j * INPUTS..]).for_each(|(p, &w)| *p = real(w, WEIGHT_ONE));
        params[layout.policy_b1 + side * POLICY_HIDDEN + j] = real(q.b1[j], INPUT_ONE * WEIGHT_ONE);
    }
    for o in 0..POLICY_OUTPUTS {
        let row = side * POLICY_OUTPUTS + o;
        for j in 0..POLICY_HIDDEN {
            params[layout.policy_w2 + row * POLICY_HIDDEN + j] = real(q.w2[j / 2][o][j % 2], WEIGHT_ONE);
        }
        params[layout.policy_b2 + row] = real(q.b2[o], LOGIT_ONE);
    }
}

/// Subtracts means from the first layers' inputs, and corrects the biases so that the net computes the same. The means
/// must be zero before.
pub fn center(layout: &Layout, params: &mut [f32], means: &[f32]) {
    for (weights, biases, end) in
        [(layout.w1, layout.b1, layout.w2), (layout.policy_w1, layout.policy_b1, layout.policy_w2)]
    {
        let (rows, rest) = params[weights..end].split_at_mut(biases - weights);
        for (row, bias) in rows.chunks(INPUTS).zip(rest) {
            *bias += row.iter().zip(means).map(|(w, m)| w * m).sum::<f32>();
        }
    }
    params[layout.mean..].copy_from_slice(means);
}

#[cfg(test)]
mod tests {
    use kagetsu::game::RuleKind;

    use super::*;
    use crate::data::{Summary, is_symmetric};
    use crate::export::{quantize, tests::options};
    use crate::model::tests::random_params;

    /// A net becomes parameters that become the same net, with or without the inputs' means.
    #[test]
    fn a_net_comes_back() {
        for rule in [RuleKind::Renju, RuleKind::Standard] {
            let layout = Layout::new(is_symmetric(rule));
            let mut params = random_params(&layout, 3);
            params[layout.mean..].fill(0.0);
            let net = quantize(&layout, &params, &options(rule), &Summary::default(), None);
            let found = dequantize(&layout, &net);
            let differences = params.iter().zip(&found).map(|(a, b)| (a - b).abs());
            assert!(differences.fold(0.0, f32::max) < 0.5 / 63.0, "no more than rounding");
            assert_eq!(quantize(&layout, &found, &options(rule), &Summary::default(), None), net);

            let means: Vec<f32> = (0..INPUTS).map(|i| i as f32 / 64.0 - 1.0).collect();
            let mut centered = found.clone();
            center(&layout, &mut centered, &means);
            for part in [layout.b1, layout.policy_b1] {
                assert_ne!(centered[part], found[part]);
            }
            let mut again = quantize(&layout, &centered, &options(rule), &Summary::default(), None);
            let values = again.heads.iter_mut().zip(&net.heads);
            let mut biases: Vec<(&mut i32, &i32)> =
                values.flat_map(|(a, b)| a.b1.iter_mut().zip(&b.b1)).collect();
            let policies = again.policy_heads.iter_mut().zip(&net.policy_heads);
            biases.extend(policies.flat_map(|(a, b)| a.b1.iter_mut().zip(&b.b1)));
            for (bias, expected) in biases {
                assert!(bias.abs_diff(*expected) <= 8, "as far as single precision goes: {bias}, {expected}");
                *bias = *expected;
            }
            assert_eq!(again, net, "nothing else changes");
        }
    }
}
