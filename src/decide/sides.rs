//! The choice of a colour.
//!
//! Staying has the value of the next step for the player who takes it; swapping has the opposite value,
//! because the opponent then takes that step. If the next step only puts a stone and hands the choice of
//! colours on, staying costs the unevenness that the stone leaves; then swapping is never worse.

use super::judge::Scorer;
use super::{Decision, Reason, after, fifths, place, value};
use crate::game::regulation::{Action, Choice, Opening};
use crate::search::Score;

/// Bonus for putting further stones, which leads away from an opening that the opponent chose and may have
/// studied. Without it two more stones would never be put: choosing between the colours is worth zero or
/// more, leaving the choice to the opponent zero or less.
const FRESH: i32 = 10;

/// Decides between these choices, one of which may be to swap.
pub fn decide(judge: &mut Scorer<'_>, opening: &Opening, choices: &[Choice]) -> Option<Decision> {
    let swaps = choices.contains(&Choice::Swap);
    let others: Vec<&Choice> = choices.iter().filter(|choice| **choice != Choice::Swap).collect();
    let weighed = judge.each(others, |judge, choice| weigh(judge, opening, choice));
    // Among the others, staying comes first in every regulation.
    let stay = weighed.first()?.as_ref().and_then(|reason| reason.score);
    let mut reasons: Vec<Reason> = weighed.into_iter().flatten().collect();
    if swaps {
        let swap = Reason { action: Action::Swap, score: stay.map(|Score(score)| Score(-score)) };
        reasons.insert(reasons.len().min(1), swap);
    }
    Decision::of(reasons)
}

/// Returns the best action of one of the choices, and its worth.
fn weigh(judge: &mut Scorer<'_>, opening: &Opening, choice: &Choice) -> Option<Reason> {
    match choice {
        Choice::Keep => {
            let kept = after(opening, &Action::Keep)?;
            Some(Reason { action: Action::Keep, score: value(judge, &kept) })
        }
        Choice::Place { zones, declare, .. } => {
            let Decision { action, score, .. } = place::decide(judge, opening, zones, *declare)?;
            let fresh = if zones.len() > 1 { FRESH } else { 0 };
            Some(Reason { action, score: score.map(|Score(score)| Score(score + fresh)) })
        }
        Choice::Offer { count, points, pattern } => {
            let Decision { action, score, .. } = fifths::offer(judge, opening, *count, points, pattern)?;
            Some(Reason { action, score })
        }
        Choice::Swap | Choice::Choose { .. } => None,
    }
}
