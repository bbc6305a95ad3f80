//! Bad text in errors: escaped, and only the beginning of a long one.

use std::borrow::Cow;

/// Most characters of a text that an error quotes.
pub const MOST: usize = 40;

/// Returns a text in quotes, as errors show it.
///
/// ```
/// assert_eq!(kagetsu::game::quote::quoted("a\n"), r"'a\n'");
/// ```
pub fn quoted(text: &str) -> String {
    format!("'{}'", beginning(text, MOST).escape_debug())
}

/// Returns a text, or its first `most` characters and an ellipsis if it has more.
pub fn beginning(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(["", "五", "五目", "五目並"].map(|text| beginning(text, 2)), ["", "五", "五目", "五目…"]);
        assert_eq!(quoted(&"\u{1b}".repeat(50)), format!("'{}…'", r"\u{1b}".repeat(MOST)));
    }
}
