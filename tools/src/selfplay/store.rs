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
use head::LARGEST_HEAD;
pub use head::{Explored, FORMAT, Head, Relabelled};
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
        let head: Head = serde_json::from_slice(&line).map_err(|_| Error::Foreign(path.into()))?;
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
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    use super::super::game::tests::sample;
    use super::super::game::{Choice, Exploration, LONGEST_WALK, MOST_SAMPLES, Ply};
    use super::*;

    pub(super) fn head() -> Head {
        Head::new("caro", 15, 1000, 7, "hand")
    }

    /// Three blocks of ten games.
    pub(super) fn file(dir: &Path) -> PathBuf {
        let path = dir.join("games");
        let (mut writer, found) = Writer::open(&path, &head()).unwrap();
        assert!(found.numbers.is_empty());
        for block in 0..3 {
            writer.append(&(10 * block..10 * block + 10).map(sample).collect::<Vec<_>>()).unwrap();
        }
        path
    }

    pub(super) fn numbers(path: &Path) -> Vec<u64> {
        Reader::open(path).unwrap().map(|g| g.unwrap().number).collect()
    }

    #[test]
    fn games_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path());
        let games: Vec<Game> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(games, (0..30).map(sample).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_blocks_and_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path());
        let bytes = std::fs::read(&path).unwrap();
        for len in 0..bytes.len() {
            std::fs::write(&path, &bytes[..len]).unwrap();
            let (mut writer, found) = Writer::open(&path, &head()).unwrap();
            assert_eq!(found.numbers.len() % 10, 0);
            writer.append(&[sample(99)]).unwrap();
            assert_eq!(numbers(&path), found.numbers.iter().copied().chain([99]).collect::<Vec<_>>());
        }
    }

    #[test]
    fn damage_inside_is_an_error_and_nothing_is_cut() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path());
        let mut bytes = std::fs::read(&path).unwrap();
        let at = bytes.iter().position(|&b| b == b'\n').unwrap() + 40;
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(Writer::open(&path, &head()), Err(Error::Damaged(..))));
        assert!(Reader::open(&path).unwrap().any(|g| g.is_err()));
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn large_blocks_are_divided() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games");
        let games: Vec<Game> = (0..30).map(sample).collect();
        let mut eight = Vec::new();
        write(&head(), &games[..8], &mut eight).unwrap();
        let largest = eight.len() - head().line().unwrap().len();
        let (mut writer, _) = Writer::open(&path, &head()).unwrap();
        writer.append_below(&games, largest).unwrap();
        writer.append_below(&games[..1], 1).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        let blocks: Vec<Block> = std::iter::from_fn(|| reader.next_block().unwrap()).collect();
        assert!(
            blocks.len() > 2 && blocks[..blocks.len() - 1].iter().all(|b| b.place.size() <= largest as u64)
        );
        assert_eq!(numbers(&path), (0..30).chain([0]).collect::<Vec<_>>());
    }

    /// Five games with all samples that positions may have, which together have more bytes than a block may.
    fn full_games() -> Vec<Game> {
        let mut full = sample(0);
        let longest = Exploration { moves: vec![full.plies[0].point; LONGEST_WALK], best: None, score: 0 };
        full.plies.truncate(1);
        full.plies =
            vec![
                Ply { samples: vec![longest; MOST_SAMPLES], choice: Choice::Best, ..full.plies[0].clone() };
                225
            ];
        (0..5).map(|number| Game { number, ..full.clone() }).collect()
    }

    /// Equal samples pack a thousand times, so the packed size alone does not tell what a reader must unpack.
    #[test]
    fn games_of_many_samples_are_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games");
        let games = full_games();
        let mut file = Vec::new();
        write(&head(), &games, &mut file).unwrap();
        std::fs::write(&path, file).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        let blocks = std::iter::from_fn(|| reader.next_block().unwrap());
        let counts: Vec<usize> = blocks.map(|block| block.starts().len()).collect();
        assert!(counts.len() > 1 && counts.iter().sum::<usize>() == 5, "{counts:?}");
        assert!(Reader::open(&path).unwrap().map(Result::unwrap).eq(games));
    }

    /// The same games as one block, which is small.
    #[test]
    fn a_block_that_unpacks_to_more_than_any_is_damage() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games");
        let (games, mut bytes) = (full_games(), Vec::new());
        games.iter().for_each(|game| game.encode(&mut bytes));
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&bytes).unwrap();
        let packed = encoder.finish().unwrap();
        let mut file = head().line().unwrap();
        for word in [packed.len() as u32, games.len() as u32, crc32fast::hash(&packed)] {
            file.extend(word.to_le_bytes());
        }
        file.extend(&packed);
        std::fs::write(&path, &file).unwrap();
        let error = Reader::open(&path).unwrap().next().unwrap().unwrap_err().to_string();
        assert!(error.contains("have more than 33554432 bytes"), "{error}");
    }

    #[test]
    fn other_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path());
        let other = Head { seed: 8, ..head() };
        assert!(matches!(Writer::open(&path, &other), Err(Error::Other(..))));
        for text in [&b"a note"[..], &[b'x'; 500]] {
            std::fs::write(&path, text).unwrap();
            assert!(matches!(Writer::open(&path, &head()), Err(Error::Foreign(_))));
            assert_eq!(std::fs::read(&path).unwrap(), text);
        }
    }

    #[test]
    fn heads_of_many_recipes_are_read_or_not_written() {
        let dir = tempfile::tempdir().unwrap();
        let explored =
            |seed| Explored { samples: 4, tree: None, nodes: 300, seed, evaluation: "hand".into() };
        let head_of = |recipes| (1..=recipes).map(explored).fold(head(), Head::with);
        let open =
            |recipes: u64| Writer::open(&dir.path().join(recipes.to_string()), &head_of(recipes)).map(drop);
        for recipes in [1, 60, 1000] {
            open(recipes).unwrap();
            let path = dir.path().join(recipes.to_string());
            assert_eq!(Reader::open(&path).unwrap().head(), &head_of(recipes));
        }
        let error = open(100_000).unwrap_err().to_string();
        assert!(error.contains("with 100000 recipes; expected at most 1048576"), "{error}");
        assert!(!dir.path().join("100000").exists());
    }

    #[test]
    fn one_writer_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path());
        let (mut writer, _) = Writer::open(&path, &head()).unwrap();
        assert!(matches!(Writer::open(&path, &head()), Err(Error::Busy(_))));
        writer.append(&[sample(30)]).unwrap();
        drop(writer);
        assert_eq!(Writer::open(&path, &head()).unwrap().1.numbers.len(), 31);
    }

    #[test]
    fn a_whole_last_block_that_is_wrong_is_not_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path());
        let mut bytes = std::fs::read(&path).unwrap();
        let junk = b"no games";
        for word in [junk.len() as u32, 1, crc32fast::hash(junk)] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(junk);
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(Writer::open(&path, &head()), Err(Error::Damaged(..))));
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
}
