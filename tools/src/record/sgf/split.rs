//! Takes the text of a collection apart into its games while it is read, by the brackets alone.

use std::io::{self, BufRead};

use crate::limits::Limits;
use crate::record::ReadError;

/// The texts of games, each with the text between it and the one before. The content is not checked here.
pub struct Split<R> {
    input: R,
    scan: Scan,
    limits: Limits,
}

impl<R: BufRead> Split<R> {
    /// Starts at the first `(` that a `;` follows; mail headers and the like may come before it.
    pub fn new(input: R, limits: Limits) -> Split<R> {
        Split { input, scan: Scan { line: 1, ..Scan::default() }, limits }
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
            self.check()?;
        }
    }
}

impl<R> Split<R> {
    /// Fails if the text or a value exceeds its limit.
    fn check(&self) -> Result<(), ReadError> {
        let (scan, limits) = (&self.scan, self.limits);
        let value = if scan.in_value { scan.text.len() - scan.value_start } else { 0 };
        let problem = if scan.skipped > limits.value() {
            limits.exceeded("no game: '(;' was expected before so many bytes", limits.value())
        } else if value > limits.value() {
            limits.exceeded("a value of too many bytes", limits.value())
        } else if scan.text.len() > limits.game() {
            limits.exceeded("a game of too many bytes", limits.game())
        } else {
            return Ok(());
        };
        Err(ReadError::line(scan.line, problem).fatal())
    }
}

/// State of the scan of a text.
#[derive(Default)]
struct Scan {
    /// Whether the first game has begun, and the bytes before that.
    begun: bool,
    skipped: usize,
    text: Vec<u8>,
    /// The line that the text begins in, and the one of its end.
    first_line: usize,
    line: usize,
    /// Open round brackets.
    depth: usize,
    /// Whether a value's bracket is open, and its last character escapes the next.
    in_value: bool,
    /// Place in the text at which the last value begins.
    value_start: usize,
    escaped: bool,
}

impl Scan {
    /// Adds a byte to the text. Returns whether it is the last byte of a game.
    fn is_complete_with(&mut self, byte: u8) -> bool {
        if self.text.is_empty() {
            self.first_line = self.line;
        }
        self.line += usize::from(byte == b'\n');
        if !self.begun {
            self.skipped += 1;
            self.look_for_beginning(byte);
            return false;
        }
        self.text.push(byte);
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_value => self.escaped = true,
            b']' if self.in_value => self.in_value = false,
            _ if self.in_value => {}
            b'[' => (self.in_value, self.value_start) = (true, self.text.len()),
            b'(' => self.depth += 1,
            // A bracket that closes nothing ends a text too, and is an error in it.
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }

    /// Handles a byte before the first game, which begins with `(`, blanks and `;`.
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
                (self.begun, self.depth, self.skipped) = (true, 1, 0);
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
    use std::io::Read;

    use super::*;

    #[test]
    fn games_and_their_lines() {
        let file = "From: (me) [a(;\n\n(\n ;C[a\\]b)]\n(;))\n;x(y[(])\n) (";
        let mut split = Split::new(file.as_bytes(), Limits::default());
        let mut found = Vec::new();
        while let Some((line, text)) = split.next().unwrap() {
            found.push((line, String::from_utf8(text).unwrap()));
        }
        let expected = [(1, "(;\n\n(\n ;C[a\\]b)]\n(;))\n;x(y[(])\n)"), (7, " (")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_string())));
        let mut split = Split::new(&b"(;)\n\n;) (;"[..], Limits::default());
        let texts: Vec<_> = std::iter::from_fn(|| split.next().unwrap()).collect();
        assert_eq!(texts, [(1, b"(;)".to_vec()), (1, b"\n\n;)".to_vec()), (3, b" (;".to_vec())]);
        let small = Limits::new(1 << 10);
        for (endless, problem) in [
            ("(;", "a game of too many bytes: at most 1024"),
            ("(;C[", "a value of too many bytes: at most 64"),
        ] {
            let input = std::io::BufReader::new(endless.as_bytes().chain(std::io::repeat(b';')));
            let error = Split::new(input, small).next().unwrap_err();
            assert!(error.to_string().contains(problem) && error.fatal, "{error}");
        }
        assert!(Split::new(&b"( me; )"[..], Limits::default()).next().is_err());
    }
}
