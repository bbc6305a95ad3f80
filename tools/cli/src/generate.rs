//! `kagetsu completions` and `kagetsu man`: what shells and manual readers want, made from the definitions of the
//! arguments.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Command;
use clap_complete::Shell;

use super::Status;

/// Print completions for a shell
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kagetsu completions bash > ~/.local/share/bash-completion/completions/kagetsu\n  \
    kagetsu completions zsh > ~/.zfunc/_kagetsu\n  \
    kagetsu completions fish > ~/.config/fish/completions/kagetsu.fish"
)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands to DIR
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  kagetsu man | man -l -\n  kagetsu man ~/.local/share/man/man1")]
pub struct Man {
    /// Folder for the pages
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints completions of `command`.
pub fn completions(args: &Completions, mut command: Command, out: &mut dyn Write) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "kagetsu", &mut script);
    out.write_all(&script)?;
    Ok(Status::Done)
}

/// Prints or writes manual pages of `command`.
pub fn man(args: &Man, command: Command, out: &mut dyn Write) -> Result<Status> {
    let Some(folder) = &args.folder else {
        clap_mangen::Man::new(command).render(out)?;
        return Ok(Status::Done);
    };
    let write = || {
        ensure!(folder.is_dir(), "it is not a folder");
        Ok(clap_mangen::generate_to(command, folder)?)
    };
    write().with_context(|| format!("cannot write to {}", folder.display()))?;
    Ok(Status::Done)
}
