//! The memory that tables may take.

use kagetsu::engine::available;

/// Returns as many of these bytes as there is memory for.
pub fn affordable(bytes: usize) -> usize {
    available(bytes as u64) as usize
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

    /// Linux grants nearly all the memory of the machine as one block, and kills a process that then uses it.
    #[test]
    #[cfg(target_os = "linux")]
    fn some_memory_of_the_machine_is_left() {
        let text = std::fs::read_to_string("/proc/meminfo").unwrap();
        let kib: usize = text.split_whitespace().nth(1).unwrap().parse().unwrap();
        let memory = kib << 10;
        assert!(affordable(memory / 16 * 15) <= memory / 8 * 7);
    }
}
