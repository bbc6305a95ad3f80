//! Studies a position: the solvers of forced wins beside the search, and one answer made of both.
//!
//! [`study`] first looks for both sides' wins by fours, which takes almost no time. Then a shallow search gives a first
//! answer; wins by threats get a part of the budget, and the search the rest. With several threads one of them looks for
//! wins by threats while the others search, and then joins them. A callback receives every new state of knowledge, and a
//! flag stops the work; nothing here prints.
//!
//! [`wins`] and [`defences`] ask the solvers alone: for a verified forced win, and for the moves that stop one. [`fouls`] asks
//! the rules which points are forbidden.

pub mod defences;
pub mod fouls;
mod means;
mod solvers;
pub mod wins;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use self::means::{Event, Kind, Means, Used};
use self::solvers::Solvers;
pub use self::solvers::{Threat, Win};
use kagetsu::clock::{Clock, SystemClock};
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{self, Board, Point, PointSet, Position, Rule, RuleKind};
use kagetsu::search::{Context, Limits, Report, Score, Source, nodes_per_second};
use kagetsu::with_rule;

/// Depth of the search that gives the first answer.
const GLANCE: u32 = 4;
/// Stack of the thread that looks for wins by threats: that search recurses.
const SOLVER_STACK: usize = 64 << 20;

/// Reason why a position cannot be studied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StudyError {
    /// The position is impossible.
    #[error(transparent)]
    Position(#[from] game::Error),
    /// The board is full.
    #[error("there is no point left to play")]
    FullBoard,
}

/// The method that proved a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// The solver of wins by fours.
    Vcf,
    /// The solver of wins by threats.
    Vct,
    /// The search.
    Search,
}

impl By {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            By::Vcf => "vcf",
            By::Vct => "vct",
            By::Search => "search",
        }
    }
}

/// A position to study, with the limits of the work.
#[derive(Clone, Debug)]
pub struct Question {
    /// The position; the game must not be over.
    pub position: Position,
    /// The rule.
    pub rule: RuleKind,
    /// Limits of search and solvers together.
    pub limits: Limits,
    /// Bytes for the tables of both.
    pub hash: u64,
}

/// One line of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// From the view of the side to move.
    pub score: Score,
    /// The moves; `None` for a turn at which all replies lose alike. A line of fours ends with the move that decides.
    pub moves: Vec<Option<Point>>,
}

impl Line {
    /// The move to play.
    pub fn first(&self) -> Option<Point> {
        self.moves.first().copied().flatten()
    }

    /// The moves by name, `-` for any reply.
    pub fn names(&self) -> Vec<String> {
        self.moves.iter().map(|p| p.map_or("-".into(), |p| p.to_string())).collect()
    }
}

/// Knowledge about a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Study {
    /// The best lines, best first.
    pub lines: Vec<Line>,
    /// The method that proved the result of the first line, if it is proven.
    pub proven: Option<By>,
    /// The opponent's win by fours, should the side to move pass.
    pub threat: Option<Threat>,
    /// Depth the search has finished; 0 if there was no need for one, or no time.
    pub depth: u32,
    /// Whether nothing was searched: the score is the static evaluation of the position.
    pub is_static: bool,
    /// Selective depth: length of the longest line searched, in plies.
    pub seldepth: u32,
    /// Moves made by search and solvers.
    pub nodes: u64,
    /// Time since the question.
    pub elapsed: Duration,
    /// Share of the search's table that it has filled, in thousandths; unknown before it has begun.
    pub hash_permille: Option<usize>,
    /// Whether the caller's stop flag ended the study before it had an answer that more work would not change.
    pub interrupted: bool,
}

impl Study {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.elapsed)
    }

    /// The score of the best line.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    /// The move to play.
    pub fn best(&self) -> Option<Point> {
        self.lines.first().and_then(Line::first)
    }
}

/// Returns the part of a study's memory for tables that the engine gets; the solvers get the rest. Another use of the same
/// engine has to set this size too: a change of size clears its tables.
pub fn engine_hash(hash: u64) -> u64 {
    hash / 4 * 3
}

/// Studies a position. `watch` receives every new state of knowledge. Setting `stop` ends the study soon. The study may set
/// it as well, so that only [`Study::interrupted`] tells whether the caller has ended it.
///
/// The engine's other options hold: below full strength, the search of one line is weaker too. The engine is left with the
/// question's rule, table size and position.
///
/// # Errors
/// If the position is impossible, or has no empty point.
pub fn study(
    engine: &mut Engine,
    question: &Question,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&Study),
) -> Result<Study, StudyError> {
    let options =
        Options { rule: question.rule, hash: Some(engine_hash(question.hash)), ..*engine.options() };
    engine.set_options(options);
    engine.set_position(question.position.clone());
    let clock = SystemClock::new();
    let student = Student {
        limits: &question.limits,
        clock: &clock,
        stop,
        watch,
        known: Study::default(),
        won: None,
        report: None,
        nodes: 0,
    };
    let rest = question.hash - engine_hash(question.hash);
    let mut known = with_rule!(question.rule, R => {
        let board = Board::<R>::from_position(&question.position)?;
        student.work(engine, Solvers::new(&board, &question.limits, rest, &clock, stop))
    })?;
    known.elapsed = clock.now();
    Ok(known)
}

/// One study at work.
struct Student<'a> {
    limits: &'a Limits,
    clock: &'a SystemClock,
    stop: &'a AtomicBool,
    watch: &'a mut dyn FnMut(&Study),
    known: Study,
    /// The line that a solver has proven: a win, or the longest way to lose.
    won: Option<(By, Line)>,
    /// The last report of the search.
    report: Option<Report>,
    /// Nodes used so far.
    nodes: u64,
}

impl Student<'_> {
    fn work<R: Rule>(mut self, engine: &mut Engine, solvers: Solvers<'_, R>) -> Result<Study, StudyError> {
        self.stages(engine, solvers)?;
        self.known.interrupted &= !self.is_final();
        Ok(self.known)
    }

    fn stages<R: Rule>(
        &mut self,
        engine: &mut Engine,
        mut solvers: Solvers<'_, R>,
    ) -> Result<(), StudyError> {
        self.fours(&mut solvers);
        if self.is_answered() {
            return Ok(());
        }
        let glance = self.limits.depth.map_or(GLANCE, |depth| depth.min(GLANCE));
        self.search(engine, Limits { depth: Some(glance), threads: 1, ..self.limits.clone() })?;
        if self.is_answered() {
            return Ok(());
        }
        if !self.is_proven() {
            if self.limits.threads > 1 {
                return self.search_beside(engine, solvers);
            }
            let win = solvers.win_by_threats();
            self.nodes += solvers.take_nodes();
            self.learn(win);
        }
        if !self.is_answered() {
            self.search(engine, self.limits.clone())?;
        }
        Ok(())
    }

    fn wanted(&self) -> usize {
        self.limits.multipv.max(1)
    }

    /// Notes whether the study is to end, and returns whether no further search is needed.
    fn is_answered(&mut self) -> bool {
        self.note_stop();
        self.known.interrupted && !self.known.lines.is_empty() || self.is_final()
    }

    /// Notes whether the flag is set. The study itself sets it only when a search has ended, or with a final answer.
    fn note_stop(&mut self) {
        self.known.interrupted = self.stop.load(Ordering::Relaxed);
    }

    /// Returns whether further work would not change the answer.
    fn is_final(&self) -> bool {
        let is_lost = self.won.as_ref().is_some_and(|(_, line)| line.score.0 < 0);
        is_lost || self.wanted() == 1 && self.is_proven()
    }

    /// Returns whether the result is proven, by a win that is short enough.
    fn is_proven(&self) -> bool {
        let long = |score: Score| score.0 > 0 && !self.limits.is_met_by(score);
        self.known.proven.is_some() && !self.known.score().is_some_and(long)
    }

    /// Wins by fours of either side.
    fn fours<R: Rule>(&mut self, solvers: &mut Solvers<'_, R>) {
        let win = solvers.win_by_fours();
        if win.is_none() {
            self.known.threat = solvers.threat();
        }
        let lost = self.known.threat.as_ref().is_some_and(|t| t.complete && t.stops.is_empty());
        if let Some((p, win)) = lost.then(|| solvers.loss()).flatten() {
            let score = Score(win.length as i32 + 1 - Score::MATE);
            let moves = [Some(p)].into_iter().chain(win.line).collect();
            self.won = Some((win.by, Line { score, moves }));
        }
        self.nodes += solvers.take_nodes();
        self.learn(win);
    }

    /// Takes in a win that a solver has found, unless a shorter one is known.
    fn learn(&mut self, win: Option<Win>) {
        if let Some(win) = win
            && self.won.as_ref().is_none_or(|(_, line)| win.score() > line.score)
        {
            self.won = Some((win.by, Line { score: win.score(), moves: win.line }));
        }
        self.refresh();
    }

    /// Searches with what is left of the limits. The move of a line already proven is not searched again, unless it may
    /// win sooner than wanted.
    fn search(&mut self, engine: &mut Engine, limits: Limits) -> Result<(), StudyError> {
        let settled =
            self.won.as_ref().filter(|(_, line)| line.score.0 < 0 || self.limits.is_met_by(line.score));
        let proven = settled.and_then(|(_, line)| line.first());
        let before = self.nodes;
        let limits = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(before)),
            multipv: self.wanted() - usize::from(proven.is_some()),
            excluded: limits.excluded | proven.into_iter().collect::<PointSet>(),
            ..limits
        };
        if let Some(pulse) = &limits.pulse {
            pulse.start(before);
        }
        let context = Context { clock: self.clock, start: Duration::ZERO, stop: self.stop };
        let mut hear = |report: &Report| self.hear(report, before);
        let found = engine.go(&limits, &context, &mut hear);
        self.note_stop();
        let (_, report) = found.ok_or(StudyError::FullBoard)?;
        self.hear(&report, before);
        Ok(())
    }

    /// Searches while another thread looks for a win by threats.
    fn search_beside<R: Rule>(
        &mut self,
        engine: &mut Engine,
        mut solvers: Solvers<'_, R>,
    ) -> Result<(), StudyError> {
        let (stop, limits) = (self.stop, self.limits);
        let alone = self.wanted() == 1;
        // The solver has the core of the search's last thread until it ends.
        let free = Arc::new(AtomicBool::new(false));
        let beside = Limits { last_thread: Some(free.clone()), ..limits.clone() };
        let (searched, win, nodes) = std::thread::scope(|scope| {
            let ended = free.clone();
            let solver =
                std::thread::Builder::new().stack_size(SOLVER_STACK).spawn_scoped(scope, move || {
                    let win = solvers.win_by_threats();
                    ended.store(true, Ordering::Relaxed);
                    if alone && win.as_ref().is_some_and(|win| limits.is_met_by(win.score())) {
                        stop.store(true, Ordering::Relaxed);
                    }
                    (win, solvers.take_nodes())
                });
            if solver.is_err() {
                free.store(true, Ordering::Relaxed);
            }
            let searched = self.search(engine, beside);
            if self.is_proven() || searched.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            // A solver that could not be started, or failed, counts as having found nothing.
            let (win, nodes) = solver.ok().and_then(|s| s.join().ok()).unwrap_or_default();
            (searched, win, nodes)
        });
        self.nodes += nodes;
        self.learn(win);
        searched
    }

    /// Takes in a report of the search. A shallower search after a deeper one adds nothing, unless it is a
    /// proof.
    fn hear(&mut self, report: &Report, before: u64) {
        let is_proof = report.lines.first().is_some_and(|line| line.score.mate().is_some());
        if is_proof || self.report.as_ref().is_none_or(|known| report.depth >= known.depth) {
            self.report = Some(report.clone());
        }
        self.nodes = before + report.nodes;
        self.refresh();
    }

    /// Makes one answer of the findings of solvers and search, and hands it to the watcher.
    fn refresh(&mut self) {
        let known = &mut self.known;
        known.lines.clear();
        known.lines.extend(self.won.iter().map(|(_, line)| line.clone()));
        if let Some(report) = &self.report {
            (known.depth, known.seldepth) = (report.depth, report.seldepth);
            known.is_static = report.source == Source::Evaluation && self.won.is_none();
            known.hash_permille = Some(report.hash_permille);
            known.lines.extend(report.lines.iter().map(|line| Line {
                score: line.score,
                moves: line.moves.iter().copied().map(Some).collect(),
            }));
        }
        // If two lines begin alike, the better one is shown, or the solver's line if they are equally good.
        known.lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        let mut seen = PointSet::EMPTY;
        known.lines.retain(|line| {
            let new = line.first().is_none_or(|p| !seen.contains(p));
            line.first().into_iter().for_each(|p| seen.insert(p));
            new
        });
        known.lines.truncate(self.limits.multipv.max(1));
        let first = known.lines.first();
        let by_solver = self.won.as_ref().filter(|(_, line)| Some(line) == first).map(|(by, _)| *by);
        known.proven = by_solver.or_else(|| first?.score.mate().map(|_| By::Search));
        known.nodes = self.nodes;
        known.elapsed = self.clock.now();
        (self.watch)(known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kagetsu::game::Freestyle;
    use kagetsu::game::notation::parse;

    /// The stop flag is the only limit of these studies.
    #[test]
    fn a_study_that_is_stopped_ends_with_a_move() {
        let position = parse("h8h9", None).unwrap();
        for at_once in [true, false] {
            let (limits, hash) = (Limits::default(), 4 << 20);
            let question = Question { position: position.clone(), rule: RuleKind::Freestyle, limits, hash };
            let stop = AtomicBool::new(at_once);
            let mut news = |_: &Study| stop.store(true, Ordering::Relaxed);
            let found = study(&mut Engine::new(), &question, &stop, &mut news).unwrap();
            assert!(found.best().is_some_and(|p| position.is_free(p)) && found.interrupted, "{found:?}");
        }
    }

    /// Black makes a five on either of two points, so that the search for two lines ends with two proofs. It then sets the
    /// flag, to end the solver beside it.
    #[test]
    fn a_study_that_sets_its_own_flag_is_not_interrupted() {
        let position = parse("h8h9i8i9j8j9k8k9", None).unwrap();
        let board = Board::<Freestyle>::from_position(&position).unwrap();
        let limits = Limits { depth: Some(4), multipv: 2, threads: 2, ..Limits::default() };
        for outside in [false, true] {
            let (clock, stop) = (SystemClock::new(), AtomicBool::new(outside));
            let mut engine = Engine::new();
            engine.set_options(Options { hash: Some(4 << 20), ..Options::default() });
            engine.set_position(position.clone());
            let solvers = Solvers::new(&board, &limits, 4 << 20, &clock, &stop);
            let mut student = Student {
                limits: &limits,
                clock: &clock,
                stop: &stop,
                watch: &mut |_| {},
                known: Study::default(),
                won: None,
                report: None,
                nodes: 0,
            };
            student.search_beside(&mut engine, solvers).unwrap();
            assert!(stop.load(Ordering::Relaxed), "{:?}", student.known);
            assert_eq!(student.known.interrupted, outside, "{:?}", student.known);
        }
    }
}
