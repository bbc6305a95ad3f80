//! Writing files of self-play games, and continuing interrupted ones.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::tail::LARGEST_CUT;
use super::{BLOCK_HEAD, Error, Head, LARGEST_CONTENT, Reader};
use crate::selfplay::game::Game;
use kagetsu::{disk, lock};

/// Largest written block of several games. The rest of an interrupted block must be small enough that readers
/// do not take it for damage.
const LARGEST_WRITTEN: usize = 1 << 20;

/// Appends games to a file.
pub struct Writer {
    path: PathBuf,
    output: disk::File,
}

/// Contents of a file that is continued.
pub struct Found {
    /// Numbers of the games that are there.
    pub numbers: Vec<u64>,
    /// Bytes of an unfinished block that were cut off its end.
    pub cut: u64,
}

impl Writer {
    /// Begins a file, or continues one that has games of the same kind.
    ///
    /// # Errors
    /// If the file cannot be written, is written by another process, is of another format or kind, or is damaged before
    /// its end.
    pub fn open(path: &Path, head: &Head) -> Result<(Writer, Found), Error> {
        let io = |e| Error::Io(path.into(), e);
        let line = head.line().map_err(io)?;
        let mut output = disk::File::update(path).map_err(io)?;
        if !lock::acquire_if_possible(output.inner()) {
            return Err(Error::Busy(path.into()));
        }
        let found = if begin(&mut output, &line).map_err(io)? {
            Found { numbers: Vec::new(), cut: 0 }
        } else {
            let reader = Reader::of(output.inner().try_clone().map_err(io)?, path)?;
            if reader.head() != head {
                let say = |h: &Head| serde_json::to_string(h).unwrap_or_default();
                return Err(Error::Other(path.into(), say(reader.head()), say(head)));
            }
            recover(reader, &mut output)?
        };
        output.seek(SeekFrom::End(0)).map_err(io)?;
        Ok((Writer { path: path.into(), output }, found))
    }

    /// Writes games as one block, or as several if it would be large.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, games: &[Game]) -> Result<(), Error> {
        self.append_below(games, LARGEST_WRITTEN).map_err(|e| Error::Io(self.path.clone(), e))
    }

    /// Writes games as blocks that have at most `largest` bytes or a single game.
    pub(super) fn append_below(&mut self, games: &[Game], largest: usize) -> std::io::Result<()> {
        blocks(games, largest, &mut |block| {
            self.output.write_all(block)?;
            // A loss of power too costs no more than the block that is being written.
            self.output.sync_data()
        })
    }
}

/// Writes a whole file of games.
///
/// # Errors
/// The errors of the output, and if the first line would be too long to be read again.
pub fn write(head: &Head, games: &[Game], output: &mut dyn Write) -> std::io::Result<()> {
    output.write_all(&head.line()?)?;
    games
        .chunks(256)
        .try_for_each(|games| blocks(games, LARGEST_WRITTEN, &mut |block| output.write_all(block)))
}

/// Hands games to `write` as blocks that have at most `largest` bytes or a single game.
fn blocks(
    games: &[Game],
    largest: usize,
    write: &mut dyn FnMut(&[u8]) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| game.encode(&mut bytes));
    let is_readable = bytes.len() as u64 <= LARGEST_CONTENT;
    let packed = if is_readable { Some(block(games.len(), &bytes)?) } else { None };
    match packed.filter(|packed| packed.len() <= largest) {
        Some(packed) => write(&packed),
        None if games.len() > 1 => {
            let (first, second) = games.split_at(games.len() / 2);
            blocks(first, largest, write)?;
            blocks(second, largest, write)
        }
        None => write(&block(games.len(), &bytes)?),
    }
}

/// Returns the bytes of so many games as one block of a file.
fn block(games: usize, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    let packed = encoder.finish()?;
    let mut block = Vec::with_capacity(BLOCK_HEAD + packed.len());
    for word in [packed.len() as u32, games as u32, crc32fast::hash(&packed)] {
        block.extend(word.to_le_bytes());
    }
    block.extend(packed);
    Ok(block)
}

/// Writes the first line of a file without games: it is empty, or was interrupted within that line and perhaps ends in the
/// zeros that a loss of power leaves in place of bytes that were never written. Returns whether it did.
fn begin(file: &mut disk::File, line: &[u8]) -> std::io::Result<bool> {
    let mut there = Vec::new();
    (&mut *file).take(line.len() as u64).read_to_end(&mut there)?;
    let written = there.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let is_interrupted = written < line.len() && line.starts_with(&there[..written]) && ends_in_zeros(file)?;
    file.rewind()?;
    if !is_interrupted {
        return Ok(false);
    }
    if !there.is_empty() {
        file.set_len(0)?;
    }
    file.write_all(line)?;
    Ok(true)
}

/// Returns whether a file has nothing but zeros from here on, and no more than an interruption leaves. The first line
/// reaches the device together with the first block, so that the zeros may be those of both.
fn ends_in_zeros(file: &mut disk::File) -> std::io::Result<bool> {
    let mut rest = Vec::new();
    file.take(LARGEST_CUT as u64 + 1).read_to_end(&mut rest)?;
    Ok(rest.len() <= LARGEST_CUT && rest.iter().all(|&byte| byte == 0))
}

/// Reads all games of a file, and cuts off an unfinished block at its end.
fn recover(mut reader: Reader, file: &mut disk::File) -> Result<Found, Error> {
    let path = reader.path.clone();
    let io = |e| Error::Io(path.clone(), e);
    let len = file.inner().metadata().map_err(io)?.len();
    let mut found = Found { numbers: Vec::new(), cut: 0 };
    loop {
        match reader.next_block() {
            Ok(Some(block)) => {
                found.numbers.extend(block.starts().iter().map(|&start| block.game(start).number));
            }
            Ok(None) => return Ok(found),
            Err(Error::Unfinished(..)) => {
                found.cut = len - reader.at;
                file.set_len(reader.at).map_err(io)?;
                return Ok(found);
            }
            Err(error) => return Err(error),
        }
    }
}
