//! The runner's own engine, which decides about openings in the place of engines that cannot be asked.

use std::sync::atomic::AtomicBool;

use kagetsu::engine::{Engine, Options};
use kagetsu::game::RuleKind;
use kagetsu::game::regulation::{Action, Chooser, Opening};
use kagetsu::search::Limits;
use kagetsu_tools::table::Adviser;

/// Nodes for each decision.
const NODES: u64 = 50_000;

/// An engine that decides; the number of the pair of games decides where several choices are as good.
pub struct EngineChooser(Adviser);

impl EngineChooser {
    /// Creates the chooser of a pair of games under this rule.
    pub fn new(rule: RuleKind, pair: u64) -> EngineChooser {
        let mut engine = Engine::new();
        engine.set_options(Options { rule, seed: pair, hash: Some(16 << 20), ..Options::default() });
        EngineChooser(Adviser::new(engine, Limits { nodes: Some(NODES), threads: 1, ..Limits::default() }))
    }
}

impl Chooser for EngineChooser {
    fn choose(&mut self, opening: &Opening) -> Option<Action> {
        self.0.decide(opening, &AtomicBool::new(false)).map(|decision| decision.action)
    }
}
