//! Perft: counts move sequences, to check a game's rules against published numbers.

use crate::game::{Game, Move};

/// Number of games of `depth` more plies. A pass is a ply; a game that has ended before is one leaf.
pub fn perft(game: &mut dyn Game, depth: u32) -> u64 {
    count(game, depth, &mut Vec::new())
}

/// [`perft`] with a list of moves for each depth, made once.
fn count(game: &mut dyn Game, depth: u32, lists: &mut Vec<Vec<Move>>) -> u64 {
    if depth == 0 || game.outcome().is_some() {
        return 1;
    }
    let mut list = lists.pop().unwrap_or_default();
    game.moves(&mut list);
    let mut games = 0;
    if depth == 1 {
        games = list.len() as u64;
    } else {
        for &m in &list {
            game.play(m);
            games += count(game, depth - 1, lists);
            game.undo();
        }
    }
    lists.push(list);
    games
}
