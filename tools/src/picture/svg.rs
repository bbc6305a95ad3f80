//! A scene as SVG 1.1.

use std::fmt::Write as _;

use super::scene::{Anchor, Paint, Rgb, Scene, Shape, Text};
use crate::untrusted;

/// Fonts of about the widths of the font in PNG pictures.
const FONTS: &str = "DejaVu Sans Condensed, Arial, Helvetica, sans-serif";
/// Half the height of capitals, in parts of the size.
pub const HALF_CAPITAL: f32 = 0.36;

/// Writes a scene, shown with `scale` pixels a unit unless the viewer scales it.
pub fn write(scene: &Scene, scale: f32) -> String {
    let (width, height) = scene.size;
    let pixels = |units: f32| (units * scale).ceil().max(1.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"{FONTS}\">\n",
        pixels(width),
        pixels(height)
    );
    let background =
        Shape::Rectangle { corner: (0.0, 0.0), size: scene.size, paint: Paint::fill(scene.background) };
    for shape in std::iter::once(&background).chain(&scene.shapes) {
        // Writing to a string does not fail.
        let _ = one(&mut out, shape);
    }
    out.push_str("</svg>\n");
    out
}

fn one(out: &mut String, shape: &Shape) -> std::fmt::Result {
    match shape {
        Shape::Circle { center: (x, y), radius, paint } => {
            writeln!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>", n(*x), n(*y), n(*radius), look(paint))
        }
        Shape::Rectangle { corner: (x, y), size: (width, height), paint } => writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>",
            n(*x),
            n(*y),
            n(*width),
            n(*height),
            look(paint)
        ),
        Shape::Path { points, closed, paint } => {
            let tag = if *closed { "polygon" } else { "polyline" };
            let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", n(*x), n(*y))).collect();
            writeln!(out, "<{tag} points=\"{}\"{}/>", points.join(" "), look(paint))
        }
        Shape::Text(text) => write_text(out, text),
    }
}

fn write_text(out: &mut String, text: &Text) -> std::fmt::Result {
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
        n(text.at.0),
        n(text.at.1 + text.size * HALF_CAPITAL),
        n(text.size),
        hex(text.color),
        untrusted::xml(&text.text)
    )
}

/// A number with at most two decimals.
fn n(value: f32) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn hex(Rgb(r, g, b): Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn look(paint: &Paint) -> String {
    let fill = paint.fill.map_or("none".to_string(), hex);
    let stroke = paint.stroke.map(|(color, width)| {
        format!(" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"", hex(color), n(width))
    });
    format!(" fill=\"{fill}\"{}", stroke.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scene::{BLACK, WHITE};

    #[test]
    fn shapes_become_elements() {
        let mut scene = Scene::new((10.0, 20.0), WHITE);
        scene.circle((1.0, 2.5), 3.0, Paint::fill(BLACK));
        scene.line((0.0, 0.0), (1.0 / 3.0, 4.0), Rgb(1, 2, 255), 0.5);
        scene.text((5.0, 5.0), Anchor::Middle, 10.0, BLACK, "a<b & c");
        let text = write(&scene, 1.0);
        for expected in [
            "viewBox=\"0 0 10 20\"",
            "<rect x=\"0\" y=\"0\" width=\"10\" height=\"20\" fill=\"#ffffff\"/>",
            "<circle cx=\"1\" cy=\"2.5\" r=\"3\" fill=\"#000000\"/>",
            "points=\"0,0 0.33,4\" fill=\"none\" stroke=\"#0102ff\" stroke-width=\"0.5\"",
            "y=\"8.6\" font-size=\"10\" text-anchor=\"middle\" fill=\"#000000\">a&lt;b &amp; c</text>",
        ] {
            assert!(text.contains(expected), "{expected} in {text}");
        }
    }
}
