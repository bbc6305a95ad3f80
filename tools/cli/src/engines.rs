//! The engines of `kagetsu match` and of `kagetsu openings sift`: from their flags, and when a run goes on.

use anyhow::{Result, ensure};

use kagetsu_console::usage::WrongUsage;
use kagetsu_tools::arena::command;
use kagetsu_tools::arena::contestant::{Contestant, distinguish};

/// Reads the values of `--engine`. What an engine's own words leave open are the conditions of all.
pub fn engines(texts: &[String], conditions: &Contestant) -> Result<Vec<Contestant>, WrongUsage> {
    let read = |text: &String| {
        let engine = command::read(text, conditions);
        engine.map_err(|error| WrongUsage::new(format_args!("--engine '{text}': {error:#}")))
    };
    let mut engines = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    distinguish(&mut engines);
    Ok(engines)
}

/// Checks that the engines of a run that goes on have the programs with which it began. If one has another
/// program and that is allowed, returns a note with the harm that it does.
pub fn check_programs(
    engines: &[Contestant],
    run: &str,
    harm: &str,
    is_allowed: bool,
) -> Result<Option<String>> {
    let changed = engines.iter().filter(|engine| engine.has_other_program());
    let names: Vec<&str> = changed.map(|engine| engine.name.as_str()).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let note = format!("the program of {} has changed since the {run} began: {harm}", names.join(" and of "));
    ensure!(
        is_allowed,
        "{note}; expected the earlier program, a new {run}, or --changed-engines to go on all the same"
    );
    Ok(Some(note))
}
