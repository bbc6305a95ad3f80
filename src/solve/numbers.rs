//! Proof and disproof numbers of positions, in a table of fixed size.
//!
//! CITE: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002).

use super::memory;

/// Proof and disproof numbers of a position: the number of leaves that must still be solved, from the view of the side
/// to move. The attacker wants a win, the defender wants no win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    /// Leaves to solve for the side to move to reach its goal.
    pub phi: u32,
    /// Leaves to solve for the other side.
    pub delta: u32,
}

/// Infinity. Sums of numbers stay far below `u32::MAX`.
pub(super) const INFINITE: u32 = 1 << 28;

impl Numbers {
    /// Numbers of a position in which the side to move reaches its goal.
    pub const WON: Numbers = Numbers { phi: 0, delta: INFINITE };
    /// Numbers of a position in which the other side reaches its goal.
    pub const LOST: Numbers = Numbers { phi: INFINITE, delta: 0 };

    pub fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// Returns the numbers from the view of the other side.
    pub fn swapped(self) -> Numbers {
        Numbers { phi: self.delta, delta: self.phi }
    }
}

const WAYS: usize = 4;

/// A key and the numbers packed into one word. Plain words allow a new table to be zeroed memory from the system.
type Entry = [u64; 2];

fn pack(key: u64, numbers: Numbers) -> Entry {
    [key, u64::from(numbers.phi) | u64::from(numbers.delta) << 32]
}

fn unpack([_, word]: Entry) -> Numbers {
    Numbers { phi: word as u32, delta: (word >> 32) as u32 }
}

/// Set-associative table from position keys to numbers.
pub(super) struct NumbersTable {
    entries: Vec<Entry>,
    shift: u32,
}

impl NumbersTable {
    /// Creates a table of at most `bytes` bytes (at least two buckets), or smaller if memory is short.
    pub fn new(bytes: usize) -> NumbersTable {
        let (entries, bits) = memory::entries(bytes / (size_of::<Entry>() * WAYS), WAYS);
        NumbersTable { entries, shift: 64 - bits }
    }

    pub fn clear(&mut self) {
        self.entries.fill([0; 2]);
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Numbers> {
        let start = (key >> self.shift) as usize * WAYS;
        let found = self.entries[start..start + WAYS].iter().find(|e| e[0] == key)?;
        // No node has both numbers zero: that marks a vacant entry.
        Some(unpack(*found)).filter(|n| n.phi != 0 || n.delta != 0)
    }

    /// Stores an entry; in a full bucket an unsolved one is replaced first.
    #[inline]
    pub fn store(&mut self, key: u64, numbers: Numbers) {
        let start = (key >> self.shift) as usize * WAYS;
        let bucket = &mut self.entries[start..start + WAYS];
        let slot = bucket
            .iter()
            .position(|e| e[0] == key)
            .or_else(|| bucket.iter().rposition(|&e| e == [0; 2]))
            .or_else(|| bucket.iter().rposition(|&e| !unpack(e).is_solved()))
            .unwrap_or(WAYS - 1);
        bucket[..=slot].rotate_right(1);
        bucket[0] = pack(key, numbers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solved_entries_outlive_unsolved_ones() {
        let mut table = NumbersTable::new(0);
        let key = |n: u64| n;
        table.store(key(1), Numbers::WON);
        for n in 2..20 {
            table.store(key(n), Numbers { phi: n as u32, delta: 3 });
        }
        assert_eq!(table.get(key(1)), Some(Numbers::WON));
        assert_eq!(table.get(key(19)), Some(Numbers { phi: 19, delta: 3 }));
        assert_eq!(table.get(key(2)), None);
    }

    #[test]
    #[cfg_attr(
        windows,
        ignore = "wine grants terabytes and notes each page in memory of its own until that is full"
    )]
    fn a_table_is_as_large_as_it_can_be() {
        let mut table = NumbersTable::new(usize::MAX);
        for key in [1, u64::MAX] {
            table.store(key, Numbers::LOST);
            assert_eq!(table.get(key), Some(Numbers::LOST));
        }
    }
}
