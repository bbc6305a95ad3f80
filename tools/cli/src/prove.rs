//! `kagetsu prove`: searches for a proof above the solvers, or checks a written one.
//!
//! The work is done by [`kagetsu_tools::prove`]; this module has the flags and files, and [`report`] prints the answer.

mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use self::report::{answer, print, print_check};
use crate::convert::check_unpacked;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Color, EndSet, Reading, Size};
use kagetsu_console::args::{BoardArgs, FileArgs, bytes, colors};
use kagetsu_console::output::{OutArgs, distinct, explained, file_names};
use kagetsu_console::progress::Progress;
use kagetsu_console::usage::WrongUsage;
use kagetsu_console::{Status, batch, input, interrupt};
use kagetsu_tools::output::is_stream;
use kagetsu_tools::prove::order::{Beginning, as_moves};
use kagetsu_tools::prove::run::{self, Event, Library, Outcome, ProofSettings};
use kagetsu_tools::prove::search::State;
use kagetsu_tools::prove::{Question, library};
use kagetsu_tools::record::{Format, ReadOptions};
use kagetsu_tools::timing::span;
use kagetsu_tools::words;

/// The flags of a search, which a check has no use for.
const SEARCHES: [&str; 11] =
    ["size", "game", "move", "attacker", "time", "nodes", "threads", "hash", "out", "state", "force"];

/// Search for the proof that one side wins an opening
#[derive(clap::Args)]
#[command(after_help = "\
A best-first search over positions proves wins by threats as 'solve vct' does. A win that is
found after a pass of the defender counts against every reply that does not disturb it. The
verifier of solve checks every proof. A position without a proof is open: it may be won,
drawn or lost. The library marks moves as proven or open in comments, and has the whole proof
below every proven move. --check reads such a library and verifies its proofs anew, by the
library's own rule unless --rule gives another.

The search is kept in OUT.state, unless OUT is a device or a pipe. After an interruption or a
kill the same command, perhaps with more --time, continues; it replaces its library unless
somebody has changed the file. A program with another net, which compares moves otherwise,
refuses to continue. A run starts from all answers of the runs before, whatever its limits; if
--hash has no room for them, the library stays as it is. With one thread the same flags give
the same proof, unless --time ends the search.

Examples:
  kagetsu prove D4 --time 20m --out d4.lib
  kagetsu prove --check d4.lib")]
#[command(mut_arg("force", |flag| flag.requires("out")))]
pub struct Args {
    /// Position, or - to read it from stdin
    #[arg(value_name = "POS", required_unless_present = "check", conflicts_with = "check")]
    position: Option<String>,
    /// Verify the proofs in a library instead
    #[arg(long, value_name = "FILE", conflicts_with_all = SEARCHES)]
    check: Option<PathBuf>,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    file: FileArgs,
    /// Set the side that is to win
    #[arg(long, value_name = "SIDE", default_value = "black", ignore_case = true, value_parser = colors())]
    attacker: Color,
    /// Limit the time of the search, e.g. 20m or 1h30m; checking the proof comes on top [default: no limit]
    #[arg(long, value_parser = span)]
    time: Option<Duration>,
    /// Limit the nodes (stones put on the board) of this and earlier runs together; running searches are finished
    /// [default: no limit]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Work on T positions side by side
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Set the memory of all threads' solver tables together, of which a thread uses at most 512M; the tree may take as much
    /// as all of it again
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = bytes)]
    hash: u64,
    /// Write proven and open positions as a RenLib library
    #[arg(long, value_name = "FILE.lib", value_parser = file_names())]
    out: Option<PathBuf>,
    /// Keep the state of the search in this file [default: OUT.state; nowhere without --out, or if that is a device or
    /// a pipe]
    #[arg(long, value_name = "FILE", value_parser = file_names())]
    state: Option<PathBuf>,
    #[command(flatten)]
    output: OutArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    if let Some(path) = &args.check {
        return check(args, path, out).with_context(|| path.display().to_string());
    }
    distinct(&[("--out", args.out.as_deref()), ("--state", state(args).as_deref())])?;
    let question = question(args)?;
    // Signals are caught from here on: a command that waits for its input is ended by one.
    let stop = interrupt::flag()?;
    let outcome = prove(args, &question, &stop)?;
    let told = if args.json {
        batch::write_line(out, &answer(&outcome, &question))
    } else {
        print(out, &question, &outcome)
    };
    // An interrupted search must not look like a finished one to a script, even if nobody reads the output any more.
    let goes_on = if state(args).is_some() { "; run the same command to continue" } else { "" };
    ensure!(!outcome.is_broken_off(), "interrupted{goes_on}");
    told?;
    Ok(Status::Done)
}

/// The question that the flags put.
fn question(args: &Args) -> Result<Question> {
    let argument = args.position.as_deref().unwrap_or_default();
    let (position, rule) = input::position(argument, &args.board, &args.file, Reading::Literal)?;
    // This comes before the stones are put in an order: the last stone of that order need not be the last move played.
    input::refuse_finished(rule, &position, &EndSet::Plain.endings(rule))?;
    let moves = as_moves(&position, rule);
    Ok(Question { rule, position: moves.unwrap_or(position), attacker: args.attacker })
}

/// Returns the start of the proof, if there is one. If a library is wanted, it must be able to hold the start.
fn beginning(args: &Args, question: &Question) -> Result<Beginning> {
    let beginning = Beginning::of(question).with_context(|| {
        format!(
            "the proof has no start: the last move must be a stone of {}, and none on the board can be it",
            question.attacker
        )
    })?;
    if let Some(out) = &args.out {
        check_unpacked(out)?;
        if let Some(other) = Format::of_path(out).filter(|&format| format != Format::Lib) {
            bail!(WrongUsage::new(format_args!(
                "--out {}: the proof is written as a RenLib library: expected a name in .lib, not .{other}",
                out.display()
            )));
        }
        let size = question.position.size();
        ensure!(
            size == Size::S15,
            "--out: a RenLib library holds only boards of 15x15, and this one is {size}"
        );
        let moves = beginning.is_on_the_way(question);
        ensure!(moves, "--out: a RenLib library needs a position reached by alternating moves");
    }
    Ok(beginning)
}

/// Searches and verifies, with a line of progress.
fn prove(args: &Args, question: &Question, stop: &AtomicBool) -> Result<Outcome> {
    let beginning = beginning(args, question)?;
    let state = state(args);
    let settings = ProofSettings {
        threads: args.threads.into(),
        hash: args.hash as usize,
        nodes: args.nodes,
        time: args.time,
        state: state.as_deref(),
        library: args.out.as_deref().map(|path| Library { path, force: args.output.force }),
    };
    let mut progress = Progress::open_ended();
    run::prove(question, &beginning, &settings, stop, &mut |event| {
        progress.say(|| match event {
            Event::Searching(State { asked, recalled, nodes, effort }) => {
                let (answers, nodes) =
                    (words::count(asked + recalled, "answer"), words::count(nodes, "node"));
                format!("{answers}, {nodes}, effort {effort}")
            }
            Event::Verifying(number) => format!("verifying proof {number}"),
        });
    })
    .map_err(explained)
}

/// The file of the proof in work; by default none for a library that goes to a device.
fn state(args: &Args) -> Option<PathBuf> {
    let beside = |out: &PathBuf| {
        let mut name = out.clone().into_os_string();
        name.push(".state");
        PathBuf::from(name)
    };
    let kept = || args.out.as_ref().filter(|out| !is_stream(out)).map(beside);
    args.state.clone().or_else(kept)
}

/// Verifies the proofs in a library, by the rule that was asked for, or else by its own.
fn check(args: &Args, path: &Path, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    let file = std::io::BufReader::new(std::fs::File::open(path)?);
    // A file of another name is a library, as --out writes it.
    let format = Format::of_path(path).unwrap_or(Format::Lib);
    let options = ReadOptions { limits: args.file.limits.limits(), ..ReadOptions::default() };
    let mut game = format.games(file, &options)?.next().context("the file has no game")??;
    game.rule = library::rule(&game);
    let rule = input::rule(&path.display().to_string(), &args.board, &game);
    let claims = library::read(&game)?;
    ensure!(!claims.is_empty(), "it has no proof: expected a library that 'kagetsu prove --out' wrote");
    // Signals are caught from here on: a command that waits for a library from a pipe is ended by one.
    let stop = interrupt::flag()?;
    let mut progress = Progress::of(claims.len() as u64);
    let verified = run::check(claims, rule, &stop, &mut || progress.step())?.context("interrupted")?;
    drop(progress);
    print_check(out, args.json, rule, &verified, clock.now())?;
    Ok(Status::Done)
}
