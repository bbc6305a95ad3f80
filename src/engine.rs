//! The engine as one value: give it a position and options, ask for a move.
//!
//! This is where a rule chosen at run time becomes one chosen at compile time: the engine keeps one
//! [`Search`] of the current rule, with what it has learned, from move to move, and makes a new one when the rule or the
//! memory changes. It always answers: if the search or the book panics, the panic is logged and a legal move is given all
//! the same.
//!
//! - [`book`]: moves from the opening book; [`keeper`]: the book within the memory limit.
//! - [`skill`]: play below full strength; [`agreement`]: draws that a player may choose.
//! - [`memory`]: the memory limit and its parts; [`machine`]: processors and memory that the process may use.
//! - [`fallback`]: a move without a search.
//!
//! The engine knows no text formats; [`crate::protocol`] turns text into calls of this module.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![deny(missing_docs)]

pub mod agreement;
mod book;
mod fallback;
mod keeper;
mod machine;
mod memory;
pub mod skill;

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicBool;

use crate::book::Shelf;
use crate::eval::nets;
use crate::game::{Board, Point, Position, Reading, Rule, RuleKind, Size};
use crate::search::{Context, Limits, Line, Report, STACK, Score, Search, Source, THREAD_BYTES};
use crate::with_rule;
use keeper::Keeper;
pub use machine::{grants, max_hash, max_threads};
pub use memory::{DEFAULT_MEMORY, LARGEST_BOOK, MAX_HASH};
use memory::{SPARE, available};
use skill::Skill;

/// Options that hold from move to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The rule.
    pub rule: RuleKind,
    /// Interpretation of Renju's double three.
    pub reading: Reading,
    /// Memory limit of the whole process in bytes; `None` for [`DEFAULT_MEMORY`].
    pub max_memory: Option<u64>,
    /// Memory of the search's tables in bytes; `None` for what `max_memory` leaves, up to one gibibyte.
    pub hash: Option<u64>,
    /// Playing strength, 0 to [`skill::FULL`].
    pub level: u8,
    /// Whether to play from the opening book, if there is one, in timed games.
    pub book: bool,
    /// Seed of all choices: among the book's moves, among moves below full strength, and of the openings compared.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rule: RuleKind::Freestyle,
            reading: Reading::Literal,
            max_memory: None,
            hash: None,
            level: skill::FULL,
            book: true,
            seed: 0,
        }
    }
}

/// A search whose rule is known only at run time.
trait Searcher: Send {
    fn go(
        &mut self,
        position: &Position,
        reading: Reading,
        limits: &Limits,
        context: &Context<'_>,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<(Point, Report)>;

    fn prepare(&mut self, stop: &AtomicBool);

    fn clear(&mut self);
}

impl<R: Rule> Searcher for Search<R> {
    fn go(
        &mut self,
        position: &Position,
        reading: Reading,
        limits: &Limits,
        context: &Context<'_>,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<(Point, Report)> {
        // A position checks its points itself, so it always has a board.
        let mut board = Board::<R>::from_position(position).ok()?;
        board.set_reading(reading);
        Search::go(self, &board, limits, context, on_report)
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        Search::prepare(self, stop);
    }

    fn clear(&mut self) {
        Search::clear(self);
    }
}

/// The engine: a position, options, and a search with its memory.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use kagetsu::clock::{Clock, SystemClock};
/// use kagetsu::engine::Engine;
/// use kagetsu::game::{Position, Size};
/// use kagetsu::search::{Context, Limits};
///
/// let mut engine = Engine::new();
/// engine.set_position(Position::new(Size::S15));
/// let limits = Limits { depth: Some(2), ..Limits::default() };
/// let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
/// let context = Context { clock: &clock, start: clock.now(), stop: &stop };
/// let (point, report) = engine.go(&limits, &context, &mut |_| {}).unwrap();
/// assert_eq!(report.lines[0].moves[0], point);
/// ```
pub struct Engine {
    options: Options,
    position: Position,
    keeper: Keeper,
    /// The searcher and its configuration. It is created at the first search, so that options may change freely before.
    searcher: Option<(Configuration, Box<dyn Searcher>)>,
    /// Most threads of any search so far: the tables leave room for them, so that a search with fewer threads keeps the
    /// tables.
    threads: usize,
}

/// Configuration of a searcher: the rule, its interpretation, and bytes for tables.
type Configuration = (RuleKind, Reading, u64);

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// Creates an engine with default options, an empty 15x15 board and no opening book. It takes no memory for tables
    /// yet.
    pub fn new() -> Engine {
        Engine {
            options: Options::default(),
            position: Position::new(Size::S15),
            keeper: Keeper::default(),
            searcher: None,
            threads: 1,
        }
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options. After a change of rule or memory the next search starts with empty tables.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Gives the engine an opening book, which is opened at the first lookup. A book that cannot be used is dropped
    /// with a warning in the log; [`Self::take_notice`] also tells of one that is too large.
    pub fn set_shelf(&mut self, shelf: Shelf) {
        self.keeper = Keeper::new(shelf);
    }

    /// Takes the notice that the user's book is not used because it is too large for the memory limit. It is given once.
    pub fn take_notice(&mut self) -> Option<String> {
        self.keeper.take_notice()
    }

    /// The position to move in.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Replaces the position.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Clears the transposition table and the histories.
    pub fn clear(&mut self) {
        if let Some((_, searcher)) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// Frees tables and a book that are larger than the options allow by now. The next search would do so too, unless it
    /// does not look into the book, but a memory limit holds from the moment it is known. Under a larger limit, a book that
    /// was too large may be opened again.
    pub fn shrink(&mut self) {
        if self.keeper.fit(&self.options) {
            // The tables were as large as the old limit allowed without the book: free them before it is opened.
            self.searcher = None;
        }
        self.allow_threads(1);
        let limit = self.options.table_memory_beside(self.threads, self.keeper.memory());
        self.searcher.take_if(|((_, _, tables), _)| *tables > limit);
    }

    /// Prepares the first search within these limits: opens the book, reads the net and, until `stop` is set, takes the
    /// memory of the tables if the search is long enough to use it. The next call continues.
    pub fn prepare(&mut self, limits: &Limits, stop: &AtomicBool) {
        let prepared = panic::catch_unwind(AssertUnwindSafe(|| {
            book::prepare(&mut self.keeper, &self.options, limits);
            let searcher = self.searcher(limits.threads);
            if !limits.preparation().is_zero() {
                searcher.prepare(stop);
            }
        }));
        if prepared.is_err() {
            log::error!("the preparations panicked");
            self.searcher = None;
        }
    }

    /// Finds a move for the side to move, with a report. It returns a move as long as there is an empty point: if every
    /// point is a foul or excluded by the limits, one of these is played.
    pub fn go(
        &mut self,
        limits: &Limits,
        context: &Context<'_>,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<(Point, Report)> {
        let known = panic::catch_unwind(AssertUnwindSafe(|| {
            book::choose(&mut self.keeper, &self.position, &self.options, limits, context)
        }));
        let known = known.unwrap_or_else(|_| {
            log::error!("the book panicked in {:?}", self.position);
            self.keeper = Keeper::default();
            None
        });
        if let Some((p, report)) = known {
            on_report(&report);
            return Some((p, report));
        }
        let mut last = None;
        let mut keep = |report: &Report| {
            last = Some(report.clone());
            on_report(report);
        };
        let searched = panic::catch_unwind(AssertUnwindSafe(|| self.search(limits, context, &mut keep)));
        let found = searched.unwrap_or_else(|_| {
            log::error!("the search panicked in {:?}", self.position);
            // Its tables may be half written: drop them.
            self.searcher = None;
            last.and_then(|report: Report| Some((*report.lines.first()?.moves.first()?, report)))
        });
        found.filter(|&(p, _)| self.position.is_free(p)).or_else(|| {
            let p = fallback::choose(&self.position, self.options.rule, self.options.reading)?;
            log::warn!("no move from the search, playing {p}");
            let line = Line { score: Score(0), moves: vec![p] };
            let elapsed = context.clock.now().saturating_sub(context.start);
            Some((p, Report { elapsed, ..Report::without_search(Source::Evaluation, vec![line]) }))
        })
    }

    fn search(
        &mut self,
        limits: &Limits,
        context: &Context<'_>,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<(Point, Report)> {
        let options = self.options;
        // A request for several lines wants the engine's true opinion, at full strength.
        let skill = Skill::of(options.level).filter(|_| limits.multipv <= 1);
        let limits = &skill.map_or_else(|| limits.clone(), |skill| skill.limits(limits));
        let limits = &Limits { threads: options.affordable(limits.threads), ..limits.clone() };
        let position = self.position.clone();
        let searcher = self.searcher(limits.threads);
        let (point, mut report) = searcher.go(&position, options.reading, limits, context, on_report)?;
        let Some(skill) = skill else { return Some((point, report)) };
        skill.choose(&mut report, &position, options.seed);
        report.lines.truncate(1);
        Some((*report.lines.first()?.moves.first()?, report))
    }

    /// Makes room for this number of threads. It keeps the number so far if possible: another one would mean new tables.
    fn allow_threads(&mut self, threads: usize) {
        let before = self.threads;
        self.threads = self.options.affordable(before.max(threads));
        if self.threads < before {
            // The searcher still has the memory of the threads that there is no more room for.
            self.searcher = None;
        }
    }

    /// Returns the searcher for the options and this number of threads. Its tables are new only if their size changes.
    fn searcher(&mut self, threads: usize) -> &mut dyn Searcher {
        let options = self.options;
        self.allow_threads(threads);
        let tables = options.table_memory_beside(self.threads, self.keeper.memory());
        let made = (options.rule, options.reading, tables);
        // Drop the old searcher before the new one is created: both could exceed the memory limit.
        self.searcher.take_if(|kept| kept.0 != made);
        let threads = self.threads;
        let (_, searcher) = self
            .searcher
            .get_or_insert_with(|| (made, with_rule!(options.rule, R => searcher::<R>(made.2, threads))));
        &mut **searcher
    }
}

/// Makes a searcher whose tables take at most this number of bytes, or fewer if the system grants fewer. Under a hard
/// limit, such as that of `ulimit -v`, room must remain for everything else that a search with this number of threads
/// allocates. The rule's tables are allocated first.
fn searcher<R: Rule>(tables: u64, threads: usize) -> Box<dyn Searcher> {
    nets::net(R::KIND);
    let first = Board::<R>::from_position(&Position::new(Size::S15));
    std::hint::black_box(first.is_ok());
    let threads = threads.max(1) as u64;
    let beside = SPARE + threads * THREAD_BYTES as u64 + (threads - 1) * STACK as u64;
    Box::new(Search::<R>::new(usize::try_from(available(tables, beside)).unwrap_or(usize::MAX / 2)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::memory::{LARGEST_TABLES, RESERVE, SMALLEST_TABLES, THREAD};
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

    /// Even if its tables are as small as before.
    #[test]
    fn threads_above_the_limit_are_freed_at_once() {
        let mut engine = Engine::new();
        let options = |mib: u64| Options {
            max_memory: Some(mib << 20),
            hash: Some(SMALLEST_TABLES),
            ..Options::default()
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
        assert_eq!(Options { hash: Some(1 << 30), ..Options::default() }.affordable(1024), 1024);
        assert_eq!(with(None, Some(4 << 30)), 4 << 30);
        assert_eq!(with(Some(1), None), SMALLEST_TABLES);
        assert_eq!(with(Some(u64::MAX), None), LARGEST_TABLES);
        assert!(Options { max_memory: Some(u64::MAX), ..Options::default() }.book_memory() <= LARGEST_BOOK);
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
}
