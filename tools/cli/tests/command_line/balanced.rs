//! `kagetsu openings --balanced`.

use std::collections::HashSet;

use kagetsu::game::notation::parse;
use kagetsu::game::symmetry::Canonical;
use kagetsu::game::{Position, Size};

use super::{kagetsu, wrong_usage};

/// The openings of a list, without its head.
fn openings(list: &str, size: usize) -> Vec<Position> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| parse(line, Size::new(size).ok()).unwrap()).collect()
}

/// The first line of the head describes the list; the second is the command that makes it.
#[test]
fn the_head_of_a_list_makes_it_again_with_any_number_of_threads() {
    let words = "openings --balanced 5 --rule caro --size 9 --seed 7 --nodes 300 --bias 150 --stones 3 5";
    let args: Vec<&str> = words.split(' ').collect();
    let list = kagetsu(&args);
    let head: Vec<&str> = list.lines().take_while(|line| line.starts_with('#')).collect();
    assert!(head[0].starts_with("# 5 balanced openings, caro 9x9"), "{list}");
    let command = head.iter().find_map(|line| line.strip_prefix("# kagetsu ")).unwrap();
    let again: Vec<&str> = command.split(' ').collect();
    assert_eq!(kagetsu(&[&again[..], &["--threads", "3"]].concat()), list);
    let openings = openings(&list, 9);
    assert_eq!(openings.len(), 5);
    assert!(openings.iter().all(|o| (3..=5).contains(&o.moves().len())), "{list}");
    let other = words.replace("--seed 7", "--seed 8");
    let other = kagetsu(&other.split(' ').collect::<Vec<_>>());
    assert!(other.lines().last() != list.lines().last(), "another seed is another list");
}

/// On so small a board a first stone has only six different places up to symmetry, so random openings of two stones
/// soon repeat.
#[test]
fn no_two_openings_are_alike_when_turned() {
    let words = "openings --balanced 6 --rule freestyle --size 5 --nodes 20 --bias 5000 --stones 2 2";
    let list = kagetsu(&words.split(' ').collect::<Vec<_>>());
    let openings = openings(&list, 5);
    let different: HashSet<u64> = openings.iter().map(|o| Canonical::of_position(o).key).collect();
    assert_eq!((openings.len(), different.len()), (6, 6), "{list}");
}

#[test]
fn wishes_that_nothing_fulfils_are_refused() {
    // There are always the three stones of one of the 26 openings and the balancing one, and MAX must not be below MIN.
    for [fewest, most] in [["3", "9"], ["6", "5"]] {
        let said = wrong_usage(&["openings", "--balanced", "1", "--rule", "renju", "--stones", fewest, most]);
        assert!(said.contains("expected MIN of at least 4, and MAX not below it"), "{said}");
    }
    // A full board is no opening.
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("sift");
    let sift = ["openings", "sift", "1", "--engine", "x", "--out", folder.to_str().unwrap()];
    for (command, most) in [(&["openings", "--balanced", "1"][..], "25"), (&sift[..], "99")] {
        let board = ["--rule", "freestyle", "--size", "5", "--nodes", "10", "--stones", "3", most];
        let said = wrong_usage(&[command, &board].concat());
        assert!(said.contains("--stones: expected MAX below the 25 points of the board"), "{said}");
    }
    assert!(!folder.exists());
}
