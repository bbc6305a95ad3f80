//! Pictures of positions, as books print them.

use anyhow::{Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::convert;
use crate::schema::ask::{Figure, PictureFormat};
use crate::schema::{Tell, board};
use kagetsu::game::{Board, Color, FoulKinds, Point, Position, Rule, notation};
use kagetsu::with_rule;
use kagetsu_tools::picture::{BoardPicture, Format};

/// Characters of a text on a point.
const TEXT: usize = 8;
/// Pixels for each unit of a picture.
const SCALE: f32 = 2.0;

/// Draws a position.
pub fn draw(
    given: &board::Position,
    format: PictureFormat,
    numbers: bool,
    figures: &[Figure],
) -> Result<Tell> {
    let (position, rule) = convert::position(given)?;
    ensure!(
        figures.len() <= position.size().area(),
        "{} texts: expected at most one for each point of the board",
        figures.len()
    );
    let mut labels = Vec::with_capacity(figures.len());
    for figure in figures {
        let p = notation::parse_point(&figure.point, position.size())?;
        labels.push((p, figure.text.chars().take(TEXT).collect()));
    }
    let fouls = with_rule!(rule, R => fouls(&Board::<R>::from_position(&position)?, &position));
    let picture = BoardPicture { numbers, fouls: &fouls, labels: &labels, ..BoardPicture::new(&position) };
    let (format, extension, mime) = match format {
        PictureFormat::Png => (Format::Png, "png", "image/png"),
        PictureFormat::Svg => (Format::Svg, "svg", "image/svg+xml"),
    };
    let bytes = format.encode(&picture.scene(), SCALE)?;
    Ok(Tell::File {
        extension: extension.into(),
        mime: mime.into(),
        data: STANDARD.encode(bytes),
        left_out: Vec::new(),
    })
}

/// The points that are forbidden to the side to move.
fn fouls<R: Rule>(board: &Board<R>, position: &Position) -> Vec<(Point, FoulKinds)> {
    if !R::fouls(Color::Black) || position.side() != Color::Black {
        return Vec::new();
    }
    board.fouls().iter().map(|p| (p, board.foul_kinds(p))).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn pictures_hold_no_markup_of_texts() {
        let position = notation::parse("h8h9", None).unwrap();
        let given = convert::of_position(&position, board::Rule::Renju);
        let figure = Figure { point: "a1".into(), text: "<b>&\"".into() };
        let of = |format, figures: &[Figure]| match draw(&given, format, true, figures).unwrap() {
            Tell::File { data, .. } => STANDARD.decode(data).unwrap(),
            other => panic!("{other:?}"),
        };
        let svg = String::from_utf8(of(PictureFormat::Svg, std::slice::from_ref(&figure))).unwrap();
        assert!(svg.contains("&lt;b") && !svg.contains("<b>"), "{svg}");
        assert!(of(PictureFormat::Png, &[]).starts_with(b"\x89PNG"));
        let off = Figure { point: "z1".into(), ..figure };
        assert!(draw(&given, PictureFormat::Svg, true, &[off]).is_err());
    }
}
