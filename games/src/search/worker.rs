//! One thread of a search.

use std::sync::atomic::Ordering::Relaxed;

use kagetsu::search::Score;

use super::pace::Pace;
use super::table::{Bound, Entry, from_table, to_table};
use super::{Line, MAX_PLY, Report, Shared, end_score};
use crate::game::{Game, Look, Move};

const INFINITE: i32 = Score::MATE + 1;
/// Half the width of the first aspiration window, around the score of the previous iteration.
const WINDOW: i32 = 60;
/// Quiescence search: number of forced replies and attacks tried, and the depth at which it ends.
const QUIET_WIDTH: usize = 5;
const QUIET_DEPTH: i32 = -12;
/// Quiescence search: below this depth only [`DEEP_WIDTH`] attacks are tried.
const DEEP_ATTACK: i32 = -4;
const DEEP_WIDTH: usize = 2;
/// Limits of the threat search at a node, in turns and moves tried, by remaining depth: 0, 1, 2, 3 and more.
const FORCE: [(usize, u64); 4] = [(1, 60), (2, 150), (2, 300), (3, 600)];
/// Largest absolute value of a history entry.
const HISTORY: i32 = 4_000;

/// Returns the number of moves to try at this depth, best first: all in the main search, forced replies and attacks in
/// the quiescence search.
fn quiet_width(look: &Look, depth: i32) -> usize {
    if depth > 0 {
        usize::MAX
    } else if depth <= QUIET_DEPTH {
        0
    } else if look.forced {
        QUIET_WIDTH
    } else {
        look.attacks.min(if depth <= DEEP_ATTACK { DEEP_WIDTH } else { QUIET_WIDTH })
    }
}

/// A thread's state.
pub struct Worker<'a> {
    game: Box<dyn Game>,
    shared: &'a Shared<'a>,
    /// Number of the thread; thread 0 reports.
    id: usize,
    nodes: u64,
    /// The part of `nodes` that is already added to the shared count.
    told: u64,
    pace: Pace,
    seldepth: usize,
    stopped: bool,
    /// History heuristic, by side and [`Move::code`].
    history: Vec<i32>,
    lists: Vec<Vec<(Move, i32)>>,
    lines: Vec<Vec<Move>>,
}

impl<'a> Worker<'a> {
    pub fn new(game: Box<dyn Game>, shared: &'a Shared<'a>, id: usize) -> Worker<'a> {
        Worker {
            game,
            shared,
            id,
            nodes: 0,
            told: 0,
            pace: Pace::new(shared.elapsed()),
            seldepth: 0,
            stopped: false,
            history: vec![0; 2 * 2048],
            lists: vec![Vec::new(); MAX_PLY + 1],
            lines: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Iterative deepening until a limit is reached; returns the last report.
    pub fn run(mut self, on_report: &mut dyn FnMut(&Report)) -> Report {
        let mut roots = self.roots();
        let mut report = Report::default();
        if let Some(&(m, _)) = roots.first() {
            report.lines.push(Line { score: 0, moves: vec![m] });
        }
        let last = self.shared.limits.depth.unwrap_or(MAX_PLY as u32 / 2).min(MAX_PLY as u32 / 2);
        for depth in 1..=last {
            // Lazy SMP: every second helper searches one ply deeper, so that the threads do different work.
            let own_depth = (depth + (self.id % 2) as u32).min(last);
            let lines = self.iterate(&mut roots, own_depth, &report.lines);
            if self.stopped {
                break;
            }
            report = Report {
                depth,
                seldepth: self.seldepth as u32,
                nodes: self.total(),
                elapsed: self.shared.elapsed(),
                lines,
                solved: false,
            };
            on_report(&report);
            if self.is_enough(&report, roots.len()) {
                break;
            }
        }
        self.tell();
        report.nodes = self.shared.nodes.load(Relaxed);
        report.elapsed = self.shared.elapsed();
        report
    }

    /// Whether to stop here: the result is proven, there is only one move, or half of the time is used.
    fn is_enough(&self, report: &Report, moves: usize) -> bool {
        let limits = &self.shared.limits;
        let wanted = limits.multipv.max(1).min(moves);
        let decided = report.lines.iter().all(|line| line.score.abs() >= Score::MATE_BOUND);
        let only = moves == 1 && limits.depth.is_none() && report.depth >= 4;
        let late = limits.time.is_some_and(|time| self.shared.elapsed() * 2 > time);
        decided && report.lines.len() >= wanted || only || late
    }

    /// The root moves, best first by the static ordering.
    fn roots(&self) -> Vec<(Move, i32)> {
        let limits = &self.shared.limits;
        let is_wanted = |m: Move| !(limits.keeps_bomb && matches!(m, Move::Bomb(_)));
        let mut list = Vec::new();
        let look = self.game.look(&mut list);
        list.retain(|&(m, _)| is_wanted(m));
        list.sort_unstable_by_key(|&(m, worth)| (-worth, m));
        let are_too_few = list.len() < limits.multipv;
        if list.is_empty() || !look.forced && (self.game.tries_all() || are_too_few) {
            for m in self.game.root_moves() {
                if is_wanted(m) && !list.iter().any(|(known, _)| *known == m) {
                    list.push((m, i32::MIN / 4));
                }
            }
        }
        list
    }

    /// Runs one iteration. Returns the best lines, best first.
    fn iterate(&mut self, roots: &mut [(Move, i32)], depth: u32, before: &[Line]) -> Vec<Line> {
        let wanted = self.shared.limits.multipv.max(1).min(roots.len());
        let mut lines: Vec<Line> = Vec::new();
        for k in 0..wanted {
            let guess = before.get(k).filter(|_| depth > 3).map(|line| line.score);
            let (mut alpha, mut beta) = match guess {
                Some(score) if score.abs() < Score::MATE_BOUND => (score - WINDOW, score + WINDOW),
                _ => (-INFINITE, INFINITE),
            };
            let mut window = WINDOW;
            loop {
                let score = self.root(&mut roots[k..], alpha, beta, depth as i32);
                if self.stopped {
                    return lines;
                }
                window = window.saturating_mul(4);
                if score <= alpha && alpha > -INFINITE {
                    alpha = (score - window).max(-INFINITE);
                } else if score >= beta && beta < INFINITE {
                    beta = (score + window).min(INFINITE);
                } else {
                    lines.push(Line { score, moves: self.lines[0].clone() });
                    break;
                }
            }
        }
        lines.sort_by_key(|line| -line.score);
        lines
    }

    /// Searches the root moves given; moves the best to the front.
    fn root(&mut self, roots: &mut [(Move, i32)], mut alpha: i32, beta: i32, depth: i32) -> i32 {
        let mut best = -INFINITE;
        let mut best_index = 0;
        for (i, &(m, _)) in roots.iter().enumerate() {
            let value = self.child(m, i, alpha, beta, depth, 0, false);
            if self.stopped {
                return best;
            }
            if value > best {
                (best, best_index) = (value, i);
                if value > alpha {
                    alpha = value;
                    self.update_line(0, m);
                }
                if value >= beta {
                    break;
                }
            }
        }
        if best_index > 0 {
            roots[..=best_index].rotate_right(1);
        }
        if self.lines[0].is_empty() {
            self.lines[0].push(roots[0].0);
        }
        best
    }

    /// The value of the `i`-th move from the view of the side that makes it.
    #[expect(clippy::too_many_arguments, reason = "the state of a node, in registers")]
    fn child(
        &mut self,
        m: Move,
        i: usize,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        forced: bool,
    ) -> i32 {
        let side = self.game.side();
        self.game.play(m);
        self.nodes += 1;
        let stays = self.game.side() == side;
        let next = depth - 1;
        // Late move reduction.
        let reduced = if i >= 4 && depth >= 3 && !forced { next - 1 - i32::from(i >= 14) } else { next };
        let mut value = alpha + 1;
        if i > 0 {
            value = self.seen(alpha, alpha + 1, reduced, ply + 1, stays);
            if value > alpha && reduced < next && !self.stopped {
                value = self.seen(alpha, alpha + 1, next, ply + 1, stays);
            }
        }
        if value > alpha && (i == 0 || value < beta) && !self.stopped {
            value = self.seen(alpha, beta, next, ply + 1, stays);
        }
        self.game.undo();
        value
    }

    /// The value of the position from the view of the side that has just moved.
    fn seen(&mut self, alpha: i32, beta: i32, depth: i32, ply: usize, stays: bool) -> i32 {
        if stays { self.node(alpha, beta, depth, ply) } else { -self.node(-beta, -alpha, depth, ply) }
    }

    fn node(&mut self, mut alpha: i32, beta: i32, mut depth: i32, ply: usize) -> i32 {
        // Step 1. Return if the game is over or the search is stopped.
        self.lines[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if let Some(outcome) = self.game.outcome() {
            return end_score(&outcome, self.game.side(), ply);
        }
        if self.is_stopped() {
            return 0;
        }
        // Step 2. Transposition table cutoff, outside the principal variation.
        let is_pv = beta - alpha > 1;
        let key = self.game.hash();
        let entry = self.shared.table.probe(key);
        if let Some(entry) = entry.filter(|entry| !is_pv && entry.depth >= depth) {
            let value = from_table(entry.value, ply);
            let settles = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if settles {
                return value;
            }
        }
        // Step 3. The game's own threat search.
        let mut list = std::mem::take(&mut self.lists[ply]);
        let look = self.game.look(&mut list);
        if !look.forced
            && let Some(value) = self.force(depth, ply)
        {
            self.lists[ply] = list;
            return value;
        }
        // Step 4. Quiescence search: return the static evaluation of a quiet position, stand pat on a fail high, and
        // otherwise try only forced replies or attacks.
        let width = quiet_width(&look, depth);
        if ply >= MAX_PLY - 1 || width == 0 || depth <= 0 && !look.forced && look.value >= beta {
            self.lists[ply] = list;
            return look.value;
        }
        // The table stores the depth before the extension, because the next probe asks for that depth.
        let stored_depth = depth;
        if look.forced && list.len() <= 4 && depth > 0 {
            depth += 1;
        }
        let is_cut = list.len() > width;
        list.truncate(width);
        self.order(&mut list, entry.and_then(|entry| entry.best));
        // Step 5. Search the moves.
        let first_alpha = alpha;
        let mut best = if depth <= 0 && !look.forced { look.value } else { -INFINITE };
        alpha = alpha.max(best);
        let mut best_move = None;
        for i in 0..list.len() {
            let m = list[i].0;
            // Late move pruning: the rest is unlikely to be better.
            if !look.forced
                && (1..=2).contains(&depth)
                && i >= (6 + 8 * depth) as usize
                && best > -Score::MATE_BOUND
            {
                break;
            }
            let value = self.child(m, i, alpha, beta, depth, ply, look.forced);
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_move) = (value, Some(m));
            }
            if value > alpha {
                alpha = value;
                self.update_line(ply, m);
            }
            if alpha >= beta {
                self.reward(&list[..i], m, depth);
                break;
            }
        }
        self.lists[ply] = list;
        if self.stopped {
            return 0;
        }
        // A reply that was left out might save the game, so the loss is not proved.
        if is_cut && best <= -Score::MATE_BOUND {
            best = look.value;
        }
        // Step 6. Store the result in the table.
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > first_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let best_move = best_move.filter(|_| bound != Bound::Upper);
        self.shared
            .table
            .store(key, Entry { value: to_table(best, ply), depth: stored_depth, bound, best: best_move });
        best
    }

    /// Runs the game's own threat search. If it finds a win, stores the value in the table and returns it.
    fn force(&mut self, depth: i32, ply: usize) -> Option<i32> {
        let (turns, most) = FORCE[depth.clamp(0, FORCE.len() as i32 - 1) as usize];
        let mut steps = most;
        let force = self.game.force(turns, &mut steps);
        self.nodes += most - steps;
        let force = force?;
        let value = Score::MATE - (ply + force.plies) as i32;
        let best = force.moves.first().copied();
        let entry = Entry { value: to_table(value, ply), depth: MAX_PLY as i32, bound: Bound::Lower, best };
        self.shared.table.store(self.game.hash(), entry);
        Some(value)
    }

    /// Move ordering: the table's move first, then by the static score and the history heuristic.
    fn order(&self, list: &mut [(Move, i32)], known: Option<Move>) {
        let side = self.game.side().index() * 2048;
        for (m, score) in list.iter_mut() {
            *score += self.history[side + usize::from(m.code())] / 8;
            if Some(*m) == known {
                *score = i32::MAX;
            }
        }
        list.sort_unstable_by_key(|&(m, score)| (std::cmp::Reverse(score), m));
    }

    /// Updates the history heuristic after a beta cutoff: a bonus for the move, a malus for the moves tried before it.
    fn reward(&mut self, tried: &[(Move, i32)], m: Move, depth: i32) {
        let side = self.game.side().index() * 2048;
        let depth = depth.max(0);
        let bonus = (depth * depth * 8).min(800);
        let mut learn = |m: Move, bonus: i32| {
            let h = &mut self.history[side + usize::from(m.code())];
            *h += bonus - *h * bonus.abs() / HISTORY;
        };
        learn(m, bonus);
        tried.iter().for_each(|&(other, _)| learn(other, -bonus));
    }

    fn update_line(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(m);
        upper[ply].extend_from_slice(&lower[0]);
    }

    fn total(&self) -> u64 {
        self.shared.nodes.load(Relaxed) + self.nodes - self.told
    }

    fn tell(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Relaxed);
        self.told = self.nodes;
    }

    fn is_stopped(&mut self) -> bool {
        let nodes_met = self.shared.limits.nodes.is_some_and(|limit| self.total() >= limit);
        let since = self.nodes - self.told;
        if nodes_met || self.pace.is_due(since) {
            self.tell();
            let elapsed = self.shared.elapsed();
            self.pace.look(since, elapsed);
            self.stopped |= self.shared.is_over(self.shared.nodes.load(Relaxed), elapsed);
        }
        self.stopped
    }
}
