//! `kagetsu openings`: the 26 openings of Renju, lists of balanced random ones, openings chosen by games, and
//! opening regulations step by step.

mod balanced;
mod decide;
mod list;
mod sift;
mod walk;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};

use kagetsu::game::{RuleKind, Size};
use kagetsu_console::args::{BoardArgs, FileArgs};
use kagetsu_console::{Status, input};
use kagetsu_tools::arena::openings::{Notation, OpeningFile};

const HELP: &str = "\
Without arguments, lists the 26 openings of Renju; with one, finds the opening that NAME
names or that POS began with, however it is turned or mirrored. NAME is a code or a name in
any usual notation: D4, 4D, 4В, Kagetsu, 花月, 'Flower Moon', Květ. The assessments are
those of the old RIF rule with two fifth moves. --balanced makes random openings instead.

Examples:
  kagetsu openings h8i8i7
  kagetsu openings Kagetsu --json
  kagetsu openings --svg openings.svg
  kagetsu openings walk swap2
  kagetsu openings sift 40 --rule renju --engine ./pbrain-kagetsu --out renju-15
  kagetsu openings --balanced 500 --rule freestyle --size 20 --seed 1 > freestyle-20.txt";

/// The arguments of the 26 openings. Flags of random openings conflict with each of them: by a conflict with
/// `balanced` alone clap would drop the requirement of `balanced`, and the flags would do nothing.
const OF_THE_26: [&str; 5] = ["position", "russian", "json", "svg", "png"];

/// List or name the 26 openings of Renju, walk through a regulation, make balanced openings, or choose openings by games
#[derive(clap::Args)]
#[command(after_help = HELP, args_conflicts_with_subcommands = true)]
#[command(group(clap::ArgGroup::new("picture").args(["svg", "png"]).multiple(true)))]
#[command(mut_arg("force", |flag| flag.requires("picture")))]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// A code or name, e.g. Kagetsu, moves, e.g. h8i8i7, a game file, or - for standard input
    #[arg(value_name = "NAME|POS", conflicts_with = "balanced")]
    position: Option<String>,
    /// Read 4D as Russian and Czech texts do: I4, not D4
    #[arg(long, requires = "position", conflicts_with = "balanced")]
    russian: bool,
    /// Print one JSON object a line
    #[arg(long, conflicts_with = "balanced")]
    json: bool,
    /// Draw the opening, or all of them on one sheet, to FILE as SVG
    #[arg(long, value_name = "FILE", conflicts_with = "balanced")]
    svg: Option<PathBuf>,
    /// Draw the same to FILE as PNG
    #[arg(long, value_name = "FILE", conflicts_with = "balanced")]
    png: Option<PathBuf>,
    /// Set the pixels for each unit of a picture
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = kagetsu_console::picture::scale,
          requires = "picture")]
    scale: f32,
    #[command(flatten)]
    output: kagetsu_console::output::OutArgs,
    /// Make N openings, no two of them equal when turned or mirrored
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    balanced: Option<u32>,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    file: FileArgs,
    /// Set the seed; each gives another list
    #[arg(long, requires = "balanced", conflicts_with_all = OF_THE_26, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(..1 << 32))]
    seed: u64,
    /// Judge each opening by a search of N nodes
    #[arg(long, requires = "balanced", conflicts_with_all = OF_THE_26, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
    /// Accept openings with an advantage of at most SCORE for either side
    #[arg(long, requires = "balanced", conflicts_with_all = OF_THE_26, value_name = "SCORE", default_value_t = 50)]
    bias: i32,
    /// Count this score, from Black's view, as even
    #[arg(
        long,
        requires = "balanced",
        conflicts_with_all = OF_THE_26,
        value_name = "SCORE",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    even: i32,
    /// Make openings of MIN to MAX stones [default: 3 to 9; under Renju on 15x15 4 to 9]
    #[arg(long, requires = "balanced", conflicts_with_all = OF_THE_26, value_names = ["MIN", "MAX"], num_args = 2)]
    stones: Vec<usize>,
    /// Use T threads; the list does not depend on it
    #[arg(long, requires = "balanced", conflicts_with_all = OF_THE_26, value_name = "T", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

#[derive(clap::Subcommand)]
enum Command {
    Walk(walk::Args),
    Sift(Box<sift::Args>),
}

impl Args {
    /// Returns whether the command may search.
    pub fn uses_net(&self) -> bool {
        self.command.is_some() || self.balanced.is_some()
    }
}

/// Returns the rule and the board of games that start from the openings of a file: those of the flags, or else those that
/// the games in the file state. A rule of the flags that differs is reported.
pub fn board(args: &BoardArgs, file: Option<&OpeningFile>, notation: Notation) -> Result<(RuleKind, Size)> {
    let (rules, sizes) = file.map(|file| file.stated(notation)).transpose()?.unwrap_or_default();
    let name = file.map(OpeningFile::name).unwrap_or_default();
    let rule = match (args.rule, &rules[..]) {
        (None, [first, second, ..]) => {
            bail!("{name}: there are games of {first} and of {second}: expected --rule")
        }
        (None, rules) => rules.first().copied().unwrap_or(args.rule()),
        (Some(asked), rules) => {
            if let Some(said) = rules.iter().find(|&&said| said != asked) {
                log::warn!("{name} says {said}; taken as {asked}");
            }
            asked
        }
    };
    // The reader refuses games on other boards than the first.
    Ok((rule, args.size.or(sizes.first().copied()).unwrap_or(Size::S15)))
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    if args.position.is_none() {
        input::without_file(&args.file)?;
    }
    match (&args.command, args.balanced) {
        (Some(Command::Walk(args)), _) => return walk::run(args, out),
        (Some(Command::Sift(args)), _) => return sift::run(args, out),
        (None, Some(wanted)) => balanced::print(args, wanted as usize, out)?,
        (None, None) => list::print(args, out)?,
    }
    Ok(Status::Done)
}
