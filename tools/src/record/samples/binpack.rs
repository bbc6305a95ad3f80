//! `.binpack`: words `size:5 rule:3 result:4 stones:10 before:10` and `tag:14 moves:18`, the `before` moves of the
//! opening, then each move as `first:1 last:1 no_score:1 pass:1 unused:2 point:10` and a signed score. Several moves
//! between a `first` and a `last` one are the choices of one position, of which the first was played.

use std::io::BufRead;

use super::{Line, Words, begin, each, free, raw, result, result_code, rule_code, side_after, stones};
use crate::record::{Game, NodeId, Note, ReadError, WriteError};
use kagetsu::game::{Color, Move};

const FIRST: u16 = 1;
const LAST: u16 = 2;
const NO_SCORE: u16 = 4;
const PASS: u16 = 8;

/// Reads games; the choices that were not played become variations of one move.
///
/// # Errors
/// The byte, and what was expected there; nothing comes after an error.
pub fn read(input: impl BufRead) -> impl Iterator<Item = Result<Game, ReadError>> {
    each(input, one)
}

fn one<R: BufRead>(words: &mut Words<R>) -> Result<Game, ReadError> {
    let at = words.at();
    let head = words.u32("a game")?;
    let counts = words.u32("the number of moves")?;
    let mut line = begin(head & 31, head >> 5 & 7, at)?;
    for _ in 0..head >> 22 {
        let at = words.at();
        let p = free(&line, words.u16("a move")?, at)?;
        line.push(p);
    }
    line.game.result = result(head >> 8 & 15, line.color, at)?;
    let mut parent = (line.node, line.color);
    let mut is_done = true;
    for _ in 0..counts >> 14 {
        is_done = choice(words, &mut line, &mut parent, is_done)?;
    }
    line.game.tree.shrink();
    Ok(line.game)
}

/// Reads a move: the one played, or another choice at `parent`, the position before the last one played. `is_done` says that
/// all choices of the position before were read. Returns whether this was the last choice of its position.
fn choice<R: BufRead>(
    words: &mut Words<R>,
    line: &mut Line,
    parent: &mut (NodeId, Color),
    is_done: bool,
) -> Result<bool, ReadError> {
    let at = words.at();
    let field = words.u16("a move")?;
    let score = words.u16("a score")?.cast_signed();
    if field & PASS != 0 {
        return Err(ReadError::byte(at, "passes in packed games are not supported"));
    }
    if (field & FIRST != 0) != is_done {
        let expected =
            if is_done { "the first choice of a position" } else { "a further choice of the position" };
        return Err(ReadError::byte(at, format!("{expected} was expected")));
    }
    let node = if field & FIRST != 0 {
        let p = free(line, field >> 6, at)?;
        *parent = (line.node, line.color);
        line.push(p);
        line.node
    } else {
        // The played move's stone is on the board now, so no later choice may name it.
        let p = free(line, field >> 6, at)?;
        line.game.tree.add(parent.0, Some((parent.1, Move::Place(p))))
    };
    if field & NO_SCORE == 0 {
        let score = turned(score.into(), parent.1);
        line.game.tree.annotate(node, [Note::Property("V", &score.to_string())]);
    }
    Ok(field & LAST != 0)
}

/// Writes the main lines of games. The moves before the first one with a score are the opening; in a game without
/// scores there is none.
///
/// # Errors
/// If a game has no moves, a rule that has no number there, a score beyond 16 bits, or more than 1023 moves.
pub fn write(games: &[Game]) -> Result<Vec<u8>, WriteError> {
    let mut out = Vec::new();
    for game in games {
        let stones = stones(game);
        if stones.is_empty() {
            return Err(WriteError::Other("a game without moves".into()));
        }
        if stones.len() > 0x3ff {
            return Err(WriteError::Other("more than 1023 moves".into()));
        }
        let scores = stones.iter().map(|&(id, _)| score(game, id)).collect::<Result<Vec<_>, _>>()?;
        let opening = scores.iter().position(Option::is_some).unwrap_or(0);
        let head = game.size.side() as u32
            | rule_code(game)? << 5
            | result_code(game, side_after(opening)) << 8
            | (stones.len() as u32) << 12
            | (opening as u32) << 22;
        out.extend(head.to_le_bytes());
        out.extend(((stones.len() - opening) as u32).wrapping_shl(14).to_le_bytes());
        for &(_, p) in &stones[..opening] {
            out.extend(raw(p, game.size).to_le_bytes());
        }
        for (&(_, p), score) in stones.iter().zip(&scores).skip(opening) {
            let flags = FIRST | LAST | if score.is_none() { NO_SCORE } else { 0 };
            out.extend((raw(p, game.size) << 6 | flags).to_le_bytes());
            out.extend(score.unwrap_or(0).to_le_bytes());
        }
    }
    Ok(out)
}

/// The mover's score.
fn score(game: &Game, id: NodeId) -> Result<Option<i16>, WriteError> {
    let text = game.tree.notes(id).find_map(|n| if let Note::Property("V", v) = n { Some(v) } else { None });
    let Some(text) = text else { return Ok(None) };
    let side = game.tree.turn(id).map_or(Color::Black, |(color, _)| color);
    let score = text.parse().ok().and_then(|score| i16::try_from(turned(score, side)).ok());
    score.map(Some).ok_or_else(|| {
        WriteError::Other(format!("the score {text}: expected a whole number from -32768 to 32767"))
    })
}

/// Converts a side's score to Black's view, or back.
fn turned(score: i32, side: Color) -> i32 {
    if side == Color::Black { score } else { score.saturating_neg() }
}
