//! Iterative deepening of one thread: aspiration windows, several lines (MultiPV), and the decision when to stop.

use std::sync::atomic::Ordering::Relaxed;

use super::Context;
use super::depth::Depth;
use super::node::INFINITE;
use super::params;
use super::report::{Line, Report, Score, Source};
use super::stack::MAX_PLY;
use super::threats::{self, ThreatVerdict};
use super::worker::{Progress, Worker, elapsed};
use crate::game::{Point, PointSet, Rule, Threat};

/// Iterations below this depth use the full window.
const ASPIRATION_DEPTH: u32 = 5;

/// Final result of a thread.
pub struct ThreadResult {
    /// The last report.
    pub report: Report,
    /// Nodes of this thread alone.
    pub own_nodes: u64,
}

impl ThreadResult {
    /// Returns the best move.
    pub fn point(&self) -> Point {
        self.report.lines[0].moves[0]
    }

    /// Returns the score if it is a proof: of two proofs, that of the shorter win or the longer loss is the greater one.
    pub fn proof(&self) -> Option<Score> {
        Some(self.score()).filter(|score| score.mate().is_some())
    }

    /// Returns the score of the best move.
    pub fn score(&self) -> Score {
        self.report.lines[0].score
    }
}

impl<R: Rule> Worker<'_, R> {
    /// Builds a report of the search's present state.
    fn report(&self, depth: u32, context: &Context<'_>, lines: Vec<Line>) -> Report {
        Report {
            source: Source::Search,
            depth,
            seldepth: self.seldepth as u32,
            nodes: self.total_nodes(),
            elapsed: elapsed(context),
            hash_permille: self.table.permille_used(),
            lines,
        }
    }

    /// Returns the line of a win or loss that the static threat rules prove, which needs no search.
    fn static_line(&self) -> Option<Line> {
        let allowed = |p: Point| self.is_allowed(p);
        let verdict = threats::judge(&self.board);
        let line = |p: Point| Line { score: Score(verdict.value(0).unwrap_or(0)), moves: vec![p] };
        match verdict {
            ThreatVerdict::Win(_, p) if allowed(p) => {
                Some(line(p)).filter(|line| self.limits.is_met_by(line.score))
            }
            ThreatVerdict::Loss(_) => {
                let fives = self.board.threats(!self.board.side(), Threat::Five);
                let any = || self.board.empty().iter().find(|&p| allowed(p));
                fives.iter().find(|&p| allowed(p)).or_else(any).map(line)
            }
            _ => None,
        }
    }

    /// Returns a line of one move without any search, scored by the static threat rules or else by the evaluation. A win that
    /// the rules see belongs to one move, which may be excluded.
    fn guess(&mut self, p: Point) -> Line {
        let verdict = match threats::judge(&self.board) {
            ThreatVerdict::Win(_, best) if best != p => None,
            verdict => verdict.value(0),
        };
        let value = verdict.unwrap_or_else(|| self.evaluate(0));
        Line { score: Score(value), moves: vec![p] }
    }

    /// Returns the only move that stops the opponent's five, if there is just one.
    fn only_move(&self) -> Option<Point> {
        match threats::judge(&self.board) {
            ThreatVerdict::Forced(replies) if replies.len() == 1 => {
                replies.first().filter(|p| !self.root_excluded.contains(*p))
            }
            _ => None,
        }
    }

    /// Runs iterative deepening until a limit is reached. Returns `None` if no root move is allowed.
    pub fn deepen(
        &mut self,
        context: &Context<'_>,
        on_report: &mut dyn FnMut(&Report),
    ) -> Option<ThreadResult> {
        let wanted = self.limits.multipv.max(1);
        if wanted == 1
            && let Some(line) = self.static_line()
        {
            let report = self.report(1, context, vec![line]);
            on_report(&report);
            return Some(ThreadResult { report, own_nodes: self.nodes });
        }
        let fallback = self.fallback()?;
        let guess = self.guess(fallback);
        let mut report = self.report(0, context, vec![guess]);
        report.source = Source::Evaluation;
        let last = self.limits.depth.unwrap_or(MAX_PLY as u32 - 1).min(MAX_PLY as u32 - 1);
        let mut stable = 0;
        let mut depth = 0;
        while depth < last {
            depth = self.next_depth(depth).min(last);
            if let Some(pulse) = self.pulse() {
                pulse.iteration(depth);
            }
            let lines = self.iteration(context, depth, wanted, &report.lines);
            if lines.is_empty() {
                break;
            }
            let drop = match report.source {
                Source::Evaluation => 0,
                _ => report.lines[0].score.0 - lines[0].score.0,
            };
            stable = if lines[0].moves[0] == report.lines[0].moves[0] { stable + 1 } else { 0 };
            let finished = if self.stopped { report.depth } else { depth };
            report = self.report(finished, context, lines);
            on_report(&report);
            if self.is_settled(&report, depth) {
                self.shared.halt.store(true, Relaxed);
                break;
            }
            let enough = self.limits.soft_nodes.is_some_and(|n| self.nodes >= n);
            if self.stopped || enough || self.id == 0 && self.is_time_up(context, stable, drop) {
                break;
            }
        }
        report.nodes = self.total_nodes();
        report.elapsed = elapsed(context);
        Some(ThreadResult { report, own_nodes: self.nodes })
    }

    /// Returns the depth of the next iteration. A helper thread never searches less deep than the first thread, because
    /// that would not help it. Every other helper searches a ply deeper, so that the helpers do not all do the same.
    fn next_depth(&self, depth: u32) -> u32 {
        if self.id == 0 {
            self.shared.depth.store(depth + 1, Relaxed);
            depth + 1
        } else {
            let first = self.shared.depth.load(Relaxed).max(1);
            (depth + 1).max(first + self.id as u32 % 2)
        }
    }

    /// Returns the legal move that looks best to the policy, in case there is no time for any search.
    fn fallback(&self) -> Option<Point> {
        let open = match threats::judge(&self.board) {
            ThreatVerdict::Win(_, p) if self.is_allowed(p) => return Some(p),
            ThreatVerdict::Forced(points) => points,
            ThreatVerdict::Defend => threats::defences(&self.board, !self.board.side()),
            _ => self.candidates(0) & *self.board.empty(),
        };
        let center = self.board.size().center();
        let far = |p: &Point| p.x().abs_diff(center.x()) + p.y().abs_diff(center.y());
        let best = |set: PointSet| {
            let rated =
                self.evaluator.rate(&self.board, &set).into_iter().filter(|&(p, _)| self.is_allowed(p));
            rated.max_by_key(|(p, score)| (*score, std::cmp::Reverse(far(p)))).map(|(p, _)| p)
        };
        best(open).or_else(|| best(*self.board.empty()))
    }

    /// Returns the best lines at one depth, best first. If the search was stopped before there were as many lines as in
    /// the last iteration, returns the line of [`Self::partial_result`], or none if several lines are wanted.
    fn iteration(&mut self, context: &Context<'_>, depth: u32, wanted: usize, last: &[Line]) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        while lines.len() < wanted && self.board.empty().iter().any(|p| self.is_allowed(p)) {
            let before = last.get(lines.len());
            let guess = before.map(|line| line.score.0).filter(|_| depth >= ASPIRATION_DEPTH);
            self.root_first = before.map(|line| line.moves[0]);
            self.progress = Progress::default();
            let Some(value) = self.aspire(context, depth, guess) else { break };
            let moves: Vec<Point> = self.pv.root().collect();
            let Some(&first) = moves.first() else { break };
            self.root_excluded.insert(first);
            lines.push(Line { score: Score(value), moves });
        }
        self.root_excluded = self.limits.excluded;
        if self.stopped && lines.len() < last.len() {
            return if wanted == 1 {
                self.partial_result(&last[0]).into_iter().collect()
            } else {
                Vec::new()
            };
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        lines
    }

    /// Returns the best line of an iteration that was stopped. It may be used only if the last iteration's move was searched
    /// again: without that comparison, the first move searched would seem the best.
    fn partial_result(&mut self, last: &Line) -> Option<Line> {
        let Progress { tried, best } = std::mem::take(&mut self.progress);
        let lost = |line: &Line| line.score.mate().is_some_and(|n| n < 0);
        best.filter(|line| tried.contains(last.moves[0]) && !lost(line))
    }

    /// Returns the value of the root at a depth, by aspiration windows around a guess; `None` if the search was stopped.
    ///
    /// A narrow window makes more nodes fail high or low at once. On a fail low beta moves to the middle of the window and
    /// alpha down, on a fail high beta moves up; the width doubles each time, and becomes full when it exceeds 500.
    fn aspire(&mut self, context: &Context<'_>, depth: u32, guess: Option<i32>) -> Option<i32> {
        let mut width = params::aspiration::<R>();
        let (mut alpha, mut beta) = match guess {
            Some(v) if v.abs() < Score::MATE_BOUND => (v - width, v + width),
            _ => (-INFINITE, INFINITE),
        };
        loop {
            let value = self.search(context, (alpha, beta), Depth::plies(depth as i32), 0, false);
            if self.stopped {
                return None;
            }
            if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
            } else if value >= beta && beta < INFINITE {
                beta = (value + width).min(INFINITE);
            } else {
                return Some(value);
            }
            width += width;
            if width > 500 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Returns whether deeper search cannot improve the result: all lines are proven, or a timed game leaves only one move that
    /// stops the opponent's five.
    fn is_settled(&self, report: &Report, depth: u32) -> bool {
        let known = |line: &Line| match line.score.mate() {
            Some(n) if n < 0 => depth >= n.unsigned_abs(),
            _ => self.limits.is_met_by(line.score),
        };
        if report.lines.iter().all(known) {
            return true;
        }
        let is_game = self.budget.is_some() && !self.limits.analysis;
        is_game && report.lines.len() == 1 && self.only_move().is_some()
    }

    /// Returns whether no further iteration should begin.
    fn is_time_up(&self, context: &Context<'_>, stable: u32, drop: i32) -> bool {
        self.budget.is_some_and(|b| elapsed(context) >= b.stop_after(stable, drop))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    use super::super::exhaustive::{unfinished, wins_within};
    use super::super::{Limits, Search};
    use super::*;
    use crate::clock::{Clock, SystemClock};
    use crate::game::notation::parse;
    use crate::game::{Board, Freestyle, Renju, RuleKind};
    use crate::with_rule;

    /// Searches a position made of alternate stones, and gives the reports on the way.
    fn reports<R: Rule>(moves: &[(usize, usize)], limits: &Limits) -> Vec<Report> {
        let board = unfinished::<R>(moves, 15);
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        let mut reports = Vec::new();
        let found = Search::<R>::new(4 << 20).go(&board, limits, &context, &mut |r| reports.push(r.clone()));
        reports.extend(found.map(|(_, report)| report));
        reports
    }

    /// The searches are repeated with excluded root moves, where the table has no best move for the root. In some of them a
    /// stopped iteration finds another move.
    #[test]
    fn the_result_of_a_stopped_iteration_counts() {
        let first = |report: &Report| report.lines[0].moves[0];
        let mut better = [0; 2];
        for moves in [[(7, 7), (8, 6), (5, 5), (9, 9), (6, 9)], [(7, 7), (8, 7), (9, 9), (8, 9), (6, 8)]] {
            let mut excluded = PointSet::EMPTY;
            for better in &mut better {
                let nodes = |n| Limits { nodes: Some(n), excluded, ..Limits::default() };
                let whole = reports::<Freestyle>(&moves, &nodes(40_000));
                for n in (1000..40_000).step_by(1000) {
                    let finished = whole.iter().rfind(|r| r.nodes <= n).unwrap();
                    let report = reports::<Freestyle>(&moves, &nodes(n)).pop().unwrap();
                    assert_eq!(report.depth, finished.depth);
                    *better += u32::from(first(&report) != first(finished));
                }
                excluded.insert(first(whole.last().unwrap()));
            }
        }
        assert!(better.iter().all(|&count| count > 0), "{better:?}");
    }

    /// White threatens a straight four; one of the points that stop it is an overline.
    #[test]
    fn there_are_no_more_lines_than_legal_defences() {
        let black = [(10, 4), (10, 5), (10, 6), (10, 8), (10, 9)];
        let white = [(7, 7), (8, 7), (9, 7), (0, 0), (14, 0)];
        let moves: Vec<_> = black.into_iter().zip(white).flat_map(|(b, w)| [b, w]).collect();
        let board = unfinished::<Renju>(&moves, 15);
        assert!(!board.is_legal(Point::new(10, 7)));
        let limits = Limits { depth: Some(2), multipv: 400, ..Limits::default() };
        let (sender, answer) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(reports::<Renju>(&moves, &limits)));
        let reports = answer.recv_timeout(Duration::from_secs(60)).expect("the search should end");
        let lines = &reports.last().unwrap().lines;
        let firsts: PointSet = lines.iter().map(|line| line.moves[0]).collect();
        assert_eq!(firsts.len(), lines.len());
        assert_eq!(firsts, board.empty().iter().filter(|&p| board.is_legal(p)).collect());
    }

    fn search<R: Rule>(text: &str, limits: &Limits) -> Report {
        let board = Board::<R>::from_position(&parse(text, None).unwrap()).unwrap();
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        Search::<R>::new(4 << 20).go(&board, limits, &context, &mut |_| {}).unwrap().1
    }

    /// Black wins by j8 alone, which is excluded: no other move has that win, however soon the search ends.
    #[test]
    fn a_win_by_an_excluded_move_is_no_result() {
        let j8 = Point::new(9, 7);
        for nodes in 0..20 {
            let excluded = PointSet::from_iter([j8]);
            let limits = Limits { excluded, nodes: Some(nodes), ..Limits::default() };
            let report = search::<Freestyle>("h8a1i8a3k8a5", &limits);
            assert!(report.lines[0].moves[0] != j8 && report.lines[0].score.mate().is_none(), "{report:?}");
        }
        let report = search::<Freestyle>("h8a1i8a3k8a5", &Limits { nodes: Some(1), ..Limits::default() });
        assert_eq!((report.lines[0].moves[0], report.lines[0].score.mate()), (j8, Some(3)));
    }

    /// White has made a four, and Black's only reply is l8.
    #[test]
    fn a_game_plays_a_forced_reply_at_once_and_an_analysis_searches_on() {
        let depth = |analysis| {
            let turn = Some(Duration::from_secs(60));
            let limits = Limits { turn, depth: Some(4), analysis, ..Limits::default() };
            let report = search::<Freestyle>("g8h8h7i8i7j8j9k8", &limits);
            assert_eq!(report.lines[0].moves[0], Point::new(11, 7));
            report.depth
        };
        assert_eq!([false, true].map(depth), [1, 4]);
    }

    /// White can leave Black a single point, which would make six in a row. Under most codes of rules that is a draw.
    #[test]
    fn a_side_with_fouls_only_has_not_lost() {
        let text = "1xoxox/oxoxox/xoxoxo/xoxoxo/oxoxox/xxx1xx o";
        for depth in 1..6 {
            let report = search::<Renju>(text, &Limits { depth: Some(depth), ..Limits::default() });
            assert_eq!(report.lines[0].score.mate(), None, "{report:?}");
        }
    }

    /// Checks that a five is made after one node. Returns whether one can be made.
    fn a_five_is_made<R: Rule>(moves: &[(usize, usize)], side: usize) -> Result<bool, TestCaseError> {
        let board = unfinished::<R>(moves, side);
        let fives = *board.threats(board.side(), Threat::Five);
        if fives.is_empty() {
            return Ok(false);
        }
        let limits = Limits { nodes: Some(1), multipv: 4, ..Limits::default() };
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        let found = Search::<R>::new(1 << 20).go(&board, &limits, &context, &mut |_| {});
        prop_assert!(found.is_some_and(|(p, _)| fives.contains(p)));
        Ok(true)
    }

    /// Checks that a search for a win of as many plies as the shortest one finds it. Returns whether there is a win within five
    /// plies.
    fn the_shortest_win_is_found<R: Rule>(
        moves: &[(usize, usize)],
        side: usize,
    ) -> Result<bool, TestCaseError> {
        let mut board = unfinished::<R>(moves, side);
        let Some(shortest) = [1, 3, 5].into_iter().find(|&plies| wins_within(&mut board, plies)) else {
            return Ok(false);
        };
        let limits = Limits { mate: Some(shortest as u32), nodes: Some(200_000), ..Limits::default() };
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        let found = Search::<R>::new(4 << 20).go(&board, &limits, &context, &mut |_| {});
        let score = found.map(|(_, report)| report.lines[0].score);
        prop_assert_eq!(score.and_then(Score::mate), Some(shortest), "{}: {:?}", R::KIND, score);
        Ok(true)
    }

    /// Checks 60 random positions under every rule. Returns in how many there was something to check.
    fn check_many(
        moves: impl Strategy<Value = Vec<(usize, usize)>>,
        check: impl Fn(RuleKind, &[(usize, usize)], usize) -> Result<bool, TestCaseError>,
    ) -> usize {
        let config = ProptestConfig { source_file: Some(file!()), ..ProptestConfig::with_cases(60) };
        let checked = Cell::new(0);
        let tested = TestRunner::new(config).run(&(moves, 8..11usize), |(moves, side)| {
            for kind in RuleKind::ALL {
                checked.set(checked.get() + usize::from(check(kind, &moves, side)?));
            }
            Ok(())
        });
        tested.unwrap();
        checked.get()
    }

    #[test]
    fn a_five_is_made_however_short_the_time() {
        let moves = prop::collection::vec((0..9usize, 0..9usize), 30..60);
        let fives =
            check_many(moves, |kind, moves, side| with_rule!(kind, R => a_five_is_made::<R>(moves, side)));
        assert!(fives >= 30, "only {fives} positions with a five");
    }

    #[test]
    fn a_mate_limit_finds_the_shortest_win() {
        let moves = prop::collection::vec((2..8usize, 2..8usize), 6..34);
        let wins = check_many(
            moves,
            |kind, moves, side| with_rule!(kind, R => the_shortest_win_is_found::<R>(moves, side)),
        );
        assert!(wins >= 30, "only {wins} positions with a win");
    }
}
