//! A game of the engine against itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;

use kagetsu::clock::SystemClock;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{Color, Endings, Move, Position, RuleKind, status};
use kagetsu::search::{Context, Limits, Score};

/// Bytes of each side's tables.
const MEMORY: u64 = 16 << 20;
/// Longer games are draws.
const LONGEST: usize = 200;
/// A game is a draw after this many moves in a row whose scores are at most [`LEVEL`].
const LEVEL_MOVES: usize = 20;
/// A score that gives nobody an advantage.
const LEVEL: i32 = 15;

/// A finished game.
pub struct Played {
    /// The last position: the game is over there, or a search has proven its result.
    pub end: Position,
    /// The winner, `None` for a draw.
    pub winner: Option<Color>,
}

/// Two engines that play against each other.
pub struct Table {
    rule: RuleKind,
    sides: [Engine; 2],
}

impl Table {
    /// Sets up a table for a rule.
    pub fn new(rule: RuleKind) -> Table {
        let engine = || {
            let mut engine = Engine::new();
            engine.set_options(Options { rule, hash: Some(MEMORY), ..Options::default() });
            engine
        };
        Table { rule, sides: [engine(), engine()] }
    }

    /// Plays a game from an opening with these nodes for each move of Black and of White; `None` if it was stopped. It ends
    /// as soon as a search has proven who wins.
    ///
    /// # Errors
    /// If a position of the game is impossible, which is a fault of the engine.
    pub fn play(&mut self, opening: &Position, nodes: [u64; 2], stop: &AtomicBool) -> Result<Option<Played>> {
        self.sides.iter_mut().for_each(Engine::clear);
        let clock = SystemClock::new();
        let context = Context { clock: &clock, start: Duration::ZERO, stop };
        let (mut position, mut level) = (opening.clone(), 0);
        loop {
            if let Some(outcome) = status::outcome(&position, self.rule, &Endings::default())? {
                return Ok(Some(Played { end: position, winner: outcome.winner() }));
            }
            let side = position.side();
            let engine = &mut self.sides[side.index()];
            engine.set_position(position.clone());
            let limits = Limits { nodes: Some(nodes[side.index()]), ..Limits::default() };
            let found = engine.go(&limits, &context, &mut |_| {});
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let is_drawn = position.moves().len() >= LONGEST || level >= LEVEL_MOVES;
            let Some((point, report)) = found.filter(|_| !is_drawn) else {
                return Ok(Some(Played { end: position, winner: None }));
            };
            let score = report.lines.first().map_or(Score(0), |line| line.score);
            level = if score.0.abs() <= LEVEL { level + 1 } else { 0 };
            if let Some(plies) = score.mate() {
                let winner = if plies > 0 { side } else { !side };
                return Ok(Some(Played { end: position, winner: Some(winner) }));
            }
            position.push(Move::Place(point))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use kagetsu::game::{Size, notation};

    use super::*;

    #[test]
    fn a_game_ends_at_a_proof() {
        let mut table = Table::new(RuleKind::Freestyle);
        // Black has an open three and the move.
        let opening = notation::parse("h8a1i8c1j8e1", Some(Size::S15)).unwrap();
        let stop = AtomicBool::new(false);
        let played = table.play(&opening, [500, 700], &stop).unwrap().unwrap();
        assert_eq!((played.winner, &played.end), (Some(Color::Black), &opening));
        stop.store(true, Ordering::Relaxed);
        let quiet = notation::parse("h8", Some(Size::S15)).unwrap();
        assert!(table.play(&quiet, [500, 700], &stop).unwrap().is_none());
    }
}
