//! The course of a game: Black's chance after each move, with the names of the moves that changed it.

use super::scene::{Anchor, BLACK, Paint, Rgb, Scene, WHITE};

const SIZE: (f32, f32) = (860.0, 340.0);
/// The field of the curve: left, top, right, bottom.
const FIELD: (f32, f32, f32, f32) = (56.0, 44.0, 840.0, 296.0);
const GRID: Rgb = Rgb(190, 190, 190);
const AREA: Rgb = Rgb(218, 222, 230);
const TURN: Rgb = Rgb(200, 40, 30);
/// Characters of a title that fit into the picture. It may have the names of any game.
const TITLE: usize = 100;
/// Smallest distance in moves between two names that are both written.
const ROOM: f32 = 34.0;

/// One position of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// Black's share of the points, 0 to 1.
    pub black: f64,
    /// The name of the move that led here, if it stands out.
    pub name: Option<String>,
}

/// Draws the course of a game: the position after move `first`, or before the first move, and the one after each further
/// move.
pub fn scene(title: &str, first: usize, stages: &[Stage]) -> Scene {
    let mut scene = Scene::new(SIZE, WHITE);
    let (left, top, right, bottom) = FIELD;
    let steps = stages.len().saturating_sub(1).max(1);
    let x = |i: usize| left + (right - left) * i as f32 / steps as f32;
    let y = |black: f64| bottom - (bottom - top) * black as f32;
    scene.text((left, top / 2.0), Anchor::Start, 16.0, BLACK, fitting(title));
    let mut area: Vec<_> = stages.iter().enumerate().map(|(i, stage)| (x(i), y(stage.black))).collect();
    let curve = area.clone();
    area.extend([(x(stages.len().saturating_sub(1)), bottom), (left, bottom)]);
    scene.path(area, true, Paint::fill(AREA));
    for percent in [0u8, 25, 50, 75, 100] {
        let height = y(f64::from(percent) / 100.0);
        scene.line((left, height), (right, height), if percent == 50 { BLACK } else { GRID }, 0.8);
        scene.text((left - 8.0, height), Anchor::End, 13.0, BLACK, format!("{percent} %"));
    }
    let spacing = spacing(stages.len());
    for i in (0..stages.len()).filter(|i| (first + i).is_multiple_of(spacing)) {
        scene.line((x(i), bottom), (x(i), bottom + 5.0), BLACK, 0.8);
        scene.text((x(i), bottom + 16.0), Anchor::Middle, 13.0, BLACK, (first + i).to_string());
    }
    scene.path(curve, false, Paint::stroke(BLACK, 1.6));
    turns(&mut scene, stages, x, y);
    scene.text((right, SIZE.1 - 10.0), Anchor::End, 13.0, BLACK, "Black's chance after each move");
    scene
}

/// Returns the part of a title that fits.
fn fitting(title: &str) -> String {
    match title.char_indices().nth(TITLE) {
        None => title.to_owned(),
        Some(_) => title.chars().take(TITLE - 3).chain("...".chars()).collect(),
    }
}

/// Marks the moves that stand out.
fn turns(scene: &mut Scene, stages: &[Stage], x: impl Fn(usize) -> f32, y: impl Fn(f64) -> f32) {
    let mut free = 0.0;
    for (i, stage) in stages.iter().enumerate() {
        let Some(name) = &stage.name else { continue };
        let (at, height) = (x(i), y(stage.black));
        scene.circle((at, height), 4.0, Paint { fill: Some(TURN), stroke: Some((WHITE, 1.0)) });
        if at >= free {
            // Above the curve, as long as there is room.
            let side = if stage.black > 0.9 { 14.0 } else { -14.0 };
            scene.text((at, height + side), Anchor::Middle, 13.0, TURN, name.clone());
            free = at + ROOM;
        }
    }
}

/// Moves between two numbers of the axis: few enough numbers to be read.
fn spacing(stages: usize) -> usize {
    [1, 2, 5, 10, 20, 50].into_iter().find(|step| stages / step <= 26).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scene::Shape;

    #[test]
    fn the_curve_follows_the_chances() {
        let stage = |black, name: Option<&str>| Stage { black, name: name.map(str::to_owned) };
        let stages = [stage(0.5, None), stage(1.0, Some("h8")), stage(0.0, Some("h9"))];
        let scene = scene("a game", 0, &stages);
        let curve = scene.shapes.iter().find_map(|shape| match shape {
            Shape::Path { points, closed: false, .. } if points.len() == 3 => Some(points.clone()),
            _ => None,
        });
        let middle = (FIELD.0 + FIELD.2) / 2.0;
        let expected = [(FIELD.0, (FIELD.1 + FIELD.3) / 2.0), (middle, FIELD.1), (FIELD.2, FIELD.3)];
        assert_eq!(curve.unwrap(), expected);
        let names: Vec<_> =
            scene.shapes.iter().filter(|s| matches!(s, Shape::Text(t) if t.color == TURN)).collect();
        assert_eq!(names.len(), 2);
    }

    /// The axis of a part of a game has the numbers of its moves, round ones in a long part.
    #[test]
    fn a_part_keeps_its_numbers() {
        let numbers = |first, count| -> Vec<String> {
            let stages: Vec<_> = (0..count).map(|_| Stage { black: 0.5, name: None }).collect();
            let texts = scene("", first, &stages).shapes.into_iter().filter_map(|shape| match shape {
                Shape::Text(text) => Some(text.text),
                _ => None,
            });
            texts.filter(|text| text.parse::<usize>().is_ok()).collect()
        };
        assert_eq!(numbers(30, 3), ["30", "31", "32"]);
        assert_eq!(numbers(31, 60)[..3], ["35", "40", "45"]);
    }

    #[test]
    fn long_titles_are_cut() {
        assert_eq!(fitting(&"é".repeat(TITLE)), "é".repeat(TITLE));
        assert_eq!(fitting(&"é".repeat(TITLE + 1)), "é".repeat(TITLE - 3) + "...");
    }

    #[test]
    fn any_length_can_be_drawn() {
        for count in [0, 1, 2, 30, 500] {
            let stages: Vec<Stage> =
                (0..count).map(|_| Stage { black: 0.5, name: Some("x".into()) }).collect();
            assert!(!scene("", 0, &stages).shapes.is_empty());
        }
        assert_eq!((spacing(20), spacing(60), spacing(225)), (1, 5, 10));
    }
}
