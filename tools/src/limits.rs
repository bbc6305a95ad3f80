//! Limits of what is read: the bounds on text and bytes from outside that several tools share.
//!
//! Each bound is many times larger than any real game, list or batch. An error names the bound that was
//! exceeded. [`Limits`] has the bounds that a user can raise with [`FLAG`].
//!
//! | what | bound |
//! |---|---|
//! | a line of a batch, of a list, of what is typed | [`LINE`] |
//! | a position on standard input | [`POSITION`] |
//! | a game, or a whole file of a format with one game, unpacked | [`Limits::game`], [`GAME`] unless raised |
//! | a text within a game, as a comment | [`Limits::value`], a sixteenth of that |
//! | moves and other nodes of a game | [`Limits::nodes`], one for 16 bytes of that |
//! | LZ4 frames without content, one after another | [`EMPTY_FRAMES`] |
//! | a list of openings, a book or a part of one | [`FILE`] |
//! | openings of a match | [`OPENINGS`] |
//! | moves of a line of play, where all of them are looked at | [`MOVES`] |

use std::io::{self, BufRead, Read};

use kagetsu::game::quote::quoted;
use kagetsu::invalid::Invalid;

/// Bytes of a line.
pub const LINE: usize = 1 << 20;
/// Bytes of a position on standard input.
pub const POSITION: u64 = 1 << 20;
/// Bytes of a game, unless a user allows more.
pub const GAME: u64 = 256 << 20;
/// Bytes of a file that is held in memory as a whole: a list of openings, a book, a part, a plan.
pub const FILE: u64 = 256 << 20;
/// Openings of a file. A plan with so many is still read, and needs at most some hundred megabytes.
pub const OPENINGS: usize = 1 << 20;
/// Moves of a line of play: more than twice as many as any board has points. Passes need not end a game.
pub const MOVES: usize = 1000;
/// Memory limit of an engine unless another one is given: that of the Gomocup tournaments.
pub const ENGINE_MEMORY: u64 = kagetsu::engine::DEFAULT_MEMORY;
/// LZ4 frames without content that may follow each other.
pub const EMPTY_FRAMES: usize = 1024;
/// The flag of the command line that raises [`Limits`].
pub const FLAG: &str = "--max-game";

/// Reads a number of bytes with an optional unit: K, M, G, each 1024 of the one before.
///
/// # Errors
/// If the text is no number, its unit is unknown or the number is too large; the message says what is expected.
pub fn bytes(text: &str) -> Result<u64, Invalid> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit.to_ascii_uppercase().as_str() {
        "" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ if digits.is_empty() => return Err("expected a number of bytes, e.g. 256M".into()),
        _ => return Err(format!("{} is not a unit: expected K, M or G, e.g. 256M", quoted(unit)).into()),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a number of bytes, e.g. 256M")?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large: expected less than 16 EiB".into())
}

/// Reads the memory limit of an engine as [`bytes`] does; 0 is no limit.
///
/// # Errors
/// The errors of [`bytes`], and a number below a megabyte: no engine works with so little, so probably a unit
/// is missing.
pub fn engine_memory(text: &str) -> Result<u64, Invalid> {
    match bytes(text)? {
        limit @ 1..0x10_0000 => {
            let expected = "expected at least 1M, or 0 for no limit";
            Err(format!("{limit} bytes are too few for an engine: {expected}").into())
        }
        limit => Ok(limit),
    }
}

/// Largest bound on the bytes of a game: its nodes are numbered by 32 bits.
pub(crate) const LARGEST: u64 = 1 << 30;

/// Bounds on one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub(crate) game: usize,
    pub(crate) value: usize,
    pub(crate) nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::new(GAME)
    }
}

impl Limits {
    /// Bounds for games of at most `game` bytes. Games above 1 GiB are never read.
    pub fn new(game: u64) -> Limits {
        let game = game.clamp(1 << 10, LARGEST) as usize;
        Limits { game, value: game / 16, nodes: game / 16 }
    }

    /// Bytes of a game.
    pub fn game(self) -> usize {
        self.game
    }

    /// Bytes of a text within a game.
    pub fn value(self) -> usize {
        self.value
    }

    /// Nodes of a game.
    pub fn nodes(self) -> usize {
        self.nodes
    }

    /// Returns the sentence for a game with too many bytes, texts or nodes; `what` names which.
    pub fn exceeded(self, what: &str, most: usize) -> String {
        let more = LARGEST.min(4 * self.game as u64);
        if more > self.game as u64 {
            format!("{what}: at most {most} are read; {FLAG} {} allows more", size(more))
        } else {
            format!("{what}: at most {most} are read")
        }
    }
}

/// A number of bytes, as the command line reads it.
fn size(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) { format!("{}M", bytes >> 20) } else { bytes.to_string() }
}

/// Reads a line of at most [`LINE`] bytes into an emptied buffer, with its end. Returns the number of bytes, 0 at the end.
///
/// # Errors
/// If it cannot be read, or is longer; then the rest of the line is still to be read.
pub fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let read = (&mut *input).take(LINE as u64 + 1).read_until(b'\n', line)?;
    if read > LINE {
        let problem = format!("the line is longer than {LINE} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    Ok(read)
}

/// Reads everything, up to `most` bytes.
///
/// # Errors
/// If it cannot be read, or is longer.
pub fn read_all(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// Reads UTF-8 text, up to `most` bytes, without a byte-order mark at its start.
///
/// # Errors
/// If it cannot be read, is longer, or is not UTF-8.
pub fn read_text(input: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = read_all(input, most)?;
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(.."\u{feff}".len());
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_counts() {
        assert_eq!(bytes("512"), Ok(512));
        assert_eq!(bytes("256M"), Ok(256 << 20));
        assert_eq!(bytes("2g"), Ok(2 << 30));
        assert!(bytes("M").is_err() && bytes("1T").is_err() && bytes("99999999999G").is_err());
    }

    #[test]
    fn an_engine_has_a_megabyte_at_least() {
        assert_eq!(
            [engine_memory("0"), engine_memory("1M"), engine_memory("350M")],
            [Ok(0), Ok(1 << 20), Ok(ENGINE_MEMORY)]
        );
        assert!(
            engine_memory("350").is_err() && engine_memory("1023K").is_err() && engine_memory("M").is_err()
        );
    }

    #[test]
    fn more_than_the_bound_is_an_error() {
        assert_eq!(read_all(&b"abc"[..], 3).unwrap(), b"abc");
        assert_eq!(read_all(io::repeat(0), 3).unwrap_err().to_string(), "it has more than 3 bytes");
        assert_eq!(read_text("\u{feff}ab".as_bytes(), 5).unwrap(), "ab");
        assert_eq!(read_text(&b"\xff"[..], 3).unwrap_err().to_string(), "it is not UTF-8 text");
    }

    #[test]
    fn an_endless_line_is_an_error() {
        let mut line = Vec::new();
        let mut text = &b"one\ntwo"[..];
        assert_eq!((read_line(&mut text, &mut line).unwrap(), line.as_slice()), (4, &b"one\n"[..]));
        assert_eq!((read_line(&mut text, &mut line).unwrap(), line.as_slice()), (3, &b"two"[..]));
        assert_eq!(read_line(&mut text, &mut line).unwrap(), 0);
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert!(read_line(&mut endless, &mut line).is_err());
        let mut longest = vec![b'x'; LINE];
        assert_eq!(read_line(&mut &longest[..], &mut line).unwrap(), LINE);
        longest.push(b'x');
        assert!(read_line(&mut &longest[..], &mut line).is_err());
    }

    #[test]
    fn the_sentence_names_bound_and_flag() {
        let said = Limits::default().exceeded("a game of too many bytes", Limits::default().game());
        assert_eq!(
            said,
            "a game of too many bytes: at most 268435456 are read; --max-game 1024M allows more"
        );
        // The largest bound cannot be raised, whatever a user asks for.
        let most = Limits::new(u64::MAX);
        assert_eq!(most.game(), 1 << 30);
        assert_eq!(most.exceeded("a text", most.value()), "a text: at most 67108864 are read");
        let said = Limits::new(0).exceeded("a text", 64);
        assert_eq!(said, "a text: at most 64 are read; --max-game 4096 allows more");
    }
}
