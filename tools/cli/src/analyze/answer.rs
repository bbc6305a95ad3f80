//! The answer in JSON, as `docs/json.md` describes it.

use anyhow::{Context as _, Result};
use serde::Serialize;

use kagetsu::game::RuleKind;
use kagetsu_console::batch::Id;
use kagetsu_tools::study::{Line, Study};

/// Answer about a position.
#[derive(Serialize)]
pub struct Answer {
    id: Id,
    best: String,
    /// Whether nothing was searched, so that the score is the static evaluation.
    #[serde(rename = "static")]
    is_static: bool,
    score: i32,
    win_rate: f64,
    mate: Option<i32>,
    /// Source of the proof.
    proven: Option<&'static str>,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    nps: u64,
    ms: u128,
    hash_permille: Option<usize>,
    pv: Vec<String>,
    lines: Vec<AnswerLine>,
}

#[derive(Serialize)]
struct AnswerLine {
    multipv: usize,
    score: i32,
    win_rate: f64,
    mate: Option<i32>,
    pv: Vec<String>,
}

/// Rounds a win rate to four decimals.
pub fn rounded(win_rate: f64) -> f64 {
    (win_rate * 1e4).round() / 1e4
}

impl Answer {
    /// The answer to the question called `id`, about a position under `rule`.
    pub fn new(id: Id, rule: RuleKind, study: &Study) -> Result<Answer> {
        let first = study.lines.first().context("the search gave no line")?;
        let line = |(i, line): (usize, &Line)| AnswerLine {
            multipv: i + 1,
            score: line.score.0,
            win_rate: rounded(line.score.win_rate(rule)),
            mate: line.score.mate(),
            pv: line.names(),
        };
        Ok(Answer {
            id,
            best: first.first().context("the search gave an empty line")?.to_string(),
            is_static: study.is_static,
            score: first.score.0,
            win_rate: rounded(first.score.win_rate(rule)),
            mate: first.score.mate(),
            proven: study.proven.map(|by| by.name()),
            depth: study.depth,
            seldepth: study.seldepth,
            nodes: study.nodes,
            nps: study.nps(),
            ms: study.elapsed.as_millis(),
            hash_permille: study.hash_permille,
            pv: first.names(),
            lines: study.lines.iter().enumerate().map(line).collect(),
        })
    }
}
