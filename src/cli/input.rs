//! From a command-line argument to a position.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::args::{BoardArgs, FileArgs};
use super::convert::pick;
use crate::game::{Position, Reading, RuleKind, Size, notation};
use crate::record::{Charset, Format, Game, ReadOptions};

/// The position that an argument means, checked under the rule.
pub fn position(argument: &str, board: &BoardArgs, file: &FileArgs, reading: Reading) -> Result<Position> {
    if let Some(format) = game_file(argument) {
        let position = of_file(argument, format, board.size, file).with_context(|| argument.to_string())?;
        notation::validate(&position, board.rule, reading).with_context(|| argument.to_string())?;
        return Ok(position);
    }
    if file.game.is_some() || file.r#move.is_some() {
        bail!("--game and --move are for game files, and {argument} is none");
    }
    let mut text = argument.to_string();
    if argument == "-" {
        text.clear();
        std::io::stdin().read_to_string(&mut text).context("cannot read a position from stdin")?;
    }
    checked(&text, board.rule, board.size, reading)
}

/// The format of a game file: by its extension, or a list of positions if it is some other file.
fn game_file(argument: &str) -> Option<Format> {
    let path = Path::new(argument);
    let extension = path.extension().and_then(|e| e.to_str()).and_then(Format::from_extension);
    extension.or_else(|| path.is_file().then_some(Format::Txt))
}

fn of_file(name: &str, format: Format, size: Option<Size>, file: &FileArgs) -> Result<Position> {
    let bytes = std::fs::read(name).context("cannot read it")?;
    let games = format.read(&bytes, &ReadOptions { charset: Charset::AUTO, size })?;
    let game = pick(games, file.game.unwrap_or(1))?;
    if let Some(size) = size.filter(|&size| size != game.size) {
        bail!("the board is {}, but size {} was asked for", game.size, size.side());
    }
    let moves = moves(&game);
    if let Some(number) = file.r#move.filter(|&number| number > moves) {
        bail!("there is no move {number}: the game has {moves}");
    }
    Ok(game.main_position(file.r#move)?)
}

/// Number of moves of the main line.
fn moves(game: &Game) -> usize {
    game.tree.main_line().filter(|&id| game.tree.turn(id).is_some()).count()
}

/// The position that a text means, checked under the rule.
pub fn checked(text: &str, rule: RuleKind, size: Option<Size>, reading: Reading) -> Result<Position> {
    let position = notation::parse(text, size)?;
    notation::validate(&position, rule, reading)?;
    Ok(position)
}
