//! The formats by name, and reading any of them.

use std::fmt;
use std::io::{BufRead, Read};
use std::path::Path;
use std::str::FromStr;

use super::decoding::unmarked;
use super::feature::Feature;
use super::list::Notation;
use super::unpack::unpack;
use super::{
    Charset, Game, ReadError, WriteError, Writer, list, psq, rec, renjunet, renlib, samples, sgf, yixin, yxdb,
};
use crate::limits::Limits;
use kagetsu::game::Size;
use kagetsu::game::quote::quoted;
use kagetsu::invalid::Invalid;

/// A format of game files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Piskvork's games.
    Psq,
    /// Gomotur's games.
    Rec,
    /// Smart Game Format.
    Sgf,
    /// RenLib's libraries.
    Lib,
    /// RenLib's binary games.
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
    /// Yixin's and Rapfi's databases of positions.
    Db,
    /// RenjuNet's database of games.
    Xml,
}

/// Options for facts that a file does not state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// The encoding of its texts.
    pub charset: Charset,
    /// The size of the board if the file does not state it: 15x15, and 20x20 for Gomotur's games.
    pub size: Option<Size>,
    /// Bounds on what is read of a game.
    pub limits: Limits,
}

/// The games in the order of the file, each with its errors. After an error the next game comes, if the format lets the
/// reader find it.
pub type Games<'a> = Box<dyn Iterator<Item = Result<Game, ReadError>> + 'a>;

/// The extensions of packed files.
const PACKED: [&str; 2] = ["gz", "lz4"];

impl Format {
    /// All formats.
    pub const ALL: [Format; 13] = [
        Format::Psq,
        Format::Rec,
        Format::Sgf,
        Format::Lib,
        Format::Pos,
        Format::Sav,
        Format::Txt,
        Format::Offset,
        Format::PosTop,
        Format::Bin,
        Format::Binpack,
        Format::Db,
        Format::Xml,
    ];
    /// Their names on the command line.
    pub const NAMES: [&str; 13] =
        ["psq", "rec", "sgf", "lib", "pos", "sav", "txt", "offset", "pos-top", "bin", "binpack", "db", "xml"];

    /// The name, which is the usual extension too.
    pub fn name(self) -> &'static str {
        Format::NAMES[self as usize]
    }

    /// The format of files with this extension.
    pub fn from_extension(extension: &str) -> Option<Format> {
        if extension.eq_ignore_ascii_case("rif") { Some(Format::Xml) } else { extension.parse().ok() }
    }

    /// Returns the format for a file name: by its extension or, for a packed file, by the one before that.
    pub fn of_path(path: &Path) -> Option<Format> {
        let name = if Format::packing(path).is_some() { Path::new(path.file_stem()?) } else { path };
        Format::from_extension(name.extension()?.to_str()?)
    }

    /// Returns the extension of a file name if it stands for a packed file. Packed files can be read, but none is
    /// written.
    pub fn packing(path: &Path) -> Option<&str> {
        let extension = path.extension()?.to_str()?;
        PACKED.iter().any(|name| name.eq_ignore_ascii_case(extension)).then_some(extension)
    }

    /// Returns the features that files of this format can hold.
    pub fn holds(self) -> &'static [Feature] {
        match self {
            Format::Psq => psq::HOLDS,
            Format::Rec => rec::HOLDS,
            Format::Sgf => sgf::HOLDS,
            Format::Lib => renlib::HOLDS,
            Format::Pos => yixin::HOLDS_POS,
            Format::Sav => yixin::HOLDS_SAV,
            Format::Txt => Notation::Moves.holds(),
            Format::Offset => Notation::Offsets.holds(),
            Format::PosTop => Notation::MovesFromTop.holds(),
            Format::Bin => samples::HOLDS_BIN,
            Format::Binpack => samples::HOLDS_BINPACK,
            Format::Db => yxdb::HOLDS,
            Format::Xml => renjunet::HOLDS,
        }
    }

    /// Returns whether files of this format are texts.
    fn is_text(self) -> bool {
        !matches!(self, Format::Lib | Format::Pos | Format::Bin | Format::Binpack | Format::Db)
    }

    /// The board sizes, if not all.
    pub fn sizes(self) -> Option<Size> {
        match self {
            Format::Lib | Format::Pos | Format::Xml => Some(Size::S15),
            Format::Rec => Some(Size::S20),
            _ => None,
        }
    }

    /// Reads games. SGF, samples, lists and RenjuNet's database are read one game at a time, on demand; a database of
    /// positions is read as a whole. The file may be packed.
    ///
    /// # Errors
    /// The place of the error, and the expected content. In a packed file it is a place of the unpacked content.
    pub fn games<'a>(self, input: impl BufRead + 'a, options: &ReadOptions) -> Result<Games<'a>, ReadError> {
        let (content, packed) = unpack(input).map_err(|error| ReadError::byte(0, error))?;
        let games = self.unpacked(content, options);
        if !packed {
            return games;
        }
        let say = |mut error: ReadError| {
            error.problem += " (counted in the unpacked content)";
            error
        };
        Ok(Box::new(games.map_err(say)?.map(move |game| game.map_err(say))))
    }

    /// Reads games of a file that is not packed.
    fn unpacked<'a>(
        self,
        input: Box<dyn BufRead + 'a>,
        options: &ReadOptions,
    ) -> Result<Games<'a>, ReadError> {
        if !self.is_text() {
            return self.unmarked(input, *options, false);
        }
        let (text, marked) = unmarked(input).map_err(|error| ReadError::byte(0, error))?;
        // The given encoding is for files that do not state theirs.
        let charset = if marked { Charset::AUTO } else { options.charset };
        self.unmarked(text, ReadOptions { charset, ..*options }, marked)
    }

    /// Reads games of a file from which the mark of UTF-8 is removed; `marked` says whether it had one.
    fn unmarked<'a>(
        self,
        input: Box<dyn BufRead + 'a>,
        options: ReadOptions,
        marked: bool,
    ) -> Result<Games<'a>, ReadError> {
        let ReadOptions { charset, size, limits } = options;
        let list = |input, notation| -> Games<'a> { Box::new(list::read(input, notation, charset, size)) };
        Ok(match self {
            Format::Txt => list(input, Notation::Moves),
            Format::Offset => list(input, Notation::Offsets),
            Format::PosTop => list(input, Notation::MovesFromTop),
            Format::Sgf => Box::new(sgf::games_within(input, charset, marked, limits)?),
            Format::Bin => Box::new(samples::read_bin(input)),
            Format::Binpack => Box::new(samples::read_binpack(input)),
            Format::Db => Box::new(yxdb::Forest::read_within(input, charset, limits)?.into_games().map(Ok)),
            Format::Xml => {
                let text = renjunet::decode(input, charset, marked);
                let text = text.map_err(|error| ReadError::byte(0, error))?;
                Box::new(renjunet::read_within(text, limits))
            }
            Format::Psq | Format::Rec | Format::Lib | Format::Pos | Format::Sav => {
                Box::new(std::iter::once(Ok(self.whole(&bytes(input, limits)?, &options)?)))
            }
        })
    }

    /// Reads all games of a file. One game with an error costs the others too; [`games`](Self::games) gives
    /// them.
    ///
    /// # Errors
    /// The errors of that method, and that of the first wrong game.
    pub fn read(self, bytes: &[u8], options: &ReadOptions) -> Result<Vec<Game>, ReadError> {
        self.games(bytes, options)?.collect()
    }

    /// Reads a file of a format that holds one game.
    fn whole(self, bytes: &[u8], options: &ReadOptions) -> Result<Game, ReadError> {
        let text = || options.charset.decode(bytes);
        match self {
            Format::Psq => psq::read(&text()),
            Format::Rec => rec::read(&text(), options.size),
            Format::Lib => renlib::read_within(bytes, options.charset, options.limits),
            Format::Pos => yixin::read_pos(bytes),
            _ => yixin::read_sav(&text()),
        }
    }

    /// Writes games. With `lossy` it drops everything that the format cannot hold and that does not change the moves.
    /// Of variations it keeps the main line.
    ///
    /// # Errors
    /// Features that the format cannot hold; a stone, mark or label of a game that is off the board, or a
    /// stone on another.
    pub fn write(self, games: &[Game], charset: Charset, lossy: bool) -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer::new(self, charset, lossy);
        let mut out = Vec::new();
        for game in games {
            out.extend(writer.add(game.clone())?);
        }
        out.extend(writer.finish()?);
        Ok(out)
    }
}

/// The whole file.
fn bytes(input: impl BufRead, limits: Limits) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let read = input.take(limits.game() as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| ReadError::byte(bytes.len(), error))?;
    if bytes.len() > limits.game() {
        let problem = limits.exceeded("a file of too many bytes", limits.game());
        return Err(ReadError::byte(limits.game(), problem));
    }
    Ok(bytes)
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = Invalid;

    fn from_str(name: &str) -> Result<Format, Invalid> {
        let lower = name.to_ascii_lowercase();
        let found = Format::ALL.into_iter().find(|f| f.name() == lower);
        found.ok_or_else(|| {
            format!("{} is not a format: expected one of {}", quoted(name), Format::NAMES.join(", ")).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_names() {
        let of = |name: &str| Format::of_path(Path::new(name));
        for (format, name) in Format::ALL.into_iter().zip(Format::NAMES) {
            assert_eq!((format.name(), of(&format!("a.{name}"))), (name, Some(format)));
        }
        assert_eq!(of("games.RIF"), Some(Format::Xml));
        assert_eq!(of("games.xml.gz"), Some(Format::Xml));
        assert_eq!(of("a.db.LZ4"), Some(Format::Db));
        assert_eq!((of("db"), of("a.gz"), of("a.b"), of("a.db.lz4.gz")), (None, None, None, None));
        assert_eq!(Format::packing(Path::new("a.db.LZ4")), Some("LZ4"));
        assert_eq!(Format::packing(Path::new("gz.db")), None);
    }

    #[test]
    fn the_mark_of_utf8_is_no_part_of_a_text() {
        let files = [
            (Format::Psq, "Piskvorky 15x15, 1:1, 0\n8,8,0\n五\nb\n-1\n"),
            (Format::Rec, "五\nb\n7,7,0\n-1\n"),
            (Format::Sgf, "(;PB[五];B[hh])"),
            (Format::Sav, "15\n15\n1\n7 7\n"),
            (Format::Txt, "h8\n"),
            (Format::Offset, "0,0\n"),
            (Format::PosTop, "h8\n"),
            (Format::Xml, "<database><game><move>h8</move><info>五</info></game></database>"),
        ];
        // The byte-order mark takes precedence over the encoding of the options.
        let options = ReadOptions { charset: "gbk".parse().unwrap(), ..ReadOptions::default() };
        for (format, text) in files {
            let games = format.read(text.as_bytes(), &ReadOptions::default());
            assert_eq!(games.as_ref().map(Vec::len), Ok(1), "{format}");
            assert_eq!(format.read(format!("\u{feff}{text}").as_bytes(), &options), games, "{format}");
        }
    }

    #[test]
    fn the_mark_of_utf8_decides_against_a_stated_encoding() {
        let game = "<game><move>h8 i7</move><info>五</info></game>";
        let files = [
            (Format::Sgf, "(;CA[GB2312]GC[五];B[hh];W[ii])".to_owned()),
            (Format::Xml, format!("<?xml version='1.0' encoding='gbk'?><database>{game}</database>")),
        ];
        for (format, text) in files {
            let games = format.read(format!("\u{feff}{text}").as_bytes(), &ReadOptions::default()).unwrap();
            assert_eq!((games[0].property("GC"), games[0].tree.len()), (Some("五"), 3), "{format}");
        }
    }
}
