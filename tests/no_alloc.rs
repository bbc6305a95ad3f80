//! The search tree allocates nothing: memory is allocated once for each search, for each iteration's report and for the lines
//! of the root, never for a node, and the memory of a thread is kept.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Renju, Size, notation};
use kagetsu::search::{Context, Limits, Search, THREAD_BYTES};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static LARGE: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// Bytes from which an allocation is a large one. A line of moves has fewer, and the stacks of a board have more.
const LARGE_SIZE: usize = 1024;

/// Counts an allocation of this size.
fn count(size: usize) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    LARGE.fetch_add(u64::from(size >= LARGE_SIZE), Relaxed);
    BYTES.fetch_add(size as u64, Relaxed);
}

// SAFETY: every call goes to the system's allocator unchanged; the counters are atomic.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the contract is that of `System`, which does the work.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
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
        count(new_size);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Nodes, iterations and allocations of a search.
struct Cost {
    nodes: u64,
    iterations: u64,
    allocations: u64,
    /// The large ones among the allocations.
    large: u64,
}

/// Returns the cost of a search of this many nodes with new memory. So a longer search begins with the nodes of a shorter one.
fn cost(board: &Board<Renju>, nodes: u64) -> Cost {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let mut search = Search::<Renju>::new(16 << 20);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let context = Context { clock: &clock, start: clock.now(), stop: &stop };
    let mut iterations = 0;
    let (allocations, large) = (ALLOCATIONS.load(Relaxed), LARGE.load(Relaxed));
    let (_, report) = search.go(board, &limits, &context, &mut |_| iterations += 1).unwrap();
    Cost {
        nodes: report.nodes,
        iterations,
        allocations: ALLOCATIONS.load(Relaxed) - allocations,
        large: LARGE.load(Relaxed) - large,
    }
}

/// Most allocations of an iteration: for its report, and for a line of moves, which grows a few times, whenever a move of the
/// root raises alpha.
const ITERATION: u64 = 32;

/// One test, because the counters are those of the process.
#[test]
fn nodes_do_not_allocate() {
    let position = notation::parse("h8i10j6g5", Some(Size::S15)).unwrap();
    let board = Board::<Renju>::from_position(&position).unwrap();
    // The first search of a process may make what all of them share.
    cost(&board, 1);
    let [least, short, long] = [1, 10_000, 200_000].map(|nodes| cost(&board, nodes));
    let more = Cost {
        nodes: long.nodes - short.nodes,
        iterations: long.iterations - short.iterations,
        allocations: long.allocations.saturating_sub(short.allocations),
        large: long.large.saturating_sub(least.large),
    };
    // The iteration in which the shorter search ended is a part of both.
    let most = ITERATION * (more.iterations + 1);
    assert!(most < more.nodes / 100, "{} nodes are too few to show anything", more.nodes);
    assert!(more.allocations < most, "{} allocations in {} nodes", more.allocations, more.nodes);
    // The stacks of the board have room for a whole game from the start.
    assert_eq!(more.large, 0, "large allocations after the first node");
    memory_of_threads_is_kept(&board);
}

/// A search with fewer threads keeps the memory of the others.
fn memory_of_threads_is_kept(board: &Board<Renju>) {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let mut search = Search::<Renju>::new(16 << 20);
    let mut bytes = |threads: usize| {
        let limits = Limits { depth: Some(2), threads, ..Limits::default() };
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        let before = BYTES.load(Relaxed);
        search.go(board, &limits, &context, &mut |_| {}).unwrap();
        BYTES.load(Relaxed) - before
    };
    let [first, _, again] = [3, 1, 3].map(&mut bytes);
    assert!(first > again + THREAD_BYTES as u64, "{first} bytes, then {again}");
}
