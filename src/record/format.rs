//! The formats by name, and reading and writing any of them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::feature::{Feature, features};
use super::list::Notation;
use super::{Charset, Game, ReadError, WriteError, list, psq, renlib, samples, sgf, yixin};
use crate::game::Size;

/// A format of game files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Piskvork's games.
    Psq,
    /// Smart Game Format.
    Sgf,
    /// RenLib's libraries.
    Lib,
    /// Yixin-Board's binary games.
    Pos,
    /// Yixin-Board's games as text.
    Sav,
    /// A list of moves and setup strings.
    Txt,
    /// A list of Gomocup's openings.
    Offset,
    /// A list of moves with row 1 at the top.
    PosTop,
    /// c-gomoku-cli's training samples.
    Bin,
    /// c-gomoku-cli's packed games.
    Binpack,
}

/// What a file does not say about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// The encoding of its texts.
    pub charset: Charset,
    /// The size of the board; 15x15 without it.
    pub size: Option<Size>,
}

/// Readers keep places of texts in 32 bits.
const LONGEST: usize = 1 << 30;

impl Format {
    /// All formats.
    pub const ALL: [Format; 10] = [
        Format::Psq,
        Format::Sgf,
        Format::Lib,
        Format::Pos,
        Format::Sav,
        Format::Txt,
        Format::Offset,
        Format::PosTop,
        Format::Bin,
        Format::Binpack,
    ];
    /// Their names on the command line.
    pub const NAMES: [&str; 10] =
        ["psq", "sgf", "lib", "pos", "sav", "txt", "offset", "pos-top", "bin", "binpack"];

    /// The name, which is the usual extension too.
    pub fn name(self) -> &'static str {
        Format::NAMES[self as usize]
    }

    /// The format of files with this extension.
    pub fn from_extension(extension: &str) -> Option<Format> {
        extension.parse().ok()
    }

    /// What files of this format can hold.
    pub fn holds(self) -> &'static [Feature] {
        match self {
            Format::Psq => psq::HOLDS,
            Format::Sgf => sgf::HOLDS,
            Format::Lib => renlib::HOLDS,
            Format::Pos | Format::Sav => &[],
            Format::Txt => Notation::Moves.holds(),
            Format::Offset => Notation::Offsets.holds(),
            Format::PosTop => Notation::MovesFromTop.holds(),
            Format::Bin => samples::HOLDS_BIN,
            Format::Binpack => samples::HOLDS_BINPACK,
        }
    }

    /// Reads all games of a file.
    ///
    /// # Errors
    /// Where the file is wrong, and what was expected there.
    pub fn read(self, bytes: &[u8], options: &ReadOptions) -> Result<Vec<Game>, ReadError> {
        let ReadOptions { charset, size } = *options;
        if bytes.len() > LONGEST {
            return Err(ReadError::byte(LONGEST, "files of more than 1 GiB are not supported"));
        }
        let one = |game: Result<Game, ReadError>| game.map(|game| vec![game]);
        let list = |notation| list::read(&charset.decode(bytes), notation, size);
        match self {
            Format::Psq => one(psq::read(&charset.decode(bytes))),
            Format::Sgf => sgf::read(bytes, charset),
            Format::Lib => one(renlib::read(bytes, charset)),
            Format::Pos => one(yixin::read_pos(bytes)),
            Format::Sav => one(yixin::read_sav(&charset.decode(bytes))),
            Format::Txt => list(Notation::Moves),
            Format::Offset => list(Notation::Offsets),
            Format::PosTop => list(Notation::MovesFromTop),
            Format::Bin => samples::read_bin(bytes),
            Format::Binpack => samples::read_binpack(bytes),
        }
    }

    /// Writes games. With `lossy`, what the format cannot hold is left out if the moves are the same without it; of
    /// variations, the main line stays.
    ///
    /// # Errors
    /// What the format cannot hold.
    pub fn write(self, games: &[Game], charset: Charset, lossy: bool) -> Result<Vec<u8>, WriteError> {
        self.check(games, lossy)?;
        let one = || games.first().ok_or(WriteError::Games(0));
        let list = |notation| list::write(games, notation).map(String::into_bytes);
        match self {
            Format::Psq => Ok(psq::write(one()?).into_bytes()),
            Format::Sgf => Ok(sgf::write(games).into_bytes()),
            Format::Lib => renlib::write(one()?, charset),
            Format::Pos => yixin::write_pos(one()?),
            Format::Sav => Ok(yixin::write_sav(one()?).into_bytes()),
            Format::Txt => list(Notation::Moves),
            Format::Offset => list(Notation::Offsets),
            Format::PosTop => list(Notation::MovesFromTop),
            Format::Bin => samples::write_bin(games),
            Format::Binpack => samples::write_binpack(games),
        }
    }

    /// Whether this format can hold the games.
    fn check(self, games: &[Game], lossy: bool) -> Result<(), WriteError> {
        let holds = self.holds();
        if games.len() > 1 && !holds.contains(&Feature::SeveralGames) {
            return Err(WriteError::Games(games.len()));
        }
        if let Some(expected) = self.sizes()
            && let Some(game) = games.iter().find(|game| game.size != Size::S15)
        {
            return Err(WriteError::Size { size: game.size, expected });
        }
        let missing: BTreeSet<Feature> =
            games.iter().flat_map(features).filter(|feature| !holds.contains(feature)).collect();
        let (essential, optional): (Vec<_>, Vec<_>) = missing.into_iter().partition(|f| f.is_essential());
        if !essential.is_empty() {
            return Err(WriteError::Essential(essential));
        }
        if !optional.is_empty() && !lossy {
            return Err(WriteError::Optional(optional));
        }
        Ok(())
    }

    /// The board sizes, if not all.
    fn sizes(self) -> Option<&'static str> {
        match self {
            Format::Lib | Format::Pos => Some("15x15"),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        let lower = name.to_ascii_lowercase();
        let found = Format::ALL.into_iter().find(|f| f.name() == lower);
        found.ok_or_else(|| format!("'{name}' is no format: expected one of {}", Format::NAMES.join(", ")))
    }
}
