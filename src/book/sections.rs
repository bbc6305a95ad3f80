//! The book: its sections, one for each rule and board size, and how books are joined.

use std::collections::BTreeMap;

use super::backup;
use super::container::Error;
use super::entry::Entry;
use super::key::Key;
use super::recipe::Recipe;
use super::section::Section;
use crate::game::{Position, RuleKind, Size};

/// The book: entries of positions, in a section for each rule and board size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    sections: BTreeMap<(RuleKind, Size), Section>,
}

impl Book {
    /// The sections, in a fixed order.
    pub fn sections(&self) -> impl Iterator<Item = (RuleKind, &Section)> {
        self.sections.iter().map(|(&(rule, _), section)| (rule, section))
    }

    /// The section of a rule and a board size.
    pub fn section(&self, rule: RuleKind, size: Size) -> Option<&Section> {
        self.sections.get(&(rule, size))
    }

    /// Returns the section for entries of this recipe; it is empty if there was none.
    ///
    /// # Errors
    /// If the book has a section of the same rule and size with another recipe.
    pub fn section_mut(&mut self, recipe: &Recipe) -> Result<&mut Section, Error> {
        let (rule, size) = recipe.place().map_err(|why| Error::Damaged(0, why))?;
        let empty = || Section { recipe: recipe.clone(), size, entries: BTreeMap::new() };
        let section = self.sections.entry((rule, size)).or_insert_with(empty);
        if section.recipe == *recipe {
            return Ok(section);
        }
        // Name the two in a fixed order: the text must not depend on which book came first.
        let (a, b) = (section.recipe.evaluation.clone(), recipe.evaluation.clone());
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        Err(Error::Other(recipe.to_string(), a, b))
    }

    /// Takes over the entries of another book.
    ///
    /// # Errors
    /// If entries of one rule and size have different recipes.
    pub fn merge(&mut self, other: Book) -> Result<(), Error> {
        for section in other.sections.into_values() {
            let own = self.section_mut(&section.recipe)?;
            section.entries.into_iter().for_each(|(key, entry)| own.add(key, entry));
        }
        Ok(())
    }

    /// Returns the entry of a position, corrected by the positions after it, with the moves in the position's own
    /// orientation.
    pub fn probe(&self, rule: RuleKind, position: &Position) -> Option<Entry> {
        let section = self.section(rule, position.size())?;
        let (key, symmetry) = Key::of(position);
        let entry = backup::judge(section, &key)?;
        Some(entry.image(symmetry.inverse(), position.size()))
    }

    /// Returns the nodes of the first search of a position, if the book has it. [`Self::probe`] is at least as reliable
    /// as that search.
    pub fn nodes(&self, rule: RuleKind, position: &Position) -> Option<u64> {
        let entries = &self.section(rule, position.size())?.entries;
        Some(entries.get(&Key::of(position).0)?.nodes)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.sections.values().map(|s| s.entries.len()).sum()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory, about.
    pub fn memory(&self) -> usize {
        self.sections.values().map(Section::memory).sum()
    }
}

/// Books for tests.
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod samples {
    use super::super::Candidate;
    use super::super::key::point;
    use super::*;
    use crate::game::Move;
    use crate::random::{Random, RngExt, SeedableRng};

    /// Returns a book of random positions of up to eight stones with random entries.
    pub fn sample(seed: u64, count: usize, recipe: &Recipe) -> Book {
        let mut random = Random::seed_from_u64(seed);
        let mut book = Book::default();
        let section = book.section_mut(recipe).unwrap();
        let (size, area) = (section.size, section.size.area());
        for _ in 0..count {
            let mut position = Position::new(size);
            for _ in 0..random.random_range(..9usize) {
                let p = point(random.random_range(..area) as u64, size);
                let _ = position.push(Move::Place(p));
            }
            let mut candidate = || Candidate {
                point: point(random.random_range(..area) as u64, size),
                score: random.random_range(-500..500i16),
                agreed: random.random_bool(0.5),
            };
            let moves: Vec<_> = (0..3).map(|_| candidate()).collect();
            let (score, depth) = (random.random_range(-500..500i16), random.random_range(..4u8));
            let entry =
                Entry::new(score, depth, random.random_bool(0.5), random.random_range(1..=2u64), moves);
            section.add(Key::of(&position).0, entry);
        }
        book
    }

    /// Returns the recipe of sample entries.
    pub fn recipe(evaluation: &str) -> Recipe {
        Recipe::new(RuleKind::Renju, Size::S15, evaluation)
    }

    /// Two sections.
    pub fn book(seed: u64) -> Book {
        let mut book = sample(seed, 20, &recipe("x"));
        book.merge(sample(seed + 1, 20, &Recipe::new(RuleKind::Caro, Size::S20, "y"))).unwrap();
        book
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Candidate;
    use super::samples::{recipe, sample};
    use super::*;
    use crate::game::Move;
    use crate::game::notation::parse;
    use crate::game::symmetry::Symmetry;

    #[test]
    fn sections_of_other_evaluations_do_not_join() {
        let mut one = sample(1, 5, &recipe("x"));
        let two = sample(1, 5, &recipe("y"));
        let error = one.merge(two).unwrap_err().to_string();
        assert_eq!(error, "renju 15x15: made with x and with y, whose scores do not compare");
    }

    #[test]
    fn longer_searches_replace_shorter_ones() {
        let key = || Key::of(&parse("h8h9", None).unwrap()).0;
        let mut book = Book::default();
        let section = book.section_mut(&recipe("x")).unwrap();
        for (nodes, depth) in [(10, 9), (20, 3), (10, 12), (20, 2)] {
            section.add(key(), Entry::new(0, depth, false, nodes, Vec::new()));
        }
        let entry = book.probe(RuleKind::Renju, &parse("h8h9", None).unwrap()).unwrap();
        assert_eq!((entry.nodes, entry.depth), (20, 3));
    }

    proptest! {
        #[test]
        fn joining_is_the_same_in_any_order(seeds in prop::collection::vec(0u64..6, 1..6)) {
            let join = |seeds: &[u64]| {
                let mut all = Book::default();
                // Small boards, so that many positions are in several books.
                let recipe = Recipe::new(RuleKind::Freestyle, Size::new(5).unwrap(), "x");
                seeds.iter().for_each(|&seed| all.merge(sample(seed, 30, &recipe)).unwrap());
                all.to_bytes()
            };
            let mut turned = seeds.clone();
            turned.reverse();
            prop_assert_eq!(join(&seeds), join(&turned));
            prop_assert_eq!(join(&seeds), join(&[&seeds[..], &turned].concat()));
        }

        #[test]
        fn moves_turn_with_the_position(seed in 0u64..1000) {
            let book = sample(seed, 1, &recipe("x"));
            let section = book.section(RuleKind::Renju, Size::S15).unwrap();
            let position = section.entries.keys().next().unwrap().position(Size::S15);
            let here = book.probe(RuleKind::Renju, &position).unwrap();
            for s in Symmetry::ALL {
                let there = book.probe(RuleKind::Renju, &s.apply_position(&position)).unwrap();
                // A symmetric position may list its moves at another of their equal places: the resulting positions are
                // the same.
                let reached = |position: &Position, entry: &Entry| {
                    let after = |c: &Candidate| {
                        let mut next = position.clone();
                        next.push(Move::Place(c.point)).map(|()| Key::of(&next).0).ok()
                    };
                    let mut keys: Vec<_> = entry.moves().iter().map(after).collect();
                    keys.sort();
                    keys
                };
                prop_assert_eq!(reached(&position, &here), reached(&s.apply_position(&position), &there));
            }
        }
    }
}
