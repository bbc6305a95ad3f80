//! A diagram on a terminal: the text of [`Diagram`], with colour where the terminal has it.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use kagetsu::game::Diagram;

/// A point forbidden to Black.
pub const FOUL: char = '!';
/// A point that only looks forbidden.
pub const FALSE_FOUL: char = '?';
/// A point where a stone wins.
pub const FIVE: char = '*';
/// A point that is asked about.
pub const POINT: char = '+';

/// Style of errors. Red and magenta can be read on dark and on light terminals alike.
pub const WRONG: Style = AnsiColor::Red.on_default().bold();
/// Style of doubtful or differing things.
pub const DOUBTFUL: Style = AnsiColor::Magenta.on_default();

/// The look of a sign in a diagram.
pub fn style(sign: char) -> Style {
    match sign {
        FOUL => WRONG,
        FALSE_FOUL => DOUBTFUL,
        FIVE => Style::new().bold().underline(),
        '[' => Style::new().bold(),
        '.' => Style::new().dimmed(),
        _ => Style::new(),
    }
}

/// Draws a diagram; `out` removes the colours if its reader does not want them.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Red, green and blue of a colour as xterm shows it. The second value is for terminals that show bold as bright.
    fn shown(color: AnsiColor) -> [[f64; 3]; 2] {
        const NAMES: [AnsiColor; 8] = [
            AnsiColor::Black,
            AnsiColor::Red,
            AnsiColor::Green,
            AnsiColor::Yellow,
            AnsiColor::Blue,
            AnsiColor::Magenta,
            AnsiColor::Cyan,
            AnsiColor::White,
        ];
        let bits = NAMES.iter().position(|&c| c == color).expect("one of the eight");
        let mixed = |full: f64, none: f64| [0, 1, 2].map(|i| if bits >> i & 1 == 1 { full } else { none });
        [mixed(205.0 / 255.0, 0.0), mixed(1.0, 0.0)]
    }

    /// CITE: the relative luminance of the Web Content Accessibility Guidelines 2.1.
    fn luminance(rgb: [f64; 3]) -> f64 {
        let linear = |c: f64| if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        rgb.iter().zip([0.2126, 0.7152, 0.0722]).map(|(&c, part)| part * linear(c)).sum()
    }

    /// The contrast on black or white, whichever is less. The guidelines want 3 for signs and large letters.
    fn contrast(rgb: [f64; 3]) -> f64 {
        let own = luminance(rgb) + 0.05;
        (own / 0.05).min(1.05 / own)
    }

    #[test]
    fn colours_can_be_read_on_black_and_on_white() {
        for sign in [FOUL, FALSE_FOUL, FIVE, POINT, '[', '.', 'x', 'o', '1'] {
            if let Some(anstyle::Color::Ansi(color)) = style(sign).get_fg_color() {
                assert!(shown(color).into_iter().all(|rgb| contrast(rgb) > 3.0), "{sign}: {color:?}");
            }
            assert_eq!(style(sign).get_bg_color(), None);
        }
        // The measure rejects colours that cannot be read on white, or on black.
        assert!(shown(AnsiColor::Yellow).into_iter().all(|rgb| contrast(rgb) < 3.0));
        assert!(contrast([0.0, 0.0, 205.0 / 255.0]) < 3.0);
    }
}
