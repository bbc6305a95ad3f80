//! Memory of the solvers' tables.

use bytemuck::Zeroable;
use bytemuck::allocation::{try_zeroed_vec, zeroed_vec};

/// Allocates zeroed entries of `1 << bits` buckets and returns them with `bits`: at most `buckets` buckets, but at
/// least two. If the system refuses the memory, half as many are tried, again and again. Pages take memory only when
/// they are first used.
pub(super) fn entries<T: Zeroable>(buckets: usize, ways: usize) -> (Vec<T>, u32) {
    let mut bits = buckets.max(2).ilog2();
    while bits > 1 {
        if let Ok(entries) = try_zeroed_vec(ways << bits) {
            return (entries, bits);
        }
        bits -= 1;
    }
    (zeroed_vec(ways << bits), bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_as_many_as_asked_for() {
        for (buckets, expected) in [(0, 1), (2, 1), (3, 1), (4, 2), (1000, 9)] {
            let (entries, bits) = entries::<u64>(buckets, 4);
            assert_eq!((entries.len(), bits), (4 << expected, expected), "{buckets}");
            assert!(entries.iter().all(|&entry| entry == 0));
        }
    }

    /// No address space has room for that many buckets.
    #[test]
    #[cfg_attr(
        windows,
        ignore = "wine grants terabytes and notes each page in memory of its own until that is full"
    )]
    fn fewer_entries_if_memory_is_short() {
        let (entries, bits) = entries::<[u64; 2]>(usize::MAX / 64, 4);
        assert_eq!(entries.len(), 4 << bits);
        assert!(bits > 1);
    }
}
