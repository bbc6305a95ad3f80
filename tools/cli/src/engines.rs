//! The engines of `kagetsu match` and of `kagetsu openings sift`, from their flags.

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
