//! Checkpoint of a training, to continue after an interruption.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::files::{Files, Stamps};
use crate::history::Epoch;
use crate::model::Sums;
use crate::optimizer::Adam;
use crate::output::replace;

/// Bytes of a weight in a checkpoint: itself, and three numbers of the optimizer.
const BYTES: usize = 4 * 4;

/// The progress of a training.
#[derive(Serialize, Deserialize, PartialEq, Clone, Default, Debug)]
pub struct Progress {
    /// Settings of the training. A checkpoint with other settings cannot be continued.
    pub order: String,
    /// Epochs that are done.
    pub epoch: u64,
    /// Batches of the next one that are done.
    pub batch: usize,
    /// Losses of these batches, for the log alone, so the precision of JSON is enough.
    pub sums: Sums,
    /// Batches of all epochs that are done.
    pub step: u64,
    /// The epochs that are done.
    pub log: Vec<Epoch>,
}

/// The first line of a checkpoint. Those of earlier versions have no stamps or no checksum.
#[derive(Serialize, Deserialize)]
struct Head<P, S> {
    #[serde(flatten)]
    progress: P,
    stamps: Option<S>,
    /// CRC-32 of the bytes after the line.
    crc: Option<u32>,
}

/// A training between two steps.
pub struct State {
    pub params: Vec<f32>,
    pub adam: Adam,
    pub progress: Progress,
    /// The files that the training may replace.
    pub stamps: Stamps,
}

impl State {
    /// The state before the first step.
    pub fn new(params: Vec<f32>, order: String, stamps: Stamps) -> State {
        let progress = Progress { order, ..Progress::default() };
        State { adam: Adam::new(params.len()), params, progress, stamps }
    }

    /// Puts the state in the place of the checkpoint at `path`.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut body = Vec::with_capacity(BYTES * self.params.len());
        for part in [&self.params, &self.adam.mean, &self.adam.square, &self.adam.steps] {
            body.extend(part.iter().flat_map(|x| x.to_le_bytes()));
        }
        let (stamps, crc) = (Some(&self.stamps), Some(crc32fast::hash(&body)));
        let head = Head { progress: &self.progress, stamps, crc };
        let mut bytes = serde_json::to_vec(&head)?;
        bytes.push(b'\n');
        bytes.extend(body);
        replace(path, &bytes)
    }

    /// Returns the state in the checkpoint of a training, with `len` parameters; `None` if there is none yet.
    pub fn restore(files: &Files, len: usize, order: &str) -> Result<Option<State>> {
        let path = &files.checkpoint;
        let name = || path.display().to_string();
        if !path.try_exists().with_context(name)? {
            return Ok(None);
        }
        let bytes = fs::read(path).with_context(name)?;
        let state = State::from_bytes(&bytes, len, order, || Stamps::adopted(files));
        let state = state.with_context(|| {
            format!("{}: the training cannot continue from this checkpoint; --force begins anew", name())
        })?;
        Ok(Some(state))
    }

    /// Reads the bytes of a checkpoint. `adopted` gives the stamps to one that has none.
    fn from_bytes(
        bytes: &[u8],
        len: usize,
        order: &str,
        adopted: impl FnOnce() -> Result<Stamps>,
    ) -> Result<State> {
        let end = bytes.iter().position(|&b| b == b'\n').context("it has no first line")?;
        let Head { progress, stamps, crc }: Head<Progress, Stamps> =
            serde_json::from_slice(&bytes[..end]).context("its first line cannot be read")?;
        let body = &bytes[end + 1..];
        if progress.order != order {
            bail!("it is of another training ({}); expected {order}", progress.order);
        }
        if body.len() != BYTES * len {
            bail!("it is cut off or damaged: {} bytes of weights; expected {}", body.len(), BYTES * len);
        }
        if crc.is_some_and(|crc| crc != crc32fast::hash(body)) {
            bail!("it is damaged: the checksum of its weights is wrong; expected a sound copy of it");
        }
        let mut floats = body.as_chunks::<4>().0.iter().map(|&b| f32::from_le_bytes(b));
        let [params, mean, square, steps] = [(); 4].map(|()| floats.by_ref().take(len).collect());
        let stamps = stamps.map_or_else(adopted, Ok)?;
        let state = State { params, adam: Adam { mean, square, steps }, progress, stamps };
        if !state.is_finite() {
            bail!("its weights or losses are not finite: the learning rates were too high");
        }
        Ok(state)
    }

    /// Returns whether the weights and the losses are finite: a training cannot recover from infinite ones.
    pub fn is_finite(&self) -> bool {
        let Sums { value, result, moves, .. } = self.progress.sums;
        [value, result, moves].iter().all(|loss| loss.is_finite())
            && self.params.iter().all(|w| w.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        let mut stamps = Stamps::default();
        stamps.net.add(b"a net");
        let mut state = State::new(vec![0.1, -2.5, 3e-30], "an order".to_string(), stamps);
        state.adam =
            Adam { mean: vec![1.0, 2.0, 3.0], square: vec![0.25, 0.5, 0.75], steps: vec![17.0, 0.0, 1.0] };
        state.progress.sums.value = 12_345.678_901;
        state.progress.log = vec![Epoch { epoch: 1, training: 0.333_333, ..Epoch::default() }];
        state
    }

    #[test]
    fn a_state_comes_back_to_the_last_bit() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::of(&dir.path().join("net"));
        assert!(State::restore(&files, 3, "an order").unwrap().is_none());
        let saved = state();
        saved.save(&files.checkpoint).unwrap();
        let found = State::restore(&files, 3, "an order").unwrap().unwrap();
        assert_eq!(found.params, saved.params);
        let Adam { mean, square, steps } = found.adam;
        assert_eq!((mean, square, steps), (saved.adam.mean, saved.adam.square, saved.adam.steps));
        assert_eq!((found.progress, found.stamps), (saved.progress, saved.stamps));
    }

    /// Returns the error of a checkpoint, which names the file and how to begin anew; an empty one if it is restored.
    fn refusal(files: &Files, len: usize, order: &str) -> String {
        let error = State::restore(files, len, order).err().map(|error| format!("{error:#}"));
        let error = error.unwrap_or_default();
        let head = format!("{}: the training cannot continue", files.checkpoint.display());
        assert!(
            error.is_empty() || error.starts_with(&head) && error.contains("--force begins anew"),
            "{error}"
        );
        error
    }

    #[test]
    fn other_and_damaged_checkpoints_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::of(&dir.path().join("net"));
        let path = &files.checkpoint;
        state().save(path).unwrap();
        let error = refusal(&files, 3, "another order");
        assert!(error.contains("it is of another training (an order); expected another order"), "{error}");
        let error = refusal(&files, 4, "an order");
        assert!(error.contains("it is cut off or damaged: 48 bytes of weights; expected 64"), "{error}");
        let bytes = fs::read(path).unwrap();
        for (len, expected) in [
            (0, "it has no first line"),
            (10, "it has no first line"),
            (bytes.len() - 48, "it is cut off or damaged: 0 bytes of weights; expected 48"),
            (bytes.len() - 1, "it is cut off or damaged: 47 bytes of weights; expected 48"),
        ] {
            fs::write(path, &bytes[..len]).unwrap();
            let error = refusal(&files, 3, "an order");
            assert!(error.contains(expected), "{len}: {error}");
        }
    }

    /// A flipped bit of a weight gives another weight that is as good a number.
    #[test]
    fn a_flipped_bit_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::of(&dir.path().join("net"));
        let path = &files.checkpoint;
        state().save(path).unwrap();
        let bytes = fs::read(path).unwrap();
        for at in bytes.len() - BYTES * 3..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            fs::write(path, damaged).unwrap();
            let error = refusal(&files, 3, "an order");
            assert!(error.contains("the checksum of its weights is wrong"), "{at}: {error}");
        }
    }

    /// Earlier versions wrote the progress alone into the first line. A plot of theirs may be replaced.
    #[test]
    fn a_checkpoint_without_a_checksum_is_restored() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::of(&dir.path().join("net"));
        let path = &files.checkpoint;
        let saved = state();
        saved.save(path).unwrap();
        let bytes = fs::read(path).unwrap();
        let mut earlier = serde_json::to_vec(&saved.progress).unwrap();
        earlier.push(b'\n');
        earlier.extend(&bytes[bytes.len() - BYTES * 3..]);
        fs::write(path, earlier).unwrap();
        fs::write(&files.plot, "<svg>").unwrap();
        let found = State::restore(&files, 3, "an order").unwrap().unwrap();
        found.stamps.plot.check(&files.plot).unwrap();
        assert_eq!((found.params, found.progress), (saved.params, saved.progress));
    }

    /// If any step of saving fails, the last checkpoint or the new one is there.
    #[test]
    fn every_step_of_saving_may_fail() {
        use kagetsu::disk::faults::{self, Fault};

        let epoch =
            |files: &Files| State::restore(files, 3, "an order").unwrap().map(|state| state.progress.epoch);
        let mut points = 0;
        for fault in [Fault::Once, Fault::Lasting, Fault::Torn] {
            for before in [None, Some(0)] {
                for step in 1.. {
                    let dir = tempfile::tempdir().unwrap();
                    let files = Files::of(&dir.path().join("net"));
                    let path = &files.checkpoint;
                    before.iter().for_each(|_| state().save(path).unwrap());
                    let mut next = state();
                    next.progress.epoch = 1;
                    faults::arm(step, fault);
                    let saved = next.save(path);
                    let taken = faults::disarm();
                    let found = epoch(&files);
                    let what = format!("{fault:?} at step {step} of {taken}: {found:?}");
                    assert!(found == Some(1) || saved.is_err() && found == before, "{what}");
                    // The next attempt gets there.
                    next.save(path).unwrap();
                    assert_eq!(epoch(&files), Some(1), "{what}");
                    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "{what}");
                    if step > taken {
                        break;
                    }
                    points += 1;
                }
            }
        }
        assert!(points >= 3 * 2 * 4, "{points} points");
    }

    /// For any damage, the error names the file and how to begin anew. JSON has no infinite numbers.
    #[test]
    fn a_training_that_went_astray_does_not_go_on() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::of(&dir.path().join("net"));
        let path = &files.checkpoint;
        let changes: [fn(&mut State); 3] = [
            |state| state.params[1] = f32::NAN,
            |state| state.params[2] = f32::INFINITY,
            |state| state.progress.sums.moves = f64::NAN,
        ];
        for change in changes {
            let mut state = state();
            assert!(state.is_finite());
            change(&mut state);
            assert!(!state.is_finite());
            state.save(path).unwrap();
            assert_ne!(refusal(&files, 3, "an order"), "");
        }
    }
}
