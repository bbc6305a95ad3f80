//! AdamW with warm-up and cosine decay. CITE: Loshchilov, Hutter, "Decoupled weight decay regularization" (2019).
//!
//! A batch updates only the weights of the codes that occur in it, and each weight counts its own steps. If the moments
//! decayed in the other batches too, the first step of a rare code would be thirty times the learning rate.

use std::ops::Range;
use std::sync::LazyLock;

use kagetsu::eval::arch::POLICY_LIMIT;

use crate::layout::Layout;

/// Share of the gradient's mean that is kept in a step.
pub const BETA1: f32 = 0.9;
/// Share of the mean of the gradient's square that is kept in a step.
pub const BETA2: f32 = 0.999;
/// Added to the root of the square.
pub const EPSILON: f32 = 1e-8;
/// Running means follow by this part each step.
pub const MEAN_RATE: f32 = 0.02;
/// Share of the steps in which the rate rises to its full size.
pub const WARM_UP: f32 = 0.05;
/// The rate ends at this part of its full size.
pub const LAST: f32 = 0.01;

/// Largest weight of the value's embedding and of the linear weights of codes.
pub const LARGEST: f32 = 8.0;
/// Largest weight of the layers.
pub const LARGEST_IN_LAYERS: f32 = 4.0;

/// The state of the optimizer.
pub struct Adam {
    pub mean: Vec<f32>,
    pub square: Vec<f32>,
    /// Steps of each weight.
    pub steps: Vec<f32>,
}

/// Learning rates of the embeddings, the value's linear weights, the moves' weights and the layers, and weight decay.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    pub embedding: f32,
    pub linear: f32,
    pub moves: f32,
    pub rest: f32,
    pub decay: f32,
}

impl Adam {
    pub fn new(len: usize) -> Adam {
        Adam { mean: vec![0.0; len], square: vec![0.0; len], steps: vec![0.0; len] }
    }

    /// One step along the mean gradient of a batch, at this part (0 to 1) of the training.
    pub fn apply(&mut self, layout: &Layout, params: &mut [f32], gradient: &[f32], rates: &Rates, part: f32) {
        let factor = schedule(part);
        let corrections = &*CORRECTIONS;
        for (mean, x) in params[layout.mean..].iter_mut().zip(&gradient[layout.mean..]) {
            *mean += MEAN_RATE * (x - *mean);
        }
        for (i, (p, &g)) in params[..layout.mean].iter_mut().zip(gradient).enumerate() {
            if g == 0.0 && i < layout.policy_w1 {
                continue;
            }
            let rate = factor
                * match i {
                    i if i < layout.linear => rates.embedding,
                    i if i < layout.moves => rates.linear,
                    i if i < layout.policy => rates.moves,
                    i if i < layout.policy_w1 => rates.embedding,
                    _ => rates.rest,
                };
            let (m, s) = (&mut self.mean[i], &mut self.square[i]);
            *m += (1.0 - BETA1) * (g - *m);
            *s += (1.0 - BETA2) * (g * g - *s);
            self.steps[i] += 1.0;
            let (c1, c2) = corrections[(self.steps[i] as usize).min(corrections.len()) - 1];
            *p -= rate * ((*m / c1) / ((*s / c2).sqrt() + EPSILON) + rates.decay * *p);
        }
        clip(layout, params);
    }
}

/// Bias correction of the moments after a number of steps, from one on, because they start at zero.
static CORRECTIONS: LazyLock<Vec<(f32, f32)>> =
    LazyLock::new(|| (1..=20_000).map(|t| (1.0 - BETA1.powi(t), 1.0 - BETA2.powi(t))).collect());

fn schedule(part: f32) -> f32 {
    if part < WARM_UP {
        return part / WARM_UP;
    }
    let rest = (part - WARM_UP) / (1.0 - WARM_UP);
    LAST + (1.0 - LAST) * 0.5 * (1.0 + (std::f32::consts::PI * rest.min(1.0)).cos())
}

/// Keeps every weight within what the engine's integers hold.
fn clip(layout: &Layout, params: &mut [f32]) {
    let mut keep = |range: Range<usize>, most: f32| {
        params[range].iter_mut().for_each(|p| *p = p.clamp(-most, most));
    };
    keep(0..layout.policy, LARGEST);
    keep(layout.policy..layout.policy_w1, POLICY_LIMIT);
    keep(layout.policy_w1..layout.mean, LARGEST_IN_LAYERS);
}

#[cfg(test)]
mod tests {
    use kagetsu::eval::arch::{LARGEST_WEIGHT, WEIGHT_ONE};

    use super::*;

    const NO_RATES: Rates = Rates { embedding: 0.0, linear: 0.0, moves: 0.0, rest: 0.0, decay: 0.0 };

    /// One step from weights of 1 along a gradient of the same number everywhere, at the full rate.
    fn step(gradient: f32, rates: &Rates) -> (Layout, Vec<f32>) {
        let layout = Layout::new(false);
        let mut params = vec![1.0; layout.len];
        Adam::new(layout.len).apply(&layout, &mut params, &vec![gradient; layout.len], rates, WARM_UP);
        (layout, params)
    }

    /// The first step is as long as the rate, whatever the gradient's size.
    #[test]
    fn every_part_has_its_rate() {
        let rates = Rates { embedding: 0.1, linear: 0.2, moves: 0.3, rest: 0.4, decay: 0.0 };
        let (layout, params) = step(7.0, &rates);
        let Layout { linear, moves, policy, policy_w1, w1, mean, .. } = layout;
        for (start, end, rate) in [
            (0, linear, 0.1),
            (linear, moves, 0.2),
            (moves, policy, 0.3),
            (policy, policy_w1, 0.1),
            (policy_w1, w1, 0.4),
            (w1, mean, 0.4),
        ] {
            let expected: f32 = 1.0 - rate;
            assert!(params[start..end].iter().all(|p| (p - expected).abs() < 1e-5), "{start}");
        }
    }

    /// A weight of 1 shrinks by the rate times the decay; if its code does not occur, it does not change.
    #[test]
    fn weights_decay() {
        let rates = Rates { embedding: 0.5, linear: 0.5, moves: 0.5, rest: 0.5, decay: 0.1 };
        let (layout, params) = step(0.0, &rates);
        assert!(params[..layout.policy_w1].iter().all(|&p| p == 1.0));
        assert!(params[layout.policy_w1..layout.mean].iter().all(|p| (p - 0.95).abs() < 1e-5));
        let (_, params) = step(1.0, &rates);
        assert!(params[..layout.mean].iter().all(|p| (p - 0.45).abs() < 1e-5));
    }

    /// Even after a long step, every weight stays within the engine's limits.
    #[test]
    fn weights_stay_in_range() {
        let rates = Rates { embedding: 100.0, linear: 100.0, moves: 100.0, rest: 100.0, decay: 0.0 };
        // Limits: the policy's embedding is stored in bytes, and the layers have a largest weight.
        let layers = f32::from(LARGEST_WEIGHT) / WEIGHT_ONE as f32;
        for sign in [1.0, -1.0] {
            let (layout, params) = step(-sign, &rates);
            let Layout { policy, policy_w1, mean, .. } = layout;
            for (start, end, most) in
                [(0, policy, 8.0), (policy, policy_w1, POLICY_LIMIT), (policy_w1, mean, layers)]
            {
                assert!(params[start..end].iter().all(|&p| p == sign * most), "{start}");
            }
        }
    }

    /// The mean moves by a fiftieth of the difference each step, at every rate: 1 + 9/50, then 1.18 + 8.82/50.
    #[test]
    fn means_follow_their_inputs() {
        let layout = Layout::new(true);
        let mut adam = Adam::new(layout.len);
        let mut params = vec![1.0; layout.len];
        let inputs = vec![10.0; layout.len];
        for expected in [1.18f32, 1.3564] {
            adam.apply(&layout, &mut params, &inputs, &NO_RATES, 0.0);
            assert!(params[layout.mean..].iter().all(|p| (p - expected).abs() < 1e-5));
        }
        assert!(params[..layout.mean].iter().all(|&p| p == 1.0));
    }

    /// A weight that is updated once moves by its rate, and does not move further in later steps.
    #[test]
    fn a_weight_updated_once_moves_once() {
        let layout = Layout::new(true);
        let mut adam = Adam::new(layout.len);
        let mut params = vec![0.0; layout.len];
        let rates = Rates { embedding: 0.5, linear: 0.5, moves: 0.5, rest: 0.5, decay: 0.0 };
        let mut gradient = vec![0.0; layout.len];
        gradient[layout.linear] = -1e-4;
        let part = WARM_UP;
        adam.apply(&layout, &mut params, &gradient, &rates, part);
        assert!((params[layout.linear] - 0.5).abs() < 1e-3, "{}", params[layout.linear]);
        let once = params.clone();
        adam.apply(&layout, &mut params, &vec![0.0; layout.len], &rates, part);
        assert_eq!(params[..layout.policy_w1], once[..layout.policy_w1]);
    }

    #[test]
    fn the_rate_rises_and_falls() {
        assert_eq!(schedule(0.0), 0.0);
        assert!((schedule(WARM_UP) - 1.0).abs() < 1e-6);
        assert!((schedule(1.0) - LAST).abs() < 1e-6);
        let rates: Vec<f32> = (5..=100).map(|i| schedule(i as f32 / 100.0)).collect();
        assert!(rates.windows(2).all(|w| w[0] >= w[1]));
    }
}
