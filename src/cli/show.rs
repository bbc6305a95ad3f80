//! `kagetsu show`: a position drawn, and named in every notation.

use std::io::Write;

use anyhow::Result;

use super::args::{BoardArgs, FileArgs};
use super::{Status, draw, input};
use crate::game::notation::{moves, setup};
use crate::game::openings26::Opening;
use crate::game::{Board, Diagram, Endings, Reading};
use crate::with_rule;

/// Draw a position
#[derive(clap::Args)]
#[command(after_help = "Example:\n  kagetsu show 'D4 g9'")]
pub struct Args {
    /// The position, or - to read it from stdin
    #[arg(value_name = "POS")]
    position: String,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    file: FileArgs,
}

pub fn run(args: &Args, out: &mut dyn Write) -> Result<Status> {
    let position = input::position(&args.position, &args.board, &args.file, Reading::Literal)?;
    let outcome = with_rule!(args.board.rule, R => {
        Board::<R>::from_position(&position)?.outcome(&Endings::default())
    });
    draw::board(out, &Diagram::of(&position))?;
    writeln!(out)?;
    let turn = match outcome {
        Some(outcome) => format!("game over: {outcome}"),
        None => format!("{} to move", position.side()),
    };
    writeln!(out, "{}, {}, {} stones, {turn}", args.board.rule, position.size(), position.stones().count())?;
    if let Some(opening) = Opening::of_position(&position) {
        writeln!(
            out,
            "opening: {} {} {} ({})",
            opening.code, opening.romaji, opening.kanji, opening.english
        )?;
    }
    if position.setup().is_empty() {
        writeln!(out, "moves: {}", moves::print(position.moves()))?;
    }
    writeln!(out, "setup: {}", setup::print(&position))?;
    Ok(Status::Done)
}
