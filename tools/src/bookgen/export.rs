//! Turns a section of a book into a tree of moves.
//!
//! A book has positions, and no games. From each position the tree follows the moves of the book, and the
//! answers that lead to further positions of the book. A position that several lines reach has its moves only
//! in the first of them. For a position that no line reaches, the tree begins with moves that make up its
//! stones.

use std::collections::HashSet;

use super::after;
use crate::record::tree::NodeId;
use crate::record::{Game, Note, yxdb};
use kagetsu::book::{Entry, Key, Section};
use kagetsu::game::{Color, Move, Point, Position, RuleKind};
use kagetsu::search::Score;

/// Returns the tree of a section, with `records` with values as a database has them, and the number of positions that it
/// lacks: no alternating moves make up their stones.
pub fn tree(rule: RuleKind, section: &Section, records: bool) -> (Game, usize) {
    let mut planter = Planter { game: Game::new(section.size), section, records, planted: HashSet::new() };
    planter.game.rule = Some(rule);
    let mut left_out = 0;
    for key in section.entries.keys() {
        if planter.planted.contains(key) {
            continue;
        }
        match planter.trunk(key) {
            Some((node, position)) => planter.plant(node, position),
            None => left_out += 1,
        }
    }
    (planter.game, left_out)
}

struct Planter<'a> {
    game: Game,
    section: &'a Section,
    records: bool,
    /// Positions whose moves are in the tree.
    planted: HashSet<&'a Key>,
}

impl<'a> Planter<'a> {
    /// Adds moves that make up a position's stones. `None`, and nothing is added, if the numbers of the two colours are not
    /// those of a game whose moves alternate.
    fn trunk(&mut self, key: &Key) -> Option<(NodeId, Position)> {
        let stones = key.position(self.section.size);
        let of = |color: Color| stones.setup().iter().filter(move |s| s.1 == color).map(|s| s.0);
        let (mut black, mut white) = (of(Color::Black), of(Color::White));
        let (blacks, whites) = (black.clone().count(), white.clone().count());
        let alternate = match key.side() {
            Color::Black => blacks == whites,
            Color::White => blacks == whites + 1,
        };
        if !alternate {
            return None;
        }
        let mut position = Position::new(self.section.size);
        let mut node = NodeId::ROOT;
        while position.moves().len() < key.stones() {
            let p = if position.side() == Color::Black { black.next()? } else { white.next()? };
            node = self.child(node, position.side(), p);
            position.push(Move::Place(p)).ok()?;
        }
        Some((node, position))
    }

    /// The node of a move, which is made if need be.
    fn child(&mut self, node: NodeId, color: Color, p: Point) -> NodeId {
        let turn = Some((color, Move::Place(p)));
        let found = self.game.tree.children(node).find(|&child| self.game.tree.turn(child) == turn);
        found.unwrap_or_else(|| self.game.tree.add(node, turn))
    }

    /// Adds the book's knowledge of a position, and of all positions that it leads to, to the tree.
    fn plant(&mut self, node: NodeId, position: Position) {
        let section = self.section;
        let mut todo = vec![(node, position)];
        while let Some((node, position)) = todo.pop() {
            let (key, symmetry) = Key::of(&position);
            let Some((key, entry)) = section.entries.get_key_value(&key) else { continue };
            self.annotate(node, entry);
            if !self.planted.insert(key) {
                continue;
            }
            let mut next = Vec::new();
            for c in entry.image(symmetry.inverse(), section.size).moves() {
                let Some(after) = after(&position, c.point) else { continue };
                if c.agreed || section.entries.contains_key(&Key::of(&after).0) {
                    next.push((self.child(node, position.side(), c.point), after));
                }
            }
            // The best move's line first.
            todo.extend(next.into_iter().rev());
        }
    }

    fn annotate(&mut self, node: NodeId, entry: &Entry) {
        let score = Score(entry.score.into());
        let proven = if entry.proven { ", proven" } else { "" };
        let comment = format!("score {score}, depth {}{proven}", entry.depth);
        // A position that nothing leads to may be on the way to another.
        if self.game.tree.comment(node) == Some(&comment) {
            return;
        }
        let record = format!("none {} {} exact", entry.score, entry.depth);
        let record = self.records.then_some(Note::Property(yxdb::RECORD, &record));
        self.game.tree.annotate(node, [Note::Comment(&comment)].into_iter().chain(record));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::book::Book;
    use kagetsu::game::{Size, notation};

    /// After the second moves Black has two stones, White none, and Black is to move.
    #[test]
    fn positions_that_no_moves_make_up_are_counted() {
        let rule = RuleKind::Freestyle;
        let mut book = Book::default();
        let section = book.section_mut(&crate::bookgen::recipe(rule, Size::S15)).unwrap();
        for moves in ["h8h9", "a1--c5--"] {
            let key = Key::of(&notation::parse(moves, None).unwrap()).0;
            section.add(key, Entry::new(0, 5, false, 100, Vec::new()));
        }
        let (game, left_out) = tree(rule, section, false);
        assert_eq!((game.tree.len(), left_out), (3, 1), "the root and two moves");
    }
}
