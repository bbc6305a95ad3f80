//! `kagetsu games`: the relatives of Renju, Connect6 and Reversi.
//!
//! [`batch`] answers many positions in one run, [`output`] has the JSON types of the answers. The other modules have the
//! arguments of the subcommands, and print what the library `kagetsu-games` answers.

mod analyze;
mod batch;
mod r#match;
mod output;
mod perft;
mod play;
mod show;
mod solve;

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Subcommand;

use kagetsu_console::Status;
use kagetsu_games::Game;

/// Time for a move of a game where no limit is given.
const MOVE: Duration = Duration::from_secs(1);

/// The help of `--time` for a game.
const TIME_HELP: &str =
    "Limit the time for each move, e.g. 5s, 1m30s, 200ms [default without another limit: 1s]";

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
    List(show::List),
    /// Print the rules of a game, their sources and its options
    #[command(after_help = "Example:\n  kagetsu games rules ninuki")]
    Rules(show::Rules),
    /// Draw a position
    #[command(after_help = "Example:\n  kagetsu games show --game pente 'j10 k10'")]
    Show(show::Show),
    /// List the legal moves
    #[command(after_help = "Example:\n  kagetsu games moves --game reversi d3")]
    Moves(show::Moves),
    /// Play against the search
    #[command(after_help = "Example:\n  kagetsu games play --game reversi --side white")]
    Play(play::Args),
    /// Find the best moves
    #[command(after_help = "Example:\n  kagetsu games analyze --game connect6 --time 10s")]
    Analyze(analyze::Args),
    /// Play a match of the search against a simple player
    #[command(after_help = "Example:\n  kagetsu games match --game reversi --games 20 --nodes 1000")]
    Match(r#match::Args),
    /// Count the sequences of DEPTH moves; a pass counts as a move, a game that ends earlier as one sequence
    #[command(after_help = "Example:\n  kagetsu games perft 6 --game reversi --size 8 --start parallel")]
    Perft(perft::Args),
    /// Find the exact result (reversi up to 8x8)
    #[command(after_help = "Example:\n  kagetsu games solve --game reversi --size 4 --json")]
    Solve(solve::Args),
}

impl Args {
    /// Returns whether the command searches for moves; the main engine may play the game.
    pub fn uses_net(&self) -> bool {
        matches!(self.command, Command::Play(_) | Command::Analyze(_) | Command::Match(_))
    }
}

/// Runs the subcommand.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    match &args.command {
        Command::List(args) => show::list(args, out),
        Command::Rules(args) => show::rules(args, out),
        Command::Show(args) => show::show(args, out),
        Command::Moves(args) => show::moves(args, out),
        Command::Play(args) => play::run(args, out),
        Command::Analyze(args) => analyze::run(args, out),
        Command::Match(args) => r#match::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Solve(args) => solve::run(args, out),
    }
}

/// Fails if the game is over.
fn refuse_finished(game: &dyn Game) -> Result<()> {
    match game.outcome() {
        Some(outcome) => bail!("the game is over: {outcome}"),
        None => Ok(()),
    }
}
