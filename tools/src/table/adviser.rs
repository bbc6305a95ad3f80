//! Decisions of the engine in an opening.

use std::sync::atomic::AtomicBool;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::decide::{Decider, Decision};
use kagetsu::engine::Engine;
use kagetsu::game::regulation::Opening;
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

/// Returns an engine's decision under these limits; `None` if there is nothing to decide.
pub(super) fn decide(
    engine: &mut Engine,
    limits: &Limits,
    opening: &Opening,
    stop: &AtomicBool,
) -> Option<Decision> {
    let clock = SystemClock::new();
    let context = Context { clock: &clock, start: clock.now(), stop };
    Decider::new(engine, limits, &context).decide(opening, 1.0)
}
