//! The processors and the memory of the machine.

use super::memory::{MAX_HASH, SMALLEST_TABLES};

/// Returns the largest useful number of threads on this machine.
pub fn max_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the largest useful [`Options::hash`](super::Options::hash) on this machine: half of its memory, if the system tells
/// how much there is (Linux).
pub fn max_hash() -> u64 {
    memory().map_or(MAX_HASH, |bytes| (bytes / 2).clamp(SMALLEST_TABLES, MAX_HASH))
}

/// Returns the most memory that tables may take: seven eighths of the machine's, or no limit if the system does not tell how
/// much there is. Linux may grant more memory than the machine has, and kills a process that then uses it.
pub(super) fn usable() -> u64 {
    memory().map_or(u64::MAX, |bytes| (bytes - bytes / 8).max(SMALLEST_TABLES))
}

/// Returns the machine's memory in bytes, if the system tells it.
fn memory() -> Option<u64> {
    std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total(&text))
}

/// Returns whether the system grants this many bytes as one block now.
pub fn grants(bytes: u64) -> bool {
    let mut memory = Vec::<u8>::new();
    let granted = usize::try_from(bytes).is_ok_and(|bytes| memory.try_reserve_exact(bytes).is_ok());
    // The compiler may leave out an allocation that nobody uses, and take it for granted.
    std::hint::black_box(memory.as_ptr());
    granted
}

/// Returns the bytes of memory that the text of `/proc/meminfo` states. CITE: `proc_meminfo(5)`.
fn total(text: &str) -> Option<u64> {
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    total.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_is_read() {
        let text = "MemTotal:       24684084 kB\nMemFree:        20463256 kB\n";
        assert_eq!(total(text), Some(24_684_084 << 10));
        assert_eq!(total("MemTotal: 18446744073709551615 kB"), None);
        assert_eq!(total("MemFree: 1 kB"), None);
        assert!((SMALLEST_TABLES..=MAX_HASH).contains(&max_hash()));
        assert!(max_hash() <= usable());
    }
}
