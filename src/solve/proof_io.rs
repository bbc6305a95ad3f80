//! Proof files: JSON (a flat list of turns, so that reading a deep proof needs no recursion) and SGF (a game
//! tree with variations).
//!
//! In SGF a pass of the defender stands for every reply without a variation of its own. The comment `five` marks a move
//! that makes a five; other final moves are fours that no reply stops. A turn that several replies lead to is written
//! out at its first occurrence, with a number as the name of its node; elsewhere only its move is written, with the
//! comment `see` and that number. Both forms are as small as the proof.

use std::collections::HashMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::proof::{After, Proof, Turn, TurnId, Turns};
use crate::game::quote::quoted;
use crate::game::{Color, Point, Position, Size};

/// One attacker's turn; other turns are referred to by index.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
struct Record {
    #[serde(rename = "move")]
    point: String,
    /// Whether the move makes a five.
    five: bool,
    /// Replies with the indexes of their answers.
    replies: Vec<(String, usize)>,
    /// Index of the answer to all other replies, if they need one.
    otherwise: Option<usize>,
}

/// A proof as a list: the first record is the root, and every record stands before those it refers to.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(transparent)]
pub struct Flat(Vec<Record>);

/// Reason why a text is not a proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// A name is not a point of the board.
    #[error("{} is not a point of the board", quoted(.0))]
    Point(String),
    /// A reference leads to a record that is missing or stands before its user.
    #[error("record {0} does not exist or comes too early")]
    Record(usize),
    /// The SGF text ends or continues unexpectedly at this byte.
    #[error("unexpected text at byte {0}")]
    Sgf(usize),
    /// A turn of the SGF text has a second pass, at this byte: one answer stands for all replies without a variation.
    #[error("byte {0}: a second pass in reply to one move, expected one variation with a pass at most")]
    Passes(usize),
    /// Two nodes of the SGF text have the same name.
    #[error("two nodes are named {0}: expected a name of its own for each")]
    Name(u32),
    /// A line of the proof has more plies than any board has points.
    #[error("a line of {0} plies is longer than a game")]
    Long(usize),
}

impl Flat {
    /// Returns the records of a proof.
    pub fn of(proof: &Proof) -> Flat {
        let order = proof.order();
        let mut places = vec![0; proof.root().index() + 1];
        for (place, turn) in order.iter().enumerate() {
            places[turn.index()] = place;
        }
        Flat(order.iter().map(|&turn| Record::of(proof.turns().get(turn), &places)).collect())
    }

    /// Rebuilds the proof.
    ///
    /// # Errors
    /// If a point or a reference is wrong, or a line is longer than any game.
    pub fn proof(&self) -> Result<Proof, ReadError> {
        // Build from the back: there every record refers to finished ones only.
        let mut turns = Turns::default();
        let mut done: Vec<Option<TurnId>> = vec![None; self.0.len()];
        for (at, record) in self.0.iter().enumerate().rev() {
            let named = |i: usize| done.get(i).copied().flatten().ok_or(ReadError::Record(i));
            let mut listed = Vec::with_capacity(record.replies.len());
            for (reply, answer) in &record.replies {
                listed.push((point(reply)?, named(*answer)?));
            }
            let otherwise = record.otherwise.map(named).transpose()?;
            let after = if record.five { After::Five } else { After::Replies { listed, otherwise } };
            done[at] = Some(turns.push(point(&record.point)?, after));
        }
        let root = done.first().copied().flatten().ok_or(ReadError::Record(0))?;
        no_longer_than_a_game(Proof::new(turns, root))
    }
}

/// Refuses a proof with a line longer than any game. Recursive walks through a proof, such as that of [`to_sgf`], need a
/// stack frame for each turn of a line, and a short file can refer to its turns so that they make a line of any length.
fn no_longer_than_a_game(proof: Proof) -> Result<Proof, ReadError> {
    let longest = crate::game::MAX_SIZE * crate::game::MAX_SIZE;
    if proof.length() > longest { Err(ReadError::Long(proof.length())) } else { Ok(proof) }
}

impl Record {
    /// Converts a turn; `places` has the indexes of the turns it refers to.
    fn of(turn: &Turn, places: &[usize]) -> Record {
        let place = |turn: &TurnId| places[turn.index()];
        let (five, replies, otherwise) = match &turn.after {
            After::Five => (true, Vec::new(), None),
            After::Replies { listed, otherwise } => {
                let replies = listed.iter().map(|(reply, turn)| (reply.to_string(), place(turn)));
                (false, replies.collect(), otherwise.as_ref().map(place))
            }
        };
        Record { point: turn.point.to_string(), five, replies, otherwise }
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

/// Writes the proof as an SGF game, with the position it starts from. The proof should be one that
/// [`verify`](super::verify::verify) accepts in that position.
///
/// # Panics
/// With overflow checks, if the proof names a point beyond the edge of the position's board.
pub fn to_sgf(proof: &Proof, position: &Position, attacker: Color) -> String {
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
    let references = proof.references();
    let names = vec![None; references.len()];
    let mut writer = Writer { text, proof, references, names, named: 0, attacker, size };
    writer.turn(proof.root());
    writer.text.push_str(")\n");
    writer.text
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

/// Writes a point. SGF counts rows from the top.
fn push_point(text: &mut String, p: Point, size: Size) {
    let letter = |i: usize| (b'a' + i as u8) as char;
    let _ = write!(text, "[{}{}]", letter(p.x()), letter(size.side() - 1 - p.y()));
}

/// Writer of turns, each once.
struct Writer<'a> {
    text: String,
    proof: &'a Proof,
    /// Number of references to each turn.
    references: Vec<u32>,
    /// Node numbers of the turns written so far that have several references.
    names: Vec<Option<u32>>,
    named: u32,
    attacker: Color,
    size: Size,
}

impl Writer<'_> {
    fn turn(&mut self, id: TurnId) {
        let turn = self.proof.turns().get(id);
        let _ = write!(self.text, "\n;{}", letter(self.attacker));
        push_point(&mut self.text, turn.point, self.size);
        let After::Replies { listed, otherwise } = &turn.after else {
            self.text.push_str("C[five]");
            return;
        };
        if let Some(name) = self.names[id.index()] {
            let _ = write!(self.text, "C[see {name}]");
            return;
        }
        if self.references[id.index()] > 1 {
            self.named += 1;
            self.names[id.index()] = Some(self.named);
            let _ = write!(self.text, "N[{}]", self.named);
        }
        for &(reply, answer) in listed {
            self.variation(Some(reply), answer);
        }
        if let Some(rest) = *otherwise {
            self.variation(None, rest);
        }
    }

    /// Writes a reply, or a pass for all others, with its answer.
    fn variation(&mut self, reply: Option<Point>, answer: TurnId) {
        let _ = write!(self.text, "(;{}", letter(!self.attacker));
        match reply {
            Some(reply) => push_point(&mut self.text, reply, self.size),
            None => self.text.push_str("[]"),
        }
        self.turn(answer);
        self.text.push(')');
    }
}

/// Reads a proof written by [`to_sgf`]. The starting position in the text is skipped.
///
/// # Errors
/// If the text is not such a tree, or a line is longer than any game.
pub fn from_sgf(text: &str, size: Size, attacker: Color) -> Result<Proof, ReadError> {
    let start = text.find("PL[").and_then(|i| text[i..].find(';').map(|j| i + j));
    let mut reader = Reader {
        text: text.as_bytes(),
        at: start.unwrap_or(text.len()),
        size,
        colors: [attacker, !attacker].map(|color| letter(color) as u8),
        turns: Turns::default(),
        names: HashMap::new(),
    };
    let root = reader.turn(size.area())?;
    reader.expect(b")")?;
    reader.skip_blanks();
    if reader.at < text.len() {
        return Err(ReadError::Sgf(reader.at));
    }
    no_longer_than_a_game(Proof::new(reader.turns, root))
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    size: Size,
    /// SGF letters of the attacker and the defender.
    colors: [u8; 2],
    turns: Turns,
    /// Turns by their node numbers in the text.
    names: HashMap<u32, TurnId>,
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

    /// Reads a node with one move of a colour; `None` is a pass.
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

    /// Reads the rest of a property whose value is a number.
    fn number(&mut self) -> Result<u32, ReadError> {
        let digits = self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let text = str::from_utf8(&self.text[self.at..self.at + digits]).unwrap_or_default();
        let number = text.parse().map_err(|_| ReadError::Sgf(self.at))?;
        self.at += digits;
        self.expect(b"]")?;
        Ok(number)
    }

    /// Reads a turn on a board with `left` empty points.
    fn turn(&mut self, left: usize) -> Result<TurnId, ReadError> {
        let [own, other] = self.colors;
        let point = self.mv(own)?.ok_or(ReadError::Sgf(self.at))?;
        if self.accept(b"C[five]") {
            return Ok(self.turns.push(point, After::Five));
        }
        if self.accept(b"C[see ") {
            let at = self.at;
            let name = self.number()?;
            let known = self.names.get(&name).copied();
            return known.filter(|&id| self.turns.get(id).point == point).ok_or(ReadError::Sgf(at));
        }
        let name = if self.accept(b"N[") { Some(self.number()?) } else { None };
        let (mut listed, mut otherwise) = (Vec::new(), None);
        while self.accept(b"(") {
            let at = self.at;
            let left = left.checked_sub(2).ok_or(ReadError::Sgf(at))?;
            let reply = self.mv(other)?;
            if reply.is_none() && otherwise.is_some() {
                return Err(ReadError::Passes(at));
            }
            let answer = self.turn(left)?;
            self.expect(b")")?;
            match reply {
                Some(reply) => listed.push((reply, answer)),
                None => otherwise = Some(answer),
            }
        }
        let id = self.turns.push(point, After::Replies { listed, otherwise });
        if let Some(name) = name
            && self.names.insert(name, id).is_some()
        {
            return Err(ReadError::Name(name));
        }
        Ok(id)
    }
}
