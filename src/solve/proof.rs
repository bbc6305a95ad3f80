//! Proof of a forced win: the attacker's moves, and under each of them every reply that needs an answer of its own.
//!
//! The same stones come about in many orders, so a proof written as a tree may be thousands of times as large as its
//! distinct turns. Turns therefore lie in a list and are referred to by index: a turn that several replies lead to is
//! stored once.
//!
//! The list is plain data. [`super::verify`] checks it with the rules alone; [`super::proof_io`] writes and reads it.

use crate::game::Point;

/// Index of a turn in its list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TurnId(u32);

impl TurnId {
    /// Returns the index, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The attacker's move in a won position, and the answers to the replies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The move.
    pub point: Point,
    /// Continuation after the move.
    pub after: After,
    /// Plies up to and including the five against the longest defence.
    length: u16,
}

impl Turn {
    /// Returns the plies up to and including the five against the longest defence.
    pub fn length(&self) -> usize {
        usize::from(self.length)
    }
}

/// Continuation after an attacker's move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    /// The move makes a five, and nothing follows.
    Five,
    /// The defender's turn.
    Replies {
        /// Replies with an answer of their own.
        listed: Vec<(Point, TurnId)>,
        /// Answer to every other legal reply; if `None`, the attacker then makes a five at once.
        otherwise: Option<TurnId>,
    },
}

impl After {
    /// Returns the turns referred to, those of listed replies first.
    fn named(&self) -> impl Iterator<Item = TurnId> + '_ {
        let (listed, otherwise) = match self {
            After::Five => (&[][..], None),
            After::Replies { listed, otherwise } => (&listed[..], *otherwise),
        };
        listed.iter().map(|&(_, turn)| turn).chain(otherwise)
    }
}

/// A list of turns, each of which refers only to turns before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turns(Vec<Turn>);

impl Turns {
    /// Adds a turn.
    ///
    /// # Panics
    /// If it refers to a turn that is not in the list.
    pub fn push(&mut self, point: Point, after: After) -> TurnId {
        let answered = after.named().map(|turn| self.get(turn).length).max();
        let length = match &after {
            After::Five => 1,
            After::Replies { .. } => answered.unwrap_or(1).max(1).saturating_add(2),
        };
        self.0.push(Turn { point, after, length });
        TurnId(self.0.len() as u32 - 1)
    }

    /// Returns a turn.
    ///
    /// # Panics
    /// If it is not in the list.
    pub fn get(&self, turn: TurnId) -> &Turn {
        &self.0[turn.index()]
    }
}

/// A list of turns, and the index of the attacker's first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    turns: Turns,
    root: TurnId,
}

impl Proof {
    /// Creates a proof that begins with `root`.
    ///
    /// # Panics
    /// If there is no such turn.
    pub fn new(turns: Turns, root: TurnId) -> Proof {
        assert!(root.index() < turns.0.len(), "the first turn is one of the turns");
        Proof { turns, root }
    }

    /// Returns all turns. Some may not be part of the proof.
    pub fn turns(&self) -> &Turns {
        &self.turns
    }

    /// Returns the index of the first turn.
    pub fn root(&self) -> TurnId {
        self.root
    }

    /// Returns the first turn.
    pub fn first(&self) -> &Turn {
        self.turns.get(self.root)
    }

    /// Returns the plies up to and including the five against the longest defence within this proof.
    pub fn length(&self) -> usize {
        self.first().length()
    }

    /// Returns the number of references to each turn, by index; the root counts as referred to once.
    pub fn references(&self) -> Vec<u32> {
        let mut counts = vec![0u32; self.root.index() + 1];
        counts[self.root.index()] = 1;
        // Turns that refer to this one stand behind it, so its count is complete when it is reached.
        for at in (0..counts.len()).rev() {
            if counts[at] > 0 {
                self.turns.0[at].after.named().for_each(|named| counts[named.index()] += 1);
            }
        }
        counts
    }

    /// Returns the turns of the proof, each before those it refers to.
    pub fn order(&self) -> Vec<TurnId> {
        let counts = self.references();
        (0..counts.len() as u32).rev().map(TurnId).filter(|turn| counts[turn.index()] > 0).collect()
    }

    /// Returns the number of turns.
    pub fn size(&self) -> usize {
        self.order().len()
    }

    /// Returns a longest line of the proof, ending with the deciding move; `None` stands for any reply that is not
    /// listed.
    pub fn line(&self) -> Vec<Option<Point>> {
        let mut line = Vec::new();
        let mut turn = self.first();
        loop {
            line.push(Some(turn.point));
            let After::Replies { listed, otherwise } = &turn.after else { return line };
            let own = listed.iter().map(|&(p, turn)| (Some(p), self.turns.get(turn)));
            let rest = otherwise.iter().map(|&turn| (None, self.turns.get(turn)));
            // Take the first of the longest, so that a listed reply comes before the rest.
            let next = own.chain(rest).reduce(|a, b| if b.1.length > a.1.length { b } else { a });
            let Some((reply, next)) = next else { return line };
            line.push(reply);
            turn = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain in which two replies lead to each turn: as a tree it would have 2^40 leaves.
    #[test]
    fn shared_turns_are_counted_once() {
        let p = |x| Point::new(x, 0);
        let mut turns = Turns::default();
        let unused = turns.push(p(9), After::Five);
        let mut last = turns.push(p(0), After::Five);
        for _ in 0..40 {
            let listed = vec![(p(1), last), (p(2), last)];
            last = turns.push(p(0), After::Replies { listed, otherwise: None });
        }
        let proof = Proof::new(turns, last);
        assert_eq!((proof.size(), proof.length()), (41, 81));
        assert_eq!(proof.line().len(), 81);
        assert_eq!((proof.references()[unused.index()], proof.references()[1]), (0, 2));
        assert_eq!(proof.order().first(), Some(&proof.root()));
    }

    #[test]
    fn the_answer_to_other_replies_is_five_at_once_if_none_is_named() {
        let mut turns = Turns::default();
        let p = Point::new(3, 3);
        let root = turns.push(p, After::Replies { listed: Vec::new(), otherwise: None });
        assert_eq!(Proof::new(turns, root).length(), 3);
    }
}
