//! Searches of four threads, stopped from outside, by all rules. Under ThreadSanitizer
//! (`scripts/sanitize.sh thread`) they show races of shared memory. Otherwise the test checks that they give
//! a legal move soon after they are stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::game::{Board, Rule, RuleKind, Size, notation};
use kagetsu::search::{Context, Limits, Search};
use kagetsu::with_rule;

const THREADS: usize = 4;

/// Searches a few positions with the same tables; every second search is stopped.
fn searches<R: Rule>() {
    let clock = SystemClock::new();
    let mut search = Search::<R>::new(4 << 20);
    for (i, text) in ["h8", "h8i10j6g5", "h8h9i8i10j9", "h8a1i8a15h9o15i9o1"].into_iter().enumerate() {
        let position = notation::parse(text, Some(Size::S15)).unwrap();
        let board = Board::<R>::from_position(&position).unwrap();
        let stop = AtomicBool::new(false);
        let is_stopped = i % 2 == 0;
        let nodes = if is_stopped { None } else { Some(6000) };
        let limits = Limits { nodes, threads: THREADS, ..Limits::default() };
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        let found = std::thread::scope(|scope| {
            if is_stopped {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(100));
                    stop.store(true, Ordering::Relaxed);
                });
            }
            search.go(&board, &limits, &context, &mut |_| {})
        });
        let (p, report) = found.expect("a move");
        assert!(board.is_legal(p), "{p} after {text}");
        assert!(report.nodes > 0);
    }
}

#[test]
fn four_threads_share_tables_and_a_stop() {
    for kind in RuleKind::ALL {
        with_rule!(kind, R => searches::<R>());
    }
}
