//! Memory of the transposition table: zeroed words, aligned to a cache line. It knows nothing of entries.
//!
//! Fresh memory costs nothing until it is touched: the system zeroes each page then. Pages of 4 KiB make that cheap.
//! Huge pages of 2 MiB save most address translations (a sixth of the search time with a table of 320 MiB), but zeroing
//! one delays the search that touches it first. [`Memory::use_huge_pages`] therefore touches them before the search, as
//! far as time allows, and [`Memory::touch`] touches every page while the engine has nothing else to do. A well-filled
//! table is zeroed in place, because giving it back and touching new pages costs ten times as much; a sparse
//! one is given back. Several threads share the zeroing and the touching before a search.

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
    /// Returns the first word that was not touched. Its pages have the usual size, and so have those after it.
    pub fn touch(&self, from: usize, go_on: &dyn Fn() -> bool) -> usize {
        let words = self.words();
        let mut at = from.min(words.len());
        advise(self.huge_pages(at), Pages::Huge);
        while at < words.len() && go_on() {
            let end = (at + HUGE_PAGE).min(words.len());
            words[at..end].iter().step_by(PAGE).for_each(|word| word.store(0, Relaxed));
            at = end;
        }
        advise(self.huge_pages(at), Pages::Usual);
        at
    }

    /// Returns the words from the word `from` on that fill whole huge pages.
    fn huge_pages(&self, from: usize) -> &[AtomicU64] {
        let rest = &self.words()[from..];
        let first = rest.as_ptr().align_offset(HUGE_PAGE * size_of::<AtomicU64>()).min(rest.len());
        let whole = &rest[first..];
        &whole[..whole.len() / HUGE_PAGE * HUGE_PAGE]
    }

    /// Touches fresh memory a huge page at a time with up to `threads` threads, as long as `go_on` returns true. The rest
    /// keeps pages of the usual size. If the system has no huge pages, little is touched.
    pub fn use_huge_pages(&self, threads: usize, go_on: &(dyn Fn() -> bool + Sync)) {
        let whole = self.huge_pages(0);
        // One call for all pages: with one for each, the threads would wait for each other in the kernel.
        if !advise(whole, Pages::Huge) {
            return;
        }
        let pages: Vec<_> = whole.chunks_exact(HUGE_PAGE).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while go_on()
                && let Some(page) = pages.get(next.fetch_add(1, Relaxed))
            {
                page[0].store(0, Relaxed);
            }
        };
        run_on(threads.min(pages.len()), &work);
        let touched = next.into_inner().min(pages.len());
        advise(&whole[touched * HUGE_PAGE..], Pages::Usual);
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

/// Size of pages.
#[derive(Clone, Copy)]
enum Pages {
    /// Pages as large as the system has them.
    Huge,
    /// Small pages. The system would otherwise give a search a huge page at its first access, and zero it on the clock: with
    /// a table of 200 MiB a search of 5 ms took 200.
    Usual,
}

/// Advises the system how to back these words, which fill whole huge pages. Returns false if there are none, or if it takes
/// no advice.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise(words: &[AtomicU64], pages: Pages) -> bool {
    use rustix::mm::{Advice, madvise};

    if words.is_empty() {
        return false;
    }
    let start = words.as_ptr().cast_mut().cast();
    let advice = match pages {
        Pages::Huge => Advice::LinuxHugepage,
        Pages::Usual => Advice::LinuxNoHugepage,
    };
    // SAFETY: the range is that of `words`, and begins and ends with a page; the advice changes its mapping
    // and not its content.
    let advised = unsafe { madvise(start, size_of_val(words), advice) };
    advised.inspect_err(|error| log::debug!("no huge pages: {error}")).is_ok()
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise(_: &[AtomicU64], pages: Pages) -> bool {
    match pages {
        Pages::Huge | Pages::Usual => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No system has an exbibyte.
    #[test]
    #[cfg_attr(
        windows,
        ignore = "wine grants terabytes and notes each page in memory of its own until that is full"
    )]
    fn memory_that_is_not_granted_is_halved() {
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

    /// Resident memory, in KiB, of the mappings that hold these words.
    #[cfg(all(target_os = "linux", not(miri)))]
    fn resident(words: &[AtomicU64]) -> u64 {
        let text = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let range = words.as_ptr_range();
        let (from, to) = (range.start as usize, range.end as usize);
        let (mut inside, mut sum) = (false, 0);
        for line in text.lines() {
            let mut fields = line.split_ascii_whitespace();
            let first = fields.next().unwrap();
            if let Some((start, end)) = first.split_once('-') {
                let address = |text| usize::from_str_radix(text, 16).unwrap();
                inside = address(start) < to && from < address(end);
            } else if first == "Rss:" && inside {
                sum += fields.next().unwrap().parse::<u64>().unwrap();
            }
        }
        sum
    }

    /// A write to memory that was not prepared takes a page of 4 KiB. A page of 2 MiB would have to be zeroed
    /// meanwhile.
    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn pages_that_were_not_prepared_are_small() {
        let touched = |memory: &Memory| memory.touch(0, &|| false);
        let prepared = |memory: &Memory| {
            memory.use_huge_pages(1, &|| false);
            0
        };
        let both = |memory: &Memory| {
            let asked = AtomicUsize::new(0);
            memory.use_huge_pages(1, &|| asked.fetch_add(1, Relaxed) < 2);
            memory.touch(2 * HUGE_PAGE, &|| false)
        };
        let added = |way: &dyn Fn(&Memory) -> usize| {
            let memory = Memory::new(40 * HUGE_PAGE);
            let at = way(&memory) + 2 * HUGE_PAGE;
            let rest = &memory.words()[at..];
            let before = resident(rest);
            for page in rest.chunks_exact(HUGE_PAGE) {
                // A search reads before it writes.
                assert_eq!(page[HUGE_PAGE / 2].load(Relaxed), 0);
                page[HUGE_PAGE / 2].store(1, Relaxed);
            }
            // Less than before if another test has freed its memory meanwhile.
            resident(rest).saturating_sub(before)
        };
        let ways: [&dyn Fn(&Memory) -> usize; 3] = [&touched, &prepared, &both];
        for (number, way) in ways.into_iter().enumerate() {
            // The system joins neighbouring mappings into one, so the figure may at times include memory of
            // other tests.
            let more: Vec<u64> = (0..5).map(|_| added(way)).collect();
            assert!(more.iter().any(|more| (36 * 4..512).contains(more)), "{number}: {more:?} KiB");
        }
    }
}
