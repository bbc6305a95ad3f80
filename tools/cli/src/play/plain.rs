//! A game in lines of text, for pipes and for terminals that cannot do more: the board after each of the engine's moves,
//! one command a line.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use super::view::View;
use kagetsu_console::lines::{Lines, STDIN, is_too_long};
use kagetsu_tools::table::Table;
use kagetsu_tools::table::command::{self, Command};
use kagetsu_tools::untrusted;

/// Plays until the game is over, the input ends, the player quits or `stop` is set.
///
/// # Errors
/// If input or output fails.
pub fn run(table: &mut Table, input: &mut dyn BufRead, stop: &AtomicBool, out: &mut dyn Write) -> Result<()> {
    let size = table.session.position().size();
    let mut lines = Lines::new(STDIN, input);
    loop {
        while table.session.is_engines_turn() {
            let (mut engine, seen) = table.split();
            let answer = engine.choose(&seen, stop);
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            table.engine_played(answer);
        }
        show(table, out)?;
        if table.session.end().is_some() {
            return Ok(());
        }
        let read = lines.next_line();
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        match read {
            Ok(None) => return Ok(()),
            Ok(Some((_, line))) => match command::parse(&line, size, table.session.opening()) {
                Ok(Command::Quit) => return Ok(()),
                Ok(command) => table.obey(command),
                Err(error) => table.message = error.to_string(),
            },
            Err(error) if is_too_long(&error) => table.message = format!("{error:#}"),
            Err(error) => return Err(error),
        }
        if !table.message.is_empty() {
            writeln!(out, "{}", untrusted::lines(&std::mem::take(&mut table.message)))?;
        }
    }
}

fn show(table: &Table, out: &mut dyn Write) -> Result<()> {
    let view = View::of(&table.seen(), None);
    for line in view.board(false) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    for line in view.panel(usize::MAX).iter().filter(|line| !line.is_empty()) {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}
