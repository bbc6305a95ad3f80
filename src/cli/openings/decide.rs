//! Decisions of the engine for `kagetsu openings walk`.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::cli::args::LimitArgs;
use crate::clock::{Clock, SystemClock};
use crate::decide::{Decider, Decision};
use crate::engine::{Engine, Options};
use crate::game::RuleKind;
use crate::game::regulation::Opening;
use crate::search::{Context, Limits, Score};

/// The engine, and what it may use for each decision.
pub struct Adviser {
    engine: Engine,
    limits: Limits,
}

impl Adviser {
    /// An engine that takes no memory before it decides.
    pub fn new(rule: RuleKind, args: &LimitArgs) -> Adviser {
        let mut engine = Engine::new();
        engine.set_options(Options { rule, hash: Some(args.hash), seed: args.seed, ..Options::default() });
        Adviser { engine, limits: args.limits(1) }
    }

    /// What the engine would do.
    pub fn decide(&mut self, opening: &Opening) -> Result<Decision> {
        let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        let mut decider = Decider::new(&mut self.engine, &self.limits, &context);
        decider.decide(opening, 1.0).context("the opening is over")
    }
}

/// Writes what was compared, each with its score for the player who decides.
pub fn show(decision: &Decision, out: &mut dyn Write) -> Result<()> {
    for reason in &decision.reasons {
        writeln!(out, "{:>14} {}", text(reason.score), reason.action)?;
    }
    Ok(())
}

/// Why the engine decided as it did, in `--json`.
#[derive(Serialize)]
pub struct ReasonJson {
    action: String,
    score: Option<String>,
}

impl ReasonJson {
    /// The reasons of a decision.
    pub fn of(decision: &Decision) -> Vec<ReasonJson> {
        let reason = |reason: &crate::decide::Reason| ReasonJson {
            action: reason.action.to_string(),
            score: reason.score.map(|score| score.to_string()),
        };
        decision.reasons.iter().map(reason).collect()
    }
}

fn text(score: Option<Score>) -> String {
    score.map_or_else(|| "-".to_string(), |score| score.to_string())
}
