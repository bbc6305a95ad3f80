//! Files of pictures, in the format that their names say.

use std::path::Path;

use anyhow::{Context, Result};

use crate::output::{OutArgs, Output};
use kagetsu_tools::picture::sheet::Letters;
use kagetsu_tools::picture::{Format, Scene};

/// The format that the name's extension says.
fn format(path: &Path) -> Result<Format> {
    Format::of_path(path)
        .with_context(|| format!("{}: the name of a picture ends with .svg or .png", path.display()))
}

/// Reads the scale of a picture.
pub fn scale(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "expected a number".to_string())?;
    if (0.1..=20.0).contains(&value) { Ok(value) } else { Err("expected 0.1 to 20".into()) }
}

/// A file for a picture. Whether it may be written is decided before the work for the picture.
pub struct Frame {
    format: Format,
    output: Output,
}

impl Frame {
    /// Creates a picture file in the format of its extension.
    ///
    /// # Errors
    /// If the extension is neither `svg` nor `png`, or the file may not be written.
    pub fn new(path: &Path, output: OutArgs) -> Result<Frame> {
        Ok(Frame { format: format(path)?, output: output.output(path)? })
    }

    /// Writes the picture.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, scene: &Scene, scale: f32) -> Result<()> {
        self.output.write(&self.format.encode(scene, scale)?)
    }

    /// The letters that the picture may have.
    pub fn letters(&self) -> Letters {
        self.format.letters()
    }
}
