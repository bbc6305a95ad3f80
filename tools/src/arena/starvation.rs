//! Time that an engine was ready to run and had no processor: tells a slow engine from a machine with too much to do.
//! Known on Linux only.
//! CITE: Linux, Documentation/scheduler/sched-stats.rst, `/proc/PID/schedstat`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Time that each living thread of a process has waited for a processor since it began, by the thread's number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waits(BTreeMap<u64, Duration>);

impl Waits {
    /// Reads the folder of a process's threads, `/proc/PID/task`; `None` if no thread tells.
    fn read(threads: &Path) -> Option<Waits> {
        let one = |thread: std::fs::DirEntry| {
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            let nanoseconds = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
            Some((thread.file_name().to_str()?.parse().ok()?, Duration::from_nanos(nanoseconds)))
        };
        let waits: BTreeMap<u64, Duration> =
            std::fs::read_dir(threads).ok()?.flatten().filter_map(one).collect();
        (!waits.is_empty()).then_some(Waits(waits))
    }

    /// Returns how long the threads have waited since an earlier reading, all together. The waits of threads that have ended
    /// since are not known, and those before the earlier reading must not count.
    fn since(&self, before: &Waits) -> Duration {
        let earlier = |thread| before.0.get(thread).copied().unwrap_or_default();
        self.0.iter().map(|(thread, wait)| wait.saturating_sub(earlier(thread))).sum()
    }
}

/// Returns the waits of a process's threads, if the system tells.
pub fn waited(pid: u32) -> Option<Waits> {
    // Other systems than Linux have no such folder, or one of another meaning.
    cfg!(target_os = "linux").then(|| Waits::read(Path::new(&format!("/proc/{pid}/task"))))?
}

/// The wait of the thread that made this value.
pub struct OwnWait {
    #[cfg(target_os = "linux")]
    file: Option<std::fs::File>,
}

impl OwnWait {
    /// Returns the wait of the calling thread.
    #[cfg(target_os = "linux")]
    pub fn of_this_thread() -> OwnWait {
        OwnWait { file: std::fs::File::open("/proc/thread-self/schedstat").ok() }
    }

    /// Returns the wait of the calling thread.
    #[cfg(not(target_os = "linux"))]
    pub fn of_this_thread() -> OwnWait {
        OwnWait {}
    }

    /// Returns the time that the thread has waited for a processor since it began; zero where that is not known.
    #[cfg(target_os = "linux")]
    pub fn total(&self) -> Duration {
        use std::os::unix::fs::FileExt;
        let mut text = [0; 80];
        let length = self.file.as_ref().and_then(|file| file.read_at(&mut text, 0).ok()).unwrap_or(0);
        let word =
            std::str::from_utf8(&text[..length]).ok().and_then(|text| text.split_ascii_whitespace().nth(1));
        Duration::from_nanos(word.and_then(|word| word.parse().ok()).unwrap_or(0))
    }

    /// Returns zero: the wait is not known on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn total(&self) -> Duration {
        Duration::ZERO
    }
}

/// Returns how long the threads have waited between two readings, all together; zero where that is not known.
pub fn wait_between(before: Option<&Waits>, after: Option<&Waits>) -> Duration {
    before.zip(after).map_or(Duration::ZERO, |(before, after)| after.since(before))
}

/// Returns the note about it for a fault of time: empty if it was less than a millisecond, or is not known.
pub fn said(before: Option<&Waits>, after: Option<&Waits>) -> String {
    match wait_between(before, after).as_millis() {
        0 => String::new(),
        ms => format!("; its threads waited {ms} ms for a processor"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads waits from a folder like that of the system: the number of each thread, and its wait in milliseconds.
    fn waits(threads: &[(u64, u64)]) -> Option<Waits> {
        let folder = tempfile::tempdir().unwrap();
        for (thread, ms) in threads {
            let thread = folder.path().join(thread.to_string());
            std::fs::create_dir(&thread).unwrap();
            std::fs::write(thread.join("schedstat"), format!("123456 {} 78\n", ms * 1_000_000)).unwrap();
        }
        Waits::read(folder.path())
    }

    #[test]
    fn short_waits_are_not_mentioned() {
        let said = |before: &[_], after: &[_]| said(waits(before).as_ref(), waits(after).as_ref());
        assert_eq!(said(&[(7, 5)], &[(7, 17)]), "; its threads waited 12 ms for a processor");
        assert_eq!(said(&[(7, 5)], &[(7, 5)]), "");
        assert_eq!(said(&[(7, 5)], &[]), "");
        assert_eq!(said(&[], &[]), "");
    }

    #[test]
    fn threads_that_have_ended_are_not_subtracted() {
        let said = |before: &[_], after: &[_]| said(waits(before).as_ref(), waits(after).as_ref());
        // The helper 8 has ended. The thread 9 is new, so that all of its wait counts.
        let waited = "; its threads waited 12 ms for a processor";
        assert_eq!(said(&[(7, 5), (8, 100)], &[(7, 17)]), waited);
        assert_eq!(said(&[(7, 5), (8, 100)], &[(7, 7), (9, 10)]), waited);
    }

    /// More threads than processors, each with work: some must wait, one by one and all together.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_crowd_waits() {
        use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

        let Some(before) = waited(std::process::id()) else {
            let is_told = std::path::Path::new("/proc/self/schedstat").exists();
            assert!(!is_told, "this system tells how long threads wait");
            return;
        };
        let of_threads = AtomicU64::new(0);
        let end = AtomicBool::new(false);
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let after = std::thread::scope(|scope| {
            for _ in 0..2 * processors {
                scope.spawn(|| {
                    let own = OwnWait::of_this_thread();
                    while !end.load(Ordering::Relaxed) {
                        std::hint::spin_loop()
                    }
                    of_threads.fetch_add(own.total().as_millis() as u64, Ordering::Relaxed);
                });
            }
            std::thread::sleep(Duration::from_millis(300));
            let after = waited(std::process::id()).unwrap();
            end.store(true, Ordering::Relaxed);
            after
        });
        assert!(after.since(&before) >= Duration::from_millis(100), "{before:?} {after:?}");
        assert!(of_threads.into_inner() >= 100);
    }
}
