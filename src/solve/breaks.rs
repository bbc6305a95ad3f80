//! Replies that break a threat: the complete set, relative to one line that wins if the defender passes.

use super::vct::Stopped;
use super::{Budget, THREAT_FOURS, Vct};
use crate::game::{Point, PointSet, Rule};

/// Longest line behind a threat: the most fours of the class, and the replies between them.
const MAX_LINE: usize = 2 * THREAT_FOURS;

/// Winning line behind a threat: the attacker's fours and the forced replies in turn.
#[derive(Clone, Copy)]
pub(super) struct ThreatLine {
    points: [Point; MAX_LINE],
    len: usize,
}

impl Default for ThreatLine {
    fn default() -> ThreatLine {
        ThreatLine { points: [Point::new(0, 0); MAX_LINE], len: 0 }
    }
}

impl ThreatLine {
    /// Adds a move; returns `None` if there is no room.
    pub fn push(&mut self, p: Point) -> Option<()> {
        *self.points.get_mut(self.len)? = p;
        self.len += 1;
        Some(())
    }

    pub fn points(&self) -> &[Point] {
        &self.points[..self.len]
    }
}

/// Win by fours behind a threat.
pub(super) enum Behind {
    /// A win that fits into the moves left: its line answers every reply that does not break it.
    Line(ThreatLine),
    /// A win that takes more moves than are left. The move is still a threat, and every reply needs an answer
    /// of its own.
    TooLong,
}

impl Behind {
    /// Returns the line that answers the replies that do not break it.
    pub fn line(&self) -> Option<ThreatLine> {
        match self {
            Behind::Line(line) => Some(*line),
            Behind::TooLong => None,
        }
    }
}

impl<R: Rule> Vct<R> {
    /// Returns the win by fours behind the attacker's last move; `None` if there is none of the class, so that it is no threat.
    pub(super) fn behind(&mut self, budget: &mut Budget<'_>) -> Result<Option<Behind>, Stopped> {
        let (attacker, left) = (self.attacker, self.fours_left());
        if self.wins_by_fours(attacker, THREAT_FOURS.min(left), u64::MAX, budget)? {
            return Ok(Some(Behind::Line(self.threat_line())));
        }
        // With three moves left, a quiet move, a four and a five may win. With two left, a four must win after every reply
        // although none wins after a pass, so each reply would have to help the attacker. That happens on a nearly full board
        // alone; to look for it would double the nodes.
        let quiet = (2..THREAT_FOURS).contains(&left);
        let too_long = quiet && self.wins_by_fours(attacker, THREAT_FOURS, u64::MAX, budget)?;
        Ok(too_long.then_some(Behind::TooLong))
    }

    /// Returns the points of the replies that need an answer of their own. Their legality is not checked.
    pub(super) fn unanswered(&mut self, behind: &Behind, budget: &mut Budget<'_>) -> PointSet {
        match behind {
            Behind::Line(line) => self.breaks(line, budget),
            Behind::TooLong => {
                let all = PointSet::full(self.vcf.fours.size());
                all.iter().filter(|&p| self.vcf.fours.is_empty_point(p)).collect()
            }
        }
    }

    /// Returns the line that the last search for fours found.
    fn threat_line(&self) -> ThreatLine {
        let mut line = ThreatLine::default();
        self.vcf.line().map_while(|p| line.push(p)).for_each(drop);
        line
    }

    /// Returns the empty points where a defender's stone stops the attacker from winning by this line. The legality of
    /// the reply is not checked.
    fn breaks(&mut self, line: &ThreatLine, budget: &mut Budget<'_>) -> PointSet {
        let possible = self.possible_breaks(line);
        // The line is played after each of these stones.
        budget.tick((possible.len() * (1 + line.points().len())) as u64);
        let mut found = PointSet::EMPTY;
        for p in possible.iter() {
            if self.vcf.fours.is_empty_point(p) {
                self.vcf.fours.play(p, !self.attacker);
                if !self.still_wins(line) {
                    found.insert(p);
                }
                self.vcf.fours.undo();
            }
        }
        found
    }

    /// Returns every point where a stone could change the outcome of the line, taken points among them.
    ///
    /// The attacker's fours depend only on their own cells: the line's points and its last completions. The defender
    /// can interfere only by a five, for which its stone must first make a four. If the line depends on a foul, or if
    /// the rule lets rows be closed, a stone anywhere may matter, so every point belongs to them. White's stone makes no
    /// foul of a point that does not look like one: it takes rows from Black and gives none.
    pub(super) fn possible_breaks(&mut self, line: &ThreatLine) -> PointSet {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let everywhere = PointSet::full(self.vcf.fours.size());
        if R::CLOSABLE {
            return everywhere;
        }
        let mut points: PointSet = line.points().iter().copied().collect();
        let mut everything = false;
        for (i, &p) in line.points().iter().enumerate() {
            let color = if i.is_multiple_of(2) { attacker } else { defender };
            everything |= match color == attacker {
                true => self.vcf.fours.is_suspect(p, attacker),
                // The line already wins here, unless another stone makes the reply legal.
                false => self.vcf.fours.is_foul(p, defender),
            };
            self.vcf.fours.play(p, color);
            if color == attacker {
                points = points | self.vcf.fours.four_points(defender);
            }
        }
        let completions = self.vcf.fours.five_points(attacker);
        // A single completion wins because it is a foul for Black, and a stone may change that.
        everything |= completions.len() == 1;
        points = points | completions;
        for _ in line.points() {
            self.vcf.fours.undo();
        }
        if everything { everywhere } else { points }
    }

    /// Returns whether the attacker, to move, still wins by the line.
    fn still_wins(&mut self, line: &ThreatLine) -> bool {
        let base = self.vcf.fours.ply();
        let wins = self.play_line(line);
        while self.vcf.fours.ply() > base {
            self.vcf.fours.undo();
        }
        wins
    }

    fn play_line(&mut self, line: &ThreatLine) -> bool {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let fours = &mut self.vcf.fours;
        for (i, &p) in line.points().iter().enumerate().step_by(2) {
            if !fours.is_empty_point(p) || fours.is_foul(p, attacker) {
                return false;
            }
            fours.play(p, attacker);
            if fours.has_five(defender) || !fours.has_five(attacker) {
                return false;
            }
            let answers = fours.answers(attacker);
            let Some(reply) = answers.first() else { return true };
            if answers.len() > 1 || line.points().get(i + 1) != Some(&reply) {
                return false;
            }
            fours.play(reply, defender);
            if fours.has_five(attacker) {
                return false;
            }
        }
        false
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::game::notation::parse;
    use crate::game::{Board, Caro, Color, Size};
    use crate::solve::Verdict;

    /// Under rules with closed rows the solver tries a stone on every point of the board after each threat.
    #[test]
    fn a_stop_is_seen_after_few_threats() {
        let position = parse("k11k12l12j9m10v22", Size::new(22).ok()).unwrap();
        let board = Board::<Caro>::from_position(&position).unwrap();
        let stop = AtomicBool::new(true);
        let mut budget = Budget::unlimited().stopped_by(&stop);
        let verdict = Vct::<Caro>::new(1 << 20).solve(&board, Color::Black, &mut budget);
        assert_eq!(verdict, Verdict::Unknown);
        assert!(budget.used() < 300, "{}", budget.used());
    }
}
