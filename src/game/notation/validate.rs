//! Whether the moves of a position could have been played under a rule.

use super::NotationError;
use crate::game::{Board, Error, Move, Position, Reading, Rule, RuleKind};
use crate::with_rule;

/// Walks through the moves of a position and finds the first that could not have been played: a foul, or any move
/// after the end of the game. The last move may end the game by a five, and setup stones may be anything.
///
/// # Errors
/// The move and the reason.
pub fn validate(position: &Position, rule: RuleKind, reading: Reading) -> Result<(), NotationError> {
    with_rule!(rule, R => validate_for::<R>(position, reading))
}

fn validate_for<R: Rule>(position: &Position, reading: Reading) -> Result<(), NotationError> {
    let mut start = position.clone();
    start.truncate(0);
    let mut board = Board::<R>::from_position(&start).expect("a position names no point twice");
    board.set_reading(reading);
    let mut winner = board.find_row().map(|(color, _)| color);
    for (i, &m) in position.moves().iter().enumerate() {
        let wrong = |error| Err(NotationError::Move { number: i + 1, error });
        if let Some(color) = winner {
            return wrong(Error::Over(color));
        }
        match m {
            Move::Pass => board.pass(),
            Move::Place(p) if board.is_foul(p, board.side()) => {
                return wrong(Error::Foul(p, board.foul_kinds(p)));
            }
            Move::Place(p) => {
                board.play(p);
                winner = board.winner();
            }
        }
    }
    Ok(())
}
