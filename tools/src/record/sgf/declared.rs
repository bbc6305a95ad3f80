//! The encoding that a file names: that of the first `CA` in a root.
//!
//! A `CA[` can stand in any text, and bytes of East Asian encodings can look like brackets. So a name counts only if the
//! file, read in the encoding of that name, has it there.

use std::borrow::Cow;

use super::lex::{Lexer, Token};
use super::split::Split;
use crate::limits::Limits;
use crate::record::charset::Charset;

/// Bytes of a name, at most.
const LONGEST: usize = 40;

/// Returns the encoding that the beginning of a file names.
pub fn declared(start: &[u8], limits: Limits) -> Option<Charset> {
    let mut tried = Vec::new();
    for name in names(start) {
        let Ok(charset) = name.parse::<Charset>() else { continue };
        if tried.contains(&charset) {
            continue;
        }
        tried.push(charset);
        let stated = first_of_roots(&charset.guess(start), limits);
        if stated.and_then(|name| name.parse::<Charset>().ok()) == Some(charset) {
            return Some(charset);
        }
    }
    None
}

/// Texts that may be the value of a `CA`, wherever they stand.
fn names(start: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    let keys = start.windows(2).enumerate().filter(|(_, bytes)| bytes == b"CA");
    keys.filter_map(move |(at, _)| {
        let value = start[at + 2..].trim_ascii_start().strip_prefix(b"[")?;
        let value = &value[..value.len().min(LONGEST)];
        let end = value.iter().position(|&byte| byte == b']')?;
        Some(String::from_utf8_lossy(value[..end].trim_ascii()))
    })
}

/// The value of the first `CA` in a root.
fn first_of_roots(text: &str, limits: Limits) -> Option<String> {
    let mut split = Split::new(text.as_bytes(), limits);
    while let Ok(Some((_, game))) = split.next() {
        if let Some(name) = std::str::from_utf8(&game).ok().and_then(of_root) {
            return Some(name.trim().to_owned());
        }
    }
    None
}

/// The first value of `CA` in the root of a game.
fn of_root(game: &str) -> Option<&str> {
    let mut lexer = Lexer::new(game, 1);
    while lexer.next().ok()?? != Token::Open {}
    while lexer.next().ok()?? != Token::Node {}
    let mut is_named = false;
    loop {
        match lexer.next().ok()?? {
            Token::Key(key) => is_named = key == "CA",
            Token::Value(name) if is_named => return Some(name),
            Token::Value(_) => {}
            Token::Open | Token::Close | Token::Node => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(file: &[u8]) -> Option<&'static str> {
        declared(file, Limits::default()).map(Charset::name)
    }

    #[test]
    fn the_first_root_that_names_an_encoding_decides() {
        for (file, expected) in [
            ("(;CA[gb2312];B[hh])", Some("GBK")),
            ("(;FF[4]CA [Shift_JIS][gbk])", Some("Shift_JIS")),
            ("mail (CA[gbk])\n(;GM[4];B[hh]C[CA[gbk\\]])(;CA[utf-8])", Some("UTF-8")),
            ("(;C[CA[gbk]CA[big5](;B[hh]))", Some("Big5")),
            ("(;C[;CA[gbk\\]]CA[big5])", Some("Big5")),
            // No encoding of that name, none of a root, and no end of the name.
            ("(;CA[klingon])(;CA[gbk])", None),
            ("(;B[hh];CA[gbk])", None),
            ("(;C[CA[gbk]B[hh])", None),
            ("(;CA[gbk", None),
            ("CA[gbk]", None),
        ] {
            assert_eq!(name(file.as_bytes()), expected, "{file}");
        }
    }

    /// The second byte of one Shift_JIS character is a backslash, and that of the other a bracket.
    #[test]
    fn texts_before_the_name_are_read_in_its_encoding() {
        assert_eq!(name(b"(;C[\x95\x5c]CA[shift_jis])"), Some("Shift_JIS"));
        assert_eq!(name(b"(;C[\x83\x5d CA[gbk]CA[shift_jis])"), Some("Shift_JIS"));
    }
}
