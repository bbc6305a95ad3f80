//! The subcommands: arguments, one call of the library, output.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;

use super::batch;
use super::output::{Analysis, Counted, Listed, MatchResult, Shown, Solution, names};
use crate::args::{GameArgs, LimitArgs, PositionArgs};
use kagetsu::clock::{Clock, SystemClock};
use kagetsu_console::Status;
use kagetsu_console::args::{ThreadArgs, bytes};
use kagetsu_console::batch::{Id, write_line};
use kagetsu_console::progress::Progress;
use kagetsu_console::usage::WrongUsage;
use kagetsu_games::game::{Effort, Solved};
use kagetsu_games::players::{self, Greedy, Player, RandomMover, Searcher};
use kagetsu_games::search::{Limits, Line, Report, mate};
use kagetsu_games::{Game, Kind, diagram, notation};
use kagetsu_tools::words;

/// Time for a move where no limit is given.
const MOVE: Duration = Duration::from_secs(1);
/// Time for a position where no limit is given.
const POSITION: Duration = Duration::from_secs(5);

#[derive(clap::Args)]
pub struct List {
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn list(args: &List, out: &mut dyn Write) -> Result<Status> {
    for kind in Kind::ALL {
        let about = kind.about();
        if args.json {
            write_line(out, &Listed::of(kind))?;
        } else {
            writeln!(out, "{:12} {:5}  {}", about.name, format!("{0}x{0}", about.size), about.title)?;
        }
    }
    Ok(Status::Done)
}

#[derive(clap::Args)]
pub struct Rules {
    /// The game
    #[arg(value_name = "NAME")]
    game: Kind,
}

pub fn rules(args: &Rules, out: &mut dyn Write) -> Result<Status> {
    let about = args.game.about();
    writeln!(
        out,
        "{}\n{}\n\nBoards: {}x{}; sizes {}\n\n{}",
        about.name, about.title, about.size, about.size, about.sizes, about.rules
    )?;
    Ok(Status::Done)
}

#[derive(clap::Args)]
pub struct Show {
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Mark the points where a stone may be placed
    #[arg(long)]
    legal: bool,
}

pub fn show(args: &Show, out: &mut dyn Write) -> Result<Status> {
    let game = args.position.read()?;
    if args.json {
        write_line(out, &Shown::of(Id::line(1), &*game))?;
        return Ok(Status::Done);
    }
    let marks = if args.legal { diagram::legal_marks(&*game) } else { Vec::new() };
    writeln!(out, "{}", diagram::draw(&*game, &marks))?;
    let turn = match game.outcome() {
        Some(outcome) => format!("game over: {outcome}"),
        None => format!("{} to move", game.side()),
    };
    writeln!(out, "{}, {}, {turn}", game.kind(), game.variant())?;
    game.notes().iter().try_for_each(|note| writeln!(out, "{note}"))?;
    if !game.history().is_empty() {
        writeln!(out, "moves: {}", notation::moves(&*game))?;
    }
    writeln!(out, "setup: {}", notation::print_setup(&*game))?;
    Ok(Status::Done)
}

#[derive(clap::Args)]
pub struct Moves {
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn moves(args: &Moves, out: &mut dyn Write) -> Result<Status> {
    let game = args.position.read()?;
    if args.json {
        write_line(out, &Shown::of(Id::line(1), &*game))?;
        return Ok(Status::Done);
    }
    refuse_finished(&*game)?;
    let list: Vec<String> = game.legal().iter().map(ToString::to_string).collect();
    writeln!(out, "{}", list.join(" "))?;
    Ok(Status::Done)
}

/// Fails if the game is over.
pub fn refuse_finished(game: &dyn Game) -> Result<()> {
    match game.outcome() {
        Some(outcome) => bail!("the game is over: {outcome}"),
        None => Ok(()),
    }
}

#[derive(clap::Args)]
pub struct Analyze {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Show the K best lines
    #[arg(long, value_name = "K", default_value_t = 1)]
    multipv: usize,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// Answer every line of FILE (- for stdin): a position, or an object with position and perhaps id, game, size; implies --json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "number", "move"])]
    batch: Option<String>,
}

pub fn analyze(args: &Analyze, out: &mut dyn Write) -> Result<Status> {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let limits = args.limits.limits(args.multipv, POSITION);
    let mut player = Searcher::new(limits, args.limits.hash, &clock, &stop);
    if let Some(name) = &args.batch {
        return batch::answer(name, &args.position.game, out, |id, game| {
            refuse_finished(&*game)?;
            // An answer depends on its question alone. The table does not tell apart the same stones in two games.
            player.clear();
            let report = player.report(&*game, &mut |_| {});
            Ok(Analysis::of(id, &*game, &report))
        });
    }
    let game = args.position.read()?;
    refuse_finished(&*game)?;
    let mut progress = Progress::open_ended();
    let report = player.report(&*game, &mut |report| progress.say(|| format!("depth {}", report.depth)));
    drop(progress);
    if args.json {
        write_line(out, &Analysis::of(Id::line(1), &*game, &report))?;
        return Ok(Status::Done);
    }
    writeln!(out, "{}", diagram::draw(&*game, &[]))?;
    print_report(out, &report)?;
    Ok(Status::Done)
}

fn print_report(out: &mut dyn Write, report: &Report) -> Result<()> {
    for line in &report.lines {
        writeln!(out, "{:>7}  {}", score(line, report.solved), names(line).join(" "))?;
    }
    let depth = if report.solved {
        "solved".to_owned()
    } else {
        format!("depth {}/{}", report.depth, report.seldepth)
    };
    let seconds = report.elapsed.as_secs_f64();
    writeln!(out, "\n{depth}, {}, {seconds:.1} s", words::count(report.nodes, "node"))?;
    Ok(())
}

/// A score as text: in stones or discs, or the plies to a proven result.
fn score(line: &Line, is_exact: bool) -> String {
    match mate(line.score) {
        Some(plies) if plies > 0 => format!("+M{plies}"),
        Some(plies) => format!("-M{}", -plies),
        None if is_exact => format!("{:+}", line.score / 100),
        None => format!("{:+.2}", f64::from(line.score) / 100.0),
    }
}

/// The opponent of the search in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Opponent {
    /// Play a random legal move
    Random,
    /// Play the move with the best static evaluation after it
    Greedy,
}

#[derive(clap::Args)]
pub struct Match {
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
    #[arg(long)]
    verbose: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn play_match(args: &Match, out: &mut dyn Write) -> Result<Status> {
    let options = args.game.options()?;
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
        if args.verbose && !args.json {
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

#[derive(clap::Args)]
pub struct Perft {
    /// Number of moves of each sequence
    #[arg(value_name = "DEPTH")]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn perft(args: &Perft, out: &mut dyn Write) -> Result<Status> {
    let mut game = args.position.read()?;
    let clock = SystemClock::new();
    for depth in 0..=args.depth {
        let start = clock.now();
        let games = kagetsu_games::perft::perft(game.as_mut(), depth);
        let time = clock.now().saturating_sub(start);
        if args.json {
            let ms = u64::try_from(time.as_millis())?;
            write_line(out, &Counted { game: game.kind().name(), depth, games, ms })?;
        } else {
            writeln!(out, "depth {depth}: {}, {:.3} s", words::count(games, "game"), time.as_secs_f64())?;
        }
        out.flush()?;
    }
    Ok(Status::Done)
}

/// How empty squares count in the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Empties {
    /// They are not counted
    None,
    /// They count for the winner, as in tournaments and test sets
    Winner,
}

#[derive(clap::Args)]
pub struct Solve {
    #[command(flatten)]
    position: PositionArgs,
    /// Choose how empty squares count in the result
    #[arg(long, default_value = "none")]
    empties: Empties,
    /// Limit the time for each position, e.g. 10m [default: no limit]
    #[arg(long, value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Limit the positions visited by each search [default: no limit]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Set the memory of the table, e.g. 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = bytes)]
    hash: u64,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// Solve every line of FILE (- for stdin): a position, or an object with position and perhaps id, size; implies --json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "number", "move"])]
    batch: Option<String>,
}

pub fn solve(args: &Solve, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    if let Some(name) = &args.batch {
        return batch::answer(name, &args.position.game, out, |id, game| {
            let (solved, ms) = solve_one(args, &*game, &clock)?;
            Ok(Solution::of(id, &*game, &solved, ms))
        });
    }
    let game = args.position.read()?;
    let (solved, ms) = solve_one(args, &*game, &clock)?;
    if args.json {
        write_line(out, &Solution::of(Id::line(1), &*game, &solved, ms))?;
        return Ok(Status::Done);
    }
    writeln!(out, "{}", diagram::draw(&*game, &[]))?;
    let result = match solved.value {
        0 => "draw".to_owned(),
        value @ 1.. => format!("{} wins by {}", game.side(), words::count(value as u32, "disc")),
        value => format!("{} wins by {}", !game.side(), words::count(value.unsigned_abs(), "disc")),
    };
    let line: Vec<String> = solved.line.iter().map(ToString::to_string).collect();
    writeln!(
        out,
        "{result}\n{}\n\n{}, {:.3} s",
        line.join(" "),
        words::count(solved.nodes, "node"),
        ms as f64 / 1000.0
    )?;
    Ok(Status::Done)
}

/// The result of a position, with the milliseconds that it took.
fn solve_one(args: &Solve, game: &dyn Game, clock: &SystemClock) -> Result<(Solved, u128)> {
    ensure!(
        game.kind() == Kind::Reversi && game.size() <= 8,
        "only reversi on boards up to 8x8 is solved; `kagetsu games analyze` searches the others"
    );
    let start = clock.now();
    let elapsed = || clock.now().saturating_sub(start);
    let is_late = || args.time.is_some_and(|time| elapsed() >= time);
    let effort = Effort {
        hash: usize::try_from(args.hash)?,
        threads: args.threads.count(),
        nodes: args.nodes.unwrap_or(u64::MAX),
        most_empty: u32::MAX,
        empties_to_winner: args.empties == Empties::Winner,
        stop: &is_late,
        on_bound: &|lower, upper, nodes| log::info!("between {lower} and {upper} after {nodes} nodes"),
    };
    let solved = game.solve(&effort).context("not solved within the limits")?;
    Ok((solved, elapsed().as_millis()))
}

/// The limits of a player.
pub fn move_limits(args: &LimitArgs) -> Limits {
    args.limits(1, MOVE)
}
