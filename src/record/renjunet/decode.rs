//! A file's bytes as UTF-8, whatever encoding its XML declaration names.

use std::io::{self, BufRead, Read};

use encoding_rs::{CoderResult, Decoder};

use crate::record::Charset;

/// Bytes in which a declaration is looked for.
const START: u64 = 256;

/// The file as UTF-8; `charset` is the encoding of one that does not say it.
///
/// # Errors
/// If the beginning cannot be read.
pub fn decode<'a>(mut input: impl BufRead + 'a, charset: Charset) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut start = Vec::new();
    input.by_ref().take(START).read_to_end(&mut start)?;
    let decoder = declared(&start).unwrap_or(charset).decoder();
    let input = io::Cursor::new(start).chain(input);
    Ok(match decoder {
        None => Box::new(input),
        Some(decoder) => {
            Box::new(Decoding { input, decoder, ended: false, text: Box::new([0; 8192]), from: 0, to: 0 })
        }
    })
}

/// The encoding of an XML declaration.
fn declared(start: &[u8]) -> Option<Charset> {
    let text = String::from_utf8_lossy(start);
    let declaration = text.trim_start_matches('\u{feff}').strip_prefix("<?xml")?.split_once("?>")?.0;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| ['"', '\''].contains(c))?;
    value[1..].split_once(quote)?.0.parse().ok()
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
            let (result, read, written, _) = self.decoder.decode_to_utf8(bytes, &mut self.text, last);
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

    fn text(bytes: &[u8], charset: Charset) -> String {
        let mut text = Vec::new();
        decode(bytes, charset).unwrap().read_to_end(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn declared_and_asked_for() {
        let latin = b"<?xml version='1.0' encoding = 'ISO-8859-1'?><a>\xe9</a>";
        assert!(text(latin, Charset::AUTO).ends_with("<a>\u{e9}</a>"));
        assert_eq!(text(b"<a>\xe9</a>", "windows-1252".parse().unwrap()), "<a>\u{e9}</a>");
        let utf8 = "<?xml version='1.0' encoding='UTF-8'?><a>\u{4e94}</a>";
        assert_eq!(text(utf8.as_bytes(), "gbk".parse().unwrap()), utf8);
        let long = [&b"<?xml encoding=\"gbk\"?>"[..], &b"\xce\xe5".repeat(10_000)].concat();
        assert_eq!(text(&long, Charset::AUTO).chars().filter(|&c| c == '\u{4e94}').count(), 10_000);
    }
}
