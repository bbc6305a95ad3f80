//! A proof of a forced win as a tree: the attacker's moves, and under each every reply that needs an answer of its own.
//!
//! The tree is data alone. [`super::verify`] checks it with nothing but the rules; [`super::proof_io`] writes and reads
//! it.

use crate::game::Point;

/// The attacker's move in a position he wins, and how he meets every reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The move.
    pub point: Point,
    /// What follows it.
    pub after: After,
}

/// What follows an attacker's move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    /// Nothing: the move makes a five.
    Five,
    /// The defender's turn.
    Replies {
        /// Replies with an answer of their own.
        listed: Vec<(Point, Turn)>,
        /// The answer to every other legal reply; without one, the attacker makes a five at once.
        otherwise: Option<Box<Turn>>,
    },
}

impl Turn {
    /// A five.
    pub fn five(point: Point) -> Turn {
        Turn { point, after: After::Five }
    }

    /// Plies up to and including the five when the defender holds out longest within this tree.
    pub fn length(&self) -> usize {
        match &self.after {
            After::Five => 1,
            After::Replies { listed, otherwise } => {
                let others = otherwise.as_ref().map_or(1, |turn| turn.length());
                2 + listed.iter().map(|(_, turn)| turn.length()).fold(others, usize::max)
            }
        }
    }

    /// Number of attacker's moves in the tree.
    pub fn size(&self) -> usize {
        1 + match &self.after {
            After::Five => 0,
            After::Replies { listed, otherwise } => {
                listed.iter().map(|(_, turn)| turn.size()).sum::<usize>()
                    + otherwise.as_ref().map_or(0, |turn| turn.size())
            }
        }
    }

    /// A longest line of the tree, ending with the deciding move; `None` stands for any reply that is not listed.
    pub fn line(&self) -> Vec<Option<Point>> {
        let mut line = Vec::new();
        let mut turn = self;
        loop {
            line.push(Some(turn.point));
            let After::Replies { listed, otherwise } = &turn.after else { return line };
            let own = listed.iter().map(|(p, turn)| (Some(*p), turn));
            let rest = otherwise.iter().map(|turn| (None, &**turn));
            // The first of the longest, so that a listed reply comes before the rest.
            let next = own.chain(rest).reduce(|a, b| if b.1.length() > a.1.length() { b } else { a });
            let Some((reply, next)) = next else { return line };
            line.push(reply);
            turn = next;
        }
    }
}
