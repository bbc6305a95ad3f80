//! A position analysed in a thread of its own: the three best moves, reports on the way, and a stop from
//! outside.
//!
//! Run with `cargo run --release --example analysis`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use kagetsu::clock::{Clock, SystemClock};
use kagetsu::engine::{Engine, Options};
use kagetsu::game::{RuleKind, notation};
use kagetsu::search::{Context, Limits, Report, STACK};

/// Depth at which the analysis is stopped, in plies.
const ENOUGH: u32 = 5;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rule = RuleKind::Renju;
    let mut engine = Engine::new();
    engine.set_options(Options { rule, hash: Some(64 << 20), ..Options::default() });
    engine.set_position(notation::parse("D4 g9", None)?);
    // Without a limit of time, nodes or depth the search runs until it is stopped.
    let limits = Limits { multipv: 3, analysis: true, ..Limits::default() };
    let (clock, stop) = (SystemClock::new(), AtomicBool::new(false));

    let (sender, reports) = channel();
    let ended = thread::scope(|scope| {
        let (limits, clock, stop) = (&limits, &clock, &stop);
        let search = move || {
            let context = Context { clock, start: clock.now(), stop };
            engine.go(limits, &context, &mut |report| drop(sender.send(report.clone())))
        };
        let searching = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search)?;
        // The channel is closed when the search has ended.
        for report in reports {
            show(&report, rule);
            if report.depth >= ENOUGH {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Ok::<_, std::io::Error>(searching.join())
    })?;
    let (best, report) = ended.map_err(|_| "the search panicked")?.ok_or("there is no empty point")?;
    println!("{best} after {} nodes in {:.1?}", report.nodes, report.elapsed);
    assert!(report.depth >= ENOUGH && report.lines.len() == 3);
    assert_eq!(report.lines[0].moves[0], best);
    Ok(())
}

/// Prints the lines of a report, best first.
fn show(report: &Report, rule: RuleKind) {
    for (number, line) in (1..).zip(&report.lines) {
        let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        let chance = 100.0 * line.score.win_rate(rule);
        println!("depth {:2}, {number}: {chance:3.0} % {}", report.depth, moves.join(" "));
    }
}
