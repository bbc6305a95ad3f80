//! Games of plans by their numbers: who meets whom, from which opening, and what no flags give.

use std::collections::HashMap;
use std::time::Duration;

use kagetsu::clock::{Clock, SystemClock};

use super::super::fixture::plan;
use super::super::time::TimeControl;
use super::*;
use crate::timing::Control;

#[test]
fn everybody_meets_everybody_with_both_colours() {
    let plan = plan(3, Some(4), 2);
    assert_eq!(plan.total(), Some(24));
    let mut colours: HashMap<[usize; 2], u32> = HashMap::new();
    let mut pairs: HashMap<u64, Vec<(usize, Symmetry, [usize; 2])>> = HashMap::new();
    for number in 0..24 {
        let pairing = plan.pairing(number).unwrap();
        let players = pairing.players(&plan.opening(&pairing).unwrap());
        *colours.entry(players).or_default() += 1;
        pairs.entry(pairing.pair).or_default().push((pairing.opening, pairing.symmetry, players));
    }
    assert_eq!(colours.len(), 6);
    assert!(colours.values().all(|&n| n == 4), "{colours:?}");
    assert_eq!(pairs.len(), 12);
    for games in pairs.values() {
        let [a, b] = games[..] else { panic!("{games:?}") };
        assert_eq!((a.0, a.1), (b.0, b.1));
        assert_eq!(a.2, [b.2[1], b.2[0]]);
    }
    assert_eq!(plan.pairing(24), None);
}

#[test]
fn plans_come_back_and_older_ones_too() {
    let endings = Endings { passes: Some(6), moves: Some(200), ..Endings::default() };
    let plan = Plan { endings, concurrency: 3, ..plan(2, Some(4), 1) };
    let text = serde_json::to_string(&plan).unwrap();
    assert_eq!(Plan::read(&text).unwrap(), plan);
    let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
    old.as_object_mut().unwrap().retain(|key, _| key != "endings" && key != "concurrency");
    old["adjudication"]["draw_after"] = 90.into();
    let old = Plan::read(&old.to_string()).unwrap();
    assert_eq!(old.endings, Endings { moves: Some(90), ..first_endings() });
    assert_eq!(old.concurrency, 1);
    assert!(Plan::read("{}").is_err());
}

/// A plan may have been edited, or be of another program.
#[test]
fn plans_that_no_flags_make_are_refused() {
    let good = Plan { sprt: "elo1=5".parse().ok(), ..plan(2, None, 1) };
    assert_eq!((good.check(), plan(3, Some(3), 1).check()), (Ok(()), Ok(())));
    let sprt = good.sprt.unwrap();
    let late = Duration::from_secs(u64::MAX);
    let timed = |time: TimeControl| {
        let mut plan = good.clone();
        plan.contestants[1].time = time;
        plan
    };
    let time = TimeControl::default();
    let rule = ScoreRule { score: 500, moves: 0 };
    let list = |lines: &[&str]| Some(Fallback::List(lines.iter().map(ToString::to_string).collect()));
    assert_eq!(Plan { fallback: list(&["D4; keep"]), ..good.clone() }.check(), Ok(()));
    let mut same = good.clone();
    same.contestants[1].name = same.contestants[0].name.clone();
    for (wrong, said) in [
        (Plan { sprt: None, ..plan(1, None, 1) }, "not 1"),
        (same, "different names"),
        (Plan { sprt: Some(sprt), ..plan(3, None, 1) }, "exactly two engines, not 3"),
        (Plan { sprt: Some(Sprt { elo0: 5.0, ..sprt }), ..good.clone() }, "a greater elo1"),
        (Plan { sprt: Some(Sprt { alpha: 0.0, beta: 0.0, ..sprt }), ..good.clone() }, "alpha and beta"),
        (plan(2, None, 1), "games: expected a number"),
        (Plan { rounds: 2, ..good.clone() }, "games: expected a number"),
        (plan(2, Some(0), 1), "expected 1 or more"),
        (Plan { concurrency: 0, ..good.clone() }, "expected 1 to 1024, not 0"),
        (Plan { concurrency: 1025, ..good.clone() }, "expected 1 to 1024, not 1025"),
        (plan(2, Some(2), 0), "expected 1 or more"),
        (plan(2, Some(3), 2), "an even number"),
        (Plan { size: 99, ..good.clone() }, "size: "),
        (Plan { openings: vec!["h8h8".into()], ..good.clone() }, "opening h8h8"),
        (Plan { fallback: list(&[]), ..good.clone() }, "fallback: expected at least one opening"),
        (Plan { fallback: list(&["D4; keep", "D4; hello"]), ..good.clone() }, "fallback: 'D4; hello': "),
        (
            Plan {
                adjudication: Adjudication { resign: Some(rule), ..Adjudication::default() },
                ..good.clone()
            },
            "1 to 1000 moves",
        ),
        (timed(TimeControl { patience: late, ..time }), "at most a day"),
        (
            timed(TimeControl { control: Some(Control { moves: 0, time: time.tolerance }), ..time }),
            "at most a day",
        ),
    ] {
        let text = serde_json::to_string(&wrong).unwrap();
        let error = Plan::read(&text).unwrap_err().to_string();
        assert!(error.contains(said), "{error}; expected {said}");
    }
}

#[test]
fn a_gauntlet_is_the_first_against_the_rest() {
    let plan = Plan { format: Format::Gauntlet, ..plan(4, Some(2), 1) };
    assert_eq!(plan.encounters().collect::<Vec<_>>(), [[0, 1], [0, 2], [0, 3]]);
}

/// A game asks for its encounter alone. That takes no list of all encounters, which would be quadratic in
/// their number.
#[test]
fn an_encounter_is_known_by_its_number() {
    for format in [Format::RoundRobin, Format::Gauntlet] {
        for engines in [2, 3, 7] {
            let plan = Plan { format, ..plan(engines, Some(2), 2) };
            let listed: Vec<_> = plan.encounters().collect();
            let count = listed.len() as u64;
            assert_eq!((plan.encounter_count(), plan.total()), (count, Some(4 * count)));
            let played: Vec<_> = (0..4 * count).map(|number| plan.pairing(number).unwrap().engines).collect();
            let twice: Vec<_> = listed.iter().flat_map(|&pair| [pair, pair]).collect();
            assert_eq!(played, [twice.clone(), twice].concat(), "{engines} {format:?}");
            assert_eq!(plan.pairing(4 * count), None);
        }
    }
    let crowd = plan(500, Some(2), 1);
    let start = SystemClock::new();
    let last = crowd.total().unwrap() - 1;
    assert!((0..200_000).all(|back| crowd.pairing(last - back).is_some()));
    assert!(start.now() < Duration::from_secs(30), "it took {:?}", start.now());
}

#[test]
fn repetitions_are_known_before_the_first_game() {
    let plan = |games, transform| Plan { transform, ..plan(2, Some(games), 1) };
    assert_eq!((plan(6, false).first_repetition(), plan(8, false).first_repetition()), (None, Some(7)));
    assert_eq!((plan(48, true).first_repetition(), plan(49, true).first_repetition()), (None, Some(49)));
    // Odd numbers of games, several encounters, several rounds: compared with a search through all games.
    for (engines, games, rounds) in [(2, 7, 1), (3, 2, 4), (3, 2, 3), (4, 4, 7), (3, 10, 2)] {
        let plan = Plan { transform: false, ..self::plan(engines, Some(games), rounds) };
        let first = (0..plan.total().unwrap()).find(|&n| plan.pairing(n).unwrap().again);
        assert_eq!(plan.first_repetition(), first.map(|n| n + 1), "{engines} {games} {rounds}");
    }
    // Each of 24 rounds has a new opening: three, in eight symmetric forms. Two million games come before the
    // next one.
    let encounters = 300 * 299 / 2;
    let crowd = self::plan(300, Some(2), 25);
    assert_eq!(crowd.first_repetition(), Some(24 * encounters * 2 + 1));
    // The plan has 2^46 games: a test of each of them would never end.
    let many = Plan { opening_rule: Some("swap2".into()), rounds: 1 << 15, ..plan(1 << 31, false) };
    assert_eq!(many.first_repetition(), None);
}

#[test]
fn openings_come_again_turned() {
    let plan = plan(2, None, 1);
    assert_eq!(plan.total(), None);
    let at = |number| plan.pairing(number).unwrap();
    assert_eq!((at(0).opening, at(1).opening, at(2).opening, at(6).opening), (0, 0, 1, 0));
    assert_eq!(at(0).symmetry, Symmetry::IDENTITY);
    assert_ne!(at(6).symmetry, Symmetry::IDENTITY);
    assert_eq!(at(48).symmetry, Symmetry::IDENTITY);
    assert_ne!(plan.opening(&at(2)).unwrap(), plan.opening(&at(8)).unwrap());
}

/// The first and the third opening, with one stone in the middle, have one form each. The second one, with a
/// stone beside it, has four, and the fourth one is a copy of it.
#[test]
fn symmetric_openings_repeat_sooner() {
    let mut plan = plan(2, Some(100), 1);
    plan.openings.push(plan.openings[1].clone());
    let stones = |plan: &Plan, number| {
        let position = plan.opening(&plan.pairing(number).unwrap()).unwrap();
        let mut stones: Vec<String> = position.stones().map(|(p, c)| format!("{c} {p}")).collect();
        stones.sort();
        (stones, position.side())
    };
    for (transform, positions) in [(true, 6), (false, 3)] {
        plan.transform = transform;
        plan.forms = Forms::of(&plan.openings, Size::S15, transform).unwrap();
        assert_eq!(plan.check(), Ok(()));
        assert_eq!(Plan::read(&serde_json::to_string(&plan).unwrap()).unwrap(), plan);
        // Two games are a pair.
        let numbers = (0..100).step_by(2);
        let mut seen = Vec::new();
        let first = numbers.clone().find(|&number| {
            let is_again = seen.contains(&stones(&plan, number));
            seen.push(stones(&plan, number));
            is_again
        });
        assert_eq!((seen.len() - 1, first), (positions, Some(2 * positions as u64)), "{seen:?}");
        assert_eq!(numbers.clone().find(|&number| plan.pairing(number).unwrap().again), first);
        assert_eq!(plan.first_repetition(), first.map(|number| number + 1));
    }
    plan.openings.pop();
    assert!(plan.check().unwrap_err().to_string().starts_with("forms: expected a number for each opening"));
}

/// A tournament of an earlier version goes on with the openings with which it began.
#[test]
fn plans_without_forms_turn_each_opening_eight_times() {
    let plan = plan(2, Some(100), 1);
    let mut text: serde_json::Value = serde_json::to_value(&plan).unwrap();
    assert!(text.as_object_mut().unwrap().remove("forms").is_some());
    let old = Plan::read(&text.to_string()).unwrap();
    let used = |pair: u64| {
        let Pairing { opening, symmetry, .. } = old.pairing(2 * pair).unwrap();
        (opening, symmetry)
    };
    for (pair, opening, turn) in [(0, 0, 0), (2, 2, 0), (3, 0, 1), (23, 2, 7), (24, 0, 0), (27, 0, 1)] {
        assert_eq!(used(pair), (opening, Symmetry::ALL[turn]), "{pair}");
    }
    assert_eq!(old.first_repetition(), Some(49));
}

#[test]
fn used_openings_are_known() {
    // Cases: three openings for two games each, in eight symmetric forms or in one; the empty board; openings
    // that the engines play.
    let turned = plan(2, None, 1);
    let plain = Plan { transform: false, ..turned.clone() };
    let empty = Plan { openings: Vec::new(), ..turned.clone() };
    let played = Plan { opening_rule: Some("swap2".into()), ..empty.clone() };
    let rounds = Plan { transform: false, ..plan(3, Some(2), 4) };
    for (plan, first) in [(turned, Some(48)), (plain, Some(6)), (empty, Some(2)), (played, None)] {
        assert_eq!((0..100).find(|&n| plan.pairing(n).unwrap().again), first, "{plan:?}");
    }
    // Three encounters have the same opening in each of the first three rounds.
    assert_eq!((0..24).find(|&n| rounds.pairing(n).unwrap().again), Some(18));
}
