//! `kagetsu games`: the relatives of Renju, Connect6 and Reversi.
//!
//! [`batch`] answers many positions in one run, [`output`] has the JSON types of the answers. Everything else is in the
//! library `kagetsu-games`.

mod batch;
mod output;
mod play;
mod run;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;

use kagetsu_console::Status;

const EXAMPLES: &str = "\
Examples:
  kagetsu games list
  kagetsu games rules ninuki
  kagetsu games show --game pente 'j10 k10'
  kagetsu games play --game reversi --side white
  kagetsu games analyze --game connect6 --time 10s
  kagetsu games perft 6 --game reversi --size 8 --start parallel
  kagetsu games solve --game reversi --size 4 --json
  kagetsu games solve --game reversi --empties winner --batch fforum-40-59.obf

A position is a list of moves such as h8h9i8 (@h8 is a bomb, -- a pass) or a setup
string such as '6/6/2xo2/2ox2/6/6 x'; for reversi also all squares row by row, followed
by the side to move. A text file has one position per line (--number selects one);
- is stdin.";

/// Play other games: relatives of Renju, Connect6, Reversi
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the games
    #[command(after_help = "Example:\n  kagetsu games list")]
    List(run::List),
    /// Print the rules of a game, their sources and its options
    #[command(after_help = "Example:\n  kagetsu games rules ninuki")]
    Rules(run::Rules),
    /// Draw a position
    #[command(after_help = "Example:\n  kagetsu games show --game pente 'j10 k10'")]
    Show(run::Show),
    /// List the legal moves
    #[command(after_help = "Example:\n  kagetsu games moves --game reversi d3")]
    Moves(run::Moves),
    /// Play against the search
    #[command(after_help = "Example:\n  kagetsu games play --game reversi --side white")]
    Play(play::Args),
    /// Find the best moves
    #[command(after_help = "Example:\n  kagetsu games analyze --game connect6 --time 10s")]
    Analyze(run::Analyze),
    /// Play a match of the search against a simple player
    #[command(after_help = "Example:\n  kagetsu games match --game reversi --games 20 --nodes 1000")]
    Match(run::Match),
    /// Count the sequences of DEPTH moves; a pass counts as a move, a game that ends earlier as one sequence
    #[command(after_help = "Example:\n  kagetsu games perft 6 --game reversi --size 8 --start parallel")]
    Perft(run::Perft),
    /// Find the exact result (reversi up to 8x8)
    #[command(after_help = "Example:\n  kagetsu games solve --game reversi --size 4 --json")]
    Solve(run::Solve),
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    match &args.command {
        Command::List(args) => run::list(args, out),
        Command::Rules(args) => run::rules(args, out),
        Command::Show(args) => run::show(args, out),
        Command::Moves(args) => run::moves(args, out),
        Command::Play(args) => play::run(args, out),
        Command::Analyze(args) => run::analyze(args, out),
        Command::Match(args) => run::play_match(args, out),
        Command::Perft(args) => run::perft(args, out),
        Command::Solve(args) => run::solve(args, out),
    }
}
