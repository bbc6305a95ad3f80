//! A whole game annotated: every position studied, the last one first, so that what is proven late in the game is known
//! before its earlier positions are looked at.
//!
//! [`judge`] says what each move was worth, [`table`] prints it, [`record`] writes it into the game's file.

pub mod judge;
pub mod record;
pub mod table;

use anyhow::{Context as _, Result, ensure};

use self::judge::Move;
use crate::cli::progress::Progress;
use crate::cli::study::{self, By, Line, Question};
use crate::engine::Engine;
use crate::game::{Board, Color, Endings, FoulKinds, Outcome, Position, RuleKind};
use crate::record::{Game, NodeId};
use crate::search::{Limits, Score};
use crate::with_rule;

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
/// If the game has no moves.
pub fn annotate(game: Game, rule: RuleKind, resources: &Resources) -> Result<Annotated> {
    let line: Vec<NodeId> = game.tree.main_line().filter(|&id| game.tree.turn(id).is_some()).collect();
    ensure!(!line.is_empty(), "the game has no moves");
    let mut positions = vec![(NodeId::ROOT, game.main_position(Some(0))?)];
    let mut end = None;
    for &id in &line {
        end = outcome(rule, &positions[positions.len() - 1].1)?;
        if end.is_some() {
            break;
        }
        positions.push((id, game.position(id)?));
    }
    let left_out = line.len() + 1 - positions.len();
    if end.is_none() {
        end = outcome(rule, &positions[positions.len() - 1].1)?;
    }
    let mut engine = Engine::new();
    let mut progress = Progress::of(positions.len() as u64);
    let mut nodes = Vec::new();
    for (i, (id, position)) in positions.iter().enumerate().rev() {
        progress.say(|| format!("move {i}"));
        let end = end.filter(|_| i + 1 == positions.len());
        nodes.push(node(&mut engine, *id, position, rule, end, resources)?);
        progress.step();
    }
    nodes.reverse();
    drop(progress);
    let played: Vec<_> = positions[1..].iter().map(|(id, _)| game.tree.turn(*id)).collect();
    let played = played.into_iter().collect::<Option<Vec<_>>>().context("a move without a stone or pass")?;
    judge::agree(&mut nodes, &played);
    let fouls = fouls(rule, &positions)?;
    let moves = judge::moves(&nodes, &played, &fouls);
    let last = positions.pop().map(|(_, position)| position).context("a game has a position")?;
    Ok(Annotated { game, rule, nodes, moves, left_out, last })
}

/// How a position ended the game.
fn outcome(rule: RuleKind, position: &Position) -> Result<Option<Outcome>> {
    with_rule!(rule, R => Ok(Board::<R>::from_position(position)?.outcome(&Endings::default())))
}

/// What kinds of foul each move was.
fn fouls(rule: RuleKind, positions: &[(NodeId, Position)]) -> Result<Vec<Option<FoulKinds>>> {
    let foul = |(_, position): &(NodeId, Position)| -> Result<Option<FoulKinds>> {
        with_rule!(rule, R => Ok(Board::<R>::from_position(position)?.last_foul()))
    };
    positions[1..].iter().map(foul).collect()
}

fn node(
    engine: &mut Engine,
    id: NodeId,
    position: &Position,
    rule: RuleKind,
    end: Option<Outcome>,
    resources: &Resources,
) -> Result<Node> {
    let side = position.side();
    if let Some(end) = end {
        let score = match end.winner() {
            None => Score(0),
            Some(winner) if winner == side => Score(Score::MATE - 1),
            Some(_) => Score(-Score::MATE),
        };
        return Ok(Node {
            id,
            side,
            score,
            by: None,
            line: Line { score, moves: Vec::new() },
            end: Some(end),
        });
    }
    let question =
        Question { position: position.clone(), rule, limits: resources.limits.clone(), hash: resources.hash };
    let stop = std::sync::atomic::AtomicBool::new(false);
    let study = study::study(engine, &question, &stop, &mut |_| {})?;
    let by = study.proven;
    let line = study.lines.into_iter().next().context("the search gave no line")?;
    Ok(Node { id, side, score: line.score, by, line, end: None })
}
