//! Decisions in the choice of an opening, under every regulation.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::decide::{Decider, Decision};
use kagetsu::engine::{Engine, Options};
use kagetsu::game::notation::parse;
use kagetsu::game::regulation::{Action, Choice, Opening, Regulation};
use kagetsu::game::{Point, RuleKind, Size};
use kagetsu::search::{Context, Limits};

/// Every regulation, with the usual rule of its games.
const ALL: [(&str, RuleKind); 18] = [
    ("plain", RuleKind::Renju),
    ("rif", RuleKind::Renju),
    ("swap-renju:D13,I13", RuleKind::Renju),
    ("yamaguchi", RuleKind::Renju),
    ("soosorv:8", RuleKind::Renju),
    ("soosorv:1", RuleKind::Renju),
    ("tarannikov", RuleKind::Renju),
    ("taraguchi:10", RuleKind::Renju),
    ("super-taraguchi:3", RuleKind::Renju),
    ("sakata", RuleKind::Renju),
    ("super-sakata", RuleKind::Renju),
    ("lianhuan", RuleKind::Renju),
    ("swap", RuleKind::Standard),
    ("swap1", RuleKind::Freestyle),
    ("swap2", RuleKind::Freestyle),
    ("swap5", RuleKind::Caro),
    ("pro", RuleKind::Standard),
    ("longpro", RuleKind::Freestyle),
];

struct Player {
    engine: Engine,
    limits: Limits,
}

impl Player {
    fn new(rule: RuleKind, seed: u64, limits: Limits) -> Player {
        let mut engine = Engine::new();
        engine.set_options(Options { rule, seed, hash: Some(4 << 20), ..Options::default() });
        Player { engine, limits }
    }

    fn with_nodes(rule: RuleKind, nodes: u64) -> Player {
        Player::new(rule, 7, Limits { nodes: Some(nodes), ..Limits::default() })
    }

    fn decide(&mut self, opening: &Opening) -> Decision {
        self.decide_by(&SystemClock::new(), opening)
    }

    fn decide_by(&mut self, clock: &dyn Clock, opening: &Opening) -> Decision {
        let stop = AtomicBool::new(false);
        let context = Context { clock, start: clock.now(), stop: &stop };
        Decider::new(&mut self.engine, &self.limits, &context).decide(opening, 1.0).unwrap()
    }
}

fn start(regulation: &str, size: Size) -> Opening {
    regulation.parse::<Regulation>().unwrap().start(size).unwrap()
}

/// The opening after these actions.
fn after(regulation: &str, actions: &[&str]) -> Opening {
    let mut opening = start(regulation, Size::S15);
    for text in actions {
        opening.apply(&Action::parse(text, Size::S15).unwrap()).unwrap();
    }
    opening
}

/// Plays a whole opening. Returns its actions, and the number of decisions made without a search although
/// there was a choice.
fn whole(regulation: &str, size: Size, player: &mut Player) -> (Vec<Action>, usize) {
    let mut opening = start(regulation, size);
    let (mut actions, mut blind) = (Vec::new(), 0);
    while !opening.is_over() {
        let only = matches!(&opening.choices()[..], [Choice::Place { zones, declare: None, .. }]
            if zones.iter().all(|zone| zone.points.len() == 1));
        let decision = player.decide(&opening);
        blind += usize::from(!only && decision.score.is_none());
        opening.apply(&decision.action).unwrap();
        actions.push(decision.action);
        assert!(actions.len() < 60, "{regulation}: {actions:?}");
    }
    (actions, blind)
}

#[test]
fn every_regulation_is_played_to_its_end() {
    for (regulation, rule) in ALL {
        let (actions, blind) = whole(regulation, Size::S15, &mut Player::with_nodes(rule, 20_000));
        assert_eq!(blind, 0, "{regulation}: {actions:?}");
    }
}

#[test]
fn equal_nodes_and_seeds_give_equal_decisions() {
    for (regulation, rule) in [("rif", RuleKind::Renju), ("swap2", RuleKind::Freestyle)] {
        let limits = || Limits { nodes: Some(10_000), ..Limits::default() };
        let played = |seed| whole(regulation, Size::S15, &mut Player::new(rule, seed, limits())).0;
        assert_eq!(played(1), played(1));
        let first: Vec<Action> = (1..8).map(|seed| played(seed)[0].clone()).collect();
        assert!(first.iter().any(|action| *action != first[0]), "openings vary: {first:?}");
    }
}

/// A clock that advances by the same time at each reading.
struct Ticking {
    looks: std::sync::atomic::AtomicU32,
    cost: Duration,
}

impl Ticking {
    fn new(cost: Duration) -> Ticking {
        Ticking { looks: Default::default(), cost }
    }
}

impl Clock for Ticking {
    fn now(&self) -> Duration {
        self.cost * self.looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }
}

#[test]
fn a_decision_is_made_in_time_on_any_board() {
    for (turn, sizes) in [(0, &[5, 8, 15, 22][..]), (5, &[22]), (100, &[6, 15])] {
        for size in sizes.iter().map(|&n| Size::new(n).unwrap()) {
            let turn = Duration::from_millis(turn);
            all_in_time(size, &Limits { turn: Some(turn), ..Limits::default() }, turn);
        }
    }
}

/// A decision by one search must not end at the number of nodes that the assumed speed gives: on this clock
/// the search makes twice as many nodes a second.
#[test]
fn a_decision_by_one_search_uses_its_time() {
    let turn = Duration::from_millis(200);
    for (regulation, rule, actions) in
        [("swap2", RuleKind::Freestyle, "h8 a1 i9"), ("swap", RuleKind::Standard, "h8 a1 i9")]
    {
        let limits = Limits { turn: Some(turn), ..Limits::default() };
        let clock = Ticking::new(Duration::from_micros(100));
        Player::new(rule, 1, limits).decide_by(&clock, &after(regulation, &[actions]));
        let used = clock.now();
        assert!(used > turn * 2 / 3, "{regulation}: {used:?} of {turn:?}");
    }
}

#[test]
fn a_decision_leaves_time_for_the_game() {
    let (turn, left) = (Duration::from_secs(5), Duration::from_millis(1500));
    let limits = Limits { turn: Some(turn), left: Some(left), ..Limits::default() };
    all_in_time(Size::S15, &limits, left / 6);
}

/// Plays the openings of all regulations for which the board has room. No decision may use more than its time and a few
/// readings of the clock.
fn all_in_time(size: Size, limits: &Limits, most: Duration) {
    for (regulation, rule) in ALL {
        let Ok(mut opening) = regulation.parse::<Regulation>().unwrap().start(size) else { continue };
        let mut player = Player::new(rule, 1, limits.clone());
        for _ in 0..12 {
            if opening.is_over() {
                break;
            }
            let clock = Ticking::new(Duration::from_millis(1));
            let decision = player.decide_by(&clock, &opening);
            let used = clock.now();
            assert!(used < most + Duration::from_millis(100), "{regulation} {size}: {used:?}, not {most:?}");
            opening.apply(&decision.action).unwrap();
        }
    }
}

/// A clock that panics when it is read.
struct Broken;

impl Clock for Broken {
    fn now(&self) -> Duration {
        panic!("a fault of the clock");
    }
}

/// After a panic a decision has no reasons, but there is a decision.
#[test]
fn every_regulation_is_played_to_its_end_in_spite_of_faults() {
    let stop = AtomicBool::new(false);
    for (regulation, rule) in ALL {
        let mut opening = start(regulation, Size::S15);
        for seed in 0..60 {
            if opening.is_over() {
                break;
            }
            let mut player = Player::new(rule, seed, Limits { nodes: Some(1000), ..Limits::default() });
            let context = Context { clock: &Broken, start: Duration::ZERO, stop: &stop };
            let decision =
                Decider::new(&mut player.engine, &player.limits, &context).decide(&opening, 1.0).unwrap();
            assert!(decision.score.is_none() && decision.reasons.is_empty(), "{regulation}: {decision:?}");
            opening.apply(&decision.action).unwrap();
        }
        assert!(opening.is_over(), "{regulation}");
    }
}

#[test]
fn the_better_side_is_taken() {
    let choice = |regulation: &str, rule, actions: &[&str]| {
        Player::with_nodes(rule, 60_000).decide(&after(regulation, actions)).action
    };
    // Black's stones stand in the corners, White's in the middle.
    assert_eq!(choice("swap", RuleKind::Freestyle, &["a1 h8 o15"]), Action::Keep);
    assert!(
        matches!(choice("swap2", RuleKind::Freestyle, &["a1 h8 o15"]), Action::Place { stones, .. } if stones.len() == 1)
    );
    assert_eq!(choice("swap2", RuleKind::Freestyle, &["h8 a1 i9"]), Action::Swap);
    assert_eq!(choice("swap", RuleKind::Standard, &["h8 a1 i9"]), Action::Swap);
    assert_eq!(choice("swap2", RuleKind::Freestyle, &["h8 a1 o1", "a15 i9"]), Action::Swap);
    // Known to be won for Black, with two fifths as with one.
    for opening in ["h8 h9 i9", "h8 i9 i7"] {
        for regulation in ["rif", "sakata"] {
            assert_eq!(
                choice(regulation, RuleKind::Renju, &[opening]),
                Action::Swap,
                "{regulation} {opening}"
            );
        }
    }
}

#[test]
fn two_more_stones_are_put_when_neither_side_is_better() {
    // Few openings are as even as the opener's short search estimated.
    let two = (1..=150).any(|seed| {
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let mut player = Player::new(RuleKind::Freestyle, seed, limits);
        let mut opening = start("swap2", Size::S15);
        opening.apply(&player.decide(&opening).action).unwrap();
        matches!(player.decide(&opening).action, Action::Place { stones, .. } if stones.len() == 2)
    });
    assert!(two, "of 150 openings meant to be even none is left to the opponent");
}

#[test]
fn black_offers_the_best_fifths_and_white_leaves_the_worst() {
    let mut player = Player::with_nodes(RuleKind::Renju, 60_000);
    let opening = after("soosorv:8", &["h8 h9 i9", "keep", "g8 declare 3", "keep"]);
    let decision = player.decide(&opening);
    let Action::Offer(points) = &decision.action else { panic!("{decision:?}") };
    let scores: Vec<_> = decision.reasons.iter().map(|reason| reason.score.unwrap()).collect();
    assert!(points.len() == 3 && scores.is_sorted_by(|a, b| a >= b), "{decision:?}");
    assert_eq!(decision.score, Some(scores[2]), "White leaves the worst");
    // The best move without a regulation is one of them.
    let mut free = after("rif", &["h8 h9 i9", "keep", "g8"]);
    free.apply(&Action::Offer(vec![points[0], Point::new(0, 0)])).unwrap();
    let Action::Choose { fifth, sixth } = player.decide(&free).action else { panic!() };
    assert_eq!(fifth, Point::new(0, 0), "a stone in the corner is worth nothing");
    assert!(parse("h8h9i9g8", None).unwrap().is_free(sixth) && sixth != fifth);
}
