//! `kagetsu games list`, `rules`, `show` and `moves`: what is printed without a search.

use std::io::Write;

use anyhow::Result;

use super::output::{Listed, Shown};
use super::refuse_finished;
use crate::args::PositionArgs;
use kagetsu_console::Status;
use kagetsu_console::batch::{Id, write_line};
use kagetsu_games::{Kind, diagram, notation};

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
    #[arg(long, conflicts_with = "json")]
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
