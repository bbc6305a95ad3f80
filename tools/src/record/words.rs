//! Reads the little-endian words of binary files one after another, and counts the bytes.

use std::io::{self, BufRead};

use super::ReadError;

/// A binary file and how far it is read.
pub struct Words<R> {
    input: R,
    at: usize,
}

impl<R: BufRead> Words<R> {
    /// Starts at byte 0.
    pub fn new(input: R) -> Words<R> {
        Words { input, at: 0 }
    }

    /// The byte that comes next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns whether the file ends here.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_empty(&mut self) -> Result<bool, ReadError> {
        loop {
            match self.input.fill_buf() {
                Ok(buffer) => return Ok(buffer.is_empty()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ReadError::byte(self.at, error)),
            }
        }
    }

    /// Reads a word of 16 bits.
    ///
    /// # Errors
    /// If the file ends before, or cannot be read; `expected` names the missing part.
    pub fn u16(&mut self, expected: &str) -> Result<u16, ReadError> {
        let mut word = [0; 2];
        self.exact(&mut word, expected)?;
        Ok(u16::from_le_bytes(word))
    }

    /// A word of 32 bits.
    ///
    /// # Errors
    /// The errors of [`u16`](Self::u16).
    pub fn u32(&mut self, expected: &str) -> Result<u32, ReadError> {
        let mut word = [0; 4];
        self.exact(&mut word, expected)?;
        Ok(u32::from_le_bytes(word))
    }

    /// Reads a number of bytes into a buffer, whose old content is removed.
    ///
    /// # Errors
    /// The errors of [`u16`](Self::u16).
    pub fn bytes(&mut self, count: u16, buffer: &mut Vec<u8>, expected: &str) -> Result<(), ReadError> {
        buffer.clear();
        buffer.resize(usize::from(count), 0);
        self.exact(buffer, expected)
    }

    fn exact(&mut self, mut buffer: &mut [u8], expected: &str) -> Result<(), ReadError> {
        while !buffer.is_empty() {
            match self.input.read(buffer) {
                Ok(0) => {
                    let problem = format!("the file ends where {expected} was expected");
                    return Err(ReadError::byte(self.at, problem));
                }
                Ok(read) => {
                    self.at += read;
                    buffer = &mut buffer[read..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ReadError::byte(self.at, error)),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_places() {
        let mut words = Words::new(&b"\x01\x02\x03\x04\x05\x06\x07"[..]);
        assert_eq!(words.u16("a word").unwrap(), 0x0201);
        assert_eq!((words.u32("a word").unwrap(), words.at()), (0x0605_0403, 6));
        assert!(!words.is_empty().unwrap());
        let error = words.u16("a word").unwrap_err();
        assert_eq!(error.to_string(), "byte 7: the file ends where a word was expected");
        assert!(words.is_empty().unwrap());
    }
}
