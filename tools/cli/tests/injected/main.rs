//! Injected faults: whole commands, in which the n-th step of a file or the n-th allocation fails, for every n. Afterwards
//! nothing foreign has changed, every file is the old one or whole, and the same command goes on to what it would have made.
//! SQLite is tested in the same way. CITE: <https://sqlite.org/testing.html>, "Out-Of-Memory Testing", "I/O
//! Error Testing" and "Crash Testing".
//!
//! This program is both sides: with [`child::VARIABLE`] set it is the command line with a fault in it, else the tests. Each
//! command is a test; it takes every step in one way and a few allocations. All steps in three ways and a thousand
//! allocations of each, with the numbers of both:
//! `cargo test --release -p kagetsu-cli --test injected -- --ignored --nocapture`

mod allocator;
mod bench;
mod child;
mod commands;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use bench::Bench;
use child::Injected;
use commands::{COMMANDS, Command};
use kagetsu::disk::faults::Fault;

#[global_allocator]
static ALLOCATOR: allocator::Failing = allocator::Failing;

/// Number of allocations that fail in every test run: out of all, and out of those between the first step and the last.
const FEW: u64 = 12;
/// The same in the long form.
const MANY: u64 = 1000;

fn main() -> ExitCode {
    if let Some(injected) = child::injected() {
        return child::run(injected);
    }
    let trials = COMMANDS.iter().flat_map(|command| {
        [
            Trial::test(format!("steps of {}", command.name), || steps(command, &[Fault::Torn])),
            Trial::test(format!("allocations of {}", command.name), || allocations(command, FEW)),
            Trial::test(format!("all steps of {}", command.name), || {
                steps(command, &[Fault::Once, Fault::Lasting, Fault::Torn])
            })
            .with_ignored_flag(true),
            Trial::test(format!("many allocations of {}", command.name), || allocations(command, MANY))
                .with_ignored_flag(true),
        ]
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// Every step of a command fails in turn.
fn steps(command: &Command, faults: &[Fault]) -> Result<(), Failed> {
    let (mut points, mut counts) = (0, Vec::new());
    for force in [false, true].into_iter().filter(|&force| !force || command.takes_force) {
        let bench = Bench::new(command, force)?;
        counts.push(format!("{}{}", bench.whole.steps, if force { " with --force" } else { "" }));
        for &fault in faults {
            for step in 1..=bench.whole.steps {
                bench.inject(Injected::Step(step, fault))?;
                points += 1;
            }
        }
    }
    println!("{}: {} steps, {faults:?}: {points} points", command.name, counts.join(" and "));
    if points < 3 { Err(format!("{points} points are no test").into()) } else { Ok(()) }
}

/// Makes allocations of a command fail in turn: some drawn from all, and some between its first step and its last.
fn allocations(command: &Command, count: u64) -> Result<(), Failed> {
    let bench = Bench::new(command, false)?;
    let whole = bench.whole;
    let (first, last) = whole.between;
    let mut numbers: Vec<u64> = spread(1, whole.allocations, count);
    numbers.extend(spread(first, last, count));
    numbers.sort_unstable();
    numbers.dedup();
    for &number in &numbers {
        bench.inject(Injected::Allocation(number))?;
    }
    println!(
        "{}: {} of {} allocations, {} of them between the first step and the last",
        command.name,
        numbers.len(),
        whole.allocations,
        last.saturating_sub(first) + 1
    );
    Ok(())
}

/// Returns at most `count` numbers from `first` to `last`, evenly spread, including both ends.
fn spread(first: u64, last: u64, count: u64) -> Vec<u64> {
    let range = last.saturating_sub(first);
    if range < count {
        return (first..=last).collect();
    }
    (0..count).map(|i| first + i * range / (count - 1)).collect()
}
