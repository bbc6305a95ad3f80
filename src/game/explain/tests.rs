use super::*;
use crate::game::{Renju, notation};

/// A tree that reaches its end early says so, and its verdicts stay those of the rules.
#[test]
fn a_tree_that_is_cut_says_so() {
    let worst = include_str!("../../../tests/data/foul_worst.txt").lines().next().unwrap();
    let board = Board::<Renju>::from_position(&notation::parse(worst, None).unwrap()).unwrap();
    let p = notation::parse_point("i17", board.size()).unwrap();
    let whole = board.explain(p);
    let cut = Explainer { left: 3, ..Explainer::new(&board) }.explain(p, true);
    assert_eq!(cut.verdict, whole.verdict);
    let text = cut.to_string();
    assert!(
        text.contains("the threes are not examined here: an explanation examines 500 points at most"),
        "{text}"
    );
    assert!(text.len() < whole.to_string().len());
}
