//! Decisions of the engine for `kagetsu openings walk`.

use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::cli::args::LimitArgs;
use crate::cli::regulation;
use crate::decide::Decision;
use crate::engine::{Engine, Options};
use crate::game::RuleKind;
use crate::game::regulation::Opening;
use crate::search::Limits;

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
        let stop = AtomicBool::new(false);
        regulation::decide(&mut self.engine, &self.limits, opening, &stop).context("the opening is over")
    }
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
