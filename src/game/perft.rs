//! Perft: counts the games of a given length, to check legal moves, wins, play and undo against independent counts.

use super::board::Board;
use super::level::Level;
use super::point::Point;
use super::rule::Rule;

/// Number of games of exactly `depth` more legal moves: no passes, none after a win. The board's last move may be a
/// win already, which leaves none; full boards and rows among setup stones are not looked for.
///
/// ```
/// use kagetsu::game::{Board, Freestyle, Size, perft};
/// assert_eq!(perft(&mut Board::<Freestyle>::new(Size::S15), 2), 225 * 224);
/// ```
pub fn perft<R: Rule>(board: &mut Board<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ if board.winner().is_some() => 0,
        1 => legal_moves(board).len() as u64,
        _ => legal_moves(board).into_iter().map(|p| games_after(board, p, depth)).sum(),
    }
}

/// [`perft`] split by the first move, in board order.
pub fn perft_by_move<R: Rule>(board: &mut Board<R>, depth: u32) -> Vec<(Point, u64)> {
    if depth == 0 || board.winner().is_some() {
        return Vec::new();
    }
    legal_moves(board).into_iter().map(|p| (p, games_after(board, p, depth))).collect()
}

fn legal_moves<R: Rule>(board: &Board<R>) -> Vec<Point> {
    board.empty().iter().filter(|&p| !board.is_foul(p, board.side())).collect()
}

fn games_after<R: Rule>(board: &mut Board<R>, p: Point, depth: u32) -> u64 {
    if depth > 1 && board.level(p, board.side()) == Level::Five {
        return 0;
    }
    board.play(p);
    let games = perft(board, depth - 1);
    board.undo();
    games
}
