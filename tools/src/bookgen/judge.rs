//! Judges a position by the searches that make an entry of the book.
//!
//! A first search gives several lines. A second one, with [`AGREEMENT`] times the nodes, says what the position is
//! worth and which move is best. The best few moves of both are then judged by searches of the same length of the
//! positions *after* them: a move is agreed ([`Candidate::agreed`]) if it comes out no more than [`MARGIN`] below the
//! best of them, and if that one is not much below what the position was said to be worth. So the engine is not led
//! into a position that it then scores lower.
//!
//! Last comes a review with [`REVIEW`] times the nodes. It withdraws each agreed move that [`Judge::compare`] finds lost or
//! much worse than another, and all of them if the position comes out much worse than before. The scores stay those of the
//! agreeing searches while an agreed move is left; otherwise they are the review's. Where the side to move is far behind no
//! move is agreed: few moves there pass a review.
//!
//! Every search starts from nothing, has one thread and a fixed number of nodes, and is made on the canonical image: an
//! entry depends on its position, the nodes and the evaluation alone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{after, roots};
use kagetsu::book::{Candidate, Entry, Key, MARGIN, SURPRISE};
use kagetsu::clock::SystemClock;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{Point, PointSet, Position, RuleKind, Size, status};
use kagetsu::search::{Context, Limits, Report, Score, Source};

/// Ratio of the nodes of the agreeing search to those of the first.
const AGREEMENT: u64 = 4;
/// Ratio of the nodes of the review to those of the first search.
const REVIEW: u64 = 20;
/// A move is wrong if it comes out more than this below another.
pub const WRONG: i32 = 100;
/// Lowest worth of a position, for the side to move, at which the book lists moves for it.
const WORSE: i32 = -150;
/// Lines of the first search.
const LINES: usize = 5;
/// Most moves judged by the longer searches.
const CONTENDERS: usize = 3;
/// A move of the first search is judged by the longer ones only if it is no more than this below the best.
const NEAR: i32 = 50;

/// The result of a longer search of a position.
#[derive(Clone, Copy, Debug)]
pub struct Assessment {
    /// The best move; `None` if there is none.
    pub best: Option<Point>,
    /// From the view of the side to move.
    pub score: Score,
    /// Depth of the search.
    pub depth: u32,
}

/// Assessments that are known already, each with the nodes of its search, for all threads.
pub type Known = Mutex<HashMap<(Key, u64), Assessment>>;

/// Scores of two moves by long searches: the book's move, and the move that they prefer to it.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// Score of the book's move.
    pub own: Score,
    /// Score of the move that the search of the position prefers; equal to `own` if it prefers the book's
    /// move.
    pub other: Score,
    /// The preferred move; `None` if there is no move.
    pub preferred: Option<Point>,
}

impl Comparison {
    /// Returns how much lower the book's move scores.
    pub fn loss(&self) -> i32 {
        (self.other.0 - self.own.0).max(0)
    }

    /// Returns whether the move loses by force and the other does not. If every move loses, none of them is wrong.
    pub fn loses(&self) -> bool {
        let lost = |score: Score| score.mate().is_some_and(|n| n < 0);
        lost(self.own) && !lost(self.other)
    }
}

/// Judges positions of one rule and size.
pub struct Judge {
    engine: Engine,
    rule: RuleKind,
    size: Size,
    nodes: u64,
    known: Arc<Known>,
    stop: Arc<AtomicBool>,
}

impl Judge {
    /// Creates a judge whose first searches have `nodes` nodes. Once `stop` is set it gives no more answers.
    pub fn new(rule: RuleKind, size: Size, nodes: u64, known: Arc<Known>, stop: Arc<AtomicBool>) -> Judge {
        let mut engine = Engine::new();
        // A table far larger than what a search fills would only take time to clear.
        let hash = (REVIEW * nodes).saturating_mul(64).next_power_of_two().clamp(4 << 20, 1 << 30);
        engine.set_options(Options { rule, hash: Some(hash), ..Options::default() });
        Judge { engine, rule, size, nodes, known, stop }
    }

    /// The entry of a position, in the key's orientation; `hints` are moves to look at beside those that the search finds.
    /// `None` if there was no time to finish.
    pub fn entry(&mut self, key: &Key, hints: &[Point]) -> Option<Entry> {
        let judged = self.verdict(key, AGREEMENT * self.nodes)?;
        let depth = judged.depth.min(u8::MAX.into()) as u8;
        let Some(best) = judged.best else {
            return Some(Entry::new(0, depth, false, self.nodes, Vec::new()));
        };
        if judged.score.mate().is_some() {
            return Some(self.proven(&judged, best));
        }
        let position = key.position(self.size);
        let lines = self.search(position.clone(), self.nodes, LINES)?.lines;
        let top = lines.first().map_or(0, |line| line.score.0);
        let mut seen = Seen::default();
        let mut contenders = Vec::new();
        for line in lines.iter().take(CONTENDERS).filter(|line| top - line.score.0 <= NEAR) {
            contenders.extend(seen.add(&position, line.moves[0]));
        }
        contenders.extend(seen.add(&position, best));
        let mut moves = Vec::new();
        for line in &lines {
            moves.extend(seen.add(&position, line.moves[0]).map(|(p, _)| (p, top - line.score.0)));
        }
        for &p in hints.iter().filter(|&&p| self.is_legal(&position, p)) {
            contenders.extend(seen.add(&position, p));
        }
        let mut after = Vec::new();
        for (p, child) in contenders {
            after.push((p, -self.verdict(&child, AGREEMENT * self.nodes)?.score.0));
        }
        let (mut score, mut moves) = compose(judged, &after, &moves);
        if moves.iter().any(|c| c.agreed) {
            let reviewed = self.verdict(key, REVIEW * self.nodes)?;
            let best = reviewed.best?;
            if reviewed.score.mate().is_some() {
                return Some(self.proven(&reviewed, best));
            }
            for c in moves.iter_mut().filter(|c| c.agreed) {
                let review = self.compare(key, c.point, REVIEW * self.nodes)?;
                c.agreed = !review.loses() && review.loss() <= WRONG;
            }
            let stands = reviewed.score.0 >= score.0 - SURPRISE;
            moves.iter_mut().for_each(|c| c.agreed &= stands);
            if moves.iter().all(|c| !c.agreed) {
                score = reviewed.score;
                let best = seen.add(&position, best);
                moves.extend(best.map(|(point, _)| Candidate {
                    point,
                    score: narrow(score.0),
                    agreed: false,
                }));
            }
        }
        let proven = score.mate().is_some();
        Some(Entry::new(narrow(score.0), depth, proven, self.nodes, moves))
    }

    /// Returns the entry of a position that a search has found won or lost by this move.
    fn proven(&self, verdict: &Assessment, best: Point) -> Entry {
        let score = narrow(verdict.score.0);
        let depth = verdict.depth.min(u8::MAX.into()) as u8;
        Entry::new(score, depth, true, self.nodes, vec![Candidate { point: best, score, agreed: true }])
    }

    /// Returns whether an entry has a score for each of these moves, ignoring illegal ones.
    pub fn has_judged(&self, key: &Key, entry: &Entry, hints: &[Point]) -> bool {
        let position = key.position(self.size);
        let mut seen = Seen::default();
        entry.moves().iter().for_each(|c| drop(seen.add(&position, c.point)));
        let unknown = |&p: &Point| self.is_legal(&position, p) && seen.add(&position, p).is_some();
        entry.proven || !hints.iter().any(unknown)
    }

    /// Compares a move with the one that a search of `nodes` nodes prefers. If they differ, the positions after both
    /// are searched as long. Returns `None` if there was no time to finish.
    pub fn compare(&mut self, key: &Key, p: Point, nodes: u64) -> Option<Comparison> {
        let position = key.position(self.size);
        let best = self.verdict(key, nodes)?;
        let mut value = |p| Some(Score(-self.verdict(&Key::of(&after(&position, p)?).0, nodes)?.score.0));
        let (own, other) = match best.best {
            Some(q) if q != p => (value(p)?, value(q)?),
            _ => (best.score, best.score),
        };
        Some(Comparison { own, other, preferred: best.best })
    }

    /// Searches with `nodes` nodes; returns the result with its move in the key's orientation.
    fn verdict(&mut self, key: &Key, nodes: u64) -> Option<Assessment> {
        let asked = (key.clone(), nodes);
        if let Some(verdict) = self.known.lock().ok()?.get(&asked) {
            return Some(*verdict);
        }
        let report = self.search(key.position(self.size), nodes, 1)?;
        let best = report.lines.first().and_then(|line| line.moves.first()).copied();
        let score = report.lines.first().map_or(Score(0), |line| line.score);
        let verdict = Assessment { best, score, depth: report.depth };
        self.known.lock().ok()?.insert(asked, verdict);
        Some(verdict)
    }

    /// Runs a search with empty tables; `None` if it was stopped. On the empty board it searches only usual first
    /// moves: a search for several lines finds nearly equal scores for all others, and may end far from the centre.
    fn search(&mut self, position: Position, nodes: u64, lines: usize) -> Option<Report> {
        let excluded = match position.stones().next() {
            Some(_) => PointSet::EMPTY,
            None => self.size.points().collect::<PointSet>().without(&roots::first_moves(self.size)),
        };
        self.engine.clear();
        self.engine.set_position(position);
        let limits = Limits { nodes: Some(nodes), multipv: lines, threads: 1, excluded, ..Limits::default() };
        let clock = SystemClock::new();
        let context = Context { clock: &clock, start: Duration::ZERO, stop: &self.stop };
        let report = self.engine.go(&limits, &context, &mut |_| {}).map(|(_, report)| report);
        let none = || Report::without_search(Source::Evaluation, Vec::new());
        (!self.stop.load(Ordering::Relaxed)).then(|| report.unwrap_or_else(none))
    }

    fn is_legal(&self, position: &Position, p: Point) -> bool {
        status::is_legal(position, self.rule, p)
    }
}

/// Returns the score of a position and its moves. `scores` are those of moves whose positions were judged; the other
/// moves have losses.
fn compose(judged: Assessment, after: &[(Point, i32)], others: &[(Point, i32)]) -> (Score, Vec<Candidate>) {
    let top = after.iter().map(|a| a.1).max().unwrap_or(judged.score.0);
    let agrees = top >= judged.score.0 - SURPRISE;
    let score = if agrees { top } else { judged.score.0 };
    let after = after.iter().map(|&(point, score)| Candidate {
        point,
        score: narrow(score),
        agreed: agrees && score >= (top - MARGIN).max(WORSE),
    });
    let others = others.iter().map(|&(point, loss)| Candidate {
        point,
        score: narrow((score - loss).max(-Score::MATE_BOUND + 1)),
        agreed: false,
    });
    (Score(score), after.chain(others).collect())
}

/// Converts a score to the size of an entry.
fn narrow(score: i32) -> i16 {
    score.clamp(-Score::MATE, Score::MATE) as i16
}

/// The moves seen so far. Moves that a symmetry maps to each other count as one.
#[derive(Default)]
struct Seen(Vec<Key>);

impl Seen {
    /// Adds a move. Returns it with the position after it, unless that position was seen before.
    fn add(&mut self, position: &Position, p: Point) -> Option<(Point, Key)> {
        let key = Key::of(&after(position, p)?).0;
        if self.0.contains(&key) {
            return None;
        }
        self.0.push(key.clone());
        Some((p, key))
    }
}
