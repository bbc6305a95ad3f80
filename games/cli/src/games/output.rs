//! The JSON types of the answers.

use serde::Serialize;

use kagetsu_console::batch::Id;
use kagetsu_games::game::Solved;
use kagetsu_games::search::{Line, Report, mate};
use kagetsu_games::{Game, Kind, Move, notation};

/// A game of the list.
#[derive(Serialize)]
pub struct Listed {
    pub game: &'static str,
    pub title: &'static str,
    pub size: usize,
    pub sizes: &'static str,
}

impl Listed {
    pub fn of(kind: Kind) -> Listed {
        let about = kind.about();
        Listed { game: about.name, title: about.title, size: about.size, sizes: about.sizes }
    }
}

/// A position.
#[derive(Serialize)]
pub struct Shown {
    pub id: Id,
    pub game: &'static str,
    pub variant: String,
    pub size: usize,
    pub side: String,
    pub moves: Vec<String>,
    pub setup: String,
    /// `null` while the game goes on.
    pub outcome: Option<String>,
    /// `black`, `white`, or `null`.
    pub winner: Option<String>,
    pub legal: Vec<String>,
}

impl Shown {
    pub fn of(id: Id, game: &dyn Game) -> Shown {
        let names = |moves: Vec<Move>| moves.iter().map(Move::to_string).collect();
        let outcome = game.outcome();
        Shown {
            id,
            game: game.kind().name(),
            variant: game.variant(),
            size: game.size(),
            side: game.side().to_string(),
            moves: names(game.history().into_iter().map(|(_, m)| m).collect()),
            setup: notation::print_setup(game),
            winner: outcome.and_then(|outcome| outcome.winner).map(|color| color.to_string()),
            outcome: outcome.map(|outcome| outcome.to_string()),
            legal: names(game.legal()),
        }
    }
}

/// One line of an analysis.
#[derive(Serialize)]
struct Ranked {
    multipv: usize,
    score: i32,
    mate: Option<i32>,
    pv: Vec<String>,
}

/// An analysis.
#[derive(Serialize)]
pub struct Analysis {
    id: Id,
    game: &'static str,
    best: Option<String>,
    score: i32,
    mate: Option<i32>,
    solved: bool,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    nps: u64,
    ms: u64,
    pv: Vec<String>,
    lines: Vec<Ranked>,
}

/// The moves of a line.
pub fn names(line: &Line) -> Vec<String> {
    line.moves.iter().map(Move::to_string).collect()
}

impl Analysis {
    pub fn of(id: Id, game: &dyn Game, report: &Report) -> Analysis {
        let ranked = |(i, line): (usize, &Line)| Ranked {
            multipv: i + 1,
            score: line.score,
            mate: mate(line.score),
            pv: names(line),
        };
        let first = report.lines.first();
        let score = first.map_or(0, |line| line.score);
        let pv = first.map(names).unwrap_or_default();
        Analysis {
            id,
            game: game.kind().name(),
            best: pv.first().cloned(),
            score,
            mate: mate(score),
            solved: report.solved,
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            nps: (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-6)) as u64,
            ms: u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX),
            pv,
            lines: report.lines.iter().enumerate().map(ranked).collect(),
        }
    }
}

/// A solved position.
#[derive(Serialize)]
pub struct Solution {
    id: Id,
    game: &'static str,
    side: String,
    value: i32,
    best: Option<String>,
    line: Vec<String>,
    nodes: u64,
    ms: u64,
}

impl Solution {
    pub fn of(id: Id, game: &dyn Game, solved: &Solved, ms: u128) -> Solution {
        let line: Vec<String> = solved.line.iter().map(Move::to_string).collect();
        Solution {
            id,
            game: game.kind().name(),
            side: game.side().to_string(),
            value: solved.value,
            best: line.first().cloned(),
            line,
            nodes: solved.nodes,
            ms: u64::try_from(ms).unwrap_or(u64::MAX),
        }
    }
}

/// Counted games.
#[derive(Serialize)]
pub struct Counted {
    pub game: &'static str,
    pub depth: u32,
    pub games: u64,
    pub ms: u64,
}

/// The result of a match.
#[derive(Serialize)]
pub struct MatchResult {
    pub game: &'static str,
    pub opponent: String,
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}
