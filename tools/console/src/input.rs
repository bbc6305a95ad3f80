//! Reads a position from a command-line argument.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::args::{BoardArgs, FileArgs};
use crate::usage::WrongUsage;
use kagetsu::game::status::{self, OnlyFouls};
use kagetsu::game::{Color, Endings, Position, Reading, RuleKind, Size, notation};
use kagetsu_tools::limits;
use kagetsu_tools::record::{Charset, Format, Game, Games, ReadOptions};

/// Returns the position that an argument stands for, checked under the rule, and that rule.
pub fn position(
    argument: &str,
    board: &BoardArgs,
    file: &FileArgs,
    reading: Reading,
) -> Result<(Position, RuleKind)> {
    if let Some(format) = game_file(argument) {
        let game = read_game(argument, format, board.size, file)?;
        let rule = rule(argument, board, &game);
        let position = of_game(&game, file).with_context(|| argument.to_string())?;
        notation::validate(&position, rule, reading).with_context(|| argument.to_string())?;
        return Ok((position, rule));
    }
    without_file(file)?;
    if argument != "-" && Path::new(argument).is_dir() {
        bail!("{argument}: it is a directory: expected a game file or a position");
    }
    let mut text = argument.to_string();
    if argument == "-" {
        let read = limits::read_text(std::io::stdin().lock(), limits::POSITION);
        text = read.context("cannot read a position from stdin")?;
    }
    let position = checked(&text, board.rule(), board.size, reading).map_err(|error| {
        if argument != "-" && is_path(&text) {
            return anyhow!("'{argument}': there is no such file, and it is no setup string");
        }
        // Moves have numbers: a word without any is a name rather than a mistake in a move.
        if argument != "-" && !text.contains(|c: char| c.is_ascii_digit()) {
            anyhow!("'{argument}': expected a position, e.g. h8h9i8 or D4, or a game file that exists")
        } else {
            error
        }
    })?;
    Ok((position, board.rule()))
}

/// Refuses the choice of a game and of a move where no game file is read.
///
/// # Errors
/// If one was made.
pub fn without_file(file: &FileArgs) -> Result<()> {
    ensure!(!file.is_given(), WrongUsage::new("--game and --move: expected a game file with them"));
    Ok(())
}

/// Returns whether a text looks like the path of a file: it has a slash, and no blank, but characters that no setup string
/// has.
fn is_path(text: &str) -> bool {
    let is_of_setup = |c: char| c.is_ascii_digit() || "/xoXO".contains(c);
    text.contains('/') && !text.contains(char::is_whitespace) && !text.chars().all(is_of_setup)
}

/// Returns the rule of a file's game: the one that was asked for, else the one that the file states. A difference is
/// reported.
pub fn rule(name: &str, board: &BoardArgs, game: &Game) -> RuleKind {
    if let (Some(asked), Some(said)) = (board.rule, game.rule)
        && asked != said
    {
        log::warn!("{name} says {said}; taken as {asked}");
    }
    board.rule.or(game.rule).unwrap_or(board.rule())
}

/// Returns the game that an argument refers to, if it is a game file other than a list of positions.
pub fn record(argument: &str, board: &BoardArgs, file: &FileArgs) -> Result<Option<Game>> {
    match game_file(argument) {
        None | Some(Format::Txt | Format::Offset | Format::PosTop) => Ok(None),
        Some(format) => read_game(argument, format, board.size, file).map(Some),
    }
}

/// The format of a game file: by its extension, or a list of positions if it is some other file.
fn game_file(argument: &str) -> Option<Format> {
    // `-` is standard input, even if a file has this name.
    if argument == "-" {
        return None;
    }
    let path = Path::new(argument);
    // A pipe is a file too.
    Format::of_path(path).or_else(|| (path.exists() && !path.is_dir()).then_some(Format::Txt))
}

fn read_game(name: &str, format: Format, size: Option<Size>, file: &FileArgs) -> Result<Game> {
    let input = BufReader::new(File::open(name).with_context(|| format!("cannot read {name}"))?);
    let read = || {
        let options = ReadOptions { charset: Charset::AUTO, size, limits: file.limits.limits() };
        let games = format.games(input, &options)?;
        let game = pick(games, file.game.unwrap_or(1))?;
        if let Some(size) = size.filter(|&size| size != game.size) {
            bail!("the board is {}, but size {} was asked for", game.size, size.side());
        }
        Ok(game)
    };
    read().with_context(|| name.to_string())
}

/// Returns the game of a number, counted from 1, and reads no further. Wrong games before it count.
pub fn pick(games: Games<'_>, number: usize) -> Result<Game> {
    let mut count = 0;
    for game in games {
        count += 1;
        match game {
            game if count == number => return Ok(game?),
            Err(error) if error.fatal => return Err(error.into()),
            _ => {}
        }
    }
    match count {
        0 => bail!("the file holds no game"),
        1 => bail!("game {number} does not exist: the file holds one"),
        _ => bail!("game {number} does not exist: the file holds {count}"),
    }
}

fn of_game(game: &Game, file: &FileArgs) -> Result<Position> {
    let moves = moves(game);
    if let Some(number) = file.r#move.filter(|&number| number > moves) {
        let last = game.main_position(None)?.moves().last().map_or(String::new(), |m| {
            format!(", {}", m.point().map_or_else(|| "a pass".to_owned(), |p| p.to_string()))
        });
        bail!("there is no move {number}: the last one is move {moves}{last}");
    }
    Ok(game.main_position(file.r#move)?)
}

/// Number of moves of the main line.
fn moves(game: &Game) -> usize {
    game.tree.main_line().filter(|&id| game.tree.turn(id).is_some()).count()
}

/// The position that a text means, checked under the rule. A text without a move is refused, for it may be what is left of
/// one: the empty board is a setup string.
///
/// # Errors
/// If the text is no position, or one that the rule does not allow.
pub fn checked(text: &str, rule: RuleKind, size: Option<Size>, reading: Reading) -> Result<Position> {
    let position = notation::parse(text, size)?;
    ensure!(
        !position.moves().is_empty() || text.contains('/'),
        "there is no move: expected a position, e.g. h8h9i8; the empty board is a setup string such as '5/5/5/5/5 x'"
    );
    notation::validate(&position, rule, reading)?;
    Ok(position)
}

/// Returns an error if the game is over.
pub fn refuse_finished(rule: RuleKind, position: &Position, endings: &Endings) -> Result<()> {
    match status::outcome(position, rule, endings)? {
        Some(outcome) => bail!("the game is over: {outcome}"),
        None => Ok(()),
    }
}

/// Gives the move to the side that a question is about, with a pass if it is not that side's turn. Fails if the game is
/// over before or after the pass, or if the side cannot play a stone.
pub fn give_move(rule: RuleKind, position: &mut Position, side: Color, endings: &Endings) -> Result<()> {
    // Before the pass: only the last move can be a foul.
    refuse_finished(rule, position, endings)?;
    position.set_side(side);
    // The pass was not played, so it cannot be the second of two that end a game.
    refuse_finished(rule, position, &Endings { two_passes: false, ..*endings })?;
    match status::only_fouls(position, rule, endings)? {
        None => Ok(()),
        Some(OnlyFouls::Passes) => {
            bail!("black has only fouls left and must pass; --side white asks what white then has")
        }
        Some(OnlyFouls::Loses) => bail!("black has only fouls left, and every move loses"),
    }
}
