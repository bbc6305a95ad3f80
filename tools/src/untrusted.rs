//! Text from outside, escaped: names and comments of game files, messages of engines, names of files, arguments.
//!
//! A terminal obeys control characters: they clear the screen, set titles, hide the text that follows.
//! Bidirectional controls show text in another order than it has. All text from outside goes through one of
//! these functions before it reaches a terminal, a log, an error, a page or a file; dangerous characters are
//! then shown as, for example, `\u{1b}`.
//! CITE: Unicode Standard Annex #9, section 2 (directional formatting); Trojan Source, CVE-2021-42574;
//! XML 1.0, section 2.2 (characters).

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// Returns whether a character is shown as its number: control characters, those that change the direction of text, and
/// non-characters.
fn is_dangerous(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// Replaces the characters that a test finds by their escapes.
fn escaped(text: &str, is_bad: impl Fn(char) -> bool, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    let Some(first) = text.find(&is_bad) else { return Cow::Borrowed(text) };
    let mut safe = String::with_capacity(text.len() + 16);
    safe.push_str(&text[..first]);
    for c in text[first..].chars() {
        if is_bad(c) { escape(&mut safe, c) } else { safe.push(c) }
    }
    Cow::Owned(safe)
}

fn number(out: &mut String, c: char) {
    // Writing to a string does not fail.
    let _ = write!(out, "{}", c.escape_unicode());
}

/// One line of text: line breaks and tabs are escaped too.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_dangerous, number)
}

/// Text of several lines: line breaks and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_dangerous(c) && !matches!(c, '\n' | '\t'), number)
}

/// Returns whether [`lines`] changes nothing.
pub fn is_safe(text: &str) -> bool {
    matches!(lines(text), Cow::Borrowed(_))
}

/// Text for a game file: line breaks, tabs and directions of writing stay, controls are escaped.
pub fn stored(text: &str) -> Cow<'_, str> {
    let is_bad = |c| {
        matches!(c, '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
            && !matches!(c, '\n' | '\r' | '\t')
    };
    escaped(text, is_bad, number)
}

/// Escapes text for an XML element or attribute, within single or double quotes. XML cannot hold most control
/// characters, so they are shown as `\u{1b}` is.
pub fn xml(text: &str) -> Cow<'_, str> {
    let is_bad =
        |c| is_dangerous(c) && !matches!(c, '\n' | '\t') || matches!(c, '&' | '<' | '>' | '"' | '\'');
    escaped(text, is_bad, |out, c| match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        c => number(out, c),
    })
}

/// Makes JSON safe. JSON itself escapes only the first 32 control characters. Tabs and carriage returns are therefore white
/// space between values, where an escape would be an error: they become blanks. Line breaks stay.
pub fn json(text: &str) -> Cow<'_, str> {
    escaped(
        text,
        |c| is_dangerous(c) && c != '\n',
        |out, c| match c {
            '\t' | '\r' => out.push(' '),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        },
    )
}

/// Shows a path or anything else that has a `Display` as one safe line.
pub struct Line<T>(pub T);

impl<T: fmt::Display> fmt::Display for Line<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&line(&self.0.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_seen() {
        let hostile = "a\u{1b}[2J\u{9b}1m\u{202e}b\0\u{7f}\r五é";
        let seen = r"a\u{1b}[2J\u{9b}1m\u{202e}b\u{0}\u{7f}\u{d}五é";
        assert_eq!(line(hostile), seen);
        assert_eq!(lines(hostile), seen);
        assert_eq!(line("a\n\tb"), r"a\u{a}\u{9}b");
        assert_eq!(lines("a\n\tb"), "a\n\tb");
        assert!(is_safe("h8 \u{4e94} \u{e9}\n") && !is_safe("\u{1b}"));
        assert_eq!(Line("\u{1b}").to_string(), r"\u{1b}");
    }

    /// The characters of UAX #9 that set a direction, and the two line breaks of Unicode.
    #[test]
    fn text_is_shown_in_the_order_that_it_has() {
        let controls = ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}');
        for c in ['\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}'].into_iter().chain(controls) {
            let (hostile, seen) = (format!("a{c}b"), format!("a\\u{{{:x}}}b", c as u32));
            assert_eq!([line(&hostile), lines(&hostile), xml(&hostile)], [seen.as_str(); 3]);
            assert!(!is_safe(&hostile), "{seen}");
        }
        for harmless in ["\u{200d}", "\u{2027}", "\u{2030}", "\u{5d0}", "\u{e9}"] {
            assert_eq!(line(harmless), harmless);
        }
    }

    #[test]
    fn files_keep_lines_and_directions() {
        assert_eq!(stored("a\r\n\t\u{200f}\u{1b}"), "a\r\n\t\u{200f}\\u{1b}");
    }

    /// Sends every character through an independent parser of XML.
    #[test]
    fn every_character_is_xml() {
        let all: String = ('\0'..=char::MAX).collect();
        let page = format!("<a b=\"{0}\" c='{0}'>{0}</a>", xml(&all));
        let mut reader = quick_xml::Reader::from_str(&page);
        let mut text = String::new();
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Text(part) => text.push_str(&part.xml10_content()),
                quick_xml::events::Event::Eof => break,
                _ => {}
            }
        }
        let in_xml = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(page.chars().all(in_xml) && text.contains("五"), "XML 1.0, production 2");
    }

    #[test]
    fn json_means_the_same() {
        let value = serde_json::json!({"a": "\u{9b}2J\u{1b}\u{202e}\u{e0041}五\n"});
        let text = value.to_string();
        let safe = json(&text);
        assert!(is_safe(&safe) && safe.contains("\\u009b") && safe.contains("\\udb40\\udc41"), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
        assert_eq!(json("[1,\t2,\r\n\"\\t\"]"), "[1, 2, \n\"\\t\"]", "white space between values");
    }
}
