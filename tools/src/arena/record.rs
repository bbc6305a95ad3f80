//! The record of a game, one JSON object a line: the tournament's journal, from which everything else is made.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::fault::FaultKind;
use crate::untrusted;
use kagetsu::game::Color;
use kagetsu::{disk, lock};

/// Reason of a game's end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A winning row.
    Five,
    /// A forbidden move of Black.
    Foul,
    /// The board is full or, in journals from before other ends existed, there was no legal point.
    Full,
    /// Nobody can make a row any more.
    NoRow,
    /// Black has fouls only.
    OnlyFouls,
    /// Both sides passed.
    TwoPasses,
    /// A side has placed all its stones.
    StoneLimit,
    /// The players agreed on a draw.
    Agreement,
    /// By score: lost.
    Resigned,
    /// By score: drawn.
    DrawScore,
    /// By length: drawn.
    DrawLength,
    /// The loser failed.
    Fault(FaultKind),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            End::Five => "five",
            End::Foul => "foul",
            End::Full => "board full",
            End::NoRow => "no row possible",
            End::OnlyFouls => "only fouls left",
            End::TwoPasses => "two passes",
            End::StoneLimit => "stones used up",
            End::Agreement => "agreement",
            End::Resigned => "lost by score",
            End::DrawScore => "drawn by score",
            End::DrawLength => "drawn by length",
            End::Fault(kind) => kind.name(),
        })
    }
}

/// A move and what its engine said about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Point such as `h8`, or `--` for a pass.
    #[serde(rename = "move")]
    pub point: String,
    /// Time used, in milliseconds.
    pub ms: u64,
    /// Reported score, from the mover's view.
    pub score: Option<i32>,
    /// Reported depth.
    pub depth: Option<u32>,
}

/// An opening by a regulation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningRecord {
    /// The regulation.
    pub rule: String,
    /// Name of the engine that began.
    pub opener: String,
    /// Name of the engine that took the last decision, by which the colours were settled; `null` if one failed before.
    pub chooser: Option<String>,
    /// Decisions in order.
    pub decisions: Vec<Decision>,
}

/// An engine's decision in the opening.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// Name of the engine.
    pub engine: String,
    /// Stones, as `h8 a1 i10`, or `swap`.
    pub action: String,
    /// Time used, in milliseconds.
    pub ms: u64,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the tournament, from 1.
    pub game: u64,
    /// The day on which it ended, as `2026-11-24` (UTC); `None` in journals from before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Name of the engine that was Black.
    pub black: String,
    /// Name of the engine that was White.
    pub white: String,
    /// Rule, by name.
    pub rule: String,
    /// Side of the board.
    pub size: usize,
    /// The opening's number in the list, from 1.
    pub opening: usize,
    /// Record of the opening, if a regulation asked for one; `start` is then its result.
    #[serde(default)]
    pub regulation: Option<OpeningRecord>,
    /// The position at the start: a move string, or a setup string.
    pub start: String,
    /// The engines' moves.
    pub moves: Vec<MoveRecord>,
    /// `1-0` if Black has won, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Reason of the end.
    pub end: End,
    /// More about the end.
    pub detail: String,
    /// Oddities that are no faults, each after its engine's name; of many, only the first and the number of the others.
    pub warnings: Vec<String>,
}

impl GameRecord {
    /// The text of a result.
    pub fn result_text(winner: Option<Color>) -> &'static str {
        match winner {
            Some(Color::Black) => "1-0",
            Some(Color::White) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The winner.
    pub fn winner(&self) -> Option<Color> {
        GameRecord::winner_of(&self.result)
    }

    /// Returns the winner by the text of a result.
    pub fn winner_of(result: &str) -> Option<Color> {
        match result {
            "1-0" => Some(Color::Black),
            "0-1" => Some(Color::White),
            _ => None,
        }
    }

    /// Half points of a colour.
    pub fn half_points(&self, color: Color) -> u8 {
        self.winner().map_or(1, |winner| if winner == color { 2 } else { 0 })
    }
}

impl Entry for GameRecord {
    const NAME: &str = "game";
}

/// A thing that a journal keeps, one JSON object a line.
pub trait Entry: Serialize + DeserializeOwned {
    /// Noun for it in errors.
    const NAME: &str;
}

/// The file that everything finished is appended to, games as a rule. No other process opens it meanwhile.
pub struct Journal<E: Entry = GameRecord> {
    path: PathBuf,
    file: disk::File,
    /// End of the last whole line, where the next one begins.
    end: u64,
    entries: PhantomData<E>,
}

impl<E: Entry> Journal<E> {
    /// Begins a journal.
    ///
    /// # Errors
    /// If the file cannot be used, another process uses it, or it holds something already, which stays as it is.
    pub fn create(path: &Path) -> anyhow::Result<Journal<E>> {
        let journal = Journal::at(path, disk::File::update(path))?;
        if journal.file.inner().metadata()?.len() > 0 {
            bail!("{} holds {}s already", path.display(), E::NAME);
        }
        Ok(journal)
    }

    /// Opens a journal that exists and reads its entries. An incomplete last line, left by a crash, is removed: what it
    /// told of is done again.
    ///
    /// # Errors
    /// If there is no such file, it cannot be used, another process uses it, or a line is not an entry.
    pub fn open(path: &Path) -> anyhow::Result<(Journal<E>, Vec<E>)> {
        let mut journal = Journal::at(path, existing(path))?;
        let (entries, end) = journal.read()?;
        journal.file.set_len(end)?;
        journal.end = end;
        Ok((journal, entries))
    }

    /// Takes the file of a journal, which was opened just now.
    fn at(path: &Path, file: io::Result<disk::File>) -> anyhow::Result<Journal<E>> {
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        if !lock::acquire(file.inner()) {
            bail!("{}: another process is writing it", path.display());
        }
        Ok(Journal { path: path.to_owned(), file, end: 0, entries: PhantomData })
    }

    /// Returns all entries so far.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn entries(&mut self) -> anyhow::Result<Vec<E>> {
        Ok(self.read()?.0)
    }

    /// The entries, and where the last whole line ends.
    fn read(&mut self) -> anyhow::Result<(Vec<E>, u64)> {
        let mut text = Vec::new();
        let read = self.file.rewind().and_then(|()| self.file.read_to_end(&mut text));
        read.with_context(|| format!("cannot read {}", self.path.display()))?;
        let end = text.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let mut entries = Vec::new();
        for (i, line) in text[..end].split(|&b| b == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            let entry = serde_json::from_slice(line)
                .with_context(|| format!("{}: line {} is not a {}", self.path.display(), i + 1, E::NAME))?;
            entries.push(entry);
        }
        Ok((entries, end as u64))
    }

    /// Adds an entry. When this returns, the operating system has it. If an entry cannot be written whole, as on a full
    /// disk, nothing of it stays.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, entry: &E) -> anyhow::Result<()> {
        let mut line = untrusted::json(&serde_json::to_string(entry)?).into_owned();
        line.push('\n');
        let start = SeekFrom::Start(self.end);
        let written = self.file.seek(start).and_then(|_| self.file.write_all(line.as_bytes()));
        if written.is_ok() {
            self.end += line.len() as u64;
        } else {
            // If this fails too, the next entry is written over the part, and `open` removes what is left of it.
            let _ = self.file.set_len(self.end);
        }
        written.context("cannot write the journal")
    }
}

/// Opens a file that exists, to read and to write. Not to append: Windows would let nobody cut it then.
fn existing(path: &Path) -> io::Result<disk::File> {
    let file = disk::step(|| OpenOptions::new().read(true).write(true).open(path))?;
    // An endless file could not be read to its end.
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a regular file was expected"));
    }
    Ok(disk::File::of(file))
}

#[cfg(test)]
mod tests {
    use kagetsu::disk::faults::{self, Fault};

    use super::*;

    #[derive(PartialEq, Debug, Serialize, Deserialize)]
    struct Word(String);

    impl Entry for Word {
        const NAME: &str = "word";
    }

    /// The disk is full in the middle of the second entry, and has room again for the third one, whether or not the part
    /// could be removed. The third entry may be longer or shorter than that part.
    #[test]
    fn a_torn_entry_is_not_glued_to_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let word = |length| Word("w".repeat(length));
        for third in [3, 90] {
            let path = folder.path().join(format!("{third}.jsonl"));
            let mut journal = Journal::create(&path).unwrap();
            journal.append(&word(5)).unwrap();
            faults::arm(1, Fault::Torn);
            let error = journal.append(&word(40)).unwrap_err();
            assert_eq!(faults::disarm(), 3, "half a write, the rest of it, and the cut");
            assert_eq!(error.to_string(), "cannot write the journal");
            assert_eq!(journal.entries().unwrap(), [word(5)]);
            journal.append(&word(third)).unwrap();
            drop(journal);
            let (mut journal, entries) = Journal::<Word>::open(&path).unwrap();
            assert_eq!(entries, [word(5), word(third)]);
            journal.append(&word(7)).unwrap();
            assert_eq!(journal.entries().unwrap(), [word(5), word(third), word(7)]);
            assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 3);
        }
    }
}
