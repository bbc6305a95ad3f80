//! A whole game annotated: every position studied, the last one first, so that what is proven late in the game is known
//! before its earlier positions are looked at.
//!
//! [`course`] takes the positions from the file, [`judge`] says what each move was worth, [`table`] prints it, [`record`]
//! writes it into the game's file.

mod course;
pub mod judge;
pub mod record;
pub mod table;

use anyhow::{Context as _, Result};

use self::course::{Course, Step};
use self::judge::Move;
use crate::input;
use crate::progress::Progress;
use kagetsu::engine::Engine;
use kagetsu::game::{Board, Color, Endings, FoulKinds, Move as Turn, Outcome, Position, RuleKind};
use kagetsu::search::{Limits, Score};
use kagetsu::with_rule;
use kagetsu_tools::record::{Game, NodeId};
use kagetsu_tools::study::{self, By, Line, Question};

/// One position of a game, as known in the end.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it stands in the file.
    pub id: NodeId,
    /// The side to move.
    pub side: Color,
    /// The score of the side to move.
    pub score: Score,
    /// What proved it.
    pub by: Option<By>,
    /// The best line.
    pub line: Line,
    /// How the game ended here.
    pub end: Option<Outcome>,
}

/// A game with what was found out about it.
pub struct Annotated {
    /// The game as it was read.
    pub game: Game,
    /// The rule it was judged by.
    pub rule: RuleKind,
    /// Its positions, from before the first move to the end.
    pub nodes: Vec<Node>,
    /// The moves between them.
    pub steps: Vec<Step>,
    /// What they were worth.
    pub moves: Vec<Move>,
    /// Moves of the file behind the end of the game.
    pub left_out: usize,
    /// The last position looked at.
    pub last: Position,
}

/// What each position may be given.
pub struct Resources {
    /// Limits of one position's study.
    pub limits: Limits,
    /// Bytes for tables.
    pub hash: u64,
}

/// Studies all positions of a game's main line.
///
/// # Errors
/// If the game has no moves, or too many.
pub fn annotate(game: Game, rule: RuleKind, endings: &Endings, resources: &Resources) -> Result<Annotated> {
    let Course { mut positions, steps, end, left_out } = Course::of(&game, rule, endings)?;
    let mut student = Student { engine: Engine::new(), rule, endings, resources };
    let mut progress = Progress::of(positions.len() as u64);
    let mut nodes = Vec::new();
    for (i, (id, position)) in positions.iter().enumerate().rev() {
        progress.say(|| format!("position {i}"));
        let end = end.filter(|_| i + 1 == positions.len());
        // Between the passes of a draw nobody has played on.
        let is_passed =
            i + 2 == positions.len() && nodes.last().is_some_and(|node: &Node| node.end == judge::PASSED);
        nodes.push(if is_passed { drawn(*id, position.side()) } else { student.node(*id, position, end)? });
        progress.step();
    }
    nodes.reverse();
    drop(progress);
    judge::agree(&mut nodes, &steps);
    let fouls = fouls(rule, &positions, &steps)?;
    let moves = judge::moves(rule, &nodes, &steps, &fouls);
    let last = positions.pop().map(|(_, position)| position).context("a game has a position")?;
    Ok(Annotated { game, rule, nodes, steps, moves, left_out, last })
}

/// What kinds of foul each move was.
fn fouls(rule: RuleKind, positions: &[(NodeId, Position)], steps: &[Step]) -> Result<Vec<Option<FoulKinds>>> {
    let foul = |step: &Step| -> Result<Option<FoulKinds>> {
        let (_, position) = &positions[step.after];
        with_rule!(rule, R => Ok(Board::<R>::from_position(position)?.last_foul()))
    };
    steps.iter().map(foul).collect()
}

/// A position that is worth a draw.
fn drawn(id: NodeId, side: Color) -> Node {
    let score = Score(0);
    Node { id, side, score, by: None, line: Line { score, moves: Vec::new() }, end: None }
}

/// Studies the positions of one game.
struct Student<'a> {
    engine: Engine,
    rule: RuleKind,
    endings: &'a Endings,
    resources: &'a Resources,
}

impl Student<'_> {
    /// A position of the game, which ended in it as `end` says.
    fn node(&mut self, id: NodeId, position: &Position, end: Option<Outcome>) -> Result<Node> {
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

    /// The best line of a position in which the game goes on, and what proved it.
    fn study(&mut self, position: &Position) -> Result<(Option<By>, Line)> {
        let mut position = position.clone();
        let only_pass = input::only_pass(self.rule, &position, self.endings)?;
        if only_pass == Some(false) {
            // The foul is Black's next move.
            return Ok((Some(By::Search), Line { score: Score(2 - Score::MATE), moves: Vec::new() }));
        }
        if only_pass.is_some() {
            position.push(Turn::Pass)?;
        }
        let Resources { limits, hash } = self.resources;
        let question = Question { position, rule: self.rule, limits: limits.clone(), hash: *hash };
        let stop = std::sync::atomic::AtomicBool::new(false);
        let study = study::study(&mut self.engine, &question, &stop, &mut |_| {})?;
        let line = study.lines.into_iter().next().context("the search gave no line")?;
        if only_pass.is_none() {
            return Ok((study.proven, line));
        }
        let moves = [None].into_iter().chain(line.moves).collect();
        Ok((study.proven, Line { score: Score(-line.score.0), moves }))
    }
}
