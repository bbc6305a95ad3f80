//! Decisions in an opening: which stones to put, which side to take, which fifth moves to offer.
//!
//! [`Decider`] is the entry point: for an [`Opening`] in progress it finds the best action of the player to act, with
//! reasons. The kind of choice selects the module: [`place`] puts stones, [`sides`] chooses a colour, [`fourths`] and
//! [`fifths`] handle the fifth moves that Black offers; each may ask the others what a choice leads to. All of them
//! compare positions by search: [`judge`] scores positions within one decision's time, [`trial`] narrows many possible
//! stones down to the best, [`balance`] finds even positions. Inside, scores are Black's, because the sides are being
//! negotiated; outside, they are the chooser's.
//!
//! This layer knows no text formats and prints nothing.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod balance;
mod fifths;
mod fourths;
mod judge;
mod place;
mod sides;
mod trial;

pub use balance::{Balanced, Stones, balance};

use std::panic::{self, AssertUnwindSafe};

use judge::Scorer;

use crate::engine::Engine;
use crate::game::regulation::{Action, Choice, Chooser, Opening, RandomChooser};
use crate::search::{Context, Limits, Score};

/// A possible action and its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The action. Fifth moves to offer or to choose from are separate actions, each with one stone.
    pub action: Action,
    /// Worth to the chooser; `None` if there was no time to search.
    pub score: Option<Score>,
}

/// The chosen action, with reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The action. It is always legal.
    pub action: Action,
    /// Worth to the chooser; `None` if there was no time to search.
    pub score: Option<Score>,
    /// The actions compared, best first.
    pub reasons: Vec<Reason>,
}

/// Most reasons that a decision keeps.
const REASONS: usize = 12;

impl Decision {
    /// Returns the decision for the best of these reasons; `None` if there is none.
    fn of(mut reasons: Vec<Reason>) -> Option<Decision> {
        // The sort is stable: equal actions, and those not searched, keep their order.
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.score));
        reasons.truncate(REASONS);
        let best = reasons.first()?.clone();
        Some(Decision { action: best.action, score: best.score, reasons })
    }
}

/// Decides opening actions by search, within the limits of one turn.
pub struct Decider<'a>(Scorer<'a>);

impl<'a> Decider<'a> {
    /// Creates a decider for a turn under these limits, which may take several decisions. The engine is left in another
    /// position.
    pub fn new(engine: &'a mut Engine, limits: &Limits, context: &'a Context<'a>) -> Decider<'a> {
        Decider(Scorer::new(engine, limits, context))
    }

    /// Returns the action of the player to act, using this share, 0 to 1, of the time and nodes left; after the opening, a
    /// move. `None` only if the board is full.
    pub fn decide(&mut self, opening: &Opening, share: f64) -> Option<Decision> {
        if opening.is_over() {
            return self.0.part(share, |judge| place::move_after(judge, opening));
        }
        let legal = |decision: &Decision| opening.clone().apply(&decision.action).is_ok();
        let found =
            panic::catch_unwind(AssertUnwindSafe(|| self.0.part(share, |judge| decide(judge, opening))));
        let found = found.unwrap_or_else(|_| {
            log::error!("the decision panicked in {:?}", opening.position());
            None
        });
        found.filter(legal).or_else(|| {
            let action = RandomChooser::new(self.0.seed()).choose(opening)?;
            log::warn!("no decision from the search, {action}");
            Some(Decision { action, score: None, reasons: Vec::new() })
        })
    }
}

/// Returns the best action of the player to act.
fn decide(judge: &mut Scorer<'_>, opening: &Opening) -> Option<Decision> {
    match &opening.choices()[..] {
        [] => None,
        [Choice::Place { zones, declare, .. }] => place::decide(judge, opening, zones, *declare),
        [Choice::Offer { count, points, pattern }] => fifths::offer(judge, opening, *count, points, pattern),
        [Choice::Choose { fifths, sixths }] => fifths::choose(judge, opening, fifths, sixths),
        choices => sides::decide(judge, opening, choices),
    }
}

/// Returns the worth of the opening to the player to act; `None` if there is no time to search.
fn value(judge: &mut Scorer<'_>, opening: &Opening) -> Option<Score> {
    if opening.is_over() {
        let position = opening.position();
        let score = judge.score(position, None)?;
        return Some(judge::for_black(score, position.side()));
    }
    decide(judge, opening)?.score
}

/// The opening after an action; `None` if that is not legal.
fn after(opening: &Opening, action: &Action) -> Option<Opening> {
    let mut opening = opening.clone();
    opening.apply(action).ok()?;
    Some(opening)
}
