//! An engine that takes part: its command line and its limits.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::program;
use super::time::TimeControl;
use crate::limits::ENGINE_MEMORY;
use crate::output::Stamp;

/// An engine and its conditions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contestant {
    /// Unique among the contestants.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; the runner's own if `None`.
    pub directory: Option<PathBuf>,
    /// Time, nodes and depth.
    pub time: TimeControl,
    /// Memory limit of the engine in bytes, sent as `INFO max_memory`; `None` for no limit.
    pub memory: Option<u64>,
    /// Whether an engine that uses more memory than that loses the game. Many engines make their tables as large as the
    /// limit, and need more in all.
    pub check_memory: bool,
    /// Threads, sent by the extension key `thread_num`.
    pub threads: Option<u32>,
    /// More `INFO` keys with their values, sent in this order before each game.
    pub info: Vec<(String, String)>,
    /// Stamp of the program's file when the tournament or other run began; `None` if the file could not be
    /// read, and in the settings of versions that kept none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<Stamp>,
}

impl Contestant {
    /// A contestant with default conditions, named like its program. Only [`TimeControl::patience`] limits
    /// its moves, so that [`time`](Self::time) should get a limit.
    pub fn new(program: PathBuf, args: Vec<String>) -> Contestant {
        let name = program.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        Contestant {
            name: name.strip_prefix("pbrain-").map(str::to_owned).unwrap_or(name),
            program,
            args,
            directory: None,
            time: TimeControl::default(),
            memory: Some(ENGINE_MEMORY),
            check_memory: false,
            threads: None,
            info: Vec::new(),
            stamp: None,
        }
    }

    /// Makes the paths absolute, because a tournament may be continued from another working directory. The engine
    /// keeps the present one if it has none of its own: its arguments may name files there.
    pub fn settle(&mut self) {
        self.program = absolute(&self.program);
        let settled = match &self.directory {
            Some(directory) => std::path::absolute(directory),
            None => std::env::current_dir(),
        };
        if let Ok(settled) = settled {
            self.directory = Some(settled);
        }
    }

    /// Notes by its stamp which program it is.
    pub fn identify(&mut self) {
        self.stamp = program::stamp(&self.program);
    }

    /// Returns whether the program is another one than was noted. A program that cannot be read, then or now,
    /// is taken for the same.
    pub fn has_other_program(&self) -> bool {
        self.stamp.zip(program::stamp(&self.program)).is_some_and(|(then, now)| then != now)
    }

    /// Says that it cannot be started. A missing folder is named: the system's error for it is that for a
    /// missing program.
    pub fn cannot_start(&self) -> String {
        let Contestant { name, program, directory, .. } = self;
        let folder = match directory.as_deref().filter(|directory| !directory.is_dir()) {
            Some(directory) => format!(" in {}: expected an existing folder", directory.display()),
            None => String::new(),
        };
        format!("cannot start {name} ({}){folder}", program.display())
    }

    /// The command that starts it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(absolute(&self.program));
        command.args(&self.args);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

/// A path with a separator is made absolute, since the working directory may change; a bare name is left to the search
/// path.
fn absolute(program: &Path) -> PathBuf {
    let path = if program::is_bare(program) { None } else { std::path::absolute(program).ok() };
    path.unwrap_or_else(|| program.to_owned())
}

/// Makes names unique by numbering those that repeat.
pub fn distinguish(contestants: &mut [Contestant]) {
    for i in 1..contestants.len() {
        let (before, this) = contestants.split_at_mut(i);
        let name = this[0].name.clone();
        let mut n = 1;
        while before.iter().any(|c| c.name == this[0].name) {
            n += 1;
            this[0].name = format!("{name}-{n}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_programs_and_differ() {
        let mut all: Vec<Contestant> = ["./pbrain-a.exe", "a", "x/a"]
            .map(|program| Contestant::new(PathBuf::from(program), Vec::new()))
            .into();
        distinguish(&mut all);
        let names: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["a", "a-2", "a-3"]);
    }
}
