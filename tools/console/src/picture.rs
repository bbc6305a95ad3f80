//! Files of pictures, in the format that their names say.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::output::{OutArgs, Output};
use crate::usage::WrongUsage;
use kagetsu::invalid::Invalid;
use kagetsu_tools::picture::sheet::Letters;
use kagetsu_tools::picture::{Format, Scene};

/// Reads the scale of a picture.
pub fn scale(text: &str) -> Result<f32, Invalid> {
    let value: f32 = text.parse().map_err(|_| "expected a number")?;
    if (0.1..=20.0).contains(&value) { Ok(value) } else { Err("expected 0.1 to 20".into()) }
}

/// A file for a picture. Whether it may be written is decided before the work for the picture.
pub struct Frame {
    format: Format,
    output: Output,
}

impl Frame {
    /// Creates the picture files that the flags `--svg` and `--png` name, which are [`distinct`](crate::output::distinct).
    ///
    /// # Errors
    /// If a name has not the extension of its flag, or a file may not be written.
    pub fn all(svg: Option<&Path>, png: Option<&Path>, output: OutArgs) -> Result<Vec<Frame>> {
        let named = [(svg, Format::Svg, "svg"), (png, Format::Png, "png")];
        let named = named.into_iter().filter_map(|(path, format, name)| Some((path?, format, name)));
        let frame = |(path, format, name): (&Path, Format, &str)| {
            let found = Format::of_path(path);
            ensure!(
                found == Some(format),
                WrongUsage::new(format_args!(
                    "{}: the name of a picture by --{name} ends with .{name}",
                    path.display()
                ))
            );
            Ok(Frame { format, output: output.output(path)? })
        };
        named.map(frame).collect()
    }

    /// Writes the picture, and warns of letters that its format lacks.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, scene: &Scene, scale: f32) -> Result<()> {
        if self.letters() == Letters::Ascii && !scene.is_ascii() {
            log::warn!("the letters of PNG pictures are those of ASCII: question marks stand for others");
        }
        self.output.write(&self.format.encode(scene, scale)?)
    }

    /// The letters that the picture may have.
    pub fn letters(&self) -> Letters {
        self.format.letters()
    }
}
