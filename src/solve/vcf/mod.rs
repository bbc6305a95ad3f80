//! Victory by continuous fours (VCF): depth-first search over the attacker's fours.
//!
//! A four leaves the defender only the reply that stops the five (several under rules with closed rows), so in essence
//! only the attacker chooses. Transpositions are frequent and wins rare, so the table stores failures only, with the
//! number of fours searched. Stones never leave the board: the result of a position does not depend on the way to it,
//! and a stored failure stays true.
//!
//! The rules add: if a reply makes a four of the defender, the attacker's next four must also stop the five; Black as
//! attacker may not play fouls; Black as defender loses if the only reply is a foul.
//!
//! The search keeps its own stack and allocates nothing once it has been created.

mod frame;

use std::fmt;

use self::frame::{Frame, Replies};
use super::fours::{FourMove, Fours};
use super::table::{Failures, UNLIMITED};
use super::{Budget, Verdict};
use crate::game::{Board, Color, Point, Rule, Size, zobrist};

/// A limit larger than any board has room for; so an unlimited search needs no case of its own.
pub(super) const NO_LIMIT: usize = UNLIMITED as usize - 1;

/// Ordering score of a four to which the reply makes a four of the defender.
const COUNTER_FOUR: i32 = -8;

/// State of the iterative search.
enum VcfState {
    /// The attacker at the top of the stack tries its next four.
    Next,
    /// The attacker has won; `Vcf::line` holds the line.
    Won,
    /// The attacker has no win here.
    Failed,
    /// The budget is used up.
    Stopped,
}

/// Solver for wins by fours, with its memory. Create one and use it many times.
pub struct Vcf<R: Rule> {
    pub(super) fours: Box<Fours<R>>,
    attacker: Color,
    /// Stones on the board when the search began.
    base: usize,
    failures: Failures,
    stack: Vec<Frame>,
    moves: Vec<FourMove>,
    /// The winning line from the attacker's view, last move first.
    line: Vec<Point>,
    longest: Vec<Point>,
}

impl<R: Rule> fmt::Debug for Vcf<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vcf").field("rule", &R::KIND).finish_non_exhaustive()
    }
}

impl<R: Rule> Vcf<R> {
    /// Creates a solver whose table of failures takes at most `table_bytes`.
    pub fn new(table_bytes: usize) -> Vcf<R> {
        Vcf {
            fours: Box::new(Fours::empty(Size::S15)),
            attacker: Color::Black,
            base: 0,
            failures: Failures::new(table_bytes),
            stack: Vec::with_capacity(usize::from(UNLIMITED)),
            moves: Vec::with_capacity(4096),
            line: Vec::with_capacity(512),
            longest: Vec::with_capacity(512),
        }
    }

    /// Clears the results of earlier searches. Results do not depend on it.
    pub fn clear(&mut self) {
        self.failures.clear();
    }

    /// Returns whether `attacker`, to move, wins by fours, not necessarily in the shortest way.
    pub fn solve(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Verdict {
        self.within(board, attacker, NO_LIMIT, budget)
    }

    /// Returns whether `attacker`, to move, wins by at most `fours` fours (0: by a five at once).
    pub fn within(
        &mut self,
        board: &Board<R>,
        attacker: Color,
        fours: usize,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        self.load(board, attacker);
        self.search(fours.min(NO_LIMIT) as u8, budget)
    }

    /// Runs [`Self::within`] on the position that `self.fours` holds.
    #[inline]
    pub(super) fn here(&mut self, attacker: Color, fours: usize, budget: &mut Budget<'_>) -> Verdict {
        self.attacker = attacker;
        self.search(fours.min(NO_LIMIT) as u8, budget)
    }

    /// Finds a shortest win. The second value tells whether it is proven to be shortest; if not, the budget ran out
    /// first.
    pub fn shortest(
        &mut self,
        board: &Board<R>,
        attacker: Color,
        budget: &mut Budget<'_>,
    ) -> (Verdict, bool) {
        self.load(board, attacker);
        match self.search(NO_LIMIT as u8, budget) {
            Verdict::Win => {}
            other => return (other, false),
        }
        let best = self.line.clone();
        let most = self.fours_in_line();
        for fours in 1..most {
            match self.search(fours as u8, budget) {
                Verdict::Win => return (Verdict::Win, true),
                Verdict::NoWin => {}
                Verdict::Unknown => {
                    self.line.clone_from(&best);
                    return (Verdict::Win, false);
                }
            }
        }
        self.line.clone_from(&best);
        (Verdict::Win, true)
    }

    fn fours_in_line(&self) -> usize {
        self.line.len().div_ceil(2)
    }

    /// Returns the line of the last win: the attacker's moves and the replies in turn, up to the move that decides (a
    /// four that cannot be stopped, or a five that was there at once). If several replies had to be refuted, it is a
    /// longest line.
    pub fn line(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.line.iter().rev().copied()
    }

    pub(super) fn load(&mut self, board: &Board<R>, attacker: Color) {
        self.fours.load(board);
        self.attacker = attacker;
    }

    /// Searches the loaded position with at most `fours` fours.
    fn search(&mut self, fours: u8, budget: &mut Budget<'_>) -> Verdict {
        self.base = self.fours.ply();
        self.stack.clear();
        self.moves.clear();
        self.line.clear();
        self.longest.clear();
        if self.fours.has_five(self.attacker) {
            self.line.extend(self.fours.five_points(self.attacker).first());
            return Verdict::Win;
        }
        let key = self.fours.hash() ^ zobrist::side(self.attacker);
        if fours == 0 || self.failures.known(key, fours).is_some() {
            return Verdict::NoWin;
        }
        let mut step = self.enter(key, fours);
        loop {
            step = match step {
                VcfState::Next => self.next(budget),
                VcfState::Won if self.stack.len() == 1 => return Verdict::Win,
                VcfState::Won => self.won(budget),
                VcfState::Failed if self.stack.len() == 1 => {
                    self.remember_failure();
                    return Verdict::NoWin;
                }
                VcfState::Failed => self.failed(),
                VcfState::Stopped => {
                    while self.fours.ply() > self.base {
                        self.fours.undo();
                    }
                    return Verdict::Unknown;
                }
            }
        }
    }

    #[inline(always)]
    fn top(&mut self) -> &mut Frame {
        let top = self.stack.len() - 1;
        &mut self.stack[top]
    }

    /// Pushes an attacker's turn with its fours in order, the best first; with none if one of them wins at once.
    #[inline(always)]
    fn enter(&mut self, key: u64, fours: u8) -> VcfState {
        let first = self.moves.len();
        self.list_candidates(first);
        if !R::CLOSABLE {
            for c in &self.moves[first..] {
                // Fours in two lines, or a straight four; for Black the foul test tells them apart.
                if c.completions > 1 && !self.fours.is_foul(c.point, self.attacker) {
                    self.line.push(c.point);
                    self.stack.push(Frame::new(key, fours, first, first));
                    return VcfState::Won;
                }
            }
        }
        self.stack.push(Frame::new(key, fours, first, self.moves.len()));
        VcfState::Next
    }

    #[inline(always)]
    fn list_candidates(&mut self, first: usize) {
        let (state, moves) = (&*self.fours, &mut self.moves);
        let (attacker, defender) = (self.attacker, !self.attacker);
        let mut add = |mut c: FourMove| {
            if state.makes_four(c.completion, defender) {
                c.score += COUNTER_FOUR;
            }
            let mut i = moves.len();
            moves.push(c);
            while i > first && moves[i - 1].score < c.score {
                moves[i] = moves[i - 1];
                i -= 1;
            }
            moves[i] = c;
        };
        if R::CLOSABLE || !state.has_five(defender) {
            state.for_each_four(attacker, add);
        } else {
            // The four must also stop the five.
            let fives = state.five_points(defender);
            if let (Some(p), 1) = (fives.first(), fives.len())
                && let Some((c, _)) = state.four_at(p, attacker)
            {
                add(c);
            }
        }
    }

    /// Plays the next four of the top frame that is not known to fail, and a reply to it.
    #[inline(always)]
    fn next(&mut self, budget: &mut Budget<'_>) -> VcfState {
        let (attacker, defender) = (self.attacker, !self.attacker);
        loop {
            let top = self.top();
            if top.first == top.end {
                return VcfState::Failed;
            }
            let at = top.first;
            top.first += 1;
            let c = self.moves[at];
            if !R::CLOSABLE && !R::fouls(defender) && self.is_refuted(c.point, c.completion) {
                continue;
            }
            if self.fours.is_foul(c.point, attacker) {
                continue;
            }
            if !budget.spend(1) {
                return VcfState::Stopped;
            }
            self.fours.play(c.point, attacker);
            if R::CLOSABLE && self.fours.has_five(defender) {
                self.fours.undo();
                continue;
            }
            let waiting = self.replies(c.completion);
            let top = self.top();
            top.point = c.point;
            top.waiting = waiting;
            if top.waiting.is_empty() {
                self.fours.undo();
                self.line.push(c.point);
                return VcfState::Won;
            }
            let step = self.reply(budget);
            if !matches!(step, VcfState::Failed) {
                return step;
            }
            self.fours.undo();
        }
    }

    /// Returns the legal replies after which the attacker, who has just made a four that `completion` completes, has no
    /// five.
    #[inline(always)]
    fn replies(&mut self, completion: Point) -> Replies {
        let mut found = Replies::default();
        let defender = !self.attacker;
        if !R::CLOSABLE {
            if !self.fours.is_foul(completion, defender) {
                found.push(completion);
            }
            return found;
        }
        for p in self.fours.answers(self.attacker).iter() {
            found.push(p);
        }
        found
    }

    /// Returns whether the position after a four and its reply is known to fail, or lies beyond the limit.
    #[inline(always)]
    fn is_refuted(&mut self, point: Point, reply: Point) -> bool {
        let attacker = self.attacker;
        let top = self.top();
        let (key, fours) = (top.child_key(point, reply, attacker), top.fours - 1);
        if fours == 0 {
            top.cut = true;
            return true;
        }
        match self.failures.known(key, fours) {
            Some(depth) => {
                self.top().cut |= depth != UNLIMITED;
                true
            }
            None => false,
        }
    }

    /// Plays the next reply to the four of the top frame; [`VcfState::Failed`] if it is known to refute the four.
    #[inline(always)]
    fn reply(&mut self, budget: &mut Budget<'_>) -> VcfState {
        let attacker = self.attacker;
        let top = self.top();
        let Some(reply) = top.waiting.pop() else { return VcfState::Failed };
        top.reply = reply;
        let (point, fours) = (top.point, top.fours - 1);
        let key = top.child_key(point, reply, attacker);
        if (R::CLOSABLE || R::fouls(!attacker)) && self.is_refuted(point, reply) {
            self.drop_lines();
            return VcfState::Failed;
        }
        if !budget.spend(1) {
            return VcfState::Stopped;
        }
        self.fours.play(reply, !attacker);
        self.enter(key, fours)
    }

    /// Handles an attacker's turn without a win: the four that led to it is refuted.
    #[inline(always)]
    fn failed(&mut self) -> VcfState {
        self.remember_failure();
        let child = self.stack.pop();
        self.fours.undo();
        self.fours.undo();
        let top = self.top();
        top.cut |= child.is_some_and(|child| child.cut);
        let end = top.end;
        self.moves.truncate(end);
        self.drop_lines();
        VcfState::Next
    }

    #[inline(always)]
    fn remember_failure(&mut self) {
        let &mut Frame { key, cut, fours, .. } = self.top();
        self.failures.store(key, if cut { fours } else { UNLIMITED });
    }

    /// Drops the lines against replies already refuted.
    #[inline(always)]
    fn drop_lines(&mut self) {
        if R::CLOSABLE {
            let kept = self.longest.len() - self.top().longest;
            self.longest.truncate(kept);
            self.top().longest = 0;
        }
    }

    /// Handles an attacker's turn that is won: the turn below is won too, unless its four has replies left.
    fn won(&mut self, budget: &mut Budget<'_>) -> VcfState {
        self.stack.pop();
        self.fours.undo();
        let &mut Frame { end, point, reply, .. } = self.top();
        self.moves.truncate(end);
        self.line.push(reply);
        if R::CLOSABLE {
            if self.line.len() > self.top().longest {
                self.drop_lines();
                self.longest.extend_from_slice(&self.line);
                self.top().longest = self.line.len();
            }
            self.line.clear();
            if !self.top().waiting.is_empty() {
                let step = self.reply(budget);
                if matches!(step, VcfState::Failed) {
                    self.fours.undo();
                    return VcfState::Next;
                }
                return step;
            }
            let kept = self.longest.len() - self.top().longest;
            self.line.extend(self.longest.drain(kept..));
        }
        self.line.push(point);
        self.fours.undo();
        VcfState::Won
    }
}
