//! Reviews a game: studies every position, the last one first, so that a result proven late in the game is known before
//! its earlier positions are studied.
//!
//! [`review`] does the work, and [`Reviewer`] does it position by position. [`course`] takes the positions from the game,
//! [`judge`] says what each move was worth, [`summary`] sums the game up in words, and [`annotated`] writes the judgements
//! into a game file. A callback hears of the positions as they are studied, and a flag stops the work; nothing here
//! prints.

pub mod annotated;
pub mod course;
pub mod judge;
mod summary;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use self::course::{Course, PlayedMove};
use self::judge::JudgedMove;
use crate::record::{Game, NodeId};
use crate::study::{self, By, Line, Question, StudyError};
use kagetsu::engine::Engine;
use kagetsu::game::status::{self, OnlyFouls};
use kagetsu::game::{self, Color, Endings, Move, Outcome, Position, RuleKind};
use kagetsu::search::{Limits, Score};

/// Time between two looks at the caller's stop flag during a study.
const LOOK: Duration = Duration::from_millis(20);

/// Reason why a game cannot be reviewed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReviewError {
    /// The game has no moves to judge.
    #[error("the game has no moves")]
    NoMoves,
    /// The stones put down before the first move end the game.
    #[error("the game is over before its first move: {0}")]
    Over(Outcome),
    /// The main line is longer than a game can be.
    #[error("the game has {moves} moves, more than {most}")]
    TooLong {
        /// Its moves.
        moves: usize,
        /// The limit.
        most: usize,
    },
    /// A position of the game is impossible.
    #[error(transparent)]
    Position(#[from] game::Error),
    /// The search had no time for a single line.
    #[error("the search gave no line")]
    NoLine,
    /// A position cannot be studied.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The stop flag was set.
    #[error("the review was stopped")]
    Stopped,
}

/// A game to review.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game; its main line is reviewed.
    pub game: Game,
    /// The rule that judges it.
    pub rule: RuleKind,
    /// The ends of the game besides a row, a foul and a full board.
    pub endings: Endings,
    /// Limits of one position's study.
    pub limits: Limits,
    /// Bytes for the tables of search and solvers.
    pub hash: u64,
}

/// One position of a game, as known in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Node in the file.
    pub id: NodeId,
    /// The side to move.
    pub side: Color,
    /// The score of the side to move.
    pub score: Score,
    /// The method that proved the score.
    pub by: Option<By>,
    /// The best line.
    pub line: Line,
    /// End of the game here.
    pub end: Option<Outcome>,
}

/// A game with the judgements of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// The game as it was read.
    pub game: Game,
    /// The rule it was judged by.
    pub rule: RuleKind,
    /// Its positions, from before the first judged move to the end.
    pub nodes: Vec<Node>,
    /// The moves between them.
    pub steps: Vec<PlayedMove>,
    /// The judgements of the moves.
    pub moves: Vec<JudgedMove>,
    /// Moves before the judged ones: a review that is stopped has the end of the game only.
    pub unjudged: usize,
    /// Moves of the file behind the end of the game.
    pub left_out: usize,
    /// The last position of the game.
    pub last: Position,
}

/// Progress of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Number of positions, reported once.
    Positions(usize),
    /// The study of this position begins, counted from 0 before the first move.
    Studying(usize),
    /// The study of the last named position has ended.
    Studied,
}

/// A review in progress. It studies one position at a time, the last one first, so that a program with other work for its
/// engine can do that in between.
#[derive(Debug)]
pub struct Reviewer {
    request: Request,
    course: Course,
    /// Positions studied so far, from the last one of the game on.
    nodes: Vec<Node>,
    /// Moves judged so far, from the last one of the game on.
    moves: Vec<JudgedMove>,
}

impl Reviewer {
    /// Begins a review.
    ///
    /// # Errors
    /// If the game has no moves, too many, or impossible ones, or is over before the first one.
    pub fn new(request: Request) -> Result<Reviewer, ReviewError> {
        let course = Course::of(&request.game, request.rule, &request.endings)?;
        Ok(Reviewer { request, course, nodes: Vec::new(), moves: Vec::new() })
    }

    /// Number of positions to study.
    pub fn positions(&self) -> usize {
        self.course.positions.len()
    }

    /// Returns the number of the position to study next, 0 before the first move; `None` when all are studied.
    pub fn next(&self) -> Option<usize> {
        self.positions().checked_sub(self.nodes.len() + 1)
    }

    /// Returns the moves judged so far, each with its node in the file, from the last one of the game on. What is studied
    /// later changes none of them.
    pub fn judged(&self) -> impl Iterator<Item = (NodeId, &JudgedMove)> {
        self.course.steps.iter().rev().map(|step| step.id).zip(&self.moves)
    }

    /// Studies the next position, and judges the move made in it. Setting `stop` ends the study soon, without a result.
    ///
    /// # Errors
    /// If it was stopped, or the position cannot be studied. The position is then still the next one.
    pub fn study(&mut self, engine: &mut Engine, stop: &AtomicBool) -> Result<(), ReviewError> {
        let Some(i) = self.next() else { return Ok(()) };
        let last = self.positions() - 1;
        let end = self.course.end.filter(|_| i == last);
        let (id, position) = &self.course.positions[i];
        // The position between the two passes of a draw counts as drawn, and is not studied.
        let is_passed = i + 1 == last && self.nodes.last().is_some_and(|node| node.end == judge::PASSED);
        let node = if is_passed {
            drawn(*id, position.side())
        } else {
            GameStudy { engine, request: &self.request, stop }.node(*id, position, end)?
        };
        self.add(node)
    }

    /// Adds the next position, which has been studied, and judges the move made in it.
    fn add(&mut self, mut node: Node) -> Result<(), ReviewError> {
        let unjudged = self.course.steps.len() - self.moves.len();
        let step = self.course.steps[..unjudged].last().copied();
        let step = step.filter(|step| Some(step.before) == self.next());
        if let (Some(step), Some(after)) = (step, self.nodes.last()) {
            judge::agree(&mut node, &step, after);
            let judged = self.judge(&step, &node, after)?;
            self.moves.push(judged);
        }
        self.nodes.push(node);
        Ok(())
    }

    /// Judges the last move that is not judged.
    fn judge(&self, step: &PlayedMove, before: &Node, after: &Node) -> Result<JudgedMove, ReviewError> {
        let rule = self.request.rule;
        let foul = status::last_foul(&self.course.positions[step.after].1, rule)?;
        let judged = judge::judge(rule, step, before, after, foul);
        let is_last_pass = self.course.end == judge::PASSED && self.moves.len() < 2;
        Ok(if is_last_pass { judge::drawn(judged) } else { judged })
    }

    /// Returns the whole review.
    ///
    /// # Errors
    /// If positions are left to study, which counts as stopped.
    pub fn finish(self) -> Result<Review, ReviewError> {
        if self.next().is_some() { Err(ReviewError::Stopped) } else { self.so_far() }
    }

    /// Returns the review of the moves judged so far.
    ///
    /// # Errors
    /// If there is none, which counts as stopped.
    pub fn so_far(self) -> Result<Review, ReviewError> {
        let Reviewer { request: Request { game, rule, .. }, course, mut nodes, mut moves } = self;
        let Course { mut positions, mut steps, left_out, .. } = course;
        let unjudged = steps.len() - moves.len();
        let skipped = positions.len() - nodes.len();
        steps.drain(..unjudged);
        for step in &mut steps {
            step.before -= skipped;
            step.after -= skipped;
        }
        nodes.reverse();
        moves.reverse();
        let (_, last) = positions.pop().filter(|_| !moves.is_empty()).ok_or(ReviewError::Stopped)?;
        Ok(Review { game, rule, nodes, steps, moves, unjudged, left_out, last })
    }
}

/// Reviews a game. `watch` receives the news. Setting `stop` ends the work soon; the review then has the moves judged so far,
/// from the end of the game on. The engine is used as [`study`](crate::study::study) uses it.
///
/// # Errors
/// If the game has no moves, too many, or impossible ones, or is over before the first one; and if it was stopped before a
/// move was judged.
pub fn review(
    engine: &mut Engine,
    request: Request,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event),
) -> Result<Review, ReviewError> {
    let mut reviewer = Reviewer::new(request)?;
    watch(Event::Positions(reviewer.positions()));
    while let Some(i) = reviewer.next() {
        watch(Event::Studying(i));
        match reviewer.study(engine, stop) {
            Err(ReviewError::Stopped) => break,
            studied => studied?,
        }
        watch(Event::Studied);
    }
    reviewer.so_far()
}

/// A drawn position.
fn drawn(id: NodeId, side: Color) -> Node {
    let score = Score(0);
    Node { id, side, score, by: None, line: Line { score, moves: Vec::new() }, end: None }
}

/// Studies the positions of a game.
struct GameStudy<'a> {
    engine: &'a mut Engine,
    request: &'a Request,
    stop: &'a AtomicBool,
}

impl GameStudy<'_> {
    /// A position of the game, which ended in it as `end` says.
    fn node(&mut self, id: NodeId, position: &Position, end: Option<Outcome>) -> Result<Node, ReviewError> {
        let side = position.side();
        let (score, by, line) = match end {
            Some(end) => {
                let score = match end.winner() {
                    None => Score(0),
                    Some(winner) if winner == side => Score(Score::MATE - 1),
                    Some(_) => Score(-Score::MATE),
                };
                (score, None, Line { score, moves: Vec::new() })
            }
            None => {
                let (by, line) = self.study(position)?;
                (line.score, by, line)
            }
        };
        Ok(Node { id, side, score, by, line, end })
    }

    /// The best line of a position in which the game goes on, and the method that proved it.
    fn study(&mut self, position: &Position) -> Result<(Option<By>, Line), ReviewError> {
        let Request { rule, endings, limits, hash, .. } = self.request;
        let mut position = position.clone();
        let only_fouls = status::only_fouls(&position, *rule, endings)?;
        match only_fouls {
            // The foul is Black's next move.
            Some(OnlyFouls::Loses) => {
                let score = Score(2 - Score::MATE);
                return Ok((Some(By::Search), Line { score, moves: Vec::new() }));
            }
            Some(OnlyFouls::Passes) => position.push(Move::Pass)?,
            None => {}
        }
        let question = Question { position, rule: *rule, limits: limits.clone(), hash: *hash };
        let study =
            under_own_flag(self.stop, |flag| study::study(self.engine, &question, flag, &mut |_| {}))?;
        if study.interrupted {
            return Err(ReviewError::Stopped);
        }
        let line = study.lines.into_iter().next().ok_or(ReviewError::NoLine)?;
        if only_fouls.is_none() {
            return Ok((study.proven, line));
        }
        // The pass is one ply more to a proven end.
        let own = line.score.mate().map_or(0, |_| line.score.0.signum()) - line.score.0;
        let moves = [None].into_iter().chain(line.moves).collect();
        Ok((study.proven, Line { score: Score(own), moves }))
    }
}

/// Runs a study under a stop flag of its own, which is set soon after `stop`: a study may set its flag, and that must not
/// stop the next one.
fn under_own_flag<T>(stop: &AtomicBool, study: impl FnOnce(&AtomicBool) -> T) -> T {
    let own = &AtomicBool::new(stop.load(Ordering::Relaxed));
    let (over, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let forward = move || {
            while wait.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                own.fetch_or(stop.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        };
        if let Err(error) = thread::Builder::new().spawn_scoped(scope, forward) {
            log::warn!("a stop ends the review only between two positions: {error}");
        }
        let found = study(own);
        drop(over);
        found
    })
}

#[cfg(test)]
mod tests {
    use super::judge::Quality;
    use super::*;
    use crate::record::sgf;
    use kagetsu::game::{EndSet, Point, notation};

    fn reviewer(text: &str, endings: Endings) -> Reviewer {
        let game = sgf::read(text.as_bytes(), Default::default()).unwrap().remove(0);
        let rule = RuleKind::Freestyle;
        Reviewer::new(Request { game, rule, endings, limits: Limits::default(), hash: 0 }).unwrap()
    }

    /// The next position, with this score of its side to move, and a best move that nobody plays.
    fn node(reviewer: &Reviewer, score: i32) -> Node {
        let (id, position) = &reviewer.course.positions[reviewer.next().unwrap()];
        let score = Score(score);
        let line = Line { score, moves: vec![Some(Point::new(14, 14))] };
        Node { id: *id, side: position.side(), score, by: None, line, end: None }
    }

    fn judged(reviewer: &Reviewer) -> Vec<(String, Quality)> {
        reviewer.judged().map(|(_, m)| (m.name(), m.quality)).collect()
    }

    /// The flag is set when three positions of six are studied.
    #[test]
    fn a_stopped_review_has_the_end_of_the_game() {
        let game =
            sgf::read(b"(;SZ[15];B[hh];W[ab];B[ih];W[ad];B[jh])", Default::default()).unwrap().remove(0);
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        let rule = RuleKind::Freestyle;
        let request = Request { game, rule, endings: Endings::default(), limits, hash: 4 << 20 };
        let stop = AtomicBool::new(false);
        let mut studied = 0;
        let mut watch = |event| {
            studied += u32::from(event == Event::Studied);
            stop.store(studied == 3, Ordering::Relaxed);
        };
        let review = review(&mut Engine::new(), request.clone(), &stop, &mut watch).unwrap();
        assert_eq!((review.unjudged, review.nodes.len()), (3, 3));
        assert_eq!(review.moves.iter().map(JudgedMove::name).collect::<Vec<_>>(), ["a12", "j8"]);
        assert_eq!(
            review.steps.iter().map(|step| (step.before, step.after)).collect::<Vec<_>>(),
            [(0, 1), (1, 2)]
        );
        assert_eq!(sgf::write(&[review.record()]).matches("C[Score ").count(), 2);
        // One position alone has no move between two of them.
        stop.store(true, Ordering::Relaxed);
        let none = super::review(&mut Engine::new(), request, &stop, &mut |_| {});
        assert_eq!(none.unwrap_err(), ReviewError::Stopped);
    }

    /// A study without a limit ends soon after the flag is set, in the middle of an iteration too.
    #[test]
    fn a_stop_is_seen_during_a_study() {
        let stop = AtomicBool::new(false);
        let (sender, heard) = mpsc::channel();
        thread::scope(|scope| {
            let (flag, sender) = (&stop, sender);
            scope.spawn(move || {
                let wait = |own: &AtomicBool| {
                    while !own.load(Ordering::Relaxed) {
                        thread::sleep(Duration::from_millis(1));
                    }
                };
                under_own_flag(flag, wait);
                sender.send(()).unwrap();
            });
            assert!(heard.recv_timeout(Duration::from_millis(50)).is_err(), "nobody has set the flag");
            stop.store(true, Ordering::Relaxed);
            heard.recv_timeout(Duration::from_secs(60)).expect("the flag should be passed on");
        });
        // A study's own flag is not that of the caller.
        stop.store(false, Ordering::Relaxed);
        under_own_flag(&stop, |own| own.store(true, Ordering::Relaxed));
        assert!(!stop.load(Ordering::Relaxed));
    }

    /// A review that is stopped has the judgements of the moves from the end of the game up to there.
    #[test]
    fn a_move_is_judged_once_the_position_before_it_is_studied() {
        let mut reviewer = reviewer("(;SZ[15];B[hh];W[aa];B[ih])", Endings::default());
        // Black's last move wins, so that White's was a blunder.
        let moves = [("i8", Quality::Good), ("a15", Quality::Blunder), ("h8", Quality::Good)];
        let moves = moves.map(|(name, quality)| (name.to_owned(), quality));
        for (known, score) in [-29_993, 30, -30, 30].into_iter().enumerate() {
            reviewer.add(node(&reviewer, score)).unwrap();
            assert_eq!(judged(&reviewer), moves[..known]);
        }
        let ids: Vec<NodeId> = reviewer.judged().map(|(id, _)| id).collect();
        let review = reviewer.finish().unwrap();
        assert_eq!(review.steps.iter().rev().map(|step| step.id).collect::<Vec<_>>(), ids);
        assert_eq!(review.moves.iter().map(JudgedMove::name).collect::<Vec<_>>(), ["h8", "a15", "i8"]);
    }

    /// White leaves Black d1 alone, where Black's stone makes an overline and White's makes five. Black has to pass.
    #[test]
    fn a_forced_pass_is_a_ply() {
        let mut position =
            notation::parse("1ooxooo/ooxxxxo/xooooxx/xxxoxox/xoooxox/oxxoxoo/xxx1xxx o", None).unwrap();
        position.push(Move::Place(Point::new(0, 6))).unwrap();
        let rule = RuleKind::Renju;
        let request = Request {
            game: Game::of_position(&position),
            rule,
            endings: EndSet::Rif.endings(rule),
            limits: Limits { nodes: Some(500), ..Limits::default() },
            hash: 4 << 20,
        };
        let review = review(&mut Engine::new(), request, &AtomicBool::new(false), &mut |_| {}).unwrap();
        let plies: Vec<_> = review.nodes.iter().map(|node| node.score.mate()).collect();
        assert_eq!(plies, [Some(1), Some(-2)]);
        assert_eq!(review.moves[0].score.mate(), Some(2), "the pass and the five");
    }

    /// The two passes that end a game lose nothing; the move before them may.
    #[test]
    fn a_draw_by_passes_blames_no_pass() {
        let endings = Endings { passes: Some(0), two_passes: true, ..Endings::default() };
        let mut reviewer = reviewer("(;SZ[15];B[hh];W[aa];B[ih];W[];B[])", endings);
        for score in [0, 400, 300, 300] {
            reviewer.add(node(&reviewer, score)).unwrap();
        }
        let qualities: Vec<Quality> = judged(&reviewer).iter().map(|(_, quality)| *quality).collect();
        assert_eq!(qualities, [Quality::Good, Quality::Good, Quality::Blunder]);
    }
}
