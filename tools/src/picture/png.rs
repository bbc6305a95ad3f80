//! A scene painted as PNG.
//!
//! Texts are drawn with outlines of DejaVu Sans Condensed. The outlines of the printable ASCII characters lie beside
//! this file, with the license in `font-license.txt`. Any other character becomes a question mark.

use tiny_skia::{
    BYTES_PER_PIXEL, Color, FillRule, IntSize, LineJoin, Paint as Brush, Path, PathBuilder, Pixmap, Rect,
    Stroke, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use super::scene::{Anchor, Paint, Rgb, Scene, Shape, Text};
use super::svg::HALF_CAPITAL;

static FONT: &[u8] = include_bytes!("DejaVuSansCondensed-ascii.ttf");

/// Reason why a scene cannot be painted.
#[derive(Debug, thiserror::Error)]
pub enum PaintError {
    /// A picture of this width and height has more than [`MOST_PIXELS`], or the system has no memory for it.
    #[error("there is no memory for a picture of {0}x{1} pixels")]
    Size(u32, u32),
    /// The built-in font is damaged.
    #[error("the font cannot be read")]
    Font(#[source] ttf_parser::FaceParsingError),
    /// The encoder failed.
    #[error("the picture cannot be written as PNG: {0}")]
    Encode(String),
}

/// Most pixels of a picture; each takes four bytes.
pub const MOST_PIXELS: u64 = 1 << 30;

/// Paints a scene, `scale` pixels a unit.
///
/// # Errors
/// If there are more pixels than memory, or than [`MOST_PIXELS`].
pub fn paint(scene: &Scene, scale: f32) -> Result<Vec<u8>, PaintError> {
    let pixels = |units: f32| (units * scale).ceil().max(1.0) as u32;
    let size = (pixels(scene.size.0), pixels(scene.size.1));
    let map = blank(size.0, size.1).ok_or(PaintError::Size(size.0, size.1))?;
    let face = Face::parse(FONT, 0).map_err(PaintError::Font)?;
    let mut painter = Painter { map, face, transform: Transform::from_scale(scale, scale) };
    painter.map.fill(opaque(scene.background));
    for shape in &scene.shapes {
        painter.shape(shape);
    }
    painter.map.encode_png().map_err(|error| PaintError::Encode(error.to_string()))
}

/// Returns an empty picture. `Pixmap::new` would end the program if the system had no memory for it.
fn blank(width: u32, height: u32) -> Option<Pixmap> {
    let pixels = Some(u64::from(width) * u64::from(height)).filter(|&pixels| pixels <= MOST_PIXELS)?;
    let bytes = usize::try_from(pixels * BYTES_PER_PIXEL as u64).ok()?;
    let mut data = Vec::new();
    data.try_reserve_exact(bytes).ok()?;
    data.resize(bytes, 0);
    Pixmap::from_vec(data, IntSize::from_wh(width, height)?)
}

fn opaque(Rgb(r, g, b): Rgb) -> Color {
    Color::from_rgba8(r, g, b, 255)
}

struct Painter {
    map: Pixmap,
    face: Face<'static>,
    transform: Transform,
}

impl Painter {
    fn shape(&mut self, shape: &Shape) {
        let (path, paint) = match shape {
            Shape::Circle { center: (x, y), radius, paint } => {
                (PathBuilder::from_circle(*x, *y, *radius), paint)
            }
            Shape::Rectangle { corner: (x, y), size: (width, height), paint } => {
                (Rect::from_xywh(*x, *y, *width, *height).map(PathBuilder::from_rect), paint)
            }
            Shape::Path { points, closed, paint } => (polygon(points, *closed), paint),
            Shape::Text(text) => return self.text(text),
        };
        if let Some(path) = path {
            self.path(&path, paint);
        }
    }

    fn path(&mut self, path: &Path, paint: &Paint) {
        let brush = |color| {
            let mut brush = Brush { anti_alias: true, ..Brush::default() };
            brush.set_color(opaque(color));
            brush
        };
        if let Some(color) = paint.fill {
            self.map.fill_path(path, &brush(color), FillRule::Winding, self.transform, None);
        }
        if let Some((color, width)) = paint.stroke {
            let stroke = Stroke { width, line_join: LineJoin::Round, ..Stroke::default() };
            self.map.stroke_path(path, &brush(color), &stroke, self.transform, None);
        }
    }

    fn text(&mut self, text: &Text) {
        let scale = text.size / f32::from(self.face.units_per_em());
        let glyph = |c| self.face.glyph_index(c).or_else(|| self.face.glyph_index('?'));
        let glyphs: Vec<_> = text.text.chars().filter_map(glyph).collect();
        let advance = |&glyph| f32::from(self.face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        let width: f32 = glyphs.iter().map(advance).sum();
        let mut pen = match text.anchor {
            Anchor::Start => text.at.0,
            Anchor::Middle => text.at.0 - width / 2.0,
            Anchor::End => text.at.0 - width,
        };
        let mut outline =
            Outline { path: PathBuilder::new(), origin: (pen, text.at.1 + text.size * HALF_CAPITAL), scale };
        for glyph in &glyphs {
            outline.origin.0 = pen;
            // Blanks have no outline.
            let _ = self.face.outline_glyph(*glyph, &mut outline);
            pen += advance(glyph);
        }
        if let Some(path) = outline.path.finish() {
            self.path(&path, &Paint::fill(text.color));
        }
    }
}

fn polygon(points: &[(f32, f32)], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (first, rest) = points.split_first()?;
    path.move_to(first.0, first.1);
    rest.iter().for_each(|p| path.line_to(p.0, p.1));
    if closed {
        path.close();
    }
    path.finish()
}

/// Receives a glyph's outline in the font's units, y upwards.
struct Outline {
    path: PathBuilder,
    origin: (f32, f32),
    scale: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.origin.0 + x * self.scale, self.origin.1 - y * self.scale)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scene::{BLACK, WHITE};

    /// Share of dark pixels, in percent.
    fn dark(scene: &Scene) -> usize {
        let bytes = paint(scene, 2.0).unwrap();
        let map = Pixmap::decode_png(&bytes).unwrap();
        assert_eq!((map.width(), map.height()), (200, 200));
        map.pixels().iter().filter(|p| p.red() < 128).count() / 400
    }

    #[test]
    fn shapes_cover_what_they_should() {
        let mut scene = Scene::new((100.0, 100.0), WHITE);
        assert_eq!(dark(&scene), 0);
        scene.circle((50.0, 50.0), 50.0, Paint::fill(BLACK));
        // A circle covers pi/4 of its square.
        assert_eq!(dark(&scene), 78);
        let (corner, size) = ((0.0, 0.0), (100.0, 100.0));
        scene.shapes.push(Shape::Rectangle { corner, size, paint: Paint::fill(BLACK) });
        assert_eq!(dark(&scene), 100);
    }

    /// Pictures that would take terabytes, which the system may refuse or grant.
    #[test]
    fn a_picture_larger_than_memory_is_an_error() {
        let scene = Scene::new((1000.0, 1000.0), WHITE);
        for (scale, side) in [(1000.0, 1_000_000), (f32::INFINITY, u32::MAX)] {
            let error = paint(&scene, scale).unwrap_err();
            assert!(matches!(error, PaintError::Size(w, h) if (w, h) == (side, side)), "{error}");
        }
    }

    #[test]
    fn every_printable_character_has_a_glyph() {
        let face = Face::parse(FONT, 0).unwrap();
        for c in '!'..='~' {
            let mut outline = Outline { path: PathBuilder::new(), origin: (0.0, 0.0), scale: 1.0 };
            let glyph = face.glyph_index(c).unwrap_or_else(|| panic!("{c}"));
            assert!(face.outline_glyph(glyph, &mut outline).is_some(), "{c}");
        }
        let mut scene = Scene::new((100.0, 100.0), WHITE);
        scene.text((50.0, 50.0), Anchor::Middle, 100.0, BLACK, "M");
        assert!((10..40).contains(&dark(&scene)), "{}", dark(&scene));
    }

    #[test]
    fn characters_that_the_font_lacks_are_question_marks() {
        let painted = |text: &str| {
            let mut scene = Scene::new((100.0, 100.0), WHITE);
            scene.text((50.0, 50.0), Anchor::Middle, 40.0, BLACK, text);
            paint(&scene, 1.0).unwrap()
        };
        assert_eq!(painted("Ив. Ä"), painted("??. ?"));
        assert_ne!(painted("Ä"), painted(""));
    }
}
