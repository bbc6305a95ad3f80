//! Interrupts: Ctrl-C, and the signals by which a system ends a process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// Returns a flag that every interrupt sets from now on, instead of ending the process. Call it once.
///
/// # Errors
/// If interrupts cannot be caught, or are caught already.
pub fn flag() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    ctrlc::set_handler(move || told.store(true, Ordering::Relaxed)).context("cannot catch interrupts")?;
    Ok(stop)
}
