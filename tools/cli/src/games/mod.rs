//! `kagetsu games`: the relatives of Renju, Connect6 and Reversi.
//!
//! [`args`] are the flags and positions, [`batch`] many questions at once, [`output`] the shapes of answers. Everything
//! else is in the library `kagetsu-games`.

pub mod args;
mod batch;
mod output;
mod play;
mod run;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;

use super::Status;

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

Positions are moves as h8h9i8 (@h8 is a bomb, -- a pass), setup strings as
'6/6/2xo2/2ox2/6/6 x', for reversi also all squares in a row followed by the side
to move; a text file holds one a line (--number picks one); - reads from stdin.";

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
    List(run::List),
    /// Print the rules of a game, their sources and options
    Rules(run::Rules),
    /// Draw a position
    Show(run::Show),
    /// List the legal moves
    Moves(run::Moves),
    /// Play against the search
    Play(play::Args),
    /// Find the best moves
    Analyze(run::Analyze),
    /// Play a match of the search against a simple player
    Match(run::Match),
    /// Count the games of DEPTH more moves; a pass is a move, an ended game one leaf
    Perft(run::Perft),
    /// Find the exact result (reversi up to 8x8)
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
