//! LZ4 frames one after another, which programs read as one file.

use std::io::{self, BufRead, Read};

use lz4_flex::frame::FrameDecoder;

use crate::limits::EMPTY_FRAMES;

/// The content of all frames of a file.
pub struct Frames<R: BufRead> {
    /// `None` at the end of the file and after an error. Each frame has its own decoder, because frames may differ in
    /// their blocks.
    decoder: Option<FrameDecoder<Input<R>>>,
    /// Whether the next byte of the file, if there is one, begins a frame.
    between: bool,
    /// Frames without content since the last one with some.
    empty: usize,
}

impl<R: BufRead> Frames<R> {
    /// Starts before the first frame.
    pub fn new(input: R) -> Frames<R> {
        Frames { decoder: Some(FrameDecoder::new(Input { input, ended: false })), between: true, empty: 0 }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        while let Some(mut decoder) = self.decoder.take() {
            if self.between {
                if self.empty > EMPTY_FRAMES {
                    let problem =
                        format!("more than {EMPTY_FRAMES} LZ4 frames without content, one after another");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
                }
                self.empty += 1;
                let mut input = decoder.into_inner();
                if input.is_at_end()? {
                    break;
                }
                decoder = FrameDecoder::new(input);
            }
            let read = decoder.read(out)?;
            // The decoder returns the same at a frame's end and at a file's end, if a block could begin there.
            if read == 0 && decoder.get_ref().ended {
                let problem = "the file ends within an LZ4 frame";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, problem));
            }
            self.decoder = Some(decoder);
            self.between = read == 0;
            if read > 0 {
                self.empty = 0;
                return Ok(read);
            }
        }
        Ok(0)
    }
}

/// A file that remembers whether it was read beyond its end.
struct Input<R> {
    input: R,
    ended: bool,
}

impl<R: BufRead> Input<R> {
    fn is_at_end(&mut self) -> io::Result<bool> {
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.is_empty()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(out)?;
        self.ended |= read == 0 && !out.is_empty();
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use lz4_flex::frame::FrameEncoder;

    use super::*;

    fn frame(text: &str) -> Vec<u8> {
        let mut encoder = FrameEncoder::new(Vec::new());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn content(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        Frames::new(bytes).read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn all_frames_are_read() {
        let (long, empty) = (frame(&"abc".repeat(100_000)), frame(""));
        let file = [&long[..], &empty, &empty, &frame("x"), &empty].concat();
        assert_eq!(content(&file).unwrap(), "abc".repeat(100_000) + "x");
        assert_eq!(content(b"").unwrap(), "");
        assert!(content(&[&long[..], b"no frame"].concat()).is_err());
    }

    #[test]
    fn empty_frames_end() {
        let few = frame("").repeat(EMPTY_FRAMES);
        assert_eq!(content(&[&few[..], &frame("x"), &few, &frame("y")].concat()).unwrap(), "xy");
        let error = content(&frame("").repeat(EMPTY_FRAMES + 2)).unwrap_err();
        assert!(error.to_string().contains("frames without content"), "{error}");
    }

    /// A frame's last four bytes mark its end. A block ends before them, so nothing else would notice their loss.
    #[test]
    fn a_frame_that_is_cut_is_an_error() {
        let one = frame("moves");
        for cut in 1..one.len() {
            assert!(content(&one[..one.len() - cut]).is_err(), "{cut} bytes less");
            assert!(content(&[&one[..], &one[..one.len() - cut]].concat()).is_err(), "{cut} bytes less");
        }
    }
}
