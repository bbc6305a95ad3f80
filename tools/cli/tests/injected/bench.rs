//! A command under test: its inputs and outputs, and the conditions after a fault.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;

use crate::child::{self, Injected, Whole};
use crate::commands::Command;

/// State of an output's path before the command.
const OLD: &[u8] = b"a diary";

/// Files of a folder and those below it: names and contents.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A command with what it makes when nothing fails.
pub struct Bench<'a> {
    command: &'a Command,
    /// Whether it replaces files that are there already.
    force: bool,
    inputs: tempfile::TempDir,
    inputs_before: Files,
    /// Its outputs when nothing fails.
    expected: Files,
    /// The parts of these outputs that must be the same.
    content: BTreeMap<PathBuf, Vec<String>>,
    pub whole: Whole,
}

impl<'a> Bench<'a> {
    /// Makes the inputs and runs the command without a fault.
    pub fn new(command: &'a Command, force: bool) -> Result<Bench<'a>, Failed> {
        let inputs = tempfile::tempdir()?;
        fs::write(inputs.path().join("game.sgf"), "(;GM[4]SZ[15]RU[0];B[hh];W[gh];B[hg])")?;
        let mut bench = Bench {
            command,
            force,
            inputs,
            inputs_before: Files::new(),
            expected: Files::new(),
            content: BTreeMap::new(),
            whole: Whole { steps: 0, allocations: 0, between: (0, 0) },
        };
        for line in [
            "book build IN/caro.part --rule caro --size 9 --nodes 40 --positions 8 --threads 1",
            "book merge IN/caro.book IN/caro.part",
            "selfplay make IN/caro.games --rule caro --size 9 --games 2 --nodes 20 --threads 1",
        ] {
            if command.line.contains("IN/caro") {
                bench.run_well(line, Path::new(""))?;
            }
        }
        bench.inputs_before = files(bench.inputs.path())?;
        let out = tempfile::tempdir()?;
        bench.run_well(command.line, out.path())?;
        bench.expected = files(out.path())?;
        bench.content = bench.content(out.path())?;
        // Counted in a run like those that will fail.
        let again = bench.folder()?;
        let counted = bench.inputs.path().join("counted");
        let injected = Injected::Nothing(counted.to_str().unwrap().to_owned());
        let output = child::start(&bench.words(&bench.line(), again.path()), &injected);
        bench.whole = child::counts(&counted);
        fs::remove_file(counted)?;
        if !output.status.success() || files(again.path())?.keys().ne(bench.expected.keys()) {
            return Err(format!("{}: {}", command.line, said(&output)).into());
        }
        Ok(bench)
    }

    /// The folder of outputs before the command.
    fn folder(&self) -> Result<tempfile::TempDir, Failed> {
        let out = tempfile::tempdir()?;
        if self.force {
            for name in self.expected.keys() {
                let path = out.path().join(name);
                fs::create_dir_all(path.parent().unwrap())?;
                fs::write(path, OLD)?;
            }
        }
        Ok(out)
    }

    fn line(&self) -> String {
        format!("{}{}", self.command.line, if self.force { " --force" } else { "" })
    }

    fn words(&self, line: &str, out: &Path) -> Vec<String> {
        let at = |word: &str, name: &str, path: &Path| word.replace(name, path.to_str().unwrap());
        // A colon stands for a blank within an argument.
        let word = |word: &str| at(&at(&word.replace(":/", " /"), "IN", self.inputs.path()), "OUT", out);
        line.split(' ').map(word).collect()
    }

    fn run_well(&self, line: &str, out: &Path) -> Result<(), Failed> {
        let output = child::start(&self.words(line, out), &Injected::Allocation(u64::MAX));
        if output.status.success() { Ok(()) } else { Err(format!("{line}: {}", said(&output)).into()) }
    }

    /// Returns the files of a folder that are compared.
    fn content(&self, folder: &Path) -> Result<BTreeMap<PathBuf, Vec<String>>, Failed> {
        let found = files(folder)?.into_keys().map(|name| {
            let content = (self.command.content)(&folder.join(&name));
            (name, content)
        });
        Ok(found.filter(|(_, content)| !content.is_empty()).collect())
    }

    /// Runs the command with a fault, checks the files that are left, and continues.
    pub fn inject(&self, injected: Injected) -> Result<(), Failed> {
        let out = self.folder()?;
        let before = files(out.path())?;
        let output = child::start(&self.words(&self.line(), out.path()), &injected);
        let what = format!("{} {injected:?}, {}: {}", self.line(), output.status, said(&output));
        if files(self.inputs.path())? != self.inputs_before {
            return Err(format!("{what}: an input has changed").into());
        }
        let left = files(out.path())?;
        if self.command.continues {
            self.check_part(out.path(), &what)?
        } else {
            self.check_whole(&left, &before, &what)?
        }
        if output.status.success() && self.content(out.path())? != self.content {
            return Err(format!("{what}: it says that all is well").into());
        }
        self.go_on(out.path(), &what)
    }

    /// Every file is the old one or whole, and there is no other.
    fn check_whole(&self, left: &Files, before: &Files, what: &str) -> Result<(), Failed> {
        for (name, bytes) in left {
            if before.get(name) != Some(bytes) && self.expected.get(name) != Some(bytes) {
                return Err(format!("{what}: {} is neither old nor whole", name.display()).into());
            }
        }
        match before.keys().find(|&name| !left.contains_key(name)) {
            Some(gone) => Err(format!("{what}: {} is gone", gone.display()).into()),
            None => Ok(()),
        }
    }

    /// Every file has what it should have, as far as it goes.
    fn check_part(&self, out: &Path, what: &str) -> Result<(), Failed> {
        for (name, content) in self.content(out)? {
            let expected = self.content.get(&name).map_or(&[][..], |all| all);
            if let Some(other) = content.iter().find(|item| !expected.contains(item)) {
                return Err(format!("{what}: {} has {other}", name.display()).into());
            }
        }
        Ok(())
    }

    /// The command again, now without a fault, must reach the result of an undisturbed run.
    fn go_on(&self, out: &Path, what: &str) -> Result<(), Failed> {
        // The plan makes a tournament of a folder.
        let resumed = self.command.resumed.filter(|_| out.join("match/plan.json").exists());
        let mut line = resumed.map_or(self.line(), str::to_owned);
        if self.command.takes_force && !self.force {
            // A file that was written completely is refused as an existing output, which is right.
            line += " --force";
        }
        self.run_well(&line, out)
            .map_err(|error| format!("{what}; then {}", error.message().unwrap_or_default()))?;
        let content = self.content(out)?;
        if content != self.content {
            let expected = &self.content;
            return Err(format!("{what}: the same command comes to {content:?}, not to {expected:?}").into());
        }
        let strange = files(out)?.into_keys().find(|name| !self.expected.contains_key(name));
        match strange.filter(|name| !name.starts_with("match/failed")) {
            Some(name) => Err(format!("{what}: {} lies beside", name.display()).into()),
            None => Ok(()),
        }
    }
}

fn said(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn files(folder: &Path) -> Result<Files, Failed> {
    let mut found = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder)?.to_owned(), fs::read(&path)?);
            }
        }
    }
    Ok(found)
}
