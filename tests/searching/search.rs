//! The search as a whole: it is repeatable, always legal, and never loses to a random player.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Caro, Color, Point, PointSet, Renju, Rule, RuleKind, Size, notation};
use kagetsu::search::{Context, Limits, Report, Search};
use kagetsu::solve::{Budget, Vcf, Verdict};
use kagetsu::with_rule;
use proptest::prelude::*;

use crate::common::random::Random;

fn go<R: Rule>(search: &mut Search<R>, board: &Board<R>, limits: &Limits) -> Option<(Point, Report)> {
    let clock = SystemClock::new();
    let stop = AtomicBool::new(false);
    search.go(board, limits, &Context { clock: &clock, start: clock.now(), stop: &stop }, &mut |_| {})
}

fn nodes(n: u64) -> Limits {
    Limits { nodes: Some(n), ..Limits::default() }
}

/// Plays a game against random legal moves; true if the engine wins.
fn beats_random<R: Rule>(search: &mut Search<R>, engine: Color, random: &mut Random) -> bool {
    let mut board = Board::<R>::new(Size::S15);
    loop {
        let p = if board.side() == engine {
            go(search, &board, &nodes(200)).expect("the engine has a move").0
        } else {
            let legal: Vec<Point> = board.empty().iter().filter(|&p| board.is_legal(p)).collect();
            *random.choose(&legal)
        };
        assert!(board.is_legal(p), "{p} after {} stones", board.stones());
        board.play(p);
        if let Some(winner) = board.winner() {
            return winner == engine;
        }
        if board.empty().is_empty() {
            return false;
        }
    }
}

#[test]
fn a_four_that_black_may_not_answer_is_seen_at_the_horizon() {
    // White's f8 leaves Black only e8, a double three. Black has one move here, and it does not prevent that.
    let position = notation::parse("a8b8e6c8e7d8f7k1g6m3", None).unwrap();
    let board = Board::<Renju>::from_position(&position).unwrap();
    let o15 = notation::parse_point("o15", position.size()).unwrap();
    let excluded = board.empty().without(&PointSet::from_iter([o15]));
    let limits = Limits { depth: Some(1), excluded, ..Limits::default() };
    let (p, report) = go(&mut Search::new(4 << 20), &board, &limits).unwrap();
    assert_eq!((p, report.lines[0].score.mate()), (o15, Some(-4)));
}

/// A short search leaves a transposition table of two megabytes nearly empty.
#[test]
fn little_memory_still_gives_a_useful_table() {
    let position = notation::parse("h8i9g9i7j8h10i8", None).unwrap();
    let board = Board::<Renju>::from_position(&position).unwrap();
    let (_, report) = go(&mut Search::new(4 << 20), &board, &nodes(2000)).unwrap();
    assert!(report.nodes >= 2000 && report.hash_permille < 100, "{} permille", report.hash_permille);
}

#[test]
fn without_time_a_move_is_near_the_stones_or_the_centre() {
    for kind in RuleKind::ALL {
        for size in [Size::S15, Size::new(20).unwrap()] {
            with_rule!(kind, R => {
                let mut search = Search::<R>::new(4 << 20);
                let mut board = Board::<R>::new(size);
                assert_eq!(go(&mut search, &board, &nodes(0)).unwrap().0, size.center(), "{kind}");
                let corner = Point::new(2, 2);
                board.play(corner);
                let (p, _) = go(&mut search, &board, &nodes(0)).unwrap();
                assert!(p.distance(corner) <= 4, "{kind}: {p}");
            });
        }
    }
}

/// Under caro a four may be closed at either end, and here the end that does not complete it wins: whatever White replies
/// to it, a straight four follows.
#[test]
fn under_caro_the_second_end_of_a_four_is_tried() {
    let moves = "b7d7c10f10e10c8e6f9f8e9d8g9h9h8e11g10h11g11g7i10h10h12i13i7j6i8i9j8l8i5k9h5i4g5j9l9j5f3d5k6g13f12e3h4e4e5\
                 f13e13e12d11c6a8b6d6c4b3d4d14c15c9d9h6";
    let position = notation::parse(moves, Some(Size::S15)).unwrap();
    let mut board = Board::<Caro>::from_position(&position).unwrap();
    let (p, report) = go(&mut Search::new(4 << 20), &board, &nodes(20_000)).unwrap();
    assert!(report.lines[0].score.mate().is_some_and(|n| n > 0), "{p} {}", report.lines[0].score);
    let attacker = board.side();
    board.play(p);
    let replies: Vec<Point> = board.empty().iter().collect();
    for reply in replies {
        board.play(reply);
        let verdict = Vcf::new(1 << 16).within(&board, attacker, 1, &mut Budget::unlimited());
        assert_eq!(verdict, Verdict::Win, "{p} {reply}");
        board.undo();
    }
}

#[test]
fn a_random_mover_always_loses() {
    for kind in RuleKind::ALL {
        with_rule!(kind, R => {
            let mut search = Search::<R>::new(4 << 20);
            let mut random = Random::new(kind as u64);
            for color in Color::BOTH {
                for game in 0..100 {
                    assert!(beats_random(&mut search, color, &mut random), "{kind}, {color}, game {game}");
                }
            }
        });
    }
}

#[test]
fn one_thread_with_a_node_limit_is_repeatable() {
    for kind in RuleKind::ALL {
        with_rule!(kind, R => {
            let mut board = Board::<R>::new(Size::S20);
            for (x, y) in [(9, 9), (10, 10), (9, 11), (8, 10), (11, 9)] {
                board.play(Point::new(x, y));
            }
            let mut search = Search::<R>::new(8 << 20);
            let strip = |r: Option<(Point, Report)>| {
                let (p, r) = r.expect("a move");
                (p, r.depth, r.seldepth, r.nodes, r.lines)
            };
            let first = strip(go(&mut search, &board, &nodes(30_000)));
            search.clear();
            assert_eq!(strip(go(&mut search, &board, &nodes(30_000))), first);
            assert_eq!(strip(go(&mut Search::<R>::new(8 << 20), &board, &nodes(30_000))), first);
        });
    }
}

#[test]
fn several_lines_are_different_moves_in_order() {
    with_rule!(RuleKind::Freestyle, R => {
        let mut board = Board::<R>::new(Size::S15);
        board.play(Point::new(7, 7));
        let limits = Limits { depth: Some(4), multipv: 5, ..Limits::default() };
        let (best, report) = go(&mut Search::<R>::new(8 << 20), &board, &limits).expect("a move");
        assert_eq!(report.lines.len(), 5);
        assert_eq!(report.lines[0].moves[0], best);
        let firsts: std::collections::HashSet<_> = report.lines.iter().map(|l| l.moves[0]).collect();
        assert_eq!(firsts.len(), 5);
        assert!(report.lines.windows(2).all(|w| w[0].score >= w[1].score));
    });
}

#[test]
fn a_five_leads_the_lines() {
    let position = notation::parse("h8h9i8i9j8j9k8k9", Some(Size::S15)).expect("a position");
    for kind in RuleKind::ALL {
        with_rule!(kind, R => {
            let board = Board::<R>::from_position(&position).expect("a board");
            for threads in [1, 2] {
                let limits = Limits { depth: Some(2), multipv: 3, threads, ..Limits::default() };
                let (best, report) = go(&mut Search::<R>::new(8 << 20), &board, &limits).expect("a move");
                assert!(["g8", "l8"].contains(&best.to_string().as_str()), "{kind}: {best}");
                let mates: Vec<_> = report.lines.iter().map(|line| line.score.mate()).collect();
                assert_eq!(mates, [Some(1), Some(1), Some(-2)], "{kind}: both fives, then nothing helps");
                assert_eq!(report.lines[0].moves, [best]);
            }
        });
    }
}

/// While something else uses its core, the last thread does not search.
#[test]
fn the_last_thread_joins_when_its_core_is_free() {
    let position = notation::parse("h8h9i8i10j9", Some(Size::S15)).unwrap();
    let board = Board::<Renju>::from_position(&position).unwrap();
    let searched = |threads, last_thread: Option<bool>| {
        let last_thread = last_thread.map(|free| Arc::new(AtomicBool::new(free)));
        let limits = Limits { depth: Some(11), threads, last_thread, ..Limits::default() };
        go(&mut Search::<Renju>::new(8 << 20), &board, &limits).unwrap().1.nodes
    };
    let alone = searched(1, None);
    assert_eq!(searched(2, Some(false)), alone);
    // The number of nodes depends on the moment at which the second thread gets a core. It may equal that of
    // one thread by chance, but not twenty times.
    assert!((0..20).any(|_| searched(2, Some(true)) != alone));
}

#[test]
fn several_threads_agree_on_a_forced_win() {
    with_rule!(RuleKind::Renju, R => {
        // Black has two open twos side by side and the move.
        let position = notation::parse("h8a1i8a15h9o15i9o1", None).expect("a position");
        let board = Board::<R>::from_position(&position).expect("a board");
        let limits = Limits { depth: Some(10), threads: 3, ..Limits::default() };
        let (_, report) = go(&mut Search::<R>::new(8 << 20), &board, &limits).expect("a move");
        assert!(report.lines[0].score.mate().is_some_and(|n| n > 0), "{}", report.lines[0].score);
    });
}

/// Plays a line of random points, skipping illegal ones, and searches the resulting position.
fn any_position_is_answered<R: Rule>(points: &[(usize, usize)], side: usize) -> Result<(), TestCaseError> {
    let mut board = Board::<R>::new(Size::new(side).expect("a size"));
    for &(x, y) in points {
        let p = Point::new(x % side, y % side);
        if board.is_legal(p) && board.winner().is_none() {
            board.play(p);
        }
    }
    let before = (board.hash(), board.side());
    let answer = go(&mut Search::<R>::new(4 << 20), &board, &nodes(500));
    prop_assert_eq!(before, (board.hash(), board.side()));
    let any = board.empty().iter().any(|p| board.is_legal(p));
    prop_assert_eq!(answer.is_some(), any);
    if let Some((p, report)) = answer {
        prop_assert!(board.is_legal(p));
        // The line can be played.
        let line = &report.lines[0].moves;
        prop_assert_eq!(line[0], p);
        for &q in line {
            prop_assert!(board.is_legal(q), "{} in {:?}", q, line);
            board.play(q);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_position_gets_a_legal_move(
        points in prop::collection::vec((0..22usize, 0..22usize), 0..500),
        side in 5..=22usize,
    ) {
        for kind in RuleKind::ALL {
            with_rule!(kind, R => any_position_is_answered::<R>(&points, side)?);
        }
    }
}
