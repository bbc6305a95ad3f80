//! What `kagetsu prove` says: JSON objects and text.

use crate::words;
use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use crate::{batch, draw};
use kagetsu::game::{Color, Diagram, Point, RuleKind, notation};
use kagetsu::solve::proof::Proof;
use kagetsu_tools::prove::Question;
use kagetsu_tools::prove::library::Entry;
use kagetsu_tools::prove::search::{End, State};
use kagetsu_tools::prove::survey::{Defence, Survey};

/// Proven positions that are listed one by one.
const LISTED: usize = 12;

/// A proof, and whether the verifier has gone through it.
pub struct Verified {
    pub entry: Entry,
    pub turns: usize,
    /// False if it was interrupted.
    pub valid: bool,
}

/// What came out of a search.
pub struct Outcome {
    pub end: End,
    /// Whether an interrupt ended the search.
    pub interrupted: bool,
    pub state: State,
    pub survey: Survey,
    /// The root's proof, or those of the proven positions, in the order of the survey.
    pub verified: Vec<Verified>,
    /// Time of the search.
    pub time: Duration,
    /// Time of the check.
    pub check: Duration,
}

fn names(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

/// What a proof says.
pub fn statement(attacker: Color, proof: &Proof, turns: usize, valid: bool) -> String {
    let verified = if valid { "verified" } else { "not verified: interrupted" };
    format!("{attacker} wins within {} plies, proof of {turns} turns, {verified}", proof.length())
}

impl Outcome {
    /// Whether an interrupt ended the search or the check of what it has found.
    pub fn is_broken_off(&self) -> bool {
        self.interrupted || self.verified.iter().any(|v| !v.valid)
    }

    /// The result in a few lines.
    pub fn summary(&self, question: &Question) -> String {
        let Question { rule, position, attacker } = question;
        let mut text = format!("{rule}, {attacker} to win after {}\n", notation::print(position));
        match self.verified.first() {
            Some(first) if self.survey.whole => {
                let _ = writeln!(text, "the whole is proven: {}", first.entry.statement);
            }
            Some(first) => {
                let (stones, entry) = (first.entry.position.stones().count(), &first.entry);
                let _ = writeln!(
                    text,
                    "open; {} positions on the way are proven, the first with {stones} stones, {attacker} to move: {}\n{}",
                    self.verified.len(),
                    notation::print(&entry.position),
                    entry.statement
                );
            }
            None if self.end == End::Hopeless => {
                let _ = writeln!(text, "{attacker} does not win: every move is met by fours");
            }
            None => text.push_str("open; nothing is proven yet\n"),
        }
        let _ = write!(
            text,
            "{} answers ({} from earlier runs), {} nodes; search {:.1} s, check {:.1} s",
            self.state.asked + self.state.recalled,
            self.state.recalled,
            self.state.nodes,
            self.time.as_secs_f64(),
            self.check.as_secs_f64()
        );
        text
    }

    /// The result as a JSON object.
    pub fn answer(&self, question: &Question) -> Value {
        let list = |points: &[Point]| points.iter().map(Point::to_string).collect::<Vec<_>>();
        let defences = self.survey.defences.iter().map(|defence| {
            let Defence { position, proven, open, covered } = defence;
            let (moves, proven, open) = (notation::print(position), list(proven), list(open));
            json!({"moves": moves, "covered": covered, "proven": proven, "open": open})
        });
        let won = self.survey.won.iter().map(|won| Some(won.nodes)).chain(std::iter::repeat(None));
        let proofs: Vec<Value> = self
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
        let costs = self.survey.costs.iter().map(|(stones, cost)| {
            json!({"stones": stones, "positions": cost.positions, "median": cost.median, "most": cost.most})
        });
        json!({
            "rule": question.rule.to_string(),
            "moves": notation::print(&question.position),
            "attacker": question.attacker.to_string(),
            "result": if self.survey.whole { "proven" } else { "open" },
            "end": if self.interrupted { "interrupted" } else { self.end.name() },
            "proofs": proofs,
            "defences": defences.collect::<Vec<_>>(),
            "costs": costs.collect::<Vec<_>>(),
            "answers": self.state.asked,
            "recalled": self.state.recalled,
            "nodes": self.state.nodes,
            "ms": self.time.as_millis() as u64,
            "check_ms": self.check.as_millis() as u64,
        })
    }
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

/// Of each number of stones the defence that is nearest to its proof.
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
                "{stones:3} stones  {}: {lost} of {all} replies lose, {} are open",
                notation::print(position),
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
        writeln!(out, "  {covered} lose as a pass does")?;
        writeln!(out, "  {} lose, each by a proof of its own: {}", proven.len(), names(proven))?;
        writeln!(out, "  {} are open: {}", open.len(), names(open))?;
    }
    Ok(())
}

/// Shows what a check has found: everything holds, or it had been an error.
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
