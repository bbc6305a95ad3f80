//! Prints the answers of `kagetsu prove`: JSON objects and text.

use kagetsu_tools::words;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use kagetsu::game::{Diagram, Point, RuleKind, notation};
use kagetsu_console::{batch, draw};
use kagetsu_tools::prove::Question;
use kagetsu_tools::prove::run::{Outcome, Verified};
use kagetsu_tools::prove::survey::{Defence, Survey};

/// Proven positions that are listed one by one.
const LISTED: usize = 12;

fn names(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

/// The result as a JSON object.
pub fn answer(outcome: &Outcome, question: &Question) -> Value {
    let list = |points: &[Point]| points.iter().map(Point::to_string).collect::<Vec<_>>();
    let defences = outcome.survey.defences.iter().map(|defence| {
        let Defence { position, proven, open, covered } = defence;
        let (moves, proven, open) = (notation::print(position), list(proven), list(open));
        json!({"moves": moves, "covered": covered, "proven": proven, "open": open})
    });
    let won = outcome.survey.won.iter().map(|won| Some(won.nodes)).chain(std::iter::repeat(None));
    let proofs: Vec<Value> = outcome
        .verified
        .iter()
        .zip(won)
        .map(|(v, nodes)| {
            json!({
                "moves": notation::print(&v.entry.position),
                "stones": v.entry.position.stones().count(),
                "move": v.entry.proof.first().point.to_string(),
                "length": v.entry.proof.length(),
                "turns": v.turns,
                "nodes": nodes,
                "verified": v.valid,
            })
        })
        .collect();
    let costs = outcome.survey.costs.iter().map(|(stones, cost)| {
        json!({"stones": stones, "positions": cost.positions, "median": cost.median, "most": cost.most})
    });
    json!({
        "rule": question.rule.to_string(),
        "moves": notation::print(&question.position),
        "attacker": question.attacker.to_string(),
        "result": if outcome.survey.whole { "proven" } else { "open" },
        "end": if outcome.interrupted { "interrupted" } else { outcome.end.name() },
        "proofs": proofs,
        "defences": defences.collect::<Vec<_>>(),
        "costs": costs.collect::<Vec<_>>(),
        "answers": outcome.state.asked,
        "recalled": outcome.state.recalled,
        "nodes": outcome.state.nodes,
        "ms": outcome.time.as_millis() as u64,
        "check_ms": outcome.check.as_millis() as u64,
    })
}

/// Shows the result.
pub fn print(out: &mut dyn Write, question: &Question, outcome: &Outcome) -> Result<()> {
    let shown = outcome.verified.first().filter(|_| !outcome.survey.whole);
    draw::board(out, &Diagram::of(shown.map_or(&question.position, |first| &first.entry.position)))?;
    writeln!(out, "\n{}", outcome.summary(question))?;
    let survey = &outcome.survey;
    if !survey.whole && !outcome.verified.is_empty() {
        writeln!(out, "\nproven, with the nodes they took:")?;
        for (v, won) in outcome.verified.iter().zip(&survey.won).take(LISTED) {
            let stones = won.position.stones().count();
            writeln!(
                out,
                "{stones:3} stones {:>12}  {}: {}",
                won.nodes,
                notation::print(&won.position),
                v.entry.statement
            )?;
        }
        if outcome.verified.len() > LISTED {
            writeln!(out, "    and {} more", outcome.verified.len() - LISTED)?;
        }
        print_best(out, survey)?;
        print_way(out, outcome)?;
    }
    if !survey.costs.is_empty() {
        writeln!(out, "\nhow the cost grows: proven positions")?;
        writeln!(out, "stones  positions  nodes of the median     of the costliest")?;
        for (stones, cost) in survey.costs.iter() {
            writeln!(out, "{stones:6} {:10} {:20} {:20}", cost.positions, cost.median, cost.most)?;
        }
    }
    Ok(())
}

/// Keeps, for each number of stones, the defence nearest to its proof.
fn print_best(out: &mut dyn Write, survey: &Survey) -> Result<()> {
    writeln!(out, "\nnearest to a proof, of each number of stones:")?;
    let mut last = 0;
    for Defence { position, proven, open, covered } in &survey.defences {
        let stones = position.stones().count();
        if stones > last {
            last = stones;
            let all = covered + proven.len() + open.len();
            let lost = covered + proven.len();
            writeln!(
                out,
                "{:>10}  {}: lost {lost} of {}, open {}",
                words::count(stones, "stone"),
                notation::print(position),
                words::count(all, "reply"),
                open.len()
            )?;
        }
    }
    Ok(())
}

/// The defences on the way to the first proven position: which replies are covered, which are not.
fn print_way(out: &mut dyn Write, outcome: &Outcome) -> Result<()> {
    let Some(first) = outcome.survey.won.first() else { return Ok(()) };
    writeln!(out, "\nthe replies on the way to the first:")?;
    let way = first.position.moves();
    for defence in &outcome.survey.defences {
        let Defence { position, proven, open, covered } = defence;
        if !way.starts_with(position.moves()) {
            continue;
        }
        writeln!(out, "after {}:", notation::print(position))?;
        writeln!(out, "  lost as after a pass: {}", words::count(*covered, "reply"))?;
        let (lost, left) = (words::count(proven.len(), "reply"), words::count(open.len(), "reply"));
        writeln!(out, "  lost, each by a proof of its own: {lost}: {}", names(proven))?;
        writeln!(out, "  open: {left}: {}", names(open))?;
    }
    Ok(())
}

/// Shows the result of a check. All proofs hold, because a wrong one is an error.
pub fn print_check(
    out: &mut dyn Write,
    json: bool,
    rule: RuleKind,
    verified: &[Verified],
    time: Duration,
) -> Result<()> {
    let turns: usize = verified.iter().map(|v| v.turns).sum();
    if json {
        let proofs = verified.iter().map(|v| {
            let moves = notation::print(&v.entry.position);
            json!({"moves": moves, "length": v.entry.proof.length(), "turns": v.turns})
        });
        let proofs: Vec<Value> = proofs.collect();
        let (rule, ms) = (rule.to_string(), time.as_millis() as u64);
        let answer = json!({"rule": rule, "proofs": proofs, "turns": turns, "valid": true, "ms": ms});
        return batch::write_line(out, &answer);
    }
    for v in verified {
        writeln!(out, "{}: {}", notation::print(&v.entry.position), v.entry.statement)?;
    }
    let (proofs, seconds) = (verified.len(), time.as_secs_f64());
    writeln!(
        out,
        "{} of {}, all verified under {rule}, {seconds:.1} s",
        words::count(proofs, "proof"),
        words::count(turns, "turn")
    )?;
    Ok(())
}
