//! Validation: whether the moves of a position could have been played under a rule.

use super::NotationError;
use crate::game::{Board, Error, Move, Outcome, Position, Reading, Rule, RuleKind};
use crate::with_rule;

/// Walks through the moves of a position and finds the first that could not have been played: any move after a row or
/// a foul. The last move may end the game by either, setup stones may be anything, and passes may be anywhere.
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
    let mut over = board.find_row().map(|(color, _)| Outcome::Row(color));
    for (i, &m) in position.moves().iter().enumerate() {
        if let Some(outcome) = over {
            return Err(NotationError::Move { number: i + 1, error: Error::Over(outcome) });
        }
        match m {
            Move::Pass => board.pass(),
            Move::Place(p) => {
                let foul = board.is_foul(p, board.side()).then(|| board.foul_kinds(p));
                board.play(p);
                over = foul.map(Outcome::Foul).or(board.winner().map(Outcome::Row));
            }
        }
    }
    Ok(())
}
