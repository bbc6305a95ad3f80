//! A file's bytes as UTF-8, decoded as they are read.
//!
//! The byte-order mark that some programs write before UTF-8 is not part of the text.

use std::io::{self, BufRead, Cursor, Read};

use encoding_rs::{CoderResult, Decoder};

use super::Charset;
use super::charset::warn_of_replacements;

/// The mark that some programs write before texts in UTF-8.
pub const MARK: [u8; 3] = *b"\xef\xbb\xbf";

/// Returns a file without the byte-order mark, and whether it had one.
///
/// # Errors
/// If the beginning cannot be read.
pub fn unmarked<'a>(mut input: Box<dyn BufRead + 'a>) -> io::Result<(Box<dyn BufRead + 'a>, bool)> {
    let mut start = Vec::with_capacity(MARK.len());
    input.by_ref().take(MARK.len() as u64).read_to_end(&mut start)?;
    let marked = start == MARK;
    let text: Box<dyn BufRead + 'a> = if marked { input } else { Box::new(Cursor::new(start).chain(input)) };
    Ok((text, marked))
}

/// The text of a file in an encoding. Bytes that are UTF-8 already pass unchanged.
pub fn decoded<'a>(input: impl BufRead + 'a, charset: Charset) -> Box<dyn BufRead + 'a> {
    match charset.decoder() {
        None => Box::new(input),
        Some(decoder) => {
            Box::new(Decoding { input, decoder, ended: false, text: Box::new([0; 8192]), from: 0, to: 0 })
        }
    }
}

/// Decodes as it reads.
struct Decoding<R> {
    input: R,
    decoder: Decoder,
    ended: bool,
    /// Decoded text, of which `from..to` is still to be read.
    text: Box<[u8]>,
    from: usize,
    to: usize,
}

impl<R: BufRead> BufRead for Decoding<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.from == self.to && !self.ended {
            let bytes = self.input.fill_buf()?;
            let last = bytes.is_empty();
            let (result, read, written, replaced) = self.decoder.decode_to_utf8(bytes, &mut self.text, last);
            if replaced {
                warn_of_replacements(self.decoder.encoding());
            }
            self.input.consume(read);
            self.ended = last && result == CoderResult::InputEmpty;
            (self.from, self.to) = (0, written);
        }
        Ok(&self.text[self.from..self.to])
    }

    fn consume(&mut self, amount: usize) {
        self.from += amount;
    }
}

impl<R: BufRead> Read for Decoding<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_across_buffers() {
        let bytes = [&b"x"[..], &b"\xce\xe5".repeat(10_000)].concat();
        let mut text = String::new();
        decoded(&bytes[..], "gbk".parse().unwrap()).read_to_string(&mut text).unwrap();
        assert!(text.starts_with("x\u{4e94}") && text.chars().count() == 10_001);
        assert!(text.chars().skip(1).all(|c| c == '\u{4e94}'));
    }

    #[test]
    fn a_mark_is_no_text() {
        for (bytes, text, marked) in [("\u{feff}h8", "h8", true), ("h8", "h8", false), ("", "", false)] {
            let (mut rest, found) = unmarked(Box::new(bytes.as_bytes())).unwrap();
            let mut read = String::new();
            rest.read_to_string(&mut read).unwrap();
            assert_eq!((read.as_str(), found), (text, marked));
        }
    }
}
