//! Extraction of a proof from a solved position: walks the table and searches again where entries were overwritten.
//!
//! A position that several orders of moves lead to is extracted once. Positions are told apart by their 64-bit keys, as
//! in the solvers' tables. Two positions with the same key would give a proof that the verifier rejects.

use std::collections::HashMap;

use super::proof::{After, Proof, TurnId, Turns};
use super::vct::{Expansion, Stopped};
use super::{Budget, Vcf, Vct, Verdict};
use crate::game::{Board, Color, Point, Rule};

/// A proof under construction.
#[derive(Default)]
pub(super) struct Draft {
    turns: Turns,
    /// Turns of the attacker by position, for positions met before.
    known: HashMap<u64, TurnId>,
}

impl Draft {
    /// Returns the turn of a position met before, if it takes at most `plies` plies.
    fn recall(&self, position: u64, plies: usize) -> Option<TurnId> {
        self.known.get(&position).copied().filter(|&turn| self.turns.get(turn).length() <= plies)
    }

    fn remember(&mut self, position: u64, turn: TurnId) {
        // A five is written out at once: it is as short as a reference.
        if self.turns.get(turn).after != After::Five {
            self.known.insert(position, turn);
        }
    }
}

impl<R: Rule> Vcf<R> {
    /// Returns the proof of the win that the last search for `attacker` on this board found; `None` if the budget runs
    /// out, which can happen only under rules where a four has several replies.
    pub fn proof(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Option<Proof> {
        let line: Vec<Point> = self.line().collect();
        self.load(board, attacker);
        let mut draft = Draft::default();
        let root = self.line_proof(attacker, &line, &mut draft, budget).ok()?;
        Some(Proof::new(draft.turns, root))
    }

    /// Builds the proof of a win by fours from the present position, of which `line` is one line.
    fn line_proof(
        &mut self,
        attacker: Color,
        line: &[Point],
        draft: &mut Draft,
        budget: &mut Budget<'_>,
    ) -> Result<TurnId, Stopped> {
        let Some((&point, rest)) = line.split_first() else { return Err(Stopped) };
        if self.fours.five_points(attacker).contains(point) {
            return Ok(draft.turns.push(point, After::Five));
        }
        self.fours.play(point, attacker);
        let listed = self.answers_proof(attacker, rest, draft, budget);
        self.fours.undo();
        Ok(draft.turns.push(point, After::Replies { listed: listed?, otherwise: None }))
    }

    /// Builds the answers to every reply to a four after which the win goes on by `rest`. No reply lasts longer than
    /// the one in `rest`, so that the proof of a shortest win is also shortest.
    fn answers_proof(
        &mut self,
        attacker: Color,
        rest: &[Point],
        draft: &mut Draft,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<(Point, TurnId)>, Stopped> {
        let mut listed = Vec::new();
        let fours = rest.len() / 2;
        for reply in self.fours.answers(attacker).iter() {
            self.fours.play(reply, !attacker);
            let position = self.fours.hash();
            let turn = if let Some(known) = draft.recall(position, 2 * fours + 1) {
                Ok(known)
            } else if rest.first() == Some(&reply) {
                self.line_proof(attacker, &rest[1..], draft, budget)
            } else {
                match self.here(attacker, fours, budget) {
                    Verdict::Win => {
                        let line: Vec<Point> = self.line().collect();
                        self.line_proof(attacker, &line, draft, budget)
                    }
                    _ => Err(Stopped),
                }
            };
            self.fours.undo();
            let turn = turn?;
            draft.remember(position, turn);
            listed.push((reply, turn));
        }
        Ok(listed)
    }
}

impl<R: Rule> Vct<R> {
    /// Returns the proof of the win that [`Self::solve`] has just found on this board; `None` if the budget runs out.
    pub fn proof(&mut self, budget: &mut Budget<'_>) -> Option<Proof> {
        let mut draft = Draft::default();
        let root = self.turn_proof(&mut draft, budget).ok()?;
        Some(Proof::new(draft.turns, root))
    }

    /// Builds the attacker's turn in a position proven won.
    fn turn_proof(&mut self, draft: &mut Draft, budget: &mut Budget<'_>) -> Result<TurnId, Stopped> {
        let position = self.vcf.fours.hash();
        if let Some(known) = draft.recall(position, self.plies_left()) {
            return Ok(known);
        }
        // Only a win by fours can have ended the search for threats here; it is found again.
        let turn = if self.wins_by_fours(self.attacker, self.fours_left(), super::vct::TURN_NODES, budget)? {
            self.fours_proof(draft, budget)?
        } else {
            self.threat_proof(draft, budget)?
        };
        draft.remember(position, turn);
        Ok(turn)
    }

    /// Builds the attacker's turn in a position won by the fours just found.
    fn fours_proof(&mut self, draft: &mut Draft, budget: &mut Budget<'_>) -> Result<TurnId, Stopped> {
        let line: Vec<Point> = self.vcf.line().collect();
        self.vcf.line_proof(self.attacker, &line, draft, budget)
    }

    /// Builds the attacker's turn in a position won by a threat.
    fn threat_proof(&mut self, draft: &mut Draft, budget: &mut Budget<'_>) -> Result<TurnId, Stopped> {
        let attacker = self.attacker;
        let first = self.children.len();
        let key = self.key(attacker);
        let won = loop {
            if !budget.spend(1) {
                return Err(Stopped);
            }
            let expansion = self.expand(attacker, key, budget)?;
            let won = self.children[first..].iter().find(|c| c.is_won()).copied();
            self.children.truncate(first);
            match expansion {
                Expansion::Inner => {
                    if let Some(child) = won {
                        break child;
                    }
                }
                // The search for fours gave up here before; now it finds the win.
                Expansion::Leaf(numbers) if numbers.phi == 0 => {
                    if !self.wins_by_fours(attacker, self.fours_left(), u64::MAX, budget)? {
                        return Err(Stopped);
                    }
                    return self.fours_proof(draft, budget);
                }
                Expansion::Leaf(_) => {}
            }
            // The table has lost the result: search again.
            if self.search_root(budget)?.phi != 0 {
                return Err(Stopped);
            }
        };
        self.vcf.fours.play(won.point, attacker);
        let after = match won.reply {
            Some(reply) => {
                self.vcf.fours.play(reply, !attacker);
                let turn = self.turn_proof(draft, budget);
                self.vcf.fours.undo();
                turn.map(|turn| After::Replies { listed: vec![(reply, turn)], otherwise: None })
            }
            None => self.replies_proof(draft, budget),
        };
        self.vcf.fours.undo();
        Ok(draft.turns.push(won.point, after?))
    }

    /// Builds the answers to the defender's replies in a position proven won for the attacker.
    fn replies_proof(&mut self, draft: &mut Draft, budget: &mut Budget<'_>) -> Result<After, Stopped> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let (replies, line) = if self.vcf.fours.has_five(attacker) {
            (self.vcf.fours.answers(attacker), None)
        } else {
            let behind = self.behind(budget)?.ok_or(Stopped)?;
            (self.unanswered(&behind, budget), behind.line())
        };
        let mut listed = Vec::new();
        for reply in replies.iter() {
            if self.vcf.fours.is_foul(reply, defender) {
                continue;
            }
            self.vcf.fours.play(reply, defender);
            let turn = self.turn_proof(draft, budget);
            self.vcf.fours.undo();
            listed.push((reply, turn?));
        }
        let otherwise = line.map(|line| self.untouched_proof(line.points(), draft, budget)).transpose()?;
        Ok(After::Replies { listed, otherwise })
    }

    /// Builds the proof by the line behind a threat. It serves for every reply that does not disturb this line, so each
    /// turn of the line must be its own, and not one known from another position.
    fn untouched_proof(
        &mut self,
        line: &[Point],
        draft: &mut Draft,
        budget: &mut Budget<'_>,
    ) -> Result<TurnId, Stopped> {
        let known = std::mem::take(&mut draft.known);
        let turn = self.vcf.line_proof(self.attacker, line, draft, budget);
        draft.known = known;
        turn
    }
}
