//! The explanation of one point as JSON: the tree of `explain`, every node with the patterns of its stone.

use serde::Serialize;

use kagetsu::game::explain::{Explanation, Extension, FoulVerdict, Four, Row, Three};
use kagetsu::game::{Board, Point, Reading, Renju};
use kagetsu_console::batch::Id;

/// The answer to the question about one point.
#[derive(Serialize)]
pub struct Answer {
    id: Id,
    #[serde(flatten)]
    node: Node,
    /// Legal, no five, yet two lines hold a three by their stones.
    false_foul: bool,
}

/// Pattern that a stone on a point makes, with its grounds.
#[derive(Serialize)]
struct Node {
    point: String,
    /// `five`, `foul` or `legal`.
    verdict: &'static str,
    /// The kinds of the foul, as 33, 44, 6 joined by +; `null` without one.
    kinds: Option<String>,
    fives: Vec<Line>,
    overlines: Vec<Line>,
    fours: Vec<FourLine>,
    threes: Vec<ThreeLine>,
    /// Whether the threes were not examined, because an explanation examines 500 points at most.
    cut: bool,
}

/// Stones in a line.
#[derive(Serialize)]
struct Line {
    direction: &'static str,
    stones: Vec<String>,
}

#[derive(Serialize)]
struct FourLine {
    #[serde(flatten)]
    line: Line,
    /// Points that complete the five.
    completions: Vec<String>,
}

#[derive(Serialize)]
struct ThreeLine {
    #[serde(flatten)]
    line: Line,
    /// Whether a straight four can follow; `null` where it makes no difference or was not examined.
    real: Option<bool>,
    extensions: Vec<Ext>,
}

/// A point that would make a straight four of a three.
#[derive(Serialize)]
struct Ext {
    point: String,
    /// Whether it does.
    extends: bool,
    /// Explanation of a stone there; `null` where the verdict does not need it.
    reason: Option<Node>,
}

impl Answer {
    /// Explains a stone of Black's on `p`.
    pub fn new(id: Id, mut board: Board<Renju>, p: Point, reading: Reading) -> Answer {
        board.set_reading(reading);
        Answer { id, node: Node::of(&board.explain(p)), false_foul: board.is_false_foul(p) }
    }
}

impl Node {
    fn of(explanation: &Explanation) -> Node {
        let Explanation { point, verdict, fives, overlines, fours, threes, is_cut } = explanation;
        let (verdict, kinds) = match verdict {
            FoulVerdict::Five => ("five", None),
            FoulVerdict::Foul(kinds) => ("foul", Some(kinds.to_string())),
            FoulVerdict::Legal => ("legal", None),
        };
        Node {
            point: point.to_string(),
            verdict,
            kinds,
            fives: fives.iter().map(Line::of).collect(),
            overlines: overlines.iter().map(Line::of).collect(),
            fours: fours.iter().map(FourLine::of).collect(),
            threes: threes.iter().map(ThreeLine::of).collect(),
            cut: *is_cut,
        }
    }
}

fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(Point::to_string).collect()
}

impl Line {
    fn of(row: &Row) -> Line {
        Line { direction: row.direction.name(), stones: names(&row.stones) }
    }
}

impl FourLine {
    fn of(four: &Four) -> FourLine {
        let line = Line { direction: four.direction.name(), stones: names(&four.stones) };
        FourLine { line, completions: names(&four.completions) }
    }
}

impl ThreeLine {
    fn of(three: &Three) -> ThreeLine {
        let line = Line { direction: three.direction.name(), stones: names(&three.stones) };
        let extensions = three.extensions.iter().map(Ext::of).collect();
        ThreeLine { line, real: three.is_real(), extensions }
    }
}

impl Ext {
    fn of(extension: &Extension) -> Ext {
        Ext {
            point: extension.point.to_string(),
            extends: extension.extends,
            reason: extension.reason.as_ref().map(Node::of),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_node_says_so() {
        let board = Board::<Renju>::new(kagetsu::game::Size::S15);
        let mut explanation = board.explain(Point::new(7, 7));
        let cut =
            |explanation: &Explanation| serde_json::to_value(Node::of(explanation)).unwrap()["cut"].clone();
        assert_eq!(cut(&explanation), false);
        explanation.is_cut = true;
        assert_eq!(cut(&explanation), true);
    }
}
