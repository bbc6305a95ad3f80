//! Time that an engine was ready to run and had no processor: tells a slow engine from a machine with too much to do.
//! Known on Linux only.
//! CITE: Linux, Documentation/scheduler/sched-stats.rst, `/proc/PID/schedstat`.

use std::time::Duration;

/// Time that the living threads of a process have waited for a processor since they began, all together, if the system
/// tells.
#[cfg(target_os = "linux")]
pub fn waited(pid: u32) -> Option<Duration> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let one = |thread: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        text.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()
    };
    let mut known = threads.map(one).peekable();
    known.peek()?.as_ref()?;
    Some(Duration::from_nanos(known.flatten().sum()))
}

/// Not known on this system.
#[cfg(not(target_os = "linux"))]
pub fn waited(_pid: u32) -> Option<Duration> {
    None
}

/// Returns what a fault of time says of it: nothing if it was less than a millisecond.
pub fn said(before: Option<Duration>, after: Option<Duration>) -> String {
    match after.unwrap_or_default().saturating_sub(before.unwrap_or_default()).as_millis() {
        0 => String::new(),
        ms => format!("; its threads waited {ms} ms for a processor"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_waits_are_not_mentioned() {
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!(said(ms(5), ms(17)), "; its threads waited 12 ms for a processor");
        assert_eq!(said(ms(5), ms(5)), "");
        // Threads have ended.
        assert_eq!(said(ms(5), ms(3)), "");
        assert_eq!(said(None, None), "");
    }

    /// More threads than processors, each with work: some must wait.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_crowd_waits() {
        use std::sync::atomic::{AtomicBool, Ordering};

        let Some(before) = waited(std::process::id()) else { return };
        let end = AtomicBool::new(false);
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let after = std::thread::scope(|scope| {
            for _ in 0..2 * processors {
                scope.spawn(|| {
                    while !end.load(Ordering::Relaxed) {
                        std::hint::spin_loop()
                    }
                });
            }
            std::thread::sleep(Duration::from_millis(300));
            let after = waited(std::process::id()).unwrap();
            end.store(true, Ordering::Relaxed);
            after
        });
        assert!(after >= before + Duration::from_millis(100), "{before:?} {after:?}");
    }
}
