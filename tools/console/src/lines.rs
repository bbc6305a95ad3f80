//! Lines of text from a file, a pipe or a keyboard.

use std::borrow::Cow;
use std::io::BufRead;

use anyhow::{Context, Result};

use kagetsu_tools::limits;
use kagetsu_tools::record::UTF8_MARK;

/// The name of standard input in errors.
pub const STDIN: &str = "standard input";

/// The lines of an input, read one by one.
#[derive(Debug)]
pub struct Lines<'a, R> {
    name: &'a str,
    input: R,
    /// Lines read.
    number: usize,
    bytes: Vec<u8>,
}

impl<'a, R: BufRead> Lines<'a, R> {
    /// Returns the lines of an input, which has this name in errors.
    pub fn new(name: &'a str, input: R) -> Lines<'a, R> {
        Lines { name, input, number: 0, bytes: Vec::new() }
    }

    /// Returns the number of the next line, from 1, and its text with its end; `None` at the end of the input. Bytes that
    /// are not UTF-8 are replaced, and the first line loses the byte-order mark that some programs put before it.
    ///
    /// # Errors
    /// If the line cannot be read, or is longer than [`limits::LINE`]; then the next line is the rest of it.
    pub fn next_line(&mut self) -> Result<Option<(usize, Cow<'_, str>)>> {
        self.number += 1;
        let (name, number) = (self.name, self.number);
        let read = limits::read_line(&mut self.input, &mut self.bytes);
        if read.with_context(|| format!("cannot read {name}, line {number}"))? == 0 {
            return Ok(None);
        }
        let bytes = match self.bytes.strip_prefix(&UTF8_MARK) {
            Some(rest) if number == 1 => rest,
            _ => &self.bytes,
        };
        Ok(Some((number, String::from_utf8_lossy(bytes))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all lines and the errors between them.
    fn read(input: &[u8]) -> Vec<Result<(usize, String), String>> {
        let mut lines = Lines::new("file", input);
        let mut read = Vec::new();
        loop {
            match lines.next_line() {
                Ok(None) => return read,
                Ok(Some((number, text))) => read.push(Ok((number, text.into_owned()))),
                Err(error) => read.push(Err(format!("{error:#}"))),
            }
        }
    }

    #[test]
    fn only_the_first_line_loses_a_mark() {
        let line = |number, text: &str| Ok((number, text.to_owned()));
        assert_eq!(
            read("\u{feff}h8\n\n\u{feff}i9".as_bytes()),
            [line(1, "h8\n"), line(2, "\n"), line(3, "\u{feff}i9")]
        );
        assert_eq!(read(b"a\xff\r\n"), [line(1, "a\u{fffd}\r\n")]);
        assert_eq!(read(b""), []);
    }

    #[test]
    fn the_error_of_a_long_line_has_its_number() {
        let text = format!("h8\n{}\ni9\n", "x".repeat(limits::LINE + 1));
        let read = read(text.as_bytes());
        assert_eq!(read[0], Ok((1, "h8\n".to_owned())));
        let said = read[1].as_ref().unwrap_err();
        assert!(said.starts_with("cannot read file, line 2: the line is longer"), "{said}");
        assert_eq!(read.last(), Some(&Ok((4, "i9\n".to_owned()))));
    }
}
