//! Layout of book files: a line that names the format, then blocks.
//!
//! A block is its length, a count and the CRC-32 of both and of its content (four bytes each, little-endian), then that
//! many bytes, compressed by DEFLATE. The first block is a line of JSON, the [`Head`]; the others hold entries.
//! Checksums cover every byte except the known first line. Blocks are written whole and at once, so that the rest of an
//! interrupted write is recognised at the end of a file, with the zeros that a loss of power leaves behind it.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use super::bytes::Input;
use super::entry::Entry;
use super::key::Key;
use super::recipe::Recipe;
use crate::game::Size;

/// First line of a file.
const MAGIC: &[u8] = b"kagetsu book\n";
const VERSION: u32 = 1;
/// Bytes of a block's header.
const BLOCK_HEAD: usize = 12;
/// Blocks end in fewer zero bytes than this: the last set bit of a DEFLATE stream is among its last 70.
const ZEROS: usize = 16;
/// Most positions of a block.
const BLOCK_ENTRIES: usize = 8192;
/// Upper limit on the bytes of a position, packed or not: 3.5 KB on the largest board, rounded up.
const LARGEST_ENTRY: usize = 4096;
/// Upper limit on the content of a block; more is damage.
const LARGEST: u64 = (BLOCK_ENTRIES * LARGEST_ENTRY) as u64;

/// Reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading or writing failed.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// The file does not begin like a book.
    #[error("not a kagetsu book: the first line is not 'kagetsu book'")]
    Foreign,
    /// The layout is not supported.
    #[error("the book has layout {0}; expected {VERSION}")]
    Version(u32),
    /// The build file is for another rule or board.
    #[error("part of a build for {0}; expected one for {1}")]
    Place(String, String),
    /// Another process is appending to the build file.
    #[error("another process is writing it")]
    Busy,
    /// A build file was given where a book was expected.
    #[error("part of a build, not a book: 'kagetsu book merge' makes a book of it")]
    Part,
    /// A book was given where a build file was expected.
    #[error("a book, not part of a build: expected the name of a new file, or of one that a build made")]
    Whole,
    /// A checksum is wrong, or the content is invalid.
    #[error("the book is damaged at byte {0}: {1}")]
    Damaged(usize, String),
    /// The book takes more memory than this limit, in bytes.
    #[error("the book takes more than {0} bytes of memory")]
    Large(u64),
    /// Two files cannot be merged, or a build cannot be continued: their entries come from different settings.
    #[error("{0}: made with {1} and with {2}, whose scores do not compare")]
    Other(String, String, String),
}

/// Table of contents of a file; its first block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    version: u32,
    /// Whether this is a whole book. A build file, to which blocks are appended, is not.
    pub whole: bool,
    /// The sections, each with its number of positions; a build has one, without a number.
    pub sections: Vec<(Recipe, usize)>,
}

impl Head {
    /// Creates a head of the present layout.
    pub fn new(whole: bool, sections: Vec<(Recipe, usize)>) -> Head {
        Head { version: VERSION, whole, sections }
    }

    /// The beginning of a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(block(self.sections.len(), &serde_json::to_vec(self).unwrap_or_default()));
        bytes
    }
}

/// A block with this content.
pub fn block(count: usize, content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(content);
    let packed = encoder.finish().unwrap_or_default();
    let mut bytes = Vec::with_capacity(BLOCK_HEAD + packed.len());
    bytes.extend((packed.len() as u32).to_le_bytes());
    bytes.extend((count as u32).to_le_bytes());
    bytes.extend(checksum(&bytes, &packed).to_le_bytes());
    bytes.extend(packed);
    bytes
}

/// The blocks of a section.
pub fn entry_blocks(entries: &BTreeMap<Key, Entry>, size: Size) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = entries.iter().peekable();
    while rest.peek().is_some() {
        bytes.extend(entry_block(rest.by_ref().take(BLOCK_ENTRIES), size));
    }
    bytes
}

/// A block of entries.
pub fn entry_block<'a>(entries: impl Iterator<Item = (&'a Key, &'a Entry)>, size: Size) -> Vec<u8> {
    let (mut content, mut count) = (Vec::new(), 0);
    for (key, entry) in entries {
        key.encode(size, &mut content);
        entry.encode(size, &mut content);
        count += 1;
    }
    block(count, &content)
}

/// Returns the count and the packed bytes of the block at the start of these bytes, or what is wrong with it.
fn first_block(bytes: &[u8]) -> Result<(u32, &[u8]), &'static str> {
    let (head, rest) = bytes.split_at_checked(BLOCK_HEAD).ok_or("a block is cut off")?;
    let word =
        |i: usize| u32::from_le_bytes([head[4 * i], head[4 * i + 1], head[4 * i + 2], head[4 * i + 3]]);
    let packed = rest.get(..word(0) as usize).ok_or("a block is cut off")?;
    if checksum(&head[..8], packed) == word(2) { Ok((word(1), packed)) } else { Err("a checksum is wrong") }
}

fn checksum(numbers: &[u8], packed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(numbers);
    hasher.update(packed);
    hasher.finalize()
}

/// Returns bytes without the zeros at their end, which a loss of power leaves in place of bytes that were never
/// written.
pub fn written(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    &bytes[..len]
}

/// Reader of a file's bytes.
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// Offset of the next block.
    pub at: usize,
    /// Head of the file.
    pub head: Head,
}

impl<'a> Reader<'a> {
    /// Reads a file's head.
    ///
    /// # Errors
    /// If there is none of the present layout.
    pub fn new(bytes: &'a [u8]) -> Result<Reader<'a>, Error> {
        if !bytes.starts_with(MAGIC) {
            return Err(Error::Foreign);
        }
        let head = Head { version: 0, whole: false, sections: Vec::new() };
        let mut reader = Reader { bytes, at: MAGIC.len(), head };
        let content = reader.content()?.ok_or_else(|| reader.damaged("there is no head"))?.1;
        reader.head = match serde_json::from_slice(&content) {
            Ok(head) => head,
            // A later layout may have another head: read its number alone.
            Err(error) => {
                #[derive(Deserialize)]
                struct Later {
                    version: u32,
                }
                match serde_json::from_slice::<Later>(&content) {
                    Ok(Later { version }) if version != VERSION => return Err(Error::Version(version)),
                    _ => return Err(reader.damaged(error.to_string())),
                }
            }
        };
        if reader.head.version != VERSION {
            return Err(Error::Version(reader.head.version));
        }
        Ok(reader)
    }

    /// Returns the entries of the next block; `None` at the end of the file.
    ///
    /// # Errors
    /// If the block is damaged.
    pub fn entries(&mut self, size: Size) -> Result<Option<Vec<(Key, Entry)>>, Error> {
        let start = self.at;
        let Some((count, content)) = self.content()? else { return Ok(None) };
        if count as usize > BLOCK_ENTRIES {
            return Err(Error::Damaged(
                start,
                format!("a block of {count} positions; expected no more than {BLOCK_ENTRIES}"),
            ));
        }
        let mut input = Input(&content);
        let mut decode = || Ok((Key::decode(&mut input, size)?, Entry::decode(&mut input, size)?));
        let entries: Result<Vec<(Key, Entry)>, String> = (0..count).map(|_| decode()).collect();
        let entries = entries.map_err(|why| Error::Damaged(start, why))?;
        if !input.0.is_empty() {
            return Err(Error::Damaged(start, "a block has more bytes than entries".to_owned()));
        }
        Ok(Some(entries))
    }

    /// The count and the unpacked bytes of the next block.
    fn content(&mut self) -> Result<Option<(u32, Vec<u8>)>, Error> {
        let start = self.at;
        let rest = &self.bytes[start..];
        if rest.is_empty() {
            return Ok(None);
        }
        let wrong = |why: &str| Error::Damaged(start, why.to_owned());
        let (count, packed) = first_block(rest).map_err(wrong)?;
        let mut content = Vec::new();
        let read = DeflateDecoder::new(packed).take(LARGEST).read_to_end(&mut content);
        read.map_err(|error| wrong(&error.to_string()))?;
        self.at = start + BLOCK_HEAD + packed.len();
        Ok(Some((count, content)))
    }

    /// Returns whether everything from `start` on is one interrupted block and perhaps zeros behind it ([`written`]).
    /// If a whole block follows, that one was written later, so the part before it is damaged.
    pub fn is_unfinished(&self, start: usize) -> bool {
        let rest = &self.bytes[start..];
        let len = written(rest).len();
        let rest = &rest[..rest.len().min(len + ZEROS)];
        len <= BLOCK_HEAD + LARGEST_ENTRY && (0..rest.len()).all(|i| first_block(&rest[i..]).is_err())
    }

    /// Returns an error that names the present offset.
    pub fn damaged(&self, why: impl Into<String>) -> Error {
        Error::Damaged(self.at, why.into())
    }

    /// Returns whether everything was read.
    pub fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }
}
