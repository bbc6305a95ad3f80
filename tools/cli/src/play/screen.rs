//! A game on the whole terminal: keys in, pictures out. [`super::editor`] interprets keys, [`super::view`] draws; this
//! module controls the terminal and always restores it.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use console::{Alignment, pad_str, truncate_str};
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};

use super::editor::Editor;
use super::view::View;
use kagetsu::game::Point;
use kagetsu_console::terminal::{obey, understands_escapes};
use kagetsu_tools::table::Table;
use kagetsu_tools::table::command::Command;

/// Time between two looks at the keyboard and the clocks.
const TICK: Duration = Duration::from_millis(100);
/// Columns of the board and the gap beside it, besides two a point.
const BESIDE: usize = 6;
/// Columns of the rows' numbers, to the left of the first point.
const NUMBERS: usize = 3;
const KEYS: &str =
    "arrows and enter, or type h8; esc: clear, ctrl-p: last text, tab: hint, ctrl-z: undo, help, quit";
/// The same in an opening.
const OPENING_KEYS: &str =
    "arrows, space for each point, enter; esc: clear, ctrl-p: last text, tab: hint, ctrl-z: undo, help, quit";

/// The terminal in raw mode, as long as this lives.
struct Raw;

impl Raw {
    fn new() -> io::Result<Raw> {
        terminal::enable_raw_mode()?;
        let raw = Raw;
        let mut out = io::stdout().lock();
        if understands_escapes() {
            obey(&mut out, EnterAlternateScreen)?;
            obey(&mut out, Hide)?;
        } else {
            // The alternate screen of such a console cannot be written to.
            obey(&mut out, Clear(ClearType::All))?;
        }
        out.flush()?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let mut out = io::stdout().lock();
        // If the terminal is gone, the error cannot be shown.
        let _ = obey(&mut out, Show);
        if understands_escapes() {
            let _ = obey(&mut out, LeaveAlternateScreen);
        }
        let _ = out.flush();
        let _ = terminal::disable_raw_mode();
    }
}

/// Plays until the player quits or `end` is set.
///
/// # Errors
/// If the terminal fails.
pub fn run(table: &mut Table, end: &AtomicBool) -> Result<()> {
    let _raw = Raw::new()?;
    let mut editor = Editor::new(table.session.position().size());
    while !end.load(Ordering::Relaxed) {
        if table.session.is_engines_turn() {
            if !think(table, &editor, end)? {
                return Ok(());
            }
            let last = table.session.position().moves().last().and_then(|m| m.point());
            last.into_iter().for_each(|p| editor.move_to(p));
            continue;
        }
        table.tick();
        draw(table, Some(&editor))?;
        let Some((code, modifiers)) = key(TICK)? else { continue };
        match editor.key(code, modifiers, table.session.opening()) {
            Some(Ok(Command::Quit)) => return Ok(()),
            Some(Ok(command)) => {
                if command == Command::Hint {
                    table.message = "looking for a good move".into();
                    draw(table, Some(&editor))?;
                }
                table.obey(command);
            }
            Some(Err(error)) => table.message = error.to_string(),
            None => {}
        }
    }
    Ok(())
}

/// Lets the engine move while the clocks run; enter makes it move at once. False if the player quits or `end` is set.
fn think(table: &mut Table, editor: &Editor, end: &AtomicBool) -> Result<bool> {
    let stop = AtomicBool::new(false);
    let mut quit = false;
    table.message = "enter: move now".into();
    let (mut reply, seen) = table.split();
    let answer = std::thread::scope(|scope| {
        let engine = std::thread::Builder::new().spawn_scoped(scope, || reply.choose(&seen, &stop));
        let engine = engine.context("cannot start a thread for the engine")?;
        while !engine.is_finished() {
            if end.load(Ordering::Relaxed) {
                quit = true;
                stop.store(true, Ordering::Relaxed);
            }
            let step = show(&View::of(&seen, None), editor.input()).and_then(|()| key(TICK));
            match step {
                Ok(Some((KeyCode::Enter | KeyCode::Char(' '), _))) => stop.store(true, Ordering::Relaxed),
                Ok(Some((KeyCode::Char('c' | 'd'), KeyModifiers::CONTROL))) => {
                    quit = true;
                    stop.store(true, Ordering::Relaxed);
                }
                Ok(_) => {}
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    // Joined here, so that a panic of the engine does not take the place of the error.
                    let _ = engine.join();
                    return Err(error);
                }
            }
        }
        anyhow::Ok(engine.join().ok().flatten())
    })?;
    table.message.clear();
    // A move that was cut short is not saved with the game.
    if quit || end.load(Ordering::Relaxed) {
        return Ok(false);
    }
    table.engine_played(answer);
    Ok(true)
}

/// The next key pressed within some time.
fn key(wait: Duration) -> Result<Option<(KeyCode, KeyModifiers)>> {
    if !event::poll(wait)? {
        return Ok(None);
    }
    match event::read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => Ok(Some((key.code, key.modifiers))),
        _ => Ok(None),
    }
}

fn draw(table: &Table, editor: Option<&Editor>) -> Result<()> {
    let cursor: Option<Point> = editor.map(Editor::cursor);
    show(&View::of(&table.seen(), cursor), editor.map_or("", Editor::input))
}

/// Draws board and panel beside each other, and the line of text below.
fn show(view: &View<'_>, input: &str) -> Result<()> {
    let colors = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    let (width, height) = terminal::size()?;
    let (width, height) = (usize::from(width), usize::from(height));
    let left = 2 * view.session.position().size().side() + BESIDE;
    let (board, panel) = (view.board(colors), view.panel(width.saturating_sub(left)));
    let keys = if view.session.opening().is_some() { OPENING_KEYS } else { KEYS };
    let part = |lines: &[String], i: usize| lines.get(i).cloned().unwrap_or_default();
    let lines = (0..board.len().max(panel.len()))
        .map(|i| format!("{}{}", pad_str(&part(&board, i), left, Alignment::Left, None), part(&panel, i)))
        .collect();
    let lines = fitted(lines, [String::new(), keys.to_string(), format!("> {input}_")], height);
    let mut out = io::stdout().lock();
    for (y, line) in lines.iter().enumerate() {
        let line = truncate_str(line, width, "…");
        obey(&mut out, MoveTo(0, y as u16))?;
        if understands_escapes() {
            write!(out, "{line}")?;
        } else {
            write!(out, "{}", anstream::adapter::strip_str(&line))?;
        }
        obey(&mut out, Clear(ClearType::UntilNewLine))?;
    }
    obey(&mut out, Clear(ClearType::FromCursorDown))?;
    if !understands_escapes() {
        show_cursor(&mut out, view)?;
    }
    Ok(out.flush()?)
}

/// Returns the lines of the screen, at most `height`: what does not fit is left out of the lines below the picture from the
/// top, and then of the picture from the bottom. The last line, in which the player types, stays.
fn fitted(mut picture: Vec<String>, below: [String; 3], height: usize) -> Vec<String> {
    let kept = height.saturating_sub(picture.len()).clamp(1, below.len());
    picture.truncate(height.saturating_sub(kept));
    picture.extend(below.into_iter().skip(3 - kept));
    picture
}

/// Puts the terminal's own cursor on the point of the view's cursor, for terminals without reverse colours.
fn show_cursor(out: &mut impl Write, view: &View<'_>) -> Result<()> {
    let Some(p) = view.cursor else { return Ok(obey(out, Hide)?) };
    let row = view.session.position().size().side() - 1 - p.y();
    obey(out, MoveTo((NUMBERS + 2 * p.x()) as u16, row as u16))?;
    Ok(obey(out, Show)?)
}

/// Returns whether there is a terminal to play on whose cursor can be moved, which a terminal called `dumb` cannot.
pub fn is_possible() -> bool {
    use std::io::IsTerminal;
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    !is_dumb && io::stdin().is_terminal() && console::Term::stdout().features().is_attended()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_is_typed_stays_on_a_small_screen() {
        let below = || ["", "keys", "> h_"].map(String::from);
        let picture: Vec<String> = (1..=4).map(|i| i.to_string()).collect();
        for (height, expected) in [
            (9, "1,2,3,4,,keys,> h_"),
            (7, "1,2,3,4,,keys,> h_"),
            (6, "1,2,3,4,keys,> h_"),
            (5, "1,2,3,4,> h_"),
            (3, "1,2,> h_"),
            (1, "> h_"),
        ] {
            assert_eq!(fitted(picture.clone(), below(), height).join(","), expected, "{height} lines");
        }
    }
}
