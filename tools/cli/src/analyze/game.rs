//! A reviewed game as a table for people and as JSON for programs.

use std::io::Write;

use anstyle::Style;
use anyhow::Result;
use serde::Serialize;

use super::answer::rounded;
use super::text::opening_name;
use kagetsu::game::openings26::Opening;
use kagetsu_console::batch::write_line;
use kagetsu_console::draw;
use kagetsu_tools::review::Review;
use kagetsu_tools::review::judge::{JudgedMove, Quality};
use kagetsu_tools::words;

/// Prints the game: title, one row a move, summary.
pub fn print(out: &mut dyn Write, review: &Review) -> Result<()> {
    writeln!(out, "{}", review.title())?;
    if let Some(opening) = Opening::of_game(&review.last, review.rule) {
        writeln!(out, "{}", opening_name(opening))?;
    }
    writeln!(out, "\n  #  side   move   score  black  best")?;
    for (i, m) in review.moves.iter().enumerate() {
        let style = style(m.quality);
        let best = if m.quality == Quality::Good { String::new() } else { best(m) };
        let row = format!(
            "{:>3}  {:5}  {:5} {:>6} {:>4.0} %  {best:15} {:2} {}",
            review.unjudged + i + 1,
            m.side.to_string(),
            m.name(),
            m.score.to_string(),
            100.0 * m.black(),
            m.quality.symbol(),
            m.remark()
        );
        writeln!(out, "{style}{}{style:#}", row.trim_end())?;
    }
    writeln!(out)?;
    for line in review.summary() {
        writeln!(out, "{line}")?;
    }
    if review.left_out > 0 {
        writeln!(out, "{} after the end of the game left out", words::count(review.left_out, "move"))?;
    }
    Ok(())
}

fn style(quality: Quality) -> Style {
    match quality {
        Quality::Good | Quality::Inaccuracy => Style::new(),
        Quality::Mistake => draw::DOUBTFUL,
        Quality::Blunder | Quality::MissedWin | Quality::Forbidden(_) => draw::WRONG,
    }
}

fn best(m: &JudgedMove) -> String {
    m.best.first().map(|p| format!("{p} ({})", m.best.score)).unwrap_or_default()
}

#[derive(Serialize)]
struct Row {
    r#move: usize,
    side: String,
    point: Option<String>,
    score: i32,
    win_rate: f64,
    mate: Option<i32>,
    best: Option<String>,
    best_score: i32,
    best_mate: Option<i32>,
    proven: Option<&'static str>,
    pv: Vec<String>,
    verdict: &'static str,
    foul: Option<String>,
}

/// Prints one object a move.
pub fn json(out: &mut dyn Write, review: &Review) -> Result<()> {
    for (i, m) in review.moves.iter().enumerate() {
        let foul = if let Quality::Forbidden(kinds) = m.quality { Some(kinds.to_string()) } else { None };
        let row = Row {
            r#move: review.unjudged + i + 1,
            side: m.side.to_string(),
            point: m.point.map(|p| p.to_string()),
            score: m.score.0,
            win_rate: rounded(m.rate()),
            mate: m.score.mate(),
            best: m.best.first().map(|p| p.to_string()),
            best_score: m.best.score.0,
            best_mate: m.best.score.mate(),
            proven: m.by.map(|by| by.name()),
            pv: m.best.names(),
            verdict: m.quality.name(),
            foul,
        };
        write_line(out, &row)?;
    }
    Ok(())
}
