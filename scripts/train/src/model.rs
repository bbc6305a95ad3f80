//! The net in floating point: forward, and the gradient of its loss.
//!
//! Every empty point gives the vector `clamp(E0[code] + E1[code], 0, LIMIT)` of its two pattern codes. The vectors are
//! summed over the nine regions of the board; sums and their total go through two small layers to the logit of the
//! result, to which a linear term of the codes is added. The second layer also has the squares of the first one's sums.
//! [`policy`] has the moves. For symmetric rules `E1` is `E0` with its halves exchanged and there is one head, from the
//! mover's view; else there is one head for each side to move. [`kagetsu::eval`] computes the same in integers.

// Loops over channels and neurons read as the formulas do.
#![allow(clippy::needless_range_loop)]

use kagetsu::eval::arch::{CHANNELS, HIDDEN, INPUTS, LIMIT, REGIONS, SECOND, TOTAL_SCALE};

use crate::arithmetic::{combine, dot, slope, turned};
use crate::data::{Cell, Data, Sample};
use crate::layout::{Layout, exchange};
use crate::policy::{self, Moves};
pub use crate::sums::Sums;

/// The weights of the parts of the loss.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// Share of the search's score in the value's target; the rest is the result.
    pub score_share: f32,
    /// Units of the search's score to a logit.
    pub scale: f32,
}

/// The logit of a nearly certain result: proven results, and scores beyond.
const CERTAIN: f32 = 4.5;

impl Loss {
    /// The points that the mover of a sample is expected to make, 0 to 1: what the value learns.
    pub fn target(&self, sample: &Sample) -> f32 {
        let expected = sigmoid((sample.score / self.scale).clamp(-CERTAIN, CERTAIN));
        let result = sample.result.unwrap_or(expected);
        self.score_share * expected + (1.0 - self.score_share) * result
    }
}

pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn cross_entropy(logit: f32, target: f32) -> f64 {
    f64::from(logit.max(0.0) - logit * target + (-logit.abs()).exp().ln_1p())
}

/// Room for one sample's forward pass, reused.
#[derive(Default)]
pub struct Scratch {
    cells: Vec<Cell>,
    vectors: Vec<[f32; CHANNELS]>,
    vector_gradients: Vec<[f32; CHANNELS]>,
    moves: Moves,
}

/// The value's way from sums to logit, and back.
struct Head {
    inputs: [f32; INPUTS],
    /// Sums of the first layer, between -1 and 1.
    first: [f32; HIDDEN],
    /// Outputs of the first layer, then their squares.
    hidden: [f32; SECOND],
    second: [f32; HIDDEN],
}

fn vector(layout: &Layout, params: &[f32], cell: &Cell) -> [f32; CHANNELS] {
    let first = &params[layout.row(false, cell.codes[0])..][..CHANNELS];
    let second = &params[layout.row(true, cell.codes[1])..][..CHANNELS];
    combine(layout, first, second, LIMIT)
}

/// The logit of a sample's result.
#[cfg(test)]
pub fn logit(layout: &Layout, params: &[f32], data: &Data, sample: &Sample) -> f32 {
    let cells = data.cells(sample);
    let vectors: Vec<_> = cells.iter().map(|c| vector(layout, params, c)).collect();
    value(layout, params, (&cells, sample.head, 0), &vectors).1
}

/// The logit of a sample's move.
#[cfg(test)]
pub fn move_logit(layout: &Layout, params: &[f32], data: &Data, sample: &Sample) -> Option<f32> {
    let cells = data.cells(sample);
    let vectors: Vec<_> = cells.iter().map(|c| vector(layout, params, c)).collect();
    let (state, _) = value(layout, params, (&cells, sample.head, 0), &vectors);
    let (head, best, inputs) = (sample.head, sample.best?, &state.inputs);
    let position = policy::Position { cells: &cells, head, best, symmetry: 0, inputs };
    Some(policy::logit(layout, params, &position))
}

/// Returns the value of a sample under a symmetry: the state of its head, and the logit.
fn value(
    layout: &Layout,
    params: &[f32],
    (cells, head, symmetry): (&[Cell], u8, u8),
    vectors: &[[f32; CHANNELS]],
) -> (Head, f32) {
    let mut x = [0.0f32; INPUTS];
    let mut linear = 0.0;
    for (cell, v) in cells.iter().zip(vectors) {
        let n = f32::from(cell.count);
        let region = &mut x[(1 + turned(cell.region, symmetry)) * CHANNELS..][..CHANNELS];
        for c in 0..CHANNELS {
            region[c] += n * v[c];
        }
        linear += n
            * (params[Layout::weight(layout.linear, head, false, cell.codes[0])]
                + params[Layout::weight(layout.linear, head, true, cell.codes[1])]);
    }
    for r in 1..=REGIONS {
        for c in 0..CHANNELS {
            x[c] += x[r * CHANNELS + c] / TOTAL_SCALE;
        }
    }
    let head = usize::from(head);
    for (x, mean) in x.iter_mut().zip(&params[layout.mean..]) {
        *x -= mean;
    }
    let state = forward(layout, params, head, x);
    let w3 = &params[layout.w3 + head * HIDDEN..][..HIDDEN];
    let logit = dot(w3, &state.second) + params[layout.b3 + head] + linear;
    (state, logit)
}

/// The loss of one sample, seen under a symmetry; adds to the gradient if there is one.
pub fn learn(
    layout: &Layout,
    params: &[f32],
    (data, sample, symmetry): (&Data, &Sample, u8),
    loss: &Loss,
    scratch: &mut Scratch,
    mut gradient: Option<&mut [f32]>,
) -> Sums {
    let Scratch { cells, vectors, vector_gradients, moves } = scratch;
    data.unpack(sample, cells);
    let head = usize::from(sample.head);
    vectors.clear();
    vectors.extend(cells.iter().map(|c| vector(layout, params, c)));
    let (state, logit) = value(layout, params, (cells, sample.head, symmetry), vectors);
    let target = loss.target(sample);
    let mut sums = Sums {
        value: cross_entropy(logit, target),
        result: sample.result.map_or(0.0, |result| cross_entropy(logit, result)),
        results: f64::from(u8::from(sample.result.is_some())),
        count: 1.0,
        ..Sums::default()
    };
    vector_gradients.clear();
    vector_gradients.resize(cells.len(), [0.0; CHANNELS]);
    if let Some(g) = gradient.as_deref_mut() {
        let d = sigmoid(logit) - target;
        let dx = backward(layout, params, head, &state, d, g);
        for i in 0..INPUTS {
            g[layout.mean + i] += state.inputs[i] + params[layout.mean + i];
        }
        for (cell, dv) in cells.iter().zip(vector_gradients.iter_mut()) {
            let n = f32::from(cell.count);
            let region = &dx[(1 + turned(cell.region, symmetry)) * CHANNELS..][..CHANNELS];
            for c in 0..CHANNELS {
                dv[c] = n * (region[c] + dx[c] / TOTAL_SCALE);
            }
            g[Layout::weight(layout.linear, sample.head, false, cell.codes[0])] += n * d;
            g[Layout::weight(layout.linear, sample.head, true, cell.codes[1])] += n * d;
        }
    }
    if let Some(best) = sample.best {
        let position = policy::Position { cells, head: sample.head, best, symmetry, inputs: &state.inputs };
        sums += policy::learn(layout, params, &position, moves, gradient.as_deref_mut());
    }
    if let Some(g) = gradient {
        spread(layout, cells, vectors, vector_gradients, g);
    }
    sums
}

fn forward(layout: &Layout, params: &[f32], head: usize, inputs: [f32; INPUTS]) -> Head {
    let mut state = Head { inputs, first: [0.0; HIDDEN], hidden: [0.0; SECOND], second: [0.0; HIDDEN] };
    for j in 0..HIDDEN {
        let w = &params[layout.w1 + (head * HIDDEN + j) * INPUTS..][..INPUTS];
        let z = dot(w, &state.inputs);
        let z = (z + params[layout.b1 + head * HIDDEN + j]).clamp(-1.0, 1.0);
        state.first[j] = z;
        state.hidden[j] = z.max(0.0);
        state.hidden[HIDDEN + j] = z * z;
    }
    for j in 0..HIDDEN {
        let w = &params[layout.w2 + (head * HIDDEN + j) * SECOND..][..SECOND];
        let z = dot(w, &state.hidden);
        state.second[j] = (z + params[layout.b2 + head * HIDDEN + j]).clamp(0.0, 1.0);
    }
    state
}

/// Adds the gradient of the head's weights for the logit's `d`; returns that of the inputs.
fn backward(layout: &Layout, params: &[f32], head: usize, s: &Head, d: f32, g: &mut [f32]) -> [f32; INPUTS] {
    let mut d_hidden = [0.0; SECOND];
    g[layout.b3 + head] += d;
    for j in 0..HIDDEN {
        g[layout.w3 + head * HIDDEN + j] += d * s.second[j];
        let dz = d * params[layout.w3 + head * HIDDEN + j] * slope(s.second[j]);
        g[layout.b2 + head * HIDDEN + j] += dz;
        let at = layout.w2 + (head * HIDDEN + j) * SECOND;
        for i in 0..SECOND {
            g[at + i] += dz * s.hidden[i];
            d_hidden[i] += dz * params[at + i];
        }
    }
    let mut dx = [0.0; INPUTS];
    for j in 0..HIDDEN {
        let z = s.first[j];
        // Both outputs are constant beyond -1 and 1.
        let square = if z.abs() < 1.0 { 2.0 * z } else { 0.0 };
        let dz = d_hidden[j] * slope(s.hidden[j]) + d_hidden[HIDDEN + j] * square;
        g[layout.b1 + head * HIDDEN + j] += dz;
        let at = layout.w1 + (head * HIDDEN + j) * INPUTS;
        let (w, gw) = (&params[at..][..INPUTS], &mut g[at..][..INPUTS]);
        for i in 0..INPUTS {
            gw[i] += dz * s.inputs[i];
            dx[i] += dz * w[i];
        }
    }
    dx
}

/// Backpropagates the gradient of the vectors to the embeddings.
fn spread(
    layout: &Layout,
    cells: &[Cell],
    vectors: &[[f32; CHANNELS]],
    gradients: &[[f32; CHANNELS]],
    g: &mut [f32],
) {
    for ((cell, v), dv) in cells.iter().zip(vectors).zip(gradients) {
        let mut masked = *dv;
        for c in 0..CHANNELS {
            if v[c] <= 0.0 || v[c] >= LIMIT {
                masked[c] = 0.0;
            }
        }
        let row = &mut g[layout.row(false, cell.codes[0])..][..CHANNELS];
        for c in 0..CHANNELS {
            row[c] += masked[c];
        }
        let row = &mut g[layout.row(true, cell.codes[1])..][..CHANNELS];
        for c in 0..CHANNELS {
            row[exchange::<CHANNELS>(c, layout.tied)] += masked[c];
        }
    }
}

#[cfg(test)]
pub mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use kagetsu::eval::arch::RELATIONS;
    use kagetsu::eval::region::region;
    use kagetsu::game::Size;
    use kagetsu::game::symmetry::Symmetry;
    use kagetsu::random::{Random, RngExt, SeedableRng};

    /// A few samples of random cells, with and without a result and a best move.
    pub fn samples(layout: &Layout, seed: u64) -> Data {
        let mut random = Random::seed_from_u64(seed);
        let mut data = Data::default();
        for i in 0..6 {
            let cells: Vec<Cell> = (0..20)
                .map(|_| Cell {
                    codes: [random.random_range(..40u16), random.random_range(..40u16)],
                    relations: [0; 2].map(|_: u8| random.random_range(..RELATIONS) as u8),
                    region: random.random_range(..9u8),
                    count: random.random_range(1..=3u8),
                    candidates: 1,
                })
                .collect();
            let head = if layout.tied { 0 } else { i % 2 };
            let result = (i % 3 > 0).then_some(f32::from(i % 2));
            data.add(cells, head, (i as f32 * 40.0 - 100.0, result), (i % 2 == 0).then_some(3));
        }
        data
    }

    /// Random weights that keep every neuron inside its range.
    pub fn random_params(layout: &Layout, seed: u64) -> Vec<f32> {
        let mut random = Random::seed_from_u64(seed);
        let mut params: Vec<f32> =
            (0..layout.len).map(|_| (random.random::<f64>() as f32 - 0.4) * 0.3).collect();
        for (w1, b1, w2) in
            [(layout.w1, layout.b1, layout.w2), (layout.policy_w1, layout.policy_b1, layout.policy_w2)]
        {
            params[w1..b1].iter_mut().for_each(|w| *w *= 0.02);
            params[b1..w2].fill(0.5);
        }
        params[layout.w2..layout.b2].iter_mut().for_each(|w| *w *= 0.1);
        params[layout.b2..layout.w3].fill(0.5);
        params
    }

    /// The target takes its share from the search and the rest from the game. Without a result it is the search's
    /// alone.
    #[test]
    fn the_target_is_between_score_and_result() {
        let layout = Layout::new(true);
        let mut data = samples(&layout, 1);
        let mut target = |score: f32, result: Option<f32>, score_share: f32| {
            (data.samples[0].score, data.samples[0].result) = (score, result);
            Loss { score_share, scale: 200.0 }.target(&data.samples[0])
        };
        // ln 3 logits are three of four points.
        let three_of_four = 200.0 * 3.0f32.ln();
        for (score, result, share, expected) in [
            (0.0, Some(1.0), 0.7, 0.65),
            (three_of_four, Some(0.0), 0.2, 0.15),
            (three_of_four, Some(0.0), 1.0, 0.75),
            (three_of_four, Some(0.0), 0.0, 0.0),
            (-three_of_four, Some(0.5), 0.5, 0.375),
            (three_of_four, None, 0.2, 0.75),
        ] {
            let found = target(score, result, share);
            assert!((found - expected).abs() < 1e-5, "{score} {result:?} {share}: {found}");
        }
    }

    /// Every symmetry of the regions is a symmetry of the board's points, and the other way round.
    #[test]
    fn regions_turn_as_their_points_do() {
        let found: BTreeSet<[usize; REGIONS]> =
            (0..8).map(|symmetry| std::array::from_fn(|r| turned(r as u8, symmetry))).collect();
        for size in [Size::S15, Size::S20] {
            let images = Symmetry::ALL.map(|symmetry| {
                let mut image = [REGIONS; REGIONS];
                size.points().for_each(|p| image[region(p, size)] = region(symmetry.apply(p, size), size));
                image
            });
            assert_eq!(found, BTreeSet::from(images));
        }
    }

    /// At every scale, nothing is better than a proven win, or worse than a proven loss.
    #[test]
    fn proofs_are_certain() {
        let layout = Layout::new(true);
        let mut data = samples(&layout, 1);
        let mut target = |score: f32, scale: f32| {
            data.samples[0].score = score;
            data.samples[0].result = None;
            Loss { score_share: 0.7, scale }.target(&data.samples[0])
        };
        for scale in [100.0, 300.0] {
            assert!(target(f32::INFINITY, scale) > 0.98 && target(f32::NEG_INFINITY, scale) < 0.02);
            assert!(target(20_000.0, scale) <= target(f32::INFINITY, scale));
            assert!(target(scale, scale) < target(f32::INFINITY, scale));
        }
    }

    /// The gradient is the slope of the value's loss, or for the policy's weights that of the moves' loss.
    #[test]
    fn the_gradient_is_the_slope() {
        for tied in [true, false] {
            let layout = Layout::new(tied);
            let data = samples(&layout, 1);
            let params = random_params(&layout, 2);
            let loss = Loss { score_share: 0.7, scale: 150.0 };
            let total = |params: &[f32], policy: bool| {
                let mut scratch = Scratch::default();
                let sums = data.samples.iter().map(|s| {
                    let sums = learn(&layout, params, (&data, s, 3), &loss, &mut scratch, None);
                    if policy { sums.moves } else { sums.value }
                });
                sums.sum::<f64>()
            };
            let mut gradient = vec![0.0; layout.len];
            for s in &data.samples {
                learn(&layout, &params, (&data, s, 3), &loss, &mut Scratch::default(), Some(&mut gradient));
            }
            let Layout { linear, moves, policy, policy_w1, policy_w2, policy_b2, w1, w2, w3, .. } = layout;
            let parts = [0, linear, moves, policy, policy_w1, policy_w2, policy_b2, w1, w2, w3];
            for (i, &start) in parts.iter().enumerate() {
                let end = parts.get(i + 1).copied().unwrap_or(layout.mean);
                // Towards the gradient of this part alone.
                let norm = gradient[start..end].iter().map(|g| g * g).sum::<f32>().sqrt();
                assert!(norm > 0.0, "part {i} learns nothing");
                let step = 2e-3;
                let moved = |sign: f32| {
                    let mut p = params.clone();
                    (start..end).for_each(|k| p[k] += sign * step * gradient[k] / norm);
                    total(&p, (moves..w1).contains(&start))
                };
                let slope = (moved(1.0) - moved(-1.0)) / f64::from(2.0 * step);
                assert!((slope / f64::from(norm) - 1.0).abs() < 0.05, "part {i}: {slope} {norm}");
            }
        }
    }
}
