//! Lines of text from a file, a pipe or a keyboard.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind};

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
    /// Whether the rest of a line that is too long is still to be read.
    goes_on: bool,
}

impl<'a, R: BufRead> Lines<'a, R> {
    /// Returns the lines of an input, which has this name in errors.
    pub fn new(name: &'a str, input: R) -> Lines<'a, R> {
        Lines { name, input, number: 0, bytes: Vec::new(), goes_on: false }
    }

    /// Returns the number of the next line, from 1, and its text with its end; `None` at the end of the input. Bytes that
    /// are not UTF-8 are replaced, and the first line loses the byte-order mark that some programs put before it.
    ///
    /// # Errors
    /// If the line cannot be read, or [is too long](is_too_long).
    pub fn next_line(&mut self) -> Result<Option<(usize, Cow<'_, str>)>> {
        let (name, number) = (self.name, self.number + 1);
        let place = || format!("cannot read {name}, line {number}");
        while self.goes_on {
            match self.read() {
                Err(error) if error.kind() == ErrorKind::InvalidData => {}
                read => drop(read.with_context(place)?),
            }
        }
        self.number = number;
        if self.read().with_context(place)? == 0 {
            return Ok(None);
        }
        let bytes = match self.bytes.strip_prefix(&UTF8_MARK) {
            Some(rest) if number == 1 => rest,
            _ => &self.bytes,
        };
        Ok(Some((number, String::from_utf8_lossy(bytes))))
    }
}

impl<R: BufRead> Lines<'_, R> {
    /// Reads a line, or as much of it as is allowed.
    fn read(&mut self) -> io::Result<usize> {
        let read = limits::read_line(&mut self.input, &mut self.bytes);
        let is_cut = |error: &io::Error| error.kind() == ErrorKind::InvalidData;
        self.goes_on = read.as_ref().is_err_and(is_cut) && self.bytes.last() != Some(&b'\n');
        read
    }
}

/// Returns whether an error of [`Lines::next_line`] says that a line is longer than [`limits::LINE`]. The lines after it can
/// be read.
pub fn is_too_long(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::InvalidData)
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
                Err(error) => {
                    assert!(is_too_long(&error));
                    read.push(Err(format!("{error:#}")));
                }
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
    fn the_lines_after_a_long_one_are_read() {
        for length in [limits::LINE, limits::LINE + 1, 3 * limits::LINE] {
            let text = format!("h8\n{}\ni9\n", "x".repeat(length));
            let read = read(text.as_bytes());
            let [first, Err(said), last] = &read[..] else { panic!("{} lines", read.len()) };
            assert_eq!(first, &Ok((1, "h8\n".to_owned())));
            assert!(said.starts_with("cannot read file, line 2: the line is longer"), "{said}");
            assert_eq!(last, &Ok((3, "i9\n".to_owned())));
        }
        assert_eq!(read("x".repeat(2 * limits::LINE).as_bytes()).len(), 1);
    }
}
