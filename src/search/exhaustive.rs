//! Reference for tests: short wins and losses found by trying every move, down to the fives on the board.

use crate::game::{Board, Level, Point, Rule, Size, Threat};

/// Plays the moves that are legal and do not end the game, on an empty board of this side length; returns the board.
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

/// Returns whether the side to move can make a five, by the board's shapes. The other functions rely on this one alone.
pub fn wins_now<R: Rule>(board: &Board<R>) -> bool {
    !board.threats(board.side(), Threat::Five).is_empty()
}

/// Returns the legal moves.
pub fn legal<R: Rule>(board: &Board<R>) -> Vec<Point> {
    board.empty().iter().filter(|&p| board.is_legal(p)).collect()
}

/// Returns whether the side to move wins in at most `plies`: the attacker tries fours and threes, the defender everything.
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

/// Returns whether the side to move loses in at most `plies`, whatever legal move it plays.
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
