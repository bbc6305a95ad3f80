//! Positions as flat files, for a training by another program: `gpu.py` beside the sources, on a GPU.
//!
//! A folder gets `training` and `validation`, each as `.samples` and `.cells`, then two files for a comparison, and at last
//! `plan.json`, which has everything else that the other program needs: where each part of the weights begins, the settings, and
//! the numbers of the model that are constants here. All numbers are little-endian. The weights come and go by the checkpoint.
//!
//! | file | record | fields |
//! |---|---|---|
//! | `.samples` | 16 bytes | target of the value `f32`; result `f32`, negative if unknown; cells `u16`; cell of the best move `u16`, 65535 for none; head `u8`; three zeros |
//! | `.cells` | 10 bytes | codes 2 x `u16`; relations 2 x `u8`; region `u8`; points `u8`; candidates `u8`; a zero |
//! | `parity.gradient` | 4 bytes | `f32`: the mean gradient of the first training positions for the weights of the checkpoint, the `i`th position seen under symmetry `i % 8` |
//! | `parity.weights` | 4 bytes | `f32`: the weights after the optimizer's first step along that gradient, at the middle of the training |

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use kagetsu::eval::arch::{
    CHANNELS, HIDDEN, INPUTS, LIMIT, POLICY_CHANNELS, POLICY_HIDDEN, POLICY_LIMIT, POLICY_OUTPUTS, REGIONS,
    RELATIONS, SECOND, TOTAL_SCALE,
};
use kagetsu::game::CODES;
use serde_json::{Value, json};

use crate::arithmetic::{OUTSIDE, turned};
use crate::checkpoint::State;
use crate::data::{Data, Set, Sets};
use crate::layout::Layout;
use crate::model::{Loss, Scratch, Sums, learn};
use crate::optimizer::{
    Adam, BETA1, BETA2, EPSILON, LARGEST, LARGEST_IN_LAYERS, LAST, MEAN_RATE, Rates, WARM_UP,
};
use crate::options::Options;
use crate::policy::LEVEL;

/// Version of the files.
const VERSION: u32 = 1;
/// Name of the file that is written last.
const PLAN: &str = "plan.json";
/// Names of all files.
const FILES: [&str; 7] = [
    "training.samples",
    "training.cells",
    "validation.samples",
    "validation.cells",
    "parity.gradient",
    "parity.weights",
    PLAN,
];
/// Games that are expanded together.
const TOGETHER: usize = 4096;
/// Positions whose gradient is written for a comparison.
const PARITY: u64 = 512;
/// The part of the training at which a step is written for a comparison.
const MIDDLE: f32 = 0.5;
/// The cell of the best move where no move is to be learned.
const NO_MOVE: u16 = u16::MAX;

/// Checks that the folder for the files of a training can be made.
pub fn check_folder(dir: &Path) -> Result<()> {
    let beside = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
    let exists = fs::symlink_metadata(dir).is_ok();
    if exists && dir.join("training.samples").exists() && !dir.join(PLAN).exists() {
        bail!(
            "{}: it has no {PLAN}, so another --expand is writing it or was interrupted: expected it removed, \
             or a new folder",
            dir.display()
        );
    }
    if exists || beside.is_some_and(|parent| !parent.is_dir()) {
        bail!("{}: expected a new folder in one that exists", dir.display());
    }
    Ok(())
}

/// Makes the folder for the files of a training.
pub fn make_folder(dir: &Path) -> Result<()> {
    fs::create_dir(dir).with_context(|| format!("{}: expected a new folder", dir.display()))
}

/// Removes the files of a training that could not be written to the end, and their folder if nothing else is in it. They may
/// have filled the disk, and the same command needs a new folder.
pub fn clear_folder(dir: &Path) {
    for name in FILES {
        // Files that were not begun are missing.
        let _ = fs::remove_file(dir.join(name));
    }
    // An error here is not reported: the error of the writing is.
    let _ = fs::remove_dir(dir);
}

/// Writes the files of a training into the new folder `dir`. A folder without `plan.json` is incomplete.
pub fn write(dir: &Path, options: &Options, sets: &Sets, layout: &Layout, state: &State) -> Result<()> {
    write_set(dir, "training", sets, &sets.training, &options.loss)?;
    write_set(dir, "validation", sets, &sets.validation, &options.loss)?;
    let (sums, gradient) = parity(layout, &state.params, sets, &options.loss)?;
    let mut stepped = state.params.clone();
    Adam::new(layout.len).apply(layout, &mut stepped, &gradient, &options.rates, MIDDLE);
    for (name, numbers) in [("parity.gradient", gradient), ("parity.weights", stepped)] {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        create(dir, name)?.write_all(&bytes)?;
    }
    let plan = plan(options, sets, layout, &state.progress.order, &sums);
    create(dir, PLAN)?.write_all(format!("{plan:#}\n").as_bytes())?;
    Ok(())
}

fn create(dir: &Path, name: &str) -> Result<File> {
    let path = dir.join(name);
    File::create_new(&path).with_context(|| path.display().to_string())
}

fn write_set(dir: &Path, name: &str, sets: &Sets, set: &Set, loss: &Loss) -> Result<()> {
    let mut samples = BufWriter::new(create(dir, &format!("{name}.samples"))?);
    let mut cells = BufWriter::new(create(dir, &format!("{name}.cells"))?);
    for first in (0..set.games.len()).step_by(TOGETHER) {
        let games = first..(first + TOGETHER).min(set.games.len());
        for (of_samples, of_cells) in set.expand(&sets.index, games, |data| bytes(&data, loss))? {
            samples.write_all(&of_samples)?;
            cells.write_all(&of_cells)?;
        }
    }
    samples.flush()?;
    cells.flush()?;
    Ok(())
}

/// Returns the records of samples and of their cells.
fn bytes(data: &Data, loss: &Loss) -> (Vec<u8>, Vec<u8>) {
    let (mut samples, mut cells) = (Vec::new(), Vec::new());
    let mut list = Vec::new();
    for sample in &data.samples {
        data.unpack(sample, &mut list);
        samples.extend(loss.target(sample).to_le_bytes());
        samples.extend(sample.result.unwrap_or(-1.0).to_le_bytes());
        samples.extend((list.len() as u16).to_le_bytes());
        samples.extend(sample.best.unwrap_or(NO_MOVE).to_le_bytes());
        samples.extend([sample.head, 0, 0, 0]);
        for cell in &list {
            cells.extend(cell.codes.iter().flat_map(|code| code.to_le_bytes()));
            cells.extend(cell.relations);
            cells.extend([cell.region, cell.count, cell.candidates, 0]);
        }
    }
    (samples, cells)
}

/// Returns the sums of losses and the mean gradient of the first positions.
fn parity(layout: &Layout, params: &[f32], sets: &Sets, loss: &Loss) -> Result<(Sums, Vec<f32>)> {
    let mut positions = 0;
    let first = sets.training.games.iter().take_while(|game| {
        let wanted = positions < PARITY;
        positions += u64::from(game.positions);
        wanted
    });
    let games = sets.index.expand(&sets.training.games[..first.count()], |_, data| data)?;
    let all = games.iter().flat_map(|data| data.samples.iter().map(move |sample| (data, sample)));
    let (mut sums, mut gradient) = (Sums::default(), vec![0.0; layout.len]);
    let mut scratch = Scratch::default();
    for (i, (data, sample)) in all.take(PARITY as usize).enumerate() {
        let seen = (data, sample, (i % 8) as u8);
        sums += learn(layout, params, seen, loss, &mut scratch, Some(&mut gradient));
    }
    gradient.iter_mut().for_each(|g| *g /= sums.count as f32);
    Ok((sums, gradient))
}

/// Returns everything that is neither a position nor a weight.
fn plan(options: &Options, sets: &Sets, layout: &Layout, order: &str, parity: &Sums) -> Value {
    let Rates { embedding, linear, moves, rest, decay } = options.rates;
    let Layout {
        policy, policy_w1, policy_b1, policy_w2, policy_b2, w1, b1, w2, b2, w3, b3, mean, len, ..
    } = *layout;
    let size = |set: &Set| json!({ "positions": set.summary.positions, "cells": set.summary.cells });
    let symmetries: Vec<Vec<usize>> =
        (0..8).map(|s| (0..REGIONS as u8).map(|r| turned(r, s)).collect()).collect();
    json!({
        "format": "kagetsu positions",
        "version": VERSION,
        "rule": options.rule.name(),
        "order": order,
        "epochs": options.epochs,
        "batch": options.shuffle.batch,
        "seed": options.shuffle.seed,
        "training": size(&sets.training),
        "validation": size(&sets.validation),
        "heads": if layout.tied { 1 } else { 2 },
        "sizes": {
            "codes": CODES, "channels": CHANNELS, "regions": REGIONS, "inputs": INPUTS, "hidden": HIDDEN,
            "second": SECOND, "policy_channels": POLICY_CHANNELS, "policy_hidden": POLICY_HIDDEN,
            "policy_outputs": POLICY_OUTPUTS, "relations": RELATIONS,
        },
        "offsets": {
            "embedding": 0, "linear": layout.linear, "moves": layout.moves, "policy": policy,
            "policy_w1": policy_w1, "policy_b1": policy_b1, "policy_w2": policy_w2, "policy_b2": policy_b2,
            "w1": w1, "b1": b1, "w2": w2, "b2": b2, "w3": w3, "b3": b3, "mean": mean, "end": len,
        },
        "model": {
            "limit": LIMIT, "policy_limit": POLICY_LIMIT, "total_scale": TOTAL_SCALE, "outside": OUTSIDE,
            "level": LEVEL, "symmetries": symmetries,
        },
        "optimizer": {
            "embedding": embedding, "linear": linear, "moves": moves, "layers": rest, "decay": decay,
            "beta1": BETA1, "beta2": BETA2, "epsilon": EPSILON, "mean_rate": MEAN_RATE, "warm_up": WARM_UP,
            "last": LAST, "largest": LARGEST, "largest_in_layers": LARGEST_IN_LAYERS,
        },
        "parity": {
            "positions": parity.count, "value": parity.value, "result": parity.result, "results": parity.results,
            "moves": parity.moves, "hits": parity.hits, "move_count": parity.move_count, "part": MIDDLE,
        },
    })
}
