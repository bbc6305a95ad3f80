//! Whether the terminal understands escape codes. Some consoles of Windows do not: there colours are left out, and the
//! cursor is moved by system calls.

mod picture;

use std::io::{self, Write};
use std::sync::LazyLock;

use crossterm::{Command, queue};

pub use self::picture::Picture;

/// Returns whether escape codes are understood; this is determined once. If they are not, everything that asks
/// [`anstream::ColorChoice`] writes without colours from then on.
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

/// Writes a code to the console and checks whether the cursor moves. Asking the console is not enough: wine's console
/// says that it understands codes, but shows them.
#[cfg(windows)]
fn probe() -> bool {
    use crossterm_winapi::{Console, ConsoleMode, ScreenBuffer};

    const ENABLE_VIRTUAL_TERMINAL_PROCESSING: u32 = 4;
    /// Resets the colours, and takes no column.
    const RESET: &str = "\u{1b}[0m";

    // Without a console, the output goes to a pipe, or to a terminal of another system.
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
    // Removes the text just written. If that fails, the error cannot be reported.
    let column = |x: i16| u16::try_from(x).unwrap_or(0);
    let _ = crossterm::cursor::MoveTo(column(before.x), column(before.y)).execute_winapi();
    let _ = console.fill_whit_character(before, RESET.len() as u32, ' ');
    false
}

/// Sends a command to the terminal in the order of the output.
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
