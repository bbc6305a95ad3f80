//! The independent check of a proof. Knows the rules and the shape of a proof, and nothing of how it was found.
//!
//! At each attacker's move it is checked that the point is empty and legal; at each defender's turn that **every** legal
//! reply is met: by its own branch, by the branch for all others, or by a five that is then on the board. A reply with
//! which the defender wins fails the proof. Nothing is taken from the tree on trust.

use super::proof::{After, Turn};
use crate::game::{Board, Color, Point, PointSet, Rule, Threat};

/// Where a proof breaks, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("after {path:?}: {flaw}")]
pub struct Broken {
    /// The moves from the root to the flaw.
    pub path: Vec<Point>,
    /// What is wrong there.
    pub flaw: Flaw,
}

/// What can be wrong with a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// A stone stands there already, or the point is off the board.
    #[error("{0} is not free")]
    NotFree(Point),
    /// The attacker would play a foul.
    #[error("{0} is a foul")]
    Foul(Point),
    /// The tree says the move makes a five, and it does not.
    #[error("{0} makes no five")]
    NoFive(Point),
    /// The defender has made a five.
    #[error("the defender wins with {0}")]
    DefenderWins(Point),
    /// A reply to which the tree has no answer.
    #[error("no answer to {0}")]
    Unanswered(Point),
    /// The tree answers a reply that cannot be played.
    #[error("{0} cannot be a reply")]
    NoReply(Point),
}

/// Checks that `attacker`, to move on `board`, wins by `proof`. The board is left as it was.
///
/// # Errors
/// The first flaw found.
pub fn verify<R: Rule>(board: &mut Board<R>, attacker: Color, proof: &Turn) -> Result<(), Broken> {
    let base = board.ply();
    let side = board.side();
    board.set_side(attacker);
    let result = check_turn(board, proof).map_err(|flaw| {
        let path = (0..board.ply() - base).rev().filter_map(|back| board.last_move(back)).collect();
        Broken { path, flaw }
    });
    while board.ply() > base {
        board.undo();
    }
    board.set_side(side);
    result
}

/// On an error the moves to it are left on the board.
fn check_turn<R: Rule>(board: &mut Board<R>, turn: &Turn) -> Result<(), Flaw> {
    let attacker = board.side();
    let p = turn.point;
    board.check_free(p).map_err(|_| Flaw::NotFree(p))?;
    if board.level(p, attacker) == crate::game::Level::Five {
        // Whatever the tree goes on to say, the game is won.
        return Ok(());
    }
    if board.is_foul(p, attacker) {
        return Err(Flaw::Foul(p));
    }
    let After::Replies { listed, otherwise } = &turn.after else { return Err(Flaw::NoFive(p)) };
    board.play(p);
    check_replies(board, listed, otherwise.as_deref())?;
    board.undo();
    Ok(())
}

fn check_replies<R: Rule>(
    board: &mut Board<R>,
    listed: &[(Point, Turn)],
    otherwise: Option<&Turn>,
) -> Result<(), Flaw> {
    let (attacker, defender) = (!board.side(), board.side());
    if let Some(five) = board.threats(defender, Threat::Five).first() {
        return Err(Flaw::DefenderWins(five));
    }
    let mut covered = PointSet::EMPTY;
    for (reply, turn) in listed {
        if covered.contains(*reply) || board.check_free(*reply).is_err() {
            return Err(Flaw::NoReply(*reply));
        }
        covered.insert(*reply);
        if !board.is_foul(*reply, defender) {
            board.play(*reply);
            check_turn(board, turn)?;
            board.undo();
        }
    }
    // Against a threat to make a five only the points that answer it need a look: after any other the five follows.
    let candidates = match board.threats(attacker, Threat::Five).first() {
        Some(five) => board.five_replies(five, attacker),
        None => *board.empty(),
    };
    for reply in candidates.without(&covered).iter() {
        if board.is_foul(reply, defender) {
            continue;
        }
        board.play(reply);
        match otherwise {
            _ if !board.threats(attacker, Threat::Five).is_empty() => {}
            Some(turn) => check_turn(board, turn)?,
            None => {
                board.undo();
                return Err(Flaw::Unanswered(reply));
            }
        }
        board.undo();
    }
    Ok(())
}
