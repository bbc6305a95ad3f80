//! A position as books print it: grid and coordinates, numbered stones, the last move, fouls by kind, labels and a
//! heat map of the candidates.

use super::scene::{Anchor, BLACK, Paint, Rgb, Scene, WHITE};
use kagetsu::game::{Color, FoulKinds, Move, Point, Position};

/// Distance of two lines, in units of the picture.
const CELL: f32 = 32.0;
/// Distance from the edge of the picture to the first line, on sides without coordinates.
const MARGIN: f32 = 24.0;
/// The same distance on sides with coordinates.
const LETTERS: f32 = 46.0;
const STONE: f32 = 0.465 * CELL;
const LAST_ON_BLACK: Rgb = Rgb(255, 120, 110);
const LAST_ON_WHITE: Rgb = Rgb(205, 25, 25);
const FOUL: Rgb = Rgb(190, 20, 20);
const LABEL: Rgb = Rgb(20, 60, 150);
/// Heat map colours: best candidate, middle of the range, worst candidate. Values between are interpolated.
const HEAT: [Rgb; 3] = [Rgb(90, 190, 110), Rgb(250, 225, 130), Rgb(245, 165, 145)];
/// Smallest range of the candidates' expected scores that uses all the colours.
const SPREAD: f64 = 0.1;

/// A position and the marks to draw on it. Marks beyond the edge of the board are not drawn.
#[derive(Clone, Copy, Debug)]
pub struct BoardPicture<'a> {
    /// The position.
    pub position: &'a Position,
    /// Whether stones carry the numbers of their moves.
    pub numbers: bool,
    /// Whether letters and numbers stand at the edges.
    pub coordinates: bool,
    /// Points forbidden to Black.
    pub fouls: &'a [(Point, FoulKinds)],
    /// Short texts on empty points.
    pub labels: &'a [(Point, String)],
    /// Candidates with their share of the points, 0 to 1.
    pub heat: &'a [(Point, f64)],
}

impl<'a> BoardPicture<'a> {
    /// A position with numbers and coordinates, and without marks.
    pub fn new(position: &'a Position) -> BoardPicture<'a> {
        BoardPicture { position, numbers: true, coordinates: true, fouls: &[], labels: &[], heat: &[] }
    }

    /// Draws the position.
    pub fn scene(&self) -> Scene {
        let side = self.position.size().side();
        let width = self.margin() + MARGIN + CELL * (side - 1) as f32;
        let mut scene = Scene::new((width, width), WHITE);
        self.grid(&mut scene);
        if self.coordinates {
            self.edges(&mut scene);
        }
        self.candidates(&mut scene);
        for &(p, kinds) in self.on_board(self.fouls) {
            self.foul(&mut scene, p, kinds);
        }
        for (p, text) in self.on_board(self.labels) {
            self.label(&mut scene, *p, text);
        }
        self.stones(&mut scene);
        scene
    }

    /// Returns the marks on points of the board.
    fn on_board<'m, T>(&self, marks: &'m [(Point, T)]) -> impl Iterator<Item = &'m (Point, T)> {
        let size = self.position.size();
        marks.iter().filter(move |(p, _)| size.contains(p.x(), p.y()))
    }

    fn margin(&self) -> f32 {
        if self.coordinates { LETTERS } else { MARGIN }
    }

    fn at(&self, p: Point) -> (f32, f32) {
        let top = self.position.size().side() - 1;
        (self.margin() + CELL * p.x() as f32, MARGIN + CELL * (top - p.y()) as f32)
    }

    fn grid(&self, scene: &mut Scene) {
        let side = self.position.size().side();
        for i in 0..side {
            let width = if i == 0 || i == side - 1 { 1.8 } else { 0.9 };
            let line = |a, b| (self.at(a), self.at(b));
            let (left, right) = line(Point::new(0, i), Point::new(side - 1, i));
            let (bottom, top) = line(Point::new(i, 0), Point::new(i, side - 1));
            scene.line(left, right, BLACK, width);
            scene.line(bottom, top, BLACK, width);
        }
        for p in stars(side) {
            scene.circle(self.at(p), 3.2, Paint::fill(BLACK));
        }
    }

    fn edges(&self, scene: &mut Scene) {
        let side = self.position.size().side();
        for i in 0..side {
            let (x, _) = self.at(Point::new(i, 0));
            let (_, y) = self.at(Point::new(0, i));
            let bottom = scene.size.1 - 0.4 * LETTERS;
            scene.text((x, bottom), Anchor::Middle, 15.0, BLACK, char::from(b'a' + i as u8));
            scene.text((0.6 * LETTERS, y), Anchor::End, 15.0, BLACK, (i + 1).to_string());
        }
    }

    /// Clears the crossing at `p` for a text.
    fn clear(&self, scene: &mut Scene, p: Point) {
        scene.circle(self.at(p), 0.4 * CELL, Paint::fill(WHITE));
    }

    fn candidates(&self, scene: &mut Scene) {
        let shares = || self.on_board(self.heat).map(|&(_, share)| share);
        let best = shares().fold(0.0, f64::max);
        let worst = shares().fold(best, f64::min);
        for &(p, share) in self.on_board(self.heat) {
            let part = 2.0 * (best - share) / (best - worst).max(SPREAD);
            let [first, middle, last] = HEAT;
            let color =
                if part < 1.0 { first.towards(middle, part) } else { middle.towards(last, part - 1.0) };
            scene.circle(self.at(p), STONE, Paint::fill(color));
            let percent = (100.0 * share).round();
            scene.text(self.at(p), Anchor::Middle, 0.4 * CELL, BLACK, format!("{percent}"));
        }
    }

    /// The kinds one above the other, with a cross where there is room.
    fn foul(&self, scene: &mut Scene, p: Point, kinds: FoulKinds) {
        self.clear(scene, p);
        let (x, y) = self.at(p);
        let names = kinds.to_string();
        let names: Vec<&str> = names.split('+').collect();
        let size = if names.len() == 1 { 0.5 } else { 0.38 } * CELL;
        for (i, name) in names.iter().enumerate() {
            let row = i as f32 - (names.len() - 1) as f32 / 2.0;
            scene.text((x, y + row * 0.8 * size), Anchor::Middle, size, FOUL, *name);
        }
    }

    fn label(&self, scene: &mut Scene, p: Point, text: &str) {
        if !self.heat.iter().any(|h| h.0 == p) {
            self.clear(scene, p);
        }
        scene.text(self.at(p), Anchor::Middle, fitting(text, 0.62), LABEL, text);
    }

    fn stones(&self, scene: &mut Scene) {
        let setup = self.position.setup().iter().map(|&(p, color)| (p, color, None));
        let first = self.position.first();
        let moves = self.position.moves().iter().enumerate().filter_map(|(i, m)| {
            let color = if i.is_multiple_of(2) { first } else { !first };
            m.point().map(|p| (p, color, Some(i + 1)))
        });
        let stones: Vec<_> = setup.chain(moves).collect();
        let last = match self.position.moves().last() {
            Some(Move::Place(p)) => Some(*p),
            _ => None,
        };
        for (p, color, number) in stones {
            self.stone(scene, p, color);
            let (plain, marked) = match color {
                Color::Black => (WHITE, LAST_ON_BLACK),
                Color::White => (BLACK, LAST_ON_WHITE),
            };
            let ink = if last == Some(p) { marked } else { plain };
            match number.filter(|_| self.numbers) {
                Some(n) => {
                    let text = n.to_string();
                    scene.text(self.at(p), Anchor::Middle, fitting(&text, 0.56), ink, text);
                }
                None if last == Some(p) => scene.circle(self.at(p), 0.14 * CELL, Paint::fill(marked)),
                None => {}
            }
        }
    }

    fn stone(&self, scene: &mut Scene, p: Point, color: Color) {
        let fill = if color == Color::Black { BLACK } else { WHITE };
        scene.circle(self.at(p), STONE, Paint { fill: Some(fill), stroke: Some((BLACK, 1.2)) });
    }
}

/// A size at which a text of a few characters fits on a stone, `largest` cells at most.
fn fitting(text: &str, largest: f32) -> f32 {
    let count = text.chars().count().max(1) as f32;
    CELL * largest.min(1.36 / count)
}

/// Returns the marked crossings of a board: five on boards of 13 to 18 lines, such as the Renju board, and
/// nine on larger ones, such as the Go board. A board with an even side has no middle line, and so only the
/// four near the corners.
fn stars(side: usize) -> Vec<Point> {
    if side < 13 {
        return Vec::new();
    }
    let (near, middle, far) = (3, side / 2, side - 4);
    let corners = [(near, near), (near, far), (far, near), (far, far)];
    let center = (side % 2 == 1).then_some((middle, middle));
    let sides = [(near, middle), (far, middle), (middle, near), (middle, far)];
    let sides = sides.into_iter().filter(|_| side % 2 == 1 && side >= 19);
    corners.into_iter().chain(center).chain(sides).map(|(x, y)| Point::new(x, y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scene::Shape;
    use kagetsu::game::{Size, notation};

    fn texts(scene: &Scene) -> Vec<&str> {
        fn text(shape: &Shape) -> Option<&str> {
            if let Shape::Text(text) = shape { Some(&text.text) } else { None }
        }
        scene.shapes.iter().filter_map(text).collect()
    }

    #[test]
    fn everything_lies_within_the_picture() {
        for side in [5, 15, 20, 22] {
            let size = Size::new(side).unwrap();
            let position = notation::parse("a1e5a5e1", Some(size)).unwrap();
            let scene = BoardPicture::new(&position).scene();
            let inside =
                |(x, y): (f32, f32)| (0.0..=scene.size.0).contains(&x) && (0.0..=scene.size.1).contains(&y);
            for shape in &scene.shapes {
                match shape {
                    Shape::Circle { center: (x, y), radius, .. } => {
                        assert!(inside((x - radius, y - radius)) && inside((x + radius, y + radius)));
                    }
                    Shape::Path { points, .. } => assert!(points.iter().all(|&p| inside(p))),
                    Shape::Text(text) => assert!(inside(text.at)),
                    Shape::Rectangle { corner, .. } => assert!(inside(*corner)),
                }
            }
        }
    }

    #[test]
    fn stones_carry_the_numbers_of_their_moves() {
        let position = notation::parse("h8h9--i8", None).unwrap();
        let scene = BoardPicture::new(&position).scene();
        let texts = texts(&scene);
        // The coordinates of 15 columns and 15 rows come first. The pass has a number and no stone.
        assert_eq!(texts[30..], ["1", "2", "4"]);
        let plain =
            BoardPicture { numbers: false, coordinates: false, ..BoardPicture::new(&position) }.scene();
        assert!(plain.shapes.iter().all(|shape| !matches!(shape, Shape::Text(_))));
    }

    #[test]
    fn boards_are_marked_as_their_size_is_used() {
        let names = |side| stars(side).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(15), ["d4", "d12", "l4", "l12", "h8"], "the Renju board");
        let go = ["d4", "d16", "p4", "p16", "j10", "d10", "p10", "j4", "j16"];
        assert_eq!(names(19), go, "the Go board: its columns without I are d, k, q");
        assert_eq!((names(20).len(), names(12).len(), names(13).len()), (4, 0, 5));
    }

    #[test]
    fn rows_count_from_the_bottom() {
        let position = notation::parse("a1", None).unwrap();
        let drawing = BoardPicture::new(&position);
        let scene = drawing.scene();
        let stone = scene.shapes.iter().rev().find_map(|shape| match shape {
            Shape::Circle { center, .. } => Some(*center),
            _ => None,
        });
        assert_eq!(stone, Some((LETTERS, scene.size.1 - LETTERS)));
    }

    #[test]
    fn labels_fouls_and_heat_are_written() {
        let position = notation::parse("f8a1g8a3h9a5h10a7", None).unwrap();
        let p = |name| notation::parse_point(name, position.size()).unwrap();
        let board = kagetsu::game::Board::<kagetsu::game::Renju>::from_position(&position).unwrap();
        let fouls = [(p("h8"), board.foul_kinds(p("h8")))];
        let labels = [(p("c3"), "A".to_string())];
        let heat = [(p("d4"), 0.537)];
        let drawing =
            BoardPicture { fouls: &fouls, labels: &labels, heat: &heat, ..BoardPicture::new(&position) };
        let scene = drawing.scene();
        assert_eq!(texts(&scene)[30..33], ["54", "33", "A"]);
    }

    /// A mark may belong to a larger board.
    #[test]
    fn marks_beyond_the_edge_are_not_drawn() {
        let position = notation::parse("h8", None).unwrap();
        let plain = BoardPicture::new(&position);
        for p in [Point::new(15, 0), Point::new(0, 15)] {
            let (fouls, labels, heat) = ([(p, FoulKinds::NONE)], [(p, "A".to_string())], [(p, 0.5)]);
            let marked = BoardPicture { fouls: &fouls, labels: &labels, heat: &heat, ..plain };
            assert_eq!(marked.scene(), plain.scene(), "{p}");
            // The colours of the other candidates do not depend on it.
            let (one, two) = ([(Point::new(3, 3), 0.5)], [(Point::new(3, 3), 0.5), (p, 0.9)]);
            let [alone, beside] = [&one[..], &two].map(|heat| BoardPicture { heat, ..plain }.scene());
            assert_eq!(alone, beside, "{p}");
        }
    }
}
