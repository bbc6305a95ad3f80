//! `kagetsu games match`: the search against a simple player.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::ValueEnum;

use super::MOVE;
use super::output::MatchResult;
use crate::args::{GameArgs, LimitArgs};
use kagetsu::clock::SystemClock;
use kagetsu_console::Status;
use kagetsu_console::batch::write_line;
use kagetsu_console::progress::Progress;
use kagetsu_console::usage::WrongUsage;
use kagetsu_games::notation;
use kagetsu_games::players::{self, Greedy, Player, RandomMover, Searcher};

/// The opponent of the search in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Opponent {
    /// Play a random legal move
    Random,
    /// Play the move with the best static evaluation after it
    Greedy,
}

#[derive(clap::Args)]
#[command(mut_arg("time", |time| time.help(super::TIME_HELP)))]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Choose the opponent of the search
    #[arg(long, default_value = "greedy")]
    opponent: Opponent,
    /// Play N games; each opening is played twice
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Begin each game with N random moves
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=20))]
    opening: u8,
    /// Set the seed of the openings and of the opponent
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print each game as it ends
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let options = args.game.options()?;
    args.limits.warn_of_hash(args.game.game);
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let mut first = Searcher::new(args.limits.limits(1, MOVE), args.limits.hash, &clock, &stop);
    let mut second: Box<dyn Player> = match args.opponent {
        Opponent::Random => Box::new(RandomMover::new(args.seed)),
        Opponent::Greedy => Box::new(Greedy::new(args.seed)),
    };
    let mut progress = Progress::of(args.games.into());
    let mut written = Ok(());
    let mut on_game = |played: &players::Played| {
        progress.step();
        if args.verbose {
            let outcome = played.game.outcome().map_or_else(String::new, |outcome| outcome.to_string());
            let moves = notation::moves(&*played.game);
            written = writeln!(out, "{} search {}: {outcome}: {moves}", played.number, played.first);
        }
        written.is_ok()
    };
    let players: [&mut dyn Player; 2] = [&mut first, second.as_mut()];
    let begin = || options.begin();
    let score =
        players::play_match(&begin, players, args.games, args.opening.into(), args.seed, &mut on_game);
    drop(progress);
    written?;
    let score = score.map_err(|error| WrongUsage::new(format_args!("--opening: {error}")))?;
    let opponent = args.opponent.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned());
    let games = score.wins + score.draws + score.losses;
    if args.json {
        let players::Score { wins, draws, losses } = score;
        write_line(out, &MatchResult { game: args.game.game.name(), opponent, games, wins, draws, losses })?;
    } else {
        let text = format!("won {}, drawn {}, lost {}", score.wins, score.draws, score.losses);
        writeln!(out, "{}: search against {opponent}: {text} of {games}", args.game.game)?;
    }
    Ok(Status::Done)
}
