//! The processors and the memory that this process may use.

use std::path::Path;

use super::memory::{MAX_HASH, RESERVE, SMALLEST_TABLES};

/// Returns the largest useful number of threads on this machine.
pub fn max_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the largest useful [`Options::hash`](super::Options::hash): half of the memory, if the system tells how much there
/// is (Linux).
pub fn max_hash() -> u64 {
    memory().map_or(MAX_HASH, |bytes| (bytes / 2).clamp(SMALLEST_TABLES, MAX_HASH))
}

/// Returns the most memory that tables may take, or no limit if the system does not tell how much there is. Linux may grant
/// more memory than there is, and kills a process that then uses it.
pub(super) fn usable() -> u64 {
    memory().map_or(u64::MAX, usable_of)
}

/// Returns the most memory that tables may take of `bytes`: seven eighths, and all but the reserve of a small container.
fn usable_of(bytes: u64) -> u64 {
    bytes.saturating_sub(RESERVE.max(bytes / 8)).max(SMALLEST_TABLES)
}

/// Returns the bytes of memory that the machine has, or that this process's control groups allow if these are fewer, as for
/// a container; `None` if the system does not tell.
fn memory() -> Option<u64> {
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let machine = total(&read(Path::new("/proc/meminfo"))?)?;
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    Some(least_limit(&groups, read).map_or(machine, |limit| limit.min(machine)))
}

/// Returns the least memory limit in bytes of these control groups and the groups that contain them; `None` without a limit.
/// `groups` is the text of `/proc/self/cgroup`, and `read` reads a file.
///
/// CITE: `cgroups(7)`; <https://docs.kernel.org/admin-guide/cgroup-v2.html>, `memory.max`;
/// <https://docs.kernel.org/admin-guide/cgroup-v1/memory.html>, `memory.limit_in_bytes`.
fn least_limit(groups: &str, read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let limit_of = |root: &str, group: &Path, file: &str| {
        let group = group.strip_prefix("/").unwrap_or(group);
        read(&Path::new(root).join(group).join(file))?.trim().parse::<u64>().ok()
    };
    let limits = groups.lines().filter_map(|line| {
        // A line is a number, controllers and a group, between colons; version 2 names no controllers.
        let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return None,
        };
        // The groups that contain this one end at the root that the process sees: that of its container.
        Path::new(group).ancestors().filter_map(|group| limit_of(root, group, file)).min()
    });
    limits.min()
}

/// Returns whether the system grants blocks of these numbers of bytes at the same time. Linux as it is usually set up refuses
/// a single block that is larger than the memory, but not several, of which little may be used.
pub(super) fn grants_both(one: u64, other: u64) -> bool {
    [one, other].map(block).iter().all(Option::is_some)
}

/// Returns a block of this many bytes, if the system grants it.
fn block(bytes: u64) -> Option<Vec<u8>> {
    let mut memory = Vec::<u8>::new();
    let granted = usize::try_from(bytes).is_ok_and(|bytes| memory.try_reserve_exact(bytes).is_ok());
    // The compiler may leave out an allocation that nobody uses, and take it for granted.
    std::hint::black_box(memory.as_ptr());
    granted.then_some(memory)
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

    #[test]
    fn tables_leave_room_in_little_memory_and_in_much() {
        for (all, tables) in [(1 << 10, 896), (64, 40), (16, SMALLEST_TABLES >> 20)] {
            assert_eq!(usable_of(all << 20), tables << 20, "{all} MiB");
        }
    }

    #[test]
    fn the_least_limit_of_all_control_groups_counts() {
        let limit = |groups: &str, files: &[(&str, &str)]| {
            let text = |path: &Path| files.iter().find(|file| Path::new(file.0) == path);
            least_limit(groups, |path| Some(text(path)?.1.to_owned()))
        };
        let (unlimited, inner) = ("/sys/fs/cgroup/a/b/memory.max", "/sys/fs/cgroup/a/memory.max");
        assert_eq!(limit("0::/a/b\n", &[(unlimited, "max\n"), (inner, "536870912\n")]), Some(512 << 20));
        assert_eq!(limit("0::/a/b\n", &[(unlimited, "max\n")]), None);
        // A container that has no names of its own for groups sees that of its host, and its own limit at the root.
        assert_eq!(limit("0::/host/name\n", &[("/sys/fs/cgroup/memory.max", "1000\n")]), Some(1000));
        let old = "5:cpu,cpuacct:/c\n4:memory:/c\n0::/\n";
        let (file, outer) =
            ("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.limit_in_bytes");
        assert_eq!(limit(old, &[(file, "3000\n"), (outer, "9223372036854771712\n")]), Some(3000));
        assert_eq!(limit("5:cpu,cpuacct:/c\n", &[(file, "3000\n")]), None, "a limit of another resource");
        assert_eq!(limit("no such text", &[(file, "3000\n")]), None);
    }
}
