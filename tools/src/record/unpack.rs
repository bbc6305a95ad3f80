//! Files in LZ4 frames or compressed by gzip, recognised by their first bytes.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use super::frames::Frames;

/// The first bytes of an LZ4 frame.
const LZ4: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];
/// The first bytes of a file of gzip, with the number of the only method that it has.
const GZIP: [u8; 3] = [0x1f, 0x8b, 0x08];
/// Smallest size of a packed file. A `.pos` game of four moves can begin like a frame, but has only five bytes.
const SHORTEST: usize = 7;

/// Returns the content of a file that may be packed, and whether it is.
///
/// # Errors
/// If the beginning cannot be read.
pub fn unpack<'a>(mut input: impl BufRead + 'a) -> io::Result<(Box<dyn BufRead + 'a>, bool)> {
    let mut start = Vec::with_capacity(SHORTEST);
    input.by_ref().take(SHORTEST as u64).read_to_end(&mut start)?;
    let long = start.len() == SHORTEST;
    // Flags follow the method; the upper three must be zero.
    let (lz4, gzip) = (long && start.starts_with(&LZ4), long && start.starts_with(&GZIP) && start[3] < 0x20);
    let whole = Cursor::new(start).chain(input);
    let content: Box<dyn BufRead + 'a> = if lz4 {
        Box::new(BufReader::new(Frames::new(whole)))
    } else if gzip {
        Box::new(BufReader::new(MultiGzDecoder::new(whole)))
    } else {
        Box::new(whole)
    };
    Ok((content, lz4 || gzip))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn text_of(bytes: &[u8]) -> (String, bool) {
        let (mut content, packed) = unpack(bytes).unwrap();
        let mut text = String::new();
        content.read_to_string(&mut text).unwrap();
        (text, packed)
    }

    #[test]
    fn packed_or_not() {
        let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
        lz4.write_all(b"moves").unwrap();
        assert_eq!(text_of(&lz4.finish().unwrap()), ("moves".into(), true));
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"moves").unwrap();
        assert_eq!(text_of(&gzip.finish().unwrap()), ("moves".into(), true));
        for text in ["moves", "m", "", "\u{4}\"M\u{18}x"] {
            assert_eq!(text_of(text.as_bytes()), (text.into(), false));
        }
    }
}
