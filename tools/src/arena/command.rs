//! An engine as one text: conditions for it, its program and arguments, as in `nodes=5000 ./pbrain-kagetsu --no-book`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::contestant::Contestant;
use super::quoting;
use crate::limits::engine_memory;
use crate::{timing, words};

/// Reads `KEY=VALUE … PROGRAM ARG …`. Time, memory and threads that no key sets are those of `conditions`; without any limit
/// a move may take a second.
///
/// # Errors
/// If a key or its value is unknown, a key was given twice, quotes are not closed, or no program follows the settings.
pub fn read(text: &str, conditions: &Contestant) -> Result<Contestant> {
    let parts = quoting::words(text)?;
    let settings = parts.iter().take_while(|w| is_setting(w)).count();
    let (program, arguments) =
        parts[settings..].split_first().context("expected a command after the settings")?;
    let &Contestant { time, memory, check_memory, threads, .. } = conditions;
    let unnamed = Contestant::new(PathBuf::from(program), arguments.to_vec());
    let mut contestant = Contestant { time, memory, check_memory, threads, ..unnamed };
    let settings: Vec<_> = parts[..settings].iter().filter_map(|w| w.split_once('=')).collect();
    if let Some(key) = words::repeated(settings.iter().map(|&(key, _)| key)) {
        bail!("{key} was given twice");
    }
    for &(key, value) in &settings {
        set(&mut contestant, key, value).with_context(|| format!("{key}={value}"))?;
    }
    if settings.iter().any(|&(key, _)| key == "increment") && contestant.time.timing().is_none() {
        bail!("increment: expected game-time, control or byoyomi with it");
    }
    if !contestant.time.is_limited() {
        contestant.time.turn = Some(Duration::from_secs(1));
    }
    contestant.settle();
    Ok(contestant)
}

/// Returns whether a word is `KEY=VALUE`; a path with a `=` in it is not.
fn is_setting(word: &str) -> bool {
    let key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    word.split_once('=').is_some_and(|(k, _)| !k.is_empty() && k.chars().all(key) && !k.starts_with('.'))
}

/// Keys of an engine's own conditions.
const SETTINGS: &str = "name, dir, time, game-time, increment, control, byoyomi, nodes, depth, tolerance, memory, \
                        threads, info.KEY";

/// Reads a whole number.
fn number<T: std::str::FromStr>(value: &str) -> Result<T> {
    value.parse().ok().context("expected a whole number")
}

/// Reads a limit. Rejects 0, which some engines take for no limit; in others the search then finds no move.
fn limit<T: std::str::FromStr + PartialEq + From<u8>>(value: &str) -> Result<T> {
    let limit = number::<T>(value).ok().filter(|number| *number != T::from(0));
    limit.context("expected a whole number above 0")
}

fn set(contestant: &mut Contestant, key: &str, value: &str) -> Result<()> {
    let time = &mut contestant.time;
    let duration = || timing::duration(value);
    match key {
        "name" => contestant.name = value.into(),
        "dir" => contestant.directory = Some(value.into()),
        "time" => time.turn = Some(duration()?),
        "game-time" => time.game = Some(duration()?),
        "increment" => time.increment = duration()?,
        "control" => time.control = Some(value.parse()?),
        "byoyomi" => time.byoyomi = Some(value.parse()?),
        "tolerance" => time.tolerance = duration()?,
        "nodes" => time.nodes = Some(limit(value)?),
        "depth" => time.depth = Some(limit(value)?),
        "memory" => contestant.memory = Some(engine_memory(value)?).filter(|&limit| limit > 0),
        "threads" => contestant.threads = Some(number(value)?),
        _ => match key.strip_prefix("info.") {
            Some(info) if !info.is_empty() => contestant.info.push((info.into(), value.into())),
            _ => bail!("unknown key: expected one of {SETTINGS}"),
        },
    }
    Ok(())
}
