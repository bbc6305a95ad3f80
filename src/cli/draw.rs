//! A diagram on a terminal: the text of [`Diagram`], with colour where the terminal has it.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::game::Diagram;

/// A point forbidden to Black.
pub const FOUL: char = '!';
/// A point that only looks forbidden.
pub const FALSE_FOUL: char = '?';
/// A point where a stone wins.
pub const FIVE: char = '*';
/// A point that is asked about.
pub const POINT: char = '+';

/// The look of a sign in a diagram.
pub fn style(sign: char) -> Style {
    match sign {
        FOUL => AnsiColor::Red.on_default().bold(),
        FALSE_FOUL => AnsiColor::Magenta.on_default(),
        FIVE => AnsiColor::Green.on_default().bold(),
        '[' => Style::new().bold(),
        '.' => Style::new().dimmed(),
        _ => Style::new(),
    }
}

/// Draws a diagram; `out` drops the colours where they are not wanted.
pub fn board(out: &mut dyn Write, diagram: &Diagram) -> io::Result<()> {
    let text = diagram.to_string();
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        let style = style(sign);
        if sign == '[' {
            // The last move and its brackets look alike.
            let rest: String = signs.by_ref().take(2).collect();
            write!(out, "{style}[{rest}{style:#}")?;
        } else {
            write!(out, "{style}{sign}{style:#}")?;
        }
    }
    Ok(())
}

/// The lines of a drawn diagram, with or without colours.
pub fn lines(diagram: &Diagram, colors: bool) -> Vec<String> {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = board(&mut bytes, diagram);
    let text = String::from_utf8_lossy(&bytes);
    let text = if colors { text.into_owned() } else { anstream::adapter::strip_str(&text).to_string() };
    text.lines().map(str::to_owned).collect()
}
