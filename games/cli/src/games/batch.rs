//! Answers a file of positions, one per line, in the format of the engine's other batch commands.

use std::io::Write;

use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use serde_json::Value;

use crate::args::{GameArgs, is_comment};
use kagetsu_console::Status;
use kagetsu_console::batch::{Id, open, reply};
use kagetsu_games::{Game, notation};

/// Answers every line of a file (`-` for stdin): a position, or an object with `position` and perhaps `id`, `game`, `size`.
pub fn answer<T: Serialize>(
    name: &str,
    args: &GameArgs,
    out: &mut dyn Write,
    mut answer: impl FnMut(Id, Box<dyn Game>) -> Result<T>,
) -> Result<Status> {
    let mut lines = open(name)?;
    let mut status = Status::Done;
    while let Some((number, text)) = lines.next_line()? {
        let line = text.trim();
        if is_comment(line) {
            continue;
        }
        let (id, game) = question(line, number, args);
        let answered = game.and_then(|game| answer(id.clone(), game));
        status = status.and(reply(out, id, answered)?);
    }
    Ok(status)
}

/// The id and the position of a line.
fn question(line: &str, number: usize, args: &GameArgs) -> (Id, Result<Box<dyn Game>>) {
    if !line.starts_with('{') {
        let read = || -> Result<Box<dyn Game>> { Ok(notation::parse(line, &args.options()?)?) };
        return (Id::line(number), read());
    }
    let id = Id::of_object(line).unwrap_or_else(|| Id::line(number));
    let object = serde_json::from_str(line).map_err(|error| anyhow!("bad JSON: {error}"));
    (id, object.and_then(|object| of_object(&object, args)))
}

fn of_object(object: &Value, args: &GameArgs) -> Result<Box<dyn Game>> {
    let mut args = args.clone();
    if let Some(game) = object.get("game") {
        args.game = game.as_str().context("game must be a string")?.parse()?;
    }
    if let Some(size) = object.get("size") {
        let size = size.as_u64().context("size must be a whole number")?;
        args.size = Some(usize::try_from(size)?);
    }
    let Some(position) = object.get("position") else { bail!("no position") };
    let position = position.as_str().context("position must be a string")?;
    Ok(notation::parse(position, &args.options()?)?)
}
