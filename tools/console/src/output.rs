//! Files that commands make. Permission is decided before the work; the file is written at its end. Errors come with
//! sentences for people.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;

use anyhow::{Context, Result, anyhow, ensure};
use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::usage::WrongUsage;
use kagetsu_tools::output::{
    Draft, Error, Permit, Target, Written, is_same, is_stream, remove_named_drafts, resolved,
};
use kagetsu_tools::untrusted;

/// Error for the name `-`. It stands for standard input elsewhere, so a file of this name would be made by
/// mistake.
const DASH: &str = "only convert writes to standard output; expected the name of a file, e.g. ./-";

/// Reads the name of a file that a command makes or continues without an [`Output`].
pub fn file_names() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| if path == Path::new("-") { Err(DASH) } else { Ok(path) })
}

/// Files that may be written over.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct OutArgs {
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
}

impl OutArgs {
    /// A file that may be written.
    ///
    /// # Errors
    /// If it exists and `--force` was not given, or cannot be written.
    pub fn output(self, path: &Path) -> Result<Output> {
        Output::new(path, Permit::force(self.force))
    }
}

/// Checks that the outputs of a command, each given by its flag, are different files: one would replace the other. Devices
/// and pipes take several.
///
/// # Errors
/// If two names stand for one file.
pub fn distinct(outputs: &[(&str, Option<&Path>)]) -> Result<(), WrongUsage> {
    let mut earlier: Vec<(&str, &Path)> = Vec::new();
    for &(flag, path) in outputs {
        let Some(path) = path.filter(|path| !is_stream(path)) else { continue };
        if let Some((other, _)) = earlier.iter().find(|(_, other)| is_same(other, path)) {
            return Err(WrongUsage::new(format_args!(
                "{other} and {flag}: expected two files, but both names stand for {}",
                resolved(path).display()
            )));
        }
        earlier.push((flag, path));
    }
    Ok(())
}

/// A file that may be written.
pub struct Output {
    path: PathBuf,
    target: Target,
}

impl Output {
    /// Decides whether a path may be written to.
    ///
    /// # Errors
    /// A sentence with the path, the reason and what is expected.
    pub fn new(path: &Path, permit: Permit) -> Result<Output> {
        ensure!(path != Path::new("-"), WrongUsage::new(format_args!("{}: {DASH}", cannot(path))));
        let target = Target::new(path, permit).map_err(|error| refusal(path, error))?;
        Ok(Output { path: path.to_owned(), target })
    }

    /// Checks that a file can be made there.
    ///
    /// # Errors
    /// If none can.
    pub fn probe(&self) -> Result<()> {
        self.draft().map(drop)
    }

    /// Writes everything.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        self.fill(|file| file.write_all(bytes).with_context(|| cannot(&self.path)))
    }

    /// Writes the output of a function; writes nothing if the function fails.
    ///
    /// # Errors
    /// That of the function, or if it cannot be written.
    pub fn fill(&self, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        let mut draft = self.draft()?;
        let mut file = BufWriter::new(draft.file());
        write(&mut file)?;
        let flushed = file.flush().with_context(|| cannot(&self.path));
        drop(file);
        flushed?;
        self.finish(draft)
    }

    fn draft(&self) -> Result<Draft> {
        let draft = self.target.draft().map_err(|error| refusal(&self.path, error))?;
        if draft.is_named() {
            clean_up_when_interrupted();
        }
        Ok(draft)
    }

    fn finish(&self, draft: Draft) -> Result<()> {
        let written = draft.finish().map_err(|error| refusal(&self.path, error))?;
        if written == Written::InPlace {
            let name = untrusted::Line(self.path.display());
            log::warn!("{name}: written in place, for the file has other names (hard links), too");
        }
        Ok(())
    }
}

/// Returns an error of the tools. If `--force` would replace the refused file, the error says so.
pub fn explained(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<Error>() {
        Some(refused) if refused.yields_to_force() => anyhow!("{error:#}: {}", expected(refused)),
        _ => error,
    }
}

fn expected(refused: &Error) -> String {
    let hint = if matches!(refused, Error::Links(_)) { "write into" } else { "replace" };
    format!("expected a new name, or --force to {hint} it")
}

fn cannot(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Description of the fault, and of what is expected.
fn refusal(path: &Path, error: Error) -> anyhow::Error {
    if error.yields_to_force() {
        return anyhow!("{}: {error}: {}", cannot(path), expected(&error));
    }
    anyhow::Error::from(error).context(cannot(path))
}

/// An interrupt that ends the process removes drafts with names first: those outside Linux, and those on file systems that
/// have no files without names. Commands that catch interrupts end by themselves and drop their drafts.
fn clean_up_when_interrupted() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let end = || {
            remove_named_drafts();
            std::process::exit(130);
        };
        if let Err(error) = ctrlc::try_set_handler(end) {
            log::debug!("interrupts are caught already: {error}");
        }
    });
}
