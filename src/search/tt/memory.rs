//! Memory for the table: zeroed words from the beginning of a cache line on.
//!
//! Fresh memory costs nothing until it is touched: the system zeroes each page then. In pages of 4 KiB that is cheap for
//! a short search; for a long one pages of 2 MiB save most of the address translations, and [`Memory::use_huge_pages`]
//! asks for them. Memory that has been written to is emptied by zeroing it where it is, since giving it back and
//! touching it anew costs ten times as much. Both are shared out among threads. Knows nothing of entries.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Bytes of a huge page.
const HUGE_PAGE: usize = 2 << 20;
/// A thread more is worth its start from this many words (16 MiB) on.
const SHARE: usize = 2 << 20;

/// The words.
pub struct Memory {
    /// With room to shift the first word to the beginning of a cache line. A type with that alignment would not do:
    /// memory of such types is zeroed by writing to all of it.
    words: Box<[AtomicU64]>,
    /// Words before the first.
    shift: usize,
    len: usize,
}

impl Memory {
    /// So many words, all zero.
    pub fn new(len: usize) -> Memory {
        let mut memory = Memory { words: Box::default(), shift: 0, len };
        memory.renew();
        memory
    }

    /// Replaces the memory by fresh memory.
    pub fn renew(&mut self) {
        // Given back first: both at once could exceed the memory limit.
        self.words = Box::default();
        let room = LINE / size_of::<AtomicU64>();
        self.words = bytemuck::allocation::zeroed_slice_box(self.len + room);
        self.shift = self.words.as_ptr().align_offset(LINE).min(room);
    }

    /// The words.
    #[inline]
    pub fn words(&self) -> &[AtomicU64] {
        &self.words[self.shift..][..self.len]
    }

    /// Writes zeros, by up to `threads` threads.
    pub fn zero(&mut self, threads: usize) {
        self.share_out(threads, |part| part.iter_mut().for_each(|word| *word.get_mut() = 0));
    }

    /// Lets up to `threads` threads touch fresh memory a huge page at a time, so that a search is not held up by the
    /// zeroing of one. Where the system gives no huge pages nothing but a word in each 2 MiB is touched.
    pub fn use_huge_pages(&mut self, threads: usize) {
        if self.len * size_of::<AtomicU64>() < 2 * HUGE_PAGE {
            return;
        }
        advise_huge_pages(&self.words);
        let step = HUGE_PAGE / size_of::<AtomicU64>();
        self.share_out(threads, |part| part.iter().step_by(step).for_each(|word| word.store(0, Relaxed)));
    }

    /// Gives each of up to `threads` threads a part of the words to work on.
    fn share_out(&mut self, threads: usize, work: impl Fn(&mut [AtomicU64]) + Sync) {
        let threads = threads.min(self.words.len() / SHARE).max(1);
        let mut parts = self.words.chunks_mut(self.words.len().div_ceil(threads));
        let own = parts.next();
        let work = &work;
        thread::scope(|scope| {
            for part in parts {
                scope.spawn(move || work(part));
            }
            own.into_iter().for_each(work);
        });
    }
}

/// Asks for huge pages for what the words fill of them.
#[cfg(target_os = "linux")]
fn advise_huge_pages(words: &[AtomicU64]) {
    use rustix::mm::{Advice, madvise};

    let page = rustix::param::page_size();
    let range = words.as_ptr_range();
    let start = range.start.cast::<u8>().align_offset(page);
    let bytes = size_of_val(words).saturating_sub(start) / page * page;
    if bytes == 0 {
        return;
    }
    // SAFETY: the whole pages from the first page's beginning inside the words to the last one's end are in one
    // allocation that lives as long as `words`; the advice changes how they are mapped and nothing of what they hold.
    let advised =
        unsafe { madvise(range.start.cast_mut().byte_add(start).cast(), bytes, Advice::LinuxHugepage) };
    if let Err(error) = advised {
        log::debug!("no huge pages: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: &[AtomicU64]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_a_cache_line_and_are_all_there() {
        for len in [8, 24, 1 << 16, (1 << 16) + 8] {
            let memory = Memory::new(len);
            assert_eq!(memory.words().len(), len);
            assert!(memory.words().as_ptr().cast::<u8>().align_offset(LINE) == 0);
        }
    }

    #[test]
    fn every_word_is_zeroed_by_any_number_of_threads() {
        // Large enough for three threads to be given a part.
        let mut memory = Memory::new(3 * SHARE + 8);
        assert!(memory.words().iter().all(|word| word.load(Relaxed) == 0));
        for threads in [1, 2, 3, 64] {
            memory.words().iter().for_each(|word| word.store(u64::MAX, Relaxed));
            memory.zero(threads);
            assert!(memory.words().iter().all(|word| word.load(Relaxed) == 0), "{threads}");
        }
    }

    #[test]
    fn huge_pages_hold_what_is_written() {
        for len in [8, 3 * SHARE] {
            let mut memory = Memory::new(len);
            memory.use_huge_pages(2);
            assert!(memory.words().iter().all(|word| word.load(Relaxed) == 0));
            memory.words().iter().zip(1..).for_each(|(word, i)| word.store(i, Relaxed));
            assert!(memory.words().iter().zip(1..).all(|(word, i)| word.load(Relaxed) == i));
        }
    }
}
