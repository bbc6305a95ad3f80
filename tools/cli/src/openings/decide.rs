//! Decisions of the engine for `kagetsu openings walk`.

use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::args::LimitArgs;
use crate::regulation;
use kagetsu::decide::Decision;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::RuleKind;
use kagetsu::game::regulation::Opening;
use kagetsu::search::Limits;

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

    /// Returns the engine's decision.
    pub fn decide(&mut self, opening: &Opening) -> Result<Decision> {
        let stop = AtomicBool::new(false);
        regulation::decide(&mut self.engine, &self.limits, opening, &stop).context("the opening is over")
    }
}

/// Reasons of the engine's decision, in `--json`.
#[derive(Serialize)]
pub struct ReasonJson {
    action: String,
    score: Option<String>,
}

impl ReasonJson {
    /// The reasons of a decision.
    pub fn of(decision: &Decision) -> Vec<ReasonJson> {
        let reason = |reason: &kagetsu::decide::Reason| ReasonJson {
            action: reason.action.to_string(),
            score: reason.score.map(|score| score.to_string()),
        };
        decision.reasons.iter().map(reason).collect()
    }
}
