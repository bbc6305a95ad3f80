//! Starting positions from files: lists in the notations that people exchange them in, and games to start from.

use std::io::BufReader;
use std::path::Path;
use std::str::FromStr;

use crate::limits;
use crate::record::{Charset, Format, Game, Games, ReadError, ReadOptions, UTF8_MARK, psq, unpack};
use crate::words;
use anyhow::{Context, bail, ensure};
use kagetsu::game::notation::{self, gomocup, moves, setup};
use kagetsu::game::quote::quoted;
use kagetsu::game::symmetry::Symmetry;
use kagetsu::game::{Board, Color, Endings, Position, Reading, Rule, RuleKind, Size};
use kagetsu::invalid::Invalid;

/// Notation of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// Recognises the notation. A game file shows it by its extension or first characters. Each line of a list shows it
    /// by its form: a setup string has a `/`, offsets have only numbers, everything else is moves.
    #[default]
    Auto,
    /// Offsets from the middle, rows counted downwards, as Gomocup publishes them.
    Offset,
    /// Moves, row 1 at the bottom.
    Pos,
    /// Moves, row 1 at the top, as c-gomoku-cli reads them.
    PosTop,
    /// Setup strings.
    Setup,
    /// SGF: the main line of each game, setup stones and all.
    Sgf,
    /// Piskvork's game.
    Psq,
}

impl Notation {
    /// The names on the command line.
    pub const NAMES: [&str; 7] = ["auto", "offset", "pos", "pos-top", "setup", "sgf", "psq"];

    /// The notation of a whole file, which stays `Auto` for a list.
    fn of_file(self, bytes: &[u8], extension: &str) -> Notation {
        if self != Notation::Auto {
            return self;
        }
        let start = bytes.trim_ascii_start();
        match extension.to_ascii_lowercase().as_str() {
            "sgf" => Notation::Sgf,
            "psq" => Notation::Psq,
            _ if start.starts_with(b"Piskvorky") => Notation::Psq,
            _ if start.strip_prefix(b"(").is_some_and(|rest| rest.trim_ascii_start().starts_with(b";")) => {
                Notation::Sgf
            }
            _ => Notation::Auto,
        }
    }
}

impl Notation {
    /// Returns the games of a file, read one at a time; `None` for a list.
    fn games<'a>(self, bytes: &'a [u8], extension: &str) -> anyhow::Result<Option<Games<'a>>> {
        let content = bytes.strip_prefix(&UTF8_MARK).unwrap_or(bytes);
        Ok(match self.of_file(content, extension) {
            // The byte order mark is kept: it says that the text is UTF-8, whatever charset the file states.
            Notation::Sgf => Some(Format::Sgf.games(bytes, &ReadOptions::default())?),
            Notation::Psq => Some(Box::new(std::iter::once(psq::read(&Charset::AUTO.decode(content))))),
            _ => None,
        })
    }
}

/// A file of openings. It is read from the disk once, so it may be a pipe.
#[derive(Clone, Debug)]
pub struct OpeningFile {
    name: String,
    bytes: Vec<u8>,
    extension: String,
}

impl OpeningFile {
    /// Reads the content of a file, which may be packed.
    ///
    /// # Errors
    /// If the file cannot be read or is too large.
    pub fn open(path: &Path) -> anyhow::Result<OpeningFile> {
        let name = path.display().to_string();
        let file = std::fs::File::open(path).and_then(|file| unpack(BufReader::new(file)));
        let bytes = file.and_then(|(content, _)| limits::read_all(content, limits::FILE));
        let bytes = bytes.with_context(|| format!("cannot read {name}"))?;
        // In the name of a packed file, the extension of its content comes before that of the packing.
        let unpacked = Format::packing(path).and_then(|_| path.file_stem()).map_or(path, Path::new);
        let extension = unpacked.extension().and_then(|e| e.to_str()).unwrap_or_default().to_owned();
        Ok(OpeningFile { name, bytes, extension })
    }

    /// Returns the name, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the rules and the boards that the games state, each once; none for a list.
    ///
    /// # Errors
    /// If a game cannot be read.
    pub fn stated(&self, notation: Notation) -> anyhow::Result<(Vec<RuleKind>, Vec<Size>)> {
        let (mut rules, mut sizes) = (Vec::new(), Vec::new());
        let games = notation.games(&self.bytes, &self.extension).with_context(|| self.name.clone())?;
        for (game, n) in games.into_iter().flatten().zip(1..) {
            bounded(n).with_context(|| self.name.clone())?;
            let game = game.with_context(|| self.name.clone())?;
            rules.extend(game.rule.filter(|rule| !rules.contains(rule)));
            sizes.extend(Some(game.size).filter(|size| !sizes.contains(size)));
        }
        Ok((rules, sizes))
    }
}

impl FromStr for Notation {
    type Err = Invalid;

    fn from_str(s: &str) -> Result<Notation, Invalid> {
        use Notation::{Auto, Offset, Pos, PosTop, Psq, Setup, Sgf};
        let all = [Auto, Offset, Pos, PosTop, Setup, Sgf, Psq];
        let found = Notation::NAMES.iter().position(|&name| name.eq_ignore_ascii_case(s));
        found.map(|i| all[i]).ok_or_else(|| {
            format!("{} is not a notation: expected one of {}", quoted(s), Notation::NAMES.join(", ")).into()
        })
    }
}

/// Reads openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reader {
    /// Notation of the file.
    pub notation: Notation,
    /// Takes only this many moves of each opening; `None` takes all.
    pub plies: Option<usize>,
    /// The rule under which a game must be able to go on.
    pub rule: RuleKind,
    /// The board.
    pub size: Size,
}

impl Reader {
    /// Reads a file, as [`Reader::read`] reads its content.
    ///
    /// # Errors
    /// The errors of that reader; and if the file has no opening.
    pub fn read_file(&self, file: &OpeningFile) -> anyhow::Result<Vec<String>> {
        let list = self.read(&file.bytes, &file.extension).with_context(|| file.name.clone())?;
        if list.is_empty() {
            bail!("{} holds no opening", file.name);
        }
        Ok(list)
    }

    /// Reads a file: a list with one position a line, where blank lines and lines that start with `#` are skipped, or
    /// games, each an opening. Each must be one that a game can go on from.
    ///
    /// # Errors
    /// The line or the game, and what is wrong with it.
    pub fn read(&self, bytes: &[u8], extension: &str) -> anyhow::Result<Vec<String>> {
        let Some(games) = self.notation.games(bytes, extension)? else {
            let content = bytes.strip_prefix(&UTF8_MARK).unwrap_or(bytes);
            let text = std::str::from_utf8(content);
            return self.list(text.context("not UTF-8 text: expected a list of openings, SGF or PSQ")?);
        };
        // A game takes far more memory than its opening, so each game becomes text before the next one is
        // read.
        let opening = |(game, n): (Result<Game, ReadError>, usize)| {
            bounded(n)?;
            self.game(&game?).with_context(|| format!("game {n}"))
        };
        games.zip(1..).map(opening).collect()
    }

    fn list(&self, text: &str) -> anyhow::Result<Vec<String>> {
        let lines = text.lines().map(str::trim).zip(1..);
        let openings = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        bounded(openings.clone().take(limits::OPENINGS + 1).count())?;
        openings.map(|(line, n)| self.line(line).with_context(|| format!("line {n}"))).collect()
    }

    fn line(&self, line: &str) -> anyhow::Result<String> {
        let size = self.size;
        let mut position = match resolve(line, self.notation) {
            Notation::Offset => gomocup::parse_offsets(line, size)?,
            Notation::PosTop => Symmetry::MIRROR_ROWS.apply_position(&moves::parse(line, size)?),
            Notation::Setup => setup::parse(line)?,
            _ => moves::parse(line, size)?,
        };
        position.truncate(self.plies.unwrap_or(usize::MAX));
        self.opening(&position)
    }

    fn game(&self, game: &Game) -> anyhow::Result<String> {
        self.opening(&game.main_position(self.plies)?)
    }

    fn opening(&self, position: &Position) -> anyhow::Result<String> {
        if position.size() != self.size {
            bail!("the board is {}, expected {}", position.size(), self.size);
        }
        check(position, self.rule)?;
        Ok(notation::print(position))
    }
}

/// Fails if there are more openings than the limit.
fn bounded(openings: usize) -> anyhow::Result<()> {
    ensure!(openings <= limits::OPENINGS, "too many openings: at most {} are read", limits::OPENINGS);
    Ok(())
}

fn resolve(line: &str, notation: Notation) -> Notation {
    match notation {
        Notation::Auto if line.contains('/') => Notation::Setup,
        Notation::Auto if line.contains(',') && !line.contains(|c: char| c.is_ascii_alphabetic()) => {
            Notation::Offset
        }
        other => other,
    }
}

/// Checks that a game can go on from here: legal moves, nobody has won, no passes.
///
/// # Errors
/// Description of the fault.
pub fn check(position: &Position, rule: RuleKind) -> anyhow::Result<()> {
    notation::validate(position, rule, Reading::Literal)?;
    if let Some(index) = position.moves().iter().position(|m| m.point().is_none()) {
        bail!("move {} is a pass; an opening has none", index + 1);
    }
    let outcome = kagetsu::with_rule!(rule, R => {
        Board::<R>::from_position(position)?.outcome(&Endings::default())
    });
    if let Some(outcome) = outcome {
        bail!("the game is over already ({outcome}); only some of its first moves can be an opening");
    }
    Ok(())
}

/// Checks that each opening of a list can be sent to engines.
///
/// # Errors
/// The opening, and what is wrong with it.
pub fn check_for_engines(openings: &[String], rule: RuleKind, size: Size) -> anyhow::Result<()> {
    openings.iter().try_for_each(|text| {
        check_numbers(&notation::parse(text, Some(size))?, rule).with_context(|| format!("opening {text}"))
    })
}

/// Checks that a position can be sent to engines: they read from the numbers of stones in `BOARD` who is Black and that they are
/// to move. Under rules that are the same for both colours only the difference matters.
fn check_numbers(position: &Position, rule: RuleKind) -> anyhow::Result<()> {
    let side = position.side();
    let of = |color| position.stones().filter(|&(_, c)| c == color).count();
    let (own, other) = (of(side), of(!side));
    let fouls = kagetsu::with_rule!(rule, R => Color::BOTH.into_iter().any(R::fouls));
    let began = if own == other { side } else { !side };
    if own != other && own + 1 != other || fouls && began != Color::Black {
        let expected = if fouls {
            "as many stones of both with Black to move, or one more of Black with White to move"
        } else {
            "as many stones of both, or one less of the side to move"
        };
        bail!(
            "{} to move with {} of Black and {} of White: engines cannot be sent such a position; expected {expected}",
            side,
            words::count(of(Color::Black), "stone"),
            words::count(of(Color::White), "stone")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const LIST: Reader =
        Reader { notation: Notation::Auto, plies: None, rule: RuleKind::Freestyle, size: Size::S15 };

    fn read(text: &str, notation: Notation) -> anyhow::Result<Vec<String>> {
        Reader { notation, ..LIST }.read(text.as_bytes(), "txt")
    }

    /// Black has won the second game; the third begins with stones on the board and White to move.
    const GAMES: &str = "(;GM[4]SZ[15]C[one];B[hh](;W[if];B[gg])(;W[aa]))
        (;SZ[15];B[hh];W[aa];B[ih];W[ba];B[jh];W[ca];B[kh];W[da];B[lh])
        (;SZ[15]AB[hh][ih]AW[hg]PL[W];W[jh];B[gh])";

    #[test]
    fn the_same_opening_in_every_notation() {
        // White's second stone lies one column right and two rows above the middle.
        let expected = ["h8i10"];
        for (text, notation) in [
            ("0,0, 1,-2", Notation::Auto),
            ("0,0, 1,-2 ", Notation::Offset),
            ("# list\n\nh8 i10\n", Notation::Auto),
            ("h8i10", Notation::Pos),
            ("h8i6", Notation::PosTop),
        ] {
            assert_eq!(read(text, notation).unwrap(), expected, "{text}");
        }
        let setup = "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o";
        assert_eq!(read(setup, Notation::Auto).unwrap(), [setup]);
    }

    #[test]
    fn files_may_be_packed() {
        let directory = tempfile::tempdir().unwrap();
        for (name, text, expected) in
            [("list.txt.gz", "h8i10\n", "h8i10"), ("games.sgf.GZ", "(;GM[4]SZ[15];B[hh];W[if])", "h8i10")]
        {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            packed.write_all(text.as_bytes()).unwrap();
            let path = directory.path().join(name);
            std::fs::write(&path, packed.finish().unwrap()).unwrap();
            assert_eq!(LIST.read_file(&OpeningFile::open(&path).unwrap()).unwrap(), [expected], "{name}");
        }
    }

    #[test]
    fn impossible_openings_are_refused_by_line() {
        for bad in ["h8h8", "h8--i8", "z9", "a1a15b1b15c1c15d1d15e1", "19/19 x", "99,0"] {
            let error = read(&format!("h8\n{bad}"), Notation::Auto).unwrap_err();
            assert_eq!(error.to_string(), "line 2", "{bad}");
        }
    }

    /// Engines answer such a `BOARD` with an error, or play with the other colour.
    #[test]
    fn numbers_of_stones_that_engines_cannot_be_told_of_are_refused() {
        let read = |row: &str, side, rule| {
            let rows = "15/15/15/15/15/15/15/";
            let text = format!("{rows}{row}/15/15/15/15/15/15/15 {side}");
            let list = Reader { rule, ..LIST }.read(text.as_bytes(), "txt").unwrap();
            check_for_engines(&list, rule, Size::S15).map_err(|error| format!("{error:#}"))
        };
        let (freestyle, renju) = (RuleKind::Freestyle, RuleKind::Renju);
        for (row, side, rule, fits) in [
            ("6xo7", "x", renju, true),
            ("6xox6", "o", renju, true),
            ("6xo7", "o", renju, false),
            ("6oxo6", "x", renju, false),
            ("6xo7", "o", freestyle, true),
            ("6oxo6", "x", freestyle, true),
            ("6xox6", "x", freestyle, false),
            ("6xx7", "o", freestyle, false),
        ] {
            let read = read(row, side, rule);
            assert_eq!(read.is_ok(), fits, "{row} {side} {rule}: {read:?}");
            assert!(fits || read.unwrap_err().contains("expected as many stones of both"));
        }
    }

    /// The points were converted by hand: SGF's row `a` is row 15, its `h` is row 8.
    #[test]
    fn each_game_of_an_sgf_is_an_opening() {
        let three = Reader { plies: Some(3), ..LIST };
        let third = "15/15/15/15/15/15/7o7/6xxxo5/15/15/15/15/15/15/15 o";
        assert_eq!(three.read(GAMES.as_bytes(), "sgf").unwrap(), ["h8i10g9", "h8a15i8", third]);
        let one = Reader { plies: Some(1), ..LIST };
        let third = "15/15/15/15/15/15/7o7/7xxo5/15/15/15/15/15/15/15 x";
        assert_eq!(one.read(GAMES.as_bytes(), "txt").unwrap(), ["h8", "h8", third], "told by its content");
        let named = Reader { notation: Notation::Sgf, ..one };
        assert_eq!(named.read(format!("Mail\n{GAMES}").as_bytes(), "").unwrap().len(), 3);
    }

    #[test]
    fn impossible_games_are_refused_by_number() {
        let error =
            |reader: Reader, text: &str| format!("{:#}", reader.read(text.as_bytes(), "sgf").unwrap_err());
        assert!(error(LIST, GAMES).starts_with("game 2: the game is over already"));
        let size = Size::new(20).unwrap();
        assert!(
            error(Reader { size, ..LIST }, GAMES).starts_with("game 1: the board is 15x15, expected 20x20")
        );
        let twice = error(LIST, "(;SZ[15];B[hh];B[ii])");
        assert_eq!(twice, "game 1: move 2 is a pass; an opening has none", "Black twice in a row");
        let latin = format!("{:#}", LIST.read(b"h8 \xe9", "txt").unwrap_err());
        assert!(latin.starts_with("not UTF-8 text: expected a list of openings, SGF or PSQ"), "{latin}");
        let unknown = "pgn".parse::<Notation>().unwrap_err().to_string();
        assert!(
            unknown.ends_with("expected one of auto, offset, pos, pos-top, setup, sgf, psq"),
            "{unknown}"
        );
        assert!(error(LIST, "h8h9").starts_with("line 1: no game"), "the name says what it is");
    }

    #[test]
    fn the_number_of_openings_is_bounded() {
        let most = "h8\n".repeat(limits::OPENINGS);
        let error = LIST.read((most + "# not counted\nh8").as_bytes(), "").unwrap_err();
        assert_eq!(error.to_string(), "too many openings: at most 1048576 are read");
    }

    #[test]
    fn a_piskvork_game_is_an_opening() {
        let game = b"Piskvorky 20x20, 11:11, 0\n10,10,0\n11,12,450\n9,9,3\na.exe\nb.exe\n2,1 cup\n";
        let reader = Reader { size: Size::new(20).unwrap(), ..LIST };
        assert_eq!(reader.read(game, "psq").unwrap(), ["j11k9i12"]);
        let two = Reader { plies: Some(2), ..reader };
        assert_eq!(two.read(game, "").unwrap(), ["j11k9"], "told by its content");
        assert!(two.read(b"8,8,0", "PSQ").unwrap_err().to_string().starts_with("line 1"));
    }

    #[test]
    fn a_mark_before_the_text_is_no_part_of_it() {
        let marked = |text: &str| format!("\u{feff}{text}");
        let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n-1\n";
        // As GBK, the last byte of the name and the bracket are one character.
        let stated = "(;CA[GB2312]SZ[15]PB[五];B[hh];W[ig])";
        for text in ["h8i9", "# list\nh8i9", "(;SZ[15];B[hh];W[ig])", stated, psq] {
            assert_eq!(LIST.read(marked(text).as_bytes(), "").unwrap(), ["h8i9"], "{text}");
        }
    }

    #[test]
    fn openings_of_a_list_are_cut_too() {
        let two = Reader { plies: Some(2), ..LIST };
        let setup = "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o";
        let list = format!("h8\nh8i9j10k11\n{setup}");
        assert_eq!(two.read(list.as_bytes(), "txt").unwrap(), ["h8", "h8i9", setup]);
    }
}
