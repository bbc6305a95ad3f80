//! Single games of a file whose blocks were read before, for readers that come back to them in another order.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::game::Game;
use super::store::{BlockPlace, Error, Reader, decompress};

/// An open file of games. Several threads may read it at a time.
pub struct Blocks {
    path: PathBuf,
    file: Mutex<File>,
}

impl Blocks {
    /// Takes the file of a reader that has returned the places of its blocks.
    pub fn of(reader: Reader) -> Blocks {
        let (path, file) = reader.into_file();
        Blocks { path, file: Mutex::new(file) }
    }

    /// Returns what `make` makes of the games at these offsets of a block, called with their places in the
    /// list.
    ///
    /// # Errors
    /// If the file cannot be read, or the block is not what it was when its place was found.
    pub fn games<T>(
        &self,
        place: &BlockPlace,
        offsets: &[u32],
        mut make: impl FnMut(usize, Game) -> T,
    ) -> Result<Vec<T>, Error> {
        let packed = self.packed(place).map_err(|e| match e.kind() {
            ErrorKind::UnexpectedEof => self.changed(place),
            _ => Error::Unreadable(self.path.clone(), e),
        })?;
        if crc32fast::hash(&packed) != place.sum {
            return Err(self.changed(place));
        }
        let bytes = decompress(&packed).map_err(|_| self.changed(place))?;
        let game = |at: u32| Game::decode(&mut bytes.get(at as usize..)?).ok();
        let mut made = Vec::with_capacity(offsets.len());
        // One game after the other: together they take many times the memory of the block.
        for (i, &at) in offsets.iter().enumerate() {
            made.push(make(i, game(at).ok_or_else(|| self.changed(place))?));
        }
        Ok(made)
    }

    fn packed(&self, place: &BlockPlace) -> std::io::Result<Vec<u8>> {
        let mut packed = vec![0; place.len as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(place.content()))?;
        file.read_exact(&mut packed)?;
        Ok(packed)
    }

    fn changed(&self, place: &BlockPlace) -> Error {
        Error::Changed(self.path.clone(), place.at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::sample;
    use super::super::store::{Head, Writer};
    use super::*;

    /// A file of two blocks of five games, with its places and all offsets.
    fn file(path: &std::path::Path) -> (Blocks, Vec<(BlockPlace, Vec<u32>)>) {
        let mut writer = Writer::open(path, &Head::new("caro", 15, 1000, 7, "hand")).unwrap().0;
        for block in 0..2 {
            writer.append(&(5 * block..5 * block + 5).map(sample).collect::<Vec<_>>()).unwrap();
        }
        let mut reader = Reader::open(path).unwrap();
        let mut places = Vec::new();
        while let Some(block) = reader.next_block().unwrap() {
            places.push((block.place, block.starts().to_vec()));
        }
        (Blocks::of(reader), places)
    }

    #[test]
    fn single_games_come_back_in_any_order() {
        let dir = tempfile::tempdir().unwrap();
        let (blocks, places) = file(&dir.path().join("games"));
        for (number, (place, offsets)) in [(1, &places[1]), (0, &places[0])] {
            let wanted = [offsets[3], offsets[0]];
            let expected = [5 * number + 3, 5 * number].map(sample);
            let made = blocks.games(place, &wanted, |i, game| (i, game)).unwrap();
            let (indices, games): (Vec<usize>, Vec<Game>) = made.into_iter().unzip();
            assert_eq!((&indices[..], &games[..]), (&[0, 1][..], &expected[..]));
        }
    }

    #[test]
    fn a_changed_or_shortened_file_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games");
        let (blocks, places) = file(&path);
        let bytes = std::fs::read(&path).unwrap();
        let told = |index: usize| {
            let (place, offsets) = &places[index];
            match blocks.games(place, offsets, |_, game| game) {
                Err(Error::Changed(found, at)) => (found, at) == (path.clone(), place.at),
                _ => false,
            }
        };
        assert!(!told(0) && !told(1));
        let mut other = bytes.clone();
        *other.last_mut().unwrap() ^= 1;
        std::fs::write(&path, &other).unwrap();
        assert!(!told(0) && told(1));
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(!told(0) && told(1));
        std::fs::write(&path, b"").unwrap();
        assert!(told(0) && told(1));
        // With the old bytes back, the games are there again.
        std::fs::write(&path, &bytes).unwrap();
        assert!(!told(0) && !told(1));
    }
}
