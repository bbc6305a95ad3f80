//! Scores of positions within the limits of one decision.
//!
//! A decision compares many positions, so it divides its time, or its nodes, among many short searches. All searches
//! together keep the limit: each gets a part of what is left.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::engine::skill::{FULL, Skill};
use crate::engine::{Engine, Options};
use crate::game::{Color, Point, PointSet, Position, Reading, RuleKind, status};
use crate::search::{Budget, Context, Limits, Report, Score};

/// Time for a decision if nothing limits it.
const LONGEST: Duration = Duration::from_secs(10);
/// Nodes for a decision that is limited by depth only.
const MOST_NODES: u64 = 20_000_000;
/// Nodes a second assumed before any were counted.
const EXPECTED_SPEED: f64 = 300_000.0;
/// Nodes below which a search is over before further threads are of use.
const SHARED: u64 = 50_000;
/// Nodes for each line wanted below which the search makes a single iteration, however many nodes it takes.
const GLANCE: u64 = 600;
/// Time below which no search is started: it would end before its first iteration.
const SHORTEST: Duration = Duration::from_millis(2);

/// Scores positions by searches, for one decision. Below full strength the level bounds the nodes of the whole decision, and
/// each search is at full strength.
pub struct Scorer<'a> {
    engine: &'a mut Engine,
    /// The engine's options, which are restored after the decision.
    options: Options,
    limits: Limits,
    context: &'a Context<'a>,
    /// The clock's reading by which the decision must be made.
    end: Option<Duration>,
    /// Nodes left.
    left: Option<u64>,
    /// Nodes searched, and their time; the last search has the most weight.
    done: (u64, Duration),
}

impl<'a> Scorer<'a> {
    /// Creates a scorer for a decision under these limits. The engine is left in another position.
    pub fn new(engine: &'a mut Engine, limits: &Limits, context: &'a Context<'a>) -> Scorer<'a> {
        let options = *engine.options();
        engine.set_options(Options { level: FULL, ..options });
        let limits = Skill::of(options.level).map_or_else(|| limits.clone(), |skill| skill.decision(limits));
        let end = match Budget::new(&limits) {
            Some(budget) => Some(context.start + budget.soft),
            None if limits.nodes.is_some() || limits.depth.is_some() => None,
            None => Some(context.start + LONGEST),
        };
        let left = limits.nodes.or(limits.depth.map(|_| MOST_NODES));
        Scorer { engine, options, limits, context, end, left, done: (0, Duration::ZERO) }
    }

    /// The rule of the game, with the interpretation of Renju's double three.
    pub fn rule(&self) -> (RuleKind, Reading) {
        (self.options.rule, self.options.reading)
    }

    /// Returns the seed of random choices.
    pub fn seed(&self) -> u64 {
        self.options.seed
    }

    /// Returns whether there is no time for another search.
    pub fn is_over(&self) -> bool {
        self.context.stop.load(Relaxed)
            || self.left == Some(0)
            || self.time_left().is_some_and(|left| left < SHORTEST)
    }

    /// Returns the nodes that can be searched before the decision must be made; an estimate if its limit is a time.
    pub fn capacity(&self) -> u64 {
        let in_time = |left: Duration| (left.as_secs_f64() * self.speed()) as u64;
        self.time_left().map_or(u64::MAX, in_time).min(self.left.unwrap_or(u64::MAX))
    }

    /// Does a part of the decision, with this share of the time and nodes left.
    pub fn part<T>(&mut self, share: f64, work: impl FnOnce(&mut Self) -> T) -> T {
        let (end, left) = (self.end, self.left);
        let now = self.context.clock.now();
        self.end = end.map(|end| now + end.saturating_sub(now).mul_f64(share));
        self.left = left.map(|left| (left as f64 * share) as u64);
        let given = self.left;
        let result = work(self);
        let used = given.zip(self.left).map_or(0, |(given, left)| given.saturating_sub(left));
        self.end = end;
        self.left = left.map(|left| left.saturating_sub(used));
        result
    }

    /// Does one part for each item, all with the same share of the time and nodes left.
    pub fn each<T, U>(&mut self, items: Vec<T>, mut work: impl FnMut(&mut Self, T) -> U) -> Vec<U> {
        let count = items.len();
        let share = |i: usize| 1.0 / (count - i) as f64;
        items
            .into_iter()
            .enumerate()
            .map(|(i, item)| self.part(share(i), |judge| work(judge, item)))
            .collect()
    }

    /// Returns the score of a position for Black, by a search of about `nodes` nodes, or of all that is left without a number;
    /// `None` if there is no time.
    ///
    /// Scores swing between odd and even depths, which would drown small differences. So the score is the mean of the last
    /// two iterations.
    pub fn score(&mut self, position: &Position, nodes: Option<u64>) -> Option<Score> {
        if self.is_over() {
            return None;
        }
        let mut before: Option<Score> = None;
        let mut last: Option<(u32, Score)> = None;
        let task = Task { position, nodes, lines: 1, excluded: PointSet::EMPTY };
        self.search(task, &mut |report| {
            let Some(line) = report.lines.first().filter(|_| report.depth > 0) else { return };
            if last.is_none_or(|(depth, _)| depth < report.depth) {
                before = last.map(|(_, score)| score);
            }
            last = Some((report.depth, line.score));
        })?;
        let (_, last) = last?;
        let mean = match before {
            Some(before) if last.mate().is_none() && before.mate().is_none() => {
                Score((last.0 + before.0) / 2)
            }
            _ => last,
        };
        Some(for_black(mean, position.side()))
    }

    /// Returns the best moves of a position on these points, best first, with scores for Black. It searches with all
    /// the time or nodes left. Without time it returns the best move by the static evaluation, without a score.
    pub fn best(
        &mut self,
        position: &Position,
        points: &PointSet,
        count: usize,
    ) -> Vec<(Point, Option<Score>)> {
        let excluded = PointSet::full(position.size()).without(points);
        let task = Task { position, nodes: None, lines: count, excluded };
        let Some(report) = self.search(task, &mut |_| {}) else { return Vec::new() };
        let searched = report.depth > 0;
        let found = report.lines.into_iter().filter_map(|line| {
            let score = searched.then_some(for_black(line.score, position.side()));
            Some((*line.moves.first()?, score))
        });
        found.filter(|(p, _)| points.contains(*p)).collect()
    }

    fn search(&mut self, task: Task<'_>, on_report: &mut dyn FnMut(&Report)) -> Option<Report> {
        let Task { position, nodes, lines, excluded } = task;
        let (rule, reading) = self.rule();
        if status::is_over(position, rule, reading) {
            return None;
        }
        self.engine.set_position(position.clone());
        let start = self.context.clock.now();
        let left = self.left.unwrap_or(u64::MAX);
        // The estimated number of nodes must not end a search that may use all of its time.
        let most = nodes.unwrap_or(u64::MAX).min(left);
        let expected = nodes.unwrap_or_else(|| self.capacity()).min(left);
        let glance = expected < GLANCE * lines as u64;
        let limits = Limits {
            turn: self.time_left(),
            left: None,
            nodes: (!glance).then_some(most),
            depth: if glance { Some(1) } else { self.limits.depth },
            analysis: true,
            multipv: lines,
            threads: if expected < SHARED { 1 } else { self.limits.threads },
            excluded,
            ..self.limits.clone()
        };
        let context = Context { clock: self.context.clock, start, stop: self.context.stop };
        let (_, report) = self.engine.go(&limits, &context, on_report)?;
        self.count(report.nodes, self.context.clock.now().saturating_sub(start));
        Some(report)
    }

    /// Counts a finished search.
    fn count(&mut self, nodes: u64, time: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(nodes.max(1)));
        self.done = (self.done.0 / 2 + nodes, self.done.1 / 2 + time);
    }

    fn time_left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_sub(self.context.clock.now()))
    }

    /// Returns the speed in nodes a second.
    fn speed(&self) -> f64 {
        let (nodes, time) = self.done;
        if nodes == 0 { EXPECTED_SPEED } else { nodes as f64 / time.as_secs_f64().max(1e-6) }
    }
}

impl Drop for Scorer<'_> {
    fn drop(&mut self) {
        self.engine.set_options(self.options);
    }
}

/// A search to run.
struct Task<'a> {
    position: &'a Position,
    /// Nodes; without a number, all that are left.
    nodes: Option<u64>,
    /// Lines wanted.
    lines: usize,
    excluded: PointSet,
}

/// Converts a score from the view of `side` to Black's.
pub fn for_black(score: Score, side: Color) -> Score {
    if side == Color::Black { score } else { Score(-score.0) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::clock::{Clock, SystemClock};
    use crate::game::notation::parse;

    /// White has made a four, and Black's only reply is l8: a timed game would not search it.
    #[test]
    fn a_forced_reply_is_scored_by_a_whole_search_under_any_limit() {
        let position = parse("g8h8h7i8i7j8j9k8", None).unwrap();
        let score = |limits: &Limits| {
            let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
            let context = Context { clock: &clock, start: clock.now(), stop: &stop };
            let mut engine = Engine::new();
            engine.set_options(Options { hash: Some(4 << 20), ..Options::default() });
            let mut scorer = Scorer::new(&mut engine, limits, &context);
            scorer.score(&position, Some(5000))
        };
        let by_nodes = score(&Limits { nodes: Some(100_000), ..Limits::default() });
        let by_time = score(&Limits { turn: Some(Duration::from_secs(600)), ..Limits::default() });
        assert!(by_nodes.is_some() && by_nodes == by_time, "{by_nodes:?} {by_time:?}");
    }
}
