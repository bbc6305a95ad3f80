//! A file's bytes as UTF-8, from the encoding that its XML declaration names.

use std::io::{self, BufRead, Read};

use crate::record::Charset;
use crate::record::decoding::decoded;

/// Bytes in which a declaration is looked for.
const START: u64 = 256;

/// Returns the file as UTF-8; `charset` is the encoding of a file that states none. With `marked`, the mark of UTF-8 stood
/// before the input: `charset` is then the encoding whatever the declaration names.
///
/// # Errors
/// If the beginning cannot be read.
pub fn decode<'a>(
    mut input: impl BufRead + 'a,
    charset: Charset,
    marked: bool,
) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut start = Vec::new();
    input.by_ref().take(START).read_to_end(&mut start)?;
    let declared = if marked { None } else { declared(&start) };
    let charset = declared.unwrap_or(charset);
    Ok(decoded(io::Cursor::new(start).chain(input), charset))
}

/// The encoding of an XML declaration.
fn declared(start: &[u8]) -> Option<Charset> {
    let text = String::from_utf8_lossy(start);
    let declaration = text.trim_start_matches('\u{feff}').strip_prefix("<?xml")?.split_once("?>")?.0;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| ['"', '\''].contains(c))?;
    value[1..].split_once(quote)?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8], charset: Charset) -> String {
        let mut text = Vec::new();
        decode(bytes, charset, false).unwrap().read_to_end(&mut text).unwrap();
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
