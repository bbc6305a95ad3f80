//! Memory of the transposition table: zeroed words, aligned to a cache line. It knows nothing of entries.
//!
//! Fresh memory costs nothing until it is touched: the system zeroes each page then. Pages of 4 KiB make that cheap.
//! Huge pages of 2 MiB save most address translations (a sixth of the search time with a table of 320 MiB), but zeroing
//! one delays the search that touches it first. [`Memory::use_huge_pages`] therefore touches them before the search, as
//! far as time allows, and [`Memory::touch`] touches every page while the engine has nothing else to do. Memory that was written to is cleared in place: giving it back and touching it anew costs ten
//! times as much. Several threads share both jobs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Words of a huge page (2 MiB).
const HUGE_PAGE: usize = (2 << 20) / size_of::<AtomicU64>();
/// Words of a page of the usual size (4 KiB).
const PAGE: usize = (4 << 10) / size_of::<AtomicU64>();
/// Words (16 MiB) that make one more thread worth starting.
const SHARE: usize = 2 << 20;

/// Words aligned to a cache line.
pub struct Memory {
    /// Allocation with room to shift the first word to the start of a cache line. A type of that alignment would be zeroed
    /// by writing to all of it, which touches every page.
    words: Box<[AtomicU64]>,
    /// Unused words before the first.
    shift: usize,
    len: usize,
}

impl Memory {
    /// Allocates `len` words, all zero; fewer if the system does not grant that many.
    pub fn new(len: usize) -> Memory {
        let mut memory = Memory { words: Box::default(), shift: 0, len };
        memory.renew();
        memory
    }

    /// Replaces the memory by fresh, zeroed memory, or by half as much as often as the system refuses.
    pub fn renew(&mut self) {
        // Free the old memory first: both together could exceed the memory limit.
        self.words = Box::default();
        let room = LINE / size_of::<AtomicU64>();
        self.words = loop {
            match bytemuck::allocation::try_zeroed_slice_box(self.len + room) {
                Ok(words) => break words,
                // Whole cache lines are left.
                Err(()) if self.len > room => self.len = (self.len / 2).next_multiple_of(room),
                Err(()) => break bytemuck::allocation::zeroed_slice_box(self.len + room),
            }
        };
        self.shift = self.words.as_ptr().align_offset(LINE).min(room);
    }

    /// Returns the words.
    #[inline]
    pub fn words(&self) -> &[AtomicU64] {
        &self.words[self.shift..][..self.len]
    }

    /// Writes zeros with up to `threads` threads.
    pub fn zero(&mut self, threads: usize) {
        let threads = threads.min(self.words.len() / SHARE);
        let parts = Mutex::new(self.words.chunks_mut(SHARE));
        // The lock cannot be poisoned: no thread panics while it holds it.
        let next = || parts.lock().ok()?.next();
        run_on(threads, &|| {
            while let Some(part) = next() {
                part.iter_mut().for_each(|word| *word.get_mut() = 0);
            }
        });
    }

    /// Touches fresh memory from the word `from` on, as long as `go_on` returns true, which is called for each huge page.
    /// Returns the first word that was not touched.
    pub fn touch(&self, from: usize, go_on: &dyn Fn() -> bool) -> usize {
        if from == 0 {
            self.prefer_huge_pages();
        }
        let words = self.words();
        let mut at = from.min(words.len());
        while at < words.len() && go_on() {
            let end = (at + HUGE_PAGE).min(words.len());
            words[at..end].iter().step_by(PAGE).for_each(|word| word.store(0, Relaxed));
            at = end;
        }
        at
    }

    /// Asks the system for huge pages and returns the words that fill whole ones; none if the system has no huge pages.
    fn prefer_huge_pages(&self) -> &[AtomicU64] {
        let first =
            self.words.as_ptr().align_offset(HUGE_PAGE * size_of::<AtomicU64>()).min(self.words.len());
        let whole = &self.words[first..];
        let whole = &whole[..whole.len() / HUGE_PAGE * HUGE_PAGE];
        // One call for all pages: with one for each, the threads would wait for each other in the kernel.
        if whole.is_empty() || !advise_huge_pages(whole) { &[] } else { whole }
    }

    /// Touches fresh memory a huge page at a time with up to `threads` threads, as long as `go_on` returns true. The rest
    /// keeps pages of the usual size. If the system has no huge pages, little is touched.
    pub fn use_huge_pages(&self, threads: usize, go_on: &(dyn Fn() -> bool + Sync)) {
        let pages: Vec<_> = self.prefer_huge_pages().chunks_exact(HUGE_PAGE).collect();
        if pages.is_empty() {
            return;
        }
        let next = AtomicUsize::new(0);
        let work = || {
            while go_on()
                && let Some(page) = pages.get(next.fetch_add(1, Relaxed))
            {
                page[0].store(0, Relaxed);
            }
        };
        run_on(threads.min(pages.len()), &work);
    }
}

/// Runs `work` on up to `threads` threads at once and waits for all of them.
fn run_on(threads: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 1..threads {
            // If no further thread can be started, the others do all of the work.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Advises the system to back these words by huge pages. Returns false if it has none.
#[cfg(target_os = "linux")]
fn advise_huge_pages(words: &[AtomicU64]) -> bool {
    use rustix::mm::{Advice, madvise};

    let start = words.as_ptr().cast_mut().cast();
    // SAFETY: the range is that of `words`, and begins and ends with a page; the advice changes how it is mapped and
    // nothing of what it holds.
    let advised = unsafe { madvise(start, size_of_val(words), Advice::LinuxHugepage) };
    advised.inspect_err(|error| log::debug!("no huge pages: {error}")).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: &[AtomicU64]) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No system has an exbibyte.
    #[test]
    fn what_is_not_granted_is_taken_smaller() {
        let memory = Memory::new(1 << 57);
        assert!((8..1 << 50).contains(&memory.words().len()) && memory.words().len().is_multiple_of(8));
        assert_eq!(memory.words()[memory.words().len() - 1].load(Relaxed), 0);
    }

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
    fn preparations_end_when_told() {
        let memory = Memory::new(20 * HUGE_PAGE);
        let asked = AtomicUsize::new(0);
        memory.use_huge_pages(1, &|| asked.fetch_add(1, Relaxed) < 5);
        assert!(asked.into_inner() <= 6);
    }

    #[test]
    fn touching_goes_on_where_it_was_told_to_stop() {
        let memory = Memory::new(5 * HUGE_PAGE + 8);
        let asked = AtomicUsize::new(0);
        let twice = || asked.fetch_add(1, Relaxed) < 2;
        let at = memory.touch(0, &twice);
        assert_eq!(at, 2 * HUGE_PAGE);
        assert_eq!(memory.touch(at, &|| false), at);
        memory.words()[at].store(7, Relaxed);
        assert_eq!(memory.touch(at + 8, &|| true), memory.words().len());
        assert_eq!(memory.touch(memory.words().len(), &|| true), memory.words().len());
        assert_eq!(memory.words().iter().map(|word| word.load(Relaxed)).sum::<u64>(), 7);
    }

    #[test]
    fn huge_pages_hold_what_is_written() {
        for len in [8, HUGE_PAGE, 3 * SHARE] {
            let memory = Memory::new(len);
            memory.use_huge_pages(2, &|| true);
            assert!(memory.words().iter().all(|word| word.load(Relaxed) == 0));
            memory.words().iter().zip(1..).for_each(|(word, i)| word.store(i, Relaxed));
            assert!(memory.words().iter().zip(1..).all(|(word, i)| word.load(Relaxed) == i));
        }
    }
}
