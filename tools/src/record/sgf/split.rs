//! Takes the text of a collection apart into its games while it is read, by the brackets alone.

use std::io::{self, BufRead};

use crate::record::{LONGEST, ReadError};

/// The texts of games, each with what stands between it and the one before. Nothing is said of what is in a text.
pub struct Split<R> {
    input: R,
    scan: Scan,
}

impl<R: BufRead> Split<R> {
    /// Starts at the first `(` that a `;` follows; mail headers and the like may come before it.
    pub fn new(input: R) -> Split<R> {
        Split { input, scan: Scan { line: 1, ..Scan::default() } }
    }

    /// The next text and the line that it begins in. The last one may end before its brackets are closed.
    ///
    /// # Errors
    /// If the file cannot be read, or has no game.
    pub fn next(&mut self) -> Result<Option<(usize, Vec<u8>)>, ReadError> {
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(ReadError::line(self.scan.line, error).fatal()),
            };
            if bytes.is_empty() {
                if !self.scan.begun {
                    return Err(ReadError::line(1, "no game: '(;' was expected").fatal());
                }
                return Ok(Some(self.scan.take()).filter(|(_, text)| !text.is_empty()));
            }
            let end = bytes.iter().position(|&byte| self.scan.is_complete_with(byte));
            let taken = end.map_or(bytes.len(), |end| end + 1);
            self.input.consume(taken);
            if end.is_some() {
                return Ok(Some(self.scan.take()));
            }
            if self.scan.text.len() > LONGEST {
                return Err(
                    ReadError::line(self.scan.line, "games of more than 1 GiB are not supported").fatal()
                );
            }
        }
    }
}

/// State of the scan of a text.
#[derive(Default)]
struct Scan {
    /// Whether the first game has begun.
    begun: bool,
    text: Vec<u8>,
    /// The line that the text begins in, and the one of its end.
    first_line: usize,
    line: usize,
    /// Open round brackets.
    depth: usize,
    /// Whether a value's bracket is open, and its last character escapes the next.
    in_value: bool,
    escaped: bool,
}

impl Scan {
    /// Adds a byte to the text; whether it is the last of a game's.
    fn is_complete_with(&mut self, byte: u8) -> bool {
        if self.text.is_empty() {
            self.first_line = self.line;
        }
        self.line += usize::from(byte == b'\n');
        if !self.begun {
            self.look_for_beginning(byte);
            return false;
        }
        self.text.push(byte);
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_value => self.escaped = true,
            b']' if self.in_value => self.in_value = false,
            _ if self.in_value => {}
            b'[' => self.in_value = true,
            b'(' => self.depth += 1,
            // One that closes nothing ends a text too, in which it is an error.
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }

    /// The text so far is a `(` and blanks, or empty.
    fn look_for_beginning(&mut self, byte: u8) {
        match byte {
            b'(' => {
                self.text.clear();
                self.text.push(byte);
                self.first_line = self.line;
            }
            _ if self.text.is_empty() => {}
            b';' => {
                self.text.push(byte);
                (self.begun, self.depth) = (true, 1);
            }
            _ if byte.is_ascii_whitespace() => self.text.push(byte),
            _ => self.text.clear(),
        }
    }

    fn take(&mut self) -> (usize, Vec<u8>) {
        (self.first_line, std::mem::take(&mut self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_their_lines() {
        let file = "From: (me) [a(;\n\n(\n ;C[a\\]b)]\n(;))\n;x(y[(])\n) (";
        let mut split = Split::new(file.as_bytes());
        let mut found = Vec::new();
        while let Some((line, text)) = split.next().unwrap() {
            found.push((line, String::from_utf8(text).unwrap()));
        }
        let expected = [(1, "(;\n\n(\n ;C[a\\]b)]\n(;))\n;x(y[(])\n)"), (7, " (")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_string())));
        let mut split = Split::new(&b"(;)\n\n;) (;"[..]);
        let texts: Vec<_> = std::iter::from_fn(|| split.next().unwrap()).collect();
        assert_eq!(texts, [(1, b"(;)".to_vec()), (1, b"\n\n;)".to_vec()), (3, b" (;".to_vec())]);
        assert!(Split::new(&b"( me; )"[..]).next().is_err());
    }
}
