//! One search for all games: alpha-beta with iterative deepening, a shared table, histories and threads.
//!
//! A game gives estimates and moves ([`Game::look`]); everything else is here. The side to move may stay the same after a
//! move (Connect6), and a game with a solver (Reversi) is solved as soon as few squares are left.

mod pace;
mod table;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use kagetsu::clock::Clock;
use kagetsu::game::Color;
use kagetsu::search::Score;

pub use self::table::Table;
use self::worker::Worker;
use crate::game::{Effort, Game, Move, Outcome};

/// Longest line searched, in plies.
pub const MAX_PLY: usize = 120;
/// A disc's worth in scores of games that count discs.
pub const DISC: i32 = 100;

/// Limits of the threat search at the root, before the first iteration: turns of a win, and moves tried.
const FORCE_TURNS: usize = 6;
const FORCE_STEPS: u64 = 20_000;
/// The threat search may try one move for each 4 microseconds of the time limit. A move takes about 1 microsecond, so
/// it uses about a quarter of the time.
const FORCE_SHARE: u128 = 4;

/// Limits of a search; with no limit at all it ends after [`MAX_PLY`]` / 2` iterations or when it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time for the whole search.
    pub time: Option<Duration>,
    /// Nodes: moves made on the board.
    pub nodes: Option<u64>,
    /// Depth of the last iteration.
    pub depth: Option<u32>,
    /// Number of lines; 0 means 1.
    pub multipv: usize,
    /// Threads; 0 means 1. Results are repeatable only with one thread and a node limit.
    pub threads: usize,
    /// Whether the first move must not be a bomb (Atomic Renju). Without another move there is no line.
    pub keeps_bomb: bool,
}

/// One line of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Score from the view of the side to move: hundredths of a stone or disc, or the plies to a win or loss ([`mate`]).
    pub score: i32,
    /// The moves, the one to play first.
    pub moves: Vec<Move>,
}

/// The state of a search after an iteration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Finished depth in plies.
    pub depth: u32,
    /// Selective depth: the longest line searched, in plies.
    pub seldepth: u32,
    /// Moves made so far.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// Best lines, best first.
    pub lines: Vec<Line>,
    /// Whether the score of the first line is exact: the game was solved.
    pub solved: bool,
}

/// Plies until the end of a won or lost game: positive when winning, negative when losing. The win holds against the
/// replies that [`Game::look`] lists. Replies that it leaves out, such as points far from all stones, were not tried.
pub fn mate(score: i32) -> Option<i32> {
    Score(score).mate()
}

/// Returns the score of a game that has ended, from the view of a side.
fn end_score(outcome: &Outcome, side: Color, ply: usize) -> i32 {
    let sign = if side == Color::Black { 1 } else { -1 };
    match outcome.margin {
        Some(margin) => sign * margin * DISC,
        None => sign * outcome.sign() * (Score::MATE - ply as i32),
    }
}

/// State that all threads of a search share.
struct Shared<'a> {
    table: &'a Table,
    limits: Limits,
    clock: &'a dyn Clock,
    start: Duration,
    stop: &'a AtomicBool,
    /// Set when the first thread has finished.
    done: AtomicBool,
    nodes: AtomicU64,
}

impl Shared<'_> {
    fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }

    fn is_over(&self, nodes: u64, elapsed: Duration) -> bool {
        self.stop.load(Relaxed)
            || self.done.load(Relaxed)
            || self.limits.nodes.is_some_and(|limit| nodes >= limit)
            || self.limits.time.is_some_and(|limit| elapsed >= limit)
    }
}

/// Ends the other threads when the first one is done, even if it panics.
struct DoneOnDrop<'a>(&'a AtomicBool);

impl Drop for DoneOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Finds the best lines of a position that is not over. Reports each finished iteration and returns the last report.
/// The report has a line even if the search is stopped at once, unless the limits exclude every move.
pub fn search(
    game: &dyn Game,
    limits: &Limits,
    table: &mut Table,
    clock: &dyn Clock,
    stop: &AtomicBool,
    on_report: &mut dyn FnMut(&Report),
) -> Report {
    table.age();
    let shared = Shared {
        table,
        limits: *limits,
        clock,
        start: clock.now(),
        stop,
        done: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
    };
    if limits.multipv <= 1
        && let Some(report) = solve(game, &shared).or_else(|| force(game, &shared))
    {
        on_report(&report);
        return report;
    }
    thread::scope(|scope| {
        let _done = DoneOnDrop(&shared.done);
        for id in 1..limits.threads.max(1) {
            let shared = &shared;
            let work = move || Worker::new(game.boxed(), shared, id).run(&mut |_| {});
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                log::warn!("cannot start a search thread, going on with fewer: {error}");
                break;
            }
        }
        Worker::new(game.boxed(), &shared, 0).run(on_report)
    })
}

/// Runs the game's exact solver with half of the time and node limits. With a depth limit it is tried only if the depth
/// reaches the end of the game.
fn solve(game: &dyn Game, shared: &Shared<'_>) -> Option<Report> {
    let limits = &shared.limits;
    let time = limits.time.map(|time| time / 2);
    let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes / 2);
    // Rough estimate of the number of empty squares that can be solved within the node limit.
    let by_nodes = limits.nodes.map_or(22, |nodes| 4 + nodes.max(1).ilog2() * 3 / 4);
    let most_empty = by_nodes.min(22).min(limits.depth.unwrap_or(u32::MAX));
    let stop = || shared.stop.load(Relaxed) || time.is_some_and(|time| shared.elapsed() >= time);
    let effort = Effort {
        hash: 1 << (most_empty + 2).clamp(16, 25),
        threads: limits.threads,
        nodes,
        most_empty,
        empties_to_winner: false,
        stop: &stop,
        on_bound: &|_, _, _| {},
    };
    let answer = game.solve(&effort);
    // A solver that gave up has used its share of the nodes, too.
    let visited = answer.as_ref().map_or_else(|unsolved| unsolved.nodes, |solved| solved.nodes);
    shared.nodes.fetch_add(visited, Relaxed);
    let solved = answer.ok()?;
    Some(Report {
        depth: solved.line.len() as u32,
        seldepth: solved.line.len() as u32,
        nodes: solved.nodes,
        elapsed: shared.elapsed(),
        lines: vec![Line { score: solved.value * DISC, moves: solved.line }],
        solved: true,
    })
}

/// Runs the game's threat search with a quarter of the time and node limits.
fn force(game: &dyn Game, shared: &Shared<'_>) -> Option<Report> {
    if shared.stop.load(Relaxed) || game.look(&mut Vec::new()).forced {
        return None;
    }
    let by_nodes = shared.limits.nodes.map_or(FORCE_STEPS, |nodes| nodes / 4);
    let by_time = shared.limits.time.map_or(FORCE_STEPS, |time| (time.as_micros() / FORCE_SHARE) as u64);
    let most = FORCE_STEPS.min(by_nodes).min(by_time);
    let mut steps = most;
    let force = game.boxed().force(FORCE_TURNS, &mut steps);
    shared.nodes.fetch_add(most - steps, Relaxed);
    let force = force?;
    Some(Report {
        depth: 1,
        seldepth: force.plies as u32,
        nodes: most - steps,
        elapsed: shared.elapsed(),
        lines: vec![Line { score: Score::MATE - force.plies as i32, moves: force.moves }],
        solved: false,
    })
}
