//! Explanations: they agree with the verdicts on all data, and with the textbook on its figures.

use crate::common::data::{figures, foul_rows, point, worst_fouls};
use crate::common::reference::{Cell, Grid};
use kagetsu::game::explain::{Explanation, FoulVerdict, MOST_NODES, Three};
use kagetsu::game::{Board, Color, FoulKinds, Level, Point, Reading, Renju};

/// Checks every node of a tree against the reference, on the stones that the node is about.
fn check(node: &Explanation, grid: &mut Grid, reading: Reading) {
    let p = node.point;
    let kinds = match node.verdict {
        FoulVerdict::Foul(kinds) => kinds,
        _ => FoulKinds::NONE,
    };
    let want = grid.verdict(p, reading);
    assert_eq!(kinds, want.kinds(), "{node}");
    assert_eq!(node.verdict == FoulVerdict::Five, want == crate::common::reference::Expected::Five, "{node}");
    grid.set(p, Cell::Stone(Color::Black));
    let black = |grid: &Grid, stones: &[Point]| {
        stones.contains(&p) && stones.iter().all(|&q| grid.get(q) == Cell::Stone(Color::Black))
    };
    for row in &node.fives {
        assert!(row.stones.len() == 5 && black(grid, &row.stones), "{node}");
    }
    for row in &node.overlines {
        assert!(row.stones.len() >= 6 && black(grid, &row.stones), "{node}");
    }
    for four in &node.fours {
        assert!(four.stones.len() == 4 && black(grid, &four.stones), "{node}");
        assert!(matches!(four.completions.len(), 1 | 2), "{node}");
        for &q in &four.completions {
            assert!(grid.would_win(q, Color::Black, kagetsu::game::RuleKind::Renju), "{node}");
        }
    }
    for three in &node.threes {
        assert!(three.stones.len() == 3 && black(grid, &three.stones), "{node}");
        assert!(matches!(three.extensions.len(), 1 | 2), "{node}");
        for extension in &three.extensions {
            assert_eq!(grid.get(extension.point), Cell::Empty);
            let Some(reason) = &extension.reason else { continue };
            assert_eq!(reason.point, extension.point);
            let extends = match reason.verdict {
                FoulVerdict::Five => reading == Reading::FiveExtends,
                FoulVerdict::Foul(_) => false,
                FoulVerdict::Legal => true,
            };
            assert_eq!(extension.extends, extends, "{node}");
            check(reason, grid, reading);
        }
    }
    grid.set(p, Cell::Empty);
}

#[test]
fn agrees_with_the_verdicts_on_all_data() {
    for row in foul_rows() {
        let mut board = Board::<Renju>::from_position(&row.position()).unwrap();
        let mut grid = Grid::from_position(&row.position());
        for reading in [Reading::Literal, Reading::FiveExtends] {
            board.set_reading(reading);
            for p in board.empty().iter() {
                let explanation = board.explain(p);
                let want = match board.foul_kinds(p) {
                    kinds if kinds.any() => FoulVerdict::Foul(kinds),
                    _ if board.level(p, Color::Black) == Level::Five => FoulVerdict::Five,
                    _ => FoulVerdict::Legal,
                };
                assert_eq!(explanation.verdict, want, "{} {explanation}", row.id);
                check(&explanation, &mut grid, reading);
            }
        }
    }
}

/// Checks that the verdict of every node follows from its grounds, and that those say how they lead to it. Returns the
/// number of nodes. A node that makes a five or a foul by its stones needs no more.
fn check_grounds(node: &Explanation, reading: Reading) -> usize {
    let real = node.threes.iter().filter(|three| three.is_real() == Some(true)).count();
    let kinds = FoulKinds {
        overline: !node.overlines.is_empty(),
        double_four: node.fours.len() >= 2,
        double_three: real >= 2,
    };
    match node.verdict {
        FoulVerdict::Five => assert!(!node.fives.is_empty(), "{node}"),
        FoulVerdict::Foul(verdict) if node.is_cut => {
            assert_eq!(
                (verdict.overline, verdict.double_four),
                (kinds.overline, kinds.double_four),
                "{node}"
            );
        }
        FoulVerdict::Foul(verdict) => assert_eq!(verdict, kinds, "{node}"),
        FoulVerdict::Legal => {
            assert!(!kinds.any(), "{node}");
            let examined = |three: &Three| three.is_real().is_some();
            let is_false = |three: &Three| three.is_real() == Some(false);
            assert!(node.is_cut || node.threes.len() < 2 || node.threes.iter().all(examined), "{node}");
            // A false three has grounds at each of its extension points.
            let extensions = node.threes.iter().filter(|three| is_false(three)).flat_map(|t| &t.extensions);
            assert!(extensions.into_iter().all(|e| e.reason.is_some()), "{node}");
        }
    }
    let mut nodes = 1;
    for extension in node.threes.iter().flat_map(|three| &three.extensions) {
        let Some(reason) = &extension.reason else { continue };
        let extends = match reason.verdict {
            FoulVerdict::Five => reading == Reading::FiveExtends,
            FoulVerdict::Foul(_) => false,
            FoulVerdict::Legal => true,
        };
        assert_eq!(extension.extends, extends, "{node}");
        nodes += check_grounds(reason, reading);
    }
    nodes
}

/// Positions in which the rule read word by word needs very many steps.
#[test]
fn explanations_of_the_worst_positions_are_bounded() {
    let mut most = 0;
    for position in worst_fouls() {
        let mut board = Board::<Renju>::from_position(&position).unwrap();
        for reading in [Reading::Literal, Reading::FiveExtends] {
            board.set_reading(reading);
            for p in board.empty().iter() {
                let explanation = board.explain(p);
                let kinds = match explanation.verdict {
                    FoulVerdict::Foul(kinds) => kinds,
                    _ => FoulKinds::NONE,
                };
                assert_eq!(kinds, board.foul_kinds(p), "{p}");
                most = most.max(check_grounds(&explanation, reading));
            }
        }
    }
    // Each node that is examined has eight extension points at most.
    assert!((100..8 * MOST_NODES).contains(&most), "{most}");
}

/// The explanation of a figure's point.
fn figure(fig: &str, label: &str) -> String {
    let figure = figures().into_iter().find(|f| f.fig == fig && f.label == label).expect("a figure");
    let board = Board::<Renju>::from_position(&figure.position()).unwrap();
    board.explain(point(&figure.point)).to_string()
}

#[test]
fn fork_of_two_threes() {
    assert_eq!(
        figure("5", "a"),
        "\
h8: foul 33
  three f8 g8 h8, horizontal: real
    e8 extends it: legal
      straight four e8 f8 g8 h8, horizontal, completed by d8 i8
    i8 extends it: legal
      straight four f8 g8 h8 i8, horizontal, completed by e8 j8
  three h8 h9 h10, vertical: real
    h7 extends it: legal
      straight four h7 h8 h9 h10, vertical, completed by h6 h11
    h11 extends it: legal
      straight four h8 h9 h10 h11, vertical, completed by h7 h12"
    );
}

#[test]
fn two_fours_in_one_line() {
    assert_eq!(
        figure("5", "b2"),
        "\
h8: foul 44
  four d8 f8 g8 h8, horizontal, completed by e8
  four f8 g8 h8 j8, horizontal, completed by i8"
    );
}

#[test]
fn overline_beside_a_four() {
    assert_eq!(
        figure("7", "a"),
        "\
h8: foul 6
  overline h5 h6 h7 h8 h9 h10, vertical"
    );
}

/// The only extension of the diagonal three is a double four, so a four and a real three remain.
#[test]
fn false_three_by_a_double_four() {
    assert_eq!(
        figure("6", "c"),
        "\
h8: legal
  four e8 f8 g8 h8, horizontal, completed by i8
  three h8 h9 h10, vertical: real
    h7 extends it: legal
      straight four h7 h8 h9 h10, vertical, completed by h6 h11
    h11 extends it: legal
      straight four h8 h9 h10 h11, vertical, completed by h7 h12
  three h8 i9 j10, rising diagonal: false
    k11 does not extend it: foul 44
      four k11 l11 m11 n11, horizontal, completed by j11
      straight four h8 i9 j10 k11, rising diagonal, completed by g7 l12"
    );
}

#[test]
fn five_and_empty_board() {
    let row = ["e8", "f8", "g8", "h8"].map(|name| (point(name), Color::Black));
    let position = kagetsu::game::Position::from_stones(kagetsu::game::Size::S15, row, Color::Black).unwrap();
    let board = Board::<Renju>::from_position(&position).unwrap();
    assert_eq!(board.explain(point("i8")).to_string(), "i8: five\n  five e8 f8 g8 h8 i8, horizontal");
    assert_eq!(board.explain(point("a1")).to_string(), "a1: legal");
}

/// A lone three is examined at the point that was asked about, but not further down.
#[test]
fn lone_three_of_a_legal_move() {
    let text = figure("6", "d");
    assert_eq!(
        text,
        "\
g9: legal
  three g8 g9 g10, vertical: real
    g7 extends it: legal
      straight four g7 g8 g9 g10, vertical, completed by g6 g11
    g11 extends it: legal
      straight four g8 g9 g10 g11, vertical, completed by g7 g12"
    );
}
