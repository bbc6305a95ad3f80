//! An allocator that fails once, at a given allocation, and counts allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kagetsu::disk::faults;

static COUNT: AtomicU64 = AtomicU64::new(0);
/// The number of the allocation that fails, counted from 1; 0 for none.
static FAILS: AtomicU64 = AtomicU64::new(0);
/// Number of allocations before the first and before the last file step.
static FIRST: AtomicU64 = AtomicU64::new(0);
static LAST: AtomicU64 = AtomicU64::new(0);
/// Steps seen by the allocator.
static STEPS: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, and what tests want of it.
pub struct Failing;

fn fails() -> bool {
    let number = COUNT.fetch_add(1, Relaxed) + 1;
    let steps = faults::taken_by_all();
    if steps > STEPS.swap(steps, Relaxed) {
        let _ = FIRST.compare_exchange(0, number, Relaxed, Relaxed);
        LAST.store(number, Relaxed);
    }
    number == FAILS.load(Relaxed)
}

// SAFETY: every call goes to the system's allocator unchanged or returns null, which is the answer that an allocator gives
// when it has no memory.
unsafe impl GlobalAlloc for Failing {
    // SAFETY: the contract is that of `System`, which does the work.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if fails() {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: the contract is that of `System`, which does the work.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if fails() {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    // SAFETY: the contract is that of `System`, which does the work.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }

    // SAFETY: the contract is that of `System`, which does the work.
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if fails() {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(block, layout, new_size) }
    }
}

/// Begins to count; that allocation fails, if it is not 0.
pub fn arm(number: u64) {
    COUNT.store(0, Relaxed);
    FAILS.store(number, Relaxed);
}

/// Returns the allocations so far, and those before the first step and before or after the last one.
pub fn counts() -> [u64; 3] {
    [&COUNT, &FIRST, &LAST].map(|count| count.load(Relaxed))
}
