//! The training loop: batches in a seeded order, gradients on four cores, validation and checkpoints.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use kagetsu::eval::Net;
use kagetsu::eval::arch::{HIDDEN, INPUTS, SECOND};
use kagetsu::random::{Random, RngExt, SeedableRng, SliceRandom};
use rayon::prelude::*;

use crate::checkpoint::State;
use crate::data::{Data, Sample, is_symmetric};
use crate::export;
use crate::history::{Epoch, History};
use crate::import;
use crate::layout::Layout;
use crate::model::{Loss, Scratch, Sums, learn, sigmoid};
use crate::options::Options;
use crate::output::replace;

/// Parts of a batch, and samples of a part of other sums; fixed, so that sums do not depend on the number of threads.
const PARTS: usize = 4;
const CHUNK: usize = 4096;
/// Positions from which the means of the inputs are taken where a net is given.
const MEAN_SAMPLES: usize = 1 << 16;

/// Units of the search's score to a logit: the scale at which the scores best predict the results.
pub fn fit_scale(data: &Data) -> f32 {
    let each = |s: &Sample, scale: f32| {
        let p = sigmoid(s.score / scale).clamp(1e-4, 1.0 - 1e-4);
        s.result.map_or(0.0, |r| -f64::from(r * p.ln() + (1.0 - r) * (1.0 - p).ln()))
    };
    let loss = |scale: f32| -> f64 {
        let parts = data.samples.par_chunks(CHUNK).map(|part| part.iter().map(|s| each(s, scale)).sum());
        parts.collect::<Vec<f64>>().iter().sum()
    };
    // The loss has one minimum: golden section search.
    let (mut low, mut high) = (20.0f32, 1000.0f32);
    let ratio = 0.618_034;
    while high - low > 1.0 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    (low + high) / 2.0
}

/// Trains a net and writes it, continuing from a checkpoint of the same order if there is one.
pub fn train(out: &Path, options: &Options, training: &Data, validation: &Data) -> Result<()> {
    let layout = Layout::new(is_symmetric(options.rule));
    let order = options.order(training, validation);
    let path = beside(out, "checkpoint");
    let found = if options.force { None } else { State::restore(&path, layout.len, &order)? };
    let state = match found {
        Some(state) => state,
        None => {
            if !options.force {
                refuse_others(out)?;
            }
            State::new(first(&layout, options, training), order)
        }
    };
    let mut history = History::open(beside(out, "log"), beside(out, "svg"))?;
    let mut run =
        Run { options, training, layout, path, state, saved: Instant::now(), bar: bar(options, training)? };
    while run.state.progress.epoch < options.epochs {
        run.finish_epoch(validation)?;
        history.write(&run.state.progress.log)?;
    }
    run.bar.finish_and_clear();
    // Written again, in case a kill came between the last checkpoint and its log.
    history.write(&run.state.progress.log)?;
    let last = run.state.progress.log.last();
    let bytes = export::quantize(&run.layout, &run.state.params, options, training, last).to_bytes();
    Net::from_bytes(&bytes).context("the engine would refuse the net")?;
    replace(out, &bytes)
}

/// Fails if there are files that no checkpoint identifies as this training's, because they would be replaced.
fn refuse_others(out: &Path) -> Result<()> {
    let is_empty = |path: &Path| path.metadata().is_ok_and(|known| known.is_file() && known.len() == 0);
    let (log, svg) = (beside(out, "log"), beside(out, "svg"));
    // A kill may have come between the log and the first checkpoint.
    match [out, &log, &svg].into_iter().find(|path| path.exists() && !is_empty(path)) {
        None => Ok(()),
        Some(other) => {
            bail!("{}: it exists already: expected a new name for the net, or --force", other.display())
        }
    }
}

/// A training at work.
struct Run<'a> {
    options: &'a Options,
    training: &'a Data,
    layout: Layout,
    /// The checkpoint, and when it was last written.
    path: PathBuf,
    saved: Instant,
    state: State,
    bar: ProgressBar,
}

impl Run<'_> {
    /// Continues to the end of an epoch, measures the loss, and saves a checkpoint.
    fn finish_epoch(&mut self, validation: &Data) -> Result<()> {
        let mut samples: Vec<u32> = (0..self.training.samples.len() as u32).collect();
        samples.shuffle(&mut Random::seed_from_u64(self.options.seed << 32 ^ self.state.progress.epoch));
        for batch in samples.chunks(self.options.batch).skip(self.state.progress.batch) {
            self.step(batch);
            if self.saved.elapsed() >= self.options.checkpoint_every {
                self.save()?;
            }
        }
        let judged = validate(&self.layout, &self.state.params, validation, &self.options.loss);
        let progress = &mut self.state.progress;
        let epoch = Epoch::new(progress.epoch + 1, &progress.sums, &judged);
        if ![epoch.training, epoch.validation, epoch.moves].iter().all(|loss| loss.is_finite()) {
            return Err(diverged(epoch.epoch));
        }
        progress.log.push(epoch);
        (progress.epoch, progress.batch, progress.sums) = (epoch.epoch, 0, Sums::default());
        self.bar.suspend(|| eprintln!("{epoch}"));
        self.save()
    }

    /// Learns from a batch.
    fn step(&mut self, batch: &[u32]) {
        let Run { options, layout, training, state: State { params, adam, progress }, .. } = self;
        let seed = options.seed << 32 ^ (progress.epoch << 20 | progress.batch as u64);
        let (sums, gradient) = gradient(layout, params, training, batch, &options.loss, seed);
        let done = progress.step;
        let part = done as f32 / (options.epochs * batches(options, training)) as f32;
        adam.apply(layout, params, &gradient, &options.rates, part);
        progress.sums += sums;
        progress.batch += 1;
        progress.step += 1;
        self.bar.set_position(done + 1);
    }

    /// Saves a checkpoint, unless the training could not continue from it: the one before is then worth more.
    fn save(&mut self) -> Result<()> {
        if !self.state.is_finite() {
            return Err(diverged(self.state.progress.epoch + 1));
        }
        self.state.save(&self.path)?;
        self.saved = Instant::now();
        Ok(())
    }
}

fn diverged(epoch: u64) -> anyhow::Error {
    anyhow!("the loss of epoch {epoch} is not finite: the learning rates are too high")
}

/// Batches of an epoch.
fn batches(options: &Options, training: &Data) -> u64 {
    training.samples.len().div_ceil(options.batch) as u64
}

fn bar(options: &Options, training: &Data) -> Result<ProgressBar> {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left")?;
    Ok(ProgressBar::new(options.epochs * batches(options, training)).with_style(style))
}

/// Loss and mean gradient of a batch.
fn gradient(
    layout: &Layout,
    params: &[f32],
    data: &Data,
    batch: &[u32],
    loss: &Loss,
    seed: u64,
) -> (Sums, Vec<f32>) {
    let size = batch.len().div_ceil(PARTS);
    let parts: Vec<(Sums, Vec<f32>)> = batch
        .par_chunks(size)
        .enumerate()
        .map(|(i, part)| {
            let mut random = Random::seed_from_u64(seed << 4 ^ i as u64);
            let (mut sums, mut gradient) = (Sums::default(), vec![0.0; layout.len]);
            let mut scratch = Scratch::new();
            for &n in part {
                let sample = &data.samples[n as usize];
                let symmetry = random.random_range(..8u8);
                sums +=
                    learn(layout, params, (data, sample, symmetry), loss, &mut scratch, Some(&mut gradient));
            }
            (sums, gradient)
        })
        .collect();
    let mut sums = Sums::default();
    let mut gradient = vec![0.0; layout.len];
    let share = 1.0 / batch.len() as f32;
    for (s, g) in parts {
        sums += s;
        gradient.iter_mut().zip(g).for_each(|(a, b)| *a += share * b);
    }
    (sums, gradient)
}

/// Losses on games that were held back.
fn validate(layout: &Layout, params: &[f32], data: &Data, loss: &Loss) -> Sums {
    let parts: Vec<Sums> = data
        .samples
        .par_chunks(CHUNK)
        .map(|part| {
            let mut scratch = Scratch::new();
            let mut sums = Sums::default();
            for sample in part {
                sums += learn(layout, params, (data, sample, 0), loss, &mut scratch, None);
            }
            sums
        })
        .collect();
    let mut sums = Sums::default();
    parts.into_iter().for_each(|s| sums += s);
    sums
}

/// The weights to begin with: those of a net, or small random ones.
fn first(layout: &Layout, options: &Options, training: &Data) -> Vec<f32> {
    let Some(net) = &options.from else { return initial(layout, options.seed) };
    let mut params = import::dequantize(layout, net);
    // The net's biases do not include means, so the means must be right from the first step on.
    let every = training.samples.len().div_ceil(MEAN_SAMPLES);
    let batch: Vec<u32> = (0..training.samples.len() as u32).step_by(every).collect();
    let (_, inputs) = gradient(layout, &params, training, &batch, &options.loss, options.seed);
    import::center(layout, &mut params, &inputs[layout.mean..]);
    params
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

/// The name of a file beside the net.
fn beside(out: &Path, extension: &str) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

#[cfg(test)]
mod tests {
    use kagetsu::eval::arch::{CHANNELS, LIMIT, TOTAL_SCALE};

    use std::time::Duration;

    use kagetsu::game::RuleKind;

    use super::*;
    use crate::data::Cell;
    use crate::export::tests::options;
    use crate::model::logit;
    use crate::model::tests::{random_params, samples};

    /// Three of four games are won at ln 3 logits, and one of four at minus that: only one scale fits both.
    #[test]
    fn the_scale_is_the_one_at_which_scores_predict_results() {
        for scale in [80.0, 200.0] {
            let mut data = Data::default();
            let mut add = |score, result| data.add(Vec::new(), 0, (score, result), None);
            let score = scale * 3.0f32.ln();
            for result in [1.0, 1.0, 1.0, 0.0] {
                add(score, Some(result));
                add(-score, Some(1.0 - result));
            }
            // A sample without a result counts nothing, and a proof counts the same at every scale.
            add(700.0, None);
            add(f32::INFINITY, Some(1.0));
            let found = fit_scale(&data);
            assert!((found - scale).abs() < 3.0, "{found}; expected {scale}");
        }
    }

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
        let mut params = random_params(&layout, 3);
        params[layout.mean..].fill(0.0);
        let data = samples(&layout, 1);
        let mut options = options(RuleKind::Renju);
        assert_eq!(first(&layout, &options, &data), initial(&layout, options.seed));
        let net = export::quantize(&layout, &params, &options, &data, None);
        let given = import::dequantize(&layout, &net);
        options.from = Some(Box::new(net));
        let found = first(&layout, &options, &data);
        for sample in &data.samples {
            let [a, b] = [&given, &found].map(|params| logit(&layout, params, &data, sample));
            assert!((a - b).abs() < 1e-3, "{a} {b}");
        }
        for channel in 0..CHANNELS {
            let each = data.samples.iter().map(|s| total(&layout, &given, data.cells(s), channel));
            let mean = each.sum::<f32>() / data.samples.len() as f32;
            assert!((found[layout.mean + channel] - mean).abs() < 1e-4 * (1.0 + mean), "{channel}");
        }
    }

    /// To weights of zero every game is a coin's.
    #[test]
    fn what_is_held_back_is_judged_whole() {
        let layout = Layout::new(true);
        let data = samples(&layout, 1);
        let loss = options(RuleKind::Standard).loss;
        let sums = validate(&layout, &vec![0.0; layout.len], &data, &loss);
        // Six samples, of which the first and the fourth have no result, and every other one a move.
        assert_eq!((sums.count, sums.results, sums.move_count), (6.0, 4.0, 3.0));
        let coin = 2.0f64.ln();
        assert!(
            (sums.value - 6.0 * coin).abs() < 1e-5 && (sums.result - 4.0 * coin).abs() < 1e-5,
            "{sums:?}"
        );
    }

    /// A checkpoint continues only under the same conditions. The time of saving is not one of them.
    #[test]
    fn whatever_decides_about_the_net_is_part_of_the_order() {
        let layout = Layout::new(true);
        let [data, other] = [1, 2].map(|seed| samples(&layout, seed));
        let order = |change: fn(&mut Options), training: &Data, validation: &Data| {
            let mut options = options(RuleKind::Standard);
            change(&mut options);
            options.order(training, validation)
        };
        let plain = order(|_| {}, &data, &data);
        assert_eq!(order(|o| o.checkpoint_every = Duration::ZERO, &data, &data), plain);
        assert_ne!(order(|_| {}, &other, &data), plain);
        assert_ne!(order(|_| {}, &data, &other), plain);
        let changes: [fn(&mut Options); 12] = [
            |o| o.rule = RuleKind::Caro,
            |o| o.epochs += 1,
            |o| o.batch += 1,
            |o| o.rates.embedding += 0.1,
            |o| o.rates.linear += 0.1,
            |o| o.rates.moves += 0.1,
            |o| o.rates.rest += 0.1,
            |o| o.rates.decay += 0.1,
            |o| o.loss.score_share -= 0.1,
            |o| o.loss.scale += 1.0,
            |o| o.seed += 1,
            |o| o.from = Some(Box::new(kagetsu::eval::hand::net(o.rule))),
        ];
        for (i, change) in changes.into_iter().enumerate() {
            assert_ne!(order(change, &data, &data), plain, "change {i}");
        }
    }
}
