//! Independent verifier of a proof. It knows the rules and the structure of a proof, and nothing of how it was found.
//!
//! At each move of the attacker it checks that the point is empty and legal; at each turn of the defender that
//! **every** legal reply is met: by its own branch, by the branch for all others, or by a five that is then on the
//! board. A reply by which the defender wins fails the proof. The verifier trusts no claim of the proof, but
//! makes two assumptions. The defender does not pass: where the rules allow passes, a proof does not exclude
//! a draw by passing. Against a threat to make a five, Black under Renju has a legal point: a proof does not
//! exclude that Black has only fouls left.
//!
//! A turn that several replies lead to is checked once for each set of stones. The sets are compared in full, not by
//! hash.

use std::collections::HashSet;

use super::Budget;
use super::proof::{After, Proof, Turn, TurnId};
use crate::game::{Board, Color, Level, Point, PointSet, Rule, Threat};

/// Location of a flaw in a proof, and the flaw.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("after {path:?}: {flaw}")]
pub struct Broken {
    /// The moves from the root to the flaw.
    pub path: Vec<Point>,
    /// The flaw at that place.
    pub flaw: Flaw,
}

/// Kinds of flaws of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// The point is occupied or off the board.
    #[error("{0} is occupied or off the board")]
    NotFree(Point),
    /// The attacker's move is a foul.
    #[error("{0} is a foul")]
    Foul(Point),
    /// The proof claims a five that the move does not make.
    #[error("{0} does not make the five that the proof claims")]
    NoFive(Point),
    /// The defender has made a five.
    #[error("the defender wins with {0}")]
    DefenderWins(Point),
    /// The proof has no answer to a reply.
    #[error("no answer to {0}")]
    Unanswered(Point),
    /// The proof answers a reply that is not legal.
    #[error("{0} cannot be a reply")]
    NoReply(Point),
    /// After the attacker's move the defender has no legal reply, and the attacker has no five to make.
    #[error("the defender has no legal move, and the attacker no five")]
    NothingFollows,
    /// The game was over before the first move.
    #[error("the game is over")]
    Over,
    /// The budget ran out; no flaw was found so far.
    #[error("not checked to the end: the budget ran out")]
    Unfinished,
}

/// Checks that `attacker`, to move on `board`, wins by `proof`. The board is left as it was.
///
/// # Errors
/// The first flaw found; [`Flaw::Unfinished`] if the budget ran out.
pub fn verify<R: Rule>(
    board: &mut Board<R>,
    attacker: Color,
    proof: &Proof,
    budget: &mut Budget<'_>,
) -> Result<(), Broken> {
    if board.find_row().is_some() || board.last_foul().is_some() {
        return Err(Broken { path: Vec::new(), flaw: Flaw::Over });
    }
    let base = board.ply();
    let side = board.side();
    board.set_side(attacker);
    let shared = proof.references().into_iter().map(|n| n > 1).collect();
    let mut check = Check { board, proof, shared, checked: HashSet::new(), budget };
    let result = check.turn(proof.root());
    let board = check.board;
    let result = result.map_err(|flaw| {
        let path = (0..board.ply() - base).rev().filter_map(|back| board.last_move(back)).collect();
        Broken { path, flaw }
    });
    while board.ply() > base {
        board.undo();
    }
    board.set_side(side);
    result
}

/// The stones of each colour.
type Stones = [PointSet; 2];

/// A check under way. After an error the moves to the flaw stay on the board.
struct Check<'a, 'b, R: Rule> {
    board: &'a mut Board<R>,
    proof: &'a Proof,
    /// Whether several replies lead to a turn, by turn index.
    shared: Vec<bool>,
    /// Shared turns that hold, or are being checked, with these stones. Stones are never taken away, so a turn is never
    /// met again within its own check.
    checked: HashSet<(TurnId, Stones)>,
    budget: &'a mut Budget<'b>,
}

impl<R: Rule> Check<'_, '_, R> {
    fn turn(&mut self, id: TurnId) -> Result<(), Flaw> {
        if self.shared[id.index()]
            && !self.checked.insert((id, Color::BOTH.map(|c| *self.board.stones_of(c))))
        {
            return Ok(());
        }
        let attacker = self.board.side();
        let Turn { point: p, after, .. } = self.proof.turns().get(id);
        let p = *p;
        self.board.check_free(p).map_err(|_| Flaw::NotFree(p))?;
        if self.board.level(p, attacker) == Level::Five {
            // The game is won here, whatever else the proof says.
            return Ok(());
        }
        if self.board.is_foul(p, attacker) {
            return Err(Flaw::Foul(p));
        }
        let After::Replies { listed, otherwise } = after else { return Err(Flaw::NoFive(p)) };
        self.play(p)?;
        self.replies(listed, *otherwise)?;
        self.board.undo();
        Ok(())
    }

    fn play(&mut self, p: Point) -> Result<(), Flaw> {
        if !self.budget.spend(1) {
            return Err(Flaw::Unfinished);
        }
        self.board.play(p);
        Ok(())
    }

    fn replies(&mut self, listed: &[(Point, TurnId)], otherwise: Option<TurnId>) -> Result<(), Flaw> {
        let (attacker, defender) = (!self.board.side(), self.board.side());
        if let Some(five) = self.board.threats(defender, Threat::Five).first() {
            return Err(Flaw::DefenderWins(five));
        }
        let mut covered = PointSet::EMPTY;
        let mut follows = false;
        for &(reply, turn) in listed {
            if covered.contains(reply) || self.board.check_free(reply).is_err() {
                return Err(Flaw::NoReply(reply));
            }
            covered.insert(reply);
            if !self.board.is_foul(reply, defender) {
                follows = true;
                self.play(reply)?;
                self.turn(turn)?;
                self.board.undo();
            }
        }
        // Against a threat to make a five only the points that stop it need a check: after any other reply the five
        // follows.
        let candidates = match self.board.threats(attacker, Threat::Five).first() {
            Some(five) => {
                follows = true;
                self.board.five_replies(five, attacker)
            }
            None => *self.board.empty(),
        };
        for reply in candidates.without(&covered).iter() {
            if !self.board.is_foul(reply, defender) {
                follows = true;
                self.other_reply(reply, otherwise)?;
            }
        }
        if follows { Ok(()) } else { Err(Flaw::NothingFollows) }
    }

    /// Checks a reply without an answer of its own.
    fn other_reply(&mut self, reply: Point, otherwise: Option<TurnId>) -> Result<(), Flaw> {
        let attacker = !self.board.side();
        self.play(reply)?;
        match otherwise {
            _ if !self.board.threats(attacker, Threat::Five).is_empty() => {}
            Some(turn) => {
                // Results with this stone on the board do not hold for other replies, and would only fill the memory.
                let outer = std::mem::take(&mut self.checked);
                self.turn(turn)?;
                self.checked = outer;
            }
            None => {
                self.board.undo();
                return Err(Flaw::Unanswered(reply));
            }
        }
        self.board.undo();
        Ok(())
    }
}
