//! Counts the positions and moves of a book.

use serde::Serialize;

use kagetsu::book::Section;
use kagetsu::game::RuleKind;

/// Counts over the entries of a section.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Counts {
    /// The rule.
    pub rule: &'static str,
    /// Side of the board.
    pub size: usize,
    /// Name of the evaluation that judged.
    pub evaluation: String,
    /// Positions.
    pub positions: usize,
    /// Positions with a move to play.
    pub answered: usize,
    /// Moves to play.
    pub moves: usize,
    /// Positions with a proven result.
    pub proven: usize,
    /// Numbers of positions by stones on the board.
    pub stones: Vec<usize>,
    /// Mean depth.
    pub depth: f64,
    /// Fewest and most nodes of a first search.
    pub nodes: [u64; 2],
}

impl Counts {
    /// Returns the counts of a section.
    pub fn of(rule: RuleKind, section: &Section) -> Counts {
        let entries = || section.entries.values();
        let mut stones = Vec::new();
        for key in section.entries.keys() {
            stones.resize(stones.len().max(key.stones() + 1), 0);
            stones[key.stones()] += 1;
        }
        let nodes = || entries().map(|e| e.nodes);
        Counts {
            rule: rule.name(),
            size: section.size.side(),
            evaluation: section.recipe.evaluation.clone(),
            positions: section.entries.len(),
            answered: entries().filter(|e| !e.agreed().is_empty()).count(),
            moves: entries().map(|e| e.agreed().len()).sum(),
            proven: entries().filter(|e| e.proven).count(),
            depth: entries().map(|e| f64::from(e.depth)).sum::<f64>() / section.entries.len().max(1) as f64,
            nodes: [nodes().min().unwrap_or(0), nodes().max().unwrap_or(0)],
            stones,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::book::{Book, Candidate, Entry, Key};
    use kagetsu::game::{Position, Size};

    #[test]
    fn positions_and_moves_to_play_are_counted() {
        let rule = RuleKind::Freestyle;
        let mut book = Book::default();
        let section = book.section_mut(&crate::bookgen::recipe(rule, Size::S15)).unwrap();
        assert_eq!(Counts::of(rule, section).nodes, [0, 0]);
        let candidate = |agreed| Candidate { point: Size::S15.center(), score: 0, agreed };
        let empty = Position::new(Size::S15);
        let after = crate::bookgen::after(&empty, Size::S15.center()).unwrap();
        section.add(Key::of(&empty).0, Entry::new(0, 5, false, 100, vec![candidate(true)]));
        let other = kagetsu::game::Point::new(0, 0);
        let expected = Candidate { point: other, ..candidate(false) };
        section.add(Key::of(&after).0, Entry::new(0, 8, true, 300, vec![expected]));
        let counts = Counts::of(rule, section);
        assert_eq!((counts.positions, counts.answered, counts.moves, counts.proven), (2, 1, 1, 1));
        assert_eq!((&counts.stones[..], counts.depth, counts.nodes), (&[1, 1][..], 6.5, [100, 300]));
    }
}
