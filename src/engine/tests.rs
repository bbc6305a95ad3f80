use super::memory::{Beside, LARGEST_TABLES, RESERVE, SMALLEST_TABLES, THREAD, fitting, threads_within};
use super::*;
use crate::clock::SystemClock;
use crate::game::Color;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

fn go(engine: &mut Engine) -> Option<Point> {
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let context = Context { clock: &clock, start: Default::default(), stop: &stop };
    engine.go(&limits, &context, &mut |_| {}).map(|(p, _)| p)
}

/// A 6x6 board with one empty point, d1, where Black would make an overline.
fn only_a_foul() -> Position {
    let size = Size::new(6).unwrap();
    let stones = size.points().filter(|&p| p != Point::new(3, 0)).map(|p| {
        let black = p.y() == 0 || (p.x() + 2 * p.y()) % 4 < 2;
        (p, if black { Color::Black } else { Color::White })
    });
    Position::from_stones(size, stones, Color::Black).unwrap()
}

/// A program that holds the engine in its own struct and searches on another thread needs both.
#[test]
fn an_engine_can_be_sent_and_printed() {
    fn sent<T: Send>(value: T) -> T {
        value
    }
    let said = format!("{:?}", sent(Engine::new()));
    assert!(said.starts_with("Engine { options: Options { ") && said.ends_with(", .. }"), "{said}");
}

struct Panicking;

impl Searcher for Panicking {
    fn go(
        &mut self,
        _: &Position,
        _: Reading,
        _: &Limits,
        _: &Context<'_>,
        _: &mut dyn FnMut(&Report),
    ) -> Option<(Point, Report)> {
        panic!("a fault in the search");
    }

    fn prepare(&mut self, _: &AtomicBool) {
        panic!("a fault before the search");
    }

    fn clear(&mut self) {}
}

#[test]
fn survives_a_panic_of_the_search() {
    let mut engine = Engine::new();
    let made = (RuleKind::Freestyle, Reading::Literal, engine.options.table_memory(1));
    engine.searcher = Some((made, Box::new(Panicking)));
    assert!(go(&mut engine).is_some());
    assert!(engine.searcher.is_none(), "a search that panicked is not used again");
    assert!(go(&mut engine).is_some());
}

/// A search that reports a move and then panics.
struct Reporting(Point);

impl Searcher for Reporting {
    fn go(
        &mut self,
        _: &Position,
        _: Reading,
        _: &Limits,
        _: &Context<'_>,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<(Point, Report)> {
        on_report(&Report::of(Source::Search, vec![Line { score: Score(5), moves: vec![self.0] }]));
        panic!("a fault behind a report");
    }

    fn prepare(&mut self, _: &AtomicBool) {}

    fn clear(&mut self) {}
}

#[test]
fn a_search_that_panics_has_its_last_report_played() {
    let p = Point::new(2, 3);
    for (text, is_free) in [("h8", true), ("h8c4", false)] {
        let mut engine = Engine::new();
        let made = (RuleKind::Freestyle, Reading::Literal, engine.options.table_memory(1));
        engine.searcher = Some((made, Box::new(Reporting(p))));
        let position = crate::game::notation::parse(text, None).unwrap();
        engine.set_position(position.clone());
        let played = go(&mut engine).unwrap();
        assert_eq!(played == p, is_free, "{text}: {played}");
        assert!(position.is_free(played), "{text}: {played}");
    }
}

#[test]
fn a_search_with_fewer_threads_keeps_the_tables() {
    let mut engine = Engine::new();
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
    let context = Context { clock: &clock, start: Default::default(), stop: &stop };
    let mut made = |threads| {
        let limits = Limits { depth: Some(1), threads, ..Limits::default() };
        engine.go(&limits, &context, &mut |_| {}).unwrap();
        engine.searcher.as_ref().map(|(made, _)| *made).unwrap()
    };
    let (one, two) = (made(1), made(2));
    assert!(two.2 < one.2);
    assert_eq!(made(1), two);
}

/// The size of the tables does not change, but the searcher must still be dropped for the memory of its
/// threads.
#[test]
fn threads_above_the_limit_are_freed_at_once() {
    let mut engine = Engine::new();
    let options = |mib: u64| {
        let hash = Some(SMALLEST_TABLES);
        Options { max_memory: Some(mib << 20), hash, ..Options::default() }
    };
    engine.set_options(options(100));
    engine.prepare(&Limits { threads: 4, ..Limits::default() }, &AtomicBool::new(false));
    engine.shrink();
    assert!(engine.searcher.is_some() && engine.threads == 4);
    engine.set_options(options(28));
    engine.shrink();
    assert!(engine.searcher.is_none() && engine.threads == 1);
}

#[test]
fn preparations_are_those_of_the_search() {
    let mut engine = Engine::new();
    let (stop, limits) = (AtomicBool::new(false), Limits { threads: 1, ..Limits::default() });
    let made = |engine: &Engine| engine.searcher.as_ref().map(|(made, _)| *made);
    engine.set_options(Options { max_memory: Some(100 << 20), ..Options::default() });
    engine.prepare(&limits, &stop);
    let prepared = made(&engine);
    assert!(prepared.is_some() && go(&mut engine).is_some());
    assert_eq!(made(&engine), prepared, "the search uses what was prepared");
    engine.set_options(Options { max_memory: Some(200 << 20), ..Options::default() });
    engine.shrink();
    assert_eq!(made(&engine), prepared, "it may be smaller");
    engine.set_options(Options { max_memory: Some(50 << 20), ..Options::default() });
    engine.shrink();
    assert_eq!(made(&engine), None);
    stop.store(true, Relaxed);
    engine.prepare(&limits, &stop);
    assert!(made(&engine).is_some_and(|(_, _, tables)| tables <= 50 << 20));
    engine.searcher = prepared.map(|made| (made, Box::new(Panicking) as Box<dyn Searcher>));
    engine.set_options(Options { max_memory: Some(100 << 20), ..Options::default() });
    engine.prepare(&limits, &stop);
    assert!(engine.searcher.is_none() && go(&mut engine).is_some());
}

#[test]
fn a_short_search_has_its_net_and_its_book_prepared() {
    let mut engine = Engine::new();
    engine.set_shelf(Shelf::BuiltIn);
    let limits = Limits { turn: Some(Duration::from_millis(50)), threads: 1, ..Limits::default() };
    engine.prepare(&limits, &AtomicBool::new(false));
    let made = engine.searcher.as_ref().map(|(made, _)| *made);
    assert!(made.is_some() && engine.keeper.memory() > 0);
    engine.searcher = made.map(|made| (made, Box::new(Panicking) as Box<dyn Searcher>));
    engine.prepare(&limits, &AtomicBool::new(false));
    assert!(engine.searcher.is_some(), "the memory of its tables is not taken before");
}

#[test]
fn answers_while_there_is_an_empty_point() {
    let mut engine = Engine::new();
    engine.set_options(Options { rule: RuleKind::Renju, ..Options::default() });
    let mut position = only_a_foul();
    engine.set_position(position.clone());
    assert_eq!(
        crate::game::status::fouls(&position, RuleKind::Renju),
        [Point::new(3, 0)].into_iter().collect()
    );
    assert_eq!(go(&mut engine), Some(Point::new(3, 0)));
    position.push(crate::game::Move::Place(Point::new(3, 0))).unwrap();
    engine.set_position(position);
    assert_eq!(go(&mut engine), None);
}

#[test]
fn tables_leave_room_for_the_rest() {
    let with = |max_memory, hash| Options { max_memory, hash, ..Options::default() }.table_memory(1);
    for limit in [80 << 20, DEFAULT_MEMORY, 1 << 31] {
        assert!(with(Some(limit), None) + RESERVE <= limit);
        assert!(with(Some(limit), Some(u64::MAX)) + RESERVE <= limit);
    }
    assert_eq!(with(None, None), with(Some(DEFAULT_MEMORY), None));
    assert!(Options::default().table_memory(8) < with(None, None));
    for limit in [1, 30 << 20, 80 << 20, 350 << 20] {
        let options = Options { max_memory: Some(limit), ..Options::default() };
        let threads = options.affordable(1024);
        let all = RESERVE + THREAD * (threads as u64 - 1) + options.table_memory(threads);
        assert!(all <= limit.max(RESERVE + SMALLEST_TABLES), "{threads} threads within {limit}");
        assert_eq!(options.affordable(0), 1);
    }
    assert_eq!(Options { max_memory: Some(350 << 20), ..Options::default() }.affordable(32), 32);
    let threads = Options::default().affordable(1024);
    assert!(threads >= 32, "{threads}");
    assert!(Options::default().table_memory(threads) >= (DEFAULT_MEMORY - RESERVE) / 2);
    assert_eq!(Options { hash: Some(1 << 30), ..Options::default() }.affordable(64), 64);
    assert_eq!(with(None, Some(4 << 30)), 4 << 30);
    assert_eq!(with(Some(1), None), SMALLEST_TABLES);
    assert_eq!(with(Some(u64::MAX), None), LARGEST_TABLES);
    assert!(Options { max_memory: Some(u64::MAX), ..Options::default() }.book_memory() <= LARGEST_BOOK);
}

/// A container of a gibibyte, of which 896 MiB are for tables, on a machine with 128 processors.
#[test]
fn unused_stacks_take_no_room_from_tables() {
    let usable = 896 << 20;
    assert_eq!(fitting(192 << 20, usable, Beside::of_search(128)), 192 << 20);
    let all = |threads| fitting(u64::MAX, usable, Beside::of_search(threads));
    assert!(all(1) < usable && all(128) + 127 * THREAD == all(1));
    assert_eq!(all(100_000), SMALLEST_TABLES);
}

/// The same container, with a hash size and no memory limit: a search with 512 threads would be killed.
#[test]
fn there_are_no_more_threads_than_the_memory_holds() {
    let usable = 896 << 20;
    let most = threads_within(usable);
    assert!((128..512).contains(&most), "{most}");
    assert!(RESERVE + 2 * THREAD * (most as u64 - 1) <= usable);
    assert!(threads_within(0) == 1 && threads_within(u64::MAX) > 1 << 20);
}

#[test]
fn a_book_above_the_limit_is_freed_at_once() {
    let mut engine = Engine::new();
    let book = |memory| Shelf::Open { book: Default::default(), memory, place: Default::default() };
    engine.set_options(Options { max_memory: Some(350 << 20), ..Options::default() });
    engine.set_shelf(book(30 << 20));
    engine.shrink();
    assert_eq!(engine.keeper.memory(), 30 << 20, "an eighth of what is left");
    engine.set_shelf(book(50 << 20));
    engine.shrink();
    assert_eq!(engine.keeper.memory(), 0);
    engine.set_shelf(book(50 << 20));
    engine.set_options(Options::default());
    engine.shrink();
    assert_eq!(engine.keeper.memory(), 50 << 20, "the limit may still come");
}
