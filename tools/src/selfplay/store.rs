//! Files of self-play games: a line of JSON that says how they were made, then blocks.
//!
//! A block is its compressed length, its number of games and the CRC-32 of its bytes (four bytes each, little-endian),
//! then that number of bytes: the games in DEFLATE. A block is written at once and whole; what a kill leaves at the end of a
//! file is recognised and cut off when the file is opened again, and nothing before it is lost. One process writes at a
//! time: a file is locked as long as it is written, where the file system can do that.

mod head;
mod tail;
mod writer;

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::read::DeflateDecoder;

use super::game::{Game, LARGEST_GAME};
pub use head::{Explored, FORMAT, Head, Relabelled};
use head::{LARGEST_HEAD, no_head};
pub use writer::{Found, Writer, write};

/// Bytes of a block before its games.
const BLOCK_HEAD: usize = 12;
/// Largest block. A greater length is damage.
const LARGEST_BLOCK: u32 = 64 << 20;
/// Most bytes of a block's games before compression. Equal games pack a thousand times, so a small block
/// could fill the memory of its readers.
const LARGEST_CONTENT: u64 = 32 << 20;
const _: () = assert!(LARGEST_GAME as u64 <= LARGEST_CONTENT, "every game can be written and read again");

/// Errors in a file of games.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading failed.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Unreadable(PathBuf, std::io::Error),
    /// Writing failed, or reading a file that is to be written.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, std::io::Error),
    /// The first line is not one of this format.
    #[error("{}: not a file of self-play games of this version, as 'kagetsu selfplay make' writes it", .0.display())]
    Foreign(PathBuf),
    /// The file ends within its first line.
    #[error(
        "{}: unfinished: it ends within its first line; the command that made it, 'kagetsu selfplay make', 'explore' or \
         'relabel', continues it with the same flags",
        .0.display()
    )]
    CutHead(PathBuf),
    /// The first line is zeros, in part or as a whole.
    #[error(
        "{}: damaged: zeros in place of its first line, as a loss of power leaves them; expected a sound copy of it, or \
         that it is moved away: the command that made it then makes the same games again",
        .0.display()
    )]
    Zeros(PathBuf),
    /// Another process writes the file.
    #[error("{}: another process is writing it", .0.display())]
    Busy(PathBuf),
    /// The file has games of another kind than those to be added.
    #[error("{}: holds games made with other settings ({}); expected {}", .0.display(), .1, .2)]
    Other(PathBuf, String, String),
    /// A block does not match its checksum, or does not hold games.
    #[error("{}: damaged at byte {}: {}", .0.display(), .1, .2)]
    Damaged(PathBuf, u64, String),
    /// The system refuses the threads.
    #[error("{0}")]
    Threads(String),
    /// A block is not what it was when it was read before.
    #[error("{}: changed at byte {} while it was in use; expected the games that were read there before", .0.display(), .1)]
    Changed(PathBuf, u64),
    /// The last block was not, or not wholly, written.
    #[error("{}: unfinished at byte {}: a block is cut off; the command that made the file repairs it", .0.display(), .1)]
    Unfinished(PathBuf, u64),
}

/// Reads the games of a file, block by block.
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    head: Head,
    /// Offset of the next block.
    at: u64,
    /// The block whose games come next, and the number of those that came.
    block: Option<Block>,
    taken: usize,
}

/// Location of a block in its file, and the checksum by which it is recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockPlace {
    /// Offset of the block in the file.
    pub at: u64,
    /// Its compressed length, and the CRC-32 of these bytes.
    pub(super) len: u32,
    pub(super) sum: u32,
}

impl BlockPlace {
    /// Offset of the compressed games in the file.
    pub(super) fn content(&self) -> u64 {
        self.at + BLOCK_HEAD as u64
    }

    /// Bytes of the block in the file.
    pub fn size(&self) -> u64 {
        BLOCK_HEAD as u64 + u64::from(self.len)
    }
}

/// A block of games that was read. Its games stay bytes until they are asked for: as values they take up to
/// twenty times as much memory.
pub struct Block {
    /// Its location in the file.
    pub place: BlockPlace,
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl Block {
    /// Unpacks a block of so many games.
    fn unpack(place: BlockPlace, packed: &[u8], games: u32) -> Result<Block, String> {
        let bytes = decompress(packed).map_err(|error| error.to_string())?;
        let (mut rest, mut starts) = (&bytes[..], Vec::new());
        for _ in 0..games {
            starts.push((bytes.len() - rest.len()) as u32);
            Game::decode(&mut rest)?;
        }
        if !rest.is_empty() {
            return Err("a block has bytes after its last game".to_owned());
        }
        Ok(Block { place, bytes, starts })
    }

    /// Bytes of its games, unpacked.
    pub fn unpacked_size(&self) -> usize {
        self.bytes.len()
    }

    /// The offsets of its games among these bytes.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Returns the game at one of its [`starts`](Self::starts).
    ///
    /// # Panics
    /// If no game begins there.
    pub fn game(&self, start: u32) -> Game {
        Game::decode(&mut &self.bytes[start as usize..])
            .expect("every game was decoded when the block was read")
    }
}

impl Reader {
    /// Opens a file and reads its head.
    ///
    /// # Errors
    /// If it cannot be read or is not of this format.
    pub fn open(path: &Path) -> Result<Reader, Error> {
        let file = File::open(path).map_err(|e| Error::Unreadable(path.into(), e))?;
        Reader::of(file, path)
    }

    /// Reads the head of an open file.
    fn of(file: File, path: &Path) -> Result<Reader, Error> {
        let mut input = BufReader::with_capacity(1 << 20, file);
        let mut line = Vec::new();
        (&mut input)
            .take(LARGEST_HEAD as u64)
            .read_until(b'\n', &mut line)
            .map_err(|e| Error::Unreadable(path.into(), e))?;
        let head: Head = serde_json::from_slice(&line).map_err(|error| no_head(&line, &error, path))?;
        let head = head.check(path)?;
        let at = line.len() as u64;
        Ok(Reader { path: path.into(), input, head, at, block: None, taken: 0 })
    }

    /// Returns the recipe of the games.
    pub fn head(&self) -> &Head {
        &self.head
    }

    fn damaged(&self, why: impl Into<String>) -> Error {
        Error::Damaged(self.path.clone(), self.at, why.into())
    }

    /// Returns the error of a block that is not whole, from its bytes to the end of the file.
    fn not_whole(&self, rest: &[u8]) -> Error {
        match tail::check(rest) {
            Ok(()) => Error::Unfinished(self.path.clone(), self.at),
            Err(why) => self.damaged(why),
        }
    }

    /// Returns the path and the file.
    pub(super) fn into_file(self) -> (PathBuf, File) {
        (self.path, self.input.into_inner())
    }

    /// Returns the next block; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or ends within a block.
    pub fn next_block(&mut self) -> Result<Option<Block>, Error> {
        let path = self.path.clone();
        let io = |e| Error::Unreadable(path.clone(), e);
        let mut whole = Vec::with_capacity(BLOCK_HEAD);
        (&mut self.input).take(BLOCK_HEAD as u64).read_to_end(&mut whole).map_err(io)?;
        if whole.is_empty() {
            return Ok(None);
        }
        let Some([len, count, sum]) = tail::words(&whole) else { return Err(self.not_whole(&whole)) };
        if len > LARGEST_BLOCK {
            return Err(self.damaged(format!("a block of {len} bytes")));
        }
        (&mut self.input).take(len.into()).read_to_end(&mut whole).map_err(io)?;
        let packed = &whole[BLOCK_HEAD..];
        if packed.len() != len as usize {
            return Err(self.not_whole(&whole));
        }
        if crc32fast::hash(packed) != sum {
            // After a loss of power the last block can have its length but not its bytes.
            let at_end = self.input.fill_buf().map_err(io)?.is_empty();
            return Err(if at_end { self.not_whole(&whole) } else { self.damaged("a checksum is wrong") });
        }
        let place = BlockPlace { at: self.at, len, sum };
        let block = Block::unpack(place, packed, count).map_err(|why| self.damaged(why))?;
        self.at += place.size();
        Ok(Some(block))
    }
}

impl Iterator for Reader {
    type Item = Result<Game, Error>;

    fn next(&mut self) -> Option<Result<Game, Error>> {
        loop {
            if let Some(block) = &self.block
                && let Some(&start) = block.starts.get(self.taken)
            {
                self.taken += 1;
                return Some(Ok(block.game(start)));
            }
            // The block before makes room first.
            (self.block, self.taken) = (None, 0);
            match self.next_block() {
                Ok(Some(block)) => self.block = Some(block),
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Returns the games of a block, decompressed.
pub(super) fn decompress(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    DeflateDecoder::new(packed).take(LARGEST_CONTENT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_CONTENT {
        let problem = format!("the games of a block have more than {LARGEST_CONTENT} bytes");
        return Err(std::io::Error::new(ErrorKind::InvalidData, problem));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
