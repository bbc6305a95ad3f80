//! What a training continues from after an interruption.
//!
//! A checkpoint is a line of JSON ([`Progress`]), then parameters, means, squares and steps as little-endian floats. It appears
//! whole or not at all, so a kill at any moment leaves the one before.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::history::Epoch;
use crate::model::Sums;
use crate::optimizer::Adam;

/// How far a training is.
#[derive(Serialize, Deserialize, PartialEq, Clone, Default, Debug)]
pub struct Progress {
    /// What was asked for; another order does not continue this one.
    pub order: String,
    /// Epochs that are done.
    pub epoch: u64,
    /// Batches of the next one that are done.
    pub batch: usize,
    /// Losses of these batches; for the log alone, so that JSON is exact enough.
    pub sums: Sums,
    /// Batches of all epochs that are done.
    pub step: u64,
    /// The epochs that are done.
    pub log: Vec<Epoch>,
}

/// A training between two steps.
pub struct State {
    pub params: Vec<f32>,
    pub adam: Adam,
    pub progress: Progress,
}

impl State {
    /// The state before the first step.
    pub fn new(params: Vec<f32>, order: String) -> State {
        State { adam: Adam::new(params.len()), params, progress: Progress { order, ..Progress::default() } }
    }

    /// Puts the state in the place of the checkpoint at `path`.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut bytes = serde_json::to_vec(&self.progress)?;
        bytes.push(b'\n');
        for part in [&self.params, &self.adam.mean, &self.adam.square, &self.adam.steps] {
            bytes.extend(part.iter().flat_map(|x| x.to_le_bytes()));
        }
        replace(path, &bytes)
    }

    /// The state at `path`, of `len` parameters; `None` if there is none yet.
    pub fn restore(path: &Path, len: usize, order: &str) -> Result<Option<State>> {
        if !path.exists() {
            return Ok(None);
        }
        let name = || path.display().to_string();
        let bytes = fs::read(path).with_context(name)?;
        let end = bytes.iter().position(|&b| b == b'\n').context("no first line").with_context(name)?;
        let progress: Progress = serde_json::from_slice(&bytes[..end]).with_context(name)?;
        let body = &bytes[end + 1..];
        if progress.order != order || body.len() != 4 * 4 * len {
            bail!(
                "{}: a checkpoint of another training ({}); expected {order}; remove it to begin anew",
                path.display(),
                progress.order
            );
        }
        let mut floats = body.as_chunks::<4>().0.iter().map(|&b| f32::from_le_bytes(b));
        let [params, mean, square, steps] = [(); 4].map(|()| floats.by_ref().take(len).collect());
        let adam = Adam { mean, square, steps };
        Ok(Some(State { params, adam, progress }))
    }
}

/// Writes a file that appears whole or not at all.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".unfinished");
    let write = || {
        let mut file = File::create(&partial)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    write().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        let mut state = State::new(vec![0.1, -2.5, 3e-30], "an order".to_string());
        state.adam =
            Adam { mean: vec![1.0, 2.0, 3.0], square: vec![0.25, 0.5, 0.75], steps: vec![17.0, 0.0, 1.0] };
        state.progress.sums.value = 12_345.678_901;
        state.progress.log = vec![Epoch { epoch: 1, training: 0.333_333, ..Epoch::default() }];
        state
    }

    #[test]
    fn a_state_comes_back_to_the_last_bit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("net.checkpoint");
        assert!(State::restore(&path, 3, "an order").unwrap().is_none());
        let saved = state();
        saved.save(&path).unwrap();
        let found = State::restore(&path, 3, "an order").unwrap().unwrap();
        assert_eq!(found.params, saved.params);
        let Adam { mean, square, steps } = found.adam;
        assert_eq!((mean, square, steps), (saved.adam.mean, saved.adam.square, saved.adam.steps));
        assert_eq!(found.progress, saved.progress);
    }

    #[test]
    fn other_and_damaged_checkpoints_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("net.checkpoint");
        state().save(&path).unwrap();
        assert!(State::restore(&path, 3, "another order").is_err());
        assert!(State::restore(&path, 4, "an order").is_err());
        let bytes = fs::read(&path).unwrap();
        for len in [0, 10, bytes.len() - 1] {
            fs::write(&path, &bytes[..len]).unwrap();
            assert!(State::restore(&path, 3, "an order").is_err(), "{len}");
        }
    }
}
