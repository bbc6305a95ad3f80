//! The weights that a training begins with.

use std::ops::Range;

use anyhow::Result;
use kagetsu::eval::arch::{HIDDEN, INPUTS, SECOND};
use kagetsu::random::{Random, RngExt, SeedableRng};

use crate::data::{Data, Sample};
use crate::import;
use crate::layout::Layout;
use crate::options::Options;
use crate::training::gradient;

/// Positions from which the means of the inputs are taken where a net is given.
pub const MEAN_SAMPLES: u64 = 1 << 16;

/// Returns the weights of the given net, or small random ones. `evenly` returns the positions from which the means of a
/// net's inputs are taken.
pub fn params(
    layout: &Layout,
    options: &Options,
    evenly: impl FnOnce() -> Result<Vec<Data>>,
) -> Result<Vec<f32>> {
    let Some(net) = &options.from else { return Ok(initial(layout, options.shuffle.seed)) };
    let mut params = import::dequantize(layout, net);
    // The net's biases do not include means, so the means must be right from the first step on.
    let games = evenly()?;
    let batch: Vec<(&Data, &Sample)> =
        games.iter().flat_map(|data| data.samples.iter().map(move |sample| (data, sample))).collect();
    let (_, inputs) = gradient(layout, &params, &batch, &options.loss, options.shuffle.seed);
    import::center(layout, &mut params, &inputs[layout.mean..]);
    Ok(params)
}

/// Small random weights.
fn initial(layout: &Layout, seed: u64) -> Vec<f32> {
    let mut random = Random::seed_from_u64(seed ^ 0x5eed);
    let mut params = vec![0.0; layout.len];
    let mut fill = |range: Range<usize>, size: f32| {
        params[range].iter_mut().for_each(|p| *p = (random.random::<f64>() as f32 * 2.0 - 1.0) * size);
    };
    fill(0..layout.linear, 0.1);
    fill(layout.policy..layout.policy_w1, 0.1);
    fill(layout.policy_w1..layout.policy_b1, 1.0 / (INPUTS as f32).sqrt());
    fill(layout.policy_w2..layout.policy_b2, 0.05);
    fill(layout.policy_b2..layout.w1, 0.1);
    fill(layout.w1..layout.b1, 1.0 / (INPUTS as f32).sqrt());
    fill(layout.w2..layout.b2, 1.0 / (SECOND as f32).sqrt());
    fill(layout.w3..layout.b3, 1.0 / (HIDDEN as f32).sqrt());
    params
}

#[cfg(test)]
mod tests {
    use kagetsu::eval::arch::{CHANNELS, LIMIT, TOTAL_SCALE};
    use kagetsu::game::RuleKind;

    use super::*;
    use crate::data::{Cell, Summary};
    use crate::export::{quantize, tests::options};
    use crate::model::logit;
    use crate::model::tests::{random_params, samples};

    /// The sum of a channel over the board, as the net sees it.
    fn total(layout: &Layout, params: &[f32], cells: &[Cell], channel: usize) -> f32 {
        let weight =
            |second, cell: &Cell| params[layout.row(second, cell.codes[usize::from(second)]) + channel];
        let value = |cell: &Cell| (weight(false, cell) + weight(true, cell)).clamp(0.0, LIMIT);
        cells.iter().map(|cell| f32::from(cell.count) * value(cell)).sum::<f32>() / TOTAL_SCALE
    }

    /// The first parameters compute the same as the net, and the means of its inputs are right before the first step.
    #[test]
    fn a_training_goes_on_from_a_net() {
        let layout = Layout::new(false);
        let mut weights = random_params(&layout, 3);
        weights[layout.mean..].fill(0.0);
        let data = samples(&layout, 1);
        let first = |options: &Options| params(&layout, options, || Ok(vec![samples(&layout, 1)])).unwrap();
        let mut options = options(RuleKind::Renju);
        assert_eq!(first(&options), initial(&layout, options.shuffle.seed));
        let net = quantize(&layout, &weights, &options, &Summary::default(), None);
        let given = import::dequantize(&layout, &net);
        options.from = Some(Box::new(net));
        let found = first(&options);
        for sample in &data.samples {
            let [a, b] = [&given, &found].map(|params| logit(&layout, params, &data, sample));
            assert!((a - b).abs() < 1e-3, "{a} {b}");
        }
        for channel in 0..CHANNELS {
            let each = data.samples.iter().map(|s| total(&layout, &given, &data.cells(s), channel));
            let mean = each.sum::<f32>() / data.samples.len() as f32;
            assert!((found[layout.mean + channel] - mean).abs() < 1e-4 * (1.0 + mean), "{channel}");
        }
    }
}
