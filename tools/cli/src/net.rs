//! `kagetsu net`: what the nets are.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;

use kagetsu::eval::net::{Info, Net, file};
use kagetsu::eval::{kernels, nets};
use kagetsu::game::RuleKind;
use kagetsu_console::Status;
use kagetsu_console::batch::write_line;
use kagetsu_tools::untrusted::Line;
use kagetsu_tools::words;

/// Describe the built-in nets, or files
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  kagetsu net info\n  kagetsu net info renju.net")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Print the rule, name, origin and kernels of nets
    #[command(after_help = "Example:\n  kagetsu net info renju.net")]
    Info(InfoArgs),
}

#[derive(clap::Args)]
struct InfoArgs {
    /// Files of nets [default: those in use]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Returns whether the command describes the nets in use.
    pub fn uses_net(&self) -> bool {
        let Command::Info(args) = &self.command;
        args.files.is_empty()
    }
}

#[derive(Serialize)]
struct Answer {
    name: String,
    #[serde(flatten)]
    info: Info,
    kernels: &'static str,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let Command::Info(args) = &args.command;
    if args.files.is_empty() {
        for rule in RuleKind::ALL {
            describe(nets::net(rule), args.json, out)?;
        }
    }
    for path in &args.files {
        let name = || path.display().to_string();
        let bytes = file::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        describe(&Net::from_bytes(&bytes).with_context(name)?, args.json, out)?;
    }
    Ok(Status::Done)
}

fn describe(net: &Net, json: bool, out: &mut dyn Write) -> Result<()> {
    let answer = Answer { name: net.name(), info: net.info.clone(), kernels: kernels::best().name };
    if json {
        return write_line(out, &answer);
    }
    let Info { scale, games, positions, made, .. } = &answer.info;
    writeln!(out, "{}", Line(&answer.name))?;
    writeln!(out, "  made     {}", Line(made))?;
    let (positions, games) = (words::count(*positions, "position"), words::count(*games, "game"));
    writeln!(out, "  from     {positions} of {games}")?;
    writeln!(out, "  scale    {scale} units of score to a logit")?;
    writeln!(out, "  kernels  {}", answer.kernels)?;
    Ok(())
}
