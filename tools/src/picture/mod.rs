//! Pictures: a [`scene`] of simple shapes, written as [`svg`] or painted as [`png`].
//!
//! [`board`] draws a position as in a book, [`plot`] the course of a game, [`sheet`] the 26 openings. They know nothing
//! of formats, and both formats come from the same scene, so that they look alike. Nothing here writes to a file:
//! [`Format::encode`] returns its bytes.
//!
//! ```
//! use kagetsu::game::{Board, Renju, notation};
//! use kagetsu_tools::picture::{BoardPicture, Format};
//!
//! let position = notation::parse("f8a1g8a3h9a5h10a7", None)?;
//! let board = Board::<Renju>::from_position(&position)?;
//! let fouls: Vec<_> = board.fouls().iter().map(|p| (p, board.foul_kinds(p))).collect();
//! let picture = BoardPicture { fouls: &fouls, ..BoardPicture::new(&position) };
//! let png = Format::Png.encode(&picture.scene(), 2.0)?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod plot;
pub mod png;
pub mod scene;
pub mod sheet;
pub mod svg;

use std::path::Path;

pub use self::board::BoardPicture;
pub use self::png::PaintError;
pub use self::scene::Scene;

/// A format of pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// SVG 1.1: lines and texts, sharp at any size.
    Svg,
    /// PNG: pixels.
    Png,
}

impl Format {
    /// The format named by a path's extension, in upper or lower case.
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            _ => None,
        }
    }

    /// The letters that texts may have in this format.
    pub fn letters(self) -> sheet::Letters {
        match self {
            Format::Svg => sheet::Letters::All,
            Format::Png => sheet::Letters::Ascii,
        }
    }

    /// The file of a scene in this format, with `scale` pixels for each unit of the scene.
    ///
    /// # Errors
    /// If a PNG picture would have more pixels than memory allows, or than [`png::MOST_PIXELS`].
    pub fn encode(self, scene: &Scene, scale: f32) -> Result<Vec<u8>, PaintError> {
        match self {
            Format::Svg => Ok(svg::write(scene, scale).into_bytes()),
            Format::Png => png::paint(scene, scale),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_names_the_format() {
        let of = |name: &str| Format::of_path(Path::new(name));
        assert_eq!([of("a.svg"), of("b/a.PNG")], [Some(Format::Svg), Some(Format::Png)]);
        assert_eq!([of("svg"), of("a.svg.txt"), of("")], [None; 3]);
    }
}
