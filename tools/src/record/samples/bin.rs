//! `.bin`: words `result:2 ply:9 size:5` and `rule:3 move:13`, then `ply` moves that lead to the position.

use std::io::BufRead;

use super::{Words, begin, each, free, raw, result, result_code, rule_code, side_after, stones};
use crate::record::{Game, ReadError, WriteError};

/// Bits of a point. The manager c-gomoku-cli also sets the next bit in White's sampled moves.
const POINT: u16 = 0x3ff;

/// Reads samples, each as a game that ends with the move played.
///
/// # Errors
/// The byte, and what was expected there; nothing comes after an error.
pub fn read(input: impl BufRead) -> impl Iterator<Item = Result<Game, ReadError>> {
    each(input, one)
}

fn one<R: BufRead>(words: &mut Words<R>) -> Result<Game, ReadError> {
    let at = words.at();
    let head = u32::from(words.u16("a sample")?);
    let played = words.u16("a rule and a move")?;
    let mut line = begin(head >> 11, u32::from(played & 7), at)?;
    let ply = head >> 2 & 0x1ff;
    for _ in 0..ply {
        let at = words.at();
        let p = free(&line, words.u16("a move")? & POINT, at)?;
        line.push(p);
    }
    line.game.result = result(head & 3, line.color, at)?;
    let p = free(&line, played >> 3 & POINT, at + 2)?;
    line.push(p);
    line.game.tree.shrink();
    Ok(line.game)
}

/// Writes the end of each game as a sample: the position before the last move, and that move.
///
/// # Errors
/// If a game has no move, a rule for which the format has no number, or more than 512 moves.
pub fn write(games: &[Game]) -> Result<Vec<u8>, WriteError> {
    let mut out = Vec::new();
    for game in games {
        let stones = stones(game);
        let Some((&(_, last), before)) = stones.split_last() else {
            return Err(WriteError::Other("a game without moves".into()));
        };
        if before.len() > 0x1ff {
            return Err(WriteError::Other("more than 512 moves".into()));
        }
        let side = side_after(before.len());
        let head = result_code(game, side) | (before.len() as u32) << 2 | (game.size.side() as u32) << 11;
        let played = rule_code(game)? as u16 | raw(last, game.size) << 3;
        out.extend((head as u16).to_le_bytes());
        out.extend(played.to_le_bytes());
        out.extend(before.iter().flat_map(|&(_, p)| raw(p, game.size).to_le_bytes()));
    }
    Ok(out)
}
