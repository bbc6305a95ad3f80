//! The entries of one rule and board size, and which of two entries of a position stays.

use std::cmp::Ordering;
use std::collections::{BTreeMap, btree_map};

use super::entry::Entry;
use super::key::Key;
use super::recipe::Recipe;
use crate::game::Size;

/// The entries of a rule and a board size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The recipe of all entries.
    pub recipe: Recipe,
    /// The board.
    pub size: Size,
    /// The entries by position.
    pub entries: BTreeMap<Key, Entry>,
}

impl Section {
    /// Adds an entry. Of two entries for one position it keeps the one from longer searches, then the one with more
    /// moves. Between entries equal in both, the choice does not depend on the order in which they come.
    pub fn add(&mut self, key: Key, entry: Entry) {
        match self.entries.entry(key) {
            btree_map::Entry::Vacant(place) => {
                place.insert(entry);
            }
            btree_map::Entry::Occupied(mut place) => {
                if by_worth(&entry, place.get(), self.size) == Ordering::Greater {
                    place.insert(entry);
                }
            }
        }
    }

    /// Bytes of memory, about.
    pub(super) fn memory(&self) -> usize {
        self.entries.iter().map(|(key, entry)| memory_of(key, entry)).sum()
    }
}

/// Bytes of memory that an entry takes in a section, about.
pub(super) fn memory_of(key: &Key, entry: &Entry) -> usize {
    let own = size_of_val(key) + key.memory() + size_of_val(entry) + entry.memory();
    // A tree's nodes are about two thirds full.
    own * 3 / 2
}

/// Orders entries of one position: a total order.
fn by_worth(a: &Entry, b: &Entry, size: Size) -> Ordering {
    let bytes = |entry: &Entry| {
        let mut bytes = Vec::new();
        entry.encode(size, &mut bytes);
        bytes
    };
    let worth = |entry: &Entry| (entry.nodes, entry.depth, entry.moves().len());
    worth(a).cmp(&worth(b)).then_with(|| bytes(a).cmp(&bytes(b)))
}
