//! Files in an LZ4 frame or compressed by gzip, told by their first bytes.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use lz4_flex::frame::FrameDecoder;

/// How a file may be packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// An LZ4 frame.
    Lz4,
    /// Gzip.
    Gzip,
}

impl Packing {
    const fn magic(self) -> &'static [u8] {
        match self {
            Packing::Lz4 => &[0x04, 0x22, 0x4d, 0x18],
            Packing::Gzip => &[0x1f, 0x8b],
        }
    }
}

/// The content of a file that may be packed in this way, and whether it is.
///
/// # Errors
/// If the beginning cannot be read.
pub fn unpack<'a>(
    mut input: impl BufRead + 'a,
    packing: Packing,
) -> io::Result<(Box<dyn BufRead + 'a>, bool)> {
    let magic = packing.magic();
    let mut start = Vec::with_capacity(magic.len());
    input.by_ref().take(magic.len() as u64).read_to_end(&mut start)?;
    let packed = start == magic;
    let whole = io::Cursor::new(start).chain(input);
    let content: Box<dyn BufRead + 'a> = match packing {
        _ if !packed => Box::new(whole),
        Packing::Lz4 => Box::new(BufReader::new(FrameDecoder::new(whole))),
        Packing::Gzip => Box::new(BufReader::new(MultiGzDecoder::new(whole))),
    };
    Ok((content, packed))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn text_of(bytes: &[u8], packing: Packing) -> (String, bool) {
        let (mut content, packed) = unpack(bytes, packing).unwrap();
        let mut text = String::new();
        content.read_to_string(&mut text).unwrap();
        (text, packed)
    }

    #[test]
    fn packed_or_not() {
        let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
        lz4.write_all(b"moves").unwrap();
        assert_eq!(text_of(&lz4.finish().unwrap(), Packing::Lz4), ("moves".into(), true));
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"moves").unwrap();
        assert_eq!(text_of(&gzip.finish().unwrap(), Packing::Gzip), ("moves".into(), true));
        for packing in [Packing::Lz4, Packing::Gzip] {
            assert_eq!(text_of(b"moves", packing), ("moves".into(), false));
            assert_eq!(text_of(b"m", packing), ("m".into(), false));
        }
    }
}
