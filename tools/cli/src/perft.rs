//! `kagetsu perft`: counts the games of a given length, a check and a measure of the rules.

use kagetsu_tools::words;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Endings, Position, Reading, Rule, Size, perft, perft_by_move};
use kagetsu::with_rule;
use kagetsu_console::args::{BoardArgs, FileArgs};
use kagetsu_console::progress::Progress;
use kagetsu_console::{Status, input};

/// Count the games of DEPTH more legal moves (perft), without passes
#[derive(clap::Args)]
#[command(after_help = "Example:\n  kagetsu perft 3 'D4 g9'")]
pub struct Args {
    /// Number of moves of each game
    #[arg(value_name = "DEPTH")]
    depth: u32,
    /// Position, or - to read it from stdin [default: the empty board]
    #[arg(value_name = "POS")]
    position: Option<String>,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    file: FileArgs,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let (position, rule) = match &args.position {
        Some(argument) => input::position(argument, &args.board, &args.file, Reading::Literal)?,
        None => {
            input::without_file(&args.file)?;
            (Position::new(args.board.size.unwrap_or(Size::S15)), args.board.rule())
        }
    };
    with_rule!(rule, R => run_for::<R>(args.depth, &position, out))
}

fn run_for<R: Rule>(depth: u32, position: &Position, out: &mut dyn Write) -> Result<Status> {
    let clock = SystemClock::new();
    let over = Board::<R>::from_position(position)?.outcome(&Endings::default()).is_some();
    for depth in 0..=depth {
        let start = clock.now();
        let games = if over && depth > 0 { 0 } else { count::<R>(depth, position)? };
        print(out, depth, games, clock.now().saturating_sub(start))?;
    }
    Ok(Status::Done)
}

/// Counts move by move if that allows progress to be shown.
fn count<R: Rule>(depth: u32, position: &Position) -> Result<u64> {
    let mut board = Board::<R>::from_position(position)?;
    if depth < 3 {
        return Ok(perft(&mut board, depth));
    }
    let first = perft_by_move(&mut board, 1);
    let mut progress = Progress::of(first.len() as u64);
    let mut games = 0;
    for (p, _) in first {
        board.play(p);
        games += perft(&mut board, depth - 1);
        board.undo();
        progress.step();
    }
    Ok(games)
}

fn print(out: &mut dyn Write, depth: u32, games: u64, time: Duration) -> Result<()> {
    let rate = games as f64 / time.as_secs_f64().max(1e-9);
    writeln!(
        out,
        "depth {depth}: {}, {:.3} s, {rate:.0} games/s",
        words::count(games, "game"),
        time.as_secs_f64()
    )?;
    Ok(out.flush()?)
}
