//! Times of searches by a clock that only the work of the game moves on, or nothing at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use kagetsu::clock::Clock;
use kagetsu::game::{Color, Point};
use kagetsu_games::game::{Cell, Game, Illegal, Look, Outcome};
use kagetsu_games::players::Searcher;
use kagetsu_games::search::{Limits, Report};
use kagetsu_games::{Kind, Move, Options};

/// A clock that is set by hand, and counts how often it is read.
#[derive(Default)]
struct Told {
    micros: AtomicU64,
    reads: AtomicU64,
}

impl Clock for Told {
    fn now(&self) -> Duration {
        self.reads.fetch_add(1, Relaxed);
        Duration::from_micros(self.micros.load(Relaxed))
    }
}

/// Time of a list of all legal moves: longer than any search here has.
const LISTING: u64 = 1_000_000_000;

/// A game in which a look at a position takes this time, and a list of all legal moves [`LISTING`].
struct Dear {
    game: Box<dyn Game>,
    clock: Arc<Told>,
    micros: u64,
}

impl Game for Dear {
    fn kind(&self) -> Kind {
        self.game.kind()
    }

    fn variant(&self) -> String {
        self.game.variant()
    }

    fn size(&self) -> usize {
        self.game.size()
    }

    fn side(&self) -> Color {
        self.game.side()
    }

    fn cell(&self, p: Point) -> Cell {
        self.game.cell(p)
    }

    fn moves(&self, list: &mut Vec<Move>) {
        self.clock.micros.fetch_add(LISTING, Relaxed);
        self.game.moves(list);
    }

    fn root_moves(&self) -> Vec<Move> {
        self.game.root_moves()
    }

    fn check(&self, m: Move) -> Result<(), Illegal> {
        self.game.check(m)
    }

    fn play(&mut self, m: Move) {
        self.game.play(m);
    }

    fn undo(&mut self) -> Option<Move> {
        self.game.undo()
    }

    fn history(&self) -> Vec<(Color, Move)> {
        self.game.history()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn hash(&self) -> u64 {
        self.game.hash()
    }

    fn notes(&self) -> Vec<String> {
        self.game.notes()
    }

    fn boxed(&self) -> Box<dyn Game> {
        Box::new(Dear { game: self.game.boxed(), clock: Arc::clone(&self.clock), micros: self.micros })
    }

    fn look(&self, list: &mut Vec<(Move, i32)>) -> Look {
        self.clock.micros.fetch_add(self.micros, Relaxed);
        self.game.look(list)
    }
}

/// Searches from the empty board, where a look takes this time. Returns the clock and the report.
fn searched(micros: u64, limits: Limits) -> (Arc<Told>, Report) {
    let (clock, stop) = (Arc::new(Told::default()), AtomicBool::new(false));
    let game = Dear { game: Options::new(Kind::Gomoku33).begin(), clock: Arc::clone(&clock), micros };
    let report = Searcher::new(limits, 1 << 20, &*clock, &stop).report(&game, &mut |_| {});
    (clock, report)
}

/// On boards made for it, full of double threes, a node takes many times as long as usual.
#[test]
fn a_timed_search_of_dear_nodes_ends_in_time() {
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
    let (clock, report) = searched(20_000, limits);
    assert!((1_000_000..1_100_000).contains(&clock.micros.load(Relaxed)), "{report:?}");
    assert_eq!(report.lines.len(), 1);
}

/// Reading the clock after each node would slow down the games whose nodes are cheap.
#[test]
fn the_clock_is_seldom_read_where_nodes_are_cheap() {
    let limits = Limits { time: Some(Duration::from_secs(100)), nodes: Some(20_000), ..Limits::default() };
    let (clock, report) = searched(3, limits);
    let reads = clock.reads.load(Relaxed);
    assert!(report.nodes >= 20_000 && reads < 200, "{reads} readings: {report:?}");
}
