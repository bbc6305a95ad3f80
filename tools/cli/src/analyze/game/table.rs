//! An annotated game as a table for people, as JSON for programs, and as the course of a plot.

use std::io::Write;

use anstyle::Style;
use anyhow::Result;
use serde::Serialize;

use super::judge::{Move, Verdict};
use super::{Annotated, Node};
use crate::analyze::answer::rounded;
use crate::analyze::text::opening_name;
use crate::batch::write_line;
use crate::draw;
use crate::words;
use kagetsu::game::openings26::Opening;
use kagetsu_tools::picture::plot::Stage;

/// Prints the game: title, one row a move, what matters.
pub fn print(out: &mut dyn Write, annotated: &Annotated) -> Result<()> {
    writeln!(out, "{}", title(annotated))?;
    if let Some(opening) = Opening::of_position(&annotated.last) {
        writeln!(out, "{}", opening_name(opening))?;
    }
    writeln!(out, "\n  #  side   move   score  black  best")?;
    for (i, m) in annotated.moves.iter().enumerate() {
        let style = style(m.verdict);
        let best = if m.verdict == Verdict::Good { String::new() } else { best(m) };
        let row = format!(
            "{:>3}  {:5}  {:5} {:>6} {:>4.0} %  {best:15} {:2} {}",
            i + 1,
            m.side.to_string(),
            m.name(),
            m.score.to_string(),
            100.0 * m.black(),
            symbol(m.verdict),
            remark(m)
        );
        writeln!(out, "{style}{}{style:#}", row.trim_end())?;
    }
    writeln!(out)?;
    for line in summary(annotated) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Players, event and rule.
pub fn title(annotated: &Annotated) -> String {
    let Annotated { game, rule, .. } = annotated;
    let players = [game.property("PB"), game.property("PW")].map(|name| name.unwrap_or("?"));
    let mut parts = Vec::new();
    if players != ["?", "?"] {
        parts.push(players.join(" - "));
    }
    parts.extend(game.property("EV").map(str::to_owned));
    parts.push(format!("{rule}, {}", game.size));
    parts.join(", ")
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Good | Verdict::Inaccuracy => Style::new(),
        Verdict::Mistake => draw::DOUBTFUL,
        Verdict::Blunder | Verdict::MissedWin | Verdict::Forbidden(_) => draw::WRONG,
    }
}

fn best(m: &Move) -> String {
    m.best.first().map(|p| format!("{p} ({})", m.best.score)).unwrap_or_default()
}

/// The sign of a verdict.
const fn symbol(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "",
        Verdict::Inaccuracy => "?!",
        Verdict::Mistake => "?",
        Verdict::Blunder | Verdict::MissedWin => "??",
        Verdict::Forbidden(_) => "!",
    }
}

/// What there is to say about a move.
pub fn remark(m: &Move) -> String {
    match m.verdict {
        Verdict::Good => String::new(),
        Verdict::Inaccuracy => "inaccuracy".into(),
        Verdict::Mistake => "mistake".into(),
        Verdict::Blunder => match m.score.mate() {
            Some(n) => format!("blunder: {} wins in {}", !m.side, -n),
            None => "blunder".into(),
        },
        Verdict::MissedWin => {
            let by = m.by.map_or("", |by| by.name());
            format!("missed win by {by} in {}", m.best.score.mate().unwrap_or_default())
        }
        Verdict::Forbidden(kinds) => format!("forbidden ({kinds})"),
    }
}

/// Where the game turned, missed wins, fouls, from where it was decided, and how it ended.
fn summary(annotated: &Annotated) -> Vec<String> {
    let moves = &annotated.moves;
    let named = |(i, m): (usize, &Move)| format!("{} {}", i + 1, m.name());
    let list = |wanted: &dyn Fn(&Move) -> bool| -> Vec<String> {
        moves.iter().enumerate().filter(|(_, m)| wanted(m)).map(named).collect()
    };
    let mut lines = Vec::new();
    let grave = moves.iter().enumerate().filter(|(_, m)| m.verdict.is_grave());
    if let Some((i, m)) = grave.max_by(|a, b| a.1.loss().total_cmp(&b.1.loss()).then(b.0.cmp(&a.0))) {
        let (before, after) = (100.0 * m.best_rate(), 100.0 * m.rate());
        let who = m.side;
        lines.push(format!("turned by {}: {who} {before:.0} % -> {after:.0} %", named((i, m))));
    }
    let missed = list(&|m| m.verdict == Verdict::MissedWin);
    if !missed.is_empty() {
        lines.push(format!("missed wins: {}", missed.join(", ")));
    }
    let fouls = list(&|m| matches!(m.verdict, Verdict::Forbidden(_)));
    if !fouls.is_empty() {
        lines.push(format!("forbidden moves: {}", fouls.join(", ")));
    }
    lines.extend(decided(annotated));
    if let Some(end) = annotated.nodes.last().and_then(|node| node.end) {
        lines.push(format!("end: {end}"));
    }
    if annotated.left_out > 0 {
        lines
            .push(format!("{} after the end of the game left out", words::count(annotated.left_out, "move")));
    }
    lines
}

/// From which move on the same side had a proven win to the end.
fn decided(annotated: &Annotated) -> Option<String> {
    let Annotated { nodes, steps, .. } = annotated;
    let winner = |node: &Node| node.score.mate().map(|n| if n > 0 { node.side } else { !node.side });
    let last = winner(nodes.last()?)?;
    let run = nodes.iter().rev().take_while(|node| winner(node) == Some(last)).count();
    let first = nodes.len() - run;
    (run > 1).then(|| match steps.iter().filter(|step| step.after <= first).count() {
        0 => format!("{last} had a proven win from the start"),
        moves => format!("{last} had a proven win from move {moves} on"),
    })
}

/// The chances of Black as a plot shows them; `start` stands before the first move.
pub fn stages(annotated: &Annotated) -> Vec<Stage> {
    let start = annotated.nodes.first().map(|node| {
        let own = node.score.win_rate(annotated.rule);
        if node.side == kagetsu::game::Color::Black { own } else { 1.0 - own }
    });
    let stage = |(i, m): (usize, &Move)| Stage {
        black: m.black(),
        name: m.verdict.is_grave().then(|| format!("{} {}", i + 1, m.name())),
    };
    let start = start.map(|black| Stage { black, name: None });
    start.into_iter().chain(annotated.moves.iter().enumerate().map(stage)).collect()
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

/// One object a move.
pub fn json(out: &mut dyn Write, annotated: &Annotated) -> Result<()> {
    for (i, m) in annotated.moves.iter().enumerate() {
        let foul = if let Verdict::Forbidden(kinds) = m.verdict { Some(kinds.to_string()) } else { None };
        let row = Row {
            r#move: i + 1,
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
            verdict: m.verdict.name(),
            foul,
        };
        write_line(out, &row)?;
    }
    Ok(())
}
