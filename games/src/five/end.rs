//! Ends of a game: rows, captures, fouls, and the draws.

use kagetsu::game::{Color, PointSet};

use super::Five;
use super::rules::{Captures, Sanction};
use crate::game::{Foul, Move, Outcome, Reason};

impl Five {
    /// Sets the outcome after a move, whose stones are placed and captures made, and passes the turn.
    pub(super) fn finish(&mut self, foul: Option<Foul>, changed: &PointSet, removed: &PointSet) {
        let (color, rows) = (self.side, self.rules.rows);
        let was_pending = std::mem::take(&mut self.pending);
        self.side = !color;
        let has_captured =
            self.rules.captured_to_win.is_some_and(|goal| self.captured[color.index()] >= goal);
        // A reply that breaks the opponent's pending five wins with any own five, also one that it did not
        // make.
        let own_row = changed.iter().any(|p| self.stones.wins_through(p, color, rows))
            || was_pending && self.stones.has_row(color, rows);
        // The capture of some stones of an overline may leave exactly five.
        let near = removed.dilate() & self.stones.occupied();
        let shortened = |owner: Color| {
            let stones = near & self.stones.of[owner.index()];
            stones.iter().any(|p| self.stones.wins_through(p, owner, rows))
        };
        // A stone that counts for both colours may complete a row of the opponent.
        let shared = |p| self.stones.is_wild(p) && self.stones.wins_through(p, !color, rows);
        let other_row = shortened(!color)
            || changed.iter().any(shared)
            || was_pending && self.stones.has_row(!color, rows);
        self.outcome = if has_captured && other_row && !was_pending {
            Some(Outcome::draw(Reason::RowAndCaptures))
        } else if has_captured {
            Some(Outcome::win(color, Reason::Captures))
        } else if was_pending && other_row {
            // The five has survived the reply.
            Some(Outcome::win(!color, Reason::Row))
        } else if own_row || shortened(color) {
            self.pending = self.rules.perfect_five && self.can_break(color);
            (!self.pending).then(|| Outcome::win(color, Reason::Row))
        } else if other_row {
            Some(Outcome::win(!color, Reason::Row))
        } else {
            foul.map(|foul| Outcome::win(!color, Reason::Foul(foul)))
        };
        if self.outcome.is_none() {
            self.outcome = self.draw();
        }
    }

    /// Whether one capture by the opponent of `owner` can leave `owner` without a five. It takes a stone.
    pub(super) fn can_break(&self, owner: Color) -> bool {
        if !self.has_stone(!owner) {
            return false;
        }
        self.stones.empty().iter().any(|p| {
            let caught = self.stones.captured_by(p, !owner, &self.rules);
            if caught.is_empty() {
                return false;
            }
            let mut after = self.stones.clone();
            caught.iter().for_each(|q| after.take(q, owner));
            !after.has_row(owner, self.rules.rows)
        })
    }

    /// Returns the draw if the position is one for the side to move.
    fn draw(&self) -> Option<Outcome> {
        let empty = self.stones.empty();
        if empty.is_empty() {
            return Some(Outcome::draw(Reason::FullBoard));
        }
        if !self.has_stone(self.side) {
            return Some(Outcome::draw(Reason::NoStones));
        }
        let has_bomb = self.has_bomb(self.side);
        let is_shut = |p| self.foul_at(p).is_some() && (!has_bomb || self.foul_of(Move::Bomb(p)).is_some());
        // The first empty point is almost always legal, so this is cheap.
        let stuck = self.rules.sanction == Sanction::Illegal && empty.iter().all(is_shut);
        stuck.then(|| Outcome::draw(Reason::OnlyFouls))
    }

    /// Whether a colour has a stone left to place.
    fn has_stone(&self, color: Color) -> bool {
        self.rules.stones.is_none_or(|limit| self.used(color) < usize::from(limit))
    }

    /// Returns the stones of a colour that cannot be placed again: those on the board, and those that were captured.
    fn used(&self, color: Color) -> usize {
        let captured = match self.rules.captures {
            Captures::None | Captures::Flip => 0,
            Captures::Pairs | Captures::PairsAndTriples => self.captured[(!color).index()],
        };
        self.stones.of[color.index()].len() + usize::from(captured)
    }

    /// Outcome of a position that was set up.
    pub(super) fn standing(&self) -> Option<Outcome> {
        let row = |color: &Color| self.stones.has_row(*color, self.rules.rows);
        let captured = |color: &Color| {
            self.rules.captured_to_win.is_some_and(|goal| self.captured[color.index()] >= goal)
        };
        // If both have a row, the side that moved last made its own, which comes first.
        let both = [!self.side, self.side];
        let [waiting, mover] = both;
        // Captures of the side that moved last come before rows. The last capture left the row of the other side standing,
        // unless that row waited for a reply.
        if captured(&waiting) {
            let is_left = row(&mover) && !(self.rules.perfect_five && self.can_break(mover));
            let win = Outcome::win(waiting, Reason::Captures);
            return Some(if is_left { Outcome::draw(Reason::RowAndCaptures) } else { win });
        }
        if let Some(color) = both.into_iter().find(row) {
            return Some(Outcome::win(color, Reason::Row));
        }
        let captures = both.into_iter().find(captured);
        captures.map(|color| Outcome::win(color, Reason::Captures)).or_else(|| self.draw())
    }
}
