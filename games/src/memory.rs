//! The memory that the system grants.

use kagetsu::engine::grants;

/// Returns the first of `bytes`, `bytes / 2`, `bytes / 4`, … that the system grants as one block.
pub fn affordable(mut bytes: usize) -> usize {
    while bytes > 0 && !grants(bytes as u64) {
        bytes /= 2;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::affordable;

    #[test]
    fn memory_that_no_system_has_is_halved() {
        assert!((1..usize::MAX / 2).contains(&affordable(usize::MAX)));
        assert_eq!(affordable(1 << 20), 1 << 20);
        assert_eq!(affordable(0), 0);
    }
}
