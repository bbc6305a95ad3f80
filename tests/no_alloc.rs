//! The search tree allocates nothing: memory is allocated once for each search and each iteration's report, never for a
//! node, and the memory of a thread is kept.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Renju, Size, notation};
use kagetsu::search::{Context, Limits, Search, THREAD_BYTES};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator unchanged; the counters are atomic.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the contract is that of `System`, which does the work.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size() as u64, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: the contract is that of `System`, which does the work.
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(ptr, layout) }
    }

    // SAFETY: the contract is that of `System`, which does the work.
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(new_size as u64, Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn nodes_do_not_allocate() {
    let clock = SystemClock::new();
    let stop = AtomicBool::new(false);
    let position = notation::parse("h8i10j6g5", Some(Size::S15)).unwrap();
    let board = Board::<Renju>::from_position(&position).unwrap();
    let mut search = Search::<Renju>::new(16 << 20);
    let mut iterations = 0;
    let mut run = |nodes: u64| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        let before = ALLOCATIONS.load(Relaxed);
        let (_, report) = search.go(&board, &limits, &context, &mut |_| iterations += 1).unwrap();
        (report.nodes, ALLOCATIONS.load(Relaxed) - before)
    };
    run(1_000);
    let (nodes, allocations) = run(200_000);
    assert!(nodes >= 50_000, "{nodes} nodes are too few to show anything");
    // A board with its room, the shared counters, and the report of each iteration. A board that grows adds eight.
    assert!(
        allocations < 18 + 4 * iterations,
        "{allocations} allocations in {nodes} nodes, {iterations} iterations"
    );
    // A search with fewer threads keeps the memory of the others.
    let mut bytes = |threads: usize| {
        let limits = Limits { depth: Some(2), threads, ..Limits::default() };
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        let before = BYTES.load(Relaxed);
        search.go(&board, &limits, &context, &mut |_| {}).unwrap();
        BYTES.load(Relaxed) - before
    };
    let [first, _, again] = [3, 1, 3].map(&mut bytes);
    assert!(first > again + THREAD_BYTES as u64, "{first} bytes, then {again}");
}
