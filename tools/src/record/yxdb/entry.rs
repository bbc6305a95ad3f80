//! Record of a position: its bytes, and its form as properties and texts of a node.

use super::PASS;
use kagetsu::game::notation::gomocup;
use kagetsu::game::quote::quoted;
use kagetsu::game::{Point, Size};

/// Begins the texts of points.
const BOARD_TEXTS: &str = "@BTXT@";
/// Ends the texts of points, and the lines of comments of old files.
const SEPARATOR: char = '\u{8}';
/// The bounds in the order of their numbers.
const BOUNDS: [&str; 4] = ["none", "upper", "lower", "exact"];
/// Label of a position about which the database stores nothing else.
const NO_LABEL: i8 = -1;
/// The label of an empty record.
const NULL: i8 = 0;
/// Bytes before the text.
const HEAD: usize = 5;

/// A database's knowledge of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    label: i8,
    value: i16,
    depth_bound: i16,
}

impl Record {
    /// A position of the database of which nothing else is known.
    pub const PLAIN: Record = Record { label: NO_LABEL, value: 0, depth_bound: 0 };

    /// Takes a record's bytes apart into numbers and text; the last fields may be missing.
    pub fn split(bytes: &[u8]) -> (Record, &[u8]) {
        let word = |at: usize| bytes.get(at..at + 2).map_or(0, |w| i16::from_le_bytes([w[0], w[1]]));
        let label = bytes.first().map_or(NULL, |&b| b.cast_signed());
        (Record { label, value: word(1), depth_bound: word(3) }, bytes.get(HEAD..).unwrap_or_default())
    }

    /// The record's bytes with a text.
    pub fn join(&self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        if *self != (Record { label: NULL, value: 0, depth_bound: 0 }) || !text.is_empty() {
            bytes.extend(self.label.to_le_bytes());
            bytes.extend(self.value.to_le_bytes());
            bytes.extend(self.depth_bound.to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes
    }

    /// Returns the value of the property: `label value depth bound`.
    pub fn print(&self) -> String {
        let label = match self.label {
            NULL => "null".to_owned(),
            NO_LABEL => "none".to_owned(),
            label if label.cast_unsigned().is_ascii_graphic() => {
                char::from(label.cast_unsigned()).to_string()
            }
            label => format!("({label})"),
        };
        let bound = BOUNDS[(self.depth_bound & 3) as usize];
        format!("{label} {} {} {bound}", self.value, self.depth_bound >> 2)
    }

    /// Reads what [`print`](Self::print) writes.
    pub fn parse(text: &str) -> Option<Record> {
        let mut words = text.split_whitespace();
        let label = match words.next()? {
            "null" => NULL,
            "none" => NO_LABEL,
            one if one.len() == 1 => one.as_bytes()[0].cast_signed(),
            number => number.strip_prefix('(')?.strip_suffix(')')?.parse().ok()?,
        };
        let value = words.next()?.parse().ok()?;
        let depth: i16 = words.next()?.parse().ok()?;
        let bound = words.next()?;
        let bound = BOUNDS.iter().position(|&name| name == bound)? as i16;
        let depth_bound = depth.checked_mul(4)? | bound;
        words.next().is_none().then_some(Record { label, value, depth_bound })
    }
}

/// The texts of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Texts {
    /// Short texts at points.
    pub board: Vec<(Point, String)>,
    /// Text about the position.
    pub comment: String,
}

impl Texts {
    /// Splits a record's text into its parts.
    ///
    /// # Errors
    /// If the point of a board text is not on the board.
    pub fn parse(text: &str, size: Size) -> Result<Texts, String> {
        let mut texts = Texts::default();
        let mut comment = text;
        if let Some(rest) = text.strip_prefix(BOARD_TEXTS) {
            let (board, rest) = rest.split_once(SEPARATOR).unwrap_or((rest, ""));
            comment = rest;
            // Early programs left a zero behind texts.
            for line in board.split('\n').map(|line| line.trim_end_matches('\0')).filter(|l| !l.is_empty()) {
                let mut chars = line.chars();
                let p = match (chars.next().and_then(coordinate), chars.next().and_then(coordinate)) {
                    (Some(x), Some(y)) => gomocup::point(x, y, size),
                    _ => None,
                };
                let wrong = || format!("{} is not a text at a point of the {size} board", quoted(line));
                let p = p.ok_or_else(wrong)?;
                if !chars.as_str().is_empty() {
                    texts.board.push((p, chars.as_str().to_owned()));
                }
            }
        }
        // Line ends may differ. A carriage return that stayed would change the line end when it is written.
        let lines = comment.trim_end_matches(['\0', '\r']).split(['\n', SEPARATOR]);
        texts.comment = lines.map(|line| line.trim_end_matches('\r')).collect::<Vec<_>>().join("\n");
        Ok(texts)
    }

    /// Returns the memory that the texts take beside this value, in bytes.
    pub fn bytes(&self) -> usize {
        let board = self.board.iter().map(|(_, text)| size_of::<(Point, String)>() + text.len());
        self.comment.len() + board.sum::<usize>()
    }

    /// Puts the texts together.
    pub fn print(&self, size: Size) -> String {
        let mut text = String::new();
        if !self.board.is_empty() || self.comment.starts_with(BOARD_TEXTS) {
            text.push_str(BOARD_TEXTS);
            for (i, (p, label)) in self.board.iter().enumerate() {
                text.push_str(if i == 0 { "" } else { "\n" });
                let (x, y) = gomocup::coordinates(*p, size);
                text.extend([digit(x), digit(y)]);
                text += &label.replace(['\n', SEPARATOR], " ");
            }
            text.extend((!self.comment.is_empty()).then_some(SEPARATOR));
        }
        text += &self.comment.replace(SEPARATOR, "\n");
        text
    }
}

/// The value of a coordinate's digit: 0-9, then letters from A.
fn coordinate(c: char) -> Option<usize> {
    match c {
        '0'..='9' => Some(c as usize - '0' as usize),
        'A'..='Z' => Some(c as usize - 'A' as usize + 10),
        _ => None,
    }
}

fn digit(coordinate: usize) -> char {
    let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char::from(digits[coordinate])
}

/// The point of a key's two bytes; `None` for a pass.
///
/// # Errors
/// Description of the fault.
pub fn place(x: i8, y: i8, size: Size) -> Result<Option<Point>, String> {
    if (x, y) == (PASS, PASS) {
        return Ok(None);
    }
    let p = match (usize::try_from(x), usize::try_from(y)) {
        (Ok(x), Ok(y)) => gomocup::point(x, y, size),
        _ => None,
    };
    p.map(Some).ok_or_else(|| format!("row {y}, column {x} is off the {size} board"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts() {
        let (record, text) = Record::split(b"w\xe4\x8a\x33\x00hi");
        assert_eq!((record.print().as_str(), text), ("w -29980 12 exact", &b"hi"[..]));
        assert_eq!(Record::parse("w -29980 12 exact"), Some(record.clone()));
        assert_eq!(record.join("hi"), b"w\xe4\x8a\x33\x00hi");
        for (bytes, printed) in [
            (&b""[..], "null 0 0 none"),
            (b"\xff", "none 0 0 none"),
            (b"\xff\x05\x00\xfe\xff", "none 5 -1 lower"),
            (b"\x05\x00\x00\x00\x00", "(5) 0 0 none"),
        ] {
            let record = Record::split(bytes).0;
            assert_eq!(record.print(), printed);
            assert_eq!(Record::parse(printed), Some(record));
        }
        assert_eq!(Record::split(b"").0.join(""), b"");
        for wrong in ["", "w", "w 1 2", "w 1 2 some", "ww 1 2 exact", "w 1 9000 exact", "w 1 2 exact 3"] {
            assert_eq!(Record::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn texts_of_points_and_comments() {
        let p = |name| kagetsu::game::notation::parse_point(name, Size::S15).unwrap();
        let text = "@BTXT@76a\nE0b c\u{8}one\u{8}two";
        let texts = Texts::parse(text, Size::S15).unwrap();
        assert_eq!(texts.board, [(p("h9"), "a".to_owned()), (p("o15"), "b c".to_owned())]);
        assert_eq!(texts.comment, "one\ntwo");
        assert_eq!(texts.print(Size::S15), "@BTXT@76a\nE0b c\u{8}one\ntwo");
        assert_eq!(Texts::parse("@BTXT@77x\n", Size::S15).unwrap().board.len(), 1);
        assert!(Texts::parse("@BTXT@F0x", Size::S15).unwrap_err().contains("'F0x' is not a text"));
        let long = Texts::parse(&format!("@BTXT@{}", "x".repeat(1000)), Size::S15).unwrap_err();
        let problem = "x…' is not a text at a point of the 15x15 board";
        assert!(long.ends_with(problem) && long.len() < 150, "{long}");
        let ends = Texts::parse("one\r\r\ntwo\r\u{8}three\0\r\0", Size::S15).unwrap();
        assert_eq!(ends.comment, "one\ntwo\nthree");
        let strange = Texts { board: Vec::new(), comment: "@BTXT@".to_owned() };
        assert_eq!(Texts::parse(&strange.print(Size::S15), Size::S15).unwrap(), strange);
    }
}
