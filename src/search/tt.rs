//! The transposition table, shared by all threads.
//!
//! Clusters of four entries fill one cache line each. An entry is two atomic words, the second holding the data and
//! the first the position's key xored with it, so that a torn entry does not match: sound under Rust's memory model
//! with relaxed accesses. CITE: Hyatt, Mann, "A lockless transposition-table implementation for parallel search" (2002).
//!
//! Positions with the same 64-bit key are taken for one. A probe finds the entry of another position with a probability of the
//! number of entries divided by 2^64: once in 2^38 probes of a full table of 1 GiB, once in 2^32 of one of 64 GiB.
//!
//! [`entry`] has the entries and their packed form; [`memory`] allocates the words and clears them.

mod entry;
mod memory;

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

pub use self::entry::{Bound, Entry, from_table, to_table};
use self::entry::{GENERATIONS, generation_of, pack, unpack};
use self::memory::Memory;
use super::depth::Depth;
use crate::game::Point;

/// Entries of a cluster.
const WAYS: usize = 4;
/// Words of a cluster.
const WORDS: usize = 2 * WAYS;
/// Clusters sampled to estimate how full the table is.
const SAMPLE: usize = 250;
/// A table counts as sparse if fewer than one in this many clusters has an entry.
const SPARSE: usize = 16;

/// Entries that share a cache line.
type Cluster = [AtomicU64; WORDS];

/// Transposition table: search results by position, shared by all threads.
pub struct TranspositionTable {
    memory: Memory,
    /// Number of clusters.
    count: usize,
    generation: AtomicU8,
    /// Whether a search may have stored entries since the table was cleared.
    used: bool,
    /// Words that [`TranspositionTable::touch`] has touched.
    touched: usize,
}

/// Returns the key modifier for a value that also depends on a point: the excluded move of a singular search, or the last
/// four of a combination in quiescence. It changes low bits only, so that the cluster is the one already prefetched.
pub fn variant(p: Point) -> u64 {
    u64::from((p.index() as u32 + 1).wrapping_mul(0x9e37_79b9))
}

impl TranspositionTable {
    /// Creates a table of at most `bytes`, but at least one cluster; a smaller one if the system grants no more.
    pub fn new(bytes: usize) -> TranspositionTable {
        // One cluster is left out, for the alignment to cache lines.
        let count = (bytes / size_of::<Cluster>()).saturating_sub(1).max(1);
        let memory = Memory::new(count * WORDS);
        let count = memory.words().len() / WORDS;
        TranspositionTable { memory, count, generation: AtomicU8::new(0), used: false, touched: 0 }
    }

    /// Clears the table, with up to `threads` threads.
    pub fn clear(&mut self, threads: usize) {
        *self.generation.get_mut() = 0;
        if !std::mem::take(&mut self.used) {
            return;
        }
        // Few touched pages are cheaper to give back to the system than all pages are to zero.
        let sample = &self.clusters()[..self.count.min(SAMPLE)];
        let filled = sample.iter().filter(|c| c[1].load(Relaxed) != 0).count();
        if filled * SPARSE < sample.len() {
            self.memory.renew();
            self.touched = 0;
            self.count = self.memory.words().len() / WORDS;
        } else {
            self.memory.zero(threads);
        }
    }

    /// Touches the memory of a table that no search has used, as long as `go_on` returns true; the next call continues.
    /// `go_on` is called for every 2 MiB.
    pub fn touch(&mut self, go_on: &dyn Fn() -> bool) {
        if !self.used {
            self.touched = self.memory.touch(self.touched, go_on);
        }
    }

    /// Prepares an empty table for a search: takes its memory in huge pages now, with up to `threads` threads, as long as
    /// `go_on` returns true.
    pub fn use_huge_pages(&self, threads: usize, go_on: &(dyn Fn() -> bool + Sync)) {
        if !self.used {
            self.memory.use_huge_pages(threads, go_on);
        }
    }

    /// Starts a new generation for a new search; entries of older ones are replaced first.
    pub fn age(&mut self) {
        self.used = true;
        let generation = self.generation.get_mut();
        *generation = (*generation + 1) % GENERATIONS;
    }

    /// Returns all clusters.
    fn clusters(&self) -> &[Cluster] {
        &self.memory.words().as_chunks().0[..self.count]
    }

    /// Returns the cluster of a key.
    fn cluster(&self, key: u64) -> &Cluster {
        // The high half of the product spreads keys over any number of clusters.
        let i = (u128::from(key) * self.count as u128) >> 64;
        &self.clusters()[i as usize]
    }

    /// Prefetches the cluster of a key into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let cluster = self.cluster(key);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch has no effect on memory, whatever the address; this one is in the table.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cluster).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = cluster;
    }

    /// Returns the entry of a position.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        (0..WAYS).find_map(|i| {
            let data = cluster[2 * i + 1].load(Relaxed);
            let check = cluster[2 * i].load(Relaxed);
            (check ^ data == key && data != 0).then(|| unpack(data))
        })
    }

    /// Stores a result. It replaces the entry of the same position, or else the least valuable of the cluster by depth
    /// and age. An entry of the same position and generation that is more than two plies deeper stays, unless it has no
    /// bound or the new value is exact. A known best move is kept.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let cluster = self.cluster(key);
        let generation = self.generation.load(Relaxed);
        let mut slot = 0;
        let mut worst = i32::MAX;
        for i in 0..WAYS {
            let data = cluster[2 * i + 1].load(Relaxed);
            if cluster[2 * i].load(Relaxed) ^ data == key && data != 0 {
                let old = unpack(data);
                entry.best = entry.best.or(old.best);
                // An evaluation without a bound adds nothing to an entry that another thread stored meanwhile.
                if entry.bound == Bound::None {
                    return;
                }
                let is_of_this_search = generation_of(data) == generation;
                if entry.bound != Bound::Exact
                    && is_of_this_search
                    && old.bound != Bound::None
                    && entry.depth + Depth::plies(2) < old.depth
                {
                    return;
                }
                slot = i;
                break;
            }
            let age = i32::from((generation + GENERATIONS - generation_of(data)) % GENERATIONS);
            let worth =
                if data == 0 { i32::MIN } else { unpack(data).depth.raw() - age * Depth::plies(2).raw() };
            if worth < worst {
                worst = worth;
                slot = i;
            }
        }
        let data = pack(&entry, generation);
        cluster[2 * slot].store(key ^ data, Relaxed);
        cluster[2 * slot + 1].store(data, Relaxed);
    }

    /// Returns the share of slots filled in the current generation, in thousandths, estimated from a sample.
    pub fn permille_used(&self) -> usize {
        let generation = self.generation.load(Relaxed);
        let sample = &self.clusters()[..self.count.min(SAMPLE)];
        let used: usize = sample
            .iter()
            .flat_map(|c| (0..WAYS).map(|i| c[2 * i + 1].load(Relaxed)))
            .filter(|&data| data != 0 && generation_of(data) == generation)
            .count();
        used * 1000 / (sample.len() * WAYS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let table = TranspositionTable::new(1 << 16);
        for (i, key) in (0..50u64).map(|i| (i, i.wrapping_mul(0x9e37_79b9_7f4a_7c15))) {
            let entry = Entry {
                value: i as i32 * 700 - 20_000,
                eval: -(i as i32),
                depth: Depth::plies(i as i32),
                bound: Bound::Lower,
                pv: i % 2 == 0,
                best: (i % 3 != 0).then(|| Point::new(i as usize % 22, 21)),
            };
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
            assert_eq!(table.probe(key ^ 1), None);
        }
    }

    #[test]
    fn shallow_results_do_not_replace_deep_ones_and_moves_are_kept() {
        let table = TranspositionTable::new(64);
        let deep = Entry {
            value: 5,
            eval: 1,
            depth: Depth::plies(10),
            bound: Bound::Lower,
            pv: false,
            best: Some(Point::new(3, 3)),
        };
        table.store(7, deep);
        table.store(7, Entry { depth: Depth::plies(2), best: None, value: 9, ..deep });
        assert_eq!(table.probe(7), Some(deep));
        let exact = Entry { depth: Depth::plies(2), best: None, bound: Bound::Exact, ..deep };
        table.store(7, exact);
        assert_eq!(table.probe(7), Some(Entry { best: deep.best, ..exact }));
    }

    /// Four threads write into one cluster, where words of different entries meet in a slot.
    #[test]
    fn a_torn_entry_is_not_found() {
        let table = TranspositionTable::new(64);
        let key = |n: usize| (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = |n: usize| {
            let (value, best) = (n as i32, Some(Point::from_index_unchecked(n)));
            Entry { value, eval: -value, depth: Depth::plies(5), bound: Bound::Lower, pv: false, best }
        };
        let work = |thread: usize| {
            for i in 0..5000 {
                let (written, read) = ((7 * i + thread) % 20, (3 * i + thread) % 20);
                table.store(key(written), entry(written));
                assert!(table.probe(key(read)).is_none_or(|found| found == entry(read)), "{read}");
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || work(thread));
            }
        });
    }

    #[test]
    fn a_cleared_table_has_no_entries() {
        let entry =
            Entry { value: 5, eval: 1, depth: Depth::plies(10), bound: Bound::Lower, pv: false, best: None };
        let keys = |n: u64| (0..n).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut table = TranspositionTable::new(1 << 16);
        for (round, stored) in [1, 5000].into_iter().enumerate() {
            table.use_huge_pages(2, &|| true);
            table.age();
            keys(stored).for_each(|key| table.store(key, entry));
            assert!(keys(stored).any(|key| table.probe(key).is_some()), "{round}");
            table.clear(2);
            assert!(keys(stored).all(|key| table.probe(key).is_none()), "{round}");
            assert_eq!(table.permille_used(), 0);
        }
    }
}
