//! Pictures: a [`scene`] of simple shapes, written as [`svg`] or painted as [`png`].
//!
//! [`board`] draws a position as in a book, [`plot`] the course of a game. Both know nothing of files and formats, and
//! both formats come from the same scene, so that they look alike.

pub mod board;
pub mod plot;
pub mod png;
pub mod scene;
pub mod svg;

use std::path::Path;

use anyhow::{Context, Result, bail};

use self::scene::Scene;
use super::draft::replace;

/// The formats of pictures.
enum Format {
    Svg,
    Png,
}

/// The format that the name's extension says.
fn format(path: &Path) -> Result<Format> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        _ => bail!("{}: the name of a picture ends with .svg or .png", path.display()),
    }
}

/// Says no to a name that says no format, before the work that the picture is to show.
pub fn check(path: &Path) -> Result<()> {
    format(path).map(|_| ())
}

/// Writes a picture in the format that the name's extension says.
///
/// # Errors
/// If the extension is neither `svg` nor `png`, or the file cannot be written.
pub fn write(path: &Path, scene: &Scene, scale: f32) -> Result<()> {
    let bytes = match format(path)? {
        Format::Svg => svg::write(scene, scale).into_bytes(),
        Format::Png => png::paint(scene, scale)?,
    };
    replace(path, &bytes).with_context(|| format!("cannot write {}", path.display()))
}
