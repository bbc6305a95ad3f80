//! State of a run: settings and progress in one JSON file, replaced as a whole after each iteration, so that a run that was
//! stopped at any moment goes on from its last iteration.

use std::fs::{self, File, OpenOptions};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use kagetsu::lock;
use kagetsu_tools::arena::contestant::Contestant;
use kagetsu_tools::output::{self, Permit, resolved};
use serde::{Deserialize, Serialize};

use crate::schedule::{Parameter, Probe, Schedule};

/// A run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// Its length and the size of its steps.
    pub schedule: Schedule,
    /// Pairs of games of one iteration.
    pub batch: u64,
    /// Decides every random choice.
    pub seed: u64,
    /// The engine and its conditions, without parameters.
    pub engine: Contestant,
    /// Rules and openings of the games; iterations use them in turn.
    pub fields: Vec<Field>,
    /// Parameters being tuned.
    pub parameters: Vec<Parameter>,
    /// Pairs played so far.
    pub done: u64,
    /// Pairs from which effects are measured: fewer than `done` if an older version began the run.
    #[serde(default)]
    pub measured: u64,
    /// Sum of the squared results of their iterations.
    #[serde(default)]
    pub squares: f64,
}

/// A rule and a board to play on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Rule, by name.
    pub rule: String,
    /// Side of the board.
    pub size: usize,
    /// Starting positions, in the order of use.
    pub openings: Vec<String>,
}

/// Keeps other processes from the run at `path` while the returned file is open. It lies beside the state, which each save
/// replaces, and stays there: a process that removed it could remove the lock of the next one.
pub fn hold(path: &Path) -> Result<File> {
    // Several names may stand for one state.
    let mut name = resolved(path).into_os_string();
    name.push(".lock");
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&name);
    let file = file.with_context(|| format!("cannot write {}", name.display()))?;
    if !lock::acquire_if_possible(&file) {
        bail!("{}: another process is tuning with this state", path.display());
    }
    Ok(file)
}

impl State {
    /// Reads a run; `None` if there is no such file.
    pub fn load(path: &Path) -> Result<Option<State>> {
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let state: State =
            serde_json::from_str(&text).with_context(|| format!("{} is not a state", path.display()))?;
        state.check().with_context(|| path.display().to_string())?;
        Ok(Some(state))
    }

    /// Checks that iterations can be played: somebody may have changed the file.
    fn check(&self) -> Result<()> {
        ensure!(self.batch > 0, "batch: expected at least one pair of games");
        ensure!(!self.fields.is_empty(), "fields: expected at least one");
        let has_openings = self.fields.iter().all(|field| !field.openings.is_empty());
        ensure!(has_openings, "openings: expected at least one in each field");
        ensure!(self.parameters.iter().all(|p| p.low <= p.high), "parameters: expected no low above high");
        Ok(())
    }

    /// Fails if games are left to be played by another program than that of the start, unless that is allowed.
    pub fn check_engine(&self, is_allowed: bool) -> Result<()> {
        ensure!(
            is_allowed || self.next_batch() == 0 || !self.engine.has_other_program(),
            "the engine {} has changed since the run began: values and effects are those of one program; expected \
             the earlier program, another --state, or --changed-engine to go on all the same",
            self.engine.program.display()
        );
        Ok(())
    }

    /// Writes the run beside the old file, then puts it in its place.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        // The file that is replaced is the one from which this run was loaded.
        output::write(path, &text, Permit::Own)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(())
    }

    /// Pairs of the next iteration; 0 at the end.
    pub fn next_batch(&self) -> u64 {
        self.batch.min(self.schedule.pairs.saturating_sub(self.done))
    }

    /// Learns from an iteration. `result` is the first engine's wins less its losses.
    pub fn learn(&mut self, probe: &Probe, result: i64) {
        let pairs = self.next_batch();
        self.schedule.learn(&mut self.parameters, probe, self.done, result);
        self.squares += (result * result) as f64;
        self.measured += pairs;
        self.done += pairs;
    }

    /// Iterations played so far.
    fn iterations(&self) -> usize {
        self.done.div_ceil(self.batch) as usize
    }

    /// The rule and openings of the next iteration.
    pub fn next_field(&self) -> &Field {
        &self.fields[self.iterations() % self.fields.len()]
    }

    /// Returns the openings of the next iteration. Each field goes through its own list again and again.
    pub fn next_openings(&self) -> Vec<String> {
        let openings = &self.next_field().openings;
        let from = self.iterations() / self.fields.len() * self.batch as usize % openings.len();
        openings.iter().cycle().skip(from).take(self.next_batch() as usize).cloned().collect()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    fn field(rule: &str, openings: &[&str]) -> Field {
        Field { rule: rule.into(), size: 15, openings: openings.iter().map(ToString::to_string).collect() }
    }

    /// A run that has not begun.
    pub fn state() -> State {
        State {
            schedule: Schedule { pairs: 10, rate: 0.002 },
            batch: 4,
            seed: 1,
            engine: Contestant::new("engine".into(), Vec::new()),
            fields: vec![field("renju", &["a", "b", "c"])],
            measured: 0,
            squares: 0.0,
            parameters: vec![Parameter {
                lead: 0.0,
                name: "x".into(),
                low: 0,
                high: 100,
                step: 4.0,
                start: 50,
                value: 50.0,
            }],
            done: 0,
        }
    }

    #[test]
    fn openings_go_round_and_the_last_batch_is_short() {
        let mut state = state();
        let mut batches = Vec::new();
        while state.next_batch() > 0 {
            batches.push(state.next_openings().concat());
            state.done += state.next_batch();
        }
        assert_eq!(batches, ["abca", "bcab", "ca"]);
    }

    #[test]
    fn fields_take_turns() {
        let mut state = state();
        state.batch = 2;
        state.fields.push(field("standard", &["x", "y", "z", "w"]));
        let mut batches = Vec::new();
        while state.next_batch() > 0 {
            batches.push(format!("{} {}", state.next_field().rule, state.next_openings().concat()));
            state.done += state.next_batch();
        }
        assert_eq!(batches, ["renju ab", "standard xy", "renju ca", "standard zw", "renju bc"]);
    }

    /// The lock stays when a save replaces the state, whatever name stands for that.
    #[test]
    fn one_process_at_a_time_has_a_run() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        let first = hold(&path).unwrap();
        state().save(&path).unwrap();
        fs::create_dir(directory.path().join("folder")).unwrap();
        let around = directory.path().join("folder").join("..").join("state.json");
        for name in [&path, &around] {
            let said = hold(name).unwrap_err().to_string();
            assert!(said.contains("state.json: another process is tuning with this state"), "{said}");
        }
        drop(first);
        assert!(hold(&path).is_ok());
    }

    /// A run that is saved and loaded between iterations comes to the same values as one that is not.
    #[test]
    fn a_stopped_run_continues_as_if_nothing_had_happened() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        assert_eq!(State::load(&path).unwrap(), None);
        let iterate = |state: &mut State| {
            let probe = state.schedule.probe(&state.parameters, state.done, state.seed);
            // More is better.
            let result = i64::from((probe.plus[0] - probe.minus[0]).signum());
            state.learn(&probe, result);
        };
        let (mut kept, mut stopped) = (state(), state());
        for _ in 0..3 {
            iterate(&mut kept);
            stopped.save(&path).unwrap();
            stopped = State::load(&path).unwrap().unwrap();
            iterate(&mut stopped);
        }
        assert_eq!(kept, stopped);
        assert!(kept.parameters[0].value > 50.0);
        fs::write(&path, "{}").unwrap();
        assert!(State::load(&path).is_err());
    }

    /// The engine is built anew under its name.
    #[cfg(unix)]
    #[test]
    fn a_run_goes_on_with_a_changed_engine_only_if_that_is_allowed() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().unwrap();
        let [path, engine] = ["state.json", "engine"].map(|name| directory.path().join(name));
        let build = |version: &str| {
            fs::write(&engine, version).unwrap();
            fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
        };
        build("version 1");
        let mut begun = state();
        begun.engine = Contestant::new(engine.clone(), Vec::new());
        begun.engine.identify();
        begun.save(&path).unwrap();
        let mut found = State::load(&path).unwrap().unwrap();
        assert!(found.check_engine(false).is_ok());
        build("version 2");
        let said = found.check_engine(false).unwrap_err().to_string();
        for expected in ["has changed since the run began", "--changed-engine"] {
            assert!(said.contains(expected), "{said}");
        }
        assert!(found.check_engine(true).is_ok());
        // The effects of a run that is over can be looked at.
        found.done = found.schedule.pairs;
        assert!(found.check_engine(false).is_ok());
    }

    /// Few of these values are short decimal numbers.
    #[test]
    fn values_come_back_to_the_last_bit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        let mut kept = state();
        let parameter = kept.parameters[0].clone();
        let valued = |n: u32| Parameter { value: 100.0 / f64::from(n), ..parameter.clone() };
        kept.parameters = (1..=1000).map(valued).collect();
        kept.save(&path).unwrap();
        let found = State::load(&path).unwrap().unwrap();
        for (found, kept) in found.parameters.iter().zip(&kept.parameters) {
            assert_eq!(found.value, kept.value);
        }
    }

    /// No field is left to choose from, or the run looks finished because no game is left to play.
    #[test]
    fn states_without_iterations_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        type Spoil = fn(&mut State);
        let faults: [(Spoil, &str); 4] = [
            (|state| state.batch = 0, ": batch: "),
            (|state| state.fields.clear(), ": fields: "),
            (|state| state.fields[0].openings.clear(), ": openings: "),
            (|state| state.parameters[0].high = -1, ": parameters: "),
        ];
        for (spoil, expected) in faults {
            let mut spoiled = state();
            spoil(&mut spoiled);
            spoiled.save(&path).unwrap();
            let said = format!("{:#}", State::load(&path).unwrap_err());
            assert!(said.contains(expected), "{said}");
        }
    }

    /// Effects are measured from here on if an older version began the run.
    #[test]
    fn files_of_older_versions_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        let mut old = serde_json::to_value(state()).unwrap();
        for new in ["squares", "measured"] {
            assert!(old.as_object_mut().unwrap().remove(new).is_some());
        }
        assert!(old["parameters"][0].as_object_mut().unwrap().remove("lead").is_some());
        fs::write(&path, old.to_string()).unwrap();
        assert_eq!(State::load(&path).unwrap(), Some(state()));
    }
}
