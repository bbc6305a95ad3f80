//! Replies that a proof covers although it was found against a pass: those after which it holds unchanged.
//!
//! The proof of a threat also answers every reply that does not disturb it, so that only the other replies need answers
//! of their own. Each reply is checked as the verifier would check the proof, with one shortcut: behind a threat only
//! replies that could change the line are tried ([`Vct::possible_breaks`]), as in the search.

use std::collections::HashSet;

use super::breaks::ThreatLine;
use super::proof::{After, Proof, TurnId};
use super::{Budget, Vct};
use crate::game::{Board, Color, Point, PointSet, Rule};

/// A proof, with the facts established about it under one reply.
struct Held<'a> {
    proof: &'a Proof,
    /// Whether several replies lead to a turn, by turn index.
    shared: Vec<bool>,
    /// Shared turns that hold, or are being checked, with the stones of this hash. A turn that fails ends the whole
    /// check.
    turns: HashSet<(TurnId, u64)>,
}

impl<R: Rule> Vct<R> {
    /// Returns the legal replies of the defender on `board` after which `attacker` still wins by `proof`. If the budget
    /// runs out, the list is incomplete.
    pub fn covered(
        &mut self,
        board: &Board<R>,
        attacker: Color,
        proof: &Proof,
        budget: &mut Budget<'_>,
    ) -> PointSet {
        self.vcf.load(board, attacker);
        self.attacker = attacker;
        let named = named(proof);
        let shared = proof.references().into_iter().map(|n| n > 1).collect();
        let mut held = Held { proof, shared, turns: HashSet::new() };
        let fives = self.vcf.fours.five_points(!attacker);
        let mut covered = PointSet::EMPTY;
        for p in board.empty().without(&named).iter() {
            if self.vcf.fours.is_foul(p, !attacker) {
                continue;
            }
            held.turns.clear();
            self.vcf.fours.play(p, !attacker);
            if !fives.contains(p) && self.holds(&mut held, proof.root(), budget) {
                covered.insert(p);
            }
            self.vcf.fours.undo();
            if budget.is_exhausted() {
                break;
            }
        }
        covered
    }

    /// Returns whether the attacker, to move, wins by this turn unchanged.
    fn holds(&mut self, held: &mut Held<'_>, id: TurnId, budget: &mut Budget<'_>) -> bool {
        if held.shared[id.index()] && !held.turns.insert((id, self.vcf.fours.hash())) {
            return true;
        }
        let turn = held.proof.turns().get(id);
        let p = turn.point;
        if !self.vcf.fours.is_empty_point(p) {
            return false;
        }
        if self.vcf.fours.five_points(self.attacker).contains(p) {
            return true;
        }
        let After::Replies { listed, otherwise } = &turn.after else { return false };
        if self.vcf.fours.is_foul(p, self.attacker) || !budget.spend(1) {
            return false;
        }
        self.vcf.fours.play(p, self.attacker);
        let holds = !self.vcf.fours.has_five(!self.attacker)
            && self.listed_hold(held, listed, budget)
            && self.others_hold(held, listed, *otherwise, budget);
        self.vcf.fours.undo();
        holds
    }

    fn listed_hold(
        &mut self,
        held: &mut Held<'_>,
        listed: &[(Point, TurnId)],
        budget: &mut Budget<'_>,
    ) -> bool {
        listed.iter().all(|&(reply, turn)| {
            self.vcf.fours.is_empty_point(reply)
                && (self.vcf.fours.is_foul(reply, !self.attacker)
                    || self.holds_after(held, reply, turn, budget))
        })
    }

    fn holds_after(
        &mut self,
        held: &mut Held<'_>,
        reply: Point,
        turn: TurnId,
        budget: &mut Budget<'_>,
    ) -> bool {
        self.vcf.fours.play(reply, !self.attacker);
        let holds = self.holds(held, turn, budget);
        self.vcf.fours.undo();
        holds
    }

    /// Returns whether the replies without an answer of their own lose.
    fn others_hold(
        &mut self,
        held: &mut Held<'_>,
        listed: &[(Point, TurnId)],
        otherwise: Option<TurnId>,
        budget: &mut Budget<'_>,
    ) -> bool {
        let listed: PointSet = listed.iter().map(|&(reply, _)| reply).collect();
        if self.vcf.fours.has_five(self.attacker) {
            return self.vcf.fours.answers(self.attacker).without(&listed).is_empty();
        }
        // Only a proof of limited length lists all replies and has no answer to others; none is checked here.
        let Some(turn) = otherwise else { return false };
        // A quiet threat does not win against Black with fouls only, as in the verifier.
        if !self.vcf.fours.has_legal_move(!self.attacker) {
            return false;
        }
        let possible = match line(held.proof, turn) {
            // Replies that cannot disturb the line count as a pass.
            Some(line) if self.holds(held, turn, budget) => self.possible_breaks(&line),
            Some(_) => return false,
            None => PointSet::full(self.vcf.fours.size()),
        };
        possible.without(&listed).iter().all(|reply| {
            !self.vcf.fours.is_empty_point(reply)
                || self.vcf.fours.is_foul(reply, !self.attacker)
                || self.holds_after(held, reply, turn, budget)
        })
    }
}

/// Returns every point that the proof names. A stone there disturbs the proof.
fn named(proof: &Proof) -> PointSet {
    let mut points = PointSet::EMPTY;
    for id in proof.order() {
        let turn = proof.turns().get(id);
        points.insert(turn.point);
        if let After::Replies { listed, .. } = &turn.after {
            listed.iter().for_each(|&(reply, _)| points.insert(reply));
        }
    }
    points
}

/// Returns the line of fours that begins with a turn, if the turn holds nothing else.
fn line(proof: &Proof, mut id: TurnId) -> Option<ThreatLine> {
    let mut line = ThreatLine::default();
    loop {
        let turn = proof.turns().get(id);
        line.push(turn.point)?;
        match &turn.after {
            After::Five => return Some(line),
            After::Replies { listed, otherwise: None } => match listed[..] {
                [] => return Some(line),
                [(reply, next)] => {
                    line.push(reply)?;
                    id = next;
                }
                _ => return None,
            },
            After::Replies { .. } => return None,
        }
    }
}
