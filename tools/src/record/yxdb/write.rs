//! Writes every position of games' trees, each once, in the order of programs that keep them sorted.

use std::collections::BTreeMap;

use super::entry::{Record, Texts};
use super::{PASS, RECORD, RULES, TEXT_ORDER, UTF8};
use crate::record::tree::{NodeId, Step};
use crate::record::{Game, Note, WriteError};
use kagetsu::game::notation::{gomocup, parse_point};
use kagetsu::game::quote::quoted;
use kagetsu::game::symmetry::Symmetry;
use kagetsu::game::{Color, POINTS, Point, Size};

/// The symmetries in the order in which Rapfi tries them: in a position that several leave as it is, the first decides
/// which of its equal points have texts.
const ORDER: [Symmetry; 8] = [
    Symmetry::IDENTITY,
    Symmetry::ROTATE_LEFT,
    Symmetry::ROTATE_HALF,
    Symmetry::ROTATE_RIGHT,
    Symmetry::MIRROR_ROWS,
    Symmetry::MIRROR_COLUMNS,
    Symmetry::MIRROR_FALLING,
    Symmetry::MIRROR_RISING,
];

/// Bytes of text that a record has room for.
const MOST_TEXT: usize = 65_530;

/// A position: the smallest of its images.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    /// The number of the rule.
    rule: u8,
    size: u8,
    /// Length of `stones`: shorter keys come first.
    len: usize,
    /// Columns and rows of Black's stones, then of White's.
    stones: Vec<u8>,
    side: Color,
}

/// Knowledge about a position, joined from all nodes that reach it.
#[derive(Debug)]
struct Known {
    record: Record,
    texts: Texts,
    /// Bytes left for texts at points, with two coordinates each.
    room: usize,
    size: Size,
    /// The order of the texts at points, if one was said.
    order: Vec<Point>,
}

/// Collects positions of games.
#[derive(Default, Debug)]
pub struct Writer {
    positions: BTreeMap<Key, Known>,
}

/// A position on the way to the present one: its key, and the symmetry from the board to the key's orientation.
type Placed = (Key, Symmetry);

impl Writer {
    /// Adds the positions of a game. If a position is reached in several ways, its comments and texts are joined.
    ///
    /// # Errors
    /// If the format has no place for a position or for a note on it.
    pub fn add(&mut self, game: &Game) -> Result<(), WriteError> {
        let rule = game.rule.and_then(|rule| RULES.iter().position(|&r| r == rule));
        let rule = rule.ok_or(WriteError::Rule("freestyle, standard or renju"))? as u8;
        let mut stones = game.setup.clone();
        let mut places: Vec<Placed> = Vec::new();
        for step in game.tree.walk() {
            match step {
                Step::Enter(id) => {
                    // After a node without a move the side to move is the same as before.
                    let before = places.last().map_or(game.first, |(key, _)| key.side);
                    let side = game.tree.turn(id).map_or(before, |(color, _)| !color);
                    let stone = game.tree.turn(id).and_then(|(color, m)| Some((m.point()?, color)));
                    stones.extend(stone);
                    let place = place(rule, &stones, side, game.size)?;
                    self.node(game, id, &place, places.last())?;
                    places.push(place);
                }
                Step::Leave(id) => {
                    places.pop();
                    if game.tree.point(id).is_some() {
                        stones.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the notes of a node. The empty board is written only if its node has notes, or if the game has
    /// nothing else and would be lost.
    fn node(
        &mut self,
        game: &Game,
        id: NodeId,
        place: &Placed,
        parent: Option<&Placed>,
    ) -> Result<(), WriteError> {
        let size = game.size;
        if id != NodeId::ROOT || !game.setup.is_empty() || game.tree.len() == 1 {
            self.known(&place.0, size);
        }
        for note in game.tree.notes(id) {
            match note {
                Note::Comment(text) => self.known(&place.0, size).comment(text),
                Note::Label(p, text) => self.known(&place.0, size).label(place.1.apply(p, size), text)?,
                Note::BoardText(text) => match (game.tree.point(id), parent) {
                    (Some(p), Some(parent)) => {
                        self.known(&parent.0, size).label(parent.1.apply(p, size), text)?;
                    }
                    // A node without a stone has no point for the text.
                    _ => self.known(&place.0, size).comment(text),
                },
                Note::Property(RECORD, text) => {
                    let record = Record::parse(text).ok_or_else(|| {
                        WriteError::Other(format!(
                            "{}: a label, a value, a depth and a bound were expected",
                            quoted(text)
                        ))
                    })?;
                    self.known(&place.0, size).record(record)?;
                }
                Note::Property(TEXT_ORDER, names) => {
                    let points = names.split_whitespace().map(|name| parse_point(name, size));
                    let points = points.collect::<Result<Vec<Point>, _>>();
                    let points =
                        points.map_err(|error| WriteError::Other(format!("{TEXT_ORDER}: {error}")))?;
                    self.known(&place.0, size).order =
                        points.into_iter().map(|p| place.1.apply(p, size)).collect();
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn known(&mut self, key: &Key, size: Size) -> &mut Known {
        if !self.positions.contains_key(key) {
            let known = Known {
                record: Record::PLAIN,
                texts: Texts::default(),
                room: MOST_TEXT,
                size,
                order: Vec::new(),
            };
            self.positions.insert(key.clone(), known);
        }
        self.positions.get_mut(key).expect("it is there by now")
    }

    /// Returns the file.
    ///
    /// # Errors
    /// If a position has more text, or the file more positions, than the format can count.
    pub fn finish(self) -> Result<Vec<u8>, WriteError> {
        let count = u32::try_from(self.positions.len() + 1)
            .map_err(|_| WriteError::Other("more than 4294967294 positions".into()))?;
        let mut out = count.to_le_bytes().to_vec();
        block(&mut out, &[0, 0, 0])?;
        block(&mut out, &[&[0; 5], UTF8.as_bytes()].concat())?;
        for (key, mut known) in self.positions {
            let Known { texts, order, .. } = &mut known;
            let mut ranks = [None; POINTS];
            for (rank, p) in order.iter().enumerate().rev() {
                ranks[p.index()] = Some(rank);
            }
            texts.board.sort_by_key(|(p, _)| ranks[p.index()]);
            block(&mut out, &key.bytes())?;
            block(&mut out, &known.record.join(&known.texts.print(known.size)))?;
        }
        Ok(out)
    }
}

impl Known {
    fn comment(&mut self, text: &str) {
        let comment = &mut self.texts.comment;
        if comment != text {
            comment.push_str(if comment.is_empty() { "" } else { "\n" });
            comment.push_str(text);
        }
    }

    /// Adds a text at a point, unless it is there.
    ///
    /// # Errors
    /// If there is no room for it. A game may have so many that comparing each with all others would never end.
    fn label(&mut self, p: Point, text: &str) -> Result<(), WriteError> {
        let label = (p, text.replace('\n', " "));
        if !label.1.is_empty() && !self.texts.board.contains(&label) {
            self.room = self.room.checked_sub(2 + label.1.len()).ok_or_else(too_much_text)?;
            self.texts.board.push(label);
        }
        Ok(())
    }

    fn record(&mut self, record: Record) -> Result<(), WriteError> {
        if self.record == Record::PLAIN {
            self.record = record;
        } else if record != self.record && record != Record::PLAIN {
            let (one, two) = (self.record.print(), record.print());
            return Err(WriteError::Other(format!("both '{one}' and '{two}' for one position")));
        }
        Ok(())
    }
}

impl Key {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.rule, self.size, self.size];
        let pass = [PASS.cast_unsigned(); 2];
        let (blacks, whites) = self.stones.split_at(2 * (self.len / 2).div_ceil(2));
        let in_turn = (self.len / 2).is_multiple_of(2) == (self.side == Color::Black);
        bytes.extend(blacks);
        bytes.extend(pass.iter().filter(|_| !in_turn && self.side == Color::White));
        bytes.extend(whites);
        bytes.extend(pass.iter().filter(|_| !in_turn && self.side == Color::Black));
        bytes
    }
}

/// The key of a position.
fn place(rule: u8, stones: &[(Point, Color)], side: Color, size: Size) -> Result<Placed, WriteError> {
    let blacks = stones.iter().filter(|s| s.1 == Color::Black).count();
    let whites = stones.len() - blacks;
    if blacks != stones.len().div_ceil(2) {
        let problem = format!(
            "a position of {blacks} black and {whites} white stones: expected as many of both, or one more black"
        );
        return Err(WriteError::Other(problem));
    }
    let image = |symmetry: Symmetry| {
        let mut sorted: Vec<_> = stones
            .iter()
            .map(|&(p, color)| {
                let (x, y) = gomocup::coordinates(symmetry.apply(p, size), size);
                (color, x as u8, y as u8)
            })
            .collect();
        sorted.sort_unstable();
        (sorted.into_iter().flat_map(|(_, x, y)| [x, y]).collect::<Vec<u8>>(), symmetry)
    };
    let mut best = image(ORDER[0]);
    for symmetry in &ORDER[1..] {
        let other = image(*symmetry);
        if other.0 < best.0 {
            best = other;
        }
    }
    let (stones, symmetry) = best;
    Ok((Key { rule, size: size.side() as u8, len: stones.len(), stones, side }, symmetry))
}

/// Appends bytes behind their number.
fn block(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), WriteError> {
    let length = u16::try_from(bytes.len()).map_err(|_| too_much_text())?;
    out.extend(length.to_le_bytes());
    out.extend(bytes);
    Ok(())
}

fn too_much_text() -> WriteError {
    WriteError::Other(format!("more than {MOST_TEXT} bytes of text at one position"))
}
