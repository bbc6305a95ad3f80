//! Table of positions known to hold no win by fours, with the number of fours that was searched.
//!
//! An entry is one word: the upper 56 bits of the key and the number of fours. A fact about a position stays true, so
//! entries are never cleared between searches. Keys must differ by attacker, board size and rule interpretation.

use super::memory;

const WAYS: usize = 4;
const DEPTH_BITS: u32 = 8;
const DEPTH_MASK: u64 = (1 << DEPTH_BITS) - 1;

/// Searched depth that means "to the end": there is no win by fours at all.
pub(super) const UNLIMITED: u8 = u8::MAX;

/// Set-associative hash table of failed searches.
#[derive(Clone)]
pub(super) struct Failures {
    entries: Vec<u64>,
    /// Bits to shift a key right to get its bucket.
    shift: u32,
}

impl Failures {
    /// Creates a table of at most `bytes` bytes (at least two buckets of 32 bytes), or smaller if memory is short.
    pub fn new(bytes: usize) -> Failures {
        let (entries, bits) = memory::entries(bytes / (8 * WAYS), WAYS);
        Failures { entries, shift: 64 - bits }
    }

    pub fn clear(&mut self) {
        self.entries.fill(0);
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        (key >> self.shift) as usize * WAYS
    }

    /// Returns the number of fours, at least `wanted`, within which the position is known to hold no win.
    #[inline(always)]
    pub fn known(&self, key: u64, wanted: u8) -> Option<u8> {
        let start = self.bucket(key);
        let entry = self.entries[start..start + WAYS].iter().find(|&&e| (e ^ key) & !DEPTH_MASK == 0)?;
        let depth = (entry & DEPTH_MASK) as u8;
        (depth >= wanted).then_some(depth)
    }

    /// Records that there is no win within `depth` fours.
    #[inline]
    pub fn store(&mut self, key: u64, depth: u8) {
        let start = self.bucket(key);
        let bucket = &mut self.entries[start..start + WAYS];
        let entry = key & !DEPTH_MASK | u64::from(depth);
        if let Some(same) = bucket.iter_mut().find(|e| (**e ^ key) & !DEPTH_MASK == 0) {
            *same = entry.max(*same);
            return;
        }
        // Newest first; the last entry is dropped.
        bucket.copy_within(0..WAYS - 1, 1);
        bucket[0] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_deepest_and_the_newest() {
        let mut table = Failures::new(64);
        let key = |n: u64| n << 40 | 0xabc << 8;
        table.store(key(1), 3);
        table.store(key(1), 2);
        assert_eq!(table.known(key(1), 3), Some(3));
        assert_eq!(table.known(key(1), 4), None);
        table.store(key(1), UNLIMITED);
        assert_eq!(table.known(key(1), 1), Some(UNLIMITED));
        assert_eq!(table.known(key(2), 1), None);
        for n in 2..=5 {
            table.store(key(n), 1);
        }
        assert_eq!(table.known(key(1), 1), None);
        assert_eq!(table.known(key(5), 1), Some(1));
    }

    #[test]
    #[cfg_attr(
        windows,
        ignore = "wine grants terabytes and notes each page in memory of its own until that is full"
    )]
    fn a_table_is_as_large_as_it_can_be() {
        let mut table = Failures::new(usize::MAX);
        for key in [1 << 8, u64::MAX] {
            table.store(key, 5);
            assert_eq!(table.known(key, 3), Some(5));
        }
    }
}
