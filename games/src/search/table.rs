//! The transposition table, shared by the threads of a search.
//!
//! An entry is two atomic words, the second holding the data and the first the key xored with it, so that a torn entry
//! does not match. CITE: Hyatt, Mann, "A lockless transposition-table implementation for parallel search" (2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::allocation::zeroed_vec;
use kagetsu::search::Score;

use crate::game::Move;
use crate::memory::affordable;

/// The relation of a stored value to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at most the stored one (fail low).
    Upper,
    /// The true value is at least the stored one (fail high).
    Lower,
    /// The stored value is the true one.
    Exact,
}

/// Entry of the table for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Value from the view of the side to move; wins and losses count plies from this position.
    pub value: i32,
    /// Depth of the search.
    pub depth: i32,
    /// Meaning of the value.
    pub bound: Bound,
    /// Best move found.
    pub best: Option<Move>,
}

/// Entries of a cluster: a key may be in any of them.
const WAYS: usize = 4;

/// The table.
pub struct Table {
    slots: Vec<[AtomicU64; 2]>,
    generation: u8,
}

/// A value as it is stored at a position `ply` plies from the root.
pub fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        Score::MATE_BOUND.. => value + ply as i32,
        _ if value <= -Score::MATE_BOUND => value - ply as i32,
        _ => value,
    }
}

/// The reverse of [`to_table`].
pub fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        Score::MATE_BOUND.. => value - ply as i32,
        _ if value <= -Score::MATE_BOUND => value + ply as i32,
        _ => value,
    }
}

impl Table {
    /// Creates a table of at most `bytes` bytes, and of at least one cluster. It is smaller if there is less memory,
    /// and its pages take memory only when they are first used: the main engine plays some games with tables of its own.
    pub fn new(bytes: usize) -> Table {
        let slots = (affordable(bytes) / size_of::<[AtomicU64; 2]>() / WAYS).max(1) * WAYS;
        Table { slots: zeroed_vec(slots), generation: 0 }
    }

    /// Starts a new search: entries of earlier searches are replaced first.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % 64;
    }

    /// Empties the table. Its memory goes back to the system.
    pub fn clear(&mut self) {
        let slots = std::mem::take(&mut self.slots).len();
        self.slots = zeroed_vec(slots);
    }

    fn cluster(&self, key: u64) -> &[[AtomicU64; 2]] {
        let clusters = self.slots.len() / WAYS;
        let i = ((u128::from(key) * clusters as u128) >> 64) as usize * WAYS;
        &self.slots[i..i + WAYS]
    }

    /// Looks a position up.
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (data != 0 && check.load(Relaxed) ^ data == key).then(|| unpack(data))
        })
    }

    /// Stores a position. It replaces the entry of the same position or else the least valuable one.
    pub(super) fn store(&self, key: u64, mut entry: Entry) {
        let worth = |data: u64| {
            let age = self.generation.wrapping_sub((data >> 56) as u8) % 64;
            (data >> 40 & 0xff) as i32 - 8 * i32::from(age)
        };
        let mut victim = &self.cluster(key)[0];
        let mut least = i32::MAX;
        for slot in self.cluster(key) {
            let data = slot[1].load(Relaxed);
            if data != 0 && slot[0].load(Relaxed) ^ data == key {
                entry.best = entry.best.or(unpack(data).best);
                victim = slot;
                break;
            }
            let worth = if data == 0 { i32::MIN } else { worth(data) };
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let data = pack(&entry, self.generation);
        victim[0].store(key ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }
}

/// Offset added to stored depths, which are negative in the quiescence search.
const LOWEST: i32 = 16;

/// Bits: value 16, move 12 (4095 for none), bound 2 (from 1), depth 8 from bit 40, generation from bit 56.
fn pack(entry: &Entry, generation: u8) -> u64 {
    let best = entry.best.map_or(4095, |m| u64::from(m.code()));
    u64::from(entry.value as i16 as u16)
        | best << 16
        | (entry.bound as u64 + 1) << 28
        | ((entry.depth + LOWEST).clamp(0, 255) as u64) << 40
        | u64::from(generation) << 56
}

fn unpack(data: u64) -> Entry {
    Entry {
        value: i32::from(data as u16 as i16),
        best: Some((data >> 16 & 0xfff) as u16).filter(|&code| code < 2048).and_then(Move::from_code),
        bound: match data >> 28 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
        depth: (data >> 40 & 0xff) as i32 - LOWEST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::Point;

    #[test]
    fn entries_come_back() {
        let table = Table::new(1 << 12);
        let best = [
            None,
            Some(Move::Pass),
            Some(Move::Bomb(Point::new(3, 18))),
            Some(Move::Place(Point::new(0, 0))),
        ];
        for (i, best) in best.into_iter().enumerate() {
            for (value, bound) in [(-29_990, Bound::Upper), (0, Bound::Lower), (25_600, Bound::Exact)] {
                let key = (i as u64 + 1) << 60 | u64::from(value as u16);
                let entry = Entry { value, depth: 7 - 5 * i as i32, bound, best };
                table.store(key, entry);
                assert_eq!(table.probe(key), Some(entry));
                assert_eq!(table.probe(key ^ 1 << 20), None);
            }
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_table_takes_memory_only_when_it_is_used() {
        let resident = || {
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let size = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
            size.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
        };
        let before = resident();
        let mut table = Table::new(512 << 20);
        let entry = Entry { value: 3, depth: 1, bound: Bound::Exact, best: None };
        table.store(5, entry);
        assert_eq!(table.probe(5), Some(entry));
        table.clear();
        assert_eq!(table.probe(5), None);
        let taken = resident().saturating_sub(before);
        assert!(taken < 256 << 10, "{taken} KiB");
    }

    #[test]
    fn wins_count_from_their_position() {
        for value in [Score::MATE - 5, 5 - Score::MATE, 400] {
            assert_eq!(from_table(to_table(value, 3), 3), value);
        }
        assert_eq!(to_table(Score::MATE - 5, 3), Score::MATE - 2);
    }
}
