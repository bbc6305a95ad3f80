//! Readers of the files in `tests/data`.

use std::collections::BTreeMap;

use kagetsu::game::{Color, Point, Position, Size};
use serde::Deserialize;

/// A row of `fouls.jsonl`: a position of Black to move on 15x15 with all its fouls.
#[derive(Deserialize)]
pub struct FoulRow {
    pub id: String,
    pub class: String,
    black: Vec<String>,
    white: Vec<String>,
    /// Foul points with all their kinds, as `6+33`.
    pub forbidden: BTreeMap<String, String>,
    pub fives: Vec<String>,
    /// Legal points that make no five, but where two lines hold a three by their stones.
    pub pseudo: Vec<String>,
    /// Points whose verdict differs under the other reading, with that verdict.
    #[serde(default)]
    pub five_ext_alt: BTreeMap<String, String>,
    /// Whether there is a run of five or more already.
    #[serde(default)]
    pub terminal: bool,
}

/// A row of `fouls_figures.jsonl`: one point of a textbook figure.
#[derive(Deserialize)]
pub struct Figure {
    pub fig: String,
    pub label: String,
    pub desc: String,
    black: Vec<String>,
    white: Vec<String>,
    pub point: String,
    pub verdict_for_black: String,
}

impl FoulRow {
    pub fn position(&self) -> Position {
        position(&self.black, &self.white)
    }
}

impl Figure {
    pub fn position(&self) -> Position {
        position(&self.black, &self.white)
    }
}

/// The rows of `fouls.jsonl` in which the game is not over.
pub fn foul_rows() -> Vec<FoulRow> {
    let rows: Vec<FoulRow> = lines(include_str!("../data/fouls.jsonl"));
    rows.into_iter().filter(|row| !row.terminal).collect()
}

/// The positions of `foul_worst.txt`, which have the points with the deepest recursions known. Most of them
/// contain a row of five or more.
pub fn worst_fouls() -> Vec<Position> {
    let parse = |line| kagetsu::game::notation::parse(line, None).unwrap();
    include_str!("../data/foul_worst.txt").lines().map(parse).collect()
}

pub fn figures() -> Vec<Figure> {
    lines(include_str!("../data/fouls_figures.jsonl"))
}

fn lines<T: for<'a> Deserialize<'a>>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).expect("a row of the data file")).collect()
}

fn position(black: &[String], white: &[String]) -> Position {
    let of = |names: &[String], color| names.iter().map(|n| (point(n), color)).collect::<Vec<_>>();
    let stones = [of(black, Color::Black), of(white, Color::White)].concat();
    Position::from_stones(Size::S15, stones, Color::Black).expect("a position of the data file")
}

/// The point of a name such as `h8`.
pub fn point(name: &str) -> Point {
    let (column, row) = name.split_at(1);
    let x = column.as_bytes()[0] - b'a';
    let y: usize = row.parse().expect("a row number");
    Point::new(x as usize, y - 1)
}
