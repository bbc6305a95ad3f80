//! From a solved position to its proof: walks the table, and searches again whatever it has forgotten.

use super::proof::{After, Turn};
use super::vcf::NO_LIMIT;
use super::vct::{Expansion, Stopped};
use super::{Budget, Vcf, Vct, Verdict};
use crate::game::{Board, Color, Point, Rule};

impl<R: Rule> Vcf<R> {
    /// The proof of the win that the last search for `attacker` on this board found; `None` if the budget runs out
    /// (which it can only under rules where a four has several replies).
    pub fn proof(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Option<Turn> {
        let line: Vec<Point> = self.line().collect();
        self.load(board, attacker);
        self.proof_here(attacker, &line, budget).ok()
    }

    /// The proof of a win by fours in the position at hand, of which `line` is one line.
    pub(super) fn proof_here(
        &mut self,
        attacker: Color,
        line: &[Point],
        budget: &mut Budget<'_>,
    ) -> Result<Turn, Stopped> {
        let Some((&point, rest)) = line.split_first() else { return Err(Stopped) };
        if self.fours.five_points(attacker).contains(point) {
            return Ok(Turn::five(point));
        }
        self.fours.play(point, attacker);
        let listed = self.answers_proof(attacker, rest, budget);
        self.fours.undo();
        Ok(Turn { point, after: After::Replies { listed: listed?, otherwise: None } })
    }

    /// The proofs against every reply to a four after which the win goes on by `rest`. No reply holds out longer than the
    /// one in `rest` does, so that the proof of a shortest win is as short.
    fn answers_proof(
        &mut self,
        attacker: Color,
        rest: &[Point],
        budget: &mut Budget<'_>,
    ) -> Result<Vec<(Point, Turn)>, Stopped> {
        let mut listed = Vec::new();
        let fours = rest.len() / 2;
        for reply in self.fours.answers(attacker).iter() {
            self.fours.play(reply, !attacker);
            let turn = if rest.first() == Some(&reply) {
                self.proof_here(attacker, &rest[1..], budget)
            } else {
                match self.here(attacker, fours, budget) {
                    Verdict::Win => {
                        let line: Vec<Point> = self.line().collect();
                        self.proof_here(attacker, &line, budget)
                    }
                    _ => Err(Stopped),
                }
            };
            self.fours.undo();
            listed.push((reply, turn?));
        }
        Ok(listed)
    }
}

impl<R: Rule> Vct<R> {
    /// The proof of the win that [`Self::solve`] has just found on this board; `None` if the budget runs out.
    pub fn proof(&mut self, budget: &mut Budget<'_>) -> Option<Turn> {
        self.turn_proof(budget).ok()
    }

    /// The attacker to move in a position proven won.
    fn turn_proof(&mut self, budget: &mut Budget<'_>) -> Result<Turn, Stopped> {
        let attacker = self.attacker;
        // Only a win by fours may end the search for threats; it is found again, if need be without a limit.
        if self.vcf.here(attacker, NO_LIMIT, &mut budget.part(super::vct::TURN_NODES)) == Verdict::Win {
            let line: Vec<Point> = self.vcf.line().collect();
            return self.vcf.proof_here(attacker, &line, budget);
        }
        let first = self.children.len();
        let key = self.key(attacker);
        let won = loop {
            if let Expansion::Inner = self.expand(attacker, key, budget)? {
                let won = self.children[first..].iter().find(|c| c.is_won()).copied();
                self.children.truncate(first);
                if let Some(child) = won {
                    break child;
                }
            }
            // Forgotten by the table.
            if self.search_root(budget)?.phi != 0 {
                return Err(Stopped);
            }
        };
        self.vcf.fours.play(won.point, attacker);
        let after = match won.reply {
            Some(reply) => {
                self.vcf.fours.play(reply, !attacker);
                let turn = self.turn_proof(budget);
                self.vcf.fours.undo();
                turn.map(|turn| After::Replies { listed: vec![(reply, turn)], otherwise: None })
            }
            None => self.replies_proof(budget),
        };
        self.vcf.fours.undo();
        Ok(Turn { point: won.point, after: after? })
    }

    /// The defender to move in a position proven won for the attacker.
    fn replies_proof(&mut self, budget: &mut Budget<'_>) -> Result<After, Stopped> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let (replies, otherwise) = if self.vcf.fours.has_five(attacker) {
            (self.vcf.fours.answers(attacker), None)
        } else {
            if !self.wins_by_fours(attacker, super::THREAT_FOURS, u64::MAX, budget)? {
                return Err(Stopped);
            }
            let line = self.threat_line();
            let turn = self.vcf.proof_here(attacker, line.points(), budget)?;
            (self.breaks(&line), Some(Box::new(turn)))
        };
        let mut listed = Vec::new();
        for reply in replies.iter() {
            if self.vcf.fours.is_foul(reply, defender) {
                continue;
            }
            self.vcf.fours.play(reply, defender);
            let turn = self.turn_proof(budget);
            self.vcf.fours.undo();
            listed.push((reply, turn?));
        }
        Ok(After::Replies { listed, otherwise })
    }
}
