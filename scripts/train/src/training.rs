//! The training loop: windows of positions in a seeded order, gradients in four parts, validation and checkpoints.

use std::path::Path;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use kagetsu::eval::Net;
use kagetsu::random::{Random, RngExt, SeedableRng};
use kagetsu_tools::words;
use rayon::prelude::*;

use crate::checkpoint::{Progress, State};
use crate::data::{Data, Sample, Sets, Window, is_symmetric, windows};
use crate::export;
use crate::files::{Files, Own, Stamps};
use crate::flat;
use crate::history::{self, Epoch, History};
use crate::import;
use crate::layout::Layout;
use crate::model::{Loss, Scratch, Sums, learn};
use crate::options::Options;
use crate::output::replace;
use crate::progress::Learning;
use crate::start;

/// Parts of a batch; fixed, so that sums do not depend on the number of threads.
const PARTS: usize = 4;

/// Trains a net and writes it, continuing from a checkpoint with the same data and settings if there is one.
pub fn train(out: &Path, options: &Options, sets: &Sets) -> Result<()> {
    let Beginning { layout, files, state, history } = begin(out, options, sets)?;
    let shown = Learning::new(options.epochs * sets.training.summary.positions);
    let Progress { epoch, step, .. } = state.progress;
    if step > 0 {
        let steps = words::count(step, "step");
        shown.say(&format_args!("continuing after {steps} and {}", words::count(epoch, "whole epoch")));
    }
    let mut run = Run { options, sets, layout, files, state, history, saved: Instant::now(), shown };
    thread::scope(|scope| {
        let from = (run.state.progress.epoch, run.state.progress.batch);
        for window in windows(scope, sets, options.shuffle, from, options.epochs)? {
            let window = window?;
            run.learn(&window)?;
            if window.is_last {
                run.finish_epoch()?;
            }
        }
        anyhow::Ok(())
    })?;
    run.shown.finish();
    run.write_net()
}

/// Writes the positions as flat files into the new folder `dir`, for a training by another program ([`crate::flat`]). Writes the
/// first checkpoint of the training, too, unless it goes on from one.
pub fn expand(dir: &Path, out: &Path, options: &Options, sets: &Sets) -> Result<()> {
    // The check comes first: the beginning makes the log, and a refusal leaves no files behind.
    flat::check_folder(dir)?;
    let Beginning { layout, files: Files { checkpoint, .. }, state, history: _lock } =
        begin(out, options, sets)?;
    flat::make_folder(dir)?;
    let written = flat::write(dir, options, sets, &layout, &state)
        .with_context(|| format!("cannot write the positions into {}", dir.display()))
        .and_then(|()| save_first(&state, &checkpoint, options.force));
    if written.is_err() {
        flat::clear_folder(dir);
    }
    written
}

/// Saves the checkpoint of a training that begins. One that goes on has its checkpoint already.
fn save_first(state: &State, checkpoint: &Path, force: bool) -> Result<()> {
    if force || !checkpoint.try_exists().with_context(|| checkpoint.display().to_string())? {
        state.save(checkpoint)?;
    }
    Ok(())
}

/// The state in which a training begins or goes on.
struct Beginning {
    layout: Layout,
    files: Files,
    state: State,
    /// Its lock keeps other trainings from the checkpoint.
    history: History,
}

/// Returns the state in the checkpoint of this training, or the first one.
fn begin(out: &Path, options: &Options, sets: &Sets) -> Result<Beginning> {
    let files = Files::of(out);
    // Opening the log makes it, and a training that is refused leaves no files behind.
    files.check(options.force)?;
    let history = History::open(files.log.clone(), files.plot.clone())?;
    // Only what is read under the lock is known to stay as it is.
    files.check(options.force)?;
    let layout = Layout::new(is_symmetric(options.rule));
    let order = options.order(&sets.training.summary, &sets.validation.summary);
    let found = if options.force { None } else { State::restore(&files, layout.len, &order)? };
    let state = match found {
        Some(state) => {
            state.stamps.check(&files, &history::text(&state.progress.log)?)?;
            state
        }
        None => {
            let evenly = || sets.evenly(start::MEAN_SAMPLES);
            State::new(start::params(&layout, options, evenly)?, order, Stamps::found(&files)?)
        }
    };
    Ok(Beginning { layout, files, state, history })
}

/// Returns the losses of a net on the games held back.
pub fn judge_net(net: &Net, options: &Options, sets: &Sets) -> Result<Epoch> {
    let layout = Layout::new(is_symmetric(options.rule));
    let params = import::dequantize(&layout, net);
    let judged = validate(&layout, &params, sets, &options.loss)?;
    Ok(Epoch::new(0, &Sums::default(), &judged))
}

/// A training at work.
struct Run<'a> {
    options: &'a Options,
    sets: &'a Sets,
    layout: Layout,
    files: Files,
    state: State,
    history: History,
    /// Time at which the checkpoint was last written.
    saved: Instant,
    shown: Learning,
}

impl Run<'_> {
    /// Learns from those batches of a window that are not done yet.
    fn learn(&mut self, window: &Window) -> Result<()> {
        for number in window.batches(self.state.progress.batch) {
            self.step(&window.batch(number), window.before(number));
            if self.saved.elapsed() >= self.options.checkpoint_every {
                self.save()?;
            }
        }
        Ok(())
    }

    /// Measures the loss at the end of an epoch, and records it.
    fn finish_epoch(&mut self) -> Result<()> {
        let judged = validate(&self.layout, &self.state.params, self.sets, &self.options.loss)?;
        let progress = &mut self.state.progress;
        let epoch = Epoch::new(progress.epoch + 1, &progress.sums, &judged);
        if ![epoch.training, epoch.validation, epoch.moves].iter().all(|loss| loss.is_finite()) {
            return Err(diverged(epoch.epoch));
        }
        progress.log.push(epoch);
        (progress.epoch, progress.batch, progress.sums) = (epoch.epoch, 0, Sums::default());
        self.shown.say(&epoch.to_string());
        self.record()
    }

    /// Saves a checkpoint, and writes the log and the plot of the epochs that are done.
    fn record(&mut self) -> Result<()> {
        let State { progress: Progress { log, .. }, stamps, .. } = &mut self.state;
        let (text, plot) = (history::text(log), history::plot(log));
        if let Ok(Some(plot)) = &plot {
            stamps.plot.add(plot.as_bytes());
        }
        // An epoch is saved before anything that may fail.
        self.save()?;
        let (text, plot) = (text?, plot?);
        if !self.options.force {
            self.state.stamps.check(&self.files, &text)?;
        }
        self.history.write(&text, plot.as_deref())?;
        self.state.stamps.plot.settle();
        self.state.stamps.log = Own::default();
        Ok(())
    }

    /// Writes the net. The log and the plot are written again, in case a kill came between the last checkpoint and them.
    fn write_net(&mut self) -> Result<()> {
        let Run { options, sets, layout, state: State { params, progress, stamps, .. }, .. } = self;
        let net = export::quantize(layout, params, options, &sets.training.summary, progress.log.last());
        let bytes = net.to_bytes();
        Net::from_bytes(&bytes).context("the engine would refuse the net")?;
        stamps.net.add(&bytes);
        self.record()?;
        if !self.options.force {
            self.state.stamps.net.check(&self.files.net)?;
        }
        replace(&self.files.net, &bytes)?;
        self.state.stamps.net.settle();
        // The checkpoint forgets the net that --force has replaced: if somebody puts it back, it is not
        // overwritten again.
        self.save()
    }

    /// Learns from a batch, before which the epoch had so many positions.
    fn step(&mut self, batch: &[(&Data, &Sample)], before: u64) {
        let Run { options, sets, layout, state: State { params, adam, progress, .. }, .. } = self;
        let seed = options.shuffle.seed << 32 ^ (progress.epoch << 20 | progress.batch as u64);
        let (sums, gradient) = gradient(layout, params, batch, &options.loss, seed);
        let positions = sets.training.summary.positions;
        let done = progress.epoch * positions + before;
        let part = done as f64 / (options.epochs * positions) as f64;
        adam.apply(layout, params, &gradient, &options.rates, part as f32);
        progress.sums += sums;
        progress.batch += 1;
        progress.step += 1;
        self.shown.advance(progress.epoch + 1, done + batch.len() as u64, &progress.sums);
    }

    /// Saves a checkpoint, unless the training could not continue from it: the one before is then worth more.
    fn save(&mut self) -> Result<()> {
        if !self.state.is_finite() {
            return Err(diverged(self.state.progress.epoch + 1));
        }
        self.state.save(&self.files.checkpoint)?;
        self.saved = Instant::now();
        Ok(())
    }
}

fn diverged(epoch: u64) -> anyhow::Error {
    anyhow!("the loss of epoch {epoch} is not finite: the learning rates are too high")
}

/// Loss and mean gradient of a batch.
pub fn gradient(
    layout: &Layout,
    params: &[f32],
    batch: &[(&Data, &Sample)],
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
            let mut scratch = Scratch::default();
            for &(data, sample) in part {
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

/// Losses on the games that were held back, which are read and expanded again. The sums are by game, so that they do not
/// depend on the number of threads.
fn validate(layout: &Layout, params: &[f32], sets: &Sets, loss: &Loss) -> Result<Sums> {
    let held = &sets.validation;
    let games = held.expand(&sets.index, 0..held.games.len(), |data| judge(layout, params, &data, loss))?;
    let mut sums = Sums::default();
    games.into_iter().for_each(|s| sums += s);
    Ok(sums)
}

/// Losses on samples without learning from them.
fn judge(layout: &Layout, params: &[f32], data: &Data, loss: &Loss) -> Sums {
    let mut scratch = Scratch::default();
    let mut sums = Sums::default();
    for sample in &data.samples {
        sums += learn(layout, params, (data, sample, 0), loss, &mut scratch, None);
    }
    sums
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use kagetsu::disk::faults::{self, Fault};
    use kagetsu::game::RuleKind;

    use super::*;
    use crate::data::Summary;
    use crate::export::tests::options;
    use crate::model::tests::samples;

    /// The checkpoint is read under the lock: that of another training may change at any time.
    #[test]
    fn the_checkpoint_of_a_running_training_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("net");
        let files = Files::of(&out);
        fs::write(&files.checkpoint, "half of it").unwrap();
        let (options, sets) = (options(RuleKind::Standard), Sets::default());
        let begun = || train(&out, &options, &sets).unwrap_err().to_string();
        let positions = dir.path().join("positions");
        let expanded = || expand(&positions, &out, &options, &sets).unwrap_err().to_string();
        let other = History::open(files.log, files.plot).unwrap();
        assert!(begun().contains("another training is writing it"));
        assert!(expanded().contains("another training is writing it"));
        drop(other);
        assert!(expanded().contains("cannot continue from this checkpoint"));
        assert!(begun().contains("cannot continue from this checkpoint"));
    }

    #[test]
    fn a_refused_expansion_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let [out, positions] = ["net", "positions"].map(|name| dir.path().join(name));
        let (options, sets) = (options(RuleKind::Standard), Sets::default());
        let refused = || expand(&positions, &out, &options, &sets).unwrap_err().to_string();
        fs::create_dir(&positions).unwrap();
        let said = refused();
        assert!(said.contains("expected a new folder") && positions.exists(), "{said}");
        let log = Files::of(&out).log;
        assert!(!log.exists());
        fs::write(positions.join("training.samples"), "").unwrap();
        let said = refused();
        assert!(said.contains("it has no plan.json") && said.contains("expected it removed"), "{said}");
        fs::remove_dir_all(&positions).unwrap();
        fs::write(&out, "somebody's net").unwrap();
        let said = refused();
        assert!(said.contains("it exists already"), "{said}");
        assert!(!positions.exists() && !log.exists());
    }

    /// The files may have filled the disk, and the same command needs a new folder.
    #[test]
    fn a_failed_expansion_leaves_no_folder() {
        let dir = tempfile::tempdir().unwrap();
        let [out, positions] = ["net", "positions"].map(|name| dir.path().join(name));
        let (options, sets) = (options(RuleKind::Standard), Sets::default());
        let mut failed = 0;
        for step in 1.. {
            faults::arm(step, Fault::Lasting);
            let expanded = expand(&positions, &out, &options, &sets);
            faults::disarm();
            if expanded.is_ok() {
                break;
            }
            assert!(!positions.exists(), "{step}");
            failed += 1;
        }
        assert!(failed > 0 && positions.join("plan.json").exists(), "{failed}");
    }

    /// With weights of zero every expected score is one half, so each sample has a loss of ln 2.
    #[test]
    fn every_held_back_position_is_judged() {
        let layout = Layout::new(true);
        let data = samples(&layout, 1);
        let loss = options(RuleKind::Standard).loss;
        let sums = judge(&layout, &vec![0.0; layout.len], &data, &loss);
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
    fn every_setting_that_decides_the_net_is_part_of_the_order() {
        let data = Summary { games: 9, positions: 500, cells: 60_000, checksum: 7 };
        let other = Summary { checksum: 8, ..data };
        let order = |change: fn(&mut Options), training: &Summary, validation: &Summary| {
            let mut options = options(RuleKind::Standard);
            change(&mut options);
            options.order(training, validation)
        };
        let plain = order(|_| {}, &data, &data);
        assert_eq!(order(|o| o.checkpoint_every = Duration::ZERO, &data, &data), plain);
        assert_ne!(order(|_| {}, &other, &data), plain);
        assert_ne!(order(|_| {}, &data, &other), plain);
        let changes: [fn(&mut Options); 13] = [
            |o| o.rule = RuleKind::Caro,
            |o| o.epochs += 1,
            |o| o.shuffle.batch += 1,
            |o| o.shuffle.buffer += 1,
            |o| o.rates.embedding += 0.1,
            |o| o.rates.linear += 0.1,
            |o| o.rates.moves += 0.1,
            |o| o.rates.rest += 0.1,
            |o| o.rates.decay += 0.1,
            |o| o.loss.score_share -= 0.1,
            |o| o.loss.scale += 1.0,
            |o| o.shuffle.seed += 1,
            |o| o.from = Some(Box::new(kagetsu::eval::hand::net(o.rule))),
        ];
        for (i, change) in changes.into_iter().enumerate() {
            assert_ne!(order(change, &data, &data), plain, "change {i}");
        }
    }
}
