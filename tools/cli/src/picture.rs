//! Files of pictures, in the format that their names say.

use std::path::Path;

use anyhow::{Context, Result};

use super::draft::replace;
use kagetsu_tools::picture::{Format, Scene};

/// The format that the name's extension says.
fn format(path: &Path) -> Result<Format> {
    Format::of_path(path)
        .with_context(|| format!("{}: the name of a picture ends with .svg or .png", path.display()))
}

/// Rejects a name without a known format, before the work that the picture is to show.
pub fn check(path: &Path) -> Result<()> {
    format(path).map(|_| ())
}

/// Writes a picture in the format that the name's extension says.
///
/// # Errors
/// If the extension is neither `svg` nor `png`, or the file cannot be written.
pub fn write(path: &Path, scene: &Scene, scale: f32) -> Result<()> {
    let bytes = format(path)?.encode(scene, scale)?;
    replace(path, &bytes).with_context(|| format!("cannot write {}", path.display()))
}
