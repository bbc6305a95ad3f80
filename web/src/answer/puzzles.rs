//! The built-in puzzles, puzzles from a file, and the end of a puzzle.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::convert;
use crate::desk::{Job, Progress, Turn};
use crate::limits;
use crate::resources::Resources;
use crate::schema::Tell;
use crate::schema::ask::SolveKind;
use crate::schema::board::{self, Color, Rule, Stone};
use crate::schema::library::{Puzzle, PuzzleSet, Trial};
use kagetsu::game::{Board, Endings, Position};
use kagetsu::with_rule;
use kagetsu_tools::record::Format;
use kagetsu_tools::untrusted;

/// Characters of a name that are kept.
const NAME: usize = 100;

/// Forced wins, each verified by two programs, and positions without one, which no set has; the field `source` says where
/// each is from. It is a copy of `tests/data/puzzles.jsonl`, because a crate's package holds only files from its own folder.
static PUZZLES: &str = include_str!("../../data/puzzles.jsonl");

/// A line of the file.
#[derive(Deserialize)]
struct Record {
    id: Option<String>,
    rule: Rule,
    size: u8,
    black: Vec<String>,
    white: Vec<String>,
    side: Color,
    kind: String,
    win_len: Option<u32>,
    #[serde(default)]
    source: String,
}

impl Record {
    /// The puzzle, named by its line number if it has no name; `None` for a position without a win.
    fn puzzle(self, number: usize) -> Option<Puzzle> {
        let kind = match self.kind.as_str() {
            "vcf" => SolveKind::Vcf,
            "vct" => SolveKind::Vct,
            _ => return None,
        };
        let stones = |points: Vec<String>, color| points.into_iter().map(move |point| Stone { point, color });
        let setup = stones(self.black, Color::Black).chain(stones(self.white, Color::White)).collect();
        let position =
            board::Position { size: self.size, rule: self.rule, setup, first: self.side, moves: Vec::new() };
        let id = self.id.unwrap_or_else(|| number.to_string());
        Some(Puzzle { id, position, kind, length: self.win_len, source: self.source })
    }
}

/// The sets, one for each rule and kind, short wins first.
pub fn sets() -> Tell {
    let records = PUZZLES.lines().filter_map(|line| serde_json::from_str::<Record>(line).ok());
    let mut puzzles: Vec<Puzzle> = (1..).zip(records).filter_map(|(i, record)| record.puzzle(i)).collect();
    puzzles.retain(|puzzle| puzzle.length.is_some());
    puzzles.sort_by_key(|puzzle| puzzle.length);
    let mut sets: Vec<PuzzleSet> = Vec::new();
    for (rule, name) in [(Rule::Renju, "Renju"), (Rule::Standard, "Standard"), (Rule::Freestyle, "Freestyle")]
    {
        for (kind, by) in [(SolveKind::Vcf, "win by fours"), (SolveKind::Vct, "win by threats")] {
            let is_of = |p: &&Puzzle| p.position.rule == rule && p.kind == kind;
            let chosen: Vec<Puzzle> = puzzles.iter().filter(is_of).cloned().collect();
            if !chosen.is_empty() {
                sets.push(PuzzleSet { title: format!("{name}: {by}"), puzzles: chosen });
            }
        }
    }
    Tell::Puzzles { sets }
}

/// Returns a set from a file: records like the built-in ones, one on a line (`.jsonl`), or the games of any game file,
/// each ending in the position of a puzzle. A repeated id is made distinct by the puzzle's place in the set.
///
/// # Errors
/// The first line or game that is not a puzzle, or that the file has none.
pub fn read(name: &str, data: &str, rule: Rule) -> Result<Tell> {
    let bytes = STANDARD.decode(data).context("the file's content is not in base64")?;
    let is_list = Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("jsonl"));
    let mut puzzles = if is_list { records(&bytes)? } else { games(name, &bytes, rule)? };
    let name: String = name.chars().take(NAME).collect();
    ensure!(!puzzles.is_empty(), "there is no puzzle in {}", untrusted::line(&name));
    let mut taken = HashSet::new();
    for (place, puzzle) in (1..).zip(&mut puzzles) {
        // Solved puzzles are remembered by name, and a built-in puzzle of the same name is another one.
        let room = NAME.saturating_sub(puzzle.id.chars().count() + 1);
        let file: String = name.chars().take(room).collect();
        let id: String = format!("{file}#{}", puzzle.id).split_whitespace().collect::<Vec<_>>().join("_");
        puzzle.id = untrusted::line(&id).into_owned();
        // The page finds a puzzle by its id: one with the id of another could not be reached.
        while !taken.insert(puzzle.id.clone()) {
            puzzle.id = format!("{}#{place}", puzzle.id);
        }
    }
    Ok(Tell::Puzzles { sets: vec![PuzzleSet { title: untrusted::line(&name).into_owned(), puzzles }] })
}

fn records(bytes: &[u8]) -> Result<Vec<Puzzle>> {
    let text = std::str::from_utf8(bytes).context("the file is not in UTF-8")?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let mut puzzles = Vec::new();
    for (number, line) in lines {
        let at = || format!("line {number}");
        let record: Record = serde_json::from_str(line).with_context(at)?;
        let known = ["vcf", "vct", "none"].contains(&record.kind.as_str());
        ensure!(known, "line {number}: the kind is {:?}: expected vcf, vct or none", record.kind);
        if let Some(puzzle) = record.puzzle(number) {
            ensure!(over(&puzzle.position).with_context(at)?.is_none(), "line {number}: the game is over");
            puzzles.push(puzzle);
        }
        ensure!(puzzles.len() <= limits::PUZZLES, "the file has more than {} puzzles", limits::PUZZLES);
    }
    Ok(puzzles)
}

fn games(name: &str, bytes: &[u8], rule: Rule) -> Result<Vec<Puzzle>> {
    let format = Format::of_path(Path::new(name)).ok_or_else(|| {
        let known = Format::NAMES.join(", ");
        anyhow!("{}: unknown extension; sets of puzzles are jsonl, {known}", untrusted::line(name))
    })?;
    let mut puzzles = Vec::new();
    for (number, game) in (1usize..).zip(format.games(bytes, &super::files::reading())?) {
        let at = || format!("game {number}");
        let game = game.with_context(at)?;
        let last = game.main_position(None).with_context(at)?;
        // The moves before the puzzle become setup stones, so that the solver cannot take them back.
        let stones = Position::from_stones(last.size(), last.stones(), last.side()).with_context(at)?;
        let position = convert::of_position(&stones, game.rule.map_or(rule, Into::into));
        ensure!(over(&position).with_context(at)?.is_none(), "game {number}: the game is over");
        puzzles.push(Puzzle {
            id: number.to_string(),
            position,
            kind: SolveKind::Vct,
            length: None,
            source: String::new(),
        });
        ensure!(puzzles.len() <= limits::PUZZLES, "the file has more than {} puzzles", limits::PUZZLES);
    }
    Ok(puzzles)
}

/// A puzzle that the last move has solved, or lost by a foul. It needs no engine, and its answer keeps the order of the
/// others.
pub struct Over(Trial);

impl Job for Over {
    fn run(&mut self, _: &mut Resources, turn: &Turn<'_>) -> Result<Progress> {
        turn.outlet.tell(Tell::Trial(self.0.clone()));
        Ok(Progress::Ended)
    }
}

/// Whether the last move has ended the puzzle.
pub fn over(given: &board::Position) -> Result<Option<Over>> {
    let (position, rule) = convert::position(given)?;
    let outcome = with_rule!(rule, R => Board::<R>::from_position(&position)?.outcome(&Endings::default()));
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
            assert!(puzzle.length.unwrap() % 2 == 1 && position.stones().count() > 4, "{}", puzzle.id);
        }
    }

    #[test]
    fn the_copy_is_the_set_of_the_tests() {
        let original = std::fs::read_to_string("../tests/data/puzzles.jsonl").unwrap();
        assert!(original == PUZZLES, "copy tests/data/puzzles.jsonl to web/data");
    }

    fn own(name: &str, content: &str) -> Result<Vec<Puzzle>, String> {
        match read(name, &STANDARD.encode(content), Rule::Renju) {
            Ok(Tell::Puzzles { sets }) => Ok(sets.into_iter().flat_map(|set| set.puzzles).collect()),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(format!("{error:#}")),
        }
    }

    #[test]
    fn own_sets_are_lists_or_games() {
        let line = r#"{"rule":"freestyle","size":9,"black":["d4","e4","f4"],"white":["a1","a9"],"side":"black","kind":"vcf"}"#;
        let none = line.replace("vcf", "none");
        let found = own("my set.jsonl", &format!("{line}\n\n{none}\n{line}\n")).unwrap();
        assert_eq!(
            found.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(),
            ["my_set.jsonl#1", "my_set.jsonl#4"]
        );
        assert_eq!((found[0].length, found[0].position.size), (None, 9));
        let found =
            own("two.sgf", "(;SZ[15]RU[freestyle];B[hh];W[hg])(;SZ[15]AB[hh][hi]AW[aa]PL[W])").unwrap();
        assert_eq!(found[0].position.rule, Rule::Freestyle);
        assert_eq!((found[1].position.rule, found[1].position.first), (Rule::Renju, Color::White));
    }

    #[test]
    fn equal_names_in_a_set_are_made_distinct() {
        let named = |id: &str| {
            format!(
                r#"{{"id":"{id}","rule":"freestyle","size":9,"black":["d4"],"white":["a1"],"side":"black","kind":"vcf"}}"#
            )
        };
        let content: Vec<String> = ["x#5", "a b", "a_b", "x", "x", "x"].map(named).into();
        let found = own("m.jsonl", &content.join("\n")).unwrap();
        assert_eq!(
            found.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(),
            ["m.jsonl#x#5", "m.jsonl#a_b", "m.jsonl#a_b#3", "m.jsonl#x", "m.jsonl#x#5#5", "m.jsonl#x#6"]
        );
    }

    #[test]
    fn wrong_sets_are_refused_with_the_place() {
        let line =
            r#"{"rule":"freestyle","size":9,"black":["d4","d4"],"white":[],"side":"black","kind":"vcf"}"#;
        for (name, content, wanted) in [
            ("a.jsonl", "{}", "line 1: missing field `rule`"),
            ("a.jsonl", line, "line 1: "),
            ("a.jsonl", &line.replace("\"vcf\"", "\"puzzle\"")[..], "expected vcf, vct or none"),
            ("a.jsonl", "", "there is no puzzle in a.jsonl"),
            ("a.sgf", "(;SZ[15];B[zz])", "game 1: "),
            ("a.sgf", "(;SZ[15]AB[hh][hi][hj][hk][hl])", "game 1: the game is over"),
            ("a.exe", "x", "unknown extension"),
            ("a", "x", "unknown extension"),
        ] {
            let error = own(name, content).unwrap_err();
            assert!(error.contains(wanted), "{name}: {error}");
        }
    }
}
