//! The memory limit, and how it is shared out among the search's tables, the opening book and threads.

use super::Options;
use super::machine::{grants_both, usable};
use crate::search::{STACK, THREAD_BYTES};

/// Default memory limit of the process: that of the Gomocup tournaments.
pub const DEFAULT_MEMORY: u64 = 350 << 20;
/// Memory kept back from the limit for code, rule tables, boards, stacks and system libraries.
pub(super) const RESERVE: u64 = 24 << 20;
/// Smallest size of the search's tables, whatever the limit.
pub(super) const SMALLEST_TABLES: u64 = 1 << 20;
/// Most memory that an opening book may take.
pub const LARGEST_BOOK: u64 = 256 << 20;
/// Largest size of the search's tables, unless [`Options::hash`] asks for more.
pub(super) const LARGEST_TABLES: u64 = 1 << 30;
/// Memory of each search thread except the first, whose memory is in the reserve.
pub(super) const THREAD: u64 = 3 << 20;
/// Memory that a search may allocate besides its tables and threads: lines, reports, solvers.
const SPARE: u64 = 4 << 20;
/// Largest value of [`Options::hash`] accepted.
pub const MAX_HASH: u64 = 64 << 30;

impl Options {
    /// Returns the memory limit of the whole process in bytes.
    fn limit(&self) -> u64 {
        match (self.max_memory, self.hash) {
            (Some(limit), _) => limit,
            (None, Some(_)) => u64::MAX,
            (None, None) => DEFAULT_MEMORY,
        }
    }

    /// Returns the bytes for the tables of a search with this number of threads under these options.
    pub fn table_memory(&self, threads: usize) -> u64 {
        self.table_memory_beside(threads, 0)
    }

    /// Returns the bytes for the tables if `taken` bytes are used by something else.
    pub(super) fn table_memory_beside(&self, threads: usize, taken: u64) -> u64 {
        let wanted = self.hash.map_or(LARGEST_TABLES, |hash| hash.min(MAX_HASH));
        let rest = RESERVE.saturating_add(taken) + THREAD * (threads.max(1) as u64 - 1);
        wanted.min(self.limit().saturating_sub(rest)).max(SMALLEST_TABLES)
    }

    /// Bytes that the memory limit leaves beside the reserve; an opening book may take an eighth of them.
    fn left_for_book(&self) -> u64 {
        self.max_memory.unwrap_or(DEFAULT_MEMORY).saturating_sub(RESERVE).min(8 * LARGEST_BOOK)
    }

    /// Bytes that an opening book may take under the memory limit.
    pub(super) fn book_limit(&self) -> u64 {
        self.left_for_book() / 8
    }

    /// Bytes that a book that is not open yet may take: an eighth of what the limit leaves and the system grants.
    pub(super) fn book_memory(&self) -> u64 {
        // The system is never asked for more than eight times the largest book: some systems take seconds to answer a
        // request for terabytes.
        let most = self.left_for_book();
        available(most).min(most) / 8
    }

    /// Returns how many of these threads fit into the memory limit, and into the memory that there is, beside tables of the
    /// same size.
    pub fn affordable(&self, threads: usize) -> usize {
        // Counting the memory reads several files, and most games have a single thread.
        if threads <= 1 {
            return 1;
        }
        threads.min(threads_within(self.limit().min(usable())))
    }
}

/// Returns how many threads fit into this many bytes beside tables of the same size.
pub(super) fn threads_within(bytes: u64) -> usize {
    let further = bytes.saturating_sub(RESERVE) / 2 / THREAD;
    usize::try_from(further).unwrap_or(usize::MAX).saturating_add(1)
}

/// Memory that is needed beside tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Beside {
    /// Bytes that are used.
    used: u64,
    /// Bytes of address space, which include the unused part of each stack. A limit such as that of `ulimit -v` counts them.
    mapped: u64,
}

impl Beside {
    /// Returns the memory that a search with this number of threads needs beside its tables.
    pub(super) fn of_search(threads: usize) -> Beside {
        let further = threads.max(1) as u64 - 1;
        let first = SPARE + THREAD_BYTES as u64;
        let mapped = first + further * (THREAD_BYTES + STACK) as u64;
        Beside { used: first + further * THREAD, mapped }
    }
}

/// Returns as many of these bytes as tables may take: seven eighths of the memory of the machine, or of the process's
/// control groups if these allow less, and what the system grants, halved at each refusal. A mebibyte is never refused.
pub fn available(bytes: u64) -> u64 {
    available_beside(bytes, Beside::default())
}

/// Returns as many of these bytes as [`available`] does, if other memory is needed too.
pub(super) fn available_beside(bytes: u64, beside: Beside) -> u64 {
    let mut bytes = fitting(bytes, usable(), beside);
    while bytes > SMALLEST_TABLES && !grants_both(bytes, beside.mapped) {
        bytes /= 2;
    }
    bytes
}

/// Returns as many of these bytes as fit into `usable` ones beside other memory. The unused part of a stack takes none: with
/// hundreds of threads all stacks together are larger than the memory of a small container.
pub(super) fn fitting(bytes: u64, usable: u64, beside: Beside) -> u64 {
    bytes.min(usable.saturating_sub(beside.used).max(SMALLEST_TABLES))
}
