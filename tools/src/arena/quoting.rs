//! Splits a command that is given as one argument into words.

use anyhow::{Context, Result};

/// Splits a command into words by the system's own rules of quoting.
///
/// # Errors
/// If a quote is not closed.
pub fn words(text: &str) -> Result<Vec<String>> {
    let words = if cfg!(windows) { by_blanks(text) } else { shlex::split(text) };
    words.context("a quote is not closed")
}

/// Splits a command at blanks outside of quotes, single or double. A backslash is an ordinary character, as
/// paths of Windows need it. A quote opens at the beginning of a word or behind its `=`; elsewhere it is a
/// letter, as in `C:\O'Brien\a.exe`. Returns `None` if a quote is not closed.
fn by_blanks(text: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let mut word = String::new();
        while let Some(c) = rest.chars().next().filter(|c| !c.is_whitespace()) {
            rest = &rest[c.len_utf8()..];
            let opens = matches!(c, '\'' | '"') && (word.is_empty() || word.ends_with('='));
            if opens {
                let (quoted, after) = rest.split_once(c)?;
                word += quoted;
                rest = after;
            } else {
                word.push(c);
            }
        }
        words.push(word);
        rest = rest.trim_start();
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_windows_need_no_quotes() {
        for (text, expected) in [
            (r"C:\games\x.exe", &[r"C:\games\x.exe"][..]),
            (r"..\new\pbrain-a.exe --opt=1  \\host\b", &[r"..\new\pbrain-a.exe", "--opt=1", r"\\host\b"]),
            (r#""C:\Program Files\échecs\五.exe" -x"#, &[r"C:\Program Files\échecs\五.exe", "-x"]),
            (r"name='my engine' 'D:\a b\c.exe'", &["name=my engine", r"D:\a b\c.exe"]),
            (r#"dir="C:\a b\" C:\O'Brien\a.exe"#, &[r"dir=C:\a b\", r"C:\O'Brien\a.exe"]),
            (r#"info.x="" a"#, &["info.x=", "a"]),
            ("  ", &[]),
        ] {
            assert_eq!(by_blanks(text).unwrap(), expected, "{text}");
        }
        assert_eq!(by_blanks(r#""C:\a"#), None);
    }

    #[test]
    #[cfg(not(windows))]
    fn elsewhere_words_are_quoted_as_for_a_shell() {
        assert_eq!(words(r"'a b'/c d\ e").unwrap(), ["a b/c", "d e"]);
        assert!(words("'a").is_err());
    }

    #[test]
    #[cfg(windows)]
    fn the_systems_paths_are_read_as_they_are() {
        assert_eq!(words(r"C:\a\b.exe x").unwrap(), [r"C:\a\b.exe", "x"]);
        assert!(words("'a").is_err());
    }
}
