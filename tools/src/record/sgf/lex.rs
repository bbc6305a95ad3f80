//! SGF's characters as tokens, with the lines they stand in.

use crate::record::ReadError;

/// A part of an SGF text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// A property's identifier, without the lower-case letters that old files have in it.
    Key(String),
    /// A property's value between its brackets, escapes and all.
    Value(&'a str),
}

/// The longest identifier. The standard's have two letters, those of old files are words; every value of a property keeps
/// a copy of it.
const LONGEST_KEY: usize = 64;

/// Reads tokens.
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lexer<'a> {
    /// Starts at the beginning of a text that begins in this line.
    pub fn new(text: &'a str, line: usize) -> Lexer<'a> {
        Lexer { text, at: 0, line }
    }

    /// The line of the last token's end.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Option<Token<'a>>, ReadError> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.take(rest.len() - trimmed.len());
        let Some(c) = trimmed.chars().next() else { return Ok(None) };
        let simple = match c {
            '(' => Some(Token::Open),
            ')' => Some(Token::Close),
            ';' => Some(Token::Node),
            _ => None,
        };
        if let Some(token) = simple {
            self.take(1);
            return Ok(Some(token));
        }
        if c == '[' {
            return self.value(trimmed).map(Some);
        }
        let len = trimmed.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(trimmed.len());
        if len > LONGEST_KEY {
            let problem = format!("a property's name of more than {LONGEST_KEY} characters");
            return Err(ReadError::line(self.line, problem));
        }
        let key: String = trimmed[..len].chars().filter(|c| !c.is_ascii_lowercase()).collect();
        // A digit may come first: the games of a server have the offered fifth moves as 5A.
        if !key.contains(|c: char| c.is_ascii_uppercase()) {
            let problem = format!("'{}' where a property, ';', '(' or ')' was expected", c.escape_debug());
            return Err(ReadError::line(self.line, problem));
        }
        self.take(len);
        Ok(Some(Token::Key(key)))
    }

    fn value(&mut self, rest: &'a str) -> Result<Token<'a>, ReadError> {
        let mut escaped = false;
        for (i, b) in rest.bytes().enumerate().skip(1) {
            match b {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => {
                    self.take(i + 1);
                    return Ok(Token::Value(&rest[1..i]));
                }
                _ => {}
            }
        }
        Err(ReadError::line(self.line, "']' of this value is missing"))
    }

    fn take(&mut self, len: usize) {
        self.line += newlines(&self.text[self.at..self.at + len]);
        self.at += len;
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&b| b == b'\n').count()
}

/// Returns a value without its escapes. Every line end becomes `\n`; an escaped one is removed.
pub fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('\r') => drop(chars.next_if_eq(&'\n')),
                Some('\n') | None => {}
                Some(c) => text.push(c),
            },
            '\r' => {
                chars.next_if_eq(&'\n');
                text.push('\n');
            }
            c => text.push(c),
        }
    }
    text
}

/// Splits a composed value `point:text` at the first colon that is not escaped.
pub fn compose(value: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    let colon = value.bytes().position(|b| match b {
        _ if escaped => {
            escaped = false;
            false
        }
        b'\\' => {
            escaped = true;
            false
        }
        b => b == b':',
    })?;
    Some((&value[..colon], &value[colon + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_lines() {
        let mut lexer = Lexer::new("( ;CoPyright[a\\]\nb]B\n[hh])", 3);
        let mut tokens = Vec::new();
        while let Some(token) = lexer.next().unwrap() {
            tokens.push((token, lexer.line()));
        }
        let expected = [
            (Token::Open, 3),
            (Token::Node, 3),
            (Token::Key("CP".into()), 3),
            (Token::Value("a\\]\nb"), 4),
            (Token::Key("B".into()), 4),
            (Token::Value("hh"), 5),
            (Token::Close, 5),
        ];
        assert_eq!(tokens, expected);
        assert_eq!(unescape("a\\]\r\nb\\\nc\\\\"), "a]\nbc\\");
        assert_eq!(compose("hh:a:b"), Some(("hh", "a:b")));
        assert_eq!(compose("h\\:h:b"), Some(("h\\:h", "b")));
    }

    /// By RenLib's source, the games of a server have a property 5A.
    #[test]
    fn a_name_may_begin_with_a_digit() {
        let mut lexer = Lexer::new("5A[gi]7[x]", 1);
        assert_eq!(lexer.next().unwrap(), Some(Token::Key("5A".into())));
        assert_eq!(lexer.next().unwrap(), Some(Token::Value("gi")));
        let problem = "line 1: '7' where a property, ';', '(' or ')' was expected";
        assert_eq!(lexer.next().unwrap_err().to_string(), problem);
    }

    #[test]
    fn names_of_properties_are_short() {
        let key = |len| Lexer::new(&"A".repeat(len), 1).next().map(|token| token.is_some());
        assert_eq!(key(LONGEST_KEY), Ok(true));
        let problem = "line 1: a property's name of more than 64 characters";
        assert_eq!(key(LONGEST_KEY + 1).unwrap_err().to_string(), problem);
    }
}
