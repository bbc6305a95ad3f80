//! Proofs as files: JSON (a flat list of turns, so that depth costs nothing) and SGF (a game tree with variations).
//!
//! In SGF a pass of the defender stands for every reply without a variation of its own, and the comment `five` marks a
//! move that ends the game; without it the move is one that no reply stops.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::proof::{After, Turn};
use crate::game::{Color, Point, Position, Size};

/// One attacker's move of the flat form; others are named by their place in the list.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
struct Record {
    #[serde(rename = "move")]
    point: String,
    /// Whether the move makes a five.
    five: bool,
    /// Replies, and where their answers are.
    replies: Vec<(String, usize)>,
    /// Where the answer to all other replies is, if they need one.
    otherwise: Option<usize>,
}

/// A proof in its flat form: the first record is the root, and every record stands before those it names.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(transparent)]
pub struct Flat(Vec<Record>);

/// Why a text is no proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// A name that is no point.
    #[error("'{0}' is no point")]
    Point(String),
    /// A reference to a record that is missing, or not further on.
    #[error("record {0} does not exist or comes too early")]
    Record(usize),
    /// The SGF text ends or goes on unexpectedly at this byte.
    #[error("unexpected text at byte {0}")]
    Sgf(usize),
}

impl Flat {
    /// Flattens a proof.
    pub fn of(root: &Turn) -> Flat {
        let mut flat = Flat(Vec::new());
        flat.push(root);
        flat
    }

    fn push(&mut self, turn: &Turn) -> usize {
        let at = self.0.len();
        let five = turn.after == After::Five;
        self.0.push(Record { point: turn.point.to_string(), five, replies: Vec::new(), otherwise: None });
        if let After::Replies { listed, otherwise } = &turn.after {
            for (reply, answer) in listed {
                let answer = self.push(answer);
                self.0[at].replies.push((reply.to_string(), answer));
            }
            if let Some(rest) = otherwise {
                self.0[at].otherwise = Some(self.push(rest));
            }
        }
        at
    }

    /// The proof again.
    ///
    /// # Errors
    /// If a point or a reference is wrong.
    pub fn turn(&self) -> Result<Turn, ReadError> {
        // Built from the back, where every record only names finished ones.
        let mut done: Vec<Option<Turn>> = vec![None; self.0.len()];
        for (at, record) in self.0.iter().enumerate().rev() {
            let mut take = |i: usize| {
                let later = i > at;
                done.get_mut(i).filter(|_| later).and_then(Option::take).ok_or(ReadError::Record(i))
            };
            let mut listed = Vec::with_capacity(record.replies.len());
            for (reply, answer) in &record.replies {
                listed.push((point(reply)?, take(*answer)?));
            }
            let otherwise = record.otherwise.map(&mut take).transpose()?.map(Box::new);
            let after = if record.five { After::Five } else { After::Replies { listed, otherwise } };
            done[at] = Some(Turn { point: point(&record.point)?, after });
        }
        done.first_mut().and_then(Option::take).ok_or(ReadError::Record(0))
    }
}

fn point(name: &str) -> Result<Point, ReadError> {
    let bad = || ReadError::Point(name.to_string());
    let mut letters = name.chars();
    let x = letters.next().filter(char::is_ascii_lowercase).ok_or_else(bad)? as usize - 'a' as usize;
    let y: usize = letters.as_str().parse().map_err(|_| bad())?;
    let limit = crate::game::MAX_SIZE;
    if x < limit && (1..=limit).contains(&y) { Ok(Point::new(x, y - 1)) } else { Err(bad()) }
}

/// The proof as an SGF game with the position it starts from.
pub fn to_sgf(root: &Turn, position: &Position, attacker: Color) -> String {
    let size = position.size();
    let mut text = format!("(;FF[4]GM[4]CA[UTF-8]SZ[{}]", size.side());
    for (color, name) in [(Color::Black, "AB"), (Color::White, "AW")] {
        let mut stones = position.stones().filter(|&(_, c)| c == color).peekable();
        if stones.peek().is_some() {
            text.push_str(name);
        }
        stones.for_each(|(p, _)| push_point(&mut text, p, size));
    }
    let _ = write!(text, "PL[{}]", letter(attacker));
    push_turn(&mut text, root, attacker, size);
    text.push_str(")\n");
    text
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

/// SGF counts rows from the top.
fn push_point(text: &mut String, p: Point, size: Size) {
    let letter = |i: usize| (b'a' + i as u8) as char;
    let _ = write!(text, "[{}{}]", letter(p.x()), letter(size.side() - 1 - p.y()));
}

fn push_turn(text: &mut String, turn: &Turn, attacker: Color, size: Size) {
    let _ = write!(text, "\n;{}", letter(attacker));
    push_point(text, turn.point, size);
    let After::Replies { listed, otherwise } = &turn.after else {
        text.push_str("C[five]");
        return;
    };
    for (reply, answer) in listed {
        let _ = write!(text, "(;{}", letter(!attacker));
        push_point(text, *reply, size);
        push_turn(text, answer, attacker, size);
        text.push(')');
    }
    if let Some(rest) = otherwise {
        let _ = write!(text, "(;{}[]", letter(!attacker));
        push_turn(text, rest, attacker, size);
        text.push(')');
    }
}

/// Reads a proof as [`to_sgf`] writes it, the position it starts from included in the text left aside.
///
/// # Errors
/// If the text is no such tree.
pub fn from_sgf(text: &str, size: Size, attacker: Color) -> Result<Turn, ReadError> {
    let start = text.find("PL[").and_then(|i| text[i..].find(';').map(|j| i + j));
    let mut reader = Reader { text: text.as_bytes(), at: start.unwrap_or(text.len()), size };
    let turn = reader.turn(letter(attacker) as u8, letter(!attacker) as u8)?;
    reader.expect(b")")?;
    Ok(turn)
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    size: Size,
}

impl Reader<'_> {
    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn accept(&mut self, token: &[u8]) -> bool {
        self.skip_blanks();
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &[u8]) -> Result<(), ReadError> {
        if self.accept(token) { Ok(()) } else { Err(ReadError::Sgf(self.at)) }
    }

    /// A node with one move of a colour; `None` is a pass.
    fn mv(&mut self, color: u8) -> Result<Option<Point>, ReadError> {
        self.expect(b";")?;
        self.expect(&[color, b'['])?;
        if self.accept(b"]") {
            return Ok(None);
        }
        let side = self.size.side();
        let coordinate = |reader: &mut Self| {
            let value = reader.text.get(reader.at)?.checked_sub(b'a').map(usize::from)?;
            reader.at += 1;
            (value < side).then_some(value)
        };
        let point = coordinate(self).zip(coordinate(self)).map(|(x, y)| Point::new(x, side - 1 - y));
        let point = point.ok_or(ReadError::Sgf(self.at))?;
        self.expect(b"]")?;
        Ok(Some(point))
    }

    fn turn(&mut self, own: u8, other: u8) -> Result<Turn, ReadError> {
        let point = self.mv(own)?.ok_or(ReadError::Sgf(self.at))?;
        if self.accept(b"C[five]") {
            return Ok(Turn::five(point));
        }
        let (mut listed, mut otherwise) = (Vec::new(), None);
        while self.accept(b"(") {
            let reply = self.mv(other)?;
            let answer = self.turn(own, other)?;
            self.expect(b")")?;
            match reply {
                Some(reply) => listed.push((reply, answer)),
                None => otherwise = Some(Box::new(answer)),
            }
        }
        Ok(Turn { point, after: After::Replies { listed, otherwise } })
    }
}
