//! Decisions of the engine for `kagetsu openings walk`.

use serde::Serialize;

use kagetsu::decide::Decision;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::RuleKind;
use kagetsu_console::args::{LimitArgs, warn_of_hash};
use kagetsu_tools::table::Adviser;

/// Creates an adviser under these limits, which makes its random choices by this seed.
pub fn adviser(rule: RuleKind, args: &LimitArgs, seed: u64) -> Adviser {
    warn_of_hash(args.hash);
    let mut engine = Engine::new();
    engine.set_options(Options { rule, hash: Some(args.hash), seed, ..Options::default() });
    Adviser::new(engine, args.limits(1))
}

/// Reasons of the engine's decision, in `--json`.
#[derive(Serialize)]
pub struct ReasonJson {
    action: String,
    score: Option<i32>,
    /// Plies to a proven end, negative when losing.
    mate: Option<i32>,
}

impl ReasonJson {
    /// The reasons of a decision.
    pub fn of(decision: &Decision) -> Vec<ReasonJson> {
        let reason = |reason: &kagetsu::decide::Reason| ReasonJson {
            action: reason.action.to_string(),
            score: reason.score.map(|score| score.0),
            mate: reason.score.and_then(|score| score.mate()),
        };
        decision.reasons.iter().map(reason).collect()
    }
}
