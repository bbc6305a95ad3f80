//! The engine as one value: give it a position and options, ask for a move.
//!
//! The engine turns a rule chosen at run time into a type: it keeps one [`Search`] of the current rule, with
//! its tables and histories, from move to move, and creates a new one when the rule or the memory changes. It
//! always answers: if the search or the book panics, it logs the panic and gives a legal move.
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

use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicBool;

use crate::book::Shelf;
use crate::eval::nets;
use crate::game::{Board, Point, Position, Reading, Rule, RuleKind, Size};
use crate::search::{Context, Limits, Line, Report, Score, Search, Source};
use crate::with_rule;
use keeper::Keeper;
pub use machine::{max_hash, max_threads};
use memory::{Beside, available_beside};
pub use memory::{DEFAULT_MEMORY, LARGEST_BOOK, MAX_HASH, available};
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
    /// Playing strength, 0 to [`skill::FULL`]; a larger number means full strength too. A search for several
    /// lines is always at full strength.
    pub level: u8,
    /// Whether to play from the opening book in timed games, if [`Engine::set_shelf`] has given one.
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
        // A position has checked its points, so a board can always be made of it.
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

/// The engine: a position, options, and a search with its memory. It can be sent to another thread, and while
/// it searches there, the flag in its [`Context`] stops it.
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

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut engine = f.debug_struct("Engine");
        engine.field("options", &self.options).field("position", &self.position).finish_non_exhaustive()
    }
}

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

    /// Frees tables and a book that are larger than the options allow by now. It does not wait for the next
    /// search, because a memory limit holds from the moment it is known, and the search may not use the book.
    /// Under a larger limit, a book that was too large may be opened again.
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

    /// Finds a move for the side to move, with a report. It returns a move as long as there is an empty
    /// point, even after the end of a game, which is for the caller to notice
    /// ([`status`](crate::game::status)): if every point is a foul or excluded by the limits, one of these is
    /// played.
    ///
    /// `on_report` hears of each iteration as it ends. A search that is stopped before its first iteration
    /// ends has only the report that is returned. That one has a line at least, and the first line begins
    /// with the move. Below full strength the reports on the way may have other lines before it. A search
    /// whose `on_report` panics ends as one that panics itself.
    ///
    /// The calling thread is the first of the search. It should have a stack of
    /// [`STACK`](crate::search::STACK) bytes, as the others have.
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
        // A request for several lines is an analysis, which is always at full strength.
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

    /// Makes room for this number of threads. Keeps the largest number so far if possible: another one means
    /// new tables.
    fn allow_threads(&mut self, threads: usize) {
        let before = self.threads;
        self.threads = self.options.affordable(before.max(threads));
        if self.threads < before {
            // Drop the searcher: it holds memory for more threads than the options allow.
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
    let bytes = available_beside(tables, Beside::of_search(threads));
    Box::new(Search::<R>::new(usize::try_from(bytes).unwrap_or(usize::MAX / 2)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
