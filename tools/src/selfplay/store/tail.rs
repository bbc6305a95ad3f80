//! The end of a file of games: the rest of an interrupted block, or damage.

use super::{BLOCK_HEAD, LARGEST_CONTENT};

/// Largest interrupted block. A longer rest at the end of a file is damage.
pub(super) const LARGEST_CUT: usize = 2 << 20;
/// Most bytes whose checksums are computed in search of a block. The rest of a block looks random and needs some
/// megabytes; a file in which a block seems to begin at every fourth byte would need a thousand times as much.
const MOST_HASHED: usize = 256 << 20;

/// Checks that an interruption can have left these bytes, which are all bytes of a file from a block on that
/// is cut off or has a wrong checksum.
///
/// # Errors
/// The damage. A block is written only after the one before it is complete. So a complete block further on
/// shows that this one was complete before it was damaged; so does a checksum that is right for all bytes to
/// the end.
pub(super) fn check(rest: &[u8]) -> Result<(), String> {
    let size = rest.len();
    if size > LARGEST_CUT {
        return Err(format!(
            "the last {size} bytes are no whole block; an interruption leaves at most {LARGEST_CUT}"
        ));
    }
    let mut hashed = 0;
    for at in 1..size {
        let Some((content, sum)) = content(&rest[at..]) else { continue };
        if is_content(content, sum) {
            return Err(format!("no whole block begins there, but one does {at} bytes further on"));
        }
        hashed += content.len();
        if hashed > MOST_HASHED {
            return Err("the rest of the file is neither a block nor the beginning of one".to_owned());
        }
    }
    match words(rest) {
        Some([_, _, sum]) if is_content(&rest[BLOCK_HEAD..], sum) => {
            Err("the length of the last block is wrong".to_owned())
        }
        _ => Ok(()),
    }
}

/// Returns the first words of a block, if they are there: its compressed length, its number of games, its checksum.
pub(super) fn words(block: &[u8]) -> Option<[u32; 3]> {
    let head = block.first_chunk::<BLOCK_HEAD>()?;
    let word =
        |i: usize| u32::from_le_bytes([head[4 * i], head[4 * i + 1], head[4 * i + 2], head[4 * i + 3]]);
    Some([word(0), word(1), word(2)])
}

/// Returns the content and the checksum of the block with games that these bytes may begin with.
fn content(bytes: &[u8]) -> Option<(&[u8], u32)> {
    let [len, games, sum] = words(bytes)?;
    // A loss of power leaves zeros, which look like blocks without games. A game has a byte at least, so no block has a larger
    // number, and most checksums need not be computed.
    let has_games = games > 0 && u64::from(games) <= LARGEST_CONTENT;
    let content = bytes[BLOCK_HEAD..].get(..len as usize)?;
    has_games.then_some((content, sum))
}

/// Returns whether these are the compressed games of a block with this checksum.
fn is_content(bytes: &[u8], sum: u32) -> bool {
    !bytes.is_empty() && crc32fast::hash(bytes) == sum
}

#[cfg(test)]
mod tests {
    use super::super::tests::{file, head, numbers};
    use super::super::{BlockPlace, Error, LARGEST_BLOCK, Reader, Writer};
    use super::*;

    #[test]
    fn a_wrong_length_of_any_block_is_damage_and_nothing_is_cut() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path());
        let whole = std::fs::read(&path).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        let blocks = std::iter::from_fn(|| reader.next_block().unwrap());
        let places: Vec<BlockPlace> = blocks.map(|block| block.place).collect();
        assert_eq!(places.len(), 3);
        for place in places {
            for bit in 0..32 {
                let mut bytes = whole.clone();
                bytes[place.at as usize + bit / 8] ^= 1 << (bit % 8);
                std::fs::write(&path, &bytes).unwrap();
                let error = Writer::open(&path, &head()).err();
                let is_told = |error: &Error| matches!(error, Error::Damaged(_, at, _) if *at == place.at);
                assert!(error.as_ref().is_some_and(is_told), "{place:?}, bit {bit}: {error:?}");
                let error = Reader::open(&path).unwrap().find_map(Result::err);
                assert!(error.as_ref().is_some_and(is_told), "{place:?}, bit {bit}: {error:?}");
                assert_eq!(std::fs::read(&path).unwrap(), bytes);
            }
        }
    }

    /// Every fourth byte begins like a block of a megabyte.
    #[test]
    fn the_search_for_a_block_ends() {
        let mut rest = 0x0010_0000_u32.to_le_bytes().repeat(LARGEST_CUT / 4);
        assert!(check(&rest).unwrap_err().contains("neither a block nor the beginning of one"));
        rest.fill(0);
        assert_eq!(check(&rest), Ok(()));
    }

    #[test]
    fn a_length_that_swallows_games_is_damage() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path());
        let mut bytes = std::fs::read(&path).unwrap();
        let at = bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
        // The length in the first block covers many blocks after it.
        bytes[at..at + 4].copy_from_slice(&(LARGEST_BLOCK - 1).to_le_bytes());
        bytes.resize(bytes.len() + LARGEST_CUT, 0);
        std::fs::write(&path, &bytes).unwrap();
        // The command that made the file would not repair it, so the error must not promise that.
        let error = Writer::open(&path, &head()).err().unwrap().to_string();
        assert!(error.contains("damaged at byte ") && error.contains("bytes are no whole block"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn a_last_block_whose_bytes_were_never_written_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(dir.path());
        let mut bytes = std::fs::read(&path).unwrap();
        let len = bytes.len();
        bytes[len - 20..].fill(0);
        std::fs::write(&path, &bytes).unwrap();
        assert!(Reader::open(&path).unwrap().any(|g| matches!(g, Err(Error::Unfinished(..)))));
        assert_eq!(Writer::open(&path, &head()).unwrap().1.numbers.len(), 20);
        assert_eq!(numbers(&path).len(), 20);
    }
}
