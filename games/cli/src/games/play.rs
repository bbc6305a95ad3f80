//! `kagetsu games play`: a game against the search, line by line.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::{MOVE, refuse_finished};
use crate::args::{LimitArgs, PositionArgs};
use kagetsu::clock::SystemClock;
use kagetsu::game::Color;
use kagetsu_console::Status;
use kagetsu_console::args::colors;
use kagetsu_console::lines::{Lines, STDIN, is_too_long};
use kagetsu_games::players::Searcher;
use kagetsu_games::table::{Said, Table};

#[derive(clap::Args)]
#[command(mut_arg("time", |time| time.help(super::TIME_HELP)))]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Choose your side
    #[arg(long, default_value = "black", ignore_case = true, value_parser = colors())]
    side: Color,
    /// Let two people play at one board; the search only gives hints
    #[arg(long, conflicts_with = "side")]
    two: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let game = args.position.read()?;
    refuse_finished(&*game)?;
    args.limits.warn_of_hash(game.kind());
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let player = Searcher::new(args.limits.limits(1, MOVE), args.limits.hash, &clock, &stop);
    let mut table = Table::new(game, player, (!args.two).then_some(!args.side));
    writeln!(out, "{}\n", table.help())?;
    let mut said = table.begin();
    let mut lines = Lines::new(STDIN, io::stdin().lock());
    loop {
        say(out, &said)?;
        if !said.goes_on {
            break;
        }
        said = match lines.next_line() {
            Ok(None) => break,
            Ok(Some((_, line))) => table.answer(&line),
            Err(error) if is_too_long(&error) => Said { text: format!("{error:#}"), goes_on: true },
            Err(error) => return Err(error),
        };
    }
    // The moves alone are not the position if the game began from another one than its start.
    writeln!(out, "moves: {}\nsetup: {}", table.moves(), table.setup())?;
    Ok(Status::Done)
}

fn say(out: &mut dyn Write, said: &Said) -> Result<()> {
    if !said.text.is_empty() {
        writeln!(out, "{}", said.text)?;
    }
    Ok(out.flush()?)
}
