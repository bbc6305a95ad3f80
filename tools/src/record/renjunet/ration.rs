//! A reader that limits how many bytes may be read.

use std::io::{self, BufRead, Read};

/// A file, and the bytes that may still be read of it.
pub struct Ration<R> {
    input: R,
    left: usize,
}

impl<R> Ration<R> {
    /// Allows `bytes` bytes of a file, until some are given back.
    pub fn new(input: R, bytes: usize) -> Ration<R> {
        Ration { input, left: bytes }
    }

    /// Allows these bytes again, because their content is no longer in memory.
    pub fn give_back(&mut self, bytes: usize) {
        self.left += bytes;
    }

    /// Returns whether nothing more may be read.
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }
}

impl<R: BufRead> BufRead for Ration<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.input.fill_buf()?;
        if self.left == 0 && !bytes.is_empty() {
            return Err(io::Error::other("more than may be read at a time"));
        }
        Ok(&bytes[..bytes.len().min(self.left)])
    }

    fn consume(&mut self, amount: usize) {
        self.left -= amount;
        self.input.consume(amount);
    }
}

impl<R: BufRead> Read for Ration<R> {
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
    fn no_more_than_allowed() {
        let mut ration = Ration::new(&b"abcdef"[..], 4);
        let mut bytes = [0; 3];
        ration.read_exact(&mut bytes).unwrap();
        assert_eq!((&bytes, ration.is_spent()), (b"abc", false));
        assert_eq!(ration.fill_buf().unwrap(), b"d");
        ration.consume(1);
        assert!(ration.is_spent() && ration.fill_buf().is_err());
        ration.give_back(2);
        ration.read_exact(&mut bytes[..2]).unwrap();
        assert_eq!(&bytes, b"efc");
        assert!(ration.fill_buf().unwrap().is_empty(), "the end of the file is no error");
    }
}
