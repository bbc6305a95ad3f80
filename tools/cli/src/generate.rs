//! `kagetsu completions` and `kagetsu man`: completions for shells and manual pages, made from the definitions of the
//! arguments.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Command;
use clap_complete::Shell;

use kagetsu_console::Status;
use kagetsu_console::output::{OutArgs, Output};

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
#[command(mut_arg("force", |flag| flag.requires("folder")))]
pub struct Man {
    /// Folder for the pages
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    output: OutArgs,
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
    // The long version has several lines, and the title of a page is one.
    let mut command = command.disable_help_subcommand(true).long_version(None::<&str>);
    let Some(folder) = &args.folder else {
        clap_mangen::Man::new(command).render(out)?;
        return Ok(Status::Done);
    };
    ensure!(folder.is_dir(), "cannot write to {}: expected an existing folder", folder.display());
    command.build();
    let mut pages = Vec::new();
    add_pages(command, &mut pages)?;
    // All are decided about before the first is written.
    let outputs: Vec<Output> =
        pages.iter().map(|(name, _)| args.output.output(&folder.join(name))).collect::<Result<_>>()?;
    outputs.iter().zip(&pages).try_for_each(|(output, (_, page))| output.write(page))?;
    Ok(Status::Done)
}

/// Returns the pages of a command and of its subcommands, each with its name.
fn add_pages(command: Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()).cloned() {
        add_pages(below, pages)?;
    }
    let page = clap_mangen::Man::new(command);
    let mut text = Vec::new();
    page.render(&mut text).context("cannot make a manual page")?;
    pages.push((page.get_filename(), text));
    Ok(())
}
