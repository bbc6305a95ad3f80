//! The runner's own engine, which decides about openings in the place of engines that cannot be asked.

use std::sync::atomic::AtomicBool;

use crate::regulation;
use kagetsu::engine::{Engine, Options};
use kagetsu::game::RuleKind;
use kagetsu::game::regulation::{Action, Chooser, Opening};
use kagetsu::search::Limits;

/// Nodes for each decision.
const NODES: u64 = 50_000;

/// An engine that decides; the number of the pair of games decides where several choices are as good.
pub struct EngineChooser {
    engine: Engine,
    limits: Limits,
}

impl EngineChooser {
    /// For a pair of games under this rule.
    pub fn new(rule: RuleKind, pair: u64) -> EngineChooser {
        let mut engine = Engine::new();
        engine.set_options(Options { rule, seed: pair, hash: Some(16 << 20), ..Options::default() });
        EngineChooser { engine, limits: Limits { nodes: Some(NODES), threads: 1, ..Limits::default() } }
    }
}

impl Chooser for EngineChooser {
    fn choose(&mut self, opening: &Opening) -> Option<Action> {
        let stop = AtomicBool::new(false);
        regulation::decide(&mut self.engine, &self.limits, opening, &stop).map(|decision| decision.action)
    }
}
