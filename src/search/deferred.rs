//! Moves that are being searched, shared by all threads: a thread that comes to one of them defers it, searches its other
//! moves first, and then often finds the result in the transposition table.
//!
//! CITE: Tom Kerrigan, "Simplified ABDADA" (2017).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Slots for announced moves. Of two moves with the same slot the later one is kept.
const SLOTS: usize = 1 << 12;

/// Keys of the moves that threads are searching; a key stands for a position and a move. Nothing is locked: an entry that
/// is lost or stale changes only the order in which a thread searches its moves.
pub struct Deferred(Box<[AtomicU64]>);

impl Deferred {
    /// Creates an empty table for a number of threads. A single thread announces nothing.
    pub fn new(threads: usize) -> Deferred {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Deferred((0..slots).map(|_| AtomicU64::new(0)).collect())
    }

    /// Returns whether there is more than one thread.
    #[inline]
    pub fn is_shared(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns whether some thread is searching this move.
    pub fn contains(&self, key: u64) -> bool {
        self.slot(key).is_some_and(|slot| slot.load(Relaxed) == key)
    }

    /// Announces that a thread starts to search this move.
    pub fn enter(&self, key: u64) {
        if let Some(slot) = self.slot(key) {
            slot.store(key, Relaxed);
        }
    }

    /// Withdraws the announcement: the move is searched.
    pub fn leave(&self, key: u64) {
        if let Some(slot) = self.slot(key)
            && slot.load(Relaxed) == key
        {
            slot.store(0, Relaxed);
        }
    }

    /// The low bits tell the moves of a position apart ([`super::tt::variant`]): with three threads or more, several of them
    /// are announced at a time.
    fn slot(&self, key: u64) -> Option<&AtomicU64> {
        self.0.get(key as usize % SLOTS)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tt::variant;
    use super::*;
    use crate::game::{MAX_SIZE, Size};

    #[test]
    fn moves_are_announced_until_they_are_searched() {
        let deferred = Deferred::new(2);
        let (key, same_slot) = (1 << 40 | 5, 2 << 40 | 5);
        deferred.enter(key);
        assert!(deferred.contains(key) && !deferred.contains(same_slot));
        deferred.enter(same_slot);
        deferred.leave(key);
        assert!(deferred.contains(same_slot) && !deferred.contains(key));
        deferred.leave(same_slot);
        assert!(!deferred.contains(same_slot));
    }

    #[test]
    fn all_moves_of_a_position_are_announced_at_a_time() {
        let deferred = Deferred::new(2);
        let keys = Size::new(MAX_SIZE).unwrap().points().map(|p| 0x1234_5678_9abc_def0 ^ variant(p));
        keys.clone().for_each(|key| deferred.enter(key));
        assert!(keys.clone().all(|key| deferred.contains(key)));
        assert_eq!(keys.count(), 22 * 22);
    }

    #[test]
    fn a_single_thread_announces_nothing() {
        let deferred = Deferred::new(1);
        deferred.enter(7);
        assert!(!deferred.is_shared() && !deferred.contains(7));
    }
}
