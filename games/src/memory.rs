//! How much memory the system grants.

/// Returns the first of `bytes`, `bytes / 2`, `bytes / 4`, … that the system grants as one block.
pub fn affordable(mut bytes: usize) -> usize {
    while bytes > 0 && Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        bytes /= 2;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::affordable;

    #[test]
    fn what_no_system_has_is_halved() {
        assert!((1..usize::MAX / 2).contains(&affordable(usize::MAX)));
        assert_eq!(affordable(1 << 20), 1 << 20);
        assert_eq!(affordable(0), 0);
    }
}
