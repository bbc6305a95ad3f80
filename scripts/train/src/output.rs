//! Files that a training writes.

use std::path::Path;

use anyhow::{Context, Result};
use kagetsu_tools::output::{self, Permit};

/// Writes a file that appears whole or not at all. An existing file belongs to this training
/// ([`crate::files`] ensures that).
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    output::write(path, bytes, Permit::Own).with_context(|| path.display().to_string())?;
    Ok(())
}
