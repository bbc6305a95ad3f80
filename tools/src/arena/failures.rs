//! The dialogues of games in which an engine failed: a file for each, in a folder of bounded size.

use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::output::{Permit, write};

/// Most bytes that all dialogues take on the disk. Without a bound an engine that fails in each of thousands
/// of games would fill the disk.
pub const ROOM: u64 = 64 << 20;
/// The part of the room that is left which one dialogue may take, as a divisor. An engine that fails with
/// much output in every game thus leaves room for the dialogues of others, which are short.
const SHARE: u64 = 16;
/// Bytes of the unit in which a disk is used: an engine that fails at once leaves thousands of tiny files.
const BLOCK: u64 = 4096;

/// Keeps the dialogues of failed games.
pub struct Failures {
    /// The folder; `None` for a temporary one that was not needed yet.
    folder: Option<PathBuf>,
    /// Bytes that its files take; `None` until they are counted.
    taken: Option<u64>,
}

impl Failures {
    /// Keeps dialogues in this folder, or else in a temporary one. It is made when the first of them is kept.
    pub fn new(folder: Option<PathBuf>) -> Failures {
        Failures { folder, taken: None }
    }

    /// Keeps the dialogue of a game and returns its file; `None` if too little room is left for it. If the
    /// game is played again, its dialogue goes beside the first.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, game: u64, dialogue: &str) -> Result<Option<PathBuf>> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            // The name is random: somebody else could guess one with the number of the process, and make that
            // folder before.
            None => tempfile::Builder::new().prefix("kagetsu-match-").tempdir()?.keep(),
        };
        self.folder = Some(folder.clone());
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let taken = match self.taken {
            Some(taken) => taken,
            None => taken_by(&folder).with_context(|| format!("cannot read {}", folder.display()))?,
        };
        self.taken = Some(taken);
        let size = on_disk(dialogue.len() as u64);
        if size > ROOM.saturating_sub(taken) / SHARE {
            return Ok(None);
        }
        let path = free_name(&folder, game);
        write(&path, dialogue.as_bytes(), Permit::New)
            .with_context(|| format!("cannot write {}", path.display()))?;
        self.taken = Some(taken + size);
        Ok(Some(path))
    }
}

/// Returns the bytes that a file of this length takes on the disk.
fn on_disk(len: u64) -> u64 {
    len.max(1).div_ceil(BLOCK).saturating_mul(BLOCK)
}

/// Returns the bytes that the files of a folder take on the disk.
fn taken_by(folder: &Path) -> io::Result<u64> {
    let size = |entry: io::Result<fs::DirEntry>| -> io::Result<u64> { Ok(on_disk(entry?.metadata()?.len())) };
    fs::read_dir(folder)?.map(size).try_fold(0_u64, |sum, size| Ok(sum.saturating_add(size?)))
}

/// Returns a name for a game's dialogue that no file has.
fn free_name(folder: &Path, game: u64) -> PathBuf {
    let again = (2..).map(|time| folder.join(format!("{game}-{time}.txt")));
    let mut names = iter::once(folder.join(format!("{game}.txt"))).chain(again);
    names.find(|path| !path.exists()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game that is played again may fail again.
    #[test]
    fn a_dialogue_is_kept_beside_others_of_its_game() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("failed");
        let mut failures = Failures::new(Some(folder.clone()));
        let texts = [(1, "first"), (1, "second"), (2, "other"), (1, "third")];
        let kept = texts.map(|(game, text)| (failures.keep(game, text).unwrap().unwrap(), text));
        for ((path, text), name) in kept.iter().zip(["1.txt", "1-2.txt", "2.txt", "1-3.txt"]) {
            assert_eq!(*path, folder.join(name));
            assert_eq!(fs::read_to_string(path).unwrap(), *text);
        }
    }

    /// Most of the room is taken by the dialogues of an earlier sitting. One engine then fails with much
    /// output in every game, and another one with little.
    #[test]
    fn all_dialogues_together_are_bounded_and_short_ones_have_room_longer() {
        const LEFT: u64 = 1 << 20;
        let dir = tempfile::tempdir().unwrap();
        fs::File::create(dir.path().join("1.txt")).unwrap().set_len(ROOM - LEFT).unwrap();
        let mut failures = Failures::new(Some(dir.path().to_owned()));
        let mut kept = |games: std::ops::Range<u64>, text: &str| {
            games.filter(|&game| failures.keep(game, text).unwrap().is_some()).count() as u64
        };
        let long = "x".repeat(40 << 10);
        let long_ones = kept(2..500, &long);
        assert!((5..20).contains(&long_ones), "{long_ones}");
        // Tiny files take a whole block of the disk each.
        let short_ones = kept(500..1500, "short");
        assert!((50..250).contains(&short_ones), "{short_ones}");
        let entries = fs::read_dir(dir.path()).unwrap();
        let bytes: u64 = entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
        assert_eq!(bytes, ROOM - LEFT + long_ones * long.len() as u64 + short_ones * 5);
        assert!(bytes + short_ones * BLOCK <= ROOM);
    }
}
