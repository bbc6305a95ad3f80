//! The training loop: batches in a seeded order, gradients on all cores, validation and checkpoints.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use kagetsu::eval::arch::{CHANNELS, HIDDEN, INPUTS};
use kagetsu::game::RuleKind;
use kagetsu::random::Random;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::data::{Data, is_symmetric};
use crate::export;
use crate::model::{Layout, Loss, Scratch, Sums, learn, sigmoid};
use crate::optimizer::{Adam, Rates};

/// Parts of a batch; fixed, so that sums do not depend on the number of threads.
const PARTS: usize = 4;
/// Checkpoints are this far apart.
const CHECKPOINT: Duration = Duration::from_secs(60);

/// What is trained, and how.
pub struct Options {
    pub rule: RuleKind,
    pub epochs: u64,
    pub batch: usize,
    pub rates: Rates,
    pub loss: Loss,
    pub seed: u64,
}

/// Everything that a training continues from, besides the numbers in the binary part of the file.
#[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
struct Progress {
    /// What was asked for; another order does not continue this one.
    order: String,
    epoch: u64,
    batch: usize,
    step: u64,
    log: Vec<Epoch>,
}

/// One line of the log.
#[derive(Serialize, Deserialize, PartialEq, Clone, Copy, Debug)]
pub struct Epoch {
    pub epoch: u64,
    /// Loss of the value on the training games, and on those held back.
    pub training: f64,
    pub validation: f64,
    /// The held back games' results, predicted.
    pub result: f64,
    /// Cross-entropy of the moves and share of best moves found, on the games held back.
    pub moves: f64,
    pub hits: f64,
}

/// Units of the search's score to a logit: the scale at which the scores best predict the results.
pub fn fit_scale(data: &Data) -> f32 {
    let loss = |scale: f32| -> f64 {
        let each = |s: &crate::data::Sample| {
            let p = sigmoid(s.score / scale).clamp(1e-4, 1.0 - 1e-4);
            s.result.map_or(0.0, |r| -f64::from(r * p.ln() + (1.0 - r) * (1.0 - p).ln()))
        };
        data.samples.par_iter().map(each).sum()
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
    let order = format!(
        "{} {} {:?} {:?} {} {} {}",
        options.rule,
        options.epochs,
        options.rates,
        options.loss,
        options.seed,
        options.batch,
        training.samples.len()
    );
    let checkpoint = beside(out, "checkpoint");
    let (mut params, mut adam, mut progress) = match restore(&checkpoint, layout.len, &order)? {
        Some(state) => state,
        None => {
            let progress = Progress { order, epoch: 0, batch: 0, step: 0, log: Vec::new() };
            (initial(&layout, options.seed), Adam::new(layout.len), progress)
        }
    };
    let batches = training.samples.len().div_ceil(options.batch);
    let bar = ProgressBar::new(options.epochs * batches as u64);
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left {msg}")?);
    let mut saved = Instant::now();
    while progress.epoch < options.epochs {
        let mut random = Random::new(options.seed << 32 ^ progress.epoch);
        let mut samples: Vec<u32> = (0..training.samples.len() as u32).collect();
        random.shuffle(&mut samples);
        let mut sums = Sums::default();
        while progress.batch < batches {
            let chunk = &samples[progress.batch * options.batch..];
            let chunk = &chunk[..chunk.len().min(options.batch)];
            let seed = options.seed << 32 ^ (progress.epoch << 20 | progress.batch as u64);
            let (batch_sums, gradient) = step(&layout, &params, training, chunk, &options.loss, seed);
            sums += batch_sums;
            let done = progress.epoch * batches as u64 + progress.batch as u64;
            let part = done as f32 / (options.epochs * batches as u64) as f32;
            adam.apply(&layout, &mut params, &gradient, &options.rates, part);
            progress.batch += 1;
            bar.set_position(done + 1);
            if saved.elapsed() > CHECKPOINT {
                save(&checkpoint, &params, &adam, &progress)?;
                saved = Instant::now();
            }
        }
        let judged = validate(&layout, &params, validation, &options.loss);
        progress.epoch += 1;
        progress.batch = 0;
        let epoch = Epoch {
            epoch: progress.epoch,
            training: sums.value / sums.count,
            validation: judged.value / judged.count,
            result: judged.result / judged.results,
            moves: judged.moves / judged.move_count,
            hits: judged.hits / judged.move_count,
        };
        progress.log.push(epoch);
        bar.println(format!(
            "epoch {}: value {:.4}, held back {:.4} (results {:.4}); moves {:.4}, best found {:.1} %",
            epoch.epoch,
            epoch.training,
            epoch.validation,
            epoch.result,
            epoch.moves,
            100.0 * epoch.hits
        ));
        eprintln!("{}", serde_json::to_string(&epoch)?);
        save(&checkpoint, &params, &adam, &progress)?;
        saved = Instant::now();
        write_log(out, &progress.log)?;
    }
    bar.finish_and_clear();
    let net = export::quantize(&layout, &params, options, training, progress.log.last());
    let bytes = net.to_bytes();
    let partial = beside(out, "partial");
    fs::write(&partial, &bytes).with_context(|| partial.display().to_string())?;
    fs::rename(&partial, out).with_context(|| out.display().to_string())?;
    Ok(())
}

/// Loss and mean gradient of a batch.
fn step(
    layout: &Layout,
    params: &[f32],
    data: &Data,
    chunk: &[u32],
    loss: &Loss,
    seed: u64,
) -> (Sums, Vec<f32>) {
    let size = chunk.len().div_ceil(PARTS);
    let parts: Vec<(Sums, Vec<f32>)> = chunk
        .par_chunks(size)
        .enumerate()
        .map(|(i, part)| {
            let mut random = Random::new(seed << 4 ^ i as u64);
            let (mut sums, mut gradient) = (Sums::default(), vec![0.0; layout.len]);
            let mut scratch = Scratch::new();
            for &n in part {
                let sample = &data.samples[n as usize];
                let symmetry = random.below(8) as u8;
                sums +=
                    learn(layout, params, (data, sample, symmetry), loss, &mut scratch, Some(&mut gradient));
            }
            (sums, gradient)
        })
        .collect();
    let mut sums = Sums::default();
    let mut gradient = vec![0.0; layout.len];
    let share = 1.0 / chunk.len() as f32;
    for (s, g) in parts {
        sums += s;
        gradient.iter_mut().zip(g).for_each(|(a, b)| *a += share * b);
    }
    (sums, gradient)
}

fn validate(layout: &Layout, params: &[f32], data: &Data, loss: &Loss) -> Sums {
    let parts: Vec<Sums> = data
        .samples
        .par_chunks(4096)
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

/// Small random weights.
fn initial(layout: &Layout, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed ^ 0x5eed);
    let mut params = vec![0.0; layout.len];
    let mut fill = |range: std::ops::Range<usize>, size: f32| {
        params[range].iter_mut().for_each(|p| *p = (random.unit() as f32 * 2.0 - 1.0) * size);
    };
    fill(0..layout.linear, 0.1);
    fill(layout.move_vector..layout.w1, 0.1);
    fill(layout.w1..layout.b1, 1.0 / (INPUTS as f32).sqrt());
    fill(layout.w2..layout.b2, 1.0 / (HIDDEN as f32).sqrt());
    fill(layout.w3..layout.b3, 1.0 / (HIDDEN as f32).sqrt());
    const { assert!(CHANNELS.is_multiple_of(2)) };
    params
}

fn beside(out: &Path, extension: &str) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// A line of JSON, then parameters, means and squares as little-endian floats.
fn save(path: &Path, params: &[f32], adam: &Adam, progress: &Progress) -> Result<()> {
    let progress = Progress { step: adam.step, ..progress.clone() };
    let mut bytes = serde_json::to_vec(&progress)?;
    bytes.push(b'\n');
    for part in [params, &adam.mean, &adam.square] {
        bytes.extend_from_slice(bytemuck::cast_slice(part));
    }
    let partial = path.with_extension("unfinished");
    let mut file = fs::File::create(&partial).with_context(|| partial.display().to_string())?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(&partial, path).with_context(|| path.display().to_string())
}

fn restore(path: &Path, len: usize, order: &str) -> Result<Option<(Vec<f32>, Adam, Progress)>> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let end = bytes.iter().position(|&b| b == b'\n').context("a checkpoint without a first line")?;
    let progress: Progress = serde_json::from_slice(&bytes[..end]).context("a checkpoint's first line")?;
    let body = &bytes[end + 1..];
    if progress.order != order || body.len() != 3 * 4 * len {
        bail!(
            "{}: a checkpoint of another training ({}); expected {order}; remove it to begin anew",
            path.display(),
            progress.order
        );
    }
    let floats: Vec<f32> =
        body.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let (params, rest) = floats.split_at(len);
    let (mean, square) = rest.split_at(len);
    let adam = Adam { mean: mean.to_vec(), square: square.to_vec(), step: progress.step };
    Ok(Some((params.to_vec(), adam, progress)))
}

/// The losses as lines of JSON, and as a picture.
fn write_log(out: &Path, log: &[Epoch]) -> Result<()> {
    let lines: Vec<String> = log.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    fs::write(beside(out, "log"), lines.join("\n") + "\n")?;
    fs::write(beside(out, "svg"), plot(log))?;
    Ok(())
}

/// Training and validation loss over the epochs.
fn plot(log: &[Epoch]) -> String {
    let values = log.iter().flat_map(|e| [e.training, e.validation]);
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
    let span = (high - low).max(1e-6);
    let x = |i: usize| 60.0 + 500.0 * i as f64 / (log.len().max(2) - 1) as f64;
    let y = |v: f64| 40.0 + 280.0 * (high - v) / span;
    let line = |of: fn(&Epoch) -> f64, color: &str| {
        let points: Vec<String> =
            log.iter().enumerate().map(|(i, e)| format!("{:.1},{:.1}", x(i), y(of(e)))).collect();
        format!("<polyline fill='none' stroke='{color}' stroke-width='2' points='{}'/>\n", points.join(" "))
    };
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='600' height='360' font-family='sans-serif' font-size='13'>\n\
         <rect width='600' height='360' fill='white'/>\n{}{}\
         <text x='60' y='20'>value loss: training (blue), held back (red); {} epochs</text>\n\
         <text x='5' y='45'>{high:.4}</text><text x='5' y='320'>{low:.4}</text>\n</svg>\n",
        line(|e| e.training, "steelblue"),
        line(|e| e.validation, "firebrick"),
        log.len()
    )
}
