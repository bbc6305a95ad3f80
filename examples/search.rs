//! The engine from Rust: a position, options and limits in, a move and a report out.
//!
//! Run with `cargo run --release --example search`.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{Diagram, Move, RuleKind, notation};
use kagetsu::search::{Context, Limits};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::new();
    engine.set_options(Options { rule: RuleKind::Renju, hash: Some(64 << 20), ..Options::default() });
    let clock = SystemClock::new();
    // Setting this from another thread ends a search soon.
    let stop = AtomicBool::new(false);
    let mut position = notation::parse("D4", None)?;

    // The engine plays six moves against itself, with a fifth of a second for each.
    for _ in 0..6 {
        engine.set_position(position.clone());
        let limits = Limits { turn: Some(Duration::from_millis(200)), ..Limits::default() };
        let context = Context { clock: &clock, start: clock.now(), stop: &stop };
        let mut iterations = 0;
        let found = engine.go(&limits, &context, &mut |_| iterations += 1);
        let Some((best, report)) = found else { break };
        let score = report.lines.first().map(|line| line.score.to_string()).unwrap_or_default();
        println!(
            "{} plays {best}: score {score}, depth {}, {} nodes, {iterations} reports",
            position.side(),
            report.depth,
            report.nodes
        );
        position.push(Move::Place(best))?;
    }
    assert_eq!(position.stones().count(), 9, "three stones of the opening and six moves");
    println!("{}", Diagram::of(&position));
    Ok(())
}
