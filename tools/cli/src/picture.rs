//! Files of pictures, in the format that their names say.

use std::path::Path;

use anyhow::{Context, Result};

use super::output::{OutArgs, Output};
use kagetsu_tools::picture::{Format, Scene};

/// The format that the name's extension says.
fn format(path: &Path) -> Result<Format> {
    Format::of_path(path)
        .with_context(|| format!("{}: the name of a picture ends with .svg or .png", path.display()))
}

/// A file for a picture, which is decided about before the work that the picture is to show.
pub struct Frame {
    format: Format,
    output: Output,
}

impl Frame {
    /// In the format that the name's extension says.
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
}
