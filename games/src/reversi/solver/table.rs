//! The solver's transposition table: bounds of the result of a position. It stores no depth, since every search goes to
//! the end of the game.
//!
//! Three words an entry: the discs of both sides, each xored with the data, so that a torn entry does not match.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::allocation::zeroed_vec;

use crate::memory::affordable;

/// Bounds of a position's value, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// The result is at least this.
    pub lower: i8,
    /// The result is at most this.
    pub upper: i8,
    /// The best move found, 64 for none.
    pub best: u8,
}

/// The table.
pub struct Table {
    slots: Vec<[AtomicU64; 3]>,
}

/// Slots of a position: the first is replaced only by more work, the second by every new entry.
const WAYS: usize = 2;

impl Table {
    /// Creates a table of at most `bytes` bytes, but of at least 2^10 entries. It is smaller if there is less memory.
    pub fn new(bytes: usize) -> Table {
        let wanted = (affordable(bytes) / size_of::<[AtomicU64; 3]>()).max(1 << 10);
        Table { slots: zeroed_vec(1 << wanted.ilog2()) }
    }

    fn bucket(&self, own: u64, other: u64) -> &[[AtomicU64; 3]] {
        let key = (own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(29))
        .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let at = (key >> 20) as usize & (self.slots.len() - 1) & !(WAYS - 1);
        &self.slots[at..at + WAYS]
    }

    /// Looks a position up.
    #[inline]
    pub fn probe(&self, own: u64, other: u64) -> Option<Known> {
        self.bucket(own, other).iter().find_map(|slot| {
            let data = slot[2].load(Relaxed);
            (data != 0 && slot[0].load(Relaxed) ^ data == own && slot[1].load(Relaxed) ^ data == other)
                .then(|| unpack(data))
        })
    }

    /// Stores a position that took `work` (a logarithm of nodes).
    pub fn store(&self, own: u64, other: u64, known: Known, work: u8) {
        let bucket = self.bucket(own, other);
        let is_same = |slot: &[AtomicU64; 3]| {
            let data = slot[2].load(Relaxed);
            data != 0 && slot[0].load(Relaxed) ^ data == own && slot[1].load(Relaxed) ^ data == other
        };
        let slot = if let Some(slot) = bucket.iter().find(|slot| is_same(slot)) {
            slot
        } else if (bucket[0][2].load(Relaxed) >> 32) as u8 <= work {
            &bucket[0]
        } else {
            &bucket[1]
        };
        let data = pack(known, work);
        slot[0].store(own ^ data, Relaxed);
        slot[1].store(other ^ data, Relaxed);
        slot[2].store(data, Relaxed);
    }
}

/// The topmost bit marks an entry.
fn pack(known: Known, work: u8) -> u64 {
    u64::from(known.lower as u8)
        | u64::from(known.upper as u8) << 8
        | u64::from(known.best) << 16
        | u64::from(work) << 32
        | 1 << 63
}

fn unpack(data: u64) -> Known {
    Known { lower: data as u8 as i8, upper: (data >> 8) as u8 as i8, best: (data >> 16) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let table = Table::new(1);
        let known = Known { lower: -64, upper: 3, best: 64 };
        assert_eq!(table.probe(5, 10), None);
        table.store(5, 10, known, 3);
        assert_eq!((table.probe(5, 10), table.probe(10, 5)), (Some(known), None));
        let better = Known { lower: 3, ..known };
        table.store(5, 10, better, 1);
        assert_eq!(table.probe(5, 10), Some(better));
    }
}
