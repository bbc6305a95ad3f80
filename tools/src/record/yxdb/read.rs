//! Reads the records of a database one after another.

use std::io::BufRead;

use super::entry::{Record, Texts, place};
use super::{RULES, UTF8};
use crate::record::words::Words;
use crate::record::{Charset, ReadError};
use kagetsu::game::{Color, Error, Point, PointSet, RuleKind, Size};

/// A position and what is known of it.
#[derive(Debug)]
pub struct Entry {
    /// The rule.
    pub rule: RuleKind,
    /// The board.
    pub size: Size,
    /// The side to move.
    pub side: Color,
    /// The stones, Black's first.
    stones: Box<[Point]>,
    blacks: u16,
    /// The record.
    pub record: Record,
    /// The texts.
    pub texts: Texts,
}

impl Entry {
    /// Returns the memory that the entry takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Entry>() + size_of_val(&*self.stones) + self.texts.bytes()
    }

    /// The stones, Black's first.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> + Clone + '_ {
        let color = |i| if i < usize::from(self.blacks) { Color::Black } else { Color::White };
        self.stones.iter().enumerate().map(move |(i, &p)| (p, color(i)))
    }
}

/// Reads records.
pub struct Reader<R> {
    words: Words<R>,
    charset: Charset,
    /// Records that are still to come.
    left: u32,
    utf8: bool,
    buffer: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    /// Reads the number of records. `charset` is the encoding of texts in a file not marked as UTF-8.
    ///
    /// # Errors
    /// If there is no number.
    pub fn new(input: R, charset: Charset) -> Result<Reader<R>, ReadError> {
        let mut words = Words::new(input);
        let left = words.u32("the number of records")?;
        Ok(Reader { words, charset, left, utf8: false, buffer: Vec::new() })
    }

    /// Returns the next record of a position, and its first byte.
    ///
    /// # Errors
    /// The byte, and the expected content.
    pub fn next(&mut self) -> Result<Option<(usize, Entry)>, ReadError> {
        while self.left > 0 {
            self.left -= 1;
            let at = self.words.at();
            let length = self.words.u16("a record's key")?;
            // Other programs skip such records.
            if length == 0 {
                continue;
            }
            self.words.bytes(length, &mut self.buffer, "the rest of a key")?;
            let key = self.key(at + 2)?;
            let at_record = self.words.at() + 2;
            let length = self.words.u16("a record")?;
            self.words.bytes(length, &mut self.buffer, "the rest of a record")?;
            let (record, text) = Record::split(&self.buffer);
            let Some(key) = key else {
                self.utf8 |= text.starts_with(UTF8.as_bytes());
                continue;
            };
            let charset = if self.utf8 { Charset::AUTO } else { self.charset };
            let texts = Texts::parse(&charset.decode(text), key.size);
            let texts = texts.map_err(|problem| ReadError::byte(at_record, problem))?;
            return Ok(Some((at, Entry { record, texts, ..key })));
        }
        if !self.words.is_empty()? {
            return Err(ReadError::byte(self.words.at(), "more bytes after the last record"));
        }
        Ok(None)
    }

    /// Splits the key in the buffer, which begins at this byte, into its parts; `None` if it has no board.
    fn key(&self, at: usize) -> Result<Option<Entry>, ReadError> {
        let [rule, width, height, places @ ..] = &self.buffer[..] else {
            return Err(ReadError::byte(at, "a rule and a board's width and height were expected"));
        };
        if (*width, *height) == (0, 0) {
            return Ok(None);
        }
        let rule = *RULES
            .get(usize::from(*rule))
            .ok_or_else(|| ReadError::byte(at, "rule: 0, 1 or 2 was expected"))?;
        if width != height {
            let problem = format!("a {width}x{height} board: only square boards are supported");
            return Err(ReadError::byte(at + 1, problem));
        }
        let size = Size::new(usize::from(*width)).map_err(|error| ReadError::byte(at + 1, error))?;
        let (places, rest) = places.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(ReadError::byte(at + 3 + 2 * places.len(), "half a stone: a row was expected"));
        }
        let side = if places.len().is_multiple_of(2) { Color::Black } else { Color::White };
        let blacks = places.len().div_ceil(2);
        let mut occupied = PointSet::EMPTY;
        let mut stones = Vec::with_capacity(places.len());
        let mut passed = false;
        let mut has_passed = false;
        let mut black_stones = 0;
        for (i, [x, y]) in places.iter().enumerate() {
            let wrong = |problem: String| ReadError::byte(at + 3 + 2 * i, problem);
            passed &= i != blacks;
            match place(x.cast_signed(), y.cast_signed(), size).map_err(wrong)? {
                // With one pass, either side can be to move. With more passes, the numbers of stones would not tell the
                // side.
                None if has_passed => return Err(wrong("a second pass".to_owned())),
                None => (passed, has_passed) = (true, true),
                Some(_) if passed => return Err(wrong("a stone behind a pass".to_owned())),
                Some(p) if occupied.contains(p) => return Err(wrong(Error::Occupied(p).to_string())),
                Some(p) => {
                    occupied.insert(p);
                    stones.push(p);
                    black_stones += u16::from(i < blacks);
                }
            }
        }
        let stones = stones.into_boxed_slice();
        let texts = Texts::default();
        Ok(Some(Entry { rule, size, side, stones, blacks: black_stones, record: Record::PLAIN, texts }))
    }
}
