//! `kagetsu games perft`: numbers of move sequences.

use std::io::Write;

use anyhow::Result;

use super::output::Counted;
use crate::args::PositionArgs;
use kagetsu::clock::{Clock, SystemClock};
use kagetsu_console::Status;
use kagetsu_console::batch::write_line;
use kagetsu_games::perft::perft;
use kagetsu_tools::words;

#[derive(clap::Args)]
pub struct Args {
    /// Number of moves of each sequence
    #[arg(value_name = "DEPTH")]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let mut game = args.position.read()?;
    let clock = SystemClock::new();
    for depth in 0..=args.depth {
        let start = clock.now();
        let games = perft(game.as_mut(), depth);
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
