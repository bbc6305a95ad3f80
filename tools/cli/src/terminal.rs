//! Whether the terminal understands escape codes: all do but some consoles of Windows, where colours are left out and the
//! cursor is moved by calls of the system instead.

mod picture;

use std::io::{self, Write};
use std::sync::LazyLock;

use crossterm::{Command, queue};

pub use self::picture::Picture;

/// Whether escape codes are understood, found out once. A console that does not is written to without colours from then
/// on, by everybody who asks [`anstream::ColorChoice`].
pub fn understands_escapes() -> bool {
    static KNOWN: LazyLock<bool> = LazyLock::new(|| {
        let understands = probe();
        if !understands {
            anstream::ColorChoice::Never.write_global();
        }
        understands
    });
    *KNOWN
}

#[cfg(not(windows))]
fn probe() -> bool {
    true
}

/// Writes a code to the console and looks whether the cursor moves. To ask the console is not enough: that of wine says
/// that it understands codes, and shows them.
#[cfg(windows)]
fn probe() -> bool {
    use crossterm_winapi::{Console, ConsoleMode, ScreenBuffer};

    const ENABLE_VIRTUAL_TERMINAL_PROCESSING: u32 = 4;
    /// The usual colours; it takes no place.
    const RESET: &str = "\u{1b}[0m";

    // Without a console the output goes to a pipe, or to a terminal that is none of Windows' own.
    let Ok(screen) = ScreenBuffer::current() else { return true };
    let (mode, console) =
        (ConsoleMode::from(screen.handle().clone()), Console::from(screen.handle().clone()));
    let enabled = mode.mode().and_then(|m| mode.set_mode(m | ENABLE_VIRTUAL_TERMINAL_PROCESSING));
    let cursor = || screen.info().map(|info| info.cursor_pos());
    let Ok(before) = enabled.and_then(|()| cursor()) else { return false };
    let written = console.write_char_buffer(RESET.as_bytes()).and_then(|_| cursor());
    if written.as_ref().is_ok_and(|after| (after.x, after.y) == (before.x, before.y)) {
        return true;
    }
    // What was written is taken away. There is nobody to tell if that fails.
    let column = |x: i16| u16::try_from(x).unwrap_or(0);
    let _ = crossterm::cursor::MoveTo(column(before.x), column(before.y)).execute_winapi();
    let _ = console.fill_whit_character(before, RESET.len() as u32, ' ');
    false
}

/// Has the terminal do something in its turn.
///
/// # Errors
/// If the terminal fails.
pub fn obey(out: &mut impl Write, command: impl Command) -> io::Result<()> {
    #[cfg(windows)]
    if !understands_escapes() {
        out.flush()?;
        return command.execute_winapi();
    }
    queue!(out, command)
}
