//! Decisions of the engine in an opening.

use std::sync::atomic::AtomicBool;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::decide::{Decider, Decision};
use kagetsu::engine::{Engine, Options};
use kagetsu::game::RuleKind;
use kagetsu::game::regulation::{Action, Chooser, Opening};
use kagetsu::search::{Context, Limits};

/// An engine with its limits for each decision.
pub struct Adviser {
    engine: Engine,
    limits: Limits,
}

impl Adviser {
    /// Creates an adviser. The engine takes no memory before it decides.
    pub fn new(engine: Engine, limits: Limits) -> Adviser {
        Adviser { engine, limits }
    }

    /// Returns the engine's decision; `None` if the opening is over.
    pub fn decide(&mut self, opening: &Opening, stop: &AtomicBool) -> Option<Decision> {
        decide(&mut self.engine, &self.limits, opening, stop)
    }
}

/// Nodes for each decision of an [`EngineChooser`].
const NODES: u64 = 50_000;

/// An engine that decides about openings for engines that do not know the commands. The number of the pair of games selects
/// one of several equally good choices.
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

/// Returns an engine's decision under these limits; `None` if the opening is over.
pub(super) fn decide(
    engine: &mut Engine,
    limits: &Limits,
    opening: &Opening,
    stop: &AtomicBool,
) -> Option<Decision> {
    // The decider would answer with the move that follows, which is not an action of the opening.
    if opening.is_over() {
        return None;
    }
    let clock = SystemClock::new();
    let context = Context { clock: &clock, start: clock.now(), stop };
    Decider::new(engine, limits, &context).decide(opening, 1.0)
}

#[cfg(test)]
mod tests {
    use kagetsu::game::Size;
    use kagetsu::game::regulation::Regulation;

    use super::*;

    #[test]
    fn nothing_is_decided_after_the_opening() {
        let over = Regulation::Plain { free: true }.start(Size::S15).unwrap();
        assert!(over.is_over());
        assert_eq!(EngineChooser::new(RuleKind::Renju, 0).choose(&over), None);
        let limits = Limits { nodes: Some(1_000), threads: 1, ..Limits::default() };
        let mut adviser = Adviser::new(Engine::new(), limits);
        assert_eq!(adviser.decide(&over, &AtomicBool::new(false)), None);
    }
}
