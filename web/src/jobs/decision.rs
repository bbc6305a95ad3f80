//! The engine's steps in an opening regulation.

use anyhow::{Context as _, Result};

use super::{limits, ms_since};
use crate::desk::{Job, Progress, Turn};
use crate::resources::Resources;
use crate::schema::{Tell, board};
use kagetsu::clock::Clock;
use kagetsu::decide::Decider;
use kagetsu::engine::Options;
use kagetsu::engine::skill::Skill;
use kagetsu::game::RuleKind;
use kagetsu::game::regulation::Opening;
use kagetsu::search::Context;

/// A step to decide.
pub struct DecisionJob {
    /// The opening; it must not be over.
    pub opening: Opening,
    /// The rule.
    pub rule: RuleKind,
    /// Strength, 0 to 100. It bounds the nodes of the whole decision.
    pub level: u8,
    /// The engine's time.
    pub clock: board::Clock,
    /// Seed of the random choices.
    pub seed: u64,
}

impl Job for DecisionJob {
    fn run(&mut self, resources: &mut Resources, turn: &Turn<'_>) -> Result<Progress> {
        let began = resources.clock.now();
        let full = limits(resources, self.clock);
        let limits = Skill::of(self.level).map_or_else(|| full.clone(), |skill| skill.decision(&full));
        let options = Options { rule: self.rule, book: false, seed: self.seed, ..Options::default() };
        let (engine, clock) = resources.player(self.level, options);
        let context = Context { clock, start: began, stop: turn.stop };
        let decision = Decider::new(engine, &limits, &context).decide(&self.opening, 1.0);
        let decision = decision.context("the opening is over: there is nothing to decide")?;
        let rate = |score: Option<kagetsu::search::Score>| score.map(|score| score.win_rate(self.rule));
        let reasons = decision.reasons.iter().map(|reason| (reason.action.to_string(), rate(reason.score)));
        turn.outlet.tell(Tell::Decided {
            action: decision.action.to_string(),
            reasons: reasons.collect(),
            ms: ms_since(resources, began),
        });
        Ok(Progress::Ended)
    }
}
