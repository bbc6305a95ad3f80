//! The 26 openings of Renju on one sheet, or one of them: three numbered stones on the middle of the board, the name, its
//! meaning and what the opening is worth.

use super::scene::{Anchor, BLACK, Paint, Rgb, Scene, WHITE};
use kagetsu::game::openings26::{OPENINGS, Opening};
use kagetsu::game::{Point, Size};

/// Distance of two lines.
const CELL: f32 = 19.0;
/// Lines on each side of the centre.
const REACH: i32 = 4;
/// Width and height of one opening with its texts.
const CARD: (f32, f32) = (232.0, 262.0);
/// Openings in a row: the direct ones fill two rows, and so do the others.
const COLUMNS: usize = 7;
/// Around all openings.
const MARGIN: f32 = 14.0;
const DIRECT: usize = 13;
const TEXT: Rgb = Rgb(70, 70, 70);

/// The letters that a picture can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Letters {
    /// ASCII alone, as the font of PNG pictures has them.
    Ascii,
    /// Every script: the viewer has the fonts.
    All,
}

/// Draws all openings, the direct ones above the indirect ones, each in the order of its code.
pub fn all(letters: Letters) -> Scene {
    let rows = DIRECT.div_ceil(COLUMNS) + (OPENINGS.len() - DIRECT).div_ceil(COLUMNS);
    let size = (COLUMNS as f32 * CARD.0 + 2.0 * MARGIN, rows as f32 * CARD.1 + 2.0 * MARGIN);
    let mut scene = Scene::new(size, WHITE);
    for (family, openings) in [&OPENINGS[..DIRECT], &OPENINGS[DIRECT..]].into_iter().enumerate() {
        for (i, opening) in openings.iter().enumerate() {
            let (column, row) = (i % COLUMNS, i / COLUMNS + family * DIRECT.div_ceil(COLUMNS));
            let corner = (MARGIN + column as f32 * CARD.0, MARGIN + row as f32 * CARD.1);
            card(&mut scene, opening, corner, letters);
        }
    }
    scene
}

/// Draws one opening.
pub fn one(opening: &Opening, letters: Letters) -> Scene {
    let mut scene = Scene::new((CARD.0 + 2.0 * MARGIN, CARD.1 + 2.0 * MARGIN), WHITE);
    card(&mut scene, opening, (MARGIN, MARGIN), letters);
    scene
}

/// Draws an opening with its texts into the card with this upper left corner.
fn card(scene: &mut Scene, opening: &Opening, (left, top): (f32, f32), letters: Letters) {
    let middle = left + CARD.0 / 2.0;
    let name = match letters {
        Letters::Ascii => format!("{} {}", opening.code, opening.romaji),
        Letters::All => format!("{} {} {}", opening.code, opening.macron, opening.kanji),
    };
    scene.text((middle, top + 14.0), Anchor::Middle, 18.0, BLACK, name);
    board(scene, opening, (middle, top + 122.0));
    scene.text((middle, top + 218.0), Anchor::Middle, 13.0, TEXT, opening.english);
    scene.text((middle, top + 236.0), Anchor::Middle, 13.0, TEXT, opening.worth.rif.to_string());
}

/// Draws the middle of the board, its centre here. The lines go on beyond the last crossing: they are no edge.
fn board(scene: &mut Scene, opening: &Opening, (x, y): (f32, f32)) {
    let end = (REACH as f32 + 0.5) * CELL;
    for i in -REACH..=REACH {
        let offset = i as f32 * CELL;
        scene.line((x - end, y + offset), (x + end, y + offset), BLACK, 0.7);
        scene.line((x + offset, y - end), (x + offset, y + end), BLACK, 0.7);
    }
    for (i, &p) in opening.moves.iter().enumerate() {
        let (fill, ink) = if i % 2 == 0 { (BLACK, WHITE) } else { (WHITE, BLACK) };
        let at = at(p, (x, y));
        scene.circle(at, 0.46 * CELL, Paint { fill: Some(fill), stroke: Some((BLACK, 0.9)) });
        scene.text(at, Anchor::Middle, 0.62 * CELL, ink, (i + 1).to_string());
    }
}

/// The place of a point if the centre of the board lies here.
fn at(p: Point, (x, y): (f32, f32)) -> (f32, f32) {
    let centre = Size::S15.center();
    let steps = |a: usize, b: usize| (a as f32 - b as f32) * CELL;
    (x + steps(p.x(), centre.x()), y - steps(p.y(), centre.y()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scene::Shape;

    fn texts(scene: &Scene) -> Vec<&str> {
        fn text(shape: &Shape) -> Option<&str> {
            if let Shape::Text(text) = shape { Some(&text.text) } else { None }
        }
        scene.shapes.iter().filter_map(text).collect()
    }

    #[test]
    fn the_sheet_holds_all_openings_within_its_edges() {
        let scene = all(Letters::All);
        let texts = texts(&scene);
        for opening in &OPENINGS {
            let name = format!("{} {} {}", opening.code, opening.macron, opening.kanji);
            assert_eq!(texts.iter().filter(|text| **text == name).count(), 1, "{name}");
        }
        let stones: Vec<(f32, f32)> = scene
            .shapes
            .iter()
            .filter_map(|s| if let Shape::Circle { center, .. } = s { Some(*center) } else { None })
            .collect();
        assert_eq!(stones.len(), 3 * 26);
        assert!(stones.iter().all(|&(x, y)| x > 0.0 && y > 0.0 && x < scene.size.0 && y < scene.size.1));
        let different = |n: usize| stones[n..].iter().filter(|&&at| at == stones[n]).count() == 1;
        assert!((0..stones.len()).all(different), "no two on one point");
    }

    #[test]
    fn one_opening_is_drawn_as_it_is() {
        let opening = Opening::from_code("I13").unwrap();
        let scene = one(opening, Letters::Ascii);
        assert!(texts(&scene).iter().all(|text| text.is_ascii()));
        let texts = texts(&scene);
        assert!(texts.contains(&"I13 Suisei") && texts.contains(&"White wins"), "{texts:?}");
        let stones: Vec<(f32, f32)> = scene
            .shapes
            .iter()
            .filter_map(|s| if let Shape::Circle { center, .. } = s { Some(*center) } else { None })
            .collect();
        // h8, i9 one right and up of it, f6 two left and down.
        let [(x, y), second, third] = stones[..] else { panic!("{stones:?}") };
        assert_eq!(second, (x + CELL, y - CELL));
        assert_eq!(third, (x - 2.0 * CELL, y + 2.0 * CELL));
    }
}
