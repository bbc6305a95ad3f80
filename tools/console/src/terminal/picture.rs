//! Lines on stderr that are drawn again in their place.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::understands_escapes;

/// Lines on stderr that replace the previous ones and are removed at the end. Without a terminal nothing is drawn.
pub struct Picture {
    bar: ProgressBar,
    #[cfg(windows)]
    rows: Option<rows::Rows>,
}

impl Picture {
    /// Creates a picture without lines.
    pub fn on_stderr() -> Picture {
        let target =
            if understands_escapes() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(ProgressStyle::with_template("{msg}").expect("a valid template"));
        Picture {
            bar,
            #[cfg(windows)]
            rows: rows::Rows::new(),
        }
    }

    /// Returns whether the lines are drawn: stderr is a terminal.
    pub fn is_visible(&self) -> bool {
        #[cfg(windows)]
        if self.rows.is_some() {
            return true;
        }
        !self.bar.is_hidden()
    }

    /// Draws these lines, none of which is wider than the terminal.
    pub fn draw(&self, lines: String) {
        #[cfg(windows)]
        if let Some(rows) = &self.rows {
            return rows.draw(&lines);
        }
        self.bar.set_message(lines);
        self.bar.tick();
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        #[cfg(windows)]
        if let Some(rows) = &self.rows {
            rows.draw("");
        }
        self.bar.finish_and_clear();
    }
}

/// Drawing by system calls, for consoles that understand no escape codes. The calls of `crossterm` that move the cursor
/// by some rows fail in a window that has been scrolled, so rows are counted in the whole buffer here.
#[cfg(windows)]
mod rows {
    use std::io::{self, IsTerminal, Write};
    use std::sync::{Mutex, PoisonError};

    use crossterm::{Command, cursor::MoveTo};
    use crossterm_winapi::{Console, ScreenBuffer};

    use crate::terminal::understands_escapes;

    /// Number of drawn rows above the cursor.
    pub struct Rows(Mutex<i16>);

    impl Rows {
        /// Returns `None` if escape codes are understood, or stderr is no terminal.
        pub fn new() -> Option<Rows> {
            (!understands_escapes() && io::stderr().is_terminal()).then(|| Rows(Mutex::new(0)))
        }

        /// Draws lines in the place of those before. The cursor stays below them.
        pub fn draw(&self, lines: &str) {
            let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Nothing is lost if a picture fails: the answer is printed anyway.
            if let Err(error) = redraw(&mut drawn, lines) {
                log::warn!("no picture: {error}");
            }
        }
    }

    fn redraw(drawn: &mut i16, lines: &str) -> io::Result<()> {
        let screen = ScreenBuffer::current()?;
        let console = Console::from(screen.handle().clone());
        let info = screen.info()?;
        let width = info.buffer_size().width;
        let top = info.cursor_pos().y.saturating_sub(*drawn);
        MoveTo(0, u16::try_from(top).unwrap_or(0)).execute_winapi()?;
        let before = std::mem::take(drawn);
        let mut out = io::stderr();
        // A row of the window is left for the cursor.
        for line in lines.lines().take(usize::try_from(info.terminal_size().height).unwrap_or(0)) {
            write!(out, "{line}")?;
            let end = screen.info()?.cursor_pos();
            console.fill_whit_character(end, u32::try_from(width - end.x).unwrap_or(0), ' ')?;
            writeln!(out)?;
            *drawn += 1;
        }
        let left = i32::from(before - *drawn) * i32::from(width);
        console.fill_whit_character(screen.info()?.cursor_pos(), u32::try_from(left).unwrap_or(0), ' ')?;
        Ok(())
    }
}
