//! The command line: one file a subcommand.
//!
//! Results go to stdout, progress and logs to stderr. The flags that mean the same everywhere, positions, batches, files and
//! the terminal are those of [`kagetsu_console`]. The exit status is 0 on success, 2 after wrong usage, which is what the
//! parser of arguments refuses or a [`WrongUsage`](kagetsu_console::usage::WrongUsage), 1 on every other failure and after an
//! interrupt that a command handles, 130 after other interrupts.
// Module docs are for readers of the source too, and lead them on to private modules.
#![allow(rustdoc::private_intra_doc_links)]

mod analyze;
mod bench;
mod book;
mod convert;
mod engines;
mod fill;
mod fouls;
mod generate;
mod r#match;
mod net;
mod openings;
mod perft;
mod play;
mod prove;
mod regulation;
mod selfplay;
mod show;
mod solve;
mod web;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{CommandFactory, Parser, Subcommand};

use kagetsu::book::built_in;
use kagetsu::eval::{kernels, nets};
use kagetsu::game::RuleKind;
use kagetsu_console::{Status, stderr, terminal};
use kagetsu_games_cli::{games, gtp, nboard};

/// Printed by `--version`.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let book = match built_in() {
        Ok(sections) => {
            sections.iter().map(|(recipe, positions)| format!("{recipe} ({positions})")).collect()
        }
        Err(error) => vec![error.to_string()],
    };
    let book = if book.is_empty() { "empty".to_owned() } else { book.join(", ") };
    let nets = RuleKind::ALL.map(|rule| match nets::built_in_info(rule) {
        Ok(info) => format!("{rule} (from {} positions)", info.positions),
        Err(error) => format!("{rule}: {error}"),
    });
    let nets = nets.join(", ");
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("KAGETSU_COMMIT"));
    let kernels = kernels::best().name;
    format!("{version}\ncommit: {commit}\nkernels: {kernels}\nnets: {nets}\nbook: {book}")
});

const POSITIONS: &str = "\
Positions:
  h8h9i8            moves, Black first: column letter from the left, row
                    number from the bottom; blanks, commas and single dashes
                    may separate them, two dashes are a pass
  D4, 'I13 g9'      one of the 26 Renju openings (size 15), then moves
  '5/5/1xo2/5/5 x'  rows from the top: x Black, o White, numbers of empty
                    points; then the side to move
  game.sgf          a game file (psq, rec, sgf, lib, pos, sav, txt, offset,
                    pos-top, bin, binpack, db, xml, rif): the end of its
                    first game, or what --game and --move say
  -                 moves or a setup string, read from stdin

Exit status: 0 on success; 2 if an argument is unknown or wrong, or contradicts
another; 1 if the command failed, was interrupted before its end, or a position or
a file is wrong; 130 if an interrupt ended the program at once.

RUST_LOG=debug logs the steps of long work to stderr.";

#[derive(Parser)]
#[command(name = "kagetsu", about = "A gomoku and Renju engine", after_help = POSITIONS)]
#[command(version = env!("CARGO_PKG_VERSION"), long_version = VERSION.as_str())]
struct Cli {
    /// Use this net instead of the built-in one of its rule; repeat for several rules; 'hand' names the hand-set weights.
    /// Commands that take no net refuse it
    // The order puts it after the flags of the command and before `--help`, which has 999.
    #[arg(long, global = true, value_name = "FILE", display_order = 998)]
    net: Vec<std::path::PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Analyze(analyze::Args),
    Fouls(fouls::Args),
    Solve(solve::Args),
    Prove(prove::Args),
    Show(show::Args),
    Play(play::Args),
    Convert(convert::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Match(Box<r#match::Args>),
    Openings(openings::Args),
    Selfplay(selfplay::Args),
    Book(book::Args),
    Net(net::Args),
    Games(Box<games::Args>),
    Gtp(Box<gtp::Args>),
    Nboard(nboard::Args),
    Web(web::Args),
    Completions(generate::Completions),
    Man(generate::Man),
}

impl Command {
    /// Returns whether other nets may be given. A match decides this by its plan. A proof takes no net: its
    /// saved answers depend on the built-in net, which compares moves.
    fn takes_net(&self) -> bool {
        match self {
            Command::Book(args) => args.uses_net(),
            Command::Games(args) => args.uses_net(),
            Command::Net(args) => args.uses_net(),
            Command::Openings(args) => args.uses_net(),
            Command::Selfplay(args) => args.uses_net(),
            Command::Show(args) => args.uses_net(),
            Command::Fouls(_)
            | Command::Solve(_)
            | Command::Prove(_)
            | Command::Convert(_)
            | Command::Perft(_)
            | Command::Nboard(_)
            | Command::Completions(_)
            | Command::Man(_) => false,
            _ => true,
        }
    }
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    // This decides about colours, so it comes before any output, even help.
    terminal::understands_escapes();
    stderr::init_log();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return stderr::usage(error),
        // Help is a result like any other: writing it may fail.
        Err(help) => {
            return end(help
                .print()
                .and_then(|()| io::stdout().flush())
                .map_err(|error| named(error).into()));
        }
    };
    if !cli.net.is_empty() && !cli.command.takes_net() {
        let reason = "--net: this command takes no net; expected the command without this flag\n";
        return stderr::usage(Cli::command().error(clap::error::ErrorKind::ArgumentConflict, reason));
    }
    let mut out = Stdout(anstream::AutoStream::auto(io::stdout().lock()));
    let installed = cli.net.iter().try_for_each(|path| Ok(nets::install(path)?));
    let result = installed.and_then(|()| match cli.command {
        Command::Analyze(args) => analyze::run(&args, &mut out),
        Command::Fouls(args) => fouls::run(&args, &mut out),
        Command::Solve(args) => solve::run(&args, &mut out),
        Command::Prove(args) => prove::run(&args, &mut out),
        Command::Show(args) => show::run(&args, &mut out),
        Command::Play(args) => play::run(&args, &mut out),
        Command::Convert(args) => convert::run(&args, &mut out),
        Command::Perft(args) => perft::run(&args, &mut out),
        Command::Bench(args) => bench::run(&args, &mut out),
        Command::Match(args) => r#match::run(&args, !cli.net.is_empty(), &mut out),
        Command::Openings(args) => openings::run(&args, &mut out),
        Command::Selfplay(args) => selfplay::run(&args, &mut out),
        Command::Book(args) => book::run(&args, &mut out),
        Command::Net(args) => net::run(&args, &mut out),
        Command::Games(args) => games::run(&args, &mut out),
        Command::Gtp(args) => gtp::run(&args, &mut out),
        Command::Nboard(args) => nboard::run(&args, &mut out),
        Command::Web(args) => web::run(&args, &mut out),
        Command::Completions(args) => generate::completions(&args, Cli::command(), &mut out),
        Command::Man(args) => generate::man(&args, Cli::command(), &mut out),
    });
    let flushed = out.flush().map_err(anyhow::Error::from);
    match result {
        Ok(Status::SomeFailed) => {
            // A command that failed says so by its status even if nobody reads its output.
            end(flushed);
            ExitCode::FAILURE
        }
        result => end(result.and(flushed)),
    }
}

/// Standard output. Its errors are marked as those of standard output.
struct Stdout<W>(W);

impl<W: Write> Write for Stdout<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(named)
    }
}

/// Returns an error of standard output with that name, and of the same kind.
fn named(error: io::Error) -> io::Error {
    match error.kind() {
        // The caller tries again, or ends without a message.
        io::ErrorKind::Interrupted | io::ErrorKind::BrokenPipe => error,
        kind => io::Error::new(kind, format!("cannot write to standard output: {error}")),
    }
}

/// Reports the error of a command, if it failed, and returns the exit status.
fn end(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the output (`| head`).
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => stderr::failure(&error),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |kind| kind == Some(io::ErrorKind::BrokenPipe);
    error.chain().any(|cause| {
        broken(cause.downcast_ref::<io::Error>().map(io::Error::kind))
            || broken(cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind))
    })
}

/// Parses the arguments of a subcommand, without its name.
#[cfg(test)]
fn parsed<A: clap::Args>(words: &[&str]) -> Result<A, clap::Error> {
    let command = A::augment_args(clap::Command::new("test").no_binary_name(true));
    A::from_arg_matches(&command.try_get_matches_from(words)?)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn flags_are_consistent() {
        super::Cli::command().debug_assert();
    }

    /// Checks the help of a command and of those below it.
    fn check_help(command: &clap::Command) {
        let text = command.get_after_help().map(|text| text.to_string()).unwrap_or_default();
        for below in command.get_subcommands() {
            let help = below.get_after_help().map(|text| text.to_string()).unwrap_or_default();
            assert!(help.contains("Example"), "{} {}: {text}", command.get_name(), below.get_name());
            check_help(below);
        }
    }

    #[test]
    fn every_subcommand_shows_an_example() {
        check_help(&super::Cli::command());
    }
}
