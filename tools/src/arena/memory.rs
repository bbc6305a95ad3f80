//! The memory of a process and its descendants, as the Gomocup judge measures it: the unique set size, pages that no
//! other process shares. Known on Linux only; elsewhere limits are passed to engines and not checked.

/// Returns the bytes that only this process and its descendants hold, if they exceed `limit` and the system tells. It
/// reads the page tables only when the resident set exceeds `limit`, since the unique set is never larger. So it is cheap for small
/// processes.
#[cfg(target_os = "linux")]
pub fn unique_set_above(pid: u32, limit: u64) -> Option<u64> {
    let family = linux::family(pid);
    let resident: u64 = family.iter().filter_map(|&p| linux::resident(p)).sum();
    if resident <= limit {
        return None;
    }
    let unique: u64 = family.iter().filter_map(|&p| linux::unique(p)).sum();
    (unique > limit).then_some(unique)
}

/// Returns `None`: the memory of a process is not known on this system.
#[cfg(not(target_os = "linux"))]
pub fn unique_set_above(_pid: u32, _limit: u64) -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    /// The process and all its descendants.
    pub fn family(pid: u32) -> Vec<u32> {
        let mut found = vec![pid];
        let mut next = 0;
        while next < found.len() {
            let tasks = fs::read_dir(format!("/proc/{}/task", found[next]));
            for task in tasks.into_iter().flatten().flatten() {
                let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
                found.extend(children.split_ascii_whitespace().filter_map(|c| c.parse::<u32>().ok()));
            }
            next += 1;
        }
        found
    }

    pub fn resident(pid: u32) -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
        let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
        Some(pages * rustix::param::page_size() as u64)
    }

    pub fn unique(pid: u32) -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
        let kilobytes = text
            .lines()
            .filter(|line| line.starts_with("Private_"))
            .filter_map(|line| line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok());
        Some(kilobytes.sum::<u64>() << 10)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn own_memory_is_seen() {
        let pid = std::process::id();
        let before = linux::unique(pid).unwrap();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = unique_set_above(pid, 1 << 20).unwrap();
        assert!(after >= before + (60 << 20), "{before} {after}");
        assert_eq!(unique_set_above(pid, 1 << 40), None);
        drop(block);
    }
}
