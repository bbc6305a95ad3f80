//! What tests check conclusions with: wins and losses found by trying everything, from the fives on the board up.

use crate::game::{Board, Level, Point, Rule, Size, Threat};

/// The position after those of these moves that are legal and do not end the game, on a board of this side.
pub fn unfinished<R: Rule>(moves: &[(usize, usize)], side: usize) -> Board<R> {
    let mut board = Board::new(Size::new(side).unwrap());
    for &(x, y) in moves {
        let p = Point::new(x % side, y % side);
        if board.is_legal(p) && board.level(p, board.side()) != Level::Five {
            board.play(p);
        }
    }
    board
}

/// Whether the side to move has a five on the board's shapes: the base that all other conclusions are checked down to.
pub fn wins_now<R: Rule>(board: &Board<R>) -> bool {
    !board.threats(board.side(), Threat::Five).is_empty()
}

/// The legal moves.
pub fn legal<R: Rule>(board: &Board<R>) -> Vec<Point> {
    board.empty().iter().filter(|&p| board.is_legal(p)).collect()
}

/// Whether the side to move wins in at most `plies` by trying everything but, for the attacker, only fours and threes.
pub fn wins_within<R: Rule>(board: &mut Board<R>, plies: i32) -> bool {
    if wins_now(board) {
        return true;
    }
    if plies < 3 {
        return false;
    }
    let side = board.side();
    let tries = *board.threats(side, Threat::Four) | *board.threats(side, Threat::Three);
    tries.iter().filter(|&p| board.is_legal(p)).collect::<Vec<_>>().into_iter().any(|p| {
        board.play(p);
        let won = loses_within(board, plies - 1);
        board.undo();
        won
    })
}

/// Whether the side to move loses in at most `plies`, whatever legal move it plays.
pub fn loses_within<R: Rule>(board: &mut Board<R>, plies: i32) -> bool {
    if wins_now(board) {
        return false;
    }
    legal(board).into_iter().all(|p| {
        board.play(p);
        let lost = wins_within(board, plies - 1);
        board.undo();
        lost
    })
}
