//! Victory by continuous threats: depth-first proof-number search over threats and every reply that can refute them.
//!
//! **The threat class.** A move belongs to it if it makes a four, or if a VCF of at most [`THREAT_FOURS`] fours stands behind
//! it, should the defender pass, and it shares an open window with a stone of the attacker's or must be played because the
//! defender threatens a five. After every such move the attacker threatens to win by fours.
//!
//! **Replies.** The defender may play anywhere. The solver looks at one concrete winning line behind the threat, and
//! dismisses exactly the replies after which that line still wins, move by move ([`Vct::breaks`]): those are proven
//! lost by the line itself. All other legal points become children. If only wins of a limited length count
//! and that line is too long, no reply is dismissed. So a win is proven without an assumption about the place
//! of a defence, and when every child of every threat has failed, "no win of this class" is proven too.
//!
//! CITE: Nagai (2002) for df-pn; Pawlewicz and Lew, "Improving depth-first PN-search: 1+ε trick" (2006).

use std::fmt;

use super::numbers::{INFINITE, Numbers, NumbersTable};
use super::proof::Proof;
use super::vcf::NO_LIMIT;
use super::{Budget, Vcf, Verdict};
use crate::game::{Board, Color, Point, Rule, zobrist};

/// Most fours of the VCF that stands behind a threat.
pub const THREAT_FOURS: usize = 3;

/// Most nodes for the full search for fours at an attacker's turn. Where it gives up, the fours count as threats like
/// others.
pub(super) const TURN_NODES: u64 = 20_000;
/// Most nodes for the search for the defender's own win by fours, a shortcut.
const COUNTER_NODES: u64 = 2_000;

/// A move with the proof and disproof numbers of its position, from the view of the side to move there.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub point: Point,
    /// Forced reply to a four, played at once: the child is then the attacker's next turn.
    pub reply: Option<Point>,
    pub key: u64,
    numbers: Numbers,
}

impl Child {
    /// Returns whether every reply to `point` is known to lose.
    pub fn is_won(&self) -> bool {
        self.answered().delta == 0
    }

    /// Returns the numbers from the view of the side to move after `point`.
    fn answered(&self) -> Numbers {
        if self.reply.is_some() { self.numbers.swapped() } else { self.numbers }
    }
}

/// Result of expanding a position.
pub(super) enum Expansion {
    /// The position is decided.
    Leaf(Numbers),
    /// The children appended to `Vct::children` are to be searched.
    Inner,
}

/// Error of a search whose budget ran out.
#[derive(Debug)]
pub(super) struct Stopped;

/// Limit on the length of a win.
#[derive(Clone, Copy)]
struct LengthLimit {
    /// Most moves of the attacker, including the one that makes the five.
    moves: usize,
    /// Stones on the board before the first of them.
    base: usize,
}

/// Solver for wins by fours and threes, with its memory. [`Vct::proof`] has the line of a win.
///
/// The search recurses, a level deeper with each move of a line. For deep searches it needs a thread with a
/// larger stack than usual: the studies of `kagetsu-tools` give it 64 MiB, of which unused pages take no
/// memory.
pub struct Vct<R: Rule> {
    pub(super) vcf: Vcf<R>,
    table: NumbersTable,
    pub(super) children: Vec<Child>,
    pub(super) attacker: Color,
    /// Present while only wins of a limited length count.
    length_limit: Option<LengthLimit>,
}

impl<R: Rule> fmt::Debug for Vct<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vct").field("rule", &R::KIND).finish_non_exhaustive()
    }
}

impl<R: Rule> Vct<R> {
    /// Creates a solver whose tables take at most `table_bytes` together.
    pub fn new(table_bytes: usize) -> Vct<R> {
        Vct {
            vcf: Vcf::new(table_bytes / 4),
            table: NumbersTable::new(table_bytes / 4 * 3),
            children: Vec::with_capacity(4096),
            attacker: Color::Black,
            length_limit: None,
        }
    }

    /// Clears the results of earlier searches. Results do not depend on it.
    pub fn clear(&mut self) {
        self.vcf.clear();
        self.table.clear();
    }

    /// Returns whether `attacker`, to move, wins by threats of the class.
    pub fn solve(&mut self, board: &Board<R>, attacker: Color, budget: &mut Budget<'_>) -> Verdict {
        self.start(board, attacker, None, budget)
    }

    /// Returns whether `attacker`, to move, wins by threats of the class with at most `moves` moves of its own,
    /// including the five, whatever the defender does. A move is a threat even if the VCF behind it takes more moves than are
    /// left, unless only two are left after the threat: then the VCF must fit into them.
    pub fn within(
        &mut self,
        board: &Board<R>,
        attacker: Color,
        moves: usize,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        self.start(board, attacker, Some(moves), budget)
    }

    /// Looks for wins by threats of the class that are shorter than `known`, again and again. The second value tells
    /// whether the win returned is a shortest one of those that [`Self::within`] finds; if false, the budget ran out.
    pub fn shorten(
        &mut self,
        board: &Board<R>,
        attacker: Color,
        known: Proof,
        budget: &mut Budget<'_>,
    ) -> (Proof, bool) {
        let mut best = known;
        loop {
            // A proof of 2n + 1 plies has n + 1 moves of the attacker's.
            let fewer = best.length() / 2;
            match self.within(board, attacker, fewer, budget) {
                Verdict::Win => match self.proof(budget) {
                    Some(proof) => best = proof,
                    None => return (best, false),
                },
                Verdict::NoWin => return (best, true),
                Verdict::Unknown => return (best, false),
            }
        }
    }

    fn start(
        &mut self,
        board: &Board<R>,
        attacker: Color,
        moves: Option<usize>,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        self.vcf.load(board, attacker);
        self.attacker = attacker;
        self.length_limit = moves.map(|moves| LengthLimit { moves, base: self.vcf.fours.ply() });
        self.children.clear();
        match self.search_root(budget) {
            Ok(Numbers { phi: 0, .. }) => Verdict::Win,
            Ok(_) => Verdict::NoWin,
            Err(Stopped) => Verdict::Unknown,
        }
    }

    /// Searches the attacker's turn that `self.vcf.fours` holds until it is decided.
    pub(super) fn search_root(&mut self, budget: &mut Budget<'_>) -> Result<Numbers, Stopped> {
        let limit = Numbers { phi: INFINITE, delta: INFINITE };
        let key = self.key(self.attacker);
        self.search(self.attacker, key, limit, budget)
    }

    /// Returns the key of the position with `side` to move; attacker and limit are part of it.
    pub(super) fn key(&self, side: Color) -> u64 {
        let salt = (1 + self.attacker as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.vcf.fours.hash() ^ zobrist::side(side) ^ salt ^ self.length_key(0)
    }

    /// Returns the moves that the attacker may still make; `None` without a limit.
    fn moves_left(&self) -> Option<usize> {
        self.length_limit.map(|limit| {
            let made = (self.vcf.fours.ply() - limit.base).div_ceil(2);
            limit.moves.saturating_sub(made)
        })
    }

    /// Returns the most plies that a win of the attacker, to move, may still take.
    pub(super) fn plies_left(&self) -> usize {
        self.moves_left().map_or(usize::MAX, |left| (2 * left).saturating_sub(1))
    }

    /// Returns the most fours of a win by fours, at the attacker's turn or behind its threat: its five is a move too.
    pub(super) fn fours_left(&self) -> usize {
        self.moves_left().map_or(NO_LIMIT, |left| left.saturating_sub(1))
    }

    /// Returns the part of the key that encodes the limit after `more` moves of the attacker. Its factor is not that of the
    /// board's size in the position's key: the two would cancel each other out where they are equal.
    fn length_key(&self, more: usize) -> u64 {
        self.moves_left().map_or(0, |left| {
            let number = 1 + left.saturating_sub(more) as u64;
            number.wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        })
    }

    /// Searches a position until its proof or disproof number reaches its limit.
    fn search(
        &mut self,
        side: Color,
        key: u64,
        limit: Numbers,
        budget: &mut Budget<'_>,
    ) -> Result<Numbers, Stopped> {
        let first = self.children.len();
        let result = match self.expand(side, key, budget)? {
            Expansion::Leaf(numbers) => numbers,
            Expansion::Inner => self.search_children(side, first, limit, budget)?,
        };
        self.children.truncate(first);
        self.table.store(key, result);
        Ok(result)
    }

    fn search_children(
        &mut self,
        side: Color,
        first: usize,
        limit: Numbers,
        budget: &mut Budget<'_>,
    ) -> Result<Numbers, Stopped> {
        loop {
            let (numbers, best, second) = self.survey(first);
            if numbers.phi >= limit.phi || numbers.delta >= limit.delta || numbers.is_solved() {
                return Ok(numbers);
            }
            let child = self.children[best];
            let answered = child.answered();
            let inner = Numbers {
                phi: limit.delta - (numbers.delta.saturating_sub(answered.phi)),
                delta: limit.phi.min(second + second / 4 + 1),
            };
            let (next, inner) = if child.reply.is_some() { (side, inner.swapped()) } else { (!side, inner) };
            if !budget.spend(1) {
                return Err(Stopped);
            }
            self.vcf.fours.play(child.point, side);
            if let Some(reply) = child.reply {
                self.vcf.fours.play(reply, !side);
            }
            let result = self.search(next, child.key, inner, budget);
            if child.reply.is_some() {
                self.vcf.fours.undo();
            }
            self.vcf.fours.undo();
            self.children[best].numbers = result?;
        }
    }

    /// Returns the numbers of a node computed from its children, the child to search next, and the second-best child's
    /// number.
    fn survey(&self, first: usize) -> (Numbers, usize, u32) {
        let mut numbers = Numbers { phi: INFINITE, delta: 0 };
        let (mut best, mut second) = (first, INFINITE);
        for (i, child) in self.children[first..].iter().enumerate() {
            let answered = child.answered();
            if answered.delta < numbers.phi {
                second = numbers.phi;
                numbers.phi = answered.delta;
                best = first + i;
            } else {
                second = second.min(answered.delta);
            }
            numbers.delta = (numbers.delta + answered.phi).min(INFINITE);
        }
        if numbers.phi == 0 {
            return (Numbers::WON, best, second);
        }
        if numbers.phi == INFINITE {
            return (Numbers::LOST, best, second);
        }
        numbers.delta = numbers.delta.min(INFINITE - 1);
        (numbers, best, second)
    }

    /// Generates the children of a position, unless it is decided at once.
    pub(super) fn expand(
        &mut self,
        side: Color,
        key: u64,
        budget: &mut Budget<'_>,
    ) -> Result<Expansion, Stopped> {
        if side == self.attacker { self.expand_turn(key, budget) } else { self.expand_threat(key, budget) }
    }

    /// Runs the search for fours in the current position, with at most `nodes` nodes of the budget.
    pub(super) fn wins_by_fours(
        &mut self,
        color: Color,
        fours: usize,
        nodes: u64,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Stopped> {
        let mut part = budget.part(nodes);
        let verdict = self.vcf.here(color, fours, &mut part);
        if budget.absorb(&part) { Ok(verdict == Verdict::Win) } else { Err(Stopped) }
    }

    /// Expands a position with the attacker to move.
    fn expand_turn(&mut self, key: u64, budget: &mut Budget<'_>) -> Result<Expansion, Stopped> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let left = self.moves_left().unwrap_or(usize::MAX);
        if left == 0 {
            return Ok(Expansion::Leaf(Numbers::LOST));
        }
        if self.wins_by_fours(attacker, self.fours_left(), TURN_NODES, budget)? {
            return Ok(Expansion::Leaf(Numbers::WON));
        }
        // With one move left, only a five wins, and that was checked above.
        if left == 1 {
            return Ok(Expansion::Leaf(Numbers::LOST));
        }
        let key = key ^ self.length_key(0) ^ self.length_key(1);
        let first = self.children.len();
        let moves = if self.vcf.fours.has_five(defender) {
            self.vcf.fours.answers(defender)
        } else {
            let fours = &self.vcf.fours;
            let now = fours.four_points(attacker);
            if left < 3 {
                // A quiet threat, a four and a five take three moves.
                now
            } else {
                // With no four available yet, a threat must prepare one: it joins two stones.
                now | fours.growth_points(attacker, if now.is_empty() { 2 } else { 1 })
            }
        };
        for p in moves.iter() {
            if self.vcf.fours.is_foul(p, attacker) {
                continue;
            }
            match self.vcf.fours.four_at(p, attacker) {
                Some((four, _)) if !R::CLOSABLE => {
                    // With more completions, or a foul as the reply, the search for fours would have found a win, if it
                    // was finished.
                    self.vcf.fours.play(p, attacker);
                    let answerable =
                        four.completions == 1 && !self.vcf.fours.is_foul(four.completion, defender);
                    self.vcf.fours.undo();
                    if !answerable {
                        return Ok(Expansion::Leaf(Numbers::WON));
                    }
                    let key = key ^ zobrist::stone(p, attacker) ^ zobrist::stone(four.completion, defender);
                    self.add(p, Some(four.completion), key, Numbers { phi: 1, delta: 1 });
                }
                found => {
                    let key = key ^ zobrist::stone(p, attacker) ^ zobrist::WHITE_TO_MOVE;
                    let delta = if found.is_some() { 1 } else { self.initial_proof_number(p) };
                    self.add(p, None, key, Numbers { phi: 1, delta });
                }
            }
        }
        Ok(self.recall(first))
    }

    /// Returns the initial proof number of the quiet move `p`: a guess of how hard it is to win by it.
    fn initial_proof_number(&self, p: Point) -> u32 {
        match self.vcf.fours.growth_at(p, self.attacker) {
            0 => 8,
            1 => 6,
            n => 5 - n.min(3),
        }
    }

    fn add(&mut self, point: Point, reply: Option<Point>, key: u64, numbers: Numbers) {
        self.children.push(Child { point, reply, key, numbers });
    }

    /// Replaces initial numbers by stored ones, in a loop of its own so that the table reads overlap.
    fn recall(&mut self, first: usize) -> Expansion {
        if self.children.len() == first {
            return Expansion::Leaf(Numbers::LOST);
        }
        for child in &mut self.children[first..] {
            if let Some(numbers) = self.table.get(child.key) {
                child.numbers = numbers;
            }
        }
        Expansion::Inner
    }

    /// Expands a position with the defender to move.
    fn expand_threat(&mut self, key: u64, budget: &mut Budget<'_>) -> Result<Expansion, Stopped> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        if self.vcf.fours.has_five(defender) || self.moves_left() == Some(0) {
            return Ok(Expansion::Leaf(Numbers::WON));
        }
        let first = self.children.len();
        let has_five = self.vcf.fours.has_five(attacker);
        let replies = if has_five {
            self.vcf.fours.answers(attacker)
        } else {
            let Some(behind) = self.behind(budget)? else {
                return Ok(Expansion::Leaf(Numbers::WON));
            };
            if self.wins_by_fours(defender, NO_LIMIT, COUNTER_NODES, budget)? {
                return Ok(Expansion::Leaf(Numbers::WON));
            }
            self.unanswered(&behind, budget)
        };
        for p in replies.iter() {
            if !self.vcf.fours.is_foul(p, defender) {
                let key = key ^ zobrist::stone(p, defender) ^ zobrist::WHITE_TO_MOVE;
                self.add(p, None, key, Numbers { phi: 1, delta: 1 });
            }
        }
        // A quiet threat does not win against Black with fouls only under Renju: Black passes, or the game is drawn.
        if self.children.len() == first && !has_five && !self.vcf.fours.has_legal_move(defender) {
            return Ok(Expansion::Leaf(Numbers::WON));
        }
        Ok(self.recall(first))
    }
}
