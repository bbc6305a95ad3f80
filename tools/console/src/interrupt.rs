//! Interrupts: Ctrl-C, and the signals by which a system ends a process.

mod input;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};

pub use self::input::Interruptible;

/// Returns a flag that every interrupt sets from now on, instead of ending the process. Call it once. The end of the terminal
/// is no interrupt for a command that `nohup` has started.
///
/// # Errors
/// If interrupts cannot be caught.
pub fn flag() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    catch(&stop).context("cannot catch interrupts")?;
    Ok(stop)
}

#[cfg(unix)]
fn catch(stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    // SIGINT counts even if it is ignored: shells ignore it for programs that a script starts in the background.
    let hangup = Some(SIGHUP).filter(|&signal| !is_ignored(signal));
    for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
        signal_hook::flag::register(signal, Arc::clone(stop))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn catch(stop: &Arc<AtomicBool>) -> Result<(), ctrlc::Error> {
    let stop = Arc::clone(stop);
    ctrlc::set_handler(move || stop.store(true, std::sync::atomic::Ordering::Relaxed))
}

/// Returns whether this process was started with a signal ignored. It is known on Linux only.
/// CITE: proc_pid_status(5), `SigIgn`: a mask in hexadecimal digits, whose lowest bit is signal 1.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| (mask >> (signal - 1)) & 1 == 1)
}
