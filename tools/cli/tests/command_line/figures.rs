//! Textbook figures on the command line: White wins by fours that Black may not stop (figure 7), and moves of Black's
//! that make a forbidden point legal (figure 8), with the line that has changed.

use crate::common::cli::{objects, printed, run_with_input};
use crate::common::data::{Figure, figures};
use kagetsu::game::notation::setup;
use kagetsu::game::{Color, Move, Position};
use serde_json::json;

fn find(fig: &str, label: &str) -> Figure {
    figures().into_iter().find(|f| f.fig == fig && f.label == label).expect("a figure")
}

/// White is to move, and has the stones of the figure except the last.
fn before_the_four(figure: &Figure) -> Position {
    let stones = figure.position().stones().filter(|(p, _)| p.to_string() != "g8").collect::<Vec<_>>();
    Position::from_stones(figure.position().size(), stones, Color::White).expect("a position")
}

#[test]
fn wins_whose_only_block_is_forbidden() {
    for (label, kinds) in [("a", "6"), ("b", "33"), ("c", "44")] {
        let figure = find("7", label);
        assert_eq!(figure.verdict_for_black, kinds);
        let position = setup::print(&before_the_four(&figure));
        let answer = &objects(&run_with_input(&["solve", "vcf", "-", "--json"], position.as_bytes()))[0];
        assert_eq!((&answer["line"], &answer["length"]), (&json!(["g8"]), &json!(3)), "7{label}");
        assert_eq!((&answer["end"], &answer["foul"]), (&json!("foul"), &json!({"h8": kinds})), "7{label}");
        let text = printed(&["solve", "vcf", &position]);
        let said = format!("in 3 plies, the shortest, ending with a foul: h8 is forbidden ({kinds})\ng8\n");
        assert!(text.contains(&said), "7{label}: {text}");
    }
}

/// Output of `kagetsu fouls --point h8` below the board.
fn explained(label: &str) -> String {
    let figure = find("8", label);
    let text = printed(&["fouls", &setup::print(&figure.position()), "--point", &figure.point]);
    text.split_once("\n\n").expect("a text below the board").1.to_string()
}

/// The lines that only one of two explanations has.
fn difference<'a>(one: &'a str, other: &str) -> Vec<&'a str> {
    one.lines().filter(|line| !other.lines().any(|l| l == *line)).collect()
}

/// The facts about h8 before White's defence in row 8; they no longer hold after it.
const THREE_IN_ROW_8: [&str; 4] = [
    "h8: foul 33",
    "  three f8 g8 h8, horizontal: real",
    "    e8 extends it: legal",
    "      straight four e8 f8 g8 h8, horizontal, completed by d8 i8",
];

/// The defence in row 8 makes a four of the three, so that one three remains.
#[test]
fn a_three_becomes_a_four() {
    let (before, after) = (explained("base"), explained("a"));
    assert_eq!(difference(&before, &after), THREE_IN_ROW_8);
    assert_eq!(
        difference(&after, &before),
        ["h8: legal", "  straight four e8 f8 g8 h8, horizontal, completed by d8 i8"]
    );
}

/// After c8 the row can only become c8 to h8: a six, so it is not a three.
#[test]
fn a_three_can_only_become_an_overline() {
    let (before, after) = (explained("base"), explained("b"));
    assert_eq!(difference(&before, &after), THREE_IN_ROW_8);
    assert_eq!(difference(&after, &before), ["h8: legal"]);
}

/// After n11 the only extension of the diagonal three is a double four.
#[test]
fn an_extension_becomes_a_foul() {
    let (before, after) = (explained("c-base"), explained("c"));
    assert_eq!(
        difference(&before, &after),
        [
            "h8: foul 33",
            "  three h8 i9 j10, rising diagonal: real",
            "    k11 extends it: legal",
            "      three k11 l11 m11, horizontal",
        ]
    );
    assert_eq!(
        difference(&after, &before),
        [
            "h8: legal",
            "  three h8 i9 j10, rising diagonal: false",
            "    k11 does not extend it: foul 44",
            "      four k11 l11 m11 n11, horizontal, completed by j11",
        ]
    );
    assert!(explained("c-X").starts_with("k11: foul 44\n"));
}

/// After h6 the column can only become h6 to h11: a six, so it is not a four. White's answer in row 6 does not change
/// that.
#[test]
fn a_four_can_only_become_an_overline() {
    let (before, after) = (explained("d-base"), explained("d"));
    assert!(explained("d-move").starts_with("h6: legal\n"));
    assert_eq!(
        difference(&before, &after),
        ["h8: foul 44", "  four h8 h9 h10 h11, vertical, completed by h7"]
    );
    assert_eq!(difference(&after, &before), ["h8: legal"]);
    let mut without_answer = find("8", "d-base").position();
    without_answer.push(Move::Place(crate::common::data::point("h6"))).expect("an empty point");
    let text = printed(&["fouls", &setup::print(&without_answer), "--point", "h8"]);
    assert!(text.ends_with(&after), "{text}");
}
