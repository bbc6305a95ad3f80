//! The puzzles in the program, and the end of one.

use anyhow::Result;
use serde::Deserialize;

use super::convert;
use crate::desk::{Bench, Progress, Turn, Work};
use crate::schema::Tell;
use crate::schema::ask::SolveKind;
use crate::schema::board::{self, Color, Rule, Stone};
use crate::schema::tell::{Puzzle, PuzzleSet, Trial};
use kagetsu::game::Board;
use kagetsu::with_rule;

/// Forced wins, each verified by two programs; the field `source` says where each is from.
static PUZZLES: &str = include_str!("../../../tests/data/puzzles.jsonl");

/// A line of the file.
#[derive(Deserialize)]
struct Record {
    id: String,
    rule: Rule,
    size: u8,
    black: Vec<String>,
    white: Vec<String>,
    side: Color,
    kind: String,
    win_len: Option<u32>,
    source: String,
}

impl Record {
    fn puzzle(self) -> Option<Puzzle> {
        let kind = match self.kind.as_str() {
            "vcf" => SolveKind::Vcf,
            "vct" => SolveKind::Vct,
            _ => return None,
        };
        let stones = |points: Vec<String>, color| points.into_iter().map(move |point| Stone { point, color });
        let setup = stones(self.black, Color::Black).chain(stones(self.white, Color::White)).collect();
        let position =
            board::Position { size: self.size, rule: self.rule, setup, first: self.side, moves: Vec::new() };
        Some(Puzzle { id: self.id, position, kind, length: self.win_len?, source: self.source })
    }
}

/// The sets, one for each rule and kind, short wins first.
pub fn sets() -> Tell {
    let records = PUZZLES.lines().filter_map(|line| serde_json::from_str::<Record>(line).ok());
    let mut puzzles: Vec<Puzzle> = records.filter_map(Record::puzzle).collect();
    puzzles.sort_by_key(|puzzle| puzzle.length);
    let mut sets: Vec<PuzzleSet> = Vec::new();
    for (rule, name) in [(Rule::Renju, "Renju"), (Rule::Standard, "Standard"), (Rule::Freestyle, "Freestyle")]
    {
        for (kind, by) in [(SolveKind::Vcf, "win by fours"), (SolveKind::Vct, "win by threats")] {
            let is_of = |p: &&Puzzle| p.position.rule == rule && p.kind == kind;
            let chosen: Vec<Puzzle> = puzzles.iter().filter(is_of).cloned().collect();
            if !chosen.is_empty() {
                sets.push(PuzzleSet { title: format!("{name}: {by}"), rule, puzzles: chosen });
            }
        }
    }
    Tell::Puzzles { sets }
}

/// A puzzle that the last move has solved, or lost by a foul: answered without the engine, in the order of the others.
pub struct Over(Trial);

impl Work for Over {
    fn run(&mut self, _: &mut Bench, turn: &Turn<'_>) -> Result<Progress> {
        turn.outlet.tell(Tell::Trial(self.0.clone()));
        Ok(Progress::Ended)
    }
}

/// Whether the last move has ended the puzzle.
pub fn made_five(given: &board::Position) -> Result<Option<Over>> {
    let (position, rule) = convert::position(given)?;
    let outcome = with_rule!(rule, R => Board::<R>::from_position(&position)?.outcome(&kagetsu::game::Endings::default()));
    Ok(outcome.map(|outcome| {
        let solved = outcome.winner() == Some(!position.side());
        let verdict = if solved { "solved" } else { "wrong" };
        Over(Trial { verdict: verdict.into(), reply: None, refutations: Vec::new(), left: None })
    }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_is_a_position_with_a_win() {
        let Tell::Puzzles { sets } = sets() else { panic!("puzzles") };
        assert!(sets.iter().map(|set| set.puzzles.len()).sum::<usize>() >= 50);
        for puzzle in sets.iter().flat_map(|set| &set.puzzles) {
            let (position, _) = convert::position(&puzzle.position).unwrap();
            assert!(puzzle.length % 2 == 1 && position.stones().count() > 4, "{}", puzzle.id);
        }
    }
}
