//! Which moves the threads are searching just now: another thread that comes to one puts it off, and then often finds its
//! result in the table.
//!
//! CITE: Tom Kerrigan, "Simplified ABDADA" (2017).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Moves that can be noted at a time; of two in the same place the later one is noted.
const PLACES: usize = 1 << 12;

/// The moves that are searched, each with its position as one key. Without effect on results but for the order in which
/// threads do things; none of it is locked.
pub struct Busy(Box<[AtomicU64]>);

impl Busy {
    /// Nothing is searched yet by so many threads; a thread alone notes nothing.
    pub fn new(threads: usize) -> Busy {
        let places = if threads > 1 { PLACES } else { 0 };
        Busy((0..places).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether there is more than one thread.
    #[inline]
    pub fn is_shared(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether some thread is at this move.
    pub fn contains(&self, key: u64) -> bool {
        self.place(key).is_some_and(|place| place.load(Relaxed) == key)
    }

    /// A thread begins with this move.
    pub fn enter(&self, key: u64) {
        if let Some(place) = self.place(key) {
            place.store(key, Relaxed);
        }
    }

    /// A thread is done with this move.
    pub fn leave(&self, key: u64) {
        if let Some(place) = self.place(key)
            && place.load(Relaxed) == key
        {
            place.store(0, Relaxed);
        }
    }

    fn place(&self, key: u64) -> Option<&AtomicU64> {
        self.0.get((key >> 40) as usize % PLACES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_noted_until_they_are_done() {
        let busy = Busy::new(2);
        let (key, same_place) = (5 << 40 | 1, 5 << 40 | 2);
        busy.enter(key);
        assert!(busy.contains(key) && !busy.contains(same_place));
        busy.enter(same_place);
        busy.leave(key);
        assert!(busy.contains(same_place) && !busy.contains(key));
        busy.leave(same_place);
        assert!(!busy.contains(same_place));
    }

    #[test]
    fn a_thread_alone_notes_nothing() {
        let busy = Busy::new(1);
        busy.enter(7);
        assert!(!busy.is_shared() && !busy.contains(7));
    }
}
