//! Text of the engine's decision at a step of an opening.

use std::fmt::Write;

use super::step::{Form, OpeningStep};
use crate::decide::{Decider, Decision, Reason};
use crate::engine::Engine;
use crate::game::regulation::{Action, Choice, Opening};
use crate::game::{Point, Size};
use crate::protocol::output;
use crate::protocol::square::Square;
use crate::search::{Context, Limits};

/// Most reasons reported.
const REASONS: usize = 6;
/// Share of the time for the choice of a colour if the same answer also names the next stone.
const COLORS: f64 = 0.6;

/// Decides, and writes the reasons and the answer.
pub fn answer(
    engine: &mut Engine,
    step: &OpeningStep,
    opening: &Opening,
    limits: &Limits,
    context: &Context<'_>,
) -> String {
    let size = opening.position().size();
    let stones = opening.position().moves().len();
    let mut decider = Decider::new(engine, limits, context);
    // An answer of the Gomocup form has no word for keeping the colours: the next stone, or the fifths, stands for it.
    let long = step.form() == Form::Gomocup;
    let share = if long && opening.choices().contains(&Choice::Keep) { COLORS } else { 1.0 };
    let Some(mut decision) = decider.decide(opening, share) else {
        return "ERROR the board is full".to_owned();
    };
    let mut text = reasons(&decision.reasons, size);
    if long && decision.action == Action::Keep {
        let mut kept = opening.clone();
        // A decision is legal.
        let next = kept.apply(&Action::Keep).ok().and_then(|()| decider.decide(&kept, 1.0));
        let Some(next) = next else { return text + "ERROR the board is full" };
        decision = next;
    }
    text += &match step.form() {
        Form::Gomocup => gomocup(&decision, size),
        Form::Yixin(tag) => yixin(&decision, tag, stones, size),
    };
    text
}

/// The choices that were compared, in one line.
fn reasons(reasons: &[Reason], size: Size) -> String {
    let told = reasons.iter().take(REASONS).filter_map(|Reason { action, score }| {
        let action = match action {
            Action::Keep => "keep".to_owned(),
            Action::Swap => "swap".to_owned(),
            Action::Place { stones, declare } => output::names(stones, size) + &numbered(*declare),
            Action::Offer(points) => output::names(points, size),
            Action::Choose { fifth, sixth } => output::names(&[*fifth, *sixth], size),
            Action::Pass => return None,
        };
        score.as_ref().map(|score| format!("{action} ev {score}"))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { String::new() } else { format!("MESSAGE opening: {}\n", told.join(", ")) }
}

fn numbered(number: Option<usize>) -> String {
    number.map_or_else(String::new, |n| format!(" {n}"))
}

/// Writes squares, with the number of fifths if one is declared, or `SWAP`.
fn gomocup(decision: &Decision, size: Size) -> String {
    match &decision.action {
        Action::Place { stones, declare } => output::squares(stones, size) + &numbered(*declare),
        Action::Offer(points) => output::squares(points, size),
        Action::Choose { fifth, sixth } => output::squares(&[*fifth, *sixth], size),
        Action::Swap => "SWAP".to_owned(),
        Action::Keep | Action::Pass => "ERROR nothing to answer".to_owned(),
    }
}

/// Writes the answer in the lines that Yixin-Board reads. After a choice of colours it asks for the stone by itself.
fn yixin(decision: &Decision, tag: &str, stones: usize, size: Size) -> String {
    // The first choice of colours is after three stones.
    let choice = if stones == 3 { "SWAP1" } else { "SWAP2" };
    let (yes, no) = if tag == "SWAP2" { ("YES", "NO") } else { ("Y", "N") };
    let taken = tag == "SWAP2" && stones > 0;
    let mut text = String::new();
    let mut line = |what: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "MESSAGE {tag} {what}");
    };
    let square = |p: Point| {
        let Square { x, y } = Square::of(p, size);
        format!("{x} {y}")
    };
    match &decision.action {
        Action::Swap => line(&format!("{choice} {yes}")),
        Action::Keep => line(&format!("{choice} {no}")),
        Action::Place { stones, .. } if taken && stones.len() == 1 => line(&format!("{choice} {no}")),
        Action::Place { stones: new, declare } => {
            for (i, &p) in (stones + 1..).zip(new) {
                line(&format!("MOVE{i} {}{}", square(p), numbered(*declare)));
            }
        }
        Action::Offer(points) => {
            line("MOVE5 REFRESH");
            points.iter().for_each(|&p| line(&format!("MOVE5 {}", square(p))));
            line("MOVE5 DONE");
        }
        Action::Choose { fifth, .. } => line(&format!("MOVE5C {}", square(*fifth))),
        Action::Pass => {}
    }
    text.trim_end().to_owned()
}
