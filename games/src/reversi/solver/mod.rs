//! Exact results of Reversi on boards of up to 8x8.
//!
//! The search is MTD(f): null windows that converge on the value. Move ordering is fastest first (fewest replies), a
//! shallow search where many squares are empty, and parity (odd regions first) near the end. Bounds come from stable
//! discs and from the transposition table. The last four squares are searched without move lists.
//!
//! CITE: M. Buro, "Toward opening book learning" and G. Andersson's endgame solver (radagast.se/othello/endgame.html): fastest
//! first, parity regions. CITE: A. Plaat et al., "Best-first fixed-depth minimax algorithms" (1996): MTD(f).

mod last;
mod order;
mod rays;
mod stable;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use self::order::Candidate;
use self::rays::{Rays, rays, turned};
use self::stable::Lines;
use self::table::{Known, Table};
use super::bits::Bits;
use super::frame::Frame;
use crate::game::{Effort, Unsolved};

/// The way discs are counted at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counting {
    /// Fewer discs win.
    pub anti: bool,
    /// Empty squares count for the winner, as in tournaments.
    pub empties_to_winner: bool,
}

/// A position to solve: discs of the side to move and of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The board.
    pub frame: Frame<u64>,
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub other: u64,
    /// The way the discs are counted.
    pub counting: Counting,
}

/// A solved position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Number of discs by which the side to move wins.
    pub value: i32,
    /// Best play: squares, `None` for a pass.
    pub line: Vec<Option<usize>>,
    /// Positions visited.
    pub nodes: u64,
}

/// Least number of empty squares at which the transposition table is probed.
const TABLED: u32 = 8;
/// Enhanced transposition cutoff: least number of empty squares at which the table entries of all replies are probed
/// first.
const LOOKAHEAD: u32 = 12;
/// Most positions between two checks of the limits.
const PULSE: u64 = 1 << 12;
/// Least number of checks before the limit of positions, so that a small limit is kept too.
const CHECKS: u64 = 32;

/// State that the threads share.
struct Shared<'a> {
    question: Question,
    table: Table,
    lines: Lines,
    quarters: [u64; 4],
    corners: u64,
    nodes: AtomicU64,
    /// Positions of a thread between two checks of the limits.
    pulse: u64,
    stopped: AtomicBool,
    effort: &'a Effort<'a>,
}

/// Solves a position, starting from a guess of its value.
///
/// # Errors
/// If it had to stop.
pub fn solve(question: &Question, guess: i32, effort: &Effort<'_>) -> Result<Answer, Unsolved> {
    let half = question.frame.side / 2;
    let quarter = |x0: usize, y0: usize| {
        let cells = (0..half).flat_map(|y| (0..half).map(move |x| (x0 + x, y0 + y)));
        cells.fold(0u64, |set, (x, y)| set | 1 << (8 * y + x))
    };
    let last = question.frame.side - 1;
    let shared = Shared {
        question: *question,
        table: Table::new(effort.hash),
        lines: Lines::new(question.frame.squares),
        quarters: [quarter(0, 0), quarter(half, 0), quarter(0, half), quarter(half, half)],
        corners: 1 | 1 << last | 1 << (8 * last) | 1 << (9 * last),
        nodes: AtomicU64::new(0),
        pulse: PULSE.min(effort.nodes / CHECKS).max(1),
        stopped: AtomicBool::new(false),
        effort,
    };
    let found = shared.value(guess).and_then(|value| Some((value, shared.line(value)?)));
    let nodes = shared.nodes.load(Relaxed);
    found.map(|(value, line)| Answer { value, line, nodes }).ok_or(Unsolved { nodes })
}

impl Shared<'_> {
    /// Finds the value by null windows (MTD(f)).
    fn value(&self, guess: i32) -> Option<i32> {
        let most = self.question.frame.squares.count() as i32;
        let (mut lower, mut upper) = (-most, most);
        let mut next = guess.clamp(lower, upper);
        while lower < upper {
            let beta = if next == lower { next + 1 } else { next };
            let value = self.null_window(beta - 1)?;
            if value < beta {
                upper = value;
            } else {
                lower = value;
            }
            next = value;
            (self.effort.on_bound)(lower, upper, self.nodes.load(Relaxed));
        }
        Some(lower)
    }

    /// Searches the null window at `alpha` and returns a fail-soft bound. All threads search the same window, each in its
    /// own order, and share the table. The first to finish answers.
    fn null_window(&self, alpha: i32) -> Option<i32> {
        let done = AtomicBool::new(false);
        let run = |id: usize| {
            let mut solver = Solver { done: Some(&done), ..Solver::new(self, id) };
            let Question { own, other, .. } = self.question;
            let value = solver.node(own, other, alpha, false);
            solver.tell();
            if solver.aborted {
                return None;
            }
            done.store(true, Relaxed);
            Some(value)
        };
        let answers = thread::scope(|scope| {
            let run = &run;
            // If the system refuses a thread, the others do its work.
            let help = |id| thread::Builder::new().spawn_scoped(scope, move || run(id)).ok();
            let helpers: Vec<_> = (1..self.effort.threads.max(1)).map_while(help).collect();
            let mut answers = vec![run(0)];
            answers.extend(helpers.into_iter().map(|helper| helper.join().ok().flatten()));
            answers
        });
        answers.into_iter().flatten().next()
    }

    /// Returns the line of best play, given the value.
    fn line(&self, value: i32) -> Option<Vec<Option<usize>>> {
        let mut solver = Solver::new(self, 0);
        let line = solver.line(value);
        solver.tell();
        line
    }

    fn final_score(&self, own: u64, other: u64) -> i32 {
        let Counting { anti, empties_to_winner } = self.question.counting;
        let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
        let mut margin = if anti { other - own } else { own - other };
        if empties_to_winner {
            margin += margin.signum() * (self.question.frame.squares.count_ones() as i32 - own - other);
        }
        margin
    }
}

/// One thread.
struct Solver<'a> {
    shared: &'a Shared<'a>,
    rays: &'static Rays,
    id: usize,
    nodes: u64,
    told: u64,
    aborted: bool,
    /// Set when another thread has answered.
    done: Option<&'a AtomicBool>,
}

impl<'a> Solver<'a> {
    fn new(shared: &'a Shared<'a>, id: usize) -> Solver<'a> {
        Solver { shared, rays: rays(), id, nodes: 0, told: 0, aborted: false, done: None }
    }

    fn tell(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Relaxed);
        self.told = self.nodes;
    }

    fn is_aborted(&mut self) -> bool {
        if self.nodes - self.told >= self.shared.pulse {
            self.tell();
            let shared = self.shared;
            if shared.nodes.load(Relaxed) >= shared.effort.nodes || self.id == 0 && (shared.effort.stop)() {
                shared.stopped.store(true, Relaxed);
            }
            self.aborted |= shared.stopped.load(Relaxed) || self.done.is_some_and(|done| done.load(Relaxed));
        }
        self.aborted
    }

    fn empty(&self, own: u64, other: u64) -> u64 {
        self.shared.question.frame.squares & !(own | other)
    }

    /// Searches the null window at `alpha`: a fail-soft value from the view of the side that owns `own`.
    fn node(&mut self, own: u64, other: u64, alpha: i32, passed: bool) -> i32 {
        let empty = self.empty(own, other);
        let left = empty.count_ones();
        if left <= 4 {
            return self.last_squares(own, other, alpha, empty, passed);
        }
        self.nodes += 1;
        if self.is_aborted() {
            return alpha;
        }
        let moves = self.shared.question.frame.moves(own, other);
        if moves == 0 {
            return if passed {
                self.shared.final_score(own, other)
            } else {
                -self.node(other, own, -alpha - 1, true)
            };
        }
        if left < TABLED {
            self.by_parity(own, other, alpha, empty, moves)
        } else {
            self.sorted(own, other, alpha, moves, left)
        }
    }

    /// Searches a position with few empty squares: odd regions first, no table.
    fn by_parity(&mut self, own: u64, other: u64, alpha: i32, empty: u64, moves: u64) -> i32 {
        let odd = self.shared.quarters.into_iter().filter(|q| (q & empty).count_ones() % 2 == 1);
        let odd = odd.fold(0, |all, q| all | q);
        let mut best = i32::MIN;
        for set in [moves & odd & self.shared.corners, moves & odd & !self.shared.corners, moves & !odd] {
            for square in set.iter() {
                let turned = turned(self.rays, own, other, square);
                let value = -self.node(other & !turned, own | turned | 1 << square, -alpha - 1, false);
                best = best.max(value);
                if best > alpha || self.aborted {
                    return best;
                }
            }
        }
        best
    }

    /// Searches a position with the table, the bound from stable discs, and sorted moves.
    fn sorted(&mut self, own: u64, other: u64, alpha: i32, moves: u64, left: u32) -> i32 {
        let shared = self.shared;
        let known = shared.table.probe(own, other);
        if let Some(known) = known {
            if i32::from(known.lower) > alpha {
                return known.lower.into();
            }
            if i32::from(known.upper) <= alpha {
                return known.upper.into();
            }
        }
        if let Some(bound) = self.stability_bound(own, other, alpha) {
            return bound;
        }
        let started = self.nodes;
        let mut list = [Candidate::default(); 64];
        let count = self.list_moves(own, other, moves, known.map_or(64, |known| known.best), &mut list);
        let list = &mut list[..count];
        if left >= LOOKAHEAD
            && let Some(value) = list.iter().find_map(|c| {
                let upper = shared.table.probe(c.own, c.other)?.upper;
                (-i32::from(upper) > alpha).then_some(-i32::from(upper))
            })
        {
            return value;
        }
        self.sort(list, left);
        if left >= LOOKAHEAD && self.id > 0 && count > 2 {
            // Each helper begins its later moves at a different one, so that the threads fill the table for each other.
            list[1..].rotate_left(self.id % (count - 1));
        }
        let (mut best, mut square) = (i32::MIN, 64);
        for c in list.iter() {
            let value = -self.node(c.own, c.other, -alpha - 1, false);
            if self.aborted {
                return value;
            }
            if value > best {
                (best, square) = (value, c.square);
            }
            if best > alpha {
                break;
            }
        }
        self.remember(own, other, alpha, (best, square), (known, started));
        best
    }

    /// Merges a value with the bounds known before and stores them in the table.
    fn remember(&self, own: u64, other: u64, alpha: i32, found: (i32, u8), before: (Option<Known>, u64)) {
        let (best, square) = found;
        let (known, started) = before;
        let (mut lower, mut upper) = known.map_or((i8::MIN, i8::MAX), |known| (known.lower, known.upper));
        if best > alpha {
            lower = lower.max(best as i8);
        } else {
            upper = upper.min(best as i8);
        }
        let best = if best > alpha { square } else { known.map_or(square, |known| known.best) };
        let work = (self.nodes - started).max(1).ilog2() as u8;
        self.shared.table.store(own, other, Known { lower, upper, best }, work);
    }

    /// Returns the most that the side to move can reach, if stable discs keep it at or below `alpha`.
    fn stability_bound(&self, own: u64, other: u64, alpha: i32) -> Option<i32> {
        let Question { frame, counting, .. } = self.shared.question;
        let most = frame.squares.count_ones() as i32;
        // The discs that count against the side to move. If there are too few of them even if all were stable, the
        // bound cannot reach `alpha`, and the stable ones are not counted.
        let (against, rest) = if counting.anti { (own, other) } else { (other, own) };
        if 2 * against.count_ones() as i32 + alpha < most {
            return None;
        }
        let bound = most - 2 * self.shared.lines.stable(against, rest) as i32;
        (bound <= alpha).then_some(bound)
    }

    /// Returns the line of best play of a position whose value is known.
    fn line(&mut self, value: i32) -> Option<Vec<Option<usize>>> {
        let Question { mut own, mut other, frame, .. } = self.shared.question;
        let (mut value, mut line, mut passed) = (value, Vec::new(), false);
        loop {
            let moves = frame.moves(own, other);
            if moves == 0 {
                if passed || frame.moves(other, own) == 0 {
                    return Some(line);
                }
                line.push(None);
                passed = true;
            } else {
                passed = false;
                let square = self.best(own, other, moves, value)?;
                let turned = turned(self.rays, own, other, square);
                (own, other) = (own | turned | 1 << square, other & !turned);
                line.push(Some(square));
            }
            (own, other, value) = (other, own, -value);
        }
    }

    /// A move that reaches the value.
    fn best(&mut self, own: u64, other: u64, moves: u64, value: i32) -> Option<usize> {
        let mut list = [Candidate::default(); 64];
        let first = self.shared.table.probe(own, other).map_or(64, |known| known.best);
        let count = self.list_moves(own, other, moves, first, &mut list);
        list[..count].sort_unstable_by_key(|c| (-c.score, c.square));
        for c in &list[..count] {
            let found = -self.node(c.own, c.other, -value, false);
            if self.aborted {
                return None;
            }
            if found >= value {
                return Some(c.square.into());
            }
        }
        None
    }
}
